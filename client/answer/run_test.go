package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

func action(name string, page catalog.Page, params ...catalog.Field) *catalog.Action {
	return &catalog.Action{Name: name, Page: &page, Params: params, Binding: &catalog.Binding{}}
}

func envelope(meta string, ids ...int) *client.Envelope {
	var rows []string
	for _, id := range ids {
		rows = append(rows, fmt.Sprintf(`{"id":"r%04d","created":%d,"pad":"%d"}`, id, 1700000000-id, id%3))
	}
	return bodyOf(meta, "["+strings.Join(rows, ",")+"]")
}

func bodyOf(meta, rows string) *client.Envelope {
	body := `{"data":` + rows + `,"meta":` + meta + `}`
	at := strings.LastIndex(body, `,"meta":`)
	return &client.Envelope{Body: client.Bytes(body), Shape: client.ShapeDataMeta, RecordsPath: "data",
		MetaPath: "meta",
		Records:  client.Span{From: 8, To: at}, Meta: client.Span{From: at + 8, To: len(body) - 1},
		Took: time.Millisecond}
}

func upTo(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

func text(name string) catalog.Field   { return catalog.Field{Name: name, Type: "string"} }
func number(name string) catalog.Field { return catalog.Field{Name: name, Type: "integer"} }

func ptr[T any](v T) *T { return &v }

func TestFollowing(t *testing.T) {
	cursor := catalog.Page{Style: "cursor", Send: "after", Meta: "next_cursor", More: "has_more", Size: "limit"}
	wiki := catalog.Page{Style: "cursor", Send: "cursor", Next: "_links.next", NextIs: "url", Meta: "next",
		Size: "limit", DefaultSize: 25}
	link := catalog.Page{Style: "link", Send: "page", Next: "@link.next", NextIs: "url", Meta: "next", Size: "per_page"}
	lastID := catalog.Page{Style: "last_id", Send: "starting_after", Back: "ending_before", Next: "last.id",
		More: "has_more", Size: "limit"}
	offset := catalog.Page{Style: "offset", Send: "startAt", Size: "maxResults", DefaultSize: 50, Total: "total"}
	paged := catalog.Page{Style: "page", Send: "page", Size: "limit", First: 1}
	token := catalog.Page{Style: "token", Send: "page", Next: "next_page", More: "has_more", Size: "limit",
		DefaultSize: 10}
	crm := catalog.Page{Style: "cursor", Next: "nextRecordsUrl", NextIs: "path", Meta: "nextRecordsUrl", More: "!done"}
	capped := number("limit")
	capped.Max = ptr(2.0)
	for _, c := range []struct {
		name   string
		page   catalog.Page
		fields []catalog.Field
		params string
		meta   string
		rows   int
		state  State
		want   string // params of the next page
		why    string
	}{
		{"cursor", cursor, nil, `{"limit":2}`, `{"next_cursor":"c2","has_more":true}`, 2, More,
			`{"limit":2,"after":"c2"}`, "meta.next_cursor"},
		{"flag ends", cursor, nil, ``, `{"next_cursor":"c2","has_more":false}`, 2, End, ``, "last page"},
		{"flag without cursor", cursor, nil, ``, `{"has_more":true}`, 2, Unknown, ``, "meta.next_cursor is missing"},
		{"null ends", cursor, nil, ``, `{"next_cursor":null}`, 2, End, ``, "no meta.next_cursor"},
		{"flag as text", cursor, nil, ``, `{"next_cursor":"c2","has_more":"false"}`, 2, End, ``, "last page"},
		{"flag as text without cursor", cursor, nil, ``, `{"has_more":"true"}`, 2, Unknown, ``,
			"meta.next_cursor is missing"},
		{"zero ends", cursor, nil, ``, `{"next_cursor":0}`, 2, End, ``, "no meta.next_cursor"},
		{"zero though there is more", cursor, nil, ``, `{"next_cursor":0,"has_more":true}`, 2, More, `{"after":0}`,
			"meta.next_cursor"},
		{"value replaced in place", cursor, nil, `{"after":"c1","limit":2}`, `{"next_cursor":"c2"}`, 2, More,
			`{"after":"c2","limit":2}`, ""},
		{"number as text", cursor, []catalog.Field{text("after")}, ``, `{"next_cursor":7}`, 2, More, `{"after":"7"}`,
			""},
		{"query of an address", wiki, nil, ``, `{"next":"/wiki/api/v2/pages?limit=25&cursor=a%2Bb%3D"}`, 25, More,
			`{"cursor":"a+b="}`, "query of meta.next"},
		{"bare value where an address may be", wiki, nil, ``, `{"next":"/abc/def=="}`, 25, More,
			`{"cursor":"/abc/def=="}`, ""},
		{"address without the value", wiki, nil, ``, `{"next":"https://x.example/p?limit=25"}`, 25, Unknown, ``,
			"does not hold cursor"},
		{"link as the param's type", link, []catalog.Field{number("page")}, ``,
			`{"next":"https://x.example/c?page=2&per_page=5"}`, 5, More, `{"page":2}`, ""},
		{"bracketed name", catalog.Page{Style: "cursor", Send: "page[cursor]", NextIs: "url", Meta: "next"}, nil, ``,
			`{"next":"https://x.example/p?page%5Bcursor%5D=q"}`, 5, More, `{"page[cursor]":"q"}`, ""},
		{"wire name in the address", catalog.Page{Style: "cursor", Send: "cursor", NextIs: "url", Meta: "next"},
			[]catalog.Field{{Name: "cursor", Type: "string", Wire: "start"}}, ``,
			`{"next":"https://x.example/p?start=q"}`, 5, More, `{"cursor":"q"}`, ""},
		{"last id", lastID, nil, `{"limit":3}`, `{"has_more":true}`, 3, More, `{"limit":3,"starting_after":"r0002"}`,
			"id of the last record"},
		{"backwards", lastID, nil, `{"ending_before":"r9"}`, `{"has_more":true}`, 3, More,
			`{"ending_before":"r0000"}`, "id of the first record"},
		{"last id ends", lastID, nil, ``, `{"has_more":false}`, 3, End, ``, ""},
		{"last id of nothing", lastID, nil, ``, `{}`, 0, End, ``, "empty"},
		{"last id of nothing though there is more", lastID, nil, ``, `{"has_more":true}`, 0, Unknown, ``,
			"meta.has_more says there is more, but the page is empty"},
		{"offset", offset, nil, `{"maxResults":3,"startAt":6}`, `{}`, 3, More, `{"maxResults":3,"startAt":9}`,
			"6 + 3 rows"},
		{"offset short", offset, nil, `{"maxResults":3}`, `{}`, 2, More, `{"maxResults":3,"startAt":2}`,
			"0 + 2 rows"},
		{"offset at the total", offset, nil, `{"maxResults":3,"startAt":6}`, `{"total":9}`, 3, End, ``, "all 9 of 9"},
		{"offset short of the total", offset, nil, `{"maxResults":100}`, `{"total":90}`, 25, More,
			`{"maxResults":100,"startAt":25}`, ""},
		{"offset empty before the total", offset, nil, `{"maxResults":3,"startAt":6}`, `{"total":9}`, 0, End, ``,
			"speaks of 9 records"},
		{"offset empty behind the total", offset, nil, `{"maxResults":3,"startAt":12}`, `{"total":9}`, 0, End, ``,
			"empty"},
		{"offset empty though there is more", catalog.Page{Style: "offset", Send: "startAt", Size: "maxResults",
			More: "!isLast"}, nil, `{"maxResults":3,"startAt":6}`, `{"isLast":false}`, 0, More,
			`{"maxResults":3,"startAt":9}`, "the size of a page"},
		{"page empty though there is more", catalog.Page{Style: "page", Send: "page", More: "!last_page"}, nil,
			`{"page":4}`, `{"last_page":false}`, 0, More, `{"page":5}`, "page 4 + 1"},
		{"default size", offset, nil, ``, `{}`, 49, More, `{"startAt":49}`, "0 + 49 rows"},
		{"offset text", offset, []catalog.Field{text("startAt")}, ``, `{}`, 50, More, `{"startAt":"50"}`, ""},
		{"capped size", catalog.Page{Style: "offset", Send: "offset", Size: "limit"}, []catalog.Field{capped},
			`{"limit":9}`, `{}`, 2, More, `{"limit":9,"offset":2}`, ""},
		{"page", paged, nil, `{"limit":2}`, `{}`, 2, More, `{"limit":2,"page":2}`, "page 1 + 1"},
		{"page short", paged, nil, `{"limit":2,"page":4}`, `{}`, 1, More, `{"limit":2,"page":5}`, "page 4 + 1"},
		{"page from zero", catalog.Page{Style: "page", Send: "page", More: "!last_page"}, nil, ``,
			`{"last_page":false}`, 9, More, `{"page":1}`, ""},
		{"page from zero ends", catalog.Page{Style: "page", Send: "page", More: "!last_page"}, nil, ``,
			`{"last_page":true}`, 9, End, ``, ""},
		{"undocumented value", token, nil, ``, `{"has_more":true}`, 10, Unknown, ``,
			"meta.has_more says there is more, but the answer does not carry next_page, which the param page wants"},
		{"undocumented value that is there", token, nil, ``, `{"has_more":true,"next_page":"p2"}`, 10, More,
			`{"page":"p2"}`, "meta.next_page"},
		{"undocumented value, no flag, short", token, nil, ``, `{}`, 4, End, ``, "short"},
		{"address that no param takes", crm, nil, ``, `{"done":false,"nextRecordsUrl":"/q/1-2"}`, 9, Unknown, ``,
			"no param"},
		{"negated flag", crm, nil, ``, `{"done":true,"nextRecordsUrl":null}`, 9, End, ``, "meta.done"},
		{"none", catalog.Page{Style: "none"}, nil, ``, `{}`, 9, None, ``, "no pages"},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := envelope(c.meta, upTo(0, c.rows)...)
			op := client.Operation{Action: "list", Params: json.RawMessage(c.params)}
			n := Following(action("list", c.page, c.fields...), op, env, records.IndexEnvelope(env))
			if n.State != c.state || string(n.Op.Params) != c.want || !strings.Contains(n.From+n.Why, c.why) {
				t.Errorf("state %d, params %s, from %q why %q; want %d %s %q", n.State, n.Op.Params, n.From, n.Why,
					c.state, c.want, c.why)
			}
			if n.Text() == "" {
				t.Error("nothing to show in the footer")
			}
		})
	}
}

