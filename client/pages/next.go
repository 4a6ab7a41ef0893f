// Package pages follows the pages of one run: what the next page would send
// and how that is known, a ledger of the pages so far, and verdicts on the
// paging of the server.
package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// State tells what is known of the next page.
type State int

// The states.
const (
	// None: the action has no pages.
	None State = iota
	// More: Next.Op asks for the next page.
	More
	// End: the answer says, or implies, that this was the last page.
	End
	// Unknown: there may be more, but nothing says how to ask for it.
	Unknown
)

// Next is what the next page would send.
type Next struct {
	State State
	// Op is the operation of the next page; set when State is More.
	Op client.Operation
	// Param and Value are what changes in its params; From says where Value was found.
	Param string
	Value json.RawMessage
	From  string
	// Why explains End and Unknown.
	Why string
}

// Records is what paging needs to see of a page's records.
type Records interface {
	Len() int
	Record(i int) rawjson.Node
}

// Following works out the next page of op from its answer. It needs the
// catalog's action (nil when the action is not in the catalog).
func Following(a *catalog.Action, op client.Operation, env *client.Envelope, recs Records) Next {
	if env == nil {
		return Next{State: Unknown, Why: "no answer arrived"}
	}
	if a == nil || a.Page == nil {
		if a != nil && a.Name == catalog.ActionContextStoreSearch {
			return byMeta(&catalog.Page{Style: "cursor", Send: "cursor", Meta: "cursor", More: "has_more"}, op, env)
		}
		return Next{State: None, Why: "this action has no pages"}
	}
	p := a.Page
	switch p.Style {
	case "", "none":
		return Next{State: None, Why: "this action has no pages"}
	case "last_id":
		return byRecord(p, op, env, recs)
	case "offset":
		if n := byMeta(p, op, env); n.State != Unknown && p.Meta != "" {
			return n
		}
		return byCount(p, op, env, recs.Len(), offsetStep)
	case "page":
		if n := byMeta(p, op, env); n.State != Unknown && p.Meta != "" {
			return n
		}
		return byCount(p, op, env, recs.Len(), pageStep)
	}
	if strings.HasPrefix(p.Next, "last.") && p.Meta == "" {
		return byRecord(p, op, env, recs)
	}
	return byMeta(p, op, env)
}

// Meta returns the meta object of an answer; the zero Node when there is none.
func Meta(env *client.Envelope) rawjson.Node {
	if env == nil {
		return rawjson.Node{}
	}
	if len(env.MetaJSON) > 0 {
		return rawjson.Parse(env.MetaJSON)
	}
	if env.Meta.Empty() {
		return rawjson.Node{}
	}
	return rawjson.NodeAt(env.Body, env.Meta.From, env.Meta.To)
}

// more reads the flag that says whether more pages exist; known is false when the answer has none.
func more(p *catalog.Page, meta rawjson.Node) (yes, known bool) {
	name := p.More
	negate := strings.HasPrefix(name, "!")
	name = strings.TrimPrefix(name, "!")
	if name == "" {
		return false, false
	}
	v, ok := lookup(meta, name)
	if !ok || v.Kind() != rawjson.Bool {
		return false, false
	}
	return (string(v.Raw()) == "true") != negate, true
}

func lookup(n rawjson.Node, dotted string) (rawjson.Node, bool) {
	if !n.Exists() || n.Kind() != rawjson.Object {
		return rawjson.Node{}, false
	}
	if v, ok := n.Get(dotted); ok {
		return v, true
	}
	path, err := rawjson.ParsePath(dotted)
	if err != nil {
		return rawjson.Node{}, false
	}
	return n.Lookup(path)
}

func byMeta(p *catalog.Page, op client.Operation, env *client.Envelope) Next {
	meta := Meta(env)
	yes, known := more(p, meta)
	if known && !yes {
		return Next{State: End, Why: moreName(p) + " says this is the last page"}
	}
	if p.Meta == "" {
		if known {
			return Next{State: Unknown, Why: "more pages exist, but the answer does not carry the value that " + p.Send + " wants"}
		}
		return Next{State: Unknown, Why: "the answer does not carry the value that " + p.Send + " wants"}
	}
	v, ok := lookup(meta, p.Meta)
	if !ok || v.Kind() == rawjson.Null || (v.Kind() == rawjson.String && v.Text() == "") {
		if known {
			return Next{State: Unknown, Why: moreName(p) + " is true, but meta." + p.Meta + " is missing"}
		}
		return Next{State: End, Why: "the answer has no meta." + p.Meta}
	}
	value, from := json.RawMessage(v.Raw()), "meta."+p.Meta
	if p.NextIs == "url" && v.Kind() == rawjson.String {
		if q, ok := queryValue(v.Text(), p.Send); ok {
			value, from = q, "query of "+from
		}
	}
	return step(op, p.Send, value, from)
}

