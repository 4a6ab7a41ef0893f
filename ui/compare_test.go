package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// directly lets the hosted client answer for a connector that is called directly.
type directly struct{ Service }

func (d directly) Execute(ctx context.Context, t client.Target, op client.Operation) (*client.Envelope, error) {
	t.Local = false
	return d.Service.Execute(ctx, t, op)
}

// sides answers each way of asking with a body of its own; an empty one fails.
func sides(search, list, local string) Session {
	inner := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now})
	rt := roundTrip(func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.URL.Path, "/execute") {
			return inner.RoundTripper().RoundTrip(r)
		}
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		body := list
		switch {
		case strings.Contains(r.URL.Path, "mine"):
			body = local
		case bytes.Contains(sent, []byte(`"context_store_search"`)):
			body = search
		}
		status := 200
		if body == "" {
			status, body = 403, `{"detail":"not allowed here"}`
		}
		return &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"application/json"}}, Body: readCloser{strings.NewReader(body)}, ContentLength: -1, Request: r}, nil
	})
	c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: testCatalog,
		Transport: transport.New(transport.Options{Base: rt, Now: now})})
	return Session{Name: "fake", BaseURL: sandbox.BaseURL, Service: directly{c},
		Local: []client.Connector{{ID: "mine", Name: "mine", Type: "payments", Kind: "payments", Local: true}}}
}

const (
	searched = `{"data":[{"id":"cus_1","name":"Ada","updated":1772000000},{"id":"cus_2","name":"Bob"},{"id":"cus_9","name":"Gone"}],"meta":{}}`
	listed   = `{"data":[{"id":"cus_1","name":"Ada L.","updated":1772003600},{"id":"cus_2","name":"Bob"},{"id":"cus_3","name":"New"}],"meta":{"has_more":false}}`
	direct   = `{"data":[{"id":"cus_3","name":"New"},{"id":"cus_1","name":"Ada L.","updated":1772003600},{"id":"cus_2","name":"Bob"}],"meta":{"has_more":false}}`
)

func TestCompareSides(t *testing.T) {
	p := play(t, Deps{Session: sides(searched, listed, direct)}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "list", `{"limit":5}`)
	p.keys("C")
	p.wants("3 records · 1 only here, 1 missing", "1h0m0s behind list", "Differing: 1 record", "Only in search: 1 record", "Not in search: 1 record")
	p.keys("enter")
	p.wants("customers by search", "customers context_store_search")
	p.keys("esc")
	p.typed("name")
	p.wants("cus_1")
	p.keys("down", "enter")
	p.wants("search → list", "differs", `"Ada" → "Ada L."`, "search → local")
	p.keys("esc", "esc")
	p.lacks("Only in search")
}

func TestComparisonIsKept(t *testing.T) {
	dir := t.TempDir()
	p := play(t, Deps{Session: sides(searched, listed, "")}, 80, 24)
	p.keys("enter")
	p.call("payments", "customers", "list", `{"limit":5,"email":"a@b.c"}`)
	p.keys("C")
	p.wants("ctrl+e exports all", "ctrl+y copies all")
	p.keys("ctrl+y")
	p.wants("comparison")
	p.keys("ctrl+e")
	p.wants("Comparison as Markdown", "Comparison as JSON")
	p.keys("down", "enter", "enter", "ctrl+u")
	p.typed(filepath.Join(dir, "out.json"))
	p.keys("enter")
	data, err := os.ReadFile(filepath.Join(dir, "out.json"))
	if err != nil || !json.Valid(data) {
		t.Fatal(err, string(data))
	}
	for _, want := range []string{`"eq": {`, `"email": "a@b.c"`, `"only_here": 1`, `"failed": `, `"key": "cus_9"`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s lacks %s", data, want)
		}
	}
}

func TestCompareShowsWhatFailed(t *testing.T) {
	p := play(t, Deps{Session: sides("", listed, direct)}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "list", `{}`)
	p.keys("C")
	p.wants("failed: ", "3 records the same on every side")
	p.keys("enter")
	p.wants("customers by search", "403")

	p = play(t, Deps{Session: sides("", "", direct)}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "list", `{}`)
	p.keys("C")
	p.wants("Fewer than two sides answered")
}

// A side that has further pages may have there what seems to be missing.
func TestCompareTellsWhatWasNotLookedAt(t *testing.T) {
	endless := strings.Replace(listed, `"has_more":false`, `"has_more":true`, 1)
	p := play(t, Deps{Session: sides(searched, endless, direct)}, 80, 24)
	p.keys("enter")
	p.call("payments", "customers", "list", `{}`)
	p.keys("C")
	p.wants("the first ")
	p.typed("cus_9")
	p.keys("enter")
	p.wants("list does not have it (list has further pages)", "local does not have it")
	p.lacks("local has further pages")
}

