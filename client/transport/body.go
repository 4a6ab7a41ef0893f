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
	"net/http"
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

// copy moves the body to out, decoding it, and counts bytes on both sides.
func (c *Client) copy(w *watch, out io.Writer, res *http.Response, rec *record) error {
	wire := &counter{r: res.Body}
	begun := c.o.Now()
	body, err := decoded(res.Header.Get("Content-Encoding"), wire)
	if err == nil {
		err = c.pump(w, out, body, res, rec, wire)
	}
	rec.a.WireBytes, rec.a.BodyTime = wire.n, c.o.Now().Sub(begun)
	return w.cause(err)
}

func (c *Client) pump(w *watch, out io.Writer, body io.Reader, res *http.Response, rec *record, wire *counter) error {
	piece := pieces.Get().(*[]byte)
	defer pieces.Put(piece)
	told := c.o.Now()
	for {
		n, err := body.Read(*piece)
		w.touch(c.o.Idle)
		rec.a.ResponseBytes += int64(n)
		if rec.a.ResponseBytes > c.o.MaxBody {
			return fmt.Errorf("%w of %d MB", errTooLarge, c.o.MaxBody>>20)
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
			client.Notify(w.ctx, client.Event{Kind: client.EventProgress, Attempt: rec.a.N, Bytes: wire.n, Total: res.ContentLength})
		}
	}
}

// encodingError names a content encoding that cannot be removed.
type encodingError struct{ name string }

func (e *encodingError) Error() string { return "the answer is encoded as " + e.name }

// decoded removes the content encoding. An empty body needs none removed.
func decoded(encoding string, r io.Reader) (io.Reader, error) {
	encoding = strings.ToLower(strings.TrimSpace(encoding))
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
	case "deflate":
		return inflated(buffered, head)
	}
	return nil, &encodingError{encoding}
}

// inflated reads "deflate", which servers send with and without zlib's header.
func inflated(r *bufio.Reader, head []byte) (io.Reader, error) {
	if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// watch ends an exchange that makes no progress.
type watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	outer  context.Context
	mu     sync.Mutex
	why    error
}

func (c *Client) newWatch(ctx context.Context) *watch {
	w := &watch{outer: ctx, why: errFirstByte}
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

func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// cause names the reason behind an error that only says that a context ended.
func (w *watch) cause(err error) error {
	if err == nil || w.ctx.Err() == nil {
		return err
	}
	return context.Cause(w.ctx)
}
