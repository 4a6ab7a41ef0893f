package answer

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
)

// A short page is the end only where a cursor is missing too: a server may give fewer
// rows than were asked for, and the next page then says that it is empty.
func TestAShortPageAloneIsNoEnd(t *testing.T) {
	cursor := catalog.Page{Style: "cursor", Send: "after", Meta: "next", Size: "limit"}
	paged := catalog.Page{Style: "page", Send: "page", First: 1, Size: "limit", Total: "total"}
	offset := catalog.Page{Style: "offset", Send: "page", Size: "limit", More: "more"}
	flagged := catalog.Page{Style: "page", Send: "page", First: 1, Size: "limit", More: "more"}
	last := catalog.Page{Style: "last_id", Send: "after", Next: "last.id", Size: "limit"}
	ends := catalog.Page{Style: "offset", Send: "page", Size: "limit", ShortEnds: true}
	bounded := catalog.Page{Style: "offset", Send: "page", Size: "limit", Most: 9}
	lastFlagged := catalog.Page{Style: "last_id", Send: "after", Next: "last.id", Size: "limit", More: "more"}
	for _, c := range []struct {
		name, params, meta string
		page               catalog.Page
		rows               int
		want               State
		why                string
	}{
		{"short", `{"limit":3}`, `{"x":1}`, cursor, 2, End, "the page is short: 2 of 3 rows"},
		{"full without the value", `{"limit":3}`, `{"x":1}`, cursor, 3, End, "the answer has no meta.next"},
		{"full without any meta", `{"limit":3}`, ``, cursor, 3, Unknown, "a full page came without"},
		{"of no known size", `{}`, ``, cursor, 3, End, "the answer has no meta.next"},
		{"as many as all, size unknown", `{"page":5}`, `{"total":3}`, paged, 3, More, ""},
		{"as many as all", `{"page":2,"limit":3}`, `{"total":6}`, paged, 3, End, "all 6 of 6 are there"},
		{"as many as all, were the pages full", `{"page":2,"limit":3}`, `{"total":4}`, paged, 1, More, ""},
		{"short, which is the end there", `{"limit":3}`, `{}`, ends, 2, End, "the page is short: 2 of 3 rows"},
		{"full where a short one is the end", `{"limit":3}`, `{}`, ends, 3, More, ""},
		{"all that can be had", `{"limit":3,"page":9}`, `{}`, bounded, 0, Unknown, "the third party gives at most 9 "},
		{"as much as can be had, and perhaps more", `{"limit":3,"page":6}`, `{}`, bounded, 3, More, ""},
		{"none long before that", `{"limit":3,"page":6}`, `{}`, bounded, 0, End, "the page is empty"},
		{"before all that can be had", `{"limit":3,"page":3}`, `{}`, bounded, 3, More, ""},
		{"one page with all that can be had", `{}`, `{}`, catalog.Page{Style: "none", Most: 9}, 9, Unknown,
			"the third party gives at most 9 "},
		{"one page with fewer", `{}`, `{}`, catalog.Page{Style: "none", Most: 9}, 8, None, "this action has no pages"},
		{"short by pages", `{"page":2,"limit":3}`, `{}`, paged, 2, More, ""},
		{"full by pages", `{"page":2,"limit":3}`, `{}`, paged, 3, More, ""},
		{"short by pages, and more", `{"page":2,"limit":3}`, `{"more":true}`, flagged, 2, More, ""},
		{"empty, and more", `{"page":2,"limit":3}`, `{"more":true}`, offset, 0, More, ""},
		{"empty, and more, size unknown", `{"page":2}`, `{"more":true}`, offset, 0, End, "the page is empty"},
		{"by record, size unknown", `{}`, `{}`, last, 2, More, ""},
		{"by record, short", `{"limit":3}`, `{}`, last, 2, More, ""},
		{"by record, full", `{"limit":2}`, `{}`, last, 2, More, ""},
		{"by record, full, no flag", `{"limit":2}`, `{}`, lastFlagged, 2, More, ""},
		{"by record, short, no flag", `{"limit":3}`, `{}`, lastFlagged, 2, More, ""},
	} {
		env := envelope(c.meta, upTo(0, c.rows)...)
		if c.meta == "" {
			env.Meta = client.Span{}
		}
		a := action("list", c.page, text("after"), number("limit"), number("page"))
		run := NewRun(&catalog.Entity{Key: "id"}, a)
		got := run.Add(client.Operation{Action: "list", Params: []byte(c.params)}, env).Next
		if got.State != c.want || !strings.HasPrefix(got.Why, c.why) {
			t.Errorf("%s: %v, %q", c.name, got.State, got.Why)
		}
	}
}