func TestCompareInTheSandbox(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.call("payments", "customers", "context_store_search", `{"query":{"sort":[{"name":"asc"}]}}`)
	p.keys("C")
	p.wants("500 records the same on every side", "the first 500 records", `{"query":{},"limit":100}`)
	p.keys("down", "enter")
	p.wants("customers list", `{"limit":100}`, "500 rows were asked for")
}

// The same question goes to all sides, each in its own words; what has no
// words on a side is named, and what only another side has is not called missing for sure.
func TestCompareAsksTheSameOfAllSides(t *testing.T) {
	compared := func(kind, entity, action, params string) *player {
		p := play(t, Deps{}, 120, 36)
		p.call(kind, entity, action, params)
		p.keys("C")
		return p
	}
	p := compared("payments", "invoices", "list", `{"limit":2,"status":"paid","created":{"gt":5},"expand":["customer"]}`)
	p.wants(`{"query":{"filter":{"and":[{"eq":{"status":"paid"}},{"gt":{"created":5}}]}},"limit":100}`, `{"status":"paid","created":{"gt":5},"expand":["customer"],"limit":100}`,
		"not sent: expand", "the same on every side")
	p.lacks("was not asked", "0 records the same")

	p = compared("code_hosting", "issues", "list", `{"owner":"acme","repo":"web","states":["OPEN"]}`)
	p.wants(`{"query":{"filter":{"eq":{"state":"OPEN"}}},"limit":100}`, "not asked: owner, repo", "not sent: owner, repo", "Only in list (search has further pages): 169 records",
		"Only in search (list has further pages; search was not asked owner, repo): 169 records")
	p.typed("Only in search")
	p.keys("down", "down", "down", "enter")
	p.wants("▸ I_kw")

	p = compared("payments", "customers", "context_store_search", `{"query":{"filter":{"and":[{"eq":{"delinquent":true}},{"fuzzy":{"name":"a"}}]}}}`)
	p.wants("of the first 500 records meet delinquent eq true", `not sent: name fuzzy "a"`, `not sent: delinquent eq true; its records are held against it`)
	p.keys("down", "enter")
	p.wants("held against it", "no param says the same")

	p = compared("payments", "customers", "context_store_search", `{"query":{"filter":{"eq":{"name":"nobody"}}}}`)
	p.wants("No side has a record of this question.", `0 of the first 500 records meet name eq "nobody"`)
}

// What the first records leave open is settled by asking on, on the sides that
// have more; the list shows what all that came says.
func TestCompareAsksOn(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.call("payments", "customers", "context_store_search", `{"query":{"filter":{"eq":{"delinquent":true}}}}`)
	p.keys("C")
	p.wants("of the first 500 records meet delinquent eq true", "Only in search (list has further pages)", "up to 500 more records of search and list")
	p.typed("500 more")
	p.keys("enter", "ctrl+u")
	p.wants("of the first 1000 records meet delinquent eq true", "list has further pages")
	p.typed("10,000 more")
	p.keys("enter", "ctrl+u")
	p.wants("of 2000 records meet delinquent eq true", "0 only here, 0 missing", "the same on every side")
	p.lacks("further pages", "more records of")
}

// A page that failed is asked for again when a comparison is asked on.
func TestCompareAsksOnBehindAFailure(t *testing.T) {
	inner := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now})
	var failed atomic.Bool
	rt := roundTrip(func(r *http.Request) (*http.Response, error) {
		sent := []byte(nil)
		if r.Body != nil {
			sent, _ = io.ReadAll(r.Body)
			r.Body = readCloser{strings.NewReader(string(sent))}
		}
		if bytes.Contains(sent, []byte(`"starting_after"`)) && failed.CompareAndSwap(false, true) {
			return &http.Response{StatusCode: 400, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"application/json"}},
				Body: readCloser{strings.NewReader(`{"message":"the moon is full"}`)}, ContentLength: -1, Request: r}, nil
		}
		return inner.RoundTripper().RoundTrip(r)
	})
	c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: testCatalog,
		Transport: transport.New(transport.Options{Base: rt, Now: now})})
	p := play(t, Deps{Session: Session{Name: "fake", BaseURL: sandbox.BaseURL, Service: c}}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "list", `{}`)
	p.keys("C")
	p.wants("the first 100 records", "then it failed", "up to 500 more records")
	p.typed("500 more")
	p.keys("enter", "ctrl+u")
	p.wants("the same on every side")
	p.lacks("then it failed")
}

func TestCompareSaysWhyNot(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "balance", "get")
	p.keys("3", "C")
	p.wants("nothing to compare")
}
