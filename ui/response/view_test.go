package response

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

// paged is a pane that shows the first of some pages.
func paged(t *testing.T, pages ...*answer.Page) *Pane {
	t.Helper()
	p := New(nil)
	for i, page := range pages {
		work(t, p.Add(page, i > 0))
	}
	p.cur = 0
	return p
}

// inputOf is what a view reads of pages; the ledger is kept as the pane keeps it.
func inputOf(t *testing.T, pages ...*answer.Page) Input {
	t.Helper()
	return paged(t, pages...).Input
}

// asking is a page of an action with pages, its body an envelope.
func asking(t *testing.T, params, rows, meta string) *answer.Page {
	t.Helper()
	body := `{"data":` + rows + `,"meta":` + meta + `}`
	e := &catalog.Entity{Name: "users", Key: "id", Record: []catalog.Field{{Name: "id", Type: "integer"},
		{Name: "at", Type: "integer", Format: "unix", Doc: "When it came."}}}
	a := &catalog.Action{Name: "list", Params: []catalog.Field{{Name: "after", Type: "string"},
		{Name: "limit", Type: "integer"}},
		Page: &catalog.Page{Style: "cursor", Send: "after", Meta: "next", More: "more", Size: "limit"}}
	env := &client.Envelope{Status: 200, Body: rawjson.Bytes(body), RecordsPath: "data",
		Records: client.Span{From: 8, To: 8 + len(rows)}, MetaJSON: json.RawMessage(meta),
		Attempts: []client.Attempt{{N: 1, Method: "GET", URL: "https://example.test/users", Status: 200,
			Proto:           "HTTP/2",
			RequestHeaders:  []client.Header{{Name: "Accept", Value: "application/json"}},
			ResponseHeaders: []client.Header{{Name: "Content-Type", Value: "application/json\x1b[2J"}}}}}
	q := answer.Question{Kind: &catalog.Kind{Name: "shop"}, Entity: e, Action: a,
		Op: client.Operation{Entity: "users", Action: "list", Params: json.RawMessage(params)}}
	return answer.NewPage(t.Context(), q, env, nil)
}

// seen is what a view shows in w cells and h lines, without its colours.
func seen(t *testing.T, v view, in Input, w, h int) string {
	t.Helper()
	v.fit(in, w, h)
	lines := v.lines(in, w, h, styles(t), true)
	if len(lines) > h {
		t.Errorf("%s draws %d lines of %d", v.name(), len(lines), h)
	}
	var b strings.Builder
	for _, l := range lines {
		plain := strings.TrimRight(ansi.Strip(string(l)), " ")
		if n := ansi.StringWidth(plain); n > w {
			t.Errorf("%s draws %d cells of %d: %q", v.name(), n, w, plain)
		}
		b.WriteString(plain + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// shows fails where a view does not show texts, or shows those behind "without".
func shows(t *testing.T, got string, texts ...string) {
	t.Helper()
	for _, one := range texts {
		text, not := strings.CutPrefix(one, "without ")
		if strings.Contains(got, text) == not {
			t.Errorf("%q is there: %v in\n%s", text, !not, got)
		}
	}
}

// Every view draws every input in any size, and changes nothing of what it reads.
func TestViewsOnlyRead(t *testing.T) {
	failed := answer.NewPage(t.Context(), answer.Question{}, nil, &client.Error{Class: client.ClassAuth, Message: "no"})
	for name, pages := range map[string][]*answer.Page{
		"two pages": {asking(t, `{}`, `[{"id":1,"at":1772000000}]`, `{"more":true,"next":"n"}`),
			asking(t, `{"after":"n"}`, `[{"id":2}]`, `{}`)},
		"no rows":   {asking(t, `{}`, `[]`, `{}`)},
		"a failure": {failed},
	} {
		in := inputOf(t, pages...)
		row, cur := in.row, in.cur
		for _, v := range Views() {
			if !v.fits(in) {
				continue
			}
			v.reset(in)
			v.enter(in)
			for w := 26; w < 130; w += 13 {
				for h := 3; h < 40; h += 9 {
					seen(t, v, in, w, h)
				}
			}
			v.move(in, 1, 1)
			_, _, _ = v.tab(in), v.where(in), v.copies(in)
		}
		if in.row != row || in.cur != cur {
			t.Errorf("%s: the views moved the cursor of the pane", name)
		}
	}
}

// A search is left from any view, also from one that has nothing to search in.
func TestASearchEndsInAnyView(t *testing.T) {
	p := paged(t, asking(t, `{}`, `[{"id":1}]`, `{}`))
	p.ShowView("JSON")
	work(t, p.Find("id"))
	p.ShowView("Pages")
	if _, left := p.Leave(); !left || p.filtered() || p.viewName() != "Pages" {
		t.Errorf("the search goes on: %v, in %s", p.filtered(), p.viewName())
	}
	if _, left := p.Leave(); !left || p.viewName() != "Table" {
		t.Errorf("the view shown is %s", p.viewName())
	}
}
