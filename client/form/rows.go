package form

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
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
	rest := 0
	groups := f.ranked()
	for _, in := range slices.Concat(groups[0], groups[1]) {
		f.addRows(in, "", 0)
	}
	rest = len(groups[2])
	if rest > 0 {
		f.rows = append(f.rows, Row{Path: FoldRest, Label: restLabel(rest), Widget: WidgetFold, Expandable: true, Expanded: f.restOpen})
	}
	if f.restOpen {
		for _, in := range groups[2] {
			f.addRows(in, "", 0)
		}
	}
	f.rowsFor = f.version
	return f.rows
}

func restLabel(n int) string {
	if n == 1 {
		return "1 more optional"
	}
	return strconv.Itoa(n) + " more optional"
}

// ranked parts the top inputs into required, common and rest. Inputs of the
// rest that have a value stand with the common ones, but while the rest is
// unfolded every input stays where it is: somebody may be typing into it. A form
// of few optional inputs has no rest, and the order of its inputs never changes.
func (f *Form) ranked() (groups [3][]*input) {
	var optional []*input
	for _, in := range f.root.children {
		switch {
		case in.field.Required && !in.field.Injected:
			groups[0] = append(groups[0], in)
		case in.field.Common || in.unknown:
			groups[1] = append(groups[1], in)
		default:
			optional = append(optional, in)
		}
	}
	common := groups[1]
	for _, in := range optional {
		if f.inRest(in) {
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

// inRest tells whether an optional input belongs to the rest now.
func (f *Form) inRest(in *input) bool {
	if f.restOpen {
		return in.rest
	}
	return in.state == Absent
}

// openRest unfolds the rest, or folds it again.
func (f *Form) openRest(open bool) {
	if open && !f.restOpen {
		for _, in := range f.root.children {
			in.rest = in.state == Absent
		}
	}
	f.restOpen = open
}

// Forms of at most foldFrom inputs, or with at most foldAbove rare ones, fold nothing.
const (
	foldFrom  = 8
	foldAbove = 2
)

func (f *Form) addRows(in *input, parent Path, depth int) {
	p := parent.Child(in.key())
	f.rows = append(f.rows, in.row(p, depth))
	if !in.expanded {
		return
	}
	for i, c := range in.children {
		if in.isList() {
			f.listRow(c, p, i, depth+1)
		} else {
			f.addRows(c, p, depth+1)
		}
	}
}

// listRow adds a row of a list, whose key is known without searching for it.
func (f *Form) listRow(in *input, parent Path, i, depth int) {
	p := parent + "/" + Path(strconv.Itoa(i))
	f.rows = append(f.rows, in.row(p, depth))
	r := &f.rows[len(f.rows)-1]
	r.ListItem = true
	r.Label = "[" + strconv.Itoa(i) + "]"
	if !in.expanded {
		return
	}
	for j, c := range in.children {
		if in.isList() {
			f.listRow(c, p, j, depth+1)
		} else {
			f.addRows(c, p, depth+1)
		}
	}
}

// Row returns the line of one input, also when it is folded away.
func (f *Form) Row(p Path) (Row, bool) {
	in := f.at(p)
	if in == nil || in.parent == nil {
		return Row{}, false
	}
	r := in.row(p, len(p.Names())-1)
	r.ListItem = in.isRow()
	if r.ListItem {
		r.Label = "[" + in.key() + "]"
	}
	return r, true
}

func (in *input) row(p Path, depth int) Row {
	fd := in.field
	r := Row{Path: p, Depth: depth, Label: in.name, State: in.state, Widget: in.widget(), Type: in.typeText(),
		Error: in.problem(), Doc: fd.Doc, Hint: in.hint(), Required: fd.Required && !fd.Injected, Injected: fd.Injected,
		Unknown: in.unknown && !in.parent.isMap(), Secret: fd.Secret, Union: len(in.types) > 1 || in.types[0] == "any",
		Kind: in.kind, Expanded: in.expanded, Ref: fd.Ref}
	r.Expandable = len(in.children) > 0 || in.kind == "object" || in.isList()
	r.Display, r.Edit = in.display()
	if in.widget() == WidgetTime && in.state == Value && !in.bad {
		r.Sends = string(in.raw)
	}
	return r
}

// problem is what is wrong with this input alone.
func (in *input) problem() string {
	switch {
	case in.err != "":
		return in.err
	case in.state == Absent && in.field.Required && !in.field.Injected && in.parent.state == Value:
		return "needs a value"
	case in.state == Null && !in.field.Nullable && in.field.Required && !in.takes("any"):
		return "must not be null"
	}
	return in.valueProblem()
}

// valueProblem checks a value that came as JSON and so was not read by type.
func (in *input) valueProblem() string {
	if in.state != Value || in.bad {
		return ""
	}
	fd := in.field
	if in.kind != "" && !in.takes(in.kind) && !(in.kind == "integer" && in.takes("number")) {
		return "wants " + wanted(in.types) + ", not " + article(in.kind)
	}
	switch in.kind {
	case "integer", "number":
		_, problem := in.parseNumber(in.kind, string(in.raw))
		return problem
	case "string":
		if len(fd.Enum) > 0 && fd.Separator == "" {
			return enumProblem(fd, in.shown())
		}
		if fd.MaxItems > 0 && fd.Separator != "" && len(in.children) > fd.MaxItems {
			return fmt.Sprintf("holds %d entries; at most %d are taken", len(in.children), fd.MaxItems)
		}
	case "array":
		if fd.MaxItems > 0 && len(in.children) > fd.MaxItems {
			return fmt.Sprintf("holds %d rows; at most %d are taken", len(in.children), fd.MaxItems)
		}
	case "object":
		return in.oneOfProblem()
	}
	if len(fd.Const) > 0 && !sameJSON(in.appendJSON(nil), fd.Const) {
		return "is always " + decodeText(fd.Const)
	}
	return ""
}

func (in *input) oneOfProblem() string {
	if !in.field.OneOf || len(in.order) == 1 {
		return ""
	}
	names := make([]string, len(in.field.Members))
	for i := range in.field.Members {
		names[i] = in.field.Members[i].Name
	}
	return "give exactly one of " + strings.Join(names, ", ")
}

func wanted(types []string) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = article(t)
	}
	return strings.Join(words, " or ")
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
		if in.field.Injected {
			return "filled by the service", ""
		}
		return "", ""
	case Null:
		return "null", ""
	}
	if in.isContainer() && !in.bad {
		return in.displayContainer()
	}
	edit = in.shown()
	switch {
	case in.field.Secret && edit != "":
		return mask, edit
	case edit == "" && !in.bad:
		return `""`, ""
	}
	return edit, edit
}

func (in *input) displayContainer() (string, string) {
	if in.field.Format == "document" {
		raw := in.appendJSON(nil)
		if text, plain := DocumentText(raw); plain {
			return text, text
		}
		return summary(len(in.order), "member", "{}"), string(raw)
	}
	if in.kind == "array" {
		return summary(len(in.children), "row", "[]"), ""
	}
	return summary(len(in.order), "member", "{}"), ""
}

func summary(n int, word, empty string) string {
	switch n {
	case 0:
		return empty
	case 1:
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

func (in *input) typeText() string {
	fd := in.field
	text := fd.Type
	if text == "" {
		text = "any"
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
		parts = append(parts, "one of "+enumText(fd))
	}
	if fd.Separator != "" {
		parts = append(parts, "several joined with "+strconv.Quote(fd.Separator))
	}
	if fd.Injected {
		parts = append(parts, "filled by the service")
	}
	return strings.Join(parts, "; ")
}
