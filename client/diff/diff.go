// Package diff tells JSON values, records and runs apart: by key, field by
// field, with numbers compared by value and members in any order.
//
// It asks nobody, and imports nothing of the screen.
package diff

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Kind says what happened to a value from A to B.
type Kind uint8

// The kinds of changes.
const (
	Added Kind = iota + 1
	Removed
	Changed
)

// String returns the word for people.
func (k Kind) String() string {
	return [...]string{"", "added", "removed", "changed"}[k]
}

// Change is one place where B differs from A.
type Change struct {
	// Path leads to the value in B, or in A where it was removed.
	Path rawjson.Path
	Kind Kind
	// A and B are the values; the zero Node where there is none.
	A, B rawjson.Node
}

// Options say what is known about the values.
type Options struct {
	// Fields are the catalog's record fields: a field's neutral and wire name are
	// the same field. May be nil.
	Fields []catalog.Field
	// Max bounds the changes that are listed; 0 is 10,000.
	Max int
}

// Result lists the differences of two values.
type Result struct {
	Changes []Change
	// More is set when there are more than were listed.
	More bool
}

// deepest is the nesting down to which values are taken apart; deeper ones are
// compared as received.
const deepest = 64

// Diff lists what differs from a to b: members by name, elements of arrays by
// their key where all have one (id, key, name), else by place. The error is
// that of ctx.
func Diff(ctx context.Context, a, b rawjson.Node, o Options) (Result, error) {
	d := &differ{ctx: ctx, most: o.Max}
	if d.most <= 0 {
		d.most = 10_000
	}
	d.value(nil, o.Fields, a, b)
	return Result{d.out, d.more}, ctx.Err()
}

type differ struct {
	ctx  context.Context
	most int
	out  []Change
	more bool
	seen int
}

// full reports whether there is no use in continuing.
func (d *differ) full() bool {
	d.seen++
	if d.seen%256 == 0 && d.ctx.Err() != nil {
		d.more = true
	}
	return d.more
}

func (d *differ) add(path rawjson.Path, kind Kind, a, b rawjson.Node) {
	if len(d.out) == d.most {
		d.more = true
		return
	}
	d.out = append(d.out, Change{slices.Clone(path), kind, a, b})
}

func (d *differ) value(path rawjson.Path, fields []catalog.Field, a, b rawjson.Node) {
	switch {
	case d.full():
		return
	case !a.Exists() && !b.Exists():
	case !a.Exists():
		d.add(path, Added, a, b)
	case !b.Exists():
		d.add(path, Removed, a, b)
	case a.Kind() != b.Kind() || len(path) >= deepest:
		if !Equal(a, b) {
			d.add(path, Changed, a, b)
		}
	case a.Kind() == rawjson.Object:
		d.object(path, fields, a, b)
	case a.Kind() == rawjson.Array:
		d.array(path, fields, a, b)
	case !Equal(a, b):
		d.add(path, Changed, a, b)
	}
}

func (d *differ) object(path rawjson.Path, fields []catalog.Field, a, b rawjson.Node) {
	left, right := membersOf(a, fields), membersOf(b, fields)
	for _, m := range left.list {
		k, ok := right.at[m.name]
		at := path.With(rawjson.Name(m.received))
		if !ok {
			d.value(at, nil, m.value, rawjson.Node{})
			continue
		}
		other := right.list[k]
		var below []catalog.Field // inside the field: its members, or those of its elements
		if f := catalog.FieldByName(fields, m.name); f != nil && f.Items != nil {
			below = f.Items.Members
		} else if f != nil {
			below = f.Members
		}
		d.value(path.With(rawjson.Name(other.received)), below, m.value, other.value)
	}
	for _, m := range right.list {
		if _, ok := left.at[m.name]; !ok {
			d.value(path.With(rawjson.Name(m.received)), nil, rawjson.Node{}, m.value)
		}
	}
}

// member is a value under its neutral name and the name it was received with.
type member struct {
	name, received string
	value          rawjson.Node
}

// members are those of one object in order; of a name that occurs twice the first.
type members struct {
	list []member
	at   map[string]int
}

func membersOf(n rawjson.Node, fields []catalog.Field) members {
	out := members{at: map[string]int{}}
	for m := range n.Members() {
		received := m.Key()
		name := Neutral(fields, received)
		if _, twice := out.at[name]; !twice {
			out.at[name] = len(out.list)
			out.list = append(out.list, member{name, received, m.Value})
		}
	}
	return out
}

// Neutral is the neutral name of a field that may go by its wire name.
func Neutral(fields []catalog.Field, name string) string {
	if f := catalog.FieldByName(fields, name); f != nil {
		return f.Name
	}
	return name
}