func moreName(p *catalog.Page) string { return "meta." + strings.TrimPrefix(p.More, "!") }

// queryValue is the value of a query parameter of an address, as a JSON string.
func queryValue(address, name string) (json.RawMessage, bool) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, false
	}
	if v, ok := u.Query()[name]; ok && len(v) > 0 {
		raw, err := json.Marshal(v[0])
		return raw, err == nil
	}
	return nil, false
}

func byRecord(p *catalog.Page, op client.Operation, env *client.Envelope, recs Records) Next {
	yes, known := more(p, Meta(env))
	field := strings.TrimPrefix(p.Next, "last.")
	switch {
	case known && !yes:
		return Next{State: End, Why: moreName(p) + " says this is the last page"}
	case recs.Len() == 0:
		return Next{State: End, Why: "the page is empty"}
	}
	v, ok := lookup(recs.Record(recs.Len()-1), field)
	if !ok {
		return Next{State: Unknown, Why: "the last record has no " + field}
	}
	return step(op, p.Send, json.RawMessage(v.Raw()), field+" of the last record")
}

type countStep func(p *catalog.Page, current, size, rows int) (value int, from string)

func offsetStep(_ *catalog.Page, current, _, rows int) (int, string) {
	return current + rows, fmt.Sprintf("%d + %d rows", current, rows)
}

func pageStep(_ *catalog.Page, current, _, _ int) (int, string) {
	return current + 1, fmt.Sprintf("page %d + 1", current)
}

func byCount(p *catalog.Page, op client.Operation, env *client.Envelope, rows int, next countStep) Next {
	if yes, known := more(p, Meta(env)); known && !yes {
		return Next{State: End, Why: moreName(p) + " says this is the last page"}
	}
	params := rawjson.Parse(op.Params)
	size := number(params, p.Size, p.DefaultSize)
	switch {
	case rows == 0:
		return Next{State: End, Why: "the page is empty"}
	case size > 0 && rows < size:
		return Next{State: End, Why: fmt.Sprintf("the page is short: %d of %d rows", rows, size)}
	}
	first := p.First
	if p.Style == "offset" {
		first = 0
	}
	value, from := next(p, number(params, p.Send, first), size, rows)
	return step(op, p.Send, json.RawMessage(strconv.Itoa(value)), from)
}

func number(params rawjson.Node, name string, otherwise int) int {
	if name == "" {
		return otherwise
	}
	v, ok := lookup(params, name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(strings.Trim(string(v.Raw()), `"`))
	if err != nil {
		return otherwise
	}
	return n
}

func step(op client.Operation, param string, value json.RawMessage, from string) Next {
	next := op
	next.Params = WithParam(op.Params, param, value)
	return Next{State: More, Op: next, Param: param, Value: bytes.Clone(value), From: from}
}

// WithParam returns params with one member set; its place is kept when it was
// there, else it comes last. A nil value removes the member.
func WithParam(params json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	done := value == nil
	put := func(key string, raw []byte) {
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.Write(rawjson.AppendQuoted(nil, key))
		out.WriteByte(':')
		out.Write(raw)
	}
	if n := rawjson.Parse(params); n.Kind() == rawjson.Object {
		for m := range n.Members() {
			key := m.Key()
			if key != name {
				put(key, m.Value.Raw())
			} else if !done {
				put(key, value)
				done = true
			}
		}
	}
	if !done {
		put(name, value)
	}
	out.WriteByte('}')
	if out.Len() == 2 {
		return nil
	}
	return out.Bytes()
}

// Text says in one line what the next page would send, for the footer.
func (n Next) Text() string {
	switch n.State {
	case More:
		return fmt.Sprintf("next page sends %s = %s (%s)", n.Param, short(n.Value), n.From)
	case End:
		return "last page: " + n.Why
	case Unknown:
		return "next page unknown: " + n.Why
	}
	return n.Why
}

func short(v json.RawMessage) string {
	s := string(v)
	if r := []rune(s); len(r) > 40 {
		s = string(r[:37]) + "…"
	}
	return s
}