func TestFollowingSearchEverywhere(t *testing.T) {
	env := envelope(`{"has_more":true,"cursor":"x"}`, 1)
	op := client.Operation{Action: catalog.ActionContextStoreSearch}
	n := Following(nil, op, env, records.IndexEnvelope(env))
	if n.State != More || string(n.Op.Params) != `{"cursor":"x"}` {
		t.Errorf("%+v", n)
	}
}

func TestFollowingLocalAnswers(t *testing.T) {
	a := action("list", catalog.Page{Style: "cursor", Next: "nextRecordsUrl", NextIs: "path", Meta: "nextRecordsUrl",
		More: "!done"})
	env := envelope(`{}`, 1, 2)
	env.Paging = &client.Paging{Next: json.RawMessage(`"/q/1-2"`), NextFrom: "nextRecordsUrl", More: ptr(true),
		MoreFrom: "done"}
	env.NextURL = "https://x.example/q/1-2"
	n := Following(a, client.Operation{Action: "list"}, env, records.IndexEnvelope(env))
	if n.State != More || n.Op.NextURL != env.NextURL || !strings.Contains(n.Text(), "calls") {
		t.Errorf("%+v", n)
	}
	env.Paging.More = ptr(false)
	if n = Following(a, client.Operation{}, env, records.IndexEnvelope(env)); n.State != End ||
		!strings.Contains(n.Why, "done") {
		t.Errorf("%+v", n)
	}
	link := action("list", catalog.Page{Style: "link", Send: "cursor", Next: "@link.next", NextIs: "url",
		Meta: "next", More: "@link.results"})
	env = envelope(`{}`, 1)
	env.Paging = &client.Paging{Next: json.RawMessage(`"https://x.example/i?cursor=0:100:0"`), NextFrom: "Link header"}
	if n = Following(link, client.Operation{NextURL: "https://old"}, env,
		records.IndexEnvelope(env)); string(n.Op.Params) != `{"cursor":"0:100:0"}` || n.Op.NextURL != "" {
		t.Errorf("%+v", n)
	}
}

