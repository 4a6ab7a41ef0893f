package answer

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// State says what is known of the next page.
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
	// Param and Value are what changes in its params; From says where Value was
	// found. Param is empty when a whole address is called (Op.NextURL).
	Param string
	Value json.RawMessage
	From  string
	// Why explains None, End and Unknown.
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
	p := pageOf(a, op, env)
	switch {
	case p == nil && a != nil && a.Page != nil && a.Page.Most > 0 && recs.Len() >= a.Page.Most:
		return Next{State: Unknown, Why: atMost(a.Page)}
	case p == nil:
		return Next{State: None, Why: "this action has no pages"}
	case catalog.Writes(op.Action, a):
		return Next{State: None, Why: "it changes data, so it is sent once and has no next page"}
	}
	return read(a, p, op, env, recs).next()
}

// atMost explains why what follows the last record that the third party gives is not known.
func atMost(p *catalog.Page) string {
	return fmt.Sprintf("the third party gives at most %d records here, however many there are", p.Most)
}

// pageOf is how an action pages; nil when it does not. context_store_search
// pages the same way everywhere. Of what the service described nobody documented how it
// pages: the answer tells it.
func pageOf(a *catalog.Action, op client.Operation, env *client.Envelope) *catalog.Page {
	if a != nil && a.Page != nil && a.Page.Style != "" && a.Page.Style != "none" {
		return a.Page
	}
	if op.Action == catalog.ActionContextStoreSearch {
		return &catalog.Page{Style: "cursor", Send: "cursor", Meta: "cursor", More: "has_more", Size: "limit"}
	}
	if a != nil && a.Page == nil && open(a) && !catalog.Writes(op.Action, a) {
		return concluded(a, op, env)
	}
	return nil
}

func (r *reading) next() Next {
	yes, known, from := r.more()
	if known && !yes {
		return Next{State: End, Why: from + " says this is the last page"}
	}
	if r.p.Style == "last_id" || strings.HasPrefix(r.p.Next, "last.") && r.p.Meta == "" {
		return r.byRecord()
	}
	if v, where, ok := r.value(); ok {
		return r.carry(v, where)
	}
	switch {
	case r.env.NextURL != "":
		return r.byAddress()
	case r.p.Style == "offset" || r.p.Style == "page":
		return r.byCount()
	}
	return r.without(known, from)
}

// carry puts a value that the answer holds into the params, or takes it out of
// an address first.
func (r *reading) carry(v rawjson.Node, from string) Next {
	text := v.Text()
	isAddress := strings.Contains(text, "://") || r.p.NextIs == "path" ||
		r.p.NextIs == "url" && strings.Contains(text, "?")
	if v.Kind() == rawjson.String && isAddress {
		if q, ok := r.sendIn(text); ok {
			return r.step(r.p.Send, r.typed(r.p.Send, q), "query of "+from)
		}
		switch {
		case r.env.NextURL != "":
			return r.byAddress()
		case r.p.Style == "offset" || r.p.Style == "page":
			return r.byCount()
		}
		return Next{State: Unknown, Why: r.noParam(from)}
	}
	if r.p.Send == "" {
		if r.env.NextURL != "" {
			return r.byAddress()
		}
		return Next{State: Unknown, Why: from + " leads on, and no param of this action is known to take it"}
	}
	return r.step(r.p.Send, r.typed(r.p.Send, v.Raw()), from)
}

func (r *reading) noParam(from string) string {
	if g := r.env.Paging; g != nil && g.Elsewhere != "" {
		return from + " leads to " + g.Elsewhere + ", which is not the server that was asked, and is not followed"
	}
	if r.p.Send == "" {
		return from + " names an address, and no param of this action takes one"
	}
	return "the address in " + from + " does not hold " + r.p.Send
}

func (r *reading) byAddress() Next {
	op := r.op
	op.NextURL = r.env.NextURL
	from := "next address"
	if r.env.Paging != nil && r.env.Paging.NextFrom != "" {
		from = r.env.Paging.NextFrom
	}
	return Next{State: More, Op: op, Value: rawjson.AppendQuoted(nil, op.NextURL), From: from}
}

// byRecord takes the next value from the last record, or from the first one
// when the run goes backwards.
func (r *reading) byRecord() Next {
	n := r.recs.Len()
	_, known, flag := r.more()
	switch {
	case n == 0 && known:
		return Next{State: Unknown, Why: flag + " says there is more, but the page is empty: no record leads on"}
	case n == 0:
		return Next{State: End, Why: "the page is empty"}
	}
	field := strings.TrimPrefix(r.p.Next, "last.")
	param, at, which := r.p.Send, n-1, "last"
	if back, ok := lookup(rawjson.Parse(r.op.Params), r.p.Back); r.p.Back != "" && ok && back.Kind() != rawjson.Null {
		param, at, which = r.p.Back, 0, "first"
	}
	v, ok := lookup(r.recs.Record(at), field)
	if !ok || v.Kind() == rawjson.Null {
		why := "the " + which + " record has no " + field
		if len(r.op.SelectFields)+len(r.op.ExcludeFields) > 0 {
			why += "; let the selected fields include it"
		}
		return Next{State: Unknown, Why: why}
	}
	next := r.step(param, r.typed(param, v.Raw()), field+" of the "+which+" record")
	for _, also := range r.p.Also {
		v, ok := lookup(r.recs.Record(at), also.Value)
		if !ok || v.Kind() == rawjson.Null {
			return Next{State: Unknown, Why: "the " + which + " record has no " + also.Value}
		}
		next.Op.Params = WithParam(next.Op.Params, also.Name, r.typed(also.Name, v.Raw()))
	}
	return next
}

