package search

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
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
	return join(t.all...), t.left
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
	// A param may have a word for everything.
	all := strings.EqualFold(string(raw), `"all"`) && enumHas(c.param.Enum, raw) && !enumHas(c.field.Enum, raw)
	if all || c.flag && string(raw) != "true" {
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
	return Where(c.field.Name, In, list(values)), ""
}

// split returns the values that a param holds.
func (c *counterpart) split(raw json.RawMessage) []json.RawMessage {
	raw = compact(raw)
	switch kind := kindOf(raw); {
	case c.list && kind == '[':
		return listed(raw)
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

// listed are the elements of an array, each with bytes of its own.
func listed(raw []byte) []json.RawMessage {
	var out []json.RawMessage
	for e := range elements(raw) {
		out = append(out, slices.Clone(e))
	}
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
	switch {
	case timed(from) || timed(to):
		return rewriteTime(raw, from, to)
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
	var at time.Time
	ok, written := false, kindOf(raw) == '"' && !strings.HasPrefix(from.Format, "unix")
	if written {
		at, ok = instant(text(raw))
	} else if n, err := strconv.ParseInt(string(unquoted(raw)), 10, 64); err == nil {
		switch from.Format {
		case "unix":
			at, ok = time.Unix(n, 0), true
		case "unix-ms":
			at, ok = time.UnixMilli(n), true
		}
	}
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
	case written:
		return raw, true
	case strings.HasPrefix(to.Format, "date"):
		return quote(at.UTC().Format(time.RFC3339Nano)), true
	}
	return nil, false
}

// ToParams says with params of a list or another action of the entity what a
// filter restricts: the conditions that all have to hold and have a param of
// the same meaning. The others are left.
func ToParams(e *catalog.Entity, a *catalog.Action, filter *Node) ([]Member, []Left) {
	known, params := counterparts(e, a), &rawjson.Map{}
	var left []Left
	for _, n := range conjuncts(filter) {
		if why := toParam(known, params, n); why != "" {
			left = append(left, Left{Name: Describe(n), Why: why, Node: n})
		}
	}
	var out []Member
	for i, name := range params.Keys {
		out = append(out, Member{name, rawjson.Encode(params.Vals[i])})
	}
	return out, left
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

// toParam gives a condition to the first param that can say it; why tells that none can.
func toParam(known []counterpart, params *rawjson.Map, n *Node) (why string) {
	if n = oneField(n); n.Op != Condition {
		return "a list cannot ask for it"
	}
	why = "no param says the same"
	for i := range known {
		c := &known[i]
		if c.field.Name != n.Field {
			continue
		}
		value, reason := c.value(n)
		holder, name := params, c.path[0]
		if len(c.path) > 1 {
			if holder, _ = params.Value(name).(*rawjson.Map); holder == nil {
				holder = &rawjson.Map{}
			}
			name = c.path[1]
		}
		switch {
		case reason != "":
			why = reason
		case holder.Has(name):
			why = "the param holds another condition"
		default:
			if holder.Add(name, value); holder != params {
				params.Set(c.path[0], holder)
			}
			return ""
		}
	}
	return why
}

// oneField reads (a = 1 or a = 2) as a in [1, 2]; any other node stays.
func oneField(n *Node) *Node {
	if n.Op != Any || len(n.Children) == 0 {
		return n
	}
	var values []json.RawMessage
	for _, c := range n.Children {
		if c.Op != Condition || c.Disabled || c.Operator != Eq || c.Field != n.Children[0].Field {
			return n
		}
		values = append(values, c.Value)
	}
	return Where(n.Children[0].Field, In, list(values))
}

// value is what the param holds to stand for the condition, or why it cannot.
func (c *counterpart) value(n *Node) (json.RawMessage, string) {
	values, name := []json.RawMessage{compact(n.Value)}, strings.Join(c.path, ".")
	if n.Operator == In && slices.Contains(c.ops, Eq) {
		values = listed(values[0])
	} else if !slices.Contains(c.ops, n.Operator) {
		return nil, fmt.Sprintf("%s of the list does not mean %s", name, n.Operator)
	}
	switch {
	case len(values) == 0 || len(values) > 1 && !c.list:
		return nil, name + " of the list takes one value"
	case c.flag && string(values[0]) != "true":
		return nil, name + " of the list asks for true only"
	}
	for i, v := range values {
		out, ok := rewrite(v, c.field, c.param)
		if !ok || isNull(v) {
			return nil, name + " of the list takes no such value"
		}
		item := c.param
		if item.Items != nil {
			item = *item.Items
		}
		if why := mismatch(item, out); why != "" {
			return nil, name + " " + why
		}
		values[i] = out
	}
	switch separator := c.param.Separator; {
	case separator != "":
		var parts []string
		for _, v := range values {
			parts = append(parts, operandText(v))
			if strings.Contains(parts[len(parts)-1], separator) {
				return nil, "a value holds " + separator
			}
		}
		return quote(strings.Join(parts, separator)), ""
	case c.list:
		return list(values), ""
	}
	return values[0], ""
}

// Describe says a condition in words; a group as it is sent.
func Describe(n *Node) string {
	if n.Op != Condition {
		return short(string(EncodeFilter(n)))
	}
	return short(n.Field + " " + n.Operator + " " + string(compact(n.Value)))
}

// Checkable reports whether a filter can be judged on the records that an action
// brings: each of its fields is one of them, and each operator has one meaning.
func Checkable(e *catalog.Entity, a *catalog.Action, n *Node) bool {
	sure := true
	n.Walk(func(_ []int, c *Node) bool {
		if c.Op == Condition && !c.Disabled {
			f := catalog.FieldAt(e.RecordOf(a), c.Field)
			sure = sure && f != nil && !slices.Contains(f.Omitted, a.Name) && c.Operator != Fuzzy &&
				c.Operator != Keyword
		}
		return sure
	})
	return sure
}

// Asked is one question in the words of search and in those of a list.
type Asked struct {
	// Filter is what search is asked, Params what the list is asked, both without paging.
	Filter *Node
	Params []Member
	// SearchLeft is what only the list is asked, ListLeft what only search is.
	SearchLeft, ListLeft []Left
	// Missing are params that the list requires and nobody gives.
	Missing []string
}

// Same puts the question that the action from was asked with params to search
// and to a list. known holds values for what the list requires besides.
func Same(
	e *catalog.Entity, list, from *catalog.Action, params json.RawMessage, known map[string]json.RawMessage,
) Asked {
	s := same{e: e, list: list, given: map[string]json.RawMessage{}}
	if from.Name == catalog.ActionContextStoreSearch {
		s.ofSearch(params)
	} else if given, err := members(params, "params"); err == nil {
		for _, m := range given {
			known := from.Name == list.Name || catalog.FieldByName(list.Params, m.Name) != nil
			if known && m.Name != "" && !pages(list, m.Name) && !isNull(m.Value) {
				s.take(Member{m.Name, compact(m.Value)})
			}
		}
	}
	taken := s.required(known)
	out := Asked{Params: s.params, ListLeft: s.listLeft, Missing: s.missing}
	var left []Left
	out.Filter, left = FromParams(e, list, objectOf(taken))
	assumed, leftToo := s.defaults()
	out.Filter = join(append([]*Node{join(s.filter, out.Filter)}, conjuncts(assumed)...)...)
	out.SearchLeft = slices.Concat(s.searchLeft, left, leftToo)
	return out
}

type same struct {
	e    *catalog.Entity
	list *catalog.Action
	// given are the list's params by name, params the same in order.
	given                map[string]json.RawMessage
	params               []Member
	filter               *Node
	searchLeft, listLeft []Left
	missing              []string
}

func (s *same) take(m Member) {
	if _, have := s.given[m.Name]; !have {
		s.given[m.Name] = m.Value
		s.params = append(s.params, m)
	}
}

// ofSearch takes a search's question: the list is asked what of its filter it
// understands. Sorting, fields and paging are nobody's.
func (s *same) ofSearch(params json.RawMessage) {
	q, err := Decode(params)
	if err != nil {
		left := Left{Name: "params", Why: err.Error()}
		s.searchLeft, s.listLeft = append(s.searchLeft, left), append(s.listLeft, left)
		return
	}
	s.filter = q.Filter
	inParams, left := ToParams(s.e, s.list, q.Filter)
	for _, m := range inParams {
		s.take(m)
	}
	s.listLeft = left
	for _, m := range slices.Concat(q.Extra, q.QueryExtra) {
		if m.Name != "limit" && m.Name != "cursor" && m.Name != "fields" && !isNull(m.Value) {
			l := Left{Name: m.Name, Why: "it replaces the filter"}
			s.searchLeft, s.listLeft = append(s.searchLeft, l), append(s.listLeft, l)
		}
	}
}

// required adds what the list cannot do without, and returns the params that
// search has to be told of.
func (s *same) required(known map[string]json.RawMessage) []Member {
	tell := s.params
	if s.filter != nil {
		tell = nil // the filter has said them
	}
	for i := range s.list.Params {
		f := &s.list.Params[i]
		if _, have := s.given[f.Name]; have || !f.Required || pages(s.list, f.Name) {
			continue
		}
		v := known[f.Name]
		if isNull(v) {
			v = f.Default
		}
		switch {
		case !isNull(v):
			s.take(Member{f.Name, v})
			tell = append(tell[:len(tell):len(tell)], Member{f.Name, v})
		case !f.Injected:
			s.missing = append(s.missing, f.Name)
		}
	}
	return tell
}

// defaults says what the list restricts although nobody asked for it.
func (s *same) defaults() (*Node, []Left) {
	var usual []Member
	for i := range s.list.Params {
		f := &s.list.Params[i]
		_, have := s.given[f.Name]
		if have || isNull(f.Default) || f.Required || f.Type == "boolean" || pages(s.list, f.Name) || Shapes(f.Name) {
			continue
		}
		usual = append(usual, Member{f.Name, f.Default})
	}
	n, left := FromParams(s.e, s.list, objectOf(usual))
	for i := range left {
		name, _, _ := strings.Cut(left[i].Name, ".")
		left[i].Name += " (" + short(string(compact(catalog.FieldByName(s.list.Params, name).Default))) + " by default)"
	}
	return n, left
}

// objectOf writes members as a JSON object.
func objectOf(all []Member) json.RawMessage {
	return addAll(&rawjson.Map{}, all).JSON()
}
