package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DocRole says how a line of documentation reads.
type DocRole string

const (
	DocTitle   DocRole = "title"   // what is described
	DocText    DocRole = "text"    // a sentence
	DocSection DocRole = "section" // the name of a section
	DocItem    DocRole = "item"    // a name with what is to say about it
	DocField   DocRole = "field"   // a field: Name, Type, Marks, Text
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
	parts := []string{}
	if l.Name != "" {
		parts = append(parts, l.Name)
	}
	if facts := strings.Join(append(nonEmpty(l.Type), l.Marks...), ", "); facts != "" {
		parts = append(parts, "("+facts+")")
	}
	if l.Text != "" {
		parts = append(parts, l.Text)
	}
	if l.Source != Documented && l.Role != DocSection {
		parts = append(parts, "["+string(l.Source)+"]")
	}
	return strings.Repeat("  ", l.Indent) + strings.Join(parts, " ")
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// Describe documents the kind (entity empty), an entity (action empty) or an
// action; nil when there is no such thing.
func (k *Kind) Describe(entity, action string) []DocLine {
	var d doc
	if entity == "" {
		d.kind(k)
		return d.lines
	}
	e := k.Entity(entity)
	if e == nil {
		return nil
	}
	if action == "" {
		d.entity(k, e)
		return d.lines
	}
	if a := e.Action(action); a != nil {
		d.action(k, e, a)
	}
	return d.lines
}

type doc struct{ lines []DocLine }

func (d *doc) add(l DocLine) { d.lines = append(d.lines, l) }

func (d *doc) text(format string, args ...any) {
	d.add(DocLine{Role: DocText, Text: fmt.Sprintf(format, args...)})
}

func (d *doc) section(name string) { d.add(DocLine{Role: DocSection, Name: name}) }

func (d *doc) notes(notes []Note) {
	if len(notes) == 0 {
		return
	}
	d.section("Notes")
	for _, n := range notes {
		d.add(DocLine{Role: DocItem, Indent: 1, Text: n.Text, Source: n.Source})
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
	for i := range k.Credentials {
		d.method(&k.Credentials[i])
	}
	d.fields("Configuration", k.Config, "")
	d.section("Entities")
	for i := range k.Entities {
		e := &k.Entities[i]
		names := make([]string, len(e.Actions))
		for j := range e.Actions {
			names[j] = e.Actions[j].Name
		}
		d.add(DocLine{Role: DocItem, Indent: 1, Name: e.Name, Type: strings.Join(names, ", "), Text: e.Doc, Source: e.Source})
	}
	d.relations(k.Relations)
}

func (d *doc) method(m *Method) {
	text := m.Note
	if m.Unavailable {
		text = strings.TrimSpace("Not available for this kind. " + m.Note)
	}
	marks := nonEmpty(m.Option)
	if len(m.Scopes) > 0 {
		marks = append(marks, "scopes "+strings.Join(m.Scopes, " "))
	}
	d.add(DocLine{Role: DocItem, Indent: 1, Name: m.Method, Type: m.Title, Marks: marks, Text: text, Source: m.Source})
	d.each(2, m.Fields)
}

func (d *doc) relations(relations []Relation) {
	if len(relations) == 0 {
		return
	}
	d.section("Relations")
	for _, r := range relations {
		to := r.To
		if r.Key != "" {
			to += "." + r.Key
		}
		d.add(DocLine{Role: DocItem, Indent: 1, Name: r.From + "." + r.Field, Text: "is " + to, Source: r.Source})
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
		d.add(DocLine{Role: DocItem, Indent: 1, Name: a.Name, Marks: a.marks(), Text: a.Doc, Source: a.Source})
	}
	d.record(e.Record, e.RecordPartial)
	d.search(e)
	if s := e.Semantic; s != nil {
		d.section("Semantic search")
		d.add(DocLine{Role: DocItem, Indent: 1, Text: "Finds text by meaning in " + s.Field + ".", Source: s.Source})
	}
	d.relations(slices.DeleteFunc(slices.Clone(k.Relations), func(r Relation) bool { return r.From != e.Name && r.To != e.Name }))
}

// marks are the short facts about an action.
func (a *Action) marks() []string {
	var marks []string
	if a.Writes() {
		marks = append(marks, "writes")
	}
	if a.Destructive {
		mark := "destructive"
		if a.DestructiveSource != Documented {
			mark += ": " + string(a.DestructiveSource)
		}
		marks = append(marks, mark)
	}
	if a.HostedOnly {
		marks = append(marks, "hosted only")
	}
	return marks
}

func (d *doc) record(fields []Field, partial bool) {
	switch {
	case len(fields) == 0:
		d.section("Record")
		d.text("The fields are not known: run it once and look at the Schema view.")
	case partial:
		d.fields("Record", fields, "Not all fields are known.")
	default:
		d.fields("Record", fields, "")
	}
}

func (d *doc) search(e *Entity) {
	switch {
	case e.Action(ActionContextStoreSearch) == nil:
	case e.SearchUnknown:
		d.section("Searchable fields")
		d.text("The fields are not known: any name can be typed.")
	case len(e.Search) == 0:
		d.section("Searchable fields")
		d.text("None.")
	default:
		d.fields("Searchable fields", e.Search, "")
	}
}

func (d *doc) action(k *Kind, e *Entity, a *Action) {
	d.add(DocLine{Role: DocTitle, Name: k.Name + " " + e.Name + " " + a.Name, Marks: a.marks(), Text: a.Doc, Source: a.Source})
	if a.Order != "" {
		d.text("Order: %s.", strings.TrimSuffix(a.Order, "."))
	}
	if a.SentAs != "" {
		d.text("Goes over the wire as %s.", a.SentAs)
	}
	d.notes(a.Notes)
	d.params(a)
	if len(a.Rules) > 0 {
		d.section("Rules")
	}
	for _, r := range a.Rules {
		var marks []string
		if r.Status != 0 {
			marks = append(marks, "status "+strconv.Itoa(r.Status))
		}
		d.add(DocLine{Role: DocItem, Indent: 1, Marks: marks, Text: r.Text, Source: r.Source})
	}
	if a.Page != nil {
		d.section("Pages")
		for _, line := range a.Page.Words() {
			d.add(DocLine{Role: DocItem, Indent: 1, Text: line, Source: a.Page.Source})
		}
	}
	if a.Name == ActionContextStoreSearch {
		d.search(e)
	}
	d.record(e.RecordOf(a), a.Record == nil && e.RecordPartial)
	d.fields("Meta", a.Meta, "")
	if b := a.Binding; b != nil {
		d.section("Direct request")
		text := b.Method + " " + b.Path
		if b.GraphQL != nil {
			text += ", GraphQL " + b.GraphQL.Kind + " " + b.GraphQL.Operation
		}
		d.add(DocLine{Role: DocItem, Indent: 1, Text: text, Source: b.Source})
	}
}

func (d *doc) params(a *Action) {
	d.section("Params")
	switch {
	case a.ParamsUnknown:
		d.text("The params are not known: give them as free JSON.")
	case len(a.Params) == 0:
		d.text("None.")
	default:
		d.each(1, a.Params)
	}
	if a.FreeBody {
		d.text("Other members are passed on as they are.")
	}
}

func (d *doc) fields(section string, fields []Field, remark string) {
	if len(fields) == 0 {
		return
	}
	d.section(section)
	if remark != "" {
		d.text("%s", remark)
	}
	d.each(1, fields)
}

func (d *doc) each(indent int, fields []Field) {
	for i := range fields {
		f := &fields[i]
		d.add(DocLine{Role: DocField, Indent: indent, Name: f.Name, Type: f.TypeWords(), Marks: f.Marks(), Text: strings.TrimSpace(f.Doc + " " + f.Note), Source: f.Source})
		d.each(indent+1, f.below())
	}
}

// DescribeField documents one field and its members.
func DescribeField(f *Field) []DocLine {
	var d doc
	d.each(0, []Field{*f})
	return d.lines
}

// TypeWords is the type of the field for people: "array of string", "integer or null".
func (f *Field) TypeWords() string {
	text := strings.ReplaceAll(f.Type, "|", " or ")
	if f.Type == "array" && f.Items != nil {
		text = "array of " + f.Items.TypeWords()
	}
	if f.Type == "object" && f.Values != nil {
		text = "map of " + f.Values.TypeWords()
	}
	if f.Nullable {
		text += " or null"
	}
	return text
}

// Marks are the short facts about a field: required, default, limits, values.
func (f *Field) Marks() []string {
	var marks []string
	add := func(set bool, text string) {
		if set {
			marks = append(marks, text)
		}
	}
	add(f.Injected, "filled by the service")
	add(f.Required && !f.Injected, "required")
	add(f.OneOf, "exactly one member")
	add(f.Const != nil, "always "+string(f.Const))
	add(len(f.Enum) > 0, f.enumWords())
	if f.Items != nil {
		add(len(f.Items.Enum) > 0, "each "+f.Items.enumWords())
	}
	add(f.Default != nil, "default "+string(f.Default))
	add(f.Min != nil || f.Max != nil, f.rangeWords())
	add(f.MaxItems > 0, "at most "+strconv.Itoa(f.MaxItems)+" entries")
	add(f.Format != "", f.Format)
	add(f.Separator != "", "joined with "+strconv.Quote(f.Separator))
	add(f.Secret, "secret")
	add(f.Alias != "", "on the wire "+f.Alias)
	add(f.Ref != "", "refers to "+f.Ref)
	add(len(f.Omitted) > 0, "left out by "+strings.Join(f.Omitted, ", "))
	add(len(f.Upstream) > 0, "upstream: "+strings.Join(f.Upstream, " "))
	return marks
}

func (f *Field) enumWords() string {
	words := make([]string, len(f.Enum))
	for i, v := range f.Enum {
		words[i] = strings.Trim(string(v), `"`)
		if words[i] == "" {
			words[i] = `""`
		}
	}
	text := "one of " + strings.Join(words, ", ")
	if f.Open {
		text += ", or others"
	}
	return text
}

func (f *Field) rangeWords() string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	switch {
	case f.Min == nil && f.Max == nil:
		return ""
	case f.Max == nil:
		return "at least " + number(*f.Min)
	case f.Min == nil:
		return "at most " + number(*f.Max)
	}
	return number(*f.Min) + " to " + number(*f.Max)
}

// Words tells how pages follow each other, one sentence each.
func (p *Page) Words() []string {
	if p.Style == "none" || p.Style == "" {
		return []string{"There is one page."}
	}
	var words []string
	if p.Send != "" {
		words = append(words, "Next page: "+p.Send+" = "+p.nextWords()+".")
	} else if p.Next != "" {
		words = append(words, "Next page: call "+p.nextWords()+".")
	}
	if p.Back != "" {
		words = append(words, "Previous page: "+p.Back+" = "+backWords(p)+".")
	}
	if p.More != "" {
		if field, negated := strings.CutPrefix(p.More, "!"); negated {
			words = append(words, "More pages exist while "+field+" is false.")
		} else {
			words = append(words, "More pages exist while "+p.More+" is true.")
		}
	}
	if p.Size != "" {
		text := "Page size: " + p.Size
		if p.DefaultSize > 0 {
			text += ", " + strconv.Itoa(p.DefaultSize) + " when left out"
		}
		words = append(words, text+".")
	}
	if p.Total != "" {
		words = append(words, "The answer tells the total in "+p.Total+".")
	}
	return words
}

func (p *Page) nextWords() string {
	if field, ok := strings.CutPrefix(p.Next, "last."); ok {
		return field + " of the last record"
	}
	switch p.Style {
	case "offset":
		if p.Next == "" {
			return "number of records read so far"
		}
	case "page":
		if p.Next == "" {
			return "number of the page after this one, from " + strconv.Itoa(p.First)
		}
	}
	where := p.Next
	if p.Meta != "" {
		where = "meta." + p.Meta
	}
	switch {
	case where == "":
		return "a value that the answer does not carry"
	case p.Meta == "" && strings.HasPrefix(where, "@link."):
		where = "the Link header (" + strings.TrimPrefix(where, "@link.") + ")"
	}
	switch p.NextIs {
	case "url":
		return "the value of the same name in the address at " + where
	case "path":
		return "the path at " + where
	}
	return where + " of the answer"
}

func backWords(p *Page) string {
	if field, ok := strings.CutPrefix(p.Next, "last."); ok {
		return field + " of the first record"
	}
	return "the value that the answer carries for it"
}
