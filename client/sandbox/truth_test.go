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

// sweep goes over what the service answers for every kind and tells each thing that
// is not as the catalog says once.
type sweep struct {
	*testing.T
	r    *rig
	k    *catalog.Kind
	e    *catalog.Entity
	a    *catalog.Action
	told map[string]bool
}

// sweepKinds calls do for every action of every kind, each kind with a service of its own
// and beside the others.
func sweepKinds(t *testing.T, opts Options, do func(s *sweep)) {
	cat := catalog.New()
	opts.Catalog = cat
	t.Run("kinds", func(t *testing.T) {
		for _, known := range cat.Kinds() {
			k, err := cat.Kind(known.Name)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(k.Name, func(t *testing.T) {
				t.Parallel()
				s := &sweep{T: t, r: newRig(t, opts), k: k, told: map[string]bool{}}
				for i := range k.Entities {
					s.e = &k.Entities[i]
					for j := range s.e.Actions {
						s.a = &s.e.Actions[j]
						do(s)
					}
				}
			})
		}
	})
}

// wrong tells a finding, once for each place in which it is found.
func (s *sweep) wrong(place, format string, args ...any) {
	name := s.e.Name + "." + s.a.Name + " " + place
	if !s.told[name] {
		s.told[name] = true
		s.Errorf("%s: %s", name, fmt.Sprintf(format, args...))
	}
}

// Every answer has the fields that the catalog documents, with their types, and no others.
func TestAnswersMatchTheCatalog(t *testing.T) {
	sweepKinds(t, Options{Records: 12}, func(s *sweep) {
		if s.a.Name == catalog.ActionContextStoreSearch || s.a.Name == catalog.ActionSemanticSearch ||
			s.a.Name == catalog.ActionDownload {
			return
		}
		status, raw := s.r.execute(s.k.Name, s.e.Name, s.a.Name, string(rawjson.Encode(s.r.actionArguments(s.k, s.e, s.a))))
		if status != 200 {
			s.wrong("status", "%d %.200s", status, raw)
			return
		}
		o := parse(s, raw)
		s.meta(o.Value("connector_metadata"))
		s.result(o.Value("result"))
	})
}

// meta checks what stands beside the records.
func (s *sweep) meta(v any) {
	m, isObject := v.(*rawjson.Map)
	if !isObject {
		if v != nil || len(s.a.Meta) > 0 {
			s.wrong("meta", "%.100s", rawjson.Encode(v))
		}
		return
	}
	s.object("meta", s.a.Meta, m, true)
}

// result checks the records of an answer.
func (s *sweep) result(v any) {
	fields := s.a.Record
	if len(fields) == 0 {
		fields = s.e.Record
	}
	if len(fields) == 0 || v == nil {
		return
	}
	list := []any{v}
	if b := s.a.Binding; b != nil && b.RecordsInBody != "" {
		found, _ := data.At(v, b.RecordsInBody)
		list, _ = found.([]any)
		if list == nil {
			s.wrong("body", "nothing at %s", b.RecordsInBody)
		}
	} else if l, isList := v.([]any); isList {
		list = l
	}
	for _, one := range list {
		o, isObject := one.(*rawjson.Map)
		if !isObject {
			s.wrong("record", "%.100s", rawjson.Encode(one))
			continue
		}
		s.object("record", fields, o, s.e.RecordPartial)
	}
}

// object checks the members of an object: declared, there, and of their types.
func (s *sweep) object(place string, fields []catalog.Field, o *rawjson.Map, partial bool) {
	for i, name := range o.Keys {
		f := catalog.FieldByName(fields, name)
		if f == nil {
			if !partial {
				s.wrong(place+"."+name, "nobody announces it: %.60s", rawjson.Encode(o.Vals[i]))
			}
			continue
		}
		if p := s.a.Page; place != "meta" || p == nil || p.Meta != name || o.Vals[i] != nil { // null ends the pages
			s.value(place+"."+name, f, o.Vals[i])
		}
	}
	for i := range fields {
		if f := &fields[i]; !o.Has(f.Name) && place == "record" && !s.optional(f) {
			s.wrong(place+"."+f.Name, "left out")
		}
	}
}

