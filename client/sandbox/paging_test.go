package sandbox

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// Every list that pages gives each record once, and as many as an entity is
// promised to have where a parent is asked for.
func TestListsPageThrough(t *testing.T) {
	r := newRig(t, Options{Records: promised})
	for _, known := range r.s.opts.Catalog.Kinds() {
		k, err := r.s.opts.Catalog.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			e := &k.Entities[i]
			if a := e.Action(catalog.ActionList); a != nil && k.Name != "crm" {
				pageThrough(t, r, k, e, a)
			}
		}
	}
}

// promised stands for the usual 250, which would make the test slow.
const promised = 60

// narrow are lists whose required params ask for a small part on purpose.
var narrow = map[string]bool{
	"issue_tracker.issue_transitions": true, "marketplace_seller.order_items": true,
	"call_recording.coaching": true, "code_hosting.directory_content": true, "marketplace_seller.reports": true,
}

func pageThrough(t *testing.T, r *rig, k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
	name := k.Name + "." + e.Name
	params := r.arguments(k, e, a)
	for p, v := range given[name+".list"] {
		params.Set(p, v)
	}
	seen, pages := map[string]bool{}, 0
	for {
		got, meta := r.good(k.Name, e.Name, "list", string(a.WithoutReplaced(rawjson.Encode(params))))
		list := listIn(got)
		for _, v := range list {
			text := string(rawjson.Encode(v))
			if seen[text] && a.Page != nil && a.Page.Style != "none" {
				t.Fatalf("%s gives a record twice on page %d", name, pages+1)
			}
			seen[text] = true
		}
		if pages++; pages > 400 {
			t.Fatalf("%s never ends", name)
		}
		if !turn(a, params, list, meta, got) {
			break
		}
	}
	if len(seen) < promised && !a.NextIsLost() && !narrow[name] && !strings.Contains(" user balance ", " "+e.Name+" ") {
		t.Errorf("%s lists %d records in %d pages with %s, want %d", name, len(seen), pages, rawjson.Encode(params),
			promised)
	}
}

// turn sets the params of the next page from what the answer carries.
func turn(a *catalog.Action, params *rawjson.Map, list []any, meta *rawjson.Map, got any) bool {
	p := a.Page
	if p == nil || p.Style == "none" || p.Send == "" || catalog.FieldByName(a.Params, p.Send) == nil {
		return false
	}
	switch {
	case p.Style == "last_id":
		if len(list) == 0 || p.More != "" && meta.Value(p.More) != true {
			return false
		}
		last := list[len(list)-1].(*rawjson.Map)
		params.Set(p.Send, last.Value("id"))
		for _, also := range p.Also {
			n, err := strconv.ParseInt(last.Text(also.Value), 10, 64)
			if err != nil {
				return false
			}
			params.Set(also.Name, n)
		}
	case p.Style == "offset", p.Style == "page":
		if len(list) == 0 {
			return false
		}
		if p.Style == "offset" {
			n, _ := data.Int(params.Value(p.Send))
			params.Set(p.Send, n+int64(len(list)))
		} else {
			n, given := data.Int(params.Value(p.Send))
			if !given {
				n = int64(max(p.First, data.BoolInt(meta == nil)))
			}
			params.Set(p.Send, n+1)
		}
	default:
		next := meta.Value(cmp.Or(p.Meta, p.Next))
		if o, isObject := got.(*rawjson.Map); isObject && next == nil {
			next, _ = data.At(o, p.Next)
		}
		more := next != nil
		if meta.Has("has_next_page") {
			more = meta.Value("has_next_page") == true
		}
		if !more {
			return false
		}
		if u, err := url.Parse(rawjson.TextOf(next)); err == nil && u.Host != "" {
			next = u.Query().Get(p.Send)
		}
		if f := catalog.FieldByName(a.Params, p.Send); f.Type == "integer" {
			next, _ = data.Int(next)
		}
		params.Set(p.Send, next)
	}
	return true
}

func TestPaymentsPages(t *testing.T) {
	r := newRig(t, Options{})
	first, meta := r.good("payments", "customers", "list", `{"limit":5}`)
	list := first.([]any)
	if len(list) != 5 || meta.Value("has_more") != true {
		t.Fatalf("first page: %d records, meta %s", len(list), rawjson.Encode(meta))
	}
	if got := r.records("payments", "customers", "list", ""); len(got) != 10 {
		t.Errorf("without a limit %d records, want the documented 10", len(got))
	}
	id := func(v any) string { return v.(*rawjson.Map).Text("id") }
	second := r.records("payments", "customers", "list", `{"limit":5,"starting_after":"`+id(list[4])+`"}`)
	before, meta := r.good("payments", "customers", "list", `{"limit":5,"ending_before":"`+id(second[0])+`"}`)
	back := before.([]any)
	if len(back) != len(list) || meta.Value("has_more") != false {
		t.Fatalf("the page before has %d records, meta %s", len(back), rawjson.Encode(meta))
	}
	for i := range list {
		if id(back[i]) != id(list[i]) {
			t.Fatalf("ending_before gives %s at %d, want %s", id(back[i]), i, id(list[i]))
		}
	}
	for i := 1; i < len(list); i++ {
		a, _ := data.Int(list[i-1].(*rawjson.Map).Value("created"))
		b, _ := data.Int(list[i].(*rawjson.Map).Value("created"))
		if a < b {
			t.Error("customers are not listed newest first")
		}
	}
	both := `{"starting_after":"` + id(list[0]) + `","ending_before":"` + id(second[0]) + `"}`
	if status, raw := r.execute("payments", "customers", "list", both); status != 200 {
		t.Errorf("what the checks only doubt is refused: %.100s", raw)
	}
	if status, _ := r.execute("payments", "customers", "list", `{"limit":101}`); status != 422 {
		t.Errorf("limit 101: status %d, want 422", status)
	}
}

func TestCreatedBounds(t *testing.T) {
	r := newRig(t, Options{})
	all := r.records("payments", "customers", "list", `{"limit":20}`)
	pivot := rawjson.TextOf(all[9].(*rawjson.Map).Value("created"))
	count := func(op string) int {
		return len(r.records("payments", "customers", "list", `{"limit":100,"created":{"`+op+`":`+pivot+`}}`))
	}
	if gt, gte := count("gt"), count("gte"); gt != 9 || gte != 10 {
		t.Errorf("gt gives %d and gte %d, want 9 (exclusive) and 10 (inclusive)", gt, gte)
	}
}

// A wrong cursor is told by the name of the param that holds it, in every action with one.
func TestWrongCursorsAreNamed(t *testing.T) {
	var tried atomic.Int64
	sweepKinds(t, Options{Records: 12}, func(s *sweep) {
		if s.a.Page == nil {
			return
		}
		for _, name := range []string{s.a.Page.Send, s.a.Page.Back} {
			f := catalog.FieldByName(s.a.Params, name)
			if f == nil || !strings.Contains(f.Type, "string") {
				continue
			}
			params := s.r.actionArguments(s.k, s.e, s.a)
			params.Set(f.Name, "nobody gave this")
			status, raw := s.r.execute(s.k.Name, s.e.Name, s.a.Name, string(rawjson.Encode(params)))
			if status != 400 && status != 422 || !strings.Contains(string(raw), `"field":"params.`+f.Name+`"`) {
				s.wrong(f.Name, "%d %.200s", status, raw)
			}
			tried.Add(1)
		}
	})
	if n := tried.Load(); n < 40 {
		t.Errorf("only %d cursors were tried", n)
	}
}
