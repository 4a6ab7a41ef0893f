package form

import (
	"cmp"
	"fmt"
	"slices"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

func (f *Form) find(p Path) (*input, error) {
	if in := f.at(p); in != nil {
		return in, nil
	}
	return nil, fmt.Errorf("the form has no input %s", place(p))
}

// SetText reads what was typed into an input by the input's type. The text is
// kept in any case; the error, also told by the row, says why it cannot be
// sent. An empty text makes an input absent ("" is set by SetEmpty), but for rows
// of a list and for inputs that list "" among their values. For a structured
// document the text is its plain text.
func (f *Form) SetText(p Path, text string) error {
	in, err := f.find(p)
	if err != nil {
		return err
	}
	if text == "" && !in.isRow() && !(in.unknown && in == f.held) && !slices.Contains(enumTexts(in.field), "") {
		return f.Unset(p)
	}
	in.read(text)
	in.arrive()
	if in.err != "" {
		return fmt.Errorf("%s: %s", place(p), in.err)
	}
	return nil
}

// Hold keeps the row of an input in its place while it is typed into, also while it holds
// nothing; until another is held.
func (f *Form) Hold(p Path) {
	if in := f.at(p); in != f.held {
		f.held = in
		f.touch()
	}
}

func (in *input) isRow() bool { return in.parent != nil && in.parent.isList() }

// SetNull sets an input to null.
func (f *Form) SetNull(p Path) error {
	in, err := f.find(p)
	if err != nil || in.parent == nil {
		return err
	}
	in.clear()
	in.state = Null
	in.arrive()
	return nil
}

// Unset makes an input absent; a row of a list is removed, a key that no field describes forgotten.
func (f *Form) Unset(p Path) error {
	in, err := f.find(p)
	if err != nil {
		return err
	}
	switch {
	case in.parent == nil:
		in.clear()
		in.state = Value
		f.touch()
	case in.isRow():
		return f.RemoveRow(p)
	default:
		in.clear()
		in.leave()
	}
	return nil
}

// SetEmpty sets an input to the empty value of its type: "", [] or {}.
// Numbers and booleans have none.
func (f *Form) SetEmpty(p Path) error {
	in, err := f.find(p)
	if err != nil {
		return err
	}
	kind := cmp.Or(in.kind, in.types[0])
	empty := map[string]string{"string": `""`, "any": `""`, "array": "[]", "object": "{}"}[kind]
	if empty == "" {
		return fmt.Errorf("%s is %s, which has no empty value", place(p), kind)
	}
	return f.SetValue(p, []byte(empty))
}

// arrive takes note that an input has a value now: its object holds it, at the end of the order.
func (in *input) arrive() {
	in.form.touch()
	for ; in.parent != nil; in = in.parent {
		p := in.parent
		if p.isJoined() {
			p.state = Value
			p.joinRows()
			continue
		}
		if p.kind != "array" {
			if p.state != Value || p.kind != "object" {
				p.setRaw("object", nil)
				p.implied = true
			}
			if !slices.Contains(p.order, in) {
				p.order = append(p.order, in)
			}
		}
	}
}

// leave takes note that an input has no value any more. Objects that only
// existed for its sake go as well.
func (in *input) leave() {
	in.form.touch()
	p := in.parent
	p.order = slices.DeleteFunc(p.order, func(c *input) bool { return c == in })
	if in.unknown {
		p.children = slices.DeleteFunc(p.children, func(c *input) bool { return c == in })
	}
	if len(p.order) == 0 && p.implied && p.parent != nil && !p.isRow() {
		p.clear()
		p.leave()
	}
}

// AddRow puts a row at the end of a list, and returns its path. A list that was absent comes to be.
func (f *Form) AddRow(p Path) (Path, error) {
	in, err := f.find(p)
	if err != nil {
		return "", err
	}
	if in.kind == "" && in.takes("array") && !in.isContainer() {
		in.kind = "array"
	}
	if !in.isList() {
		return "", fmt.Errorf("%s is no list", place(p))
	}
	row := newInput(f, in, "", in.element(), Value)
	row.blank()
	in.children = append(in.children, row)
	in.state, in.expanded = Value, true
	row.arrive()
	return row.path(), nil
}

// blank gives a new row a value: the empty one of its type, or a gap to be filled.
func (in *input) blank() {
	switch kind := cmp.Or(in.kind, in.types[0]); kind {
	case "object", "array":
		in.kind, in.expanded = kind, true
	case "string", "any":
		in.setRaw("string", []byte(`""`))
	default:
		in.state, in.bad, in.err = Value, true, "needs a value"
	}
}

func (f *Form) findRow(p Path) (*input, error) {
	in, err := f.find(p)
	if err == nil && !in.isRow() {
		err = fmt.Errorf("%s is no row of a list", place(p))
	}
	return in, err
}

// RemoveRow takes a row out of its list, which stays, empty if need be.
func (f *Form) RemoveRow(p Path) error {
	in, err := f.findRow(p)
	if err != nil {
		return err
	}
	list := in.parent
	list.children = slices.DeleteFunc(list.children, func(c *input) bool { return c == in })
	if list.isJoined() {
		list.joinRows()
	}
	list.arrive()
	return nil
}

// MoveRow shifts a row within its list and returns its new path, the old one at either end.
func (f *Form) MoveRow(p Path, by int) (Path, error) {
	in, err := f.findRow(p)
	if err != nil {
		return p, err
	}
	list := in.parent
	i := slices.Index(list.children, in)
	j := i + by
	if j < 0 || j >= len(list.children) {
		return p, nil
	}
	list.children = slices.Insert(slices.Delete(list.children, i, i+1), j, in)
	in.arrive()
	return in.path(), nil
}

// SetRows replaces the rows of a list of scalars by texts, read like typed ones.
func (f *Form) SetRows(p Path, texts []string) error {
	in, err := f.find(p)
	if err != nil {
		return err
	}
	if !in.isList() && !in.takes("array") {
		return fmt.Errorf("%s is no list", place(p))
	}
	if !in.isJoined() {
		in.kind = "array"
	}
	in.children, in.state = nil, Value
	for _, t := range texts {
		row := newInput(f, in, "", in.element(), Value)
		in.children = append(in.children, row)
		row.read(t)
	}
	if in.isJoined() {
		in.joinRows()
	}
	in.arrive()
	return nil
}

// AddKey adds a member to a map, or to an object that takes further keys, and returns its path.
func (f *Form) AddKey(p Path, key string) (Path, error) {
	in, err := f.find(p)
	if err != nil {
		return "", err
	}
	if in.kind == "" && in.takes("object") {
		in.kind = "object"
	}
	if !in.isMap() {
		return "", fmt.Errorf("%s takes no keys of one's own", place(p))
	}
	if in.member(key) != nil {
		return "", fmt.Errorf("%s has a key %q already", place(p), key)
	}
	c := in.addUnknown(key)
	c.blank()
	c.arrive()
	in.expanded = true
	return c.path(), nil
}

// ChooseMember picks the member to give of an object of which exactly one may
// be given; the others become absent.
func (f *Form) ChooseMember(p Path, name string) error {
	in, err := f.find(p)
	if err != nil {
		return err
	}
	chosen := in.member(name)
	if chosen == nil {
		return fmt.Errorf("%s has no member %q", place(p), name)
	}
	for _, c := range in.children {
		if c != chosen && !c.unknown && c.state != Absent {
			c.clear()
			in.order = slices.DeleteFunc(in.order, func(o *input) bool { return o == c })
		}
	}
	if chosen.state == Absent {
		chosen.blank()
	}
	in.expanded = true
	chosen.arrive()
	return nil
}

// Types returns the types an input can be given, for choosing among those of a union.
func (f *Form) Types(p Path) []string {
	in := f.at(p)
	if in == nil {
		return nil
	}
	if slices.Contains(in.types, "any") {
		return []string{"string", "number", "boolean", "object", "array"}
	}
	return slices.Clone(in.types)
}

// SetType chooses the type of an input of a union. A value that reads as the
// new type is kept, others become empty.
func (f *Form) SetType(p Path, kind string) error {
	in, err := f.find(p)
	if err != nil {
		return err
	}
	if !in.takes(kind) {
		return fmt.Errorf("%s is %s and cannot be %s", place(p), in.field.Type, kind)
	}
	text, had := in.shown(), in.state == Value && !in.isContainer()
	in.clear()
	in.forced, in.kind, in.state = kind, kind, Value
	if had && text != "" && kind != "object" && kind != "array" {
		in.read(text)
	} else {
		in.blank()
	}
	in.arrive()
	return nil
}

// Fold opens or closes an object or list. The path of FoldRest is that of the
// rarely used optional inputs.
func (f *Form) Fold(p Path, open bool) {
	if p == FoldRest {
		for _, in := range f.root.children {
			if open && !f.restOpen {
				in.rest = in.state == Absent
			}
		}
		f.restOpen = open
	} else if in := f.at(p); in != nil {
		in.expanded = open
	}
	f.touch()
}

// Options returns the texts that an input takes or, for one whose field is
// open, knows; nil when any value will do.
func (f *Form) Options(p Path) []string {
	in := f.at(p)
	switch {
	case in == nil:
		return nil
	case in.field.OneOf:
		return catalog.FieldNames(in.field.Members)
	}
	out := enumTexts(in.field)
	if len(in.field.Const) > 0 {
		out = append(out, decodeText(in.field.Const))
	}
	if out == nil && slices.Contains(in.types, "boolean") {
		return []string{"true", "false"}
	}
	return out
}

// FillDefault sets an input to its documented default and reports whether it has one.
func (f *Form) FillDefault(p Path) bool {
	in := f.at(p)
	if in == nil || len(in.field.Default) == 0 || !rawjson.Valid(in.field.Default) {
		return false
	}
	return f.SetValue(p, in.field.Default) == nil
}
