package source

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/strictyaml"
)

const sample = `
kind: sample
title: Sample
system: Sample
connector_type: sample
entities:
  things:
    actions:
      list:
        params:
          id: {type: string, required: true}
          region: {type: string, required: true, injected: true}
          limit: {type: integer, min: 1, max: 100}
          ratio: number
          maybe: string|null
          either: integer|string
          state: {type: string, enum: [on-hold, done]}
          states: {type: string, separator: ",", enum: [a, b], max_items: 2}
          tags: {type: array, items: {type: string, enum: [x, z2]}, max_items: 2}
          created: {type: object, members: {gt: integer, lt: integer}}
          parent: {type: object, one_of: true, members: {page: string, board: string}}
          labels: {type: object, values: string}
          since: {type: string, format: date-time}
          at: {type: integer, format: unix}
          fixed: {type: string, const: doc}
          after: string
          before: string
        rules:
          - {rule: at_least_one, params: [after, before, maybe], text: Give after or before.}
          - {rule: no_prefix, params: [id], value: act_, text: Leave act_ out.}
          - {rule: max_entries, params: [states], max: 1, text: One state only., status: 400}
`

func parsed(t testing.TB, text string) *catalog.Kind {
	t.Helper()
	k, problems := Parse("sample.yaml", []byte(text))
	for _, p := range problems {
		t.Fatal(p.Error())
	}
	return k
}

const head = "kind: sample\ntitle: Sample\nsystem: Sample\nconnector_type: sample\n"

func TestProblemsNameLineAndReason(t *testing.T) {
	things := head + "entities:\n  things:\n"
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "sample.yaml: the file is empty"},
		{"comment only", "# nothing\n", "sample.yaml: the file is empty"},
		{"syntax", "kind: [", "sample.yaml:1: "},
		{"two documents", head + "---\nkind: b\n", "sample.yaml:5: the file holds more than one document: remove the second"},
		{"not a mapping", "- a\n", "sample.yaml:1: expected keys and values, found a list"},
		{"unknown key", head + "entitties: {}\n", `sample.yaml:5: unknown key "entitties"; did you mean "entities"?`},
		{"duplicate key", head + "title: Again\n", "sample.yaml:5: title: the key stands twice, first in line 2"},
		{"boolean key", things + "    record:\n      on: string\n", `sample.yaml:8: entities.things.record: YAML readers may take the key on for something else: write "on"`},
		{"number key", things + "    record:\n      1: string\n", `the key 1 for something else: write "1"`},
		{"merge key", things + "    <<: {doc: a}\n", "merge keys (<<) are not YAML 1.2"},
		{"unknown type", things + "    record:\n      id: strng\n", `sample.yaml:8: entities.things.record.id: unknown type "strng"; did you mean "string"?`},
		{"no type", things + "    record:\n      id: {doc: a}\n", "a field needs a type"},
		{"number as text", things + "    doc: 12\n", `expected text, found "12": write "12"`},
		{"word as truth", things + "    actions:\n      list: {destructive: maybe}\n", `expected true or false, found "maybe"`},
		{"word as number", things + "    record:\n      id: {type: array, max_items: few}\n", `expected a number, found "few"`},
		{"list as mapping", things + "    record: [a]\n", `unknown type "a"`},
		{"source", things + "    source: rumour\n", `unknown source "rumour"`},
		{"missing key", things + "    key: nun\n    record: {num: string}\n    actions: {list: {}}\n", `entities.things.key: the key "nun" is not in the record; did you mean "num"?`},
		{"unknown action", things + "    actions: {lists: {}}\n", `entities.things.actions.lists: unknown action: where the name is meant, say whether it reads: true or false; did you mean "list"?`},
		{"reading delete", things + "    actions: {delete: {reads: true}}\n", "entities.things.actions.delete.reads: an action that changes data does not only read"},
		{"reading loss", things + "    actions: {purge: {reads: true, destructive: true}}\n", "purge.reads: an action that changes data does not only read"},
		{"capital action", things + "    actions: {Archive: {reads: false}}\n", "an action is named in lower snake_case"},
		{"unknown rule", things + "    actions:\n      list:\n        rules: [{rule: all, text: a}]\n", `sample.yaml:9: entities.things.actions.list.rules[0]: unknown rule "all"`},
		{"rule on nothing", things + "    actions:\n      list:\n        rules: [{rule: no_prefix, params: [id], value: a, text: b}]\n", `the rule names "id", which is no param`},
		{"page send", things + "    actions:\n      list: {params: {cursor: string}, page: {send: cursr}}\n", `page.send: the action has no param "cursr"; did you mean "cursor"?`},
		{"placeholder", things + "    actions:\n      get: {http: {method: GET, path: '/things/{id}'}}\n", "fills {id}"},
		{"brace", things + "    actions:\n      get: {http: {method: GET, path: '/things/{id'}}\n", "opens a brace that it never closes"},
		{"records path", things + "    actions:\n      list: {http: {method: GET, path: /a, records: a..b}}\n", "has an empty step"},
		{"default type", things + "    actions:\n      list: {params: {limit: {type: integer, default: ten}}}\n", `"ten" is no integer`},
		{"enum default", things + "    actions:\n      list: {params: {s: {type: string, enum: [a, b], default: c}}}\n", "is not one of the enum"},
		{"min above max", things + "    actions:\n      list: {params: {limit: {type: integer, min: 5, max: 1}}}\n", "min is above max"},
		{"relation", head + "entities: {things: {actions: {list: {}}}}\nrelations: [{from: thing, field: a, to: things}]\n", `relations[0].from: no entity is called "thing"; did you mean "things"?`},
		{"ref", things + "    record: {x: {type: string, ref: other}}\n    actions: {list: {}}\n", `no entity is called "other"`},
		{"template", head + "local: {base_url: https://a.example, auth: {header: A, value: '${key}'}}\n", "uses ${key}, which is no credential field"},
		{"aliases without end", "kind: &a [*a]\n", "sample.yaml:1: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, problems := Parse("sample.yaml", []byte(test.text))
			var texts []string
			for _, p := range problems {
				texts = append(texts, p.Error())
			}
			if !strings.Contains(strings.Join(texts, "\n"), test.want) {
				t.Errorf("found\n%s\nwant %s", strings.Join(texts, "\n"), test.want)
			}
		})
	}
}

