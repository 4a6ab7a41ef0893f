package sandbox

import (
	"encoding/json"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// Records have the documented fields with the documented types.
func TestRecordsMatchTheCatalog(t *testing.T) {
	cat := catalog.New()
	for _, known := range cat.Kinds() {
		k, err := cat.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		d := newDataset(k, 1, 40, newRig(t, Options{Catalog: cat}).s.opts.Now)
		for i := range k.Entities {
			e := &k.Entities[i]
			if d.base(e.Name) != e {
				continue
			}
			for _, r := range d.table(e.Name).Rows[:1] {
				if len(e.Record) > 0 && r.Obj.Len() < len(e.Record) {
					t.Errorf("%s.%s: %d fields, want %d", k.Name, e.Name, r.Obj.Len(), len(e.Record))
				}
			}
			matchAll(t, k.Name+"."+e.Name, d, e)
		}
	}
}

func matchAll(t *testing.T, name string, d *dataset, e *catalog.Entity) {
	bad := map[string]bool{}
	for _, r := range d.table(e.Name).Rows {
		for i := range e.Record {
			f := &e.Record[i]
			v, has := r.Obj.Get(f.Name)
			if why := mismatch(f, v); (!has || why != "") && !bad[f.Name] {
				bad[f.Name] = true
				t.Errorf("%s.%s: %s %.100s", name, f.Name, why, rawjson.Encode(v))
			}
		}
	}
}

func mismatch(f *catalog.Field, v any) string {
	if v == nil {
		if f.Nullable || strings.Contains(f.Type, "any") {
			return ""
		}
		return "null in a field that is never null"
	}
	if f.Const != nil && string(rawjson.Encode(v)) != string(f.Const) {
		return "not the constant"
	}
	if len(f.Enum) > 0 && !f.Open && f.Type != "array" {
		for _, e := range f.Enum {
			if data.Equal(constant(e), v) {
				return ""
			}
		}
		return "not of the enumeration"
	}
	ok := strings.Contains(f.Type, "any")
	switch v := v.(type) {
	case string:
		ok = ok || strings.Contains(f.Type, "string")
	case int64:
		ok = ok || strings.Contains(f.Type, "integer") || strings.Contains(f.Type, "number")
	case float64, json.Number:
		ok = ok || strings.Contains(f.Type, "number")
	case bool:
		ok = ok || strings.Contains(f.Type, "boolean")
	case []any:
		ok = ok || strings.Contains(f.Type, "array")
	case *rawjson.Map:
		ok = ok || strings.Contains(f.Type, "object")
		for i := range f.Members {
			if inner, has := v.Get(f.Members[i].Name); has && ok {
				if why := mismatch(&f.Members[i], inner); why != "" {
					return f.Members[i].Name + ": " + why
				}
			}
		}
	}
	if !ok {
		return "the type is not " + f.Type
	}
	return ""
}

// Hostile and foreign text reaches the first pages of what people look at.
func TestOddTextsAreServed(t *testing.T) {
	r := newRig(t, Options{})
	all := string(rawjson.Encode(r.records("payments", "customers", "list", `{"limit":100}`))) +
		string(rawjson.Encode(r.records("issue_tracker", "issues", "api_search",
			`{"jql":"project = PROJ","maxResults":500}`)))
	for _, part := range []string{`\u001b[31m`, "東京", "🚀", "مرحبا", "\u202e"} {
		if !strings.Contains(all, part) {
			t.Errorf("no record holds %q", part)
		}
	}
}