// A run from the first page to the last that brought fewer records than the server
// speaks of says so, and is not taken for whole.
func TestFewerThanTheTotal(t *testing.T) {
	cursor := catalog.Page{Style: "cursor", Send: "after", Meta: "next", Size: "limit", Total: "total"}
	offset := catalog.Page{Style: "offset", Send: "offset", Size: "limit", Total: "total"}
	for _, c := range []struct {
		name   string
		page   catalog.Page
		params string
		rows   []int
		total  string
		want   string
	}{
		{"no next page", cursor, `{"limit":15}`, []int{15}, `57`, "15 of 57: the server gave no next page"},
		{"an empty page", offset, `{"limit":15}`, []int{15, 0}, `57`, "15 of 57: the server gave no next page"},
		{"all came", cursor, `{"limit":15}`, []int{15, 15, 7}, `37`, ""},
		{"all came, some twice", cursor, `{"limit":15}`, []int{15, 15, 8}, `37`, ""},
		{"from the middle", cursor, `{"limit":15,"after":"x"}`, []int{15}, `57`, ""},
		{"from the middle by count", offset, `{"limit":15,"offset":42}`, []int{15}, `57`, ""},
		{"no total", cursor, `{"limit":15}`, []int{15}, `null`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			run, from := NewRun(&catalog.Entity{Key: "id"}, action("list", c.page, number("limit"), number("offset"), text("after"))), 0
			fetcher := Fetcher{Run: run, Start: client.Operation{Action: "list", Params: []byte(c.params)},
				Ask: func(context.Context, client.Operation) (*client.Envelope, error) {
					n := c.rows[run.Len()]
					meta := fmt.Sprintf(`{"total":%s,"next":"%c"}`, c.total, 'a'+run.Len())
					if run.Len() == len(c.rows)-1 {
						meta = fmt.Sprintf(`{"total":%s}`, c.total)
					}
					from += n
					return envelope(meta, upTo(from-n, from)...), nil
				}}
			out, err := fetcher.Fetch(t.Context(), Limits{})
			stop := StopEnd
			if c.want != "" {
				stop = StopVerdict
			}
			if err != nil || out.Stop != stop || !strings.HasSuffix(out.Why, c.want) {
				t.Errorf("%v: %v, %q", err, out.Stop, out.Why)
			}
		})
	}
}

// A full page without meta is the last where the answer of a third party was looked
// through for the next one.
func TestAFullPageLookedThroughForMoreIsTheLast(t *testing.T) {
	page := catalog.Page{Style: "cursor", Send: "after", Meta: "next", Size: "limit"}
	env := envelope("", upTo(0, 3)...)
	env.Meta, env.Paging = client.Span{}, &client.Paging{}
	run := NewRun(&catalog.Entity{Key: "id"}, action("list", page, text("after"), number("limit")))
	got := run.Add(client.Operation{Action: "list", Params: []byte(`{"limit":3}`)}, env).Next
	if got.State != End || got.Why != "the answer names no next page" {
		t.Errorf("%v, %q", got.State, got.Why)
	}
}

// The verdict speaks of pages that are short of what was asked, and of none where
// nothing was asked or nothing came.
func TestVerdictOnShortPages(t *testing.T) {
	flagged := catalog.Page{Style: "cursor", Send: "after", Meta: "next", More: "more", Size: "limit"}
	flagless := catalog.Page{Style: "cursor", Send: "after", Meta: "next", Size: "limit"}
	for _, c := range []struct {
		page   catalog.Page
		params string
		rows   []int
		want   string
	}{
		{flagged, `{"limit":3}`, []int{3, 2, 3}, "1 short page but more"},
		{flagged, `{"limit":3}`, []int{3, 3, 2}, ""},
		{flagged, `{"limit":3}`, []int{3, 0, 3}, "1 empty page in the middle"},
		{flagged, `{}`, []int{3, 2, 3}, ""},
		{flagged, `{"limit":3}`, []int{2, 2, 1}, "0 limit ignored"},
		{flagged, `{"limit":3}`, []int{2, 1, 2}, "0 short page but more, 1 short page but more"},
		{flagged, `{"limit":3}`, []int{3, 2, 2, 3}, "1 short page but more, 2 short page but more"},
		{flagged, `{"limit":3}`, []int{4, 3, 3}, "0 limit ignored"},
		{flagless, `{"limit":3}`, []int{3, 2, 3}, "1 short page but more"},
		{flagless, `{"limit":3}`, []int{3, 2, 0}, ""},
	} {
		run, from := NewRun(&catalog.Entity{Key: "id"}, action("list", c.page, number("limit"), text("after"))), 0
		op := client.Operation{Action: "list", Params: []byte(c.params)}
		for i, n := range c.rows {
			meta := `{"more":true,"next":"` + string(rune('a'+i)) + `"}`
			if i == len(c.rows)-1 {
				meta = `{"more":false}`
			}
			next := run.Add(op, envelope(meta, upTo(from, from+n)...)).Next
			op, from = next.Op, from+n
		}
		var got []string
		for _, v := range run.Verdicts() {
			got = append(got, string(rune('0'+v.Page))+" "+string(v.Name))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s %v: %s, want %s", c.params, c.rows, strings.Join(got, ", "), c.want)
		}
	}
}

// Where the size of a page is not known, nobody can say that an empty one stands
// before the end.
func TestAnEmptyPageOfUnknownSizeIsTheEnd(t *testing.T) {
	for params, want := range map[string]int{`{"page":2}`: 0, `{"page":2,"limit":3}`: 1, `{"page":4,"limit":3}`: 0} {
		page := catalog.Page{Style: "page", Send: "page", First: 1, Size: "limit", Total: "total"}
		run := NewRun(nil, action("list", page, number("limit"), number("page")))
		run.Add(client.Operation{Action: "list", Params: []byte(params)}, envelope(`{"total":9}`))
		if got := run.Verdicts(); len(got) != want {
			t.Errorf("%s: %v", params, got)
		}
	}
}
