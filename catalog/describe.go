package catalog

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"patchbay/client/rawjson"
)

// DocRole says how a line of documentation reads.
type DocRole string

const (
	DocTitle   DocRole = "title"   // what is described
	DocText    DocRole = "text"    // a sentence
	DocSection DocRole = "section" // the name of a section
	DocItem    DocRole = "item"    // a name with what is to say about it
	DocField   DocRole = "field"   // a field: Name, Type, Marks, Text
	// DocFootnote tells where the block before it comes from.
	DocFootnote DocRole = "footnote"
)

// DocLine is one line of documentation, without colours and unwrapped.
type DocLine struct {
	Role   DocRole
	Indent int
	Name   string
	// Type of a field in words: "integer or null".
	Type string
	// Marks are short facts: "required", "default 10", "1 to 100", "secret".
	Marks []string
	Text  string
	// Source is where the fact comes from; the zero value is the specification.
	Source Source
}

// String writes the line as plain text.
func (l DocLine) String() string {
	facts := strings.Join(append(nonEmpty(l.Type), l.Marks...), ", ")
	if facts != "" {
		facts = "(" + facts + ")"
	}
	return strings.Repeat("  ", l.Indent) + strings.Join(nonEmpty(l.Name, facts, l.Text), " ")
}

func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// Describe documents the kind (entity empty), an entity (action empty) or an
// action; nil when there is no such thing.
func (k *Kind) Describe(entity, action string) []DocLine {
	var d doc
	e := k.Entity(entity)
	switch {
	case entity == "":
		d.kind(k)
	case e == nil:
	case action == "":
		d.entity(k, e)
	default:
		if a := e.Action(action); a != nil {
			d.action(k, e, a)
		}
	}
	return d.lines
}

type doc struct{ lines []DocLine }

func (d *doc) add(l DocLine) { d.lines = append(d.lines, l) }

func (d *doc) text(format string, args ...any) {
	d.add(DocLine{Role: DocText, Text: fmt.Sprintf(format, args...)})
}

func (d *doc) section(name string) { d.add(DocLine{Role: DocSection, Name: name}) }

func (d *doc) item(l DocLine) {
	l.Role, l.Indent = DocItem, 1
	d.add(l)
}

func (d *doc) notes(notes []Note) {
	if len(notes) > 0 {
		d.section("Notes")
	}
	for _, n := range notes {
		d.item(DocLine{Text: n.Text, Source: n.Source})
	}
}

func (d *doc) kind(k *Kind) {
	d.add(DocLine{Role: DocTitle, Name: k.Name, Text: k.Title + " (" + k.System + ")", Source: k.Source})
	if k.Doc != "" {
		d.text("%s", k.Doc)
	}
	d.text("Connector type %s; %d entities, %d actions.", k.ConnectorType, len(k.Entities), k.ActionCount())
	d.notes(k.Notes)
	if len(k.Credentials) > 0 {
		d.section("Credentials")
	}
	for _, m := range k.Credentials {
		text, marks := m.Note, nonEmpty(m.Option)
		if m.Unavailable {
			text = strings.TrimSpace("Not available for this kind. " + m.Note)
		}
		if len(m.Scopes) > 0 {
			marks = append(marks, "scopes "+strings.Join(m.Scopes, " "))
		}
		d.item(DocLine{Name: m.Method, Type: m.Title, Marks: marks, Text: text, Source: m.Source})
		d.each(2, m.Fields)
	}
	d.fields("Configuration", k.Config)
	d.section("Entities")
	for i := range k.Entities {
		e := &k.Entities[i]
		d.item(DocLine{Name: e.Name, Type: strings.Join(e.ActionNames(), ", "), Text: e.Doc, Source: e.Source})
	}
	d.relations(k.Relations)
}

func (d *doc) relations(relations []Relation) {
	if len(relations) > 0 {
		d.section("Relations")
	}
	for _, r := range relations {
		to := strings.Join(nonEmpty(r.To, r.Key), ".")
		d.item(DocLine{Name: r.From + "." + r.Field, Text: "is " + to, Source: r.Source})
	}
}

