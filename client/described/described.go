// Package described makes a catalog kind of what a service tells of a connector:
// the answer to describe, the inspection, the documents of its skill, and the
// connector's definition and template. None of them has a fixed public shape, so every
// shape that services are known to use is read, and what is told nowhere stays
// unknown: nothing is invented.
//
// It asks nobody. What it reads was written by others: names and texts are bounded
// here and made harmless where they are drawn.
package described

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/catalog/source"
	"patchbay/client/rawjson"
)

// Told is what a service told of a connector, each part as received; nil for what it
// did not tell.
type Told struct {
	// Type is the connector's type, Name what people call the connector; either may be empty.
	Type, Name string
	// Describe is the result of the action describe, Inspect the inspection.
	Describe, Inspect json.RawMessage
	// Docs is the overview of the connector's skill, Sections the sections of it that were read.
	Docs     json.RawMessage
	Sections []Section
	// Unread is how many sections were left out because there are too many.
	Unread int
	// Definition and Template are those that the connector was made from.
	Definition, Template json.RawMessage
}

// Section is one section of a skill's documents.
type Section struct {
	ID, Title string
	Docs      json.RawMessage
}

// What is taken at most of a description: what is beyond it is left out, and told.
const (
	mostEntities = 2000
	mostActions  = 100
	mostMembers  = 1000
	mostFields   = 200_000
	mostDepth    = 8
	mostName     = 200
	mostText     = 600
)

// Kind makes a kind of what was told. It has no entities where none were told. left
// says what was left out, and why.
func Kind(t Told) (k *catalog.Kind, left []string) {
	b := &builder{k: &catalog.Kind{Source: catalog.Live}, leftOut: map[string]int{}}
	inspect, definition := rawjson.Parse(t.Inspect), inner(rawjson.Parse(t.Definition), "definition")
	template := rawjson.Parse(t.Template)
	b.k.System = word(cmp.Or(textAt(definition, "name"), textAt(inspect, "source_definition_name"),
		textAt(template, "connector_name"), textAt(template, "name"), t.Type, t.Name))
	b.k.ConnectorType = word(cmp.Or(t.Type, b.k.System))
	b.k.Name, b.k.Title = KindName(b.k.ConnectorType), b.k.System
	b.k.DefinitionID = word(cmp.Or(textAt(inspect, "source_definition_id"),
		textAt(template, "source_definition_id", "actor_definition_id"),
		textAt(definition, "sourceDefinitionId", "source_definition_id")))
	b.describe(rawjson.Parse(t.Describe))
	b.docs(rawjson.Parse(t.Docs), t.Sections)
	b.stored(inspect)
	b.configuration(definition, template)
	if b.k.Doc == "" {
		b.k.Doc = short(textAt(rawjson.Parse(t.Docs), "metadata.summary"))
	}
	b.finish()
	if t.Unread > 0 {
		b.leftOut["sections of its documents"] = t.Unread
	}
	return b.k, b.told()
}

// Version is what tells one description of a type from another: that of the skill or
// the definition; empty where none is told.
func Version(t Told) string {
	definition := inner(rawjson.Parse(t.Definition), "definition")
	return word(cmp.Or(textAt(rawjson.Parse(t.Docs), "metadata.version"),
		textAt(definition, "version", "dockerImageTag", "docker_image_tag"),
		textAt(rawjson.Parse(t.Describe), "version")))
}

// KindName is the name under which the catalog knows a type that nobody named there.
func KindName(connectorType string) string {
	var out []byte
	for _, r := range strings.ToLower(connectorType) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			out = append(out, byte(r))
		case len(out) > 0 && out[len(out)-1] != '_':
			out = append(out, '_')
		}
	}
	name := strings.Trim(string(out[:min(len(out), 60)]), "_")
	if name == "" || name[0] < 'a' {
		name = strings.TrimSuffix("type_"+name, "_")
	}
	return name
}

// builder gathers a kind.
type builder struct {
	k      *catalog.Kind
	fields int
	// root is the document that a schema's references lead into.
	root    rawjson.Node
	leftOut map[string]int
}

// skip counts something that was left out.
func (b *builder) skip(why string) { b.leftOut[why]++ }

