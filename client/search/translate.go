package search

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
)

// Left is a part of a question that cannot be asked in the other way of asking.
type Left struct {
	// Name is a param ("expand", "created.gt"), or a condition in words.
	Name string
	// Why it has no counterpart.
	Why string
	// Shape marks what changes the form or order of the records, and not which
	// ones come: leaving it out misleads nobody.
	Shape bool
	// Node is the condition, when it is one.
	Node *Node
}

// FromParams says with a filter what the params of a list or another action of
// the entity restrict. What has no counterpart among the searchable fields is left.
func FromParams(e *catalog.Entity, a *catalog.Action, params json.RawMessage) (*Node, []Left) {
	t := fromParams{e: e, a: a, known: counterparts(e, a)}
	given, err := members(params, "params")
	if err != nil && len(params) > 0 {
		return nil, []Left{{Name: "params", Why: err.Error()}}
	}
	for _, m := range given {
		if m.Name != "" && !pages(a, m.Name) && !isNull(m.Value) {
			t.param(m)
		}
	}
	return join(t.all), t.left
}

type fromParams struct {
	e     *catalog.Entity
	a     *catalog.Action
	known []counterpart
	all   []*Node
	left  []Left
}

func (t *fromParams) leave(name, why string) {
	top, _, _ := strings.Cut(name, ".")
	t.left = append(t.left, Left{Name: name, Why: why, Shape: Shapes(top)})
}

func (t *fromParams) param(m Member) {
	f := catalog.FieldByName(t.a.Params, m.Name)
	if f == nil || f.Type != "object" || len(f.Members) == 0 {
		t.value([]string{m.Name}, m.Value)
		return
	}
	inner, err := members(m.Value, m.Name)
	if err != nil {
		t.leave(m.Name, err.Error())
		return
	}
	for _, in := range inner {
		if !isNull(in.Value) {
			t.value([]string{m.Name, in.Name}, in.Value)
		}
	}
}

func (t *fromParams) value(path []string, raw json.RawMessage) {
	name := strings.Join(path, ".")
	i := slices.IndexFunc(t.known, func(c counterpart) bool { return slices.Equal(c.path, path) })
	if i < 0 {
		t.leave(name, "no searchable field says the same")
		return
	}
	c := &t.known[i]
	if unrestricted(c, raw) || c.flag && string(raw) != "true" {
		return
	}
	n, why := c.condition(raw)
	if why != "" {
		t.leave(name, why)
		return
	}
	t.all = append(t.all, n)
}

// condition makes the condition that a value of the param stands for.
func (c *counterpart) condition(raw json.RawMessage) (*Node, string) {
	values := c.split(raw)
	if len(values) == 0 {
		return nil, "it has no value"
	}
	for i, v := range values {
		out, ok := rewrite(v, c.param, c.field)
		if !ok {
			return nil, fmt.Sprintf("%s writes its values otherwise", c.field.Name)
		}
		if why := mismatch(c.field, out); why != "" {
			return nil, c.field.Name + " " + why
		}
		values[i] = out
	}
	if len(values) == 1 {
		return Where(c.field.Name, c.ops[0], values[0]), ""
	}
	return Where(c.field.Name, In, list(rawBytes(values))), ""
}

func rawBytes(values []json.RawMessage) [][]byte {
	out := make([][]byte, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// split returns the values that a param holds.
func (c *counterpart) split(raw json.RawMessage) []json.RawMessage {
	raw = compact(raw)
	switch kind := kindOf(raw); {
	case c.list && kind == '[':
		return elements(raw)
	case c.param.Separator != "" && kind == '"':
		var out []json.RawMessage
		for _, part := range strings.Split(text(raw), c.param.Separator) {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, quote(part))
			}
		}
		return out
	}
	return []json.RawMessage{raw}
}

func elements(raw []byte) []json.RawMessage {
	var out []json.RawMessage
	eachElement(raw, 0, func(from, to int) bool {
		out = append(out, slices.Clone(raw[from:to]))
		return true
	})
	return out
}

