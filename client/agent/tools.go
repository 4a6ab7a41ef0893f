// Package agent shows a connector through the eyes of a model: the tools that are
// bound to it with their descriptions and schemas, the documents that these tools
// read, and what all of it costs in tokens. It is pure: whoever asks a service or a
// catalog gives it what they answer.
package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/catalog/skill"
	"patchbay/client/rawjson"
)

// The tools that a tool builder binds to a connector (platform interface, client wrappers).
const (
	InspectTool = "inspect_connector"
	DocsTool    = "read_skill_docs"
	ExecuteTool = "execute"
)

// Tool is a tool as a model receives it.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of what it takes.
	Schema *rawjson.Map
	// Reads is set when it changes nothing, whatever it is called with.
	Reads bool
}

// JSON is the tool as the common model APIs and MCP take it.
func (t Tool) JSON() *rawjson.Map {
	return rawjson.NewMap("name", t.Name, "description", t.Description, "inputSchema", t.Schema)
}

// ToolsJSON is a list of tools as JSON.
func ToolsJSON(tools []Tool) []byte {
	list := []any{}
	for _, t := range tools {
		list = append(list, t.JSON())
	}
	return rawjson.Encode(list)
}

// Tools are the three tools of a connector of the kind.
func Tools(k *catalog.Kind) []Tool {
	return []Tool{
		{
			Name: InspectTool, Reads: true, Schema: object(),
			Description: fmt.Sprintf("Tells what the connector is (%s) and which entities its search store holds. "+
				"Call it first.", cmp.Or(k.System, k.Title, k.Name)),
		},
		{
			Name: DocsTool, Reads: true,
			Schema: object("section", sectionSchema()),
			Description: "Reads the connector's documents: without a section the overview and the outline, with one " +
				"the params, the record and the pages of an action.",
		},
		{Name: ExecuteTool, Description: executeText(k), Schema: executeSchema(k)},
	}
}

// SharedTools are the three tools of several connectors at once, which take the
// connector as an argument.
func SharedTools(connectors []string) []Tool {
	connector := rawjson.NewMap("type", "string", "enum", connectors)
	text := rawjson.NewMap("type", "string")
	return []Tool{
		{Name: InspectTool, Reads: true, Schema: object("connector", connector, []string{"connector"}),
			Description: "Tells what a connector is and which entities its search store holds. Call it first."},
		{Name: DocsTool, Reads: true, Schema: object("connector", connector, "section", sectionSchema(),
			[]string{"connector"}),
			Description: "Reads a connector's documents: without a section the overview and the outline, with one " +
				"the params, the record and the pages of an action."},
		{Name: ExecuteTool, Description: fmt.Sprintf("Runs an action of a connector. Before it: %s, then %s for the "+
			"overview (it says how to page, select and report), then the action's section.", InspectTool, DocsTool),
			Schema: object(append([]any{"connector", connector, "entity", text, "action", text},
				append(shaping(), []string{"connector", "entity", "action"})...)...)},
	}
}

// Single is the one tool of the legacy form, whose description holds the whole catalog.
func Single(k *catalog.Kind) Tool {
	return Tool{Name: ExecuteTool, Description: wholeText(k), Schema: object("entity", entitySchema(k),
		"action", actionSchema(k), "params", paramsSchema(), []string{"entity", "action"})}
}

// LocalSkill is the id of the documents of a local connector.
const LocalSkill = "local-connector-docs"

// InspectLocal is what inspect_connector answers for a local connector: no service knows it.
func InspectLocal(name string) []byte {
	return rawjson.NewMap("mode", "local", "docs_skill_id", LocalSkill, "name", name, "warnings",
		[]string{"The connector is called directly: there is no search store."}).JSON()
}

// object is the schema of an object: names and schemas of its members in turn, and
// at the end the names of those that are required, if there are any.
func object(members ...any) *rawjson.Map {
	s := rawjson.NewMap("type", "object")
	must, isList := any(nil), false
	if n := len(members); n%2 == 1 {
		must, isList = members[n-1], true
		members = members[:n-1]
	}
	s.Add("properties", rawjson.NewMap(members...))
	if isList {
		s.Add("required", must)
	}
	s.Add("additionalProperties", false)
	return s
}

func sectionSchema() *rawjson.Map {
	return rawjson.NewMap("type", []string{"string", "null"}, "default", nil, "description",
		"an id of the outline, as it stands there")
}

func executeSchema(k *catalog.Kind) *rawjson.Map {
	return object(append([]any{"entity", entitySchema(k), "action", actionSchema(k)},
		append(shaping(), []string{"entity", "action"})...)...)
}

