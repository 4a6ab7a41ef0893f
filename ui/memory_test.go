package ui

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// large is a service that answers every call with as many bytes of records.
type large struct {
	http.RoundTripper
	size int
}

func (l large) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, "/execute") {
		return l.RoundTripper.RoundTrip(r)
	}
	record := `{"id":"cus_1","name":"` + strings.Repeat("x", 1000) + `"}`
	var b bytes.Buffer
	b.WriteString(`{"result":[` + record)
	for b.Len() < l.size {
		b.WriteString("," + record)
	}
	b.WriteString(`]}`)
	return &http.Response{StatusCode: 200, Request: r, Body: io.NopCloser(&b),
		Header: http.Header{"Content-Type": {"application/json"}}}, nil
}

// wide is a service whose records have as many bytes more.
type wide struct {
	http.RoundTripper
	size int
}

func (w wide) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := w.RoundTripper.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.URL.Path, "/execute") {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	body = bytes.ReplaceAll(body, []byte(`"name":"`), []byte(`"name":"`+strings.Repeat("x", w.size)))
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Del("Content-Length")
	return resp, err
}

// memory is what lives in it.
func memory() uint64 {
	runtime.GC()
	runtime.GC() // what was only kept for what the first one found
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Pages behind those that memory has room for are on disk, and can be gone through,
// searched and sorted like the others.
func TestMemoryOfManyPages(t *testing.T) {
	const size, most = 50_000, 130 << 20
	s := sandboxSession(sandbox.Options{})
	base := wide{sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now}).RoundTripper(), size}
	s.Service = hosted.New(hosted.Config{Profile: "sandbox", BaseURL: sandbox.BaseURL, Names: client.Neutral,
		Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: testCatalog,
		Transport: transport.New(transport.Options{Base: base})})
	p := play(t, Deps{Session: s}, 120, 36)
	p.open("payments", "customers", "list")
	before := memory()
	p.keys("r")
	for range 4 {
		p.keys("m", "enter")
	}
	p.wants("420 rows of 21 pages")
	held := memory() - before
	p.keys("G", "o", "/")
	p.typed("usd")
	p.keys("enter")
	after := memory() - before
	p.wants("filter")
	t.Logf("%d MiB, gone through %d MiB", held>>20, after>>20)
	if max(held, after) > most {
		t.Errorf("the pages hold %d MiB, gone through %d", held>>20, after>>20)
	}
}

// A long session with large answers takes no more memory than a short one: the log
// and what else remembers answers hold a bounded number of bytes.
func TestMemoryOfManyLargeAnswers(t *testing.T) {
	const size, runs, most = 20 << 20, 24, 160 << 20
	s := sandboxSession(sandbox.Options{})
	base := large{sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now}).RoundTripper(), size}
	s.Service = hosted.New(hosted.Config{Profile: "sandbox", BaseURL: sandbox.BaseURL, Names: client.Neutral,
		Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: testCatalog,
		Transport: transport.New(transport.Options{Base: base})})
	p := play(t, Deps{Session: s}, 120, 36)
	p.open("payments", "customers", "list")
	for range runs {
		p.keys("r")
	}
	held := memory()
	t.Logf("%d MiB after %d runs", held>>20, runs)
	if held > most {
		t.Errorf("%d runs hold %d MiB", runs, held>>20)
	}
	p.wants("200")
}