func TestAllProblemsOfAFileAreTold(t *testing.T) {
	_, problems := Parse("sample.yaml", []byte(head+"bogus: 1\nentities:\n  things:\n    key: idx\n    record: {num: strng}\n    actions: {lists: {}}\n"))
	var lines []int
	for _, p := range problems {
		lines = append(lines, p.Line)
	}
	if !slices.Equal(lines, []int{5, 8, 9, 10}) {
		t.Errorf("problems stand in lines %v: %v", lines, problems)
	}
}

func TestSourcesAreInherited(t *testing.T) {
	k := parsed(t, head+`
local: {base_url: "https://a.example"}
relations: [{from: things, field: id, to: things}]
entities:
  things:
    source: upstream
    record:
      id: {type: object, members: {a: string, b: {type: string, source: spec}}}
    actions:
      list: {source: spec, params: {limit: integer}, destructive: true, http: GET /things, note: A note.}
      get: {params: {id: string}, note: {text: Other., source: derived}}
`)
	e := &k.Entities[0]
	for name, test := range map[string]struct{ got, want catalog.Source }{
		"kind":        {k.Source, catalog.Documented},
		"local":       {k.Local.Source, catalog.Upstream},
		"relation":    {k.Relations[0].Source, catalog.Derived},
		"record":      {e.Record[0].Source, catalog.Upstream},
		"member":      {e.Record[0].Members[0].Source, catalog.Upstream},
		"own member":  {e.Record[0].Members[1].Source, catalog.Documented},
		"own action":  {e.Actions[0].Source, catalog.Documented},
		"its param":   {e.Actions[0].Params[0].Source, catalog.Documented},
		"its binding": {e.Actions[0].Binding.Source, catalog.Upstream},
		"its note":    {e.Actions[0].Notes[0].Source, catalog.Documented},
		"destructive": {e.Actions[0].DestructiveSource, catalog.Derived},
		"get":         {e.Actions[1].Source, catalog.Upstream},
		"get's note":  {e.Actions[1].Notes[0].Source, catalog.Derived},
	} {
		if test.got != test.want {
			t.Errorf("%s has the source %q, want %q", name, test.got, test.want)
		}
	}
}

