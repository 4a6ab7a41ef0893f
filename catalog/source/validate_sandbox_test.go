package source

import (
	"strings"
	"testing"
)

const sandboxed = `
kind: sample
title: Sample
system: Sample
connector_type: sample
entities:
  things:
    key: id
    record: {id: string, state: string}
    actions:
      list: {params: {state: string, owner: string}}
      create: {params: {state: string}}
sandbox:
`

// What the sandbox is told must speak of entities, fields, params and actions
// that the kind has.
func TestSandboxSpeaksOfTheKind(t *testing.T) {
	good := `{id: "t_{digits:4}", crowded: [things], scopes: {owner: {value: me}},
  query: [{param: state, language: jql, self: things.id}], every: {fields: {state: "{on|off}"}},
  entities: {things: {fields: {id: x}, params: {state: {path: state}},
    writes: {create: {set: {state: open}}}}}}`
	if _, problems := Parse("sample.yaml", []byte(sandboxed+"  "+good+"\n")); len(problems) > 0 {
		t.Fatal(problems)
	}
	for section, want := range map[string]string{
		"{crowded: [thing]}":                                                    `did you mean "things"?`,
		"{colour: red}":                                                         "colour",
		"{entities: {things: {view_of: others}}}":                               `no entity is called "others"`,
		"{entities: {things: {fields: {size: 1}}}}":                             `no record here has a field "size"`,
		"{entities: {things: {params: {size: {path: id}}}}}":                    `no action here has a param "size"`,
		"{entities: {things: {params: {state: {parents: [boxes]}}}}}":           `no entity is called "boxes"`,
		"{entities: {things: {writes: {delete: {changes: true}}}}}":             `no action "delete"`,
		"{entities: {things: {writes: {create: {from: [a]}}}}}":                 "needs a refuse",
		"{scopes: {owner: {of: boxes.id}}}":                                     `no entity is called "boxes"`,
		"{scopes: {owner: {of: things.id, with: repo}}}":                        `no scope is called "repo"`,
		"{scopes: {repo: {value: me}}}":                                         `no action here has a param "repo"`,
		"{query: [{param: state, language: jql, self: things.name}]}":           `no record here has a field "name"`,
		"{every: {new: {size: 1}}}":                                             `no record here has a field "size"`,
		"{entities: {things: {writes: {create: {take: [size], set: {a: 1}}}}}}": `no action here has a param "size"`,
	} {
		_, problems := Parse("sample.yaml", []byte(sandboxed+"  "+section+"\n"))
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), want) || problems[0].Line == 0 {
			t.Errorf("%s: %v, want %s", section, problems, want)
		}
	}
}
