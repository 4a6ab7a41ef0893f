package answer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// reading is one answer seen through what the catalog knows of its paging.
type reading struct {
	a    *catalog.Action
	p    *catalog.Page
	op   client.Operation
	env  *client.Envelope
	meta rawjson.Node
	recs Records
}

func read(a *catalog.Action, p *catalog.Page, op client.Operation, env *client.Envelope, recs Records) *reading {
	return &reading{a: a, p: p, op: op, env: env, meta: Meta(env), recs: recs}
}

// Meta returns the meta object of an answer; the zero Node when there is none.
func Meta(env *client.Envelope) rawjson.Node {
	switch {
	case env == nil:
		return rawjson.Node{}
	case len(env.MetaJSON) > 0:
		return rawjson.Parse(env.MetaJSON)
	case env.Meta.Empty() || env.Body == nil:
		return rawjson.Node{}
	}
	return rawjson.NodeAt(env.Body, env.Meta.From, env.Meta.To)
}

// more reads the flag that says whether more pages exist; known is false when
// the answer has none.
func (r *reading) more() (yes, known bool, from string) {
	if g := r.env.Paging; g != nil && g.More != nil {
		return *g.More, true, cmp.Or(g.MoreFrom, "the answer")
	}
	name, negate := strings.CutPrefix(r.p.More, "!")
	v, _ := r.inMeta(name)
	text := v.Text() // a flag may be written as a text, or as 1 and 0
	switch {
	case v.Kind() == rawjson.Number && (text == "1" || text == "0"):
		return (text == "1") != negate, true, "meta." + name
	case v.Kind() != rawjson.Bool && v.Kind() != rawjson.String || text != "true" && text != "false":
		return false, false, ""
	}
	return (text == "true") != negate, true, "meta." + name
}

// value finds the next value in the answer, and where it was.
func (r *reading) value() (v rawjson.Node, from string, ok bool) {
	if g := r.env.Paging; g != nil && present(rawjson.Parse(g.Next)) {
		return rawjson.Parse(g.Next), cmp.Or(g.NextFrom, r.p.Next), true
	} else if g != nil && r.p.Next != "" { // the third party's own word was looked for: a cursor beside it is none
		return rawjson.Node{}, "", false
	}
	for _, name := range r.valueNames() {
		v, ok := r.inMeta(name)
		// Nothing comes behind a page at 0, so the number 0 says that there is no next
		// one, unless the answer says that there is.
		isEnd := v.Kind() == rawjson.Number && string(v.Raw()) == "0" && !r.saysMore()
		if ok && present(v) && !isEnd {
			return v, "meta." + name, true
		}
	}
	return rawjson.Node{}, "", false
}

// valuePlace is where the third party's answer holds the next value that was found: a meta
// field may come from another place than the one that a local call looks at.
func (r *reading) valuePlace() string {
	if r.env.Paging == nil && r.p.Meta != "" && r.a != nil && r.a.Binding != nil {
		for _, m := range r.a.Binding.Meta {
			if m.Name == r.p.Meta {
				return m.Value
			}
		}
	}
	return r.p.Next
}

// nextName is what the catalog calls the value for the next page.
func (r *reading) nextName() string {
	if r.p.Next == "" {
		return "the value"
	}
	return r.p.Next[strings.LastIndexByte(r.p.Next, '.')+1:]
}

// valueNames are the meta fields that may hold the next value: the documented
// one, else what the third party calls it, in case the answer carries it all the same.
func (r *reading) valueNames() []string {
	if r.p.Meta != "" {
		return []string{r.p.Meta}
	}
	next := r.p.Next
	if next == "" || next[0] == '@' || strings.HasPrefix(next, "first.") || strings.HasPrefix(next, "last.") {
		return nil
	}
	names := []string{next}
	if dot := strings.LastIndexByte(next, '.'); dot >= 0 {
		names = append(names, next[dot+1:])
	}
	return names
}

func present(v rawjson.Node) bool {
	switch v.Kind() {
	case rawjson.Number:
		return true
	case rawjson.String:
		return v.Text() != ""
	}
	return false
}

func (r *reading) inMeta(name string) (rawjson.Node, bool) {
	if name == "" || name[0] == '@' {
		return rawjson.Node{}, false
	}
	if v, ok := lookup(r.meta, name); ok || r.a == nil {
		return v, ok
	}
	// The field may go by its other name.
	f := catalog.FieldAt(r.a.Meta, name)
	if f == nil {
		return rawjson.Node{}, false
	}
	return lookup(r.meta, f.WireName())
}

// total is the number of all records, where the answer tells it.
func (r *reading) total() (n int, known bool) {
	if g := r.env.Paging; g != nil && g.Total != nil {
		return *g.Total, true
	}
	if r.p == nil || r.p.Total == "" {
		return 0, false
	}
	name := r.p.Total[strings.LastIndexByte(r.p.Total, '.')+1:]
	v, ok := r.inMeta(r.p.Total)
	if !ok {
		v, ok = r.inMeta(name)
	}
	if !ok || v.Kind() != rawjson.Number {
		return 0, false
	}
	n, err := strconv.Atoi(string(v.Raw()))
	return n, err == nil && n >= 0
}

// rows is the number of records that the server sent, those left out here included.
func (r *reading) rows() int {
	if r.env.Kept != nil && !r.env.Records.Empty() && r.env.Body != nil {
		return rawjson.NodeAt(r.env.Body, r.env.Records.From, r.env.Records.To).Len()
	}
	return r.recs.Len()
}