// Records that are left out here still count for the server's page.
func TestCountsWhatTheServerSent(t *testing.T) {
	env := envelope(`{}`, 1, 2, 3)
	env.Kept = []client.Span{{From: 9, To: 20}}
	a := action("list", catalog.Page{Style: "offset", Send: "offset", Size: "limit"})
	one := rawjson.IndexSpan(env.Body, env.Records.From, env.Records.From, nil)
	n := Following(a, client.Operation{Params: json.RawMessage(`{"limit":3}`)}, env, one)
	if n.State != More || string(n.Value) != "3" {
		t.Errorf("%+v", n)
	}
}

func TestWithParam(t *testing.T) {
	for _, c := range [][4]string{
		{``, "a", `1`, `{"a":1}`},
		{`{"a":1,"b":2}`, "a", `"x"`, `{"a":"x","b":2}`},
		{`{"a":1}`, "a", ``, ``},
		{`{"a":1,"b":1.50}`, "a", ``, `{"b":1.50}`},
		{`{"q\"":[1 , 2]}`, "z", `null`, `{"q\"":[1 , 2],"z":null}`},
	} {
		var value json.RawMessage
		if c[2] != "" {
			value = json.RawMessage(c[2])
		}
		if got := string(WithParam(json.RawMessage(c[0]), c[1], value)); got != c[3] {
			t.Errorf("WithParam(%s, %s, %s) = %s, want %s", c[0], c[1], c[2], got, c[3])
		}
	}
}

func FuzzFollowing(f *testing.F) {
	f.Add(`{"next":"https://x?cursor=1"}`, `{"limit":"2"}`, "url", uint8(0))
	f.Add(`{"next":null,"more":true}`, ``, "", uint8(3))
	f.Fuzz(func(t *testing.T, meta, params, is string, style uint8) {
		styles := [...]string{"cursor", "token", "link", "offset", "page", "url", "last_id"}
		a := action("list", catalog.Page{Style: styles[int(style)%len(styles)], Send: "cursor", Meta: "next",
			More: "more", NextIs: is, Next: "last.id", Size: "limit", Total: "total"}, number("cursor"))
		env := bodyOf(meta, `[{"id":1},{}]`)
		n := Following(a, client.Operation{Params: json.RawMessage(params)}, env, records.IndexEnvelope(env))
		if n.State == More && !strings.Contains(string(n.Op.Params), "cursor") {
			t.Errorf("more, but params %q do not ask for it", n.Op.Params)
		}
	})
}