func (d *doc) entity(k *Kind, e *Entity) {
	d.add(DocLine{Role: DocTitle, Name: k.Name + " " + e.Name, Text: e.Doc, Source: e.Source})
	if e.Key != "" {
		d.text("A record is identified by %s.", e.Key)
	}
	d.notes(e.Notes)
	d.section("Actions")
	for i := range e.Actions {
		a := &e.Actions[i]
		d.item(DocLine{Name: a.Name, Marks: a.marks(), Text: a.Doc, Source: a.Source})
	}
	d.record(e.Record, e.RecordPartial)
	d.search(e)
	if s := e.Semantic; s != nil {
		d.section("Semantic search")
		d.item(DocLine{Text: "Finds text by meaning in " + s.Field + ".", Source: s.Source})
	}
	d.relations(slices.DeleteFunc(slices.Clone(k.Relations),
		func(r Relation) bool { return r.From != e.Name && r.To != e.Name }))
}

// marks are the short facts about an action.
func (a *Action) marks() []string {
	var marks []string
	if a.Writes() {
		marks = append(marks, "writes")
	}
	if a.Destructive {
		marks = append(marks, "destructive")
	}
	if a.HostedOnly {
		marks = append(marks, "hosted only")
	}
	return marks
}

func (d *doc) record(fields []Field, partial bool) {
	d.section("Record")
	switch {
	case len(fields) == 0:
		d.text("The fields are not known: run it once and look at the Schema view.")
	case partial:
		d.text("Not all fields are known.")
	}
	d.each(1, fields)
}

func (d *doc) search(e *Entity) {
	if e.Action(ActionContextStoreSearch) == nil {
		return
	}
	d.section("Searchable fields")
	switch {
	case e.SearchUnknown:
		d.text("The fields are not known: any name can be typed.")
	case len(e.Search) == 0:
		d.text("None.")
	}
	d.each(1, e.Search)
	d.section("Operators")
	for _, o := range SearchOperators {
		d.item(DocLine{Name: o.Name, Text: o.Doc})
	}
}

func (d *doc) action(k *Kind, e *Entity, a *Action) {
	d.add(DocLine{Role: DocTitle, Name: k.Name + " " + e.Name + " " + a.Name, Marks: a.marks(), Text: a.Doc,
		Source: a.Source})
	if a.Order != "" {
		d.text("Order: %s.", strings.TrimSuffix(a.Order, "."))
	}
	if a.SentAs != "" {
		d.text("A service that speaks wire names is sent %s.", a.SentAs)
	}
	d.notes(a.Notes)
	d.section("Params")
	switch {
	case a.ParamsUnknown && a.Source == Live:
		d.text("The params are not described: give each with its name and value, or all as JSON.")
	case a.ParamsUnknown:
		d.text("The params are not known: give them as free JSON.")
	case len(a.Params) == 0:
		d.text("None.")
	}
	d.each(1, a.Params)
	if a.FreeBody {
		d.text("Other members are passed on as they are.")
	}
	if len(a.Rules) > 0 {
		d.section("Rules")
	}
	for _, r := range a.Rules {
		var marks []string
		if r.Status != 0 {
			marks = append(marks, "status "+strconv.Itoa(r.Status))
		}
		d.item(DocLine{Marks: marks, Text: r.Text, Source: r.Source})
	}
	if a.Page != nil {
		d.section("Pages")
		for _, line := range a.Page.Words() {
			d.item(DocLine{Text: line, Source: a.Page.Source})
		}
		if a.NextIsLost() {
			d.item(DocLine{Text: "The answer of the hosted service holds the records alone, so it gives one page.",
				Source: Derived})
		}
	}
	if a.Name == ActionContextStoreSearch {
		d.search(e)
	}
	d.record(e.RecordOf(a), a.Record == nil && e.RecordPartial)
	d.seen(e, a)
	d.fields("Meta", a.Meta)
	if b := a.Binding; b != nil {
		d.section("Direct request")
		text := b.Method + " " + b.Path
		if b.GraphQL != nil {
			text += ", GraphQL " + b.GraphQL.Kind + " " + b.GraphQL.Operation
		}
		d.item(DocLine{Text: text, Source: b.Source})
	}
}

// seen tells how many records showed the fields of a record that nobody documented.
func (d *doc) seen(e *Entity, a *Action) {
	fields := e.RecordOf(a)
	for _, n := range e.Notes {
		if len(fields) > 0 && fields[0].Source == Seen && n.Source == Seen {
			d.text("%s", n.Text)
		}
	}
}

