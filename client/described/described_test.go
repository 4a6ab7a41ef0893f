package described

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
)

// words writes a kind in a line: entity(key){action(param:type!=...)...}[record]<search>.
func words(k *catalog.Kind) string {
	var out []string
	for i := range k.Entities {
		e := &k.Entities[i]
		text := e.Name
		if e.Key != "" {
			text += "(" + e.Key + ")"
		}
		for j := range e.Actions {
			a := &e.Actions[j]
			switch {
			case a.ParamsUnknown:
				text += " " + a.Name + "?"
			case a.Name == catalog.ActionContextStoreSearch:
				text += " search"
			default:
				text += " " + a.Name + "(" + fieldWords(a.Params) + ")"
			}
		}
		if len(e.Record) > 0 {
			text += " [" + fieldWords(e.Record) + "]"
		}
		if len(e.Search) > 0 {
			text += " <" + fieldWords(e.Search) + ">"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func fieldWords(fields []catalog.Field) string {
	var out []string
	for i := range fields {
		f := &fields[i]
		text := f.Name + ":" + f.Type
		if f.Format != "" {
			text += "/" + f.Format
		}
		if f.Items != nil {
			text += " of " + strings.TrimPrefix(fieldWords([]catalog.Field{*f.Items}), ":")
		}
		if len(f.Members) > 0 {
			text += "{" + fieldWords(f.Members) + "}"
		}
		if len(f.Enum) > 0 {
			text += fmt.Sprintf("=%s", f.Enum)
		}
		if f.Nullable {
			text += "|null"
		}
		if f.Required {
			text += "!"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// Every shape in which services are known to describe a connector.
func TestShapes(t *testing.T) {
	for name, c := range map[string]struct{ told, want string }{
		"names only":       {`{"entities":[{"name":"boats"},{"name":"crews"}]}`, "boats; crews"},
		"bare names":       {`{"entities":["boats","crews"]}`, "boats; crews"},
		"a map of actions": {`{"entities":{"boats":["list","get"]}}`, "boats list? get?"},
		"in the envelope":  {`{"result":{"entities":[{"name":"boats","actions":["list"]}]}}`, "boats list?"},
		"in data":          {`{"data":{"schema":{"entities":[{"entity":"boats"}]}}}`, "boats"},
		"lists of params": {`[{"entity_name":"boats","available_actions":["list","get"],"parameters":{"list":[
			{"name":"limit","in":"query","required":false,"type":"integer"},
			{"name":"state","type":"string","enum":["afloat","docked"]},
			{"name":"tags","type":"array","items":{"type":"string"}}],
			"get":[{"name":"id","in":"path","required":true,"type":"string"}]}}]`,
			`boats list(limit:integer state:string=["afloat" "docked"] tags:array of string) get(id:string!)`},
		"JSON Schema": {`{"entities":[{"name":"boats","actions":[{"name":"create","parameters":{"type":"object",
			"required":["name"],"properties":{"name":{"type":"string"},"length":{"type":["number","null"]},
			"berth":{"type":"object","properties":{"pier":{"type":"string"}},"required":["pier"]}}}}]}]}`,
			`boats create(name:string! length:number|null berth:object{pier:string!})`},
		"a map of schemas": {`{"entities":{"boats":{"actions":{"list":{"params":{"limit":"integer","after":"string?"}},
			"get":{}}}}}`, `boats list(limit:integer after:string|null) get?`},
		"no params":  {`{"entities":[{"name":"boats","actions":[{"name":"list","parameters":[]}]}]}`, `boats list()`},
		"tools":      {`{"tools":[{"entity":"boats","action":"list","input_schema":{"type":"object","properties":{}}}]}`, `boats list()`},
		"flags":      {`{"entities":[{"name":"boats","actions":{"list":true,"get":false}}]}`, `boats list?`},
		"operations": {`{"operations":[{"entity":"boats","action":"list"},{"entity":"boats","action":"dock"}]}`, "boats list? dock?"},
		"record and search": {`{"entities":[{"name":"boats","primary_key":[["id"]],"actions":["list"],
			"schema":{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"built":{"type":"string",
			"format":"date-time"}}},"searchable_fields":[{"name":"built","type":"string"},"name"]}]}`,
			`boats(id) list? search [id:string built:string/date-time] <built:string name:any>`},
		"fields that say they can be searched": {`{"entities":[{"name":"boats","fields":[{"name":"id","type":"int"},
			{"name":"name","type":"str","searchable":true}]}]}`, `boats search [id:integer name:string] <name:string>`},
		"references": {`{"$defs":{"berth":{"type":"object","properties":{"pier":{"type":"string"},
			"next":{"$ref":"#/$defs/berth"}}}},"entities":[{"name":"boats","actions":[{"name":"move","parameters":{
			"$ref":"#/$defs/berth"}}]}]}`, "boats move(pier:string next:object" + nested(8) + ")"},
		"unions": {`{"entities":[{"name":"boats","actions":[{"name":"list","parameters":{"type":"object","properties":{
			"when":{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"null"}]},
			"all":{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"integer"}}}]}}}}]}]}`,
			`boats list(when:integer|string|null all:object{a:string b:integer})`},
		"words for types": {`{"entities":{"boats":{"actions":{"list":{"params":{"a":"list[int]","b":"datetime","c":"Optional[str]",
			"d":"string[]","e":"wobble","f":"integer or string","g":"bool"}}}}}}`,
			`boats list(a:array of integer b:string/date-time c:string|null d:array of string e:any f:integer|string g:boolean)`},
		"nothing": {`{"ok":true}`, ""}, "a text": {`"boats"`, ""}, "no JSON": {`<html>`, ""}, "null": {`null`, ""},
	} {
		k, _ := Kind(Told{Type: "marina", Describe: json.RawMessage(c.told)})
		if got := words(k); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// nested is what a schema that contains itself is read as.
func nested(depth int) string {
	if depth == 1 {
		return "{pier:any next:any}"
	}
	return "{pier:string next:object" + nested(depth-1) + "}"
}

const docs = `{"metadata":{"id":"connector-source:1","version":"3","summary":"Boats and their berths."},
	"outline":[{"id":"setup","title":"Setup"},{"id":"actions.boats.list","title":"boats list"},
	{"id":"actions.boats.dock","title":"boats dock"},{"id":"entity:crews","title":"crews"},
	{"id":"actions.boats.sink","title":"x","available":false}],"content":[{"type":"paragraph","text":"Ask first."}]}`

// What the documents of a skill tell, as outline and tables.
func TestDocs(t *testing.T) {
	section := func(id, content string) Section {
		return Section{ID: id, Docs: json.RawMessage(`{"content":[` + content + `]}`)}
	}
	told := Told{Type: "marina", Docs: json.RawMessage(docs), Sections: []Section{
		section("actions.boats.list", `{"type":"paragraph","text":"Lists boats."},
			{"type":"heading","level":3,"text":"Parameters"},{"type":"table","headers":["Name","Type","Required","Allowed values","Description"],
			"rows":[["`+"`state`"+`","string","no","afloat, docked","Where it is."],["pier","integer","yes","",""]]},
			{"type":"heading","text":"Record"},{"type":"table","headers":["Field","Type"],"rows":[["id","string"],["length","number|null"]]},
			{"type":"heading","text":"Searchable fields"},{"type":"table","headers":["Field","Type"],"rows":[["length","number"]]},
			{"type":"heading","text":"Meta"},{"type":"table","headers":["Field","Type"],"rows":[["next_cursor","string"]]}`),
		section("actions.boats.dock", `{"type":"heading","text":"Arguments"},{"type":"code","language":"json",
			"code":"{\"type\":\"object\",\"properties\":{\"pier\":{\"type\":\"integer\"}},\"required\":[\"pier\"]}"}`),
	}}
	k, _ := Kind(told)
	want := `boats list(state:string=["afloat" "docked"] pier:integer!) dock(pier:integer!) search ` +
		`[id:string length:number|null] <length:number>; crews`
	if got := words(k); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	list := k.Entity("boats").Action("list")
	if list.Doc != "Lists boats." || len(list.Meta) != 1 || list.Params[0].Doc != "Where it is." {
		t.Errorf("%+v", list)
	}
	if k.Doc != "Boats and their berths." || Version(told) != "3" {
		t.Errorf("%q %q", k.Doc, Version(told))
	}
}

// The inspection, definition and template fill what describe does not tell.
func TestOtherParts(t *testing.T) {
	k, _ := Kind(Told{Describe: json.RawMessage(`{"entities":[{"name":"boats","actions":["delete","list","scuttle"]}],
		"relationships":[{"source_entity":"crews","foreign_key":"boat_id","target_entity":"boats","target_key":"id"},
		{"source_entity":"nobody","foreign_key":"x","target_entity":"boats"}]}`),
		Inspect: json.RawMessage(`{"source_definition_id":"11111111-0000-4000-8000-000000000000",
			"source_definition_name":"Marina  Ltd.","context_store_readiness":{"supported_context_store_entities":[
			{"entity":"boats"},{"entity":"crews","suggested":true}]}}`),
		Template: json.RawMessage(`{"user_config_spec":{"connectionSpecification":{"type":"object","required":["token"],
			"properties":{"token":{"type":"string","default":"x","vendor_secret":true},"harbour":{"type":"string"}}}}}`)})
	if got := words(k); got != "boats delete? list? scuttle? search; crews search" {
		t.Error(got)
	}
	if k.Name != "marina_ltd" || k.System != "Marina Ltd." || k.DefinitionID == "" || len(k.Config) != 2 ||
		!k.Config[0].Secret || k.Config[0].Default != nil || k.Config[1].Secret {
		t.Errorf("%+v", k)
	}
	boats := k.Entity("boats")
	for name, writes := range map[string]bool{"delete": true, "list": false, "scuttle": true,
		"context_store_search": false} {
		if boats.Action(name).Writes() != writes {
			t.Errorf("%s writes: %v", name, !writes)
		}
	}
	if !boats.Action("delete").Destructive || !boats.SearchUnknown || len(boats.Action("context_store_search").Params) == 0 {
		t.Errorf("%+v", boats)
	}
}

// Every fact says that the service told it; what it did not tell is documented as unknown.
func TestSourceIsTold(t *testing.T) {
	k, _ := Kind(Told{Type: "marina", Describe: json.RawMessage(`{"entities":[{"name":"boats","actions":[
		{"name":"list","parameters":{"type":"object","properties":{"pier":{"type":"object","properties":{"n":{"type":"integer"}}}}}},
		"dock"]}]}`)})
	for _, action := range []string{"list", "dock"} {
		text := ""
		for _, l := range catalog.Footnoted(k.Describe("boats", action)) {
			text += l.String() + "\n"
		}
		if !strings.Contains(text, "described by the service") {
			t.Errorf("%s", text)
		}
		if action == "dock" && !strings.Contains(text, "not described") {
			t.Errorf("%s", text)
		}
	}
	if f := k.Entity("boats").Action("list").Params[0].Members[0]; f.Source != catalog.Live {
		t.Errorf("%+v", f)
	}
}

func TestBounds(t *testing.T) {
	var many strings.Builder
	many.WriteString(`{"entities":[{"name":""},{"name":"` + strings.Repeat("x", 300) + `"}`)
	for i := range 2100 {
		fmt.Fprintf(&many, `,{"name":"e%d","description":"%s"}`, i, strings.Repeat("long ", 400))
	}
	many.WriteString("]}")
	k, left := Kind(Told{Type: "big", Describe: json.RawMessage(many.String())})
	if len(k.Entities) != mostEntities || len(k.Entities[0].Doc) > mostText+3 || len(left) != 2 ||
		!slices.Contains(left, "left out: 100 entities beyond the first 2000") {
		t.Errorf("%d entities, %q", len(k.Entities), left)
	}
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 500) + `{}` + strings.Repeat("}}", 500)
	if k, _ := Kind(Told{Describe: json.RawMessage(`{"entities":[{"name":"e","actions":[{"name":"list","params":` + deep +
		`}]}]}`)}); k.Entity("e").Action("list") == nil {
		t.Error("a deep schema hides its action")
	}
}

func TestKindName(t *testing.T) {
	for given, want := range map[string]string{"acme-crm": "acme_crm", "Acme  CRM!": "acme_crm", "3com": "type_3com", "": "type",
		"日本": "type", "a\x1b[2Jb": "a_2jb"} {
		if got := KindName(given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func FuzzKind(f *testing.F) {
	f.Add(`{"entities":[{"name":"boats","actions":[{"name":"list","parameters":{"$ref":"#"}}]}]}`, docs)
	f.Add(`[{"entity_name":"a","parameters":{"list":[{"name":1}]},"available_actions":[null,3,"list"]}]`, `{"content":[{}]}`)
	f.Fuzz(func(_ *testing.T, describe, docs string) {
		k, _ := Kind(Told{Describe: json.RawMessage(describe), Docs: json.RawMessage(docs),
			Sections: []Section{{ID: "actions.a.list", Docs: json.RawMessage(docs)}}, Inspect: json.RawMessage(describe)})
		for i := range k.Entities {
			k.Describe(k.Entities[i].Name, "")
		}
	})
}
