package form

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
)

// FoldRest is the path of the row that unfolds the rarely used optional inputs.
const FoldRest Path = "~rest"

// Widget says what suits an input on a screen.
type Widget string

// The widgets.
const (
	WidgetText     Widget = "text"
	WidgetNumber   Widget = "number"
	WidgetChoice   Widget = "choice" // one of Options
	WidgetList     Widget = "list"   // rows
	WidgetObject   Widget = "object" // members
	WidgetMap      Widget = "map"    // members with free keys
	WidgetOneOf    Widget = "one of" // members of which one is chosen
	WidgetTime     Widget = "time"
	WidgetDocument Widget = "document"
	WidgetFold     Widget = "fold"
)

// Row is one visible line of the form.
type Row struct {
	Path  Path
	Depth int
	Label string
	// Type is the type for people: "integer 1..100", "string|null".
	Type   string
	Widget Widget
	State  State
	// Display is the value as shown: masked when Secret, a summary for objects and
	// lists; Edit the text that an editor starts with (also of secrets).
	Display string
	Edit    string
	// Sends is the JSON value that goes out, where it differs from what was typed.
	Sends string
	// Error says why the input cannot be sent; empty when it can.
	Error string
	// Hint are limits, default, choices and notes in a line; Doc the catalog's sentence.
	Hint string
	Doc  string
	// Required inputs must be given; Injected ones are filled by the service when
	// absent; Unknown ones are described by no field.
	Required, Injected, Unknown, Secret bool
	// Union is set when the type can be chosen; Kind is the present one.
	Union      bool
	Kind       string
	Expandable bool
	Expanded   bool
	// ListItem is set on rows of a list: they can be moved and removed.
	ListItem bool
	// Ref names the entity whose key the value is: "entity" or "entity.field".
	Ref string
}

// Rows returns the visible lines in order: required inputs, then the common
// ones and those with a value, then the fold and, when it is open, the rest.
// The result is shared until the form changes and must not be written to.
func (f *Form) Rows() []Row {
	if f.rowsFor == f.version {
		return f.rows
	}
	f.rows = f.rows[:0]
	groups := f.ranked()
	for _, in := range slices.Concat(groups[0], groups[1]) {
		f.addRows(in, Path("").Child(in.name), 0)
	}
	if rest := len(groups[2]); rest > 0 {
		f.rows = append(f.rows, Row{Path: FoldRest, Label: strconv.Itoa(rest) + " more optional", Widget: WidgetFold,
			Expandable: true, Expanded: f.restOpen})
	}
	for _, in := range groups[2] {
		if f.restOpen {
			f.addRows(in, Path("").Child(in.name), 0)
		}
	}
	f.rowsFor = f.version
	return f.rows
}

// ranked parts the top inputs into required, common and rest. Inputs of the
// rest that have a value stand with the common ones, but while the rest is
// unfolded every input stays where it is: somebody may be typing into it. A form
// of few optional inputs has no rest, and the order of its inputs never changes.
func (f *Form) ranked() (groups [3][]*input) {
	var optional []*input
	for _, in := range f.root.children {
		switch {
		case in.field.Required && !in.filled():
			groups[0] = append(groups[0], in)
		case in.field.Common || in.unknown:
			groups[1] = append(groups[1], in)
		default:
			optional = append(optional, in)
		}
	}
	common := groups[1]
	for _, in := range optional {
		if f.restOpen && in.rest || !f.restOpen && in.state == Absent && in != f.held {
			groups[2] = append(groups[2], in)
		} else {
			groups[1] = append(groups[1], in)
		}
	}
	if !f.restOpen && len(groups[2]) <= foldAbove || len(f.root.children) <= foldFrom {
		groups[1] = append(slices.Clip(common), optional...)
		groups[2] = nil
	}
	return groups
}

// Forms of at most foldFrom inputs, or with at most foldAbove rare ones, fold nothing.
const (
	foldFrom  = 8
	foldAbove = 2
)

func (f *Form) addRows(in *input, p Path, depth int) {
	f.rows = append(f.rows, in.row(p, depth))
	for i, c := range in.children {
		if in.expanded {
			f.addRows(c, in.childPath(p, i), depth+1)
		}
	}
}