func (d *doc) fields(section string, fields []Field) {
	if len(fields) > 0 {
		d.section(section)
		d.each(1, fields)
	}
}

func (d *doc) each(indent int, fields []Field) {
	for i := range fields {
		f := &fields[i]
		source := f.Source
		if source == Documented && len(f.Upstream) > 0 { // a part of it is
			source = Upstream
		}
		d.add(DocLine{Role: DocField, Indent: indent, Name: f.Name, Type: f.TypeWords(), Marks: f.Marks(),
			Text: strings.TrimSpace(f.Doc + " " + f.Note), Source: source})
		d.each(indent+1, f.Below())
	}
}

// WriteJSON prints {"connectors": [...]}: the whole catalog, or the kind, entity
// and action named (empty names mean all). Kinds are opened and written one by
// one. The error for an unknown name is an *UnknownError.
func (c *Catalog) WriteJSON(w io.Writer, kind, entity, action string) error {
	names := []string{kind}
	if kind == "" {
		names = nil
		for _, s := range c.Kinds() {
			names = append(names, s.Name)
		}
	}
	if _, err := io.WriteString(w, `{"connectors":[`); err != nil {
		return err
	}
	for i, name := range names {
		data, err := c.kindJSON(name, entity, action)
		if err != nil {
			return err
		}
		if i > 0 {
			data = append([]byte(","), data...)
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "]}\n")
	return err
}

func (c *Catalog) kindJSON(kind, entity, action string) ([]byte, error) {
	k, e, a, err := c.Resolve(kind, entity, action)
	if err != nil {
		return nil, err
	}
	entities := []any{}
	for i := range k.Entities {
		if one := &k.Entities[i]; e == nil || one == e {
			entities = append(entities, entityJSON(one, a))
		}
	}
	return printed("kind", k.Name, "title", k.Title, "system", k.System, "connector_type", k.ConnectorType,
		"definition_id?", k.DefinitionID, "source?", k.Source, "doc?", k.Doc, "note?", joinNotes(k.Notes),
		"notes?", k.Notes, "credentials", k.Credentials, "config", k.Config, "relations?", k.Relations,
		"entities", entities).JSON(), nil
}

func entityJSON(e *Entity, only *Action) *rawjson.Map {
	actions := []any{}
	for i := range e.Actions {
		a := &e.Actions[i]
		if only != nil && a != only {
			continue
		}
		actions = append(actions, printed("name", a.Name, "doc?", a.Doc, "params", a.Params,
			"params_unknown?", a.ParamsUnknown, "free_body?", a.FreeBody, "record?", a.Record, "meta", a.Meta,
			"rules", a.Rules, "reads?", a.Reads, "destructive", a.Destructive,
			"destructive_source?", a.DestructiveSource,
			"hosted_only?", a.HostedOnly, "order?", a.Order, "sent_as?", a.SentAs, "page?", a.Page,
			"source?", a.Source, "note?", joinNotes(a.Notes), "notes?", a.Notes))
	}
	return printed("name", e.Name, "key?", e.Key, "source?", e.Source, "doc?", e.Doc, "note?", joinNotes(e.Notes),
		"notes?", e.Notes, "record", e.Record, "record_partial?", e.RecordPartial, "search", e.Search,
		"search_unknown?", e.SearchUnknown, "semantic?", e.Semantic, "actions", actions)
}

// printed is the object of alternating names and values: names first, lists never
// null, and what is empty left out where a question mark stands behind the name.
func printed(pairs ...any) *rawjson.Map {
	m := &rawjson.Map{}
	for i := 0; i < len(pairs); i += 2 {
		name, optional := strings.CutSuffix(pairs[i].(string), "?")
		v := reflect.ValueOf(pairs[i+1])
		empty := v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
		made, isMade := pairs[i+1].([]any)
		switch {
		case empty && optional:
		case isMade:
			m.Add(name, made)
		case empty && v.Kind() == reflect.Slice:
			m.Add(name, []any{})
		default:
			data, _ := json.Marshal(pairs[i+1]) // all types are ours
			m.Add(name, json.RawMessage(data))
		}
	}
	return m
}

func joinNotes(notes []Note) string {
	return strings.Join(namesOf(notes, func(n *Note) string { return n.Text }), " ")
}