// optional reports fields that answers of the action may lack: those that it omits,
// all of what a write answers with, and those that a param selects.
func (s *sweep) optional(f *catalog.Field) bool {
	if slices.Contains(f.Omitted, s.a.Name) || s.a.Writes() {
		return true
	}
	d := newDataset(s.k, 1, 1, s.r.s.opts.Now)
	return slices.ContainsFunc(s.a.Params, func(p catalog.Field) bool {
		told := d.param(s.e, p.Name)
		return p.Name == "fields" && p.Default != nil || slices.Contains(told.Parts, f.Name) ||
			p.Default != nil && slices.Contains(told.Shows[rawjson.TextOf(constant(p.Default))].Drops, f.Name)
	})
}

// value checks one value against its declaration, as deep as that goes.
func (s *sweep) value(place string, f *catalog.Field, v any) {
	if why := mismatch(f, v); why != "" {
		s.wrong(place, "%s, %.80s", why, rawjson.Encode(v))
		return
	}
	switch v := v.(type) {
	case *rawjson.Map:
		if len(f.Members) > 0 && f.Values == nil {
			for i, name := range v.Keys {
				if m := catalog.FieldByName(f.Members, name); m != nil {
					s.value(place+"."+name, m, v.Vals[i])
				}
			}
		}
		for i := range v.Vals {
			if f.Values != nil {
				s.value(place+".*", f.Values, v.Vals[i])
			}
		}
	case []any:
		for _, one := range v {
			if f.Items != nil {
				s.value(place+"[]", f.Items, one)
			}
		}
	}
}

// Every searchable field is there in the replica, with its type, and finds its record.
func TestSearchFieldsMatchTheCatalog(t *testing.T) {
	var fields atomic.Int64
	sweepKinds(t, Options{Records: 40}, func(s *sweep) {
		if s.a.Name != catalog.ActionContextStoreSearch {
			return
		}
		rows := s.search(`{}`)
		for i := range s.e.Search {
			fields.Add(1)
			s.searchField(&s.e.Search[i], rows)
		}
	})
	if n := fields.Load(); n < 2000 {
		t.Errorf("%d fields can be searched", n)
	}
}

func (s *sweep) search(query string) []any {
	status, raw := s.r.execute(s.k.Name, s.e.Name, s.a.Name, `{"limit":100,"query":`+query+`}`)
	if status != 200 {
		s.wrong("status", "%d %.200s for %s", status, raw, query)
		return nil
	}
	return listIn(parse(s, raw).Value("data"))
}

func (s *sweep) searchField(f *catalog.Field, rows []any) {
	var values []any
	for _, row := range rows {
		v, has := data.At(row, f.Name)
		if !has || v == nil {
			continue
		}
		values = append(values, v)
		nested := *f
		nested.Nullable = true
		if why := mismatch(&nested, v); why != "" && !strings.Contains(f.Name, "[") {
			s.wrong(f.Name, "%s: %.80s", why, rawjson.Encode(v))
			return
		}
	}
	if len(values) == 0 {
		s.wrong(f.Name, "no record has a value")
		return
	}
	if strings.Contains(f.Name, "[") {
		return
	}
	want := values[len(values)/2]
	switch want.(type) {
	case []any, *rawjson.Map:
		return
	}
	text := string(rawjson.Encode(want))
	found := s.search(`{"filter":{"eq":{` + string(rawjson.AppendQuoted(nil, f.Name)) + `:` + text + `}}}`)
	if len(found) == 0 {
		s.wrong(f.Name, "eq %.60s finds nothing", text)
	}
	for _, row := range found {
		if got, _ := data.At(row, f.Name); string(rawjson.Encode(got)) != text {
			s.wrong(f.Name, "eq %.60s finds %.60s", text, rawjson.Encode(got))
		}
	}
	if _, isNumber := data.Number(want); isNumber && f.Type != "string" {
		if n := len(s.search(`{"filter":{"gte":{` + string(rawjson.AppendQuoted(nil, f.Name)) + `:` + text + `}}}`)); n == 0 {
			s.wrong(f.Name, "gte %.60s finds nothing", text)
		}
	}
}