// size is the number of rows of a full page; 0 when it is not known.
func (r *reading) size() int {
	return r.capped(r.number(r.p.Size, r.p.DefaultSize))
}

// capped is a size within what the catalog says is the most.
func (r *reading) capped(n int) int {
	if f := r.param(r.p.Size); f != nil && f.Max != nil && float64(n) > *f.Max {
		return int(*f.Max)
	}
	return n
}

// first is the number of the first page.
func (r *reading) first() int {
	if f := r.param(r.p.Send); r.p.First == 0 && f != nil {
		if n, ok := whole(rawjson.Parse(f.Default)); ok {
			return n
		}
	}
	return r.p.First
}

// number is what a param says: the one given, else its default, else otherwise.
func (r *reading) number(name string, otherwise int) int {
	if n, ok := given(r.op.Params, name); ok {
		return n
	}
	if f := r.param(name); f != nil && otherwise == 0 {
		if n, ok := whole(rawjson.Parse(f.Default)); ok {
			return n
		}
	}
	return otherwise
}

func (r *reading) param(name string) *catalog.Field {
	if r.a == nil || name == "" {
		return nil
	}
	return r.a.Param(name)
}

func given(params json.RawMessage, name string) (int, bool) {
	if name == "" {
		return 0, false
	}
	v, _ := lookup(rawjson.Parse(params), name)
	return whole(v)
}

func whole(v rawjson.Node) (int, bool) {
	if !present(v) {
		return 0, false
	}
	n, err := strconv.Atoi(v.Text())
	return n, err == nil
}

// begins reports whether the page was asked for as the first one.
func (r *reading) begins() bool {
	_, back := lookup(rawjson.Parse(r.op.Params), r.p.Back)
	v, on := lookup(rawjson.Parse(r.op.Params), r.p.Send)
	if n, ok := whole(v); ok {
		on = n != r.first()
	}
	return r.op.NextURL == "" && (r.p.Back == "" || !back) && (r.p.Send == "" || !on)
}

// sendIn is the param for the next page in the query of an address, as a JSON string.
func (r *reading) sendIn(address string) (json.RawMessage, bool) {
	names := []string{r.p.Send}
	if f := r.param(r.p.Send); f != nil {
		names = append(names, f.WireName(), f.HTTPName())
	}
	_, query, _ := strings.Cut(address, "?")
	query, _, _ = strings.Cut(query, "#")
	values, err := url.ParseQuery(query)
	if err != nil && len(values) == 0 {
		return nil, false
	}
	for _, name := range names {
		if v := values[name]; name != "" && len(v) > 0 && v[0] != "" {
			return rawjson.AppendQuoted(nil, v[0]), true
		}
	}
	return nil, false
}

// typed writes a value as the type of its param: "2" as 2 where it takes a
// number, 2 as "2" where it takes only text.
func (r *reading) typed(param string, raw []byte) json.RawMessage {
	v, f := rawjson.Parse(raw), r.param(param)
	if f == nil {
		return bytes.Clone(raw)
	}
	text := v.Text()
	switch {
	case v.Kind() == rawjson.Number && f.Accepts("string") && !f.Accepts("integer"):
		return rawjson.AppendQuoted(nil, text)
	case v.Kind() == rawjson.String && f.Accepts("integer") && !f.Accepts("string"):
		if n := rawjson.Parse([]byte(text)); n.Kind() == rawjson.Number && rawjson.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	}
	return bytes.Clone(raw)
}

// lookup finds a member by its name, or by a dotted path.
func lookup(n rawjson.Node, dotted string) (rawjson.Node, bool) {
	if n.Kind() != rawjson.Object {
		return rawjson.Node{}, false
	}
	if v, ok := n.Get(dotted); ok {
		return v, true
	}
	if !strings.Contains(dotted, ".") {
		return rawjson.Node{}, false
	}
	path, err := rawjson.ParsePath(dotted)
	if err != nil {
		return rawjson.Node{}, false
	}
	return n.Lookup(path)
}

// WithParam returns params with one member set; its place is kept when it was
// there, else it comes last. A nil value removes the member.
func WithParam(params json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	out := &rawjson.Map{}
	done := value == nil
	for m := range rawjson.Parse(params).Members() {
		if key := m.Key(); key != name {
			out.Add(key, json.RawMessage(m.Value.Raw()))
		} else if !done {
			out.Add(key, value)
			done = true
		}
	}
	if !done {
		out.Add(name, value)
	}
	if out.Len() == 0 {
		return nil
	}
	return out.JSON()
}

// Param is a param and what was sent for it.
type Param struct {
	Name string
	// Value is nil where the param was left out.
	Value json.RawMessage
}

// Changed lists the params of op that differ from those of first, in the order
// of op; those that are gone come last.
func Changed(first, op client.Operation) []Param {
	var out []Param
	before := rawjson.Parse(first.Params)
	for m := range rawjson.Parse(op.Params).Members() {
		old, ok := before.Get(m.Key())
		if !ok || !bytes.Equal(old.Raw(), m.Value.Raw()) {
			out = append(out, Param{m.Key(), bytes.Clone(m.Value.Raw())})
		}
	}
	after := rawjson.Parse(op.Params)
	for m := range before.Members() {
		if _, ok := after.Get(m.Key()); !ok {
			out = append(out, Param{Name: m.Key()})
		}
	}
	if op.NextURL != first.NextURL && op.NextURL != "" {
		out = append(out, Param{"next_url", rawjson.AppendQuoted(nil, op.NextURL)})
	}
	return slices.Clip(out)
}