// server answers like a service with rows records, paged in one of the styles.
type server struct {
	page   catalog.Page
	rows   int
	spoil  func(op client.Operation, env *client.Envelope) *client.Envelope
	calls  int
	failAt int
}

func (s *server) action() *catalog.Action {
	a := action("list", s.page, number("limit"), catalog.Field{Name: "offset", Type: "integer"},
		catalog.Field{Name: "page", Type: "integer"}, text("cursor"))
	return a
}

func (s *server) ask(_ context.Context, op client.Operation) (*client.Envelope, error) {
	s.calls++
	if s.calls == s.failAt {
		return nil, &client.Error{Class: client.ClassNetwork, Message: "broken"}
	}
	params := rawjson.Parse(op.Params)
	size, ok := given(op.Params, "limit")
	if !ok {
		size = max(s.page.DefaultSize, 10)
	}
	from := 0
	if v, ok := params.Get(s.page.Send); ok {
		from, _ = whole(v)
		switch s.page.Style {
		case "last_id":
			fmt.Sscanf(v.Text(), "r%d", &from)
			from++
		case "page":
			from = (from - s.page.First) * size
		}
	}
	if op.NextURL != "" {
		fmt.Sscanf(op.NextURL, "https://x.example/%d", &from)
	}
	to := min(from+size, s.rows)
	env := envelope(s.meta(from, to, size), upTo(min(from, to), to)...)
	if s.page.Style == "url" && to < s.rows {
		env.NextURL = fmt.Sprintf("https://x.example/%d", to)
	}
	if s.spoil != nil {
		env = s.spoil(op, env)
	}
	return env, nil
}

func (s *server) meta(from, to, size int) string {
	m := map[string]any{}
	if s.page.More == "has_more" {
		m["has_more"] = to < s.rows
	}
	if s.page.More == "!done" {
		m["done"] = to >= s.rows
	}
	if s.page.Total != "" {
		m["total"] = s.rows
	}
	if s.page.Meta != "" {
		m[s.page.Meta] = nil
		next := fmt.Sprint(to)
		if s.page.Style == "link" {
			next = fmt.Sprint(to/size + 1)
		}
		if to < s.rows && s.page.NextIs == "url" {
			m[s.page.Meta] = "https://x.example/list?limit=1&" + s.page.Send + "=" + next
		} else if to < s.rows {
			m[s.page.Meta] = next
		}
		if s.page.Meta == "end_cursor" {
			m[s.page.Meta] = next
		}
	}
	b, _ := json.Marshal(m)
	return string(b)
}

var sound = map[string]catalog.Page{
	"cursor":             {Style: "cursor", Send: "cursor", Meta: "next_cursor", Size: "limit"},
	"cursor with flag":   {Style: "cursor", Send: "cursor", Meta: "next_cursor", More: "has_more", Size: "limit"},
	"cursor always":      {Style: "cursor", Send: "cursor", Meta: "end_cursor", More: "has_more", Size: "limit"},
	"cursor in address":  {Style: "cursor", Send: "cursor", Meta: "next", NextIs: "url", Size: "limit", DefaultSize: 7},
	"token":              {Style: "token", Send: "cursor", Next: "t", Meta: "next_token", Size: "limit"},
	"offset":             {Style: "offset", Send: "offset", Size: "limit", DefaultSize: 10},
	"offset with total":  {Style: "offset", Send: "offset", Size: "limit", Total: "total"},
	"offset in address":  {Style: "offset", Send: "offset", Meta: "next", Next: "@link.next", Size: "limit"},
	"page":               {Style: "page", Send: "page", First: 1, Size: "limit", DefaultSize: 10},
	"page from zero":     {Style: "page", Send: "page", More: "!done", Size: "limit"},
	"last id":            {Style: "last_id", Send: "starting_after", Next: "last.id", More: "has_more", Size: "limit"},
	"address that is it": {Style: "url", Next: "next", Meta: "next_url"},
	"unknown total":      {Style: "cursor", Send: "cursor", Meta: "next_cursor", Total: "total", Size: "limit"},
}

// A sound server gives every record once and no verdict, whatever the style,
// the page size and the number of records.
func TestSoundServers(t *testing.T) {
	entity := &catalog.Entity{Name: "things", Key: "id"}
	for name, page := range sound {
		for _, rows := range []int{0, 1, 9, 10, 11, 30, 57} {
			for _, params := range []string{``, `{"limit":10}`, `{"limit":7}`, `{"limit":100}`} {
				s := &server{page: page, rows: rows}
				l := NewRun(entity, s.action())
				f := &Fetcher{Ask: s.ask, Run: l, Start: client.Operation{Entity: "things", Action: "list",
					Params: json.RawMessage(params)}}
				out, err := f.Fetch(context.Background(), Limits{Pages: 100})
				if err != nil || !out.Complete() || out.Rows != rows {
					t.Fatalf("%s, %d rows, %s: %+v, %v", name, rows, params, out, err)
				}
				if v := l.Verdicts(); len(v) > 0 {
					t.Errorf("%s, %d rows, %s: false alarm: %+v", name, rows, params, v)
				}
				if sum := l.Totals(); sum.NewIDs != rows || sum.Repeated != 0 {
					t.Errorf("%s: %+v", name, sum)
				}
			}
		}
	}
}