func TestCommonSearchIsFilledIn(t *testing.T) {
	k := parsed(t, head+"entities: {things: {search: unknown, actions: {context_store_search: }}}\n")
	a := k.Entities[0].Action(catalog.ActionContextStoreSearch)
	if names := strings.Join(catalog.FieldNames(a.Params), " "); names != "query limit cursor fields" {
		t.Errorf("params are %s", names)
	}
	if names := strings.Join(catalog.FieldNames(a.Meta), " "); names != "has_more cursor took_ms" {
		t.Errorf("meta is %s", names)
	}
	if !a.HostedOnly || string(a.Param("limit").Default) != "1000" || !a.Param("query").Required || a.Param("query.sort") == nil {
		t.Errorf("the action is %+v", a)
	}
}

func TestFieldsThatAreOneHaveOneSentence(t *testing.T) {
	kind, problems := Parse("x.yaml", []byte(`kind: x
title: X
system: X
connector_type: x
entities:
  things:
    key: id
    doc: Things.
    record:
      id: {type: string, doc: "Identifies the thing."}
      size: integer
    search:
      id: string
      size: {type: integer, doc: "How large."}
    actions:
      get:
        record:
          id: string
          size: {type: integer, doc: "How large it is now."}
`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e := kind.Entities[0]
	got := []string{e.Search[0].Doc, e.Search[1].Doc, e.Actions[0].Record[0].Doc, e.Actions[0].Record[1].Doc, e.Record[1].Doc}
	want := []string{"Identifies the thing.", "How large.", "Identifies the thing.", "How large it is now.", ""}
	if !slices.Equal(got, want) {
		t.Errorf("sentences %q, want %q", got, want)
	}
}

func TestUserFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "catalog [mine]")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a_own.yaml": "kind: own\ntitle: Own\nsystem: Acme\nconnector_type: acme\nentities: {things: {doc: Frobnicated widgets., actions: {list: {params: {q: string}}}}}\n",
		"b_pay.yaml": "kind: payments\nentities:\n  customers:\n    record: {loyalty: {type: string, doc: Level of the bonus programme.}}\n    actions: {list: {params: {limit: {type: integer, max: 50}}}, get: {params: {id: {required: false}}}, delete: {destructive: false}}\n",
		"c_bad.yaml": "kind: payments\nentities:\n  customers:\n    key: nothing_like_it\n",
		"d_bad.yaml": "kind: worse\nentities: [\n",
		"e_pay.yaml": "kind: payments\nentities: {vouchers: {actions: {list: {}}}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := catalog.New()
	c.Search("x", 1)
	problems := Load(c, dir)
	if len(problems) != 2 || filepath.Base(problems[0].File) != "c_bad.yaml" || problems[0].Line != 4 ||
		filepath.Base(problems[1].File) != "d_bad.yaml" || problems[1].Line == 0 {
		t.Fatalf("problems are %v", problems)
	}
	own, err := c.Kind("acme")
	if err != nil || own.Source != catalog.User || own.Entities[0].Actions[0].Params[0].Source != catalog.User {
		t.Errorf("the own kind is %+v, %v", own, err)
	}
	pay, err := c.Kind("payments")
	if err != nil {
		t.Fatal(err)
	}
	customers := pay.Entity("customers")
	limit := customers.Action("list").Param("limit")
	if *limit.Max != 50 || *limit.Min != 1 || string(limit.Default) != "10" || limit.Source != catalog.User {
		t.Errorf("limit is %+v", limit)
	}
	if customers.Action("get").Param("id").Required || customers.Action("delete").Destructive {
		t.Error("a user file cannot take a mark away")
	}
	if f := catalog.FieldAt(customers.Record, "loyalty"); f == nil || f.Source != catalog.User {
		t.Errorf("loyalty is %+v", f)
	}
	if customers.Key != "id" || customers.Source != catalog.Documented || pay.Entity("vouchers") == nil {
		t.Errorf("customers became %q %q", customers.Key, customers.Source)
	}
	for _, query := range []string{"frobnicated", "loyalty", "vouchers"} {
		if len(c.Search(query, 1)) == 0 {
			t.Errorf("%q of a user file is not found", query)
		}
	}
	if untouched, _ := catalog.New().Kind("payments"); *untouched.Entity("customers").Action("list").Param("limit").Max != 100 {
		t.Error("a user file changed the embedded catalog")
	}
	if problems := Load(catalog.New(), filepath.Join(dir, "none")); problems != nil {
		t.Errorf("a missing folder gives %v", problems)
	}
}