// shaping are the arguments of execute beside the operation's names.
func shaping() []any {
	paths := func(doc string) *rawjson.Map {
		return rawjson.NewMap("type", []string{"array", "null"}, "items", rawjson.NewMap("type", "string"),
			"default", nil, "description", doc)
	}
	return []any{"params", paramsSchema(), "select_fields", paths("dotted paths of the fields to keep"),
		"exclude_fields", paths("those to leave out; ignored beside select_fields"),
		"skip_truncation", rawjson.NewMap("type", "boolean", "default", true, "description",
			"false cuts long texts")}
}

func entitySchema(k *catalog.Kind) *rawjson.Map {
	return rawjson.NewMap("type", "string", "enum", k.EntityNames())
}

func actionSchema(k *catalog.Kind) *rawjson.Map {
	return rawjson.NewMap("type", "string", "enum", ActionNames(k))
}

func paramsSchema() *rawjson.Map {
	return rawjson.NewMap("type", []string{"object", "null"}, "default", nil, "description",
		"by exact name")
}

// ActionNames are the actions of all entities of the kind, sorted, each once.
func ActionNames(k *catalog.Kind) []string {
	var all []string
	for i := range k.Entities {
		all = append(all, k.Entities[i].ActionNames()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// executeText describes the execute tool of the three.
func executeText(k *catalog.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Runs an action of %s. Before it: %s, then %s for the overview (it says how to page, select and "+
		"report), then the action's section.\nActions with the params they need:\n", k.Title, InspectTool, DocsTool)
	for i := range k.Entities {
		e := &k.Entities[i]
		calls := make([]string, len(e.Actions))
		for j := range e.Actions {
			calls[j] = e.Actions[j].Name + needs(&e.Actions[j])
		}
		fmt.Fprintf(&b, "%s: %s\n", e.Name, strings.Join(calls, ", "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// needs are the required params of an action, in parentheses; empty for none.
func needs(a *catalog.Action) string {
	var names []string
	for i := range a.Params {
		if p := &a.Params[i]; p.Required && !p.Injected {
			names = append(names, p.Name)
		}
	}
	if names == nil {
		return ""
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// signature names all params of an action with their types.
func signature(a *catalog.Action) string {
	var parts []string
	add := func(name string, f *catalog.Field) { parts = append(parts, name+": "+f.TypeWords()) }
	var walk func(prefix string, fields []catalog.Field, must bool)
	walk = func(prefix string, fields []catalog.Field, must bool) {
		for i := range fields {
			f := &fields[i]
			if f.Injected {
				continue
			}
			name := prefix + f.Name
			if below := f.Below(); len(below) > 0 && len(prefix) < deepestPath {
				if f.Items != nil {
					name += "[]"
				}
				walk(name+".", below, must && f.Required)
				continue
			}
			if !must || !f.Required {
				name += "?"
			}
			add(name, f)
		}
	}
	walk("", a.Params, true)
	if a.FreeBody || a.ParamsUnknown {
		parts = append(parts, "...")
	}
	return a.Name + "(" + strings.Join(parts, ", ") + ")"
}

// deepestPath is how long the path of a member may be before it is told as a whole.
const deepestPath = 120

// searchNamed is how many searchable fields the legacy text names.
const searchNamed = 20

// wholeText is the description of the legacy tool: no blank line and no heading of one
// word, which some readers of docstrings take for a section.
func wholeText(k *catalog.Kind) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Runs an action of the %s connector (%s).", k.Title, k.System)
	if k.Doc != "" {
		line("%s", k.Doc)
	}
	for i := range k.Entities {
		wholeEntity(line, k, &k.Entities[i])
	}
	line("Filters of context_store_search: one operator holds one field and its value, as in " +
		`{"filter": {"eq": {"status": "open"}}}; and, or and not join conditions.`)
	for _, o := range catalog.SearchOperators {
		line("- %s: %s", o.Name, o.Doc)
	}
	line("What to keep to:")
	for _, g := range skill.Guidelines {
		line("- %s", g)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func wholeEntity(line func(string, ...any), k *catalog.Kind, e *catalog.Entity) {
	line("Entity %s: %s", e.Name, cmp.Or(e.Doc, "no description."))
	for i := range e.Record {
		f := &e.Record[i]
		line("  field %s (%s) %s", f.Name, f.TypeWords(), f.Doc)
	}
	for _, r := range k.Relations {
		if r.From == e.Name {
			line("  %s is %s", r.Field, strings.Join(slices.DeleteFunc([]string{r.To, r.Key},
				func(s string) bool { return s == "" }), "."))
		}
	}
	for i := range e.Actions {
		a := &e.Actions[i]
		line("  action %s %s", signature(a), a.Doc)
		for _, r := range a.Rules {
			line("    %s", r.Text)
		}
	}
	if len(e.Search) == 0 || e.Action(catalog.ActionContextStoreSearch) == nil {
		return
	}
	names := catalog.FieldNames(e.Search)
	more := ""
	if n := len(names) - searchNamed; n > 0 {
		names, more = names[:searchNamed], fmt.Sprintf(" and %d more", n)
	}
	line("  searchable: %s%s", strings.Join(names, ", "), more)
}
