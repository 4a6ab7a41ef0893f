package client

import (
	"errors"
	"strings"
	"time"
)

// Class tells what kind of failure an Error is.
type Class string

// The classes. Exit codes and hints depend on them.
const (
	ClassAuth        Class = "auth"         // credentials missing, wrong or expired
	ClassScope       Class = "scope"        // known, but not allowed
	ClassNotFound    Class = "not_found"    // no such connector, record, path
	ClassInvalid     Class = "invalid"      // the request is wrong
	ClassRefused     Class = "refused"      // a rule of patchbay or the service forbids it
	ClassRateLimited Class = "rate_limited" // too many requests
	ClassUpstream    Class = "upstream"     // the service or third party failed
	ClassNetwork     Class = "network"      // no connection
	ClassTLS         Class = "tls"          // no trusted connection
	ClassTimeout     Class = "timeout"      // no answer in time
	ClassCanceled    Class = "canceled"     // stopped by the person
	ClassBadResponse Class = "bad_response" // an answer that cannot be read
	ClassConfig      Class = "config"       // settings or environment are missing or wrong
	ClassOther       Class = "other"
)

// Layer tells who failed.
type Layer string

// The layers from here outwards.
const (
	LayerProgram    Layer = "patchbay"
	LayerNetwork    Layer = "network"
	LayerProxy      Layer = "proxy"
	LayerHosted     Layer = "hosted service"
	LayerThirdParty Layer = "third party"
)

// Error is the one error type of calls. Every text in it is free of secrets;
// Server is untrusted text that views must sanitise.
type Error struct {
	Class Class
	Layer Layer
	// Status is the HTTP status; 0 when none arrived.
	Status int
	// Doing says what was tried: "list workspaces".
	Doing string
	// Message says what went wrong, in our words.
	Message string
	// Server is what the answer said, as found in its body.
	Server string
	// Next is the next step for the person.
	Next string
	// Field names the param that is wrong, when known.
	Field string
	// RetryAfter is how long the server asked to wait; 0 when it did not.
	RetryAfter time.Duration
	// RequestID is the server's name for the request, for a support ticket.
	RequestID string
	Attempts  []Attempt
	// Envelope holds the body of the failed answer when one arrived.
	Envelope *Envelope
	Err      error
}

// Error implements error: what failed, on what, what the server said.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Doing != "" {
		b.WriteString(e.Doing)
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if e.Server != "" && !strings.Contains(e.Message, e.Server) {
		b.WriteString(" (the server said: ")
		b.WriteString(e.Server)
		b.WriteString(")")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// AsError returns err as *Error, wrapping foreign errors in class other.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Class: ClassOther, Layer: LayerProgram, Message: err.Error(), Err: err}
}

// ExitCode maps the class to the exit code of the command line:
// 0 ok; 1 other, upstream, bad response; 2 auth or scope; 3 not found;
// 4 usage, configuration, invalid input or refused; 5 rate limited;
// 6 network, TLS, timeout; 130 canceled.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	switch AsError(err).Class {
	case ClassAuth, ClassScope:
		return 2
	case ClassNotFound:
		return 3
	case ClassInvalid, ClassRefused, ClassConfig:
		return 4
	case ClassRateLimited:
		return 5
	case ClassNetwork, ClassTLS, ClassTimeout:
		return 6
	case ClassCanceled:
		return 130
	}
	return 1
}