// keyNames are members that identify the elements of an array.
var keyNames = [...]string{"id", "key", "name"}

// array pairs elements by their keys, where all of them have one of their own.
func (d *differ) array(path rawjson.Path, fields []catalog.Field, a, b rawjson.Node) {
	left, right := slices.Collect(a.Elems()), slices.Collect(b.Elems())
	for _, name := range keyNames {
		x, inLeft := keyed(left, name)
		y, inRight := keyed(right, name)
		if len(x)+len(y) == 0 || len(x) < len(left) || len(y) < len(right) {
			continue
		}
		for i, e := range left {
			if k, ok := inRight[x[i]]; ok {
				d.value(path.With(rawjson.At(k)), fields, e, right[k])
			} else {
				d.value(path.With(rawjson.At(i)), nil, e, rawjson.Node{})
			}
		}
		for k, e := range right {
			if _, ok := inLeft[y[k]]; !ok {
				d.value(path.With(rawjson.At(k)), nil, rawjson.Node{}, e)
			}
		}
		return
	}
	d.byPlace(path, fields, left, right)
}

// keyed are the keys of elements and where each stands, up to the first element
// that has none or shares it.
func keyed(elems []rawjson.Node, name string) (keys []string, at map[string]int) {
	at = make(map[string]int, len(elems))
	for i, e := range elems {
		text, ok := keyIn(e, rawjson.Path{rawjson.Name(name)})
		if _, twice := at[text]; twice || !ok {
			break
		}
		at[text] = i
		keys = append(keys, text)
	}
	return keys, at
}

// byPlace pairs elements by place, once what both begin and end with is left out.
func (d *differ) byPlace(path rawjson.Path, fields []catalog.Field, left, right []rawjson.Node) {
	from := 0
	for from < min(len(left), len(right)) && Equal(left[from], right[from]) {
		from++
	}
	end := 0
	for end < min(len(left), len(right))-from && Equal(left[len(left)-1-end], right[len(right)-1-end]) {
		end++
	}
	for i := from; i < max(len(left), len(right))-end && !d.full(); i++ {
		var a, b rawjson.Node
		if i < len(left)-end {
			a = left[i]
		}
		if i < len(right)-end {
			b = right[i]
		}
		d.value(path.With(rawjson.At(i)), fields, a, b)
	}
}

// Equal reports whether two values mean the same: members in any order, numbers
// by value (1.0 is 1, 1e2 is 100), texts however they are escaped.
func Equal(a, b rawjson.Node) bool { return equal(a, b, 0) }

func equal(a, b rawjson.Node, depth int) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	if a.Size() == b.Size() && bytes.Equal(a.Raw(), b.Raw()) {
		return true
	}
	if depth > deepest {
		x, _ := a.AppendCompact(nil, 0)
		y, _ := b.AppendCompact(nil, 0)
		return bytes.Equal(x, y)
	}
	switch a.Kind() {
	case rawjson.Number:
		return records.ParseDecimal(a.Text()) == records.ParseDecimal(b.Text())
	case rawjson.String:
		return a.Text() == b.Text()
	case rawjson.Array:
		alike := func(a, b rawjson.Node) bool { return equal(a, b, depth+1) }
		return slices.EqualFunc(slices.Collect(a.Elems()), slices.Collect(b.Elems()), alike)
	case rawjson.Object:
		left, right := membersOf(a, nil), membersOf(b, nil)
		differs := func(m member) bool {
			k, ok := right.at[m.name]
			return !ok || !equal(m.value, right.list[k].value, depth+1)
		}
		return len(left.list) == len(right.list) && !slices.ContainsFunc(left.list, differs)
	}
	return false
}

// keyIn is the text of the value that identifies a record, at the first of the
// paths that leads to one: 1.0 identifies the same as 1. ok is false where nothing
// identifies it.
func keyIn(record rawjson.Node, paths ...rawjson.Path) (text string, ok bool) {
	var v rawjson.Node
	for i := 0; i < len(paths) && !ok; i++ {
		v, ok = record.Lookup(paths[i])
	}
	if v.Kind() != rawjson.String && v.Kind() != rawjson.Number || v.Size() > 4096 {
		return "", false
	}
	text = v.Text()
	if v.Kind() == rawjson.String || !strings.ContainsAny(text, ".eE-") {
		return text, true
	}
	d, sign := records.ParseDecimal(text), ""
	if d.Negative {
		sign = "-"
	}
	switch zeros := d.Exp - len(d.Digits); {
	case d.Digits == "":
		return "0", true
	case zeros < 0 || zeros > 20:
		return sign + d.Digits + "e" + strconv.Itoa(zeros), true
	default:
		return sign + d.Digits + strings.Repeat("0", zeros), true
	}
}
