package ui

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// refusingOnce is a sandbox that refuses its nth call of an operation, once.
func refusingOnce(n int) Session {
	inner := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now, Records: 6})
	calls := 0
	rt := roundTrip(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/execute") {
			if calls++; calls == n {
				return &http.Response{StatusCode: 403, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: -1, Request: r,
					Body: io.NopCloser(strings.NewReader(`{"detail":"not now"}`))}, nil
			}
		}
		return inner.RoundTripper().RoundTrip(r)
	})
	c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: testCatalog,
		Transport: transport.New(transport.Options{Base: rt, Now: now})})
	return Session{Name: "fake", BaseURL: sandbox.BaseURL, Service: c}
}

// exporting asks for the export of every page with this title to a file.
func exporting(t *testing.T, s Session, title, path string) *player {
	p := play(t, Deps{Session: s}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "list", `{"limit":10}`)
	p.keys("E")
	p.typed(title)
	p.keys("enter", "enter", "ctrl+u")
	p.typed(path)
	p.keys("enter")
	return p
}

// lines counts the lines of a file, those of CSV by its rules.
func lines(t *testing.T, path string) int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.EqualFold(path[len(path)-3:], "csv") {
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return len(rows)
	}
	return strings.Count(string(data), "\n")
}

func TestEveryPageIsExported(t *testing.T) {
	dir := t.TempDir()
	for title, want := range map[string]int{"NDJSON of every": 48, "CSV of every": 49, "JSON array of every": 50, "Markdown table of every": 50} {
		path := filepath.Join(dir, strings.Fields(title)[0])
		p := exporting(t, refusingOnce(0), title, path)
		p.wants("48 records written to ")
		if n := lines(t, path); n != want {
			t.Errorf("%s has %d lines", title, n)
		}
	}
}

func TestAnExportThatFailedIsGoneOnWith(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.ndjson")
	p := exporting(t, refusingOnce(4), "NDJSON of every", path)
	p.wants("Go on with the export?", "The export failed: ", "all.ndjson.part holds 30 records")
	p.keys("n", "E")
	p.wants("Go on with all.ndjson after 30 records")
	p.keys("enter")
	p.wants("48 records written to ")
	if n := lines(t, path); n != 48 {
		t.Errorf("%d lines", n)
	}
	p.keys("E")
	p.lacks("Go on with")
}

func TestAnExportIsGoneOnWithAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.csv")
	exporting(t, refusingOnce(3), "CSV of every", path).wants("all.csv.part holds 20 records")

	// Another call has another file.
	p := play(t, Deps{Session: refusingOnce(0)}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "list", `{"limit":9}`)
	p.keys("E")
	p.typed("CSV of every")
	p.keys("enter", "enter", "ctrl+u")
	p.typed(path)
	p.keys("enter")
	p.wants("An unfinished all.csv is there", "the unfinished file belongs to another call", "Start over")
	p.keys("enter")

	p = exporting(t, refusingOnce(0), "CSV of every", path)
	p.wants("An unfinished all.csv is there", "Go on after 20 records")
	p.keys("enter")
	p.wants("48 records written to ")
	if n := lines(t, path); n != 49 {
		t.Errorf("%d lines", n)
	}
}

func TestAnUnfinishedExportIsStartedOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.ndjson")
	exporting(t, refusingOnce(3), "NDJSON of every", path)
	p := exporting(t, refusingOnce(0), "NDJSON of every", path)
	p.typed("start over")
	p.keys("enter")
	p.wants("48 records written to ")
	if n := lines(t, path); n != 48 {
		t.Errorf("%d lines", n)
	}
}

// What is being written goes on while records are sorted and filtered, and a
// second one does not end it.
func TestWritingGoesOn(t *testing.T) {
	m := New(Deps{Now: now, Catalog: testCatalog})
	work := func(what string, keep bool) intent.Work {
		return intent.Work{What: what, Keep: keep, Do: func(ctx context.Context) (func() intent.Intent, error) { return nil, ctx.Err() }}
	}
	m.startWork(work("writing a.csv", true))
	m.startWork(work("sorting", false))
	m.startWork(work("sorting again", false))
	if !m.writing.running() || !m.jobs.running() || m.jobs.what != "sorting again" {
		t.Fatalf("%+v %+v", m.writing, m.jobs)
	}
	m.startWork(work("writing b.csv", true))
	if m.writing.what != "writing a.csv" || !strings.Contains(m.toast.text, "this goes on still: writing a.csv") {
		t.Errorf("%s: %s", m.writing.what, m.toast.text)
	}
	m.askQuit()
	if c, ok := m.stack.Top().(*overlay.Confirm); !ok || !strings.Contains(strings.Join(c.Text, " "), "under way and ends then: writing a.csv") {
		t.Error("quitting does not say what is being written")
	}
	m.gotWork(workMsg{job: m.writing.id})
	if m.writing.running() || !m.jobs.running() {
		t.Error("the end of one was taken for that of the other")
	}
}

// Without pages to fetch there is nothing to offer.
func TestEveryPageIsOfferedWhereThereAreMore(t *testing.T) {
	p := play(t, Deps{Session: refusingOnce(0)}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "list", `{"limit":100}`)
	p.keys("E")
	p.lacks("every page")
}

func TestFileNamesStaySafe(t *testing.T) {
	e := &pageExport{path: "/tmp/x\x1b[2J"}
	if strings.Contains(e.name(), "\x1b") {
		t.Errorf("%q", e.name())
	}
}