func (b *builder) told() []string {
	var out []string
	for why, n := range b.leftOut {
		out = append(out, fmt.Sprintf("left out: %d %s", n, why))
	}
	slices.Sort(out)
	return out
}

// entity finds or adds an entity; nil where its name cannot be used or there are too many.
func (b *builder) entity(name string) *catalog.Entity {
	if e := b.k.Entity(name); e != nil {
		return e
	}
	switch {
	case !usable(name):
		b.skip("entities whose names are empty or too long")
		return nil
	case len(b.k.Entities) >= mostEntities:
		b.skip(fmt.Sprintf("entities beyond the first %d", mostEntities))
		return nil
	}
	b.k.Entities = append(b.k.Entities, catalog.Entity{Name: name, Source: catalog.Live})
	return &b.k.Entities[len(b.k.Entities)-1]
}

// action finds or adds an action of an entity; nil where it cannot be used.
func (b *builder) action(e *catalog.Entity, name string) *catalog.Action {
	if a := e.Action(name); a != nil {
		return a
	}
	switch {
	case !usable(name):
		b.skip("actions whose names are empty or too long")
		return nil
	case len(e.Actions) >= mostActions:
		b.skip(fmt.Sprintf("actions beyond the first %d of an entity", mostActions))
		return nil
	}
	// Until something tells the params, nobody knows them.
	e.Actions = append(e.Actions, catalog.Action{Name: name, ParamsUnknown: true, Source: catalog.Live})
	return &e.Actions[len(e.Actions)-1]
}

// setParams takes the params of an action, where they are told.
func (b *builder) setParams(a *catalog.Action, fields []catalog.Field, told bool) {
	if told && (a.ParamsUnknown || len(fields) > len(a.Params)) {
		a.Params, a.ParamsUnknown = fields, false
	}
}

// finish gives each action what its name alone says of it everywhere.
func (b *builder) finish() {
	for i := range b.k.Entities {
		e := &b.k.Entities[i]
		for j := range e.Actions {
			a := &e.Actions[j]
			switch a.Name {
			case catalog.ActionDelete:
				a.Destructive, a.DestructiveSource = true, catalog.Derived
			case catalog.ActionContextStoreSearch:
				// Its params are those of every such search; the service may tell more.
				e.SearchUnknown = len(e.Search) == 0
				if a.ParamsUnknown || catalog.FieldByName(a.Params, "query") == nil {
					a.Params, a.ParamsUnknown, a.Source = nil, false, catalog.Documented
				}
			}
		}
	}
	source.Complete(b.k)
	for i := range b.k.Entities {
		if a := b.k.Entities[i].Action(catalog.ActionContextStoreSearch); a != nil {
			a.Source = catalog.Live
		}
	}
}

// usable reports whether a name can be sent and shown.
func usable(name string) bool { return strings.TrimSpace(name) != "" && len(name) <= mostName }

// word is a text of one line, cut where it is too long for a name.
func word(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > mostName {
		text = strings.ToValidUTF8(text[:mostName], "")
	}
	return text
}

// short is a text as one line that is not too long to be read.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "") + "…"
	}
	return text
}

// textAt is the first text at one of the dotted paths; "" where there is none.
func textAt(n rawjson.Node, paths ...string) string {
	for _, path := range paths {
		if v := at(n, path); v.Kind() == rawjson.String && v.Text() != "" {
			return v.Text()
		}
	}
	return ""
}

// at is the value at a dotted path of names.
func at(n rawjson.Node, path string) rawjson.Node {
	for name := range strings.SplitSeq(path, ".") {
		n = member(n, name)
	}
	return n
}

// member is the first of the members that an object has; the zero Node for none.
func member(n rawjson.Node, names ...string) rawjson.Node {
	if n.Kind() != rawjson.Object {
		return rawjson.Node{}
	}
	for _, name := range names {
		if v, ok := n.Get(name); ok && v.Kind() != rawjson.Null {
			return v
		}
	}
	return rawjson.Node{}
}

// inner is a member where there is one, else the whole.
func inner(n rawjson.Node, name string) rawjson.Node {
	if v := member(n, name); v.Kind() == rawjson.Object {
		return v
	}
	return n
}
