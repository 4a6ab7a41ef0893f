// Package form holds the params of an action as a tree of inputs that a person
// fills in: text is read by type as it is typed, absent, null and empty are told
// apart, and the JSON value and the inputs are always the same thing. It knows
// nothing of screens.
//
// It may import catalog and rawjson; it draws nothing.
package form

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
)

// Path leads to an input, as a JSON Pointer (RFC 6901): "/created/gte", "/items/0". The root is "".
type Path string

// Child returns the path of a member or row.
func (p Path) Child(name string) Path {
	if strings.ContainsAny(name, "~/") {
		name = strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	return p + "/" + Path(name)
}

// Names splits the path into member names and row numbers.
func (p Path) Names() []string {
	if p == "" {
		return nil
	}
	names := strings.Split(string(p[1:]), "/")
	for i, n := range names {
		if strings.Contains(n, "~") {
			names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(n)
		}
	}
	return names
}

// String writes the path for people: "created.gte", "items[0]".
func (p Path) String() string {
	var b strings.Builder
	for i, n := range p.Names() {
		if _, err := strconv.Atoi(n); err == nil && i > 0 {
			n = "[" + n + "]"
		} else if i > 0 {
			n = "." + n
		}
		b.WriteString(n)
	}
	return b.String()
}

// State reports whether an input has a value.
type State string

// The states of an input. A Value may be empty: "", [] or {}.
const (
	Absent State = "absent"
	Null   State = "null"
	Value  State = "value"
)

// Options are what a form needs to know beside its fields.
type Options struct {
	// Rules are checks across the fields.
	Rules []catalog.Rule
	// Free lets keys be added that no field describes.
	Free bool
	// Filled reports whether the connector's own configuration gives a field its
	// value, so that it is not asked for; nil where none does.
	Filled func(*catalog.Field) bool
	// Now is the clock for words like today and -7d; nil for the system's.
	Now func() time.Time
	// Zone is the time zone in which dates without one are meant; nil for UTC.
	Zone *time.Location
}

// Form is the value of an object being filled in. It is not safe for several goroutines.
type Form struct {
	root    *input
	options Options
	// action holds the fields and rules for the checks of the whole value.
	action catalog.Action
	// restOpen is set when the optional inputs that are rarely used are unfolded.
	restOpen bool
	// held is the input that is typed into: it keeps its row whatever it holds.
	held    *input
	version int
	rows    []Row
	rowsFor int
	// problems are those of the version judgedFor.
	problems  []Problem
	judgedFor int
}

// New makes an empty form of fields, such as the credential fields of a kind.
func New(fields []catalog.Field, o Options) *Form {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	f := &Form{options: o, version: 1}
	f.action = catalog.Action{Params: fields, Rules: o.Rules, FreeBody: o.Free}
	f.root = newInput(f, nil, "", &catalog.Field{Type: "object", Members: fields}, Value)
	f.root.expanded = true
	return f
}

// ForAction makes the empty form of an action's params. Actions whose params
// nobody knows, and those with a free body, take keys of any name.
func ForAction(a *catalog.Action, o Options) *Form {
	o.Rules = a.Rules
	o.Free = a.ParamsUnknown || a.FreeBody
	f := New(a.Params, o)
	f.action = *a
	return f
}

// Version changes with every change of the form.
func (f *Form) Version() int { return f.version }

func (f *Form) touch() { f.version++ }

// input is one line of the form: a scalar, an object, a list or a map.
type input struct {
	form   *Form
	parent *input
	// name is the key in the parent; rows of a list have none.
	name  string
	field *catalog.Field
	state State
	// kind is what the value is: a type word of the catalog, "" for not yet chosen.
	kind string
	// forced is the type that the person chose among those of a union.
	forced string
	// raw is a scalar as JSON; text what was typed when it cannot be read, err why.
	raw  json.RawMessage
	text string
	bad  bool
	err  string
	// children are the known members, then unknown ones; or the rows of a list.
	children []*input
	// order are the members that have a value, as they stand in the JSON text.
	order []*input
	// unknown marks members that no field describes.
	unknown bool
	// rest is set on inputs that were rarely used ones when those were unfolded.
	rest bool
	// implied is set on objects that came to be because a member got a value.
	implied  bool
	expanded bool
	// types are the words of the field's type.
	types []string
}

var anyField = catalog.Field{Type: "any"}

func newInput(f *Form, parent *input, name string, field *catalog.Field, state State) *input {
	in := &input{form: f, parent: parent, name: name, field: field, state: state}
	in.types = strings.Split(cmp.Or(field.Type, "any"), "|")
	in.grow()
	return in
}

// union reports whether the type of the value can be chosen.
func (in *input) union() bool { return len(in.types) > 1 || in.types[0] == "any" }

// grow makes the inputs of an object's known members, for a value of which only the
// field tells the type.
func (in *input) grow() {
	if in.kind = ""; !in.union() {
		in.kind = in.types[0]
	}
	if len(in.children) == 0 && in.takes("object") {
		in.growAnyway()
	}
}

func (in *input) growAnyway() {
	in.children = nil
	for i := range in.field.Members {
		m := &in.field.Members[i]
		in.children = append(in.children, newInput(in.form, in, m.Name, m, Absent))
	}
}

func (in *input) takes(kind string) bool {
	return slices.Contains(in.types, kind) || slices.Contains(in.types, "any")
}

// isList reports whether the children are rows.
func (in *input) isList() bool { return in.kind == "array" || in.isJoined() }

// isJoined reports whether the value is a text that holds several, joined by a separator.
func (in *input) isJoined() bool { return in.field.Separator != "" && in.kind == "string" }

func (in *input) isContainer() bool { return in.kind == "object" || in.kind == "array" }

// isMap reports whether the object's keys are the person's to choose.
func (in *input) isMap() bool {
	return in.kind == "object" && (in.field.Values != nil || len(in.field.Members) == 0 ||
		in.parent == nil && in.form.options.Free)
}

// element is the field of a list's rows or a map's values.
func (in *input) element() *catalog.Field {
	switch {
	case in.isJoined():
		f := *in.field
		f.Separator, f.Default = "", nil
		return &f
	case in.kind == "array" && in.field.Items != nil:
		return in.field.Items
	case in.kind == "object" && in.field.Values != nil:
		return in.field.Values
	}
	return &anyField
}

func (in *input) path() Path {
	if in.parent == nil {
		return ""
	}
	return in.parent.childPath(in.parent.path(), slices.Index(in.parent.children, in))
}

// childPath is the path of a member or row of the input at p.
func (in *input) childPath(p Path, i int) Path {
	if in.isList() {
		return p + "/" + Path(strconv.Itoa(i))
	}
	return p.Child(in.children[i].name)
}

func (in *input) member(name string) *input {
	if i := slices.IndexFunc(in.children, func(c *input) bool { return c.name == name }); i >= 0 {
		return in.children[i]
	}
	return nil
}

// at finds the input at a path; nil when there is none.
func (f *Form) at(p Path) *input {
	in := f.root
	for _, name := range p.Names() {
		if !in.isList() {
			if in = in.member(name); in == nil {
				return nil
			}
			continue
		}
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(in.children) {
			return nil
		}
		in = in.children[i]
	}
	return in
}