func TestCompiledFormKeepsEverything(t *testing.T) {
	for _, file := range connectorFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		k, problems := Parse(file, data)
		if len(problems) > 0 {
			continue
		}
		back, err := catalog.Open(string(catalog.Compile([]*catalog.Kind{k}))).Kind(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := json.Marshal(k)
		got, _ := json.Marshal(back)
		if string(want) != string(got) {
			t.Errorf("%s is not the same after compiling", file)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("kind: &a {x: *a}\n"))
	f.Add([]byte(head + "entities: {things: {search: unknown, actions: {context_store_search: }}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, problems := Parse("fuzz.yaml", data)
		if k == nil && len(problems) == 0 {
			t.Fatal("neither a kind nor a problem")
		}
		if len(problems) > 0 {
			return
		}
		if _, err := catalog.Open(string(catalog.Compile([]*catalog.Kind{k}))).Kind(k.Name); err != nil {
			t.Fatal(err)
		}
	})
}

// TestSchemaKnowsEveryKey holds the JSON Schema and the loader together.
func TestSchemaKnowsEveryKey(t *testing.T) {
	data, err := os.ReadFile("../schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	defs := schema["$defs"].(map[string]any)
	objectOf := func(def string) map[string]any {
		s := defs[def].(map[string]any)
		if one, ok := s["oneOf"].([]any); ok {
			s = one[len(one)-1].(map[string]any)
		}
		return s["properties"].(map[string]any)
	}
	for _, test := range []struct {
		def   string
		props map[string]any
		t     reflect.Type
		extra []string
	}{
		{"kind", schema["properties"].(map[string]any), reflect.TypeFor[catalog.Kind](), []string{"note"}},
		{"method", objectOf("method"), reflect.TypeFor[catalog.Method](), nil},
		{"field", objectOf("field"), reflect.TypeFor[catalog.Field](), nil},
		{"entity", objectOf("entity"), reflect.TypeFor[catalog.Entity](), []string{"note"}},
		{"action", objectOf("action"), reflect.TypeFor[catalog.Action](), []string{"note"}},
		{"rule", objectOf("rule"), reflect.TypeFor[catalog.Rule](), nil},
		{"page", objectOf("page"), reflect.TypeFor[catalog.Page](), nil},
		{"http", objectOf("http"), reflect.TypeFor[catalog.Binding](), nil},
		{"graphql", objectOf("graphql"), reflect.TypeFor[catalog.GraphQL](), nil},
		{"local", objectOf("local"), reflect.TypeFor[catalog.Local](), nil},
		{"auth", objectOf("auth"), reflect.TypeFor[catalog.Auth](), []string{"header", "value"}},
		{"relation", objectOf("relation"), reflect.TypeFor[catalog.Relation](), nil},
		{"note", objectOf("note"), reflect.TypeFor[catalog.Note](), nil},
		{"sandbox", objectOf("sandbox"), reflect.TypeFor[catalog.Sandbox](), nil},
		{"sandbox_scope", objectOf("sandbox_scope"), reflect.TypeFor[catalog.Scope](), nil},
		{"sandbox_paging", objectOf("sandbox_paging"), reflect.TypeFor[catalog.SandboxPaging](), nil},
		{"sandbox_query", objectOf("sandbox_query"), reflect.TypeFor[catalog.SandboxQuery](), nil},
		{"sandbox_entity", objectOf("sandbox_entity"), reflect.TypeFor[catalog.SandboxEntity](), nil},
		{"sandbox_param", objectOf("sandbox_param"), reflect.TypeFor[catalog.SandboxParam](), nil},
		{"sandbox_show", objectOf("sandbox_show"), reflect.TypeFor[catalog.SandboxShow](), nil},
		{"sandbox_write", objectOf("sandbox_write"), reflect.TypeFor[catalog.SandboxWrite](), nil},
	} {
		keys := test.extra
		for _, key := range strictyaml.Keys(test.t) {
			if key != "" {
				keys = append(keys, key)
			}
		}
		for _, key := range keys {
			prop, ok := test.props[key].(map[string]any)
			if !ok || prop["description"] == nil {
				t.Errorf("schema.json does not describe the key %s of %s", key, test.def)
			}
		}
		for key := range test.props {
			if !slices.Contains(keys, key) {
				t.Errorf("schema.json describes %s of %s, which the loader does not know", key, test.def)
			}
		}
	}
}