// Row returns the line of one input, also when it is folded away.
func (f *Form) Row(p Path) (Row, bool) {
	in := f.at(p)
	if in == nil || in.parent == nil {
		return Row{}, false
	}
	return in.row(p, len(p.Names())-1), true
}

func (in *input) row(p Path, depth int) Row {
	fd := in.field
	r := Row{Path: p, Depth: depth, Label: in.name, State: in.state, Widget: in.widget(), Type: in.typeText(),
		Error: in.form.errorAt(p), Doc: fd.Doc, Hint: in.hint(), Required: fd.Required && !in.filled(),
		Injected: in.filled(),
		Unknown:  in.unknown && !in.parent.isMap(), Secret: fd.Secret, Union: in.union(),
		Kind: in.kind, Expanded: in.expanded, Ref: fd.Ref}
	r.Expandable = len(in.children) > 0 || in.kind == "object" || in.isList()
	if r.ListItem = in.isRow(); r.ListItem {
		r.Label = "[" + string(p[strings.LastIndexByte(string(p), '/')+1:]) + "]"
	}
	r.Display, r.Edit = in.display()
	if in.widget() == WidgetTime && in.state == Value && !in.bad {
		r.Sends = string(in.raw)
	}
	return r
}

func (in *input) widget() Widget {
	fd := in.field
	switch {
	case fd.Format == "document":
		return WidgetDocument
	case fd.OneOf:
		return WidgetOneOf
	case in.isList():
		return WidgetList
	case in.kind == "object" && len(fd.Members) == 0:
		return WidgetMap
	case in.kind == "object":
		return WidgetObject
	case isTimeFormat(fd.Format):
		return WidgetTime
	case len(fd.Enum) > 0 || in.kind == "boolean" || len(fd.Const) > 0:
		return WidgetChoice
	case in.kind == "integer" || in.kind == "number":
		return WidgetNumber
	}
	return WidgetText
}

const mask = "••••••••"

// display returns the value as shown and as edited.
func (in *input) display() (shown, edit string) {
	switch in.state {
	case Absent:
		if in.filled() {
			return in.filler(), ""
		}
		return "", ""
	case Null:
		return "null", ""
	}
	edit = in.shown()
	switch {
	case in.isContainer() && !in.bad:
		if in.field.Format == "document" {
			raw := in.appendJSON(nil)
			if text, plain := DocumentText(raw); plain {
				return text, text
			}
			edit = string(raw)
		} else if edit = ""; in.kind == "array" {
			return summary(len(in.children), "row", "[]"), ""
		}
		return summary(len(in.order), "member", "{}"), edit
	case in.field.Secret && edit != "":
		return mask, edit
	case edit == "" && !in.bad:
		return `""`, ""
	}
	return edit, edit
}

func summary(n int, word, empty string) string {
	if n == 0 {
		return empty
	}
	if n > 1 {
		word += "s"
	}
	return strconv.Itoa(n) + " " + word
}

func (in *input) typeText() string {
	fd := in.field
	text := cmp.Or(fd.Type, "any")
	if in.unknown && in.kind != "" && text == "any" && in.parent.isMap() {
		return in.kind // nothing is described, so it is what the person made it
	}
	if fd.Items != nil && fd.Items.Type != "" && in.takes("array") {
		text = strings.Replace(text, "array", "array of "+fd.Items.Type, 1)
	}
	if fd.Format != "" {
		text += " (" + fd.Format + ")"
	}
	if fd.Nullable {
		text += "|null"
	}
	return text
}

