package sandbox

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"patchbay/catalog"
	"patchbay/client/preflight"
	"patchbay/client/rawjson"
	"patchbay/client/rawjson/jsongen"
	"patchbay/client/search"
)

// searched is an entity and all records of its replica.
type searched struct {
	kind   *catalog.Kind
	entity *catalog.Entity
	all    []json.RawMessage
}

// hits are the records that a search finds; ok is false where it is refused.
func (s *searched) hits(r *rig, params string) (found []json.RawMessage, ok bool) {
	r.t.Helper()
	status, raw := r.execute(s.kind.Name, s.entity.Name, catalog.ActionContextStoreSearch, params)
	var body struct{ Data []json.RawMessage }
	if err := json.Unmarshal(raw, &body); err != nil {
		r.t.Fatalf("%s: %d %.200s", params, status, raw)
	}
	return body.Data, status == 200
}

// The sandbox, the matching of single records, what explains a filter and what judges
// a call before it is sent say the same of any filter.
func TestSearchesAgree(t *testing.T) {
	r := newRig(t, Options{Records: 60, Catalog: catalog.New()})
	var places []searched
	for _, name := range [][2]string{{"payments", "customers"}, {"issue_tracker", "issues"}, {"crm", "accounts"},
		{"code_hosting", "issues"}, {"call_recording", "calls"}} {
		k, err := r.s.opts.Catalog.Kind(name[0])
		if err != nil {
			t.Fatal(err)
		}
		s := searched{kind: k, entity: k.Entity(name[1])}
		if s.all, _ = s.hits(r, `{"query":{}}`); len(s.all) == 0 {
			t.Fatalf("%v has no records", name)
		}
		places = append(places, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := &places[rapid.IntRange(0, len(places)-1).Draw(t, "place")]
		filter := drawFilter(t, s, 3)
		params := `{"query":{"filter":` + string(search.EncodeFilter(filter)) + `}}`
		found, ok := s.hits(r, params)
		if wrong := preflight.Errors(preflight.Check(preflight.Call{Kind: s.kind, Entity: s.entity.Name,
			Action: catalog.ActionContextStoreSearch, Params: json.RawMessage(params)})); ok != (len(wrong) == 0) {
			t.Fatalf("%s: the sandbox answers: %v; before it is sent: %v", params, ok, wrong)
		}
		if !ok {
			return
		}
		var want []json.RawMessage
		m := search.Compile(filter)
		for _, record := range s.all {
			matched := m.Match(record)
			if matched {
				want = append(want, record)
			}
			if state := search.Explain(record, filter)[0].State; matched && state == search.NotMet || !matched && state == search.Met {
				t.Fatalf("%s: %v is explained as %q on %s", params, matched, state, record)
			}
		}
		if fmt.Sprintf("%s", found) != fmt.Sprintf("%s", want) {
			t.Fatalf("%s: the sandbox finds %d, record by record %d are found\n%s\n%s", params, len(found), len(want), found, want)
		}
	})
}

// drawFilter draws a filter over what the records of a place hold.
func drawFilter(t *rapid.T, s *searched, depth int) *search.Node {
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "group") > 0 {
		return drawCondition(t, s)
	}
	op := rapid.SampledFrom([]search.Op{search.All, search.Any, search.Not}).Draw(t, "op")
	most := 3
	if op == search.Not {
		most = 1
	}
	g := search.Group(op)
	for range rapid.IntRange(1, most).Draw(t, "children") {
		g.Children = append(g.Children, drawFilter(t, s, depth-1))
	}
	return g
}

// drawCondition draws a condition that mostly suits a field, with a value that some
// record has, or a part of it.
func drawCondition(t *rapid.T, s *searched) *search.Node {
	f := rapid.SampledFrom(s.entity.Search).Draw(t, "field")
	operator := rapid.SampledFrom(search.Operators(f)).Draw(t, "operator")
	if rapid.IntRange(0, 19).Draw(t, "odd") == 0 {
		operator = rapid.SampledFrom([]string{"eq", "in", "like", "gt", "any", "near"}).Draw(t, "any operator")
	}
	record := rapid.SampledFrom(s.all).Draw(t, "record")
	value := json.RawMessage("null")
	if path, err := rawjson.ParsePath(f.Name); err == nil {
		if n, ok := rawjson.Parse(record).Lookup(path); ok {
			value = n.Raw()
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "odd value") == 0 {
		value = json.RawMessage(jsongen.Value(1).Draw(t, "value"))
	}
	switch text := rawjson.Parse(value).Text(); operator {
	case search.In:
		value = json.RawMessage("[" + string(value) + "," + string(value) + "]")
	case search.Like, search.Fuzzy, search.Keyword:
		words := strings.Fields(text)
		if len(words) > 0 {
			text = rapid.SampledFrom(words).Draw(t, "word")
		}
		value = rawjson.AppendQuoted(nil, rapid.SampledFrom([]string{"", "", "%"}).Draw(t, "wild")+text)
	}
	return search.Where(f.Name, operator, value)
}
