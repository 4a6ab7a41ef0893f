package sandbox

import (
	"net/url"
	"strings"
	"testing"

	"patchbay/catalog"
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
	"issue_tracker.issue_transitions": true, "marketplace_seller.order_items": true, "code_hosting.directory_content": true, "marketplace_seller.reports": true,
}

func pageThrough(t *testing.T, r *rig, k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
	name := k.Name + "." + e.Name
	params := r.arguments(k, e, a)
	for p, v := range given[name+".list"] {
		params.set(p, v)
	}
	seen, pages := map[string]bool{}, 0
	for {
		got, meta := r.good(k.Name, e.Name, "list", string(appendObject(nil, params)))
		list := listIn(got)
		for _, v := range list {
			text := string(appendJSON(nil, v))
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
	if len(seen) < promised && !narrow[name] && !strings.Contains(" user balance ", " "+e.Name+" ") {
		t.Errorf("%s lists %d records in %d pages with %s, want %d", name, len(seen), pages, appendObject(nil, params), promised)
	}
}

// turn sets the params of the next page from what the answer carries.
func turn(a *catalog.Action, params *object, list []any, meta *object, got any) bool {
	p := a.Page
	if p == nil || p.Style == "none" || p.Send == "" || fieldNamed(a.Params, p.Send) == nil {
		return false
	}
	switch {
	case p.Style == "last_id":
		if meta.value("has_more") != true {
			return false
		}
		params.set(p.Send, list[len(list)-1].(*object).value("id"))
	case p.Style == "offset", p.Style == "page":
		if len(list) == 0 {
			return false
		}
		if p.Style == "offset" {
			n, _ := asInt(params.value(p.Send))
			params.set(p.Send, n+int64(len(list)))
		} else {
			n, given := asInt(params.value(p.Send))
			if !given {
				n = int64(max(p.First, boolInt(meta == nil)))
			}
			params.set(p.Send, n+1)
		}
	default:
		next := meta.value(p.Meta)
		if o, isObject := got.(*object); isObject && next == nil {
			next, _ = at(o, p.Next)
		}
		more := next != nil
		if meta.has("has_next_page") {
			more = meta.value("has_next_page") == true
		}
		if !more {
			return false
		}
		if u, err := url.Parse(asText(next)); err == nil && u.Host != "" {
			next = u.Query().Get(p.Send)
		}
		if f := fieldNamed(a.Params, p.Send); f.Type == "integer" {
			next, _ = asInt(next)
		}
		params.set(p.Send, next)
	}
	return true
}

func TestPaymentsPages(t *testing.T) {
	r := newRig(t, Options{})
	first, meta := r.good("payments", "customers", "list", `{"limit":5}`)
	list := first.([]any)
	if len(list) != 5 || meta.value("has_more") != true {
		t.Fatalf("first page: %d records, meta %s", len(list), appendJSON(nil, meta))
	}
	if got := r.records("payments", "customers", "list", ""); len(got) != 10 {
		t.Errorf("without a limit %d records, want the documented 10", len(got))
	}
	id := func(v any) string { return v.(*object).text("id") }
	second := r.records("payments", "customers", "list", `{"limit":5,"starting_after":"`+id(list[4])+`"}`)
	back := r.records("payments", "customers", "list", `{"limit":5,"ending_before":"`+id(second[0])+`"}`)
	for i := range list {
		if id(back[i]) != id(list[i]) {
			t.Fatalf("ending_before gives %s at %d, want %s", id(back[i]), i, id(list[i]))
		}
	}
	for i := 1; i < len(list); i++ {
		a, _ := asInt(list[i-1].(*object).value("created"))
		b, _ := asInt(list[i].(*object).value("created"))
		if a < b {
			t.Error("customers are not listed newest first")
		}
	}
	if status, _ := r.execute("payments", "customers", "list", `{"limit":101}`); status != 422 {
		t.Errorf("limit 101: status %d, want 422", status)
	}
}

func TestCreatedBounds(t *testing.T) {
	r := newRig(t, Options{})
	all := r.records("payments", "customers", "list", `{"limit":20}`)
	pivot := asText(all[9].(*object).value("created"))
	count := func(op string) int {
		return len(r.records("payments", "customers", "list", `{"limit":100,"created":{"`+op+`":`+pivot+`}}`))
	}
	if gt, gte := count("gt"), count("gte"); gt != 9 || gte != 10 {
		t.Errorf("gt gives %d and gte %d, want 9 (exclusive) and 10 (inclusive)", gt, gte)
	}
}