// rewrite writes a value of one field as the other writes it.
func rewrite(raw json.RawMessage, from, to catalog.Field) (json.RawMessage, bool) {
	if from.Items != nil {
		from = *from.Items
	}
	if to.Items != nil {
		to = *to.Items
	}
	kind := kindOf(raw)
	if timed(from) || timed(to) {
		return rewriteTime(raw, from, to)
	}
	switch {
	case to.Type == "" || hasType(to, "any") || hasType(to, "array") || fits(to, raw):
		return raw, true
	case kind == '0' && hasType(to, "string"):
		return quote(string(raw)), true
	case kind == '"' && (hasType(to, "integer") || hasType(to, "number")):
		number := json.RawMessage(text(raw))
		return number, json.Valid(number) && fits(to, number)
	}
	return nil, false
}

func timed(f catalog.Field) bool {
	return strings.HasPrefix(f.Format, "unix") || strings.HasPrefix(f.Format, "date")
}

// rewriteTime writes a point in time in the unit of another field. Texts are
// texts on both sides; numbers only where both units are known.
func rewriteTime(raw json.RawMessage, from, to catalog.Field) (json.RawMessage, bool) {
	at, ok := pointInTime(raw, from)
	switch {
	case !ok:
		return raw, (from.Format == "" || to.Format == "" || from.Format == to.Format) && fits(to, raw)
	case strings.HasPrefix(to.Format, "unix"):
		n := at.Unix()
		if to.Format == "unix-ms" {
			n = at.UnixMilli()
		}
		out := strconv.AppendInt(nil, n, 10)
		if !hasType(to, "integer") && !hasType(to, "number") {
			out = quote(string(out))
		}
		return out, true
	case !hasType(to, "string"):
		return raw, to.Format == "" && fits(to, raw)
	case kindOf(raw) == '"' && !strings.HasPrefix(from.Format, "unix"):
		return raw, true
	case strings.HasPrefix(to.Format, "date"):
		return quote(at.UTC().Format(time.RFC3339Nano)), true
	}
	return nil, false
}

func pointInTime(raw json.RawMessage, f catalog.Field) (time.Time, bool) {
	if kindOf(raw) == '"' && !strings.HasPrefix(f.Format, "unix") {
		return instant(text(raw))
	}
	n, err := strconv.ParseInt(string(unquoted(raw)), 10, 64)
	switch {
	case err != nil:
	case f.Format == "unix":
		return time.Unix(n, 0), true
	case f.Format == "unix-ms":
		return time.UnixMilli(n), true
	}
	return time.Time{}, false
}

// ToParams says with params of a list or another action of the entity what a
// filter restricts: the conditions that all have to hold and have a param of
// the same meaning. The others are left.
func ToParams(e *catalog.Entity, a *catalog.Action, filter *Node) ([]Member, []Left) {
	t := toParams{known: counterparts(e, a), got: map[string][]Member{}}
	for _, n := range conjuncts(filter) {
		if why := t.node(n); why != "" {
			t.left = append(t.left, Left{Name: Describe(n), Why: why, Node: n})
		}
	}
	return t.params(), t.left
}

// conjuncts are the conditions and groups that all have to hold.
func conjuncts(n *Node) []*Node {
	if EncodeFilter(n) == nil {
		return nil
	}
	if n.Op != All {
		return []*Node{n}
	}
	var out []*Node
	for _, c := range n.Children {
		out = append(out, conjuncts(c)...)
	}
	return out
}

type toParams struct {
	known []counterpart
	// got are the members by param; a param without members has one without a name.
	got   map[string][]Member
	order []string
	left  []Left
}

func (t *toParams) node(n *Node) string {
	if one := oneField(n); one != nil {
		n = one
	}
	if n.Op != Condition {
		return "a list cannot ask for it"
	}
	why := "no param says the same"
	for i := range t.known {
		c := &t.known[i]
		if c.field.Name != n.Field {
			continue
		}
		value, reason := c.value(n)
		if reason == "" && t.taken(c.path) {
			reason = "the param holds another condition"
		}
		if reason == "" {
			t.put(c.path, value)
			return ""
		}
		why = reason
	}
	return why
}

