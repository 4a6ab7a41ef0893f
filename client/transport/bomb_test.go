package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"patchbay/client"
)

// A small answer that unpacks to very much is refused after the first of it, unless
// somebody said how much is to be read.
func TestBombsAreRefusedEarly(t *testing.T) {
	const size = 300 << 20
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for range size >> 20 {
		z.Write(bytes.Repeat([]byte(" "), 1<<20))
	}
	z.Close()
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls++
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed.Bytes())
	}))
	defer server.Close()
	_, err := New(Options{}).Do(context.Background(), get(server.URL))
	e := client.AsError(err)
	if e.Class != client.ClassBadResponse || !strings.Contains(e.Error(), "more than 200 times its size") ||
		!strings.Contains(e.Next, "PATCHBAY_MAX_ANSWER") || calls != 1 {
		t.Errorf("%d calls: %v; %s", calls, err, e.Next)
	}
	if n := e.Attempts[0].ResponseBytes; n > freely+pieceSize {
		t.Errorf("%d bytes were read of it", n)
	}
	res, err := New(Options{MaxBody: size}).Do(context.Background(), get(server.URL))
	if err != nil || res.Body.Len() != size {
		t.Errorf("what is asked for: %v", err)
	}
}