// Records without a key, or with one that repeats, are no alarm either.
func TestSoundWithoutKeys(t *testing.T) {
	page := sound["cursor"]
	for _, key := range []string{"", "pad", "missing"} {
		s := &server{page: page, rows: 40}
		l := NewRun(&catalog.Entity{Key: key}, s.action())
		f := &Fetcher{Ask: s.ask, Run: l, Start: client.Operation{Action: "list",
			Params: json.RawMessage(`{"limit":10}`)}}
		if out, err := f.Fetch(context.Background(), Limits{}); err != nil || out.Rows != 40 {
			t.Fatal(out, err)
		}
		if v := l.Verdicts(); len(v) > 0 {
			t.Errorf("key %q: %+v", key, v)
		}
	}
}

// spoiled answers with the rows that spoil chooses for each page, and a cursor
// that is new every time.
func spoiled(last int, rows func(n int) string) Ask {
	n := 0
	return func(context.Context, client.Operation) (*client.Envelope, error) {
		n++
		meta := fmt.Sprintf(`{"next_cursor":"c%d"}`, n)
		if n >= last {
			meta = `{}`
		}
		return bodyOf(meta, rows(n)), nil
	}
}

func follow(t *testing.T, key string, ask Ask) (*Run, Outcome) {
	t.Helper()
	l := NewRun(&catalog.Entity{Key: key}, action("list", sound["cursor"]))
	out, err := (&Fetcher{Ask: ask, Run: l, Start: client.Operation{Action: "list"}}).Fetch(context.Background(),
		Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return l, out
}

// Records that look the same because only a few fields of them are there are
// neither a loop nor an overlap.
func TestAlikeRecordsAreNoLoop(t *testing.T) {
	for _, rows := range []string{`[{"v":1},{"v":1},{"v":1},{"v":1}]`,
		`[{"s":"open"},{"s":"open"},{"s":"done"},{"s":"open"},{"s":"open"}]`} {
		l, out := follow(t, "id", spoiled(5, func(int) string { return rows }))
		if v := l.Verdicts(); len(v) > 0 || out.Pages != 5 || !out.Complete() {
			t.Errorf("%s: %+v %+v", rows, out, v)
		}
	}
}

// The same records in another order under ever new cursors end the fetching.
func TestLoopInAnotherOrder(t *testing.T) {
	l, out := follow(t, "id", spoiled(1000, func(n int) string {
		return fmt.Sprintf(`[{"id":%d,"n":%d},{"id":%d},{"id":%d}]`, n%3, n, (n+1)%3, (n+2)%3)
	}))
	if out.Stop != StopVerdict || out.Pages > 4 || !strings.HasPrefix(out.Why, "loop: ") {
		t.Errorf("%+v", out)
	}
	if got := names(l.Verdicts()); !strings.Contains(got, "pages overlap") {
		t.Errorf("%s", got)
	}
}

func TestRecordsTwiceOnOnePage(t *testing.T) {
	l, _ := follow(t, "id", spoiled(2, func(n int) string {
		return fmt.Sprintf(`[{"id":"a%d"},{"id":"b%d"},{"id":"a%d"},{"id":"a%d"}]`, n, n, n, n)
	}))
	v := l.Verdicts()
	if names(v) != "records twice on one page" || !v[0].Note || !strings.Contains(v[0].Text, "2 records") ||
		l.Totals().NewIDs != 4 || l.Totals().Repeated != 4 {
		t.Errorf("%+v %+v", v, l.Totals())
	}
	// With other contents it is the id that tells nothing apart.
	l, _ = follow(t, "id", spoiled(2, func(n int) string {
		return fmt.Sprintf(`[{"id":"a","n":%d},{"id":"a","n":%d}]`, 2*n, 2*n+1)
	}))
	if v := l.Verdicts(); len(v) > 0 {
		t.Errorf("%+v", v)
	}
}

// A server that gives a cursor with its last rows too, and an empty page behind
// them, is as sound as one whose Link header leads on but says that it does not.
func TestSoundEnds(t *testing.T) {
	entity := &catalog.Entity{Key: "id"}
	behind := NewRun(entity, action("list", sound["cursor"]))
	behind.Add(client.Operation{Params: json.RawMessage(`{"limit":3}`)}, envelope(`{"next_cursor":"a"}`, 1, 2, 3))
	behind.Add(client.Operation{Params: json.RawMessage(`{"limit":3,"cursor":"a"}`)},
		envelope(`{"next_cursor":"b"}`, 4))
	behind.Add(client.Operation{Params: json.RawMessage(`{"limit":3,"cursor":"b"}`)}, envelope(`{}`))
	marks := NewRun(entity, action("list", catalog.Page{Style: "cursor", Send: "after", Next: "paging.cursors.after",
		Meta: "after", Size: "limit"}))
	marks.Add(client.Operation{Params: json.RawMessage(`{"limit":3}`)}, envelope(`{"after":"a"}`, 1))
	// So is a hosted answer with the cursor of a third party that tells of more by a link beside it.
	beside := action("list", catalog.Page{Style: "cursor", Send: "after", Next: "paging.next", Meta: "after",
		Size: "limit"})
	beside.Binding.Meta = []catalog.Pair{{Name: "after", Value: "paging.cursors.after"}}
	hosted := NewRun(entity, beside)
	hosted.Add(client.Operation{Params: json.RawMessage(`{"limit":3}`)}, envelope(`{"after":"a"}`, 1))
	link := NewRun(entity, action("list", catalog.Page{Style: "link", Send: "cursor", Next: "@link.next",
		NextIs: "url", Meta: "next", More: "@link.results"}))
	env := envelope(`{}`, 1)
	env.Paging = &client.Paging{Next: json.RawMessage(`"https://x.example/i?cursor=c"`),
		NextFrom: "the Link header's next", More: ptr(false), MoreFrom: "the Link header's results"}
	link.Add(client.Operation{}, env)
	for name, l := range map[string]*Run{"empty page at the end": behind, "cursor that marks the end": marks,
		"cursor beside a link": hosted, "link that leads nowhere": link} {
		if v := l.Verdicts(); len(v) > 0 {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// Pages without rows are followed, but not for ever.
func TestEmptyForEver(t *testing.T) {
	l, out := follow(t, "id", spoiled(1_000, func(n int) string {
		if n == 1 {
			return `[{"id":1}]`
		}
		return `[]`
	}))
	if out.Stop != StopVerdict || out.Pages != mostEmpty+1 ||
		!strings.Contains(out.Why, "page 101 and the 99 before it") {
		t.Errorf("%+v", out)
	}
	if got := Tell(l.Verdicts()); len(got) != 1 || got[0].Name != EmptyInMiddle {
		t.Errorf("%+v", got)
	}
}

// An address on another server is not called, and it is said why.
func TestAddressElsewhere(t *testing.T) {
	l := NewRun(nil, action("list", catalog.Page{Style: "cursor", Next: "nextRecordsUrl", NextIs: "path",
		Meta: "nextRecordsUrl", More: "!done"}))
	env := envelope(`{}`, 1, 2)
	env.Paging = &client.Paging{Next: json.RawMessage(`"https://other.example/q"`), NextFrom: "nextRecordsUrl",
		More: ptr(true), MoreFrom: "done", Elsewhere: "other.example"}
	p := l.Add(client.Operation{}, env)
	if v := l.Verdicts(); p.Next.State != Unknown || names(v) != "no paging possible here" || v[0].Note ||
		!strings.Contains(v[0].Text, "leads to other.example") {
		t.Errorf("%+v %+v", p.Next, v)
	}
}

func names(list []Verdict) string {
	var out []string
	for _, v := range list {
		if len(out) == 0 || out[len(out)-1] != string(v.Name) {
			out = append(out, string(v.Name))
		}
	}
	return strings.Join(out, ", ")
}

func TestVerdicts(t *testing.T) {
	flagged := catalog.Page{Style: "cursor", Send: "cursor", Meta: "next_cursor", More: "has_more", Size: "limit",
		DefaultSize: 25}
	bare := catalog.Page{Style: "cursor", Send: "cursor", Meta: "next_cursor", Size: "limit"}
	counted := catalog.Page{Style: "offset", Send: "offset", Size: "limit", Total: "total"}
	lastID := catalog.Page{Style: "last_id", Send: "starting_after", Next: "last.id", More: "has_more", Size: "limit"}
	type step struct {
		params, meta string
		ids          []int
	}
	down := func(n int) []int {
		out := upTo(n, n+10)
		for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
			out[i], out[j] = out[j], out[i]
		}
		return out
	}
	for _, c := range []struct {
		want  string
		page  catalog.Page
		steps []step
		text  string
	}{
		{"cursor did not move", bare, []step{{`{"cursor":"a"}`, `{"next_cursor":"a"}`, upTo(0, 3)}}, ""},
		{"loop", bare, []step{{`{"cursor":"a"}`, `{"next_cursor":"b"}`, upTo(0, 3)},
			{`{"cursor":"b"}`, `{"next_cursor":"a"}`, upTo(3, 6)}}, "already gave page 1"},
		{"loop", bare, []step{{``, `{"next_cursor":"b"}`, upTo(0, 3)},
			{`{"cursor":"b"}`, `{"next_cursor":"c"}`, upTo(0, 3)}}, "records of page 1 again"},
		{"pages overlap", bare, []step{{``, `{"next_cursor":"b"}`, upTo(0, 5)}, {`{"cursor":"b"}`, `{}`, upTo(3, 8)}},
			"overlap by 2 ids"},
		{"limit ignored", bare, []step{{`{"limit":10}`, `{}`, upTo(0, 25)}}, "(asked 10, got 25)"},
		{"limit ignored", flagged, []step{{`{"limit":100}`, `{"next_cursor":"b","has_more":true}`, upTo(0, 25)}},
			"(asked 100, got 25)"},
		{"short page but more", bare, []step{{`{"limit":5}`, `{"next_cursor":"b"}`, upTo(0, 5)},
			{`{"cursor":"b","limit":5}`, `{"next_cursor":"c"}`, upTo(5, 8)}}, "3 of 5"},
		{"has_more without a cursor", flagged, []step{{``, `{"has_more":true}`, upTo(0, 3)}}, ""},
		{"cursor without has_more", flagged, []step{{``, `{"has_more":false,"next_cursor":"x"}`, upTo(0, 3)}}, ""},
		{"cursor without has_more", flagged, []step{{``, `{"next_cursor":"x"}`, upTo(0, 3)}}, "missing"},
		{"empty page in the middle", bare, []step{{``, `{"next_cursor":"b"}`, upTo(0, 3)},
			{`{"cursor":"b"}`, `{"next_cursor":"c"}`, nil}}, ""},
		{"empty page in the middle", counted, []step{{`{"limit":5,"offset":5}`, `{"total":14}`, upTo(0, 5)},
			{`{"limit":5,"offset":10}`, `{"total":14}`, nil}}, "speaks of 14 records"},
		{"empty page in the middle", lastID, []step{{`{"limit":5}`, `{"has_more":true}`, upTo(0, 5)},
			{`{"limit":5,"starting_after":"r0004"}`, `{"has_more":true}`, nil}}, "meta.has_more says there is more"},
		{"order changed between pages", bare, []step{{``, `{"next_cursor":"b"}`, upTo(0, 10)},
			{`{"cursor":"b"}`, `{}`, down(10)}}, "sorted by"},
		{"no paging possible here", catalog.Page{Style: "token", Send: "page", Next: "next_page", More: "has_more",
			Size: "limit"},
			[]step{{`{"limit":3}`, `{"has_more":true}`, upTo(0, 3)}}, "does not carry"},
		{"no paging possible here", catalog.Page{Style: "none", Size: "limit"},
			[]step{{`{"limit":3}`, `{}`, upTo(0, 3)}}, ""},
	} {
		t.Run(c.want, func(t *testing.T) {
			l := NewRun(&catalog.Entity{Key: "id"}, action("list", c.page))
			for _, s := range c.steps {
				l.Add(client.Operation{Action: "list", Params: json.RawMessage(s.params)}, envelope(s.meta, s.ids...))
			}
			got := l.Verdicts()
			if names(got) != c.want || !strings.Contains(got[0].Text, c.text) {
				t.Errorf("got %+v, want %s (%s)", got, c.want, c.text)
			}
		})
	}
}

func TestLedgerTellsWhatWasSent(t *testing.T) {
	s := &server{page: sound["cursor"], rows: 25}
	l := NewRun(nil, s.action())
	f := &Fetcher{Ask: s.ask, Run: l, Start: client.Operation{Action: "list", Params: json.RawMessage(`{"limit":10}`)}}
	if _, err := f.Fetch(context.Background(), Limits{}); err != nil {
		t.Fatal(err)
	}
	p := l.Pages()
	if len(p) != 3 || len(p[0].Sent) != 0 || len(p[1].Sent) != 1 || p[1].Sent[0].Name != "cursor" ||
		string(p[1].Sent[0].Value) != `"10"` {
		t.Errorf("%+v", p[1].Sent)
	}
	if p[2].Rows != 5 || p[2].Bytes == 0 || p[2].Took() == 0 || p[2].Next.State != End || !p[2].Meta.Exists() {
		t.Errorf("%+v", p[2])
	}
}

func TestFetchLimitsAndResume(t *testing.T) {
	s := &server{page: sound["offset with total"], rows: 95, failAt: 4}
	l := NewRun(nil, s.action())
	var progress []Progress
	var taken []int
	clock := time.Unix(0, 0)
	f := &Fetcher{Ask: s.ask, Run: l, Start: client.Operation{Action: "list", Params: json.RawMessage(`{"limit":10}`)},
		OnPage:   func(p Entry, take int) error { taken = append(taken, take); return nil },
		Progress: func(p Progress) { progress = append(progress, p) },
		Now:      func() time.Time { clock = clock.Add(time.Second); return clock }}
	out, err := f.Fetch(context.Background(), Limits{Rows: 15})
	if err != nil || out.Rows != 15 || out.Pages != 2 || out.Stop != StopLimit || taken[1] != 5 || out.Complete() {
		t.Fatalf("%+v %v %v", out, err, taken)
	}
	if share, known := progress[1].Share(); !known || share != 1 || progress[1].Left < 0 {
		t.Errorf("%+v", progress[1])
	}
	// The fourth call fails; what came stays, and the next Fetch continues there.
	out, err = f.Fetch(context.Background(), Limits{})
	if client.AsError(err).Class != client.ClassNetwork || out.Stop != StopFailure || out.Pages != 1 ||
		l.Len() != 3 || out.Next.State != More {
		t.Fatalf("%+v %v, %d pages", out, err, l.Len())
	}
	out, err = f.Fetch(context.Background(), Limits{})
	if err != nil || !out.Complete() || l.Totals().Rows != 95 || l.Totals().NewIDs != 95 {
		t.Fatalf("%+v %v %+v", out, err, l.Totals())
	}
	if last := progress[len(progress)-1]; last.Total != 95 || last.Rows != 95 || last.Left != 0 {
		t.Errorf("%+v", last)
	}
}

func TestFetchEnds(t *testing.T) {
	s := &server{page: sound["cursor"], rows: 1000}
	fetcher := func() *Fetcher {
		return &Fetcher{Ask: s.ask, Run: NewRun(nil, s.action()), Start: client.Operation{Action: "list"},
			DropBodies: true}
	}
	until := UntilMatch(records.Filter{Text: "r0042"})
	f := fetcher()
	out, err := f.Fetch(context.Background(), Limits{Until: until})
	if err != nil || out.Stop != StopCondition || out.Pages != 5 || out.Met != 2 ||
		out.Why != "row 3 of page 5 is what you looked for" {
		t.Errorf("until: %+v %v", out, err)
	}
	if p := f.Run.Pages()[0]; p.Index != nil || p.Env.Body != nil || !p.Meta.Exists() {
		t.Error("the body was not dropped")
	}
	ctx, cancel := context.WithCancel(context.Background())
	f = fetcher()
	f.OnPage = func(Entry, int) error { cancel(); return nil }
	out, err = f.Fetch(ctx, Limits{})
	if client.AsError(err).Class != client.ClassCanceled || out.Pages != 1 || f.Run.Len() != 1 {
		t.Errorf("cancel: %+v %v", out, err)
	}
	full := errors.New("disk full")
	f = fetcher()
	f.OnPage = func(Entry, int) error { return full }
	if _, err = f.Fetch(context.Background(), Limits{}); !errors.Is(err, full) {
		t.Error(err)
	}
	s.spoil = func(op client.Operation, env *client.Envelope) *client.Envelope {
		return bodyOf(`{"next_cursor":"same"}`, string(env.Body.Slice(env.Records.From, env.Records.To)))
	}
	if out, err = fetcher().Fetch(context.Background(), Limits{}); err != nil || out.Stop != StopVerdict ||
		out.Pages != 2 {
		t.Errorf("stuck: %+v %v", out, err)
	}
	s = &server{page: catalog.Page{Style: "token", Send: "page", Next: "next_page", More: "has_more"}, rows: 30}
	if out, err = fetcher().Fetch(context.Background(), Limits{}); err != nil || out.Stop != StopUnknown ||
		out.Complete() {
		t.Errorf("unknown: %+v %v", out, err)
	}
}

func BenchmarkLedgerAdd(b *testing.B) {
	env := envelope(`{"next_cursor":"x"}`, upTo(0, 100)...)
	a := action("list", sound["cursor"])
	for b.Loop() {
		NewRun(nil, a).Add(client.Operation{Action: "list"}, env)
	}
}

func TestProgressWhileWaiting(t *testing.T) {
	p := Progress{Rows: 10, Total: 30, Elapsed: time.Second, RowsPerSecond: 10, Left: 2 * time.Second}
	if later := p.At(4 * time.Second); later.RowsPerSecond != 2.5 || later.Left != 8*time.Second {
		t.Errorf("%+v", later)
	}
	if same := p.At(time.Second / 2); same.RowsPerSecond != 10 || same.Left != p.Left {
		t.Errorf("%+v", same)
	}
	unknown := Progress{Rows: 10, Total: -1, Elapsed: time.Second, RowsPerSecond: 10, Left: -1}
	if later := unknown.At(2 * time.Second); later.Left != -1 || later.RowsPerSecond != 5 {
		t.Errorf("%+v", later)
	}
}

// A write that pages would be sent again and again.
func TestWritesHaveNoNextPage(t *testing.T) {
	a := action("archive", catalog.Page{Style: "cursor", Send: "after", Meta: "next"})
	next := Following(a, client.Operation{Action: "archive"}, envelope(`{"next":"c2"}`, 1, 2), nil)
	if next.State != None || !strings.Contains(next.Why, "sent once") {
		t.Errorf("%+v", next)
	}
	if next = Following(nil, client.Operation{Action: "archive"}, envelope(`{}`), nil); next.State != None {
		t.Errorf("%+v", next)
	}
}