// byCount continues by the number of rows or pages.
func (r *reading) byCount() Next {
	rows, size := r.rows(), r.size()
	start := r.number(r.p.Send, r.first())
	if r.p.Style == "offset" {
		start = r.number(r.p.Send, 0)
	}
	total, totalKnown := r.total()
	done := start + rows
	if r.p.Style == "page" {
		// A page that is not full may be that of a server with smaller pages: it tells nothing of how far it is.
		done = (start-r.first())*size + rows
		totalKnown = totalKnown && size > 0 && rows >= size
	}
	value, from := start+1, fmt.Sprintf("page %d + 1", start)
	switch {
	case r.p.Style != "offset":
	case rows > 0:
		value, from = start+rows, fmt.Sprintf("%d + %d rows", start, rows)
	default:
		value, from = start+size, fmt.Sprintf("%d + %d, the size of a page", start, size)
	}
	// After an empty page others follow only where the answer says so. A number of
	// all records is no such word: it may count others too.
	switch goesOn := r.saysMore(); {
	case rows == 0 && goesOn && value > start:
	case rows == 0 && r.emptyBefore():
		return Next{State: End, Why: fmt.Sprintf("the page is empty, though the server speaks of %d records", total)}
	case rows == 0 && r.p.Style == "offset" && r.p.Most > 0 && start >= r.p.Most:
		// Asked for, as the third party may have come to give more than is known of it.
		return Next{State: Unknown, Why: atMost(r.p)}
	case rows == 0:
		return Next{State: End, Why: "the page is empty"}
	case totalKnown && done >= total:
		return Next{State: End, Why: fmt.Sprintf("all %d of %d are there", done, total)}
	case r.p.ShortEnds && rows < size:
		return Next{State: End, Why: fmt.Sprintf("the page is short: %d of %d rows", rows, size)}
	}
	return r.step(r.p.Send, r.typed(r.p.Send, []byte(strconv.Itoa(value))), from)
}

// emptyBefore reports whether a page of count-based paging is empty where there
// should be records by the number of all that the answer tells.
func (r *reading) emptyBefore() bool {
	total, known := r.total()
	if !known || r.rows() > 0 {
		return false
	}
	switch r.p.Style {
	case "offset":
		return r.number(r.p.Send, 0) < total
	case "page":
		return r.size() > 0 && (r.number(r.p.Send, r.first())-r.first())*r.size() < total
	}
	return false
}

func (r *reading) saysMore() bool {
	yes, known, _ := r.more()
	return yes && known
}

// without says what it means that the answer carries no next value.
func (r *reading) without(moreKnown bool, moreFrom string) Next {
	rows, size := r.rows(), r.size()
	switch {
	case moreKnown && r.p.Meta == "":
		return Next{State: Unknown, Why: moreFrom + " says there is more, but " + r.lacksNext()}
	case moreKnown:
		return Next{State: Unknown, Why: moreFrom + " says there is more, but meta." + r.p.Meta + " is missing"}
	case rows == 0:
		return Next{State: End, Why: "the page is empty"}
	case r.env.Paging != nil: // all that the third party says was looked through
		return Next{State: End, Why: "the answer names no next page"}
	case rows < size:
		return Next{State: End, Why: fmt.Sprintf("the page is short: %d of %d rows", rows, size)}
	case r.p.Meta == "":
		return Next{State: Unknown, Why: r.lacksNext()}
	case !r.meta.Exists() && size > 0:
		return Next{State: Unknown, Why: "a full page came without anything that tells of the next one"}
	}
	return Next{State: End, Why: "the answer has no meta." + r.p.Meta}
}

// lacksNext says that the answer does not carry what asks for the next page.
func (r *reading) lacksNext() string {
	if r.p.Send == "" {
		return "the answer does not carry the address of the next page"
	}
	return "the answer does not carry " + r.nextName() + ", which the param " + r.p.Send + " wants"
}

// step sets one param for the next page. What asked for this page at an
// address does not hold for the next one.
func (r *reading) step(param string, value json.RawMessage, from string) Next {
	next := r.op
	next.NextURL = ""
	next.Params = WithParam(r.op.Params, param, value)
	return Next{State: More, Op: next, Param: param, Value: value, From: from}
}

// Text says in one line what the next page would send, for the footer. It may
// hold text of the server.
func (n Next) Text() string {
	switch n.State {
	case More:
		return n.Short() + " (" + n.From + ")"
	case End, Unknown:
		return n.Short() + ": " + n.Why
	}
	return n.Why
}

// Short is Text without its explanation.
func (n Next) Short() string {
	switch n.State {
	case More:
		if n.Param == "" {
			return "next page calls " + short(n.Value)
		}
		return "next page sends " + n.Param + " = " + short(n.Value)
	case End:
		return "last page"
	case Unknown:
		return "next page unknown"
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
