package sandbox

import (
	"bytes"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// Every documented filter, sort and field param of a list or search changes
// the answer.
func TestEveryParamActs(t *testing.T) {
	r := newRig(t, Options{Records: 40})
	tried := 0
	for _, known := range r.s.opts.Catalog.Kinds() {
		k, err := r.s.opts.Catalog.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			e := &k.Entities[i]
			for j := range e.Actions {
				if a := &e.Actions[j]; (a.Name == catalog.ActionList || a.Name == catalog.ActionAPISearch) &&
					k.Name != "crm" {
					tried += toggleAll(t, r, k, e, a)
				}
			}
		}
	}
	if tried < 200 {
		t.Errorf("only %d params were toggled", tried)
	}
}

// silent are params that by their documented meaning do not change an answer
// that succeeds: they tell how fields are named, whether a failure is partial,
// what a service fills in itself, how numbers are grouped, or fetch a place that was
// not given.
var silent = map[string]bool{
	"fieldsByKeys": true, "failFast": true, "skipRemoteOnlyCondition": true, "includeUnavailableTransitions": true,
	"sortByOpsBarAndStatus": true,
	"action":                true, "contentSelector": true, "unmask_removed_content": true, "sort_dir": true,
	"ref": true, "identifiersType": true, "g": true, "level": true, "search_type": true, "time_increment": true,
	"property": true, "q": true, "jql": true, "path": true,
	"include_closed": true, "interest_match": true, "organization_slug": true, "from": true, "to": true,
}

func toggleAll(t *testing.T, r *rig, k *catalog.Kind, e *catalog.Entity, a *catalog.Action) (tried int) {
	params := r.arguments(k, e, a)
	for p, v := range given[k.Name+"."+e.Name+"."+a.Name] {
		params.Set(p, v)
	}
	if k.Name == "payments" && a.Name == catalog.ActionAPISearch {
		params.Set("query", "created>1")
	}
	status, before := r.execute(k.Name, e.Name, a.Name, string(rawjson.Encode(params)))
	if status != 200 {
		t.Errorf("%s %s.%s: %d %.200s", k.Name, e.Name, a.Name, status, before)
		return 0
	}
	for i := range a.Params {
		f := &a.Params[i]
		if silent[f.Name] || f.Injected || constantHeader(f) || strings.HasPrefix(f.Name, "marketplace") ||
			paging(a, f.Name) && f.Name != a.Page.Size {
			continue
		}
		tried++
		if !acts(r, k, e, a, f, params, before) {
			t.Errorf("%s %s.%s: the param %s never changes the answer", k.Name, e.Name, a.Name, f.Name)
		}
	}
	return tried
}

// acts tries several values of a param until one changes the answer.
func acts(r *rig, k *catalog.Kind, e *catalog.Entity, a *catalog.Action, f *catalog.Field, params *rawjson.Map,
	before []byte) bool {
	for _, v := range candidates(r, k, e, f) {
		p := params.Clone()
		p.Set(f.Name, v)
		_, after := r.execute(k.Name, e.Name, a.Name, string(rawjson.Encode(p)))
		if !bytes.Equal(before, after) {
			return true
		}
	}
	return false
}

func candidates(r *rig, k *catalog.Kind, e *catalog.Entity, f *catalog.Field) []any {
	var out []any
	enum := f.Enum
	if len(enum) == 0 && f.Items != nil {
		enum = f.Items.Enum
	}
	for _, v := range enum {
		if f.Type == "array" {
			out = append(out, []any{constant(v)})
		} else {
			out = append(out, constant(v))
		}
	}
	if len(out) > 0 {
		return out
	}
	switch t, _, _ := strings.Cut(f.Type, "|"); t {
	case "integer":
		return []any{int64(2), int64(7), int64(1767225600), int64(1767225600000), int64(1773000000000),
			int64(1773000000)}
	case "boolean":
		return []any{true, false}
	case "array":
		return []any{[]any{"name"}, []any{"x"}, []any{int64(3)}, []any{"OPEN"}}
	case "object":
		return objects(r, k, e, f)
	}
	return []any{"name", "2026-01-01T00:00:00Z", "2026-01-01", "zzz", "transcript", "id,name", "changelog", "resolved",
		`{"since":"2026-01-01","until":"2026-02-01"}`}
}

// objects gives the object one member at a time.
func objects(r *rig, k *catalog.Kind, e *catalog.Entity, f *catalog.Field) []any {
	out := []any{rawjson.NewMap("since", "2026-01-01", "until", "2026-02-01")}
	for i := range f.Members {
		for _, v := range candidates(r, k, e, &f.Members[i]) {
			out = append(out, rawjson.NewMap(f.Members[i].Name, v))
		}
	}
	return out
}
