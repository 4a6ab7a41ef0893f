package response

import (
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/answer"
)

func TestRawViewShowsBytesInPieces(t *testing.T) {
	in := inputOf(t, asking(t, `{}`, `[{"id":"\u001b\x1b`+"\x1b"+`"}]`, `{}`))
	v := &rawView{}
	got := seen(t, v, in, 35, 6)
	shows(t, got, `            0  {"data":[{"id":"\u00`, "           20", "without \x1b")
	v.move(in, 0, 1)
	if v.offset(in) != 20 || !strings.HasPrefix(string(v.where(in)), "byte 20 of ") {
		t.Errorf("%d, %s", v.offset(in), v.where(in))
	}
	v.goTo(in, 45)
	if v.scroll.Cursor != 2 {
		t.Errorf("byte 45 is on piece %d", v.scroll.Cursor)
	}
	v.starts = []int{0, 9, 20}
	if v.goTo(in, 12); v.scroll.Cursor != 1 || !strings.HasPrefix(string(v.where(in)), "line 2 of 3") {
		t.Errorf("byte 12 is on line %d: %s", v.scroll.Cursor, v.where(in))
	}
}

func TestPagesViewIsTheLedger(t *testing.T) {
	in := inputOf(t, asking(t, `{"limit":2}`, `[{"id":1},{"id":2}]`, `{"more":true,"next":"n"}`),
		asking(t, `{"limit":2,"after":"n"}`, `[{"id":2},{"id":3}]`, `{"more":true,"next":"n"}`))
	v := &pagesView{base: base{title: "Pages"}}
	v.scroll.Cursor = 1
	shows(t, seen(t, v, in, 120, 16), "page    rows     new  again", `● ✓ 1          2       2      0`,
		"  ✗ 2          2       1      1",
		`after = "n"`, `{"more":true,"next":"n"}`, "sum", "4 rows in 2 pages, 3 of them new", "cursor did not move",
		"pages overlap by 1 id")
	if v.tab(in) != "Pages 2 !" || v.where(in) != "page 2 of 2 fetched" {
		t.Errorf("%s, %s", v.tab(in), v.where(in))
	}
	if v.click(in, 0, 0, true) != nil || v.click(in, 0, 1, false) != nil || v.scroll.Cursor != 0 {
		t.Errorf("a click leads to page %d", v.scroll.Cursor)
	}
	p := paged(t, in.pages...)
	p.cur = 1
	p.ShowView("Pages")
	if p.Click(0, 2, true); p.viewName() != "Table" || p.cur != 0 {
		t.Errorf("two clicks show page %d in %s", p.cur, p.viewName())
	}
	in.stopped = "The next page failed: no luck"
	shows(t, seen(t, v, in, 120, 16), "no luck")
	shows(t, seen(t, v, in, 60, 16), "without meta received")
}

func TestSchemaViewListsFindings(t *testing.T) {
	in := inputOf(t, asking(t, `{}`, `[{"id":"x","odd":1},{"id":2}]`, `{}`))
	v := &schemaView{base: base{title: "Schema"}}
	shows(t, seen(t, v, in, 100, 20), "2 records looked at, 3 fields; 2 findings; 1 not seen in them",
		"not in the catalog", "odd  1 of 2",
		"other type", "id  1 of 2, documented integer, found string", "never seen in 2 records", "at  0 of 2",
		"field", "seen", "holds")
	if v.tab(in) != "Schema 2" || v.where(in) != "2 records looked at" {
		t.Errorf("%s, %s", v.tab(in), v.where(in))
	}
	seen(t, v, in, 100, 4)
	v.move(in, 0, 6)
	if first, _, _ := strings.Cut(seen(t, v, in, 100, 4), "\n"); strings.Contains(first, "looked at") {
		t.Error("the window does not move")
	}
	in.Page().Drift = nil
	shows(t, seen(t, v, in, 100, 4), "being held against the catalog")
}

func TestWireViewShowsExchanges(t *testing.T) {
	page := asking(t, `{}`, `[]`, `{}`)
	again := page.Env.Attempts[0]
	again.N, again.Retry, again.Reason, again.Status = 2, true, "429 too many requests", 429
	page.Env.Attempts = append(page.Env.Attempts, again)
	in := inputOf(t, page)
	v := &wireView{base: base{title: "Wire"}}
	got := seen(t, v, in, 100, 30)
	shows(t, got, "1  GET https://example.test/users", "200 OK", "> Accept: application/json",
		"< Content-Type: application/json", "without \x1b",
		"repeated after", "429 too many requests")
	if v.tab(in) != "Wire 2" || v.where(in) != "" {
		t.Errorf("%s, %s", v.tab(in), v.where(in))
	}
	seen(t, v, in, 100, 4)
	v.move(in, 0, 7)
	seen(t, v, in, 100, 4)
	shows(t, string(v.where(in)), "line 8 of 13, attempt 2 of 2")
}

func TestErrorViewSaysWhatToDo(t *testing.T) {
	e := &client.Error{Class: client.ClassScope, Layer: client.LayerThirdParty, Status: 403,
		Message: "not allowed\x1b", Next: "Ask for the scope.", Field: "scope"}
	in := inputOf(t, answer.NewPage(t.Context(), answer.Question{}, nil, e))
	v := &errorView{}
	shows(t, seen(t, v, in, 80, 20), "Not allowed  (HTTP 403)", "what", "do next      Ask for the scope.",
		"field        scope", "without \x1b")
	if !v.fits(in) || (&tableView{}).fits(in) || v.copies(in)[0].Title != "Error as a report" {
		t.Error("a failure is shown by another view")
	}
}
