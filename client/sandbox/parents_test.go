package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// What a record names of another entity exists there, as the relations of the catalog say.
func TestRelationsLeadToRecords(t *testing.T) {
	cat := catalog.New()
	followed := 0
	type place struct{ kind, entity, field string }
	there, held := map[place]map[string]bool{}, map[place][]any{}
	for _, known := range cat.Kinds() {
		k, err := cat.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		d := newDataset(k, 3, 12, newRig(t, Options{Catalog: cat}).s.opts.Now)
		for _, rel := range k.Relations {
			from, to := d.table(rel.From), d.table(rel.To)
			if from == nil || to == nil || d.base(rel.To) == d.base(rel.From) || len(d.base(rel.To).Record) == 0 ||
				rel.To == "file_content" || rel.Field == "owner.login" { // a user or an organization
				continue
			}
			at := place{k.Name, rel.From, rel.Field}
			if there[at] == nil {
				there[at] = map[string]bool{}
				for _, r := range from.Rows {
					held[at] = append(held[at], scalars(valueAt(r, rel.Field))...)
				}
			}
			key := rel.Key
			if key == "" {
				key = to.Key
			}
			for _, r := range to.Rows {
				for _, v := range scalars(valueAt(r, key)) {
					there[at][rawjson.TextOf(v)] = true
				}
			}
		}
	}
	for at, names := range held {
		for _, v := range names {
			followed++
			if !there[at][rawjson.TextOf(v)] {
				t.Errorf("%s: no record is called %s", at, rawjson.TextOf(v))
				break
			}
		}
	}
	if followed < 2000 {
		t.Errorf("only %d references were followed", followed)
	}
}

func valueAt(r *data.Record, path string) any { v, _ := data.At(r.Obj, path); return v }

// scalars are the texts and numbers in a value, without those of objects.
func scalars(v any) (out []any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			out = append(out, scalars(one)...)
		}
	case string:
		if v != "" {
			out = append(out, v)
		}
	case int64:
		out = append(out, v)
	}
	return out
}

// A list below a parent gives the records of that parent alone: those of two parents
// are apart, and no record names another one.
func TestListsGiveOnlyTheirParents(t *testing.T) {
	var lists atomic.Int64
	sweepKinds(t, Options{Records: 24}, func(s *sweep) {
		if s.a.Name != catalog.ActionList && s.a.Name != catalog.ActionAPISearch || s.k.Name == "crm" {
			return
		}
		params := s.r.actionArguments(s.k, s.e, s.a)
		d := s.r.data[s.k.Name]
		for i := range s.a.Params {
			f := &s.a.Params[i]
			ref := d.paramReference(d.base(s.e.Name), f)
			if !f.Required || f.Injected || ref.entity == nil || !scoping(f) || d.param(s.e, f.Name).Shared {
				continue
			}
			lists.Add(1)
			s.parents(d, f, ref, params)
		}
	})
	if n := lists.Load(); n < 60 {
		t.Errorf("only %d lists below a parent", n)
	}
}

func (s *sweep) parents(d *dataset, f *catalog.Field, ref reference, params *rawjson.Map) {
	of := map[string]string{} // parents by record
	parents := d.table(ref.entity.Name).Rows
	others := map[string]bool{}
	for _, p := range parents {
		others[rawjson.TextOf(valueAt(p, ref.field))] = true
	}
	with := 0
	for i, p := range parents {
		name := valueAt(p, ref.field)
		if i > 12 && rawjson.TextOf(name) != params.Text(f.Name) {
			continue
		}
		if !takes(f, name) {
			name = rawjson.TextOf(name)
		}
		in := params.Clone()
		in.Set(f.Name, name)
		for _, outer := range d.scopesOf(d.base(s.e.Name)) { // what the parent itself lies in
			if v := p.Hidden.Value(outer.param); v != nil && in.Has(outer.param) && outer.param != f.Name {
				in.Set(outer.param, v)
			}
		}
		status, raw := s.r.execute(s.k.Name, s.e.Name, s.a.Name, string(rawjson.Encode(in)))
		if status == 404 { // a parent elsewhere than the other params say
			continue
		}
		if status != 200 {
			s.wrong(f.Name, "%d %.200s", status, raw)
			return
		}
		rows := listIn(parse(s, raw).Value("result"))
		with += min(len(rows), 1)
		for _, row := range rows {
			text := string(rawjson.Encode(row))
			if first := of[text]; first != "" && first != rawjson.TextOf(name) {
				s.wrong(f.Name, "%s and %s both give %.200s", first, rawjson.TextOf(name), text)
			}
			of[text] = rawjson.TextOf(name)
			s.namesOnly(f, ref, row, p, others)
		}
	}
	if with == 0 && !narrow[s.k.Name+"."+s.e.Name] {
		s.wrong(f.Name, "no parent has records")
	}
}

// namesOnly checks that a record which names a parent names the one that was asked for.
func (s *sweep) namesOnly(f *catalog.Field, ref reference, row any, p *data.Record, others map[string]bool) {
	o, _ := row.(*rawjson.Map)
	stems := []string{stemOf(f.Name)}
	if entity := stemOf(data.Singular(ref.entity.Name)); strings.Contains(stems[0], entity) {
		stems = append(stems, entity)
	}
	for _, field := range catalog.FieldNames(s.e.Record) {
		if !slices.Contains(stems, stemOf(field)) {
			continue
		}
		v := o.Value(field)
		if of, isObject := v.(*rawjson.Map); isObject {
			v = of.Value(ref.field)
		}
		if text := rawjson.TextOf(v); v != nil && others[text] && text != rawjson.TextOf(valueAt(p, ref.field)) {
			s.wrong(f.Name, "%s gives a record whose %s is %s", rawjson.TextOf(valueAt(p, ref.field)), field, text)
		}
	}
}

func stemOf(name string) string { return strings.TrimSuffix(data.Normal(name), "id") }

// A name that nothing has finds nothing, and the records of others least of all.
func TestWrongParentsFindNothing(t *testing.T) {
	r := newRig(t, Options{Records: 24})
	repo := text(t, r.records("code_hosting", "viewer_repositories", "list", "")[0], "name")
	issue := text(t, r.records("error_tracking", "projects", "list", `{"organization_slug":"acme"}`)[0], "slug")
	for _, c := range [][4]string{
		{"code_hosting", "repositories", "get", `{"owner":"nobody","repo":"` + repo + `"}`},
		{"code_hosting", "issues", "list", `{"owner":"nobody","repo":"` + repo + `"}`},
		{"error_tracking", "issues", "list", `{"organization_slug":"acme","project_slug":"x-` + issue + `"}`},
		{"marketplace_seller", "order_items", "list", `{"orderId":"1-2-3"}`},
		{"email_campaign", "interests", "list", `{"list_id":"x","interest_category_id":"x"}`},
	} {
		status, raw := r.execute(c[0], c[1], c[2], c[3])
		if rows := listIn(parse(t, raw).Value("result")); status == 200 && len(rows) > 0 {
			t.Errorf("%v finds %s", c, fmt.Sprintf("%.200s", raw))
		}
	}
}
