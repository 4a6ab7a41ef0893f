package sandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// rig is a service with a client that speaks to it in memory.
type rig struct {
	t    testing.TB
	s    *Service
	http *http.Client
	ids  map[string]string
	data map[string]*dataset // the same data again, to take params from
}

func newRig(t testing.TB, opts Options) *rig {
	t.Helper()
	if opts.Catalog == nil {
		opts.Catalog = catalog.New()
	}
	if opts.Now == nil {
		opts.Now = func() time.Time { return noon }
	}
	s := New(opts)
	return &rig{t: t, s: s, http: &http.Client{Transport: s.RoundTripper()}, ids: map[string]string{},
		data: map[string]*dataset{}}
}

// send makes a request with the fixed token.
func (r *rig) send(method, path, body string) (int, http.Header, []byte) {
	r.t.Helper()
	req, err := http.NewRequest(method, BaseURL+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+Token)
	req.Header.Set("Content-Type", "application/json")
	return r.do(req)
}

func (r *rig) do(req *http.Request) (int, http.Header, []byte) {
	r.t.Helper()
	res, err := r.http.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatalf("%s %s: %v", req.Method, req.URL, err)
	}
	return res.StatusCode, res.Header, raw
}

// connector finds a connector's id by workspace and name.
func (r *rig) connector(workspace, name string) string {
	r.t.Helper()
	if id := r.ids[workspace+"/"+name]; id != "" {
		return id
	}
	status, _, raw := r.send("GET", "/api/v1/integrations/connectors?workspace_name="+workspace, "")
	if status != 200 {
		r.t.Fatalf("list connectors: %d %s", status, raw)
	}
	for _, c := range parse(r.t, raw).Value("data").([]any) {
		o := c.(*rawjson.Map)
		r.ids[workspace+"/"+o.Text("name")] = o.Text("id")
	}
	id := r.ids[workspace+"/"+name]
	if id == "" {
		r.t.Fatalf("the workspace %s has no connector %s", workspace, name)
	}
	return id
}

// execute runs an operation on a connector of the workspace demo.
func (r *rig) execute(kind, entity, action, params string) (int, []byte) {
	r.t.Helper()
	return r.executeOn("demo", kind, entity, action, params)
}

func (r *rig) executeOn(workspace, name, entity, action, params string) (int, []byte) {
	r.t.Helper()
	if params == "" {
		params = "{}"
	}
	status, _, raw := r.send("POST", "/api/v1/integrations/connectors/"+r.connector(workspace, name)+"/execute",
		`{"entity":"`+entity+`","action":"`+action+`","params":`+params+`}`)
	return status, raw
}

// good runs an operation that must succeed and returns result and meta.
func (r *rig) good(kind, entity, action, params string) (result any, meta *rawjson.Map) {
	r.t.Helper()
	status, raw := r.execute(kind, entity, action, params)
	if status != 200 {
		r.t.Fatalf("%s %s.%s %s: %d %.300s", kind, entity, action, params, status, raw)
	}
	o := parse(r.t, raw)
	meta, _ = o.Value("connector_metadata").(*rawjson.Map)
	return o.Value("result"), meta
}

// records runs a list that must succeed.
func (r *rig) records(kind, entity, action, params string) []any {
	r.t.Helper()
	got, _ := r.good(kind, entity, action, params)
	return listIn(got)
}

// listIn finds the records in a result: the list itself or the first list in a body.
func listIn(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case *rawjson.Map:
		for _, e := range v.Vals {
			if list := listIn(e); list != nil {
				return list
			}
		}
	}
	return nil
}

func parse(t testing.TB, raw []byte) *rawjson.Map {
	t.Helper()
	if !json.Valid(raw) {
		t.Fatalf("not JSON: %.300s", raw)
	}
	v, err := data.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	o, isObject := v.(*rawjson.Map)
	if !isObject {
		t.Fatalf("not an object: %.100s", raw)
	}
	return o
}

// arguments invents params for an action: parents from their own lists, the
// record from the entity's, everything else by its type.
func (r *rig) arguments(k *catalog.Kind, e *catalog.Entity, a *catalog.Action) *rawjson.Map {
	d := r.data[k.Name]
	if d == nil {
		d = newDataset(k, data.Hash(uint64(r.s.opts.Seed), OrganizationID, "demo"), r.s.opts.Records, r.s.opts.Now)
		r.data[k.Name] = d
	}
	o := &rawjson.Map{}
	base := d.base(e.Name)
	if a.Name == catalog.ActionList {
		return commonArguments(d, base, a)
	}
	var row *data.Record
	if t := d.table(e.Name); t != nil && len(t.Rows) > 0 {
		row = t.Rows[0]
		if a.Name == catalog.ActionDelete {
			row = t.Rows[9]
		}
	}
	for i := range a.Params {
		f := &a.Params[i]
		if !f.Required || f.Injected && f.Default == nil && f.In == "header" {
			continue
		}
		o.Set(f.Name, argument(d, base, a, f, row))
	}
	return o
}

