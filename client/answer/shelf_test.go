package answer

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// Pages that are more than memory has room for are on disk, and are read all the same.
func TestShelfKeepsManyPages(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const size, pages = 4 << 20, 40
	var s Shelf
	n := 0
	ask := s.Of(func(context.Context, client.Operation) (*client.Envelope, error) {
		n++
		body := fmt.Appendf(nil, `[{"id":%d,"text":%q}]`, n, strings.Repeat("x", size))
		return &client.Envelope{Body: client.Bytes(body), Records: client.Span{From: 0, To: len(body)}}, nil
	})
	r := NewRun(nil, nil)
	for range pages {
		env, err := ask(t.Context(), client.Operation{})
		if err != nil {
			t.Fatal(err)
		}
		r.Add(client.Operation{}, env)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > shelfMemory+40<<20 {
		t.Errorf("%d MiB are held in memory", m.HeapAlloc>>20)
	}
	weight := 0
	for i, p := range r.Pages() {
		weight += p.Weight()
		v, _ := p.Record(0).Get("id")
		text, _ := p.Record(0).Get("text")
		if v.Text() != fmt.Sprint(i+1) || text.Size() != size+2 {
			t.Errorf("page %d holds record %s of %d bytes", i, v.Text(), text.Size())
		}
		if _, onDisk := p.Env.Body.(*rawjson.File); onDisk != (i >= 15) {
			t.Errorf("page %d is on disk: %v", i, onDisk)
		}
	}
	if weight > shelfMemory+2<<20 {
		t.Errorf("they weigh %d", weight)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// vast is a body that is longer than memory has room for.
type vast struct{ client.Bytes }

func (vast) Len() int { return shelfDisk + 1 }

// Where there is no more room that is told, with what helps.
func TestShelfIsFull(t *testing.T) {
	var s Shelf
	err := s.Keep(&client.Envelope{Body: vast{}})
	if err == nil || !strings.Contains(err.Error(), "4.00 GB of pages is the most") {
		t.Error(err)
	}
	t.Setenv("TMPDIR", "/nowhere")
	body := client.Bytes(bytes.Repeat([]byte("x"), shelfMemory+1))
	if err := s.Keep(&client.Envelope{Body: body}); err == nil || !strings.Contains(err.Error(), "temporary file") {
		t.Error(err)
	}
	for range shelfPages {
		if err := s.Keep(&client.Envelope{Body: body[:100]}); err != nil {
			t.Fatal(err)
		}
	}
	err = s.Keep(&client.Envelope{Body: body[:100]})
	if err == nil || !strings.Contains(err.Error(), "10,000 pages is the most") {
		t.Error(err)
	}
}
