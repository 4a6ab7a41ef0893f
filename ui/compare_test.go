package ui

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
	"patchbay/ui/result"
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
	p.call("payments", "customers", "context_store_search", `{"query":{"filter":{"eq":{"name":"nobody"}}}}`)
	p.keys("C")
	p.wants("500 records the same on every side", "the first 500 records", `{"query":{},"limit":100}`)
	p.keys("down", "enter")
	p.wants("customers list", `{"limit":100}`, "500 rows were asked for")
}

func TestCompareSaysWhyNot(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "balance", "get")
	p.keys("3", "C")
	p.wants("nothing to compare")
}

func TestListParams(t *testing.T) {
	list := &catalog.Action{Name: "list", Page: &catalog.Page{Send: "after", Size: "limit"},
		Params: []catalog.Field{{Name: "owner", Required: true}, {Name: "state"}, {Name: "limit"}, {Name: "after"}}}
	for _, c := range []struct{ action, asked, form, want, unasked string }{
		{"list", `{"limit":7,"after":"x","state":"open","owner":"me","odd":1}`, ``, `{"owner":"me","state":"open","limit":100}`, ""},
		{"get", `{"owner":"me","id":1}`, ``, `{"owner":"me","limit":100}`, ""},
		{"context_store_search", `{"query":{},"limit":3,"owner":"no"}`, `{"owner":"form","state":"no"}`, `{"owner":"form","limit":100}`, ""},
		{"list", `{"owner":null}`, ``, `{"limit":100}`, "it needs owner, which neither the answer nor the form holds"},
	} {
		from := result.Question{Action: &catalog.Action{Name: c.action}, Op: client.Operation{Params: []byte(c.asked)}}
		got, unasked := listParams(list, from, values([]byte(c.form)))
		if string(got) != c.want || unasked != c.unasked {
			t.Errorf("%s %s with %s: %s, %q", c.action, c.asked, c.form, got, unasked)
		}
	}
}
