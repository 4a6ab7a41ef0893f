package transport

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"patchbay/client"
)

const (
	pieceSize     = 128 << 10
	progressEvery = 100 * time.Millisecond
)

var pieces = sync.Pool{New: func() any { b := make([]byte, pieceSize); return &b }}

// garbledError tells of a body that breaks the rules of its own form.
type garbledError struct {
	what string
	err  error
}

func (e *garbledError) Error() string { return e.what }
func (e *garbledError) Unwrap() error { return e.err }

// copy moves the body to out, decoding it, and counts bytes on both sides.
func (c *Client) copy(w *watch, out io.Writer, res *http.Response, rec *record) error {
	wire := &counter{r: res.Body}
	begun := c.o.Now()
	encoding := strings.ToLower(strings.TrimSpace(res.Header.Get("Content-Encoding")))
	body, err := decoded(encoding, wire)
	if err == nil {
		err = c.pump(w, out, body, res, rec, wire)
	}
	err = wire.blame(err, encoding, res)
	rec.a.WireBytes, rec.a.BodyTime = wire.n, c.o.Now().Sub(begun)
	return w.cause(err)
}

func (c *Client) pump(w *watch, out io.Writer, body io.Reader, res *http.Response, rec *record, wire *counter) error {
	piece := pieces.Get().(*[]byte)
	defer pieces.Put(piece)
	told := c.o.Now()
	_, bounded := out.(client.FileWriter) // it knows itself how much it takes
	for {
		n, err := body.Read(*piece)
		w.touch(c.o.Idle)
		rec.a.ResponseBytes += int64(n)
		if !bounded {
			if err := c.tooLarge(rec.a.ResponseBytes, wire.n); err != nil {
				return err
			}
		}
		if _, wrong := out.Write((*piece)[:n]); wrong != nil {
			return errors.Join(errSink, wrong)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if now := c.o.Now(); now.Sub(told) >= progressEvery {
			told = now
			client.Notify(w.ctx, client.Event{Kind: client.EventProgress, Attempt: rec.a.N, Bytes: wire.n,
				Total: res.ContentLength})
		}
	}
}

const (
	// maxRatio is how many times its size a packed body may become, once it is more than
	// freely: data that somebody wants to read does not come near. Whoever sets MaxBody
	// knows what is to come.
	maxRatio = 200
	freely   = 64 << 20
)

// tooLarge says why a body of so many bytes, which came in so many, is not read further.
func (c *Client) tooLarge(bytes, wire int64) error {
	switch {
	case bytes > c.o.MaxBody:
		return fmt.Errorf("%w of %d MB", errTooLarge, c.o.MaxBody>>20)
	case bytes > freely && bytes/maxRatio > wire && !c.o.sized:
		return errBomb
	}
	return nil
}

// encodingError names a content encoding that cannot be removed.
type encodingError struct{ name string }

func (e *encodingError) Error() string { return "the answer is encoded as " + e.name }

// decoded removes the content encoding. An empty body needs none removed.
func decoded(encoding string, r io.Reader) (io.Reader, error) {
	if encoding == "" || encoding == "identity" {
		return r, nil
	}
	buffered := bufio.NewReader(r)
	head, err := buffered.Peek(2)
	if len(head) == 0 {
		if err == io.EOF {
			return buffered, nil
		}
		return nil, err
	}
	switch encoding {
	case "gzip", "x-gzip":
		return gzip.NewReader(buffered)
	case "deflate": // sent with and without zlib's header
		if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
			return zlib.NewReader(buffered)
		}
		return flate.NewReader(buffered), nil
	}
	return nil, &encodingError{encoding}
}

type counter struct {
	r io.Reader
	n int64
	// err is how the bytes of the wire ended.
	err error
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n, c.err = c.n+int64(n), err
	return n, err
}

// blame says of a body that could not be read to its end whether that was its own
// fault: packed bytes that cannot be unpacked although all of them came, and chunks
// that are malformed or end too early.
func (c *counter) blame(err error, encoding string, res *http.Response) error {
	_, system := errors.AsType[*net.OpError](err)
	switch {
	case err == nil, errors.Is(err, errSink), errors.Is(err, errTooLarge), kind[*encodingError](err), system:
		return err
	case c.err == nil || c.err == io.EOF:
		return &garbledError{what: "its " + encoding + " encoding cannot be read", err: err}
	case slices.Contains(res.TransferEncoding, "chunked") && res.ProtoMajor == 1:
		return &garbledError{what: "it ends within its chunks, or they are malformed", err: err}
	}
	return err
}

// watch ends an exchange that makes no progress.
type watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	mu     sync.Mutex
	why    error
}

func (c *Client) newWatch(ctx context.Context) *watch {
	w := &watch{why: errFirstByte}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(c.o.FirstByte, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.cancel(w.why)
	})
	return w
}

// touch grants more time because something arrived.
func (w *watch) touch(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.why = errIdle
	w.timer.Reset(d)
}

// cause names the reason behind an error that only says that a context ended.
func (w *watch) cause(err error) error {
	if err == nil || w.ctx.Err() == nil {
		return err
	}
	return context.Cause(w.ctx)
}