// hint joins what a person should know before typing.
func (in *input) hint() string {
	fd := in.field
	var parts []string
	switch {
	case fd.Min != nil && fd.Max != nil:
		parts = append(parts, plain(*fd.Min)+" to "+plain(*fd.Max))
	case fd.Min != nil:
		parts = append(parts, plain(*fd.Min)+" or more")
	case fd.Max != nil:
		parts = append(parts, "at most "+plain(*fd.Max))
	}
	if fd.MaxItems > 0 {
		parts = append(parts, "at most "+strconv.Itoa(fd.MaxItems)+" entries")
	}
	if len(fd.Default) > 0 {
		parts = append(parts, "default "+decodeText(fd.Default))
	}
	if len(fd.Enum) > 0 {
		parts = append(parts, "one of "+strings.Join(enumTexts(fd), ", "))
	}
	if fd.Separator != "" {
		parts = append(parts, "several joined with "+strconv.Quote(fd.Separator))
	}
	if in.filled() {
		parts = append(parts, in.filler())
	}
	return strings.Join(parts, "; ")
}

// Problem is a reason not to send the form, or to look twice.
type Problem struct {
	// Path is the input that is wrong; "" for a rule across several.
	Path Path
	Text string
	// Warning marks what looks wrong but may be taken.
	Warning bool
}

// String is the problem in one sentence that names its place.
func (p Problem) String() string {
	if place := p.Path.String(); place != "" && !strings.HasPrefix(p.Text, place) {
		return place + ": " + p.Text
	}
	return p.Text
}

// Problems returns everything that is wrong, as the checks of the catalog say it:
// rules across inputs first, then inputs in their order. A typed text that is no value
// at all is told beside them. An input has one problem at most, its row's error. The
// result is shared until the form changes.
func (f *Form) Problems() []Problem {
	if f.judgedFor == f.version {
		return f.problems
	}
	j := &judgment{form: f, order: map[Path]int{"": -1}, places: map[string]Path{"": ""}, seen: map[Path]bool{}}
	j.typed(f.root, "")
	for _, v := range catalog.CheckParams(&f.action, f.JSON(), f.options.Filled) {
		j.take(v)
	}
	slices.SortStableFunc(j.found, func(a, b Problem) int { return cmp.Compare(j.order[a.Path], j.order[b.Path]) })
	f.problems, f.judgedFor = j.found, f.version
	return f.problems
}

// judgment puts what is wrong to the inputs that it is about.
type judgment struct {
	form   *Form
	order  map[Path]int
	places map[string]Path // by the names that the catalog's checks use
	seen   map[Path]bool
	found  []Problem
}

// typed notes where the inputs below in are, and texts in them that are no values.
func (j *judgment) typed(in *input, p Path) {
	for i, c := range in.children {
		at := in.childPath(p, i)
		j.order[at] = len(j.order)
		j.places[at.String()] = at
		if c.err != "" {
			j.seen[at] = true
			j.found = append(j.found, Problem{Path: at, Text: c.err})
		}
		if c.state == Value {
			j.typed(c, at)
		}
	}
}

// take puts a violation to its input, or to the nearest above that there is.
func (j *judgment) take(v catalog.Violation) {
	at, known := j.places[v.Path]
	for path := v.Path; !known; at, known = j.places[path] {
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	// What speaks of several params at once belongs to no single input.
	if slices.ContainsFunc(j.form.action.Rules, func(r catalog.Rule) bool {
		return r.Rule == v.Rule && r.Text == v.Message && r.In == "" && len(r.Params) > 1 &&
			(r.Rule == "at_least_one" || r.Rule == "exactly_one")
	}) {
		at = ""
	}
	if at == "" || !j.seen[at] {
		j.seen[at] = true
		j.found = append(j.found, Problem{Path: at, Text: v.Message, Warning: v.Severity == catalog.SeverityWarning})
	}
}

// errorAt is why the value of an input cannot be sent; "" where it can.
func (f *Form) errorAt(p Path) string {
	for _, problem := range f.Problems() {
		if problem.Path == p && p != "" && !problem.Warning {
			return problem.Text
		}
	}
	return ""
}

// filled reports whether somebody else gives the input its value.
func (in *input) filled() bool {
	filled := in.form.options.Filled
	return in.field.Injected || filled != nil && in.parent == in.form.root && filled(in.field)
}

func (in *input) filler() string {
	switch {
	case in.field.Injected:
		return "filled by the service"
	case in.field.Send:
		return "sent as " + decodeText(in.field.Default)
	}
	return "filled by the configuration"
}