// commonArguments are the params of a list under which most records are found.
func commonArguments(d *dataset, e *catalog.Entity, a *catalog.Action) *rawjson.Map {
	best, most, seen := &rawjson.Map{}, 0, map[string]int{}
	rows := d.table(e.Name).Rows
	for _, row := range rows[:min(len(rows), 200)] {
		o := &rawjson.Map{}
		whole := true
		for i := range a.Params {
			if f := &a.Params[i]; f.Required && (!f.Injected || f.Default != nil || f.In != "header") {
				v := argument(d, e, a, f, row)
				whole = whole && v != nil && v != ""
				o.Set(f.Name, v)
			}
		}
		key := string(rawjson.Encode(o))
		if seen[key]++; whole && seen[key] > most {
			best, most = o, seen[key]
		}
	}
	return best
}

func argument(d *dataset, e *catalog.Entity, a *catalog.Action, f *catalog.Field, row *data.Record) any {
	if row != nil && a.Name != catalog.ActionCreate {
		if a.Name != catalog.ActionList && f.Name == d.keyParam(e, a) && row.Hidden.Has(f.Name) {
			return row.Obj.Value(e.Key)
		}
		if v, has := row.Hidden.Get(f.Name); has {
			if !fits(f.Type, v) {
				return rawjson.TextOf(v)
			}
			return v
		}
		if path, found := d.recordField(e, f.Name); found && f.Name != "q" && f.Name != "query" &&
			f.Name != "filter" && len(f.Enum) == 0 && f.In != "body" {
			if v, ok := row.Lookup(path); ok && v != nil {
				for _, name := range []string{"login", "id"} {
					if inner, isObject := data.At(v, name); isObject {
						v = inner
					}
				}
				if fits(f.Type, v) {
					return v
				}
				return rawjson.TextOf(v)
			}
		}
		if a.Name != catalog.ActionList && f.Name == d.keyParam(e, a) && f.Name != "q" && f.Name != "query" &&
			f.Name != "filter" {
			return row.Obj.Value(e.Key)
		}
	}
	if ref := d.paramReference(e, f); ref.entity != nil && f.In != "body" || ref.entity != nil &&
		a.Name == catalog.ActionCreate {
		v := d.table(ref.entity.Name).Rows[0].Obj.Value(ref.field)
		if fits(f.Type, v) {
			return v
		}
		return rawjson.TextOf(v)
	}
	return invent(f)
}

func fits(types string, v any) bool {
	switch v.(type) {
	case string:
		return strings.Contains(types, "string")
	case int64:
		return strings.Contains(types, "integer") || strings.Contains(types, "number")
	}
	return false
}

func invent(f *catalog.Field) any {
	switch {
	case f.Default != nil && f.Type != "object" && f.Format != "date-time" && f.Name != "from" && f.Name != "to" &&
		f.Name != "start" && f.Name != "end":
		return constant(f.Default)
	case f.Const != nil:
		return constant(f.Const)
	case len(f.Enum) > 0:
		return constant(f.Enum[0])
	case f.Name == "q":
		return "SELECT Id, Name FROM Account LIMIT 5"
	case f.Name == "to" || f.Name == "toDateTime":
		return "2030-01-01T00:00:00Z"
	case f.Name == "end":
		return "20300101"
	case f.Name == "toDate":
		return "2030-01-01"
	case f.Format == "date-time" || f.Name == "from" || f.Name == "fromDateTime":
		return "2020-01-01T00:00:00Z"
	case f.Format == "date" || f.Name == "start" || f.Name == "fromDate":
		return strings.ReplaceAll("2020-01-01", map[bool]string{true: "-", false: "_"}[f.Name == "start"], "")
	case f.Name == "filter" && f.Type == "object":
		o := &rawjson.Map{}
		for i := range f.Members {
			if m := &f.Members[i]; m.Required || strings.HasPrefix(m.Name, "from") || strings.HasPrefix(m.Name, "to") {
				o.Set(m.Name, invent(m))
			}
		}
		return o
	case f.Name == "filter" && f.Type == "string":
		return "equals(messages.channel,'email')"
	case f.Name == "query":
		return "a"
	}
	switch t, _, _ := strings.Cut(f.Type, "|"); t {
	case "integer", "number":
		return int64(1)
	case "boolean":
		return true
	case "array":
		if f.Items != nil && f.Items.Type == "object" {
			return []any{invent(f.Items)}
		}
		return []any{"x"}
	case "object":
		o := &rawjson.Map{}
		for i := range f.Members {
			if f.Members[i].Required || len(o.Keys) == 0 {
				o.Set(f.Members[i].Name, invent(&f.Members[i]))
			}
		}
		return o
	}
	return "x"
}
