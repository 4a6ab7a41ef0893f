package sandbox

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// roundTripper answers requests by calling the service.
type roundTripper struct{ s *Service }

// RoundTrip implements http.RoundTripper.
func (t roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	r := req.Clone(req.Context())
	if r.Body == nil {
		r.Body = http.NoBody
	}
	defer r.Body.Close()
	w := &recorder{header: http.Header{}}
	cut, err := w.serve(t.s, r)
	if err != nil {
		return nil, err
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return w.response(req, cut), nil
}

// recorder keeps what a handler writes.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (w *recorder) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// serve runs the handler; cut tells that it gave up in the middle of the body.
func (w *recorder) serve(s *Service, r *http.Request) (cut bool, err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			cut = true
		default:
			err = fmt.Errorf("the sandbox failed on %s %s: %v", r.Method, r.URL.Path, p)
		}
	}()
	s.ServeHTTP(w, r)
	return false, nil
}

func (w *recorder) response(req *http.Request, cut bool) *http.Response {
	w.WriteHeader(http.StatusOK)
	var body io.Reader = &w.body
	length := int64(w.body.Len())
	if n, err := strconv.ParseInt(w.header.Get("Content-Length"), 10, 64); err == nil {
		length = n
	}
	if cut {
		body = io.MultiReader(&w.body, cutReader{})
	}
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(body), ContentLength: length, Request: req,
	}
}

// cutReader is the end of a connection that broke.
type cutReader struct{}

// Read implements io.Reader.
func (cutReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
