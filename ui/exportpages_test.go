package ui

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/export"
	"patchbay/client/hosted"
	"patchbay/client/rawjson"
	"patchbay/client/records"
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

// Every format is continued, and becomes the file that it is without a failure.
func TestAnExportThatFailedIsGoneOnWith(t *testing.T) {
	for title, name := range map[string]string{"NDJSON": "all.ndjson", "CSV": "all.csv", "JSON array": "all.json", "Markdown table": "all.md"} {
		whole, path := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), name)
		exporting(t, refusingOnce(0), title+" of every", whole)
		p := exporting(t, refusingOnce(4), title+" of every", path)
		p.wants("Go on with the export?", "The export failed: ", name+".part holds 30 records")
		if name == "all.json" {
			p.wants("30 records, an array without its end")
		}
		p.keys("n", "E")
		p.wants("Go on with " + name + " after 30 records")
		p.keys("enter")
		p.wants("48 records written to ")
		same(t, path, whole)
		p.keys("E")
		p.lacks("Go on with")
	}
}

// same compares two files byte for byte.
func same(t *testing.T, path, other string) {
	t.Helper()
	got, err := os.ReadFile(path)
	want, otherErr := os.ReadFile(other)
	if err != nil || otherErr != nil || len(want) == 0 || !bytes.Equal(got, want) {
		t.Errorf("%s differs: %d and %d bytes, %v, %v", filepath.Base(path), len(got), len(want), err, otherErr)
	}
}

// The screen continues with what the command line began, in the columns that it
// began with, and its own files are known by what tells calls apart everywhere.
func TestAnExportOfTheCommandLineIsGoneOnWith(t *testing.T) {
	s := refusingOnce(0)
	connectors, err := s.Service.Connectors(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(connectors, func(c client.Connector) bool { return c.Name == "payments" })
	target := client.Target{Profile: "env", ConnectorID: connectors[at].ID}
	call := answer.CallID(s.BaseURL, target, client.Operation{Entity: "customers", Action: "list", Params: json.RawMessage(`{ "limit" : 10 }`)})
	path := filepath.Join(t.TempDir(), "all.csv")
	r, err := export.Resume(path, export.CSV, call)
	if err != nil {
		t.Fatal(err)
	}
	id, _ := records.FromPath("id")
	sum := records.Column{Name: "kind", Program: ".object", Derive: func(rawjson.Node) rawjson.Node { return rawjson.Parse([]byte(`"first"`)) }}
	first := rawjson.Parse([]byte(`{"id":"cus_0"}`))
	if err := errors.Join(r.Begin(export.Options{Columns: []records.Column{id, sum}}), r.Record(first, client.Neutral),
		r.Save(json.RawMessage(`{"entity":"customers","action":"list","params":{"limit":40}}`)), r.Stop()); err != nil {
		t.Fatal(err)
	}
	p := exporting(t, s, "CSV of every", path)
	p.wants("An unfinished all.csv is there", "Go on after 1 record, in its 2 columns")
	p.keys("enter")
	p.wants("49 records written to ")
	data, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(data), "id,kind\ncus_0,first\ncus_") || strings.Count(string(data), ",customer\n") != 48 {
		t.Errorf("%.300s, %v", data, err)
	}
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
	p.wants("An unfinished all.csv is there", "It cannot be continued: ", "format.", "Start over")
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

// What is being written continues while records are sorted and filtered, and a
// second one does not end it.
func TestWritingGoesOn(t *testing.T) {
	m := New(Deps{Now: now, Catalog: testCatalog})
	work := func(what string, lane intent.Lane) intent.Task {
		return intent.Task{What: what, Lane: lane, Do: func(ctx context.Context) (func() intent.Intent, error) { return nil, ctx.Err() }}
	}
	m.start(work("writing a.csv", intent.Writing))
	m.start(work("sorting", intent.Records))
	m.start(work("sorting again", intent.Records))
	writing, records := m.tasks.in(intent.Writing), m.tasks.in(intent.Records)
	if writing == nil || records == nil || records.What != "sorting again" || len(m.tasks.open) != 2 {
		t.Fatalf("%+v %+v", writing, records)
	}
	m.start(work("writing b.csv", intent.Writing))
	if m.tasks.in(intent.Writing) != writing || !strings.Contains(m.toast.text, "this goes on still: writing a.csv") {
		t.Errorf("%s: %s", m.tasks.in(intent.Writing).What, m.toast.text)
	}
	m.perform(m.askQuit())
	if c, ok := m.stack.Top().(*overlay.Confirm); !ok || !strings.Contains(strings.Join(c.Text, " "), "under way and ends then: writing a.csv") {
		t.Error("quitting does not say what is being written")
	}
	m.finished(taskMsg{id: writing.id})
	if m.tasks.in(intent.Writing) != nil || m.tasks.in(intent.Records) == nil {
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

// What is on a screen goes to a command as it is.
func TestRowsGoToACommand(t *testing.T) {
	p := openText(t, customers(30), 120, 36)
	p.keys("E")
	p.typed("NDJSON")
	p.keys("enter")
	p.typed("command")
	p.keys("enter")
	p.typed("wc -l | sed s/^.*30/thirty/")
	p.keys("enter")
	p.wants("thirty")
}
