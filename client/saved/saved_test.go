package saved

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

const sample = `# Used by support.
name: Late invoices
note: |
  Invoices of one customer
  that are past due.
kind: payments
workspace: default
entity: invoices
action: list
params:
  customer: ${customer_id}
  limit: ${limit}
  status: open
  created: {gte: 1700000000, big: 12345678901234567890, f: 1.50}
  expand: [data.customer, "yes", null, true]
  label: "id ${customer_id} costs $${5}"
  day: 2024-01-02
select_fields: [id, total]
variables:
  customer_id: {description: Whose invoices, default: cus_1}
  limit: How many
`

func TestParse(t *testing.T) {
	c, err := Parse("x/late.yaml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"customer":"${customer_id}","limit":"${limit}","status":"open","created":{"gte":1700000000,"big":12345678901234567890,"f":1.50},` +
		`"expand":["data.customer","yes",null,true],"label":"id ${customer_id} costs $${5}","day":"2024-01-02"}`
	if string(c.Params) != want {
		t.Errorf("params %s\nwant   %s", c.Params, want)
	}
	if c.Name != "Late invoices" || !strings.Contains(c.Note, "past due") || len(c.Variables) != 2 || *c.Variables[0].Default != "cus_1" || c.Variables[1].Description != "How many" {
		t.Errorf("%+v", c)
	}
	if c, err := Parse("dir/by-file.yaml", []byte("entity: a\naction: list\n")); err != nil || c.Name != "by-file" || c.Params != nil {
		t.Error(c, err)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "empty"},
		{"name: [", "f.yaml:1: not valid YAML"},
		{"- a", ":1: expected keys and values, found a list"},
		{"name: x\nentity: a\n", ":1: action is missing"},
		{"entity: a\naction: b\nparam: {}\n", `:3: unknown key "param"; did you mean "params"?`},
		{"entity: a\nentity: b\naction: c\n", ":2: entity: the key stands twice"},
		{"entity: a\naction: b\nparams:\n  - 1\n", ":4: params: expected keys and values"},
		{"entity: a\naction: b\nparams:\n  x: .inf\n", ":4: params.x: \".inf\" is no number"},
		{"entity: a\naction: b\nparams:\n  x: !!binary aGk=\n", ":4: params.x: JSON cannot hold a value of type !!binary"},
		{"entity: a\naction: b\nparams:\n  x: &y 1\n  z: *y\n", ":5: params.z: aliases are not read here"},
		{"entity: a\naction: b\nparams: {x: \"${no good}\"}\n", `"no good"`},
		{"entity: a\naction: b\nvariables:\n  1x: text\n", ":4: variables.1x: a variable cannot be called"},
		{"entity: a\naction: b\nvariables:\n  x: {type: date}\n", ":4: variables.x.type: type is one of"},
		{"entity: a\naction: b\nvariables:\n  x: {kind: 1}\n", `:4: variables.x: unknown key "kind"; known are description, default, type`},
		{"entity: a\naction: b\nlocal: maybe\n", ":3: local: expected true or false"},
		{"entity: a\naction: [b]\nselect_fields: x\n", ":3: select_fields: expected a list"},
	} {
		_, err := Parse("f.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "f.yaml") {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestSaveLoadFindDelete(t *testing.T) {
	team, own := filepath.Join(t.TempDir(), Folder), filepath.Join(t.TempDir(), "own")
	c, err := Parse("late.yaml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	c.Path = ""
	path, err := Save(team, c, false)
	if err != nil || filepath.Base(path) != "late-invoices.yaml" {
		t.Fatal(path, err)
	}
	if _, err := Save(team, c, false); err == nil {
		t.Error("a file is replaced without asking")
	}
	back, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	same := *back
	same.Path, same.Content = "", nil
	if !reflect.DeepEqual(&same, c) {
		t.Errorf("%+v\n%+v", &same, c)
	}
	back.Note = "changed"
	if again, err := Save(team, back, false); err != nil || again != path {
		t.Error(again, err)
	}
	if _, err := Save(own, &Call{Name: "LATE invoices", Entity: "x", Action: "list"}, false); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(own, &Call{Name: "ü", Entity: "x", Action: "get"}, false); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "wrong.yaml"), []byte("nmae: x"), 0o600); err != nil {
		t.Fatal(err)
	}
	calls, err := Load(team, own, filepath.Join(own, "none"), "")
	if len(calls) != 2 || calls[0].Note != "changed" || err == nil || !strings.Contains(err.Error(), "wrong.yaml:1") {
		t.Errorf("%+v %v", calls, err)
	}
	if found, err := Find(calls, "late invoices"); err != nil || found.Path != path {
		t.Error(found, err)
	}
	if found, err := Find(calls, "late-invoices"); err != nil || found.Path != path {
		t.Error(found, err)
	}
	if _, err := Find(calls, "early"); err == nil || !strings.Contains(err.Error(), "Late invoices") {
		t.Error(err)
	}
	if err := Delete(&calls[0]); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(team)
	if err != nil || len(entries) != 0 {
		t.Error("something is left behind", entries, err)
	}
}

func TestCredentialsAreRefused(t *testing.T) {
	c := &Call{Name: "x", Entity: "a", Action: "create", Params: json.RawMessage(`{"auth":{"api_key":"abc123"}}`)}
	if _, err := Encode(c); err == nil || strings.Contains(err.Error(), "abc123") || !strings.Contains(err.Error(), "${api_key}") {
		t.Error(err)
	}
	c.Params = json.RawMessage(`{"auth":{"api_key":"${api_key}"}}`)
	if _, err := Encode(c); err != nil {
		t.Error(err)
	}
}

func TestSubstitute(t *testing.T) {
	a := &catalog.Action{Name: "list", Params: []catalog.Field{
		{Name: "limit", Type: "integer"}, {Name: "flag", Type: "boolean"}, {Name: "ratio", Type: "number"}, {Name: "name", Type: "string"},
		{Name: "either", Type: "integer|string"}, {Name: "ids", Type: "array", Items: &catalog.Field{Type: "integer"}},
		{Name: "filter", Type: "object", Members: []catalog.Field{{Name: "n", Type: "integer"}}}}}
	for _, c := range []struct{ params, value, want string }{
		{`{"limit":"${v}"}`, "10", `{"limit":10}`},
		{`{"flag":"${v}"}`, "true", `{"flag":true}`},
		{`{"ratio":"${v}"}`, "1.50", `{"ratio":1.50}`},
		{`{"name":"${v}"}`, "10", `{"name":"10"}`},
		{`{"either":"${v}"}`, "10", `{"either":"10"}`},
		{`{"unknown":"${v}"}`, "10", `{"unknown":"10"}`},
		{`{"ids":["${v}",2]}`, "1", `{"ids":[1,2]}`},
		{`{"ids":"${v}"}`, "[1,2]", `{"ids":[1,2]}`},
		{`{"filter":{"n":"${v}"}}`, "-3", `{"filter":{"n":-3}}`},
		{`{"name":"a ${v} b $${v}"}`, `"q"`, `{"name":"a \"q\" b ${v}"}`},
		{`{"name":"${v}${v}"}`, `x`, `{"name":"xx"}`},
		{`{"name":"${v"}`, ``, `{"name":"${v"}`},
		{`{"limit":"${v}"}`, "ten", `error: v must be integer, not "ten"`},
		{`{"limit":"${v}"}`, "1.5", `error: v must be integer`},
		{`{"name":"${w}"}`, "", `error: w has no value`},
	} {
		call := &Call{Name: "n", Entity: "e", Action: "list", Params: json.RawMessage(c.params), Variables: []Variable{{Name: "v"}}}
		op, err := call.Substitute(map[string]string{"v": c.value}, a)
		got := string(op.Params)
		if err != nil {
			got = "error: " + client.AsError(err).Message
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s with %q: %s, want %s", c.params, c.value, got, c.want)
		}
	}
}

func TestSubstituteDeclaredTypes(t *testing.T) {
	fallback := "7"
	c := &Call{Name: "n", Entity: "e", Action: "list", Params: json.RawMessage(`{"a":"${x}","b":"${y}","c":"${z}"}`),
		Variables: []Variable{{Name: "x", Type: "integer", Default: &fallback}, {Name: "y", Type: "json"}, {Name: "z", Type: "string"}}}
	op, err := c.Substitute(map[string]string{"y": `{"k":[1]}`, "z": "5"}, nil)
	if err != nil || string(op.Params) != `{"a":7,"b":{"k":[1]},"c":"5"}` {
		t.Errorf("%s %v", op.Params, err)
	}
	_, err = c.Substitute(map[string]string{"x": "a", "y": "{", "nope": ""}, nil)
	message := client.AsError(err).Message
	for _, want := range []string{"nope is not a variable", "x must be integer", "y must be json", "z has no value"} {
		if !strings.Contains(message, want) {
			t.Errorf("%q does not tell %q", message, want)
		}
	}
}

// What a form holds comes back from a file unchanged, whatever texts are in it.
func FuzzRoundTrip(f *testing.F) {
	f.Add(`{"a":"true","b":"1e3","c":1e5,"d":[{}, [], null, false, -0.0],"e":"x: y # z","f":"  ","~":"2024-01-01","é":"\u0000 \ttab\n"}`, "no")
	f.Add(`{"":"","on":"0x10","n":0.1e-7,"k":"- a\n- b\r\n","q":"'\"","colon:":"|"}`, "Name")
	f.Fuzz(func(t *testing.T, params, name string) {
		if !rawjson.Valid([]byte(params)) || !json.Valid([]byte(params)) || strings.ToValidUTF8(params, "") != params || strings.ToValidUTF8(name, "") != name || strings.Contains(params, `\`) && strings.Contains(params, "ud") {
			return
		}
		c := &Call{Name: name, Entity: "e", Action: "list", Params: json.RawMessage(strings.ReplaceAll(params, "${", "$${"))}
		data, err := Encode(c)
		if err != nil {
			return
		}
		back, err := Parse("f.yaml", data)
		if err != nil {
			if strings.Contains(err.Error(), "stands twice") || strings.Contains(err.Error(), "control characters") {
				return
			}
			t.Fatalf("%v\n%s", err, data)
		}
		if back.Name != name {
			t.Errorf("name %q became %q", name, back.Name)
		}
		op, err := back.Substitute(nil, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		want, _ := rawjson.Parse([]byte(params)).AppendCompact(nil, 0)
		if got := unescaped(t, op.Params); got != unescaped(t, want) {
			t.Errorf("%s became %s\n%s", want, got, data)
		}
	})
}

// unescaped brings texts into one spelling, leaving all else as it is.
func unescaped(t *testing.T, params []byte) string {
	if len(params) == 0 {
		return "{}"
	}
	dec := json.NewDecoder(strings.NewReader(string(params)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("entity: a\naction: b\nparams: {x: [1, {y: 0o17}]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("f.yaml", []byte(text))
		if err != nil {
			return
		}
		if len(c.Params) > 0 && !rawjson.Valid(c.Params) {
			t.Errorf("%q gives params %q", text, c.Params)
		}
	})
}

func TestSuits(t *testing.T) {
	has := client.Connector{ID: "7", Name: "money", Kind: "payments", Workspace: "demo"}
	for name, c := range map[string]struct {
		call Call
		want bool
	}{
		"kind":            {Call{Kind: "payments"}, true},
		"system's name":   {Call{Kind: "stripe"}, true},
		"other kind":      {Call{Kind: "crm"}, false},
		"name":            {Call{Connector: "money"}, true},
		"id":              {Call{Connector: "7", Workspace: "demo"}, true},
		"other name":      {Call{Kind: "payments", Connector: "more"}, false},
		"other workspace": {Call{Kind: "payments", Workspace: "work"}, false},
		"direct":          {Call{Kind: "payments", Local: true}, false},
	} {
		if got := c.call.Suits(catalog.New())(has); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	local := Call{Kind: "payments", Workspace: "demo", Local: true}
	if !local.Suits(catalog.New())(client.Connector{Kind: "payments", Local: true}) {
		t.Error("the workspace matters to a connector that is called directly")
	}
}

// The file of a call lies in its folder under a name that every system takes, whatever the call is named.
func FuzzFileName(f *testing.F) {
	for _, name := range []string{"All refunds", "../x", "con", "a\x00b", "LPT1.yaml", strings.Repeat("é", 99), ".", "-rf", "aux-"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := (&Call{Name: name}).FileName()
		stem := strings.TrimSuffix(got, ".yaml")
		if !filepath.IsLocal(got) || filepath.Base(got) != got || len(got) > 100 || stem == got || device(stem) ||
			strings.Trim(stem, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || stem[0] == '-' {
			t.Fatalf("%q is saved as %q", name, got)
		}
	})
}

// A link in a folder that somebody else made is not written through for the first call
// of its name.
func TestSaveWritesThroughNoLink(t *testing.T) {
	folder, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	call := &Call{Name: "Mine", Connector: "payments", Entity: "customers", Action: "list"}
	if err := os.Symlink(victim, filepath.Join(folder, call.FileName())); err != nil {
		t.Skip(err)
	}
	if path, err := Save(folder, call, false); err == nil {
		t.Errorf("saved as %s", path)
	}
	if _, err := os.Lstat(victim); err == nil {
		t.Error("the link was written through")
	}
}
