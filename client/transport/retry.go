package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	firstWait   = 500 * time.Millisecond
	longestWait = 20 * time.Second
	// patience is the longest Retry-After that is waited for; beyond it the
	// person decides.
	patience = 60 * time.Second
)

// outcome is what one attempt came to.
type outcome struct {
	attempt, most int
	write         bool
	status        int
	err           error
	canceled      bool
	heedsLimits   bool // a limit is not waited for
	retryAfter    time.Duration
	random        float64 // in [0,1)
}

// shouldRetry decides whether a call is sent again, after how long, and says
// why or why not. The reason is empty for an attempt that simply succeeded.
func shouldRetry(o outcome) (retry bool, wait time.Duration, reason string) {
	cause := passing(o)
	switch {
	case o.canceled:
		return false, 0, "canceled"
	case cause == "":
		return false, 0, ""
	case o.write:
		return false, 0, cause + "; not repeated, because it may already have changed something"
	case o.heedsLimits && o.status == http.StatusTooManyRequests:
		return false, 0, cause + "; not repeated, to spare a service that asks for fewer requests"
	case o.attempt >= o.most:
		return false, 0, fmt.Sprintf("%s; given up after %d attempts", cause, o.attempt)
	case o.retryAfter > patience:
		return false, 0, fmt.Sprintf("%s; the server asks to wait %s", cause, o.retryAfter.Round(time.Second))
	}
	// As long as the server asks, with a little chance on top so that many callers
	// do not return at once; otherwise anything up to a limit that doubles.
	limit := min(firstWait<<min(o.attempt, 10), longestWait)
	if o.retryAfter > 0 {
		limit = firstWait
	}
	return true, o.retryAfter + time.Duration(o.random*float64(limit)), cause
}

// passing names a failure that may be gone at the next try; empty for others.
func passing(o outcome) string {
	if o.err != nil {
		return brokenConnection(o.err)
	}
	switch o.status {
	case http.StatusTooManyRequests:
		return "429 too many requests"
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return strconv.Itoa(o.status) + " " + strings.ToLower(http.StatusText(o.status))
	}
	return ""
}

const broke = "the connection broke"

func brokenConnection(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, errSink), errors.Is(err, errTooLarge), errors.Is(err, errPlain),
		errors.Is(err, context.Canceled):
		return ""
	case kind[*garbledError](err) && errors.Is(err, io.ErrUnexpectedEOF):
		return "the answer ended early"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNABORTED),
		Mentions(err.Error(), brokenByPeer...):
		return broke
	case errors.As(err, &dns):
		if dns.IsTemporary && !dns.IsNotFound {
			return "the name server gave no answer"
		}
	case errors.As(err, &op) && op.Timeout() && op.Op == "dial":
		return "connecting took too long"
	}
	return ""
}

// brokenByPeer are the words of net/http for a connection, or a stream of one,
// that the other side ended; there are no values to compare with.
var brokenByPeer = []string{"server closed idle connection", "GOAWAY", "stream error: ",
	"http2: client connection lost", "http2: client connection force closed"}