// oneField reads (a = 1 or a = 2) as a in [1, 2]; nil for any other node.
func oneField(n *Node) *Node {
	if n.Op != Any || len(n.Children) == 0 {
		return nil
	}
	var values [][]byte
	for _, c := range n.Children {
		if c.Op != Condition || c.Disabled || c.Operator != Eq || c.Field != n.Children[0].Field {
			return nil
		}
		values = append(values, c.Value)
	}
	return Where(n.Children[0].Field, In, list(values))
}

// value is what the param holds to stand for the condition, or why it cannot.
func (c *counterpart) value(n *Node) (json.RawMessage, string) {
	values := []json.RawMessage{compact(n.Value)}
	equals := slices.Contains(c.ops, Eq)
	switch {
	case n.Operator == In && equals:
		values = elements(compact(n.Value))
	case !slices.Contains(c.ops, n.Operator):
		return nil, fmt.Sprintf("%s of the list does not mean %s", strings.Join(c.path, "."), n.Operator)
	}
	if len(values) == 0 || len(values) > 1 && !c.list {
		return nil, strings.Join(c.path, ".") + " of the list takes one value"
	}
	if c.flag && string(values[0]) != "true" {
		return nil, strings.Join(c.path, ".") + " of the list asks for true only"
	}
	for i, v := range values {
		out, ok := rewrite(v, c.field, c.param)
		if !ok || isNull(v) {
			return nil, strings.Join(c.path, ".") + " of the list takes no such value"
		}
		item := c.param
		if item.Items != nil {
			item = *item.Items
		}
		if why := mismatch(item, out); why != "" {
			return nil, strings.Join(c.path, ".") + " " + why
		}
		values[i] = out
	}
	return c.joined(values)
}

func (c *counterpart) joined(values []json.RawMessage) (json.RawMessage, string) {
	switch {
	case c.param.Separator != "":
		var parts []string
		for _, v := range values {
			part := operandText(v)
			if strings.Contains(part, c.param.Separator) {
				return nil, "a value holds " + c.param.Separator
			}
			parts = append(parts, part)
		}
		return quote(strings.Join(parts, c.param.Separator)), ""
	case c.list:
		return list(rawBytes(values)), ""
	}
	return values[0], ""
}

func (t *toParams) taken(path []string) bool {
	return slices.ContainsFunc(t.got[path[0]], func(m Member) bool { return m.Name == strings.Join(path[1:], ".") })
}

func (t *toParams) put(path []string, value json.RawMessage) {
	if t.got[path[0]] == nil {
		t.order = append(t.order, path[0])
	}
	t.got[path[0]] = append(t.got[path[0]], Member{Name: strings.Join(path[1:], "."), Value: value})
}

func (t *toParams) params() []Member {
	var out []Member
	for _, name := range t.order {
		inner := t.got[name]
		if inner[0].Name == "" {
			out = append(out, Member{Name: name, Value: inner[0].Value})
			continue
		}
		w := newObject()
		for _, m := range inner {
			w.raw(m.Name, m.Value)
		}
		out = append(out, Member{Name: name, Value: w.close()})
	}
	return out
}

// Describe says a condition in words; a group as it is sent.
func Describe(n *Node) string {
	if n.Op != Condition {
		return short(string(EncodeFilter(n)))
	}
	return short(n.Field + " " + n.Operator + " " + string(compact(n.Value)))
}

// Checkable tells whether a filter can be judged on the records that an action
// brings: each of its fields is one of them, and each operator has one meaning.
func Checkable(e *catalog.Entity, a *catalog.Action, n *Node) bool {
	sure := true
	n.Walk(func(_ []int, c *Node) bool {
		if c.Op == Condition && !c.Disabled {
			f := catalog.FieldAt(e.RecordOf(a), c.Field)
			sure = sure && f != nil && !slices.Contains(f.Omitted, a.Name) && c.Operator != Fuzzy && c.Operator != Keyword
		}
		return sure
	})
	return sure
}
