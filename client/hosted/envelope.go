package hosted

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

const (
	// lookDepth is how many levels of objects are looked into; arrays are passed over.
	lookDepth = 4
	// mostParts bounds what is remembered of an object with very many members.
	mostParts = 4096
	// smallMember is the largest member of an upstream body that counts as paging
	// information; whatever is larger is data.
	smallMember = 4 << 10
)

// listKeys are where third parties keep lists when the catalog does not say.
var listKeys = []string{"data", "records", "items", "results", "values", "entries", "list", "nodes"}

// part is the body, or a value within its outer objects.
type part struct {
	rawjson.Node
	path, name string
	depth      int
	many       bool // the records lie in several values, of which this holds the first
}

// reader locates the parts of one answer.
type reader struct {
	c     *Client
	r     request
	res   *transport.Result
	env   *client.Envelope
	parts []part // each before what lies in it
	// whole says that the body is one JSON value and nothing else, as far as the
	// outer brackets tell.
	whole bool
	end   int  // of the last child of the body
	bad   bool // an object holds something else than members
}

// read finds the places of records and meta, whatever wrapping came.
func (c *Client) read(r request, res *transport.Result) *reader {
	x := &reader{c: c, r: r, res: res, env: &client.Envelope{
		Body: res.Body, Shape: client.ShapeOther, Names: c.cfg.Names,
		Status: res.Status, ContentType: res.Header.Get("Content-Type"),
		Started: res.Started, Took: res.Took, Attempts: res.Attempts,
		FileName: transport.FileName(res.Header),
	}}
	root := rawjson.Root(res.Body)
	x.look(part{Node: root})
	if root.Kind() < rawjson.Array {
		x.whole = rawjson.Valid(root.Raw())
	} else {
		from, to := root.Span() // between the last child and the end stands nothing but a bracket
		rest := bytes.TrimSpace(res.Body.Slice(max(x.end, from+1), to))
		x.whole = !root.Cut() && !x.bad && len(rest) == 1
	}
	switch {
	case !x.whole:
	case x.isService():
		x.service()
	default:
		x.env.Shape = x.value(x.at(""))
	}
	// The answer and the attempt that brought it tell the same: what the body says, else the headers.
	if n := len(res.Attempts); n > 0 {
		x.env.ServerTime = cmp.Or(x.env.ServerTime, res.Attempts[n-1].Server)
		res.Attempts[n-1].Server = x.env.ServerTime
	}
	return x
}

// look notes a part and, where it is an object, those in it.
func (x *reader) look(p part) {
	if len(x.parts) == mostParts {
		return
	}
	x.parts = append(x.parts, p)
	object := p.Kind() == rawjson.Object && p.depth < lookDepth
	if !object && p.depth > 0 {
		return
	}
	for name, value := range p.Children() {
		if p.depth == 0 {
			_, x.end = value.Span()
		}
		if object {
			x.bad = x.bad || !name.Exists()
			x.look(part{Node: value, path: join(p.path, name.Text()), name: name.Text(), depth: p.depth + 1})
		}
	}
}

// at is the part at a dotted path; the first of several, and one that does not exist for none.
func (x *reader) at(path string) part {
	i := slices.IndexFunc(x.parts, func(p part) bool { return p.path == path })
	if i < 0 {
		return part{}
	}
	return x.parts[i]
}

// children are the parts right below a path.
func (x *reader) children(path string) []part {
	i := slices.IndexFunc(x.parts, func(p part) bool { return p.path == path })
	if i < 0 {
		return nil
	}
	var out []part
	for _, p := range x.parts[i+1:] {
		if p.depth <= x.parts[i].depth {
			break
		}
		if p.depth == x.parts[i].depth+1 {
			out = append(out, p)
		}
	}
	return out
}

// isService recognises {status, result, connector_metadata, execution_metadata}.
// result alone does not do: third parties use the word too.
func (x *reader) isService() bool {
	return x.at("result").Exists() && (x.at("connector_metadata").Exists() || x.at("execution_metadata").Exists() ||
		x.at("status").Kind() == rawjson.String)
}

func (x *reader) service() {
	env := x.env
	if m := x.at("connector_metadata"); m.Kind() == rawjson.Object {
		env.Meta, env.MetaPath = span(m.Node), m.path
	}
	env.ConnectorInstance = x.text("execution_metadata.connector_instance_id")
	env.ServerTime = x.milliseconds("execution_metadata.execution_time_ms")
	// The note of the service about its answer is a text or an object with one.
	if m := x.at("warning"); m.Size() <= smallMember {
		env.Warning = cmp.Or(x.text("warning"), x.text("warning.message"), x.text("warning.detail"),
			x.text("warning.title"))
		if env.Warning == "" && m.Kind() >= rawjson.Array {
			env.Warning = string(m.Raw())
		}
	}
	x.value(x.at("result"))
	env.Shape = client.ShapeService
}

// value reads the body, or what the service put around it, and says what it is.
func (x *reader) value(o part) client.Shape {
	switch o.Kind() {
	case rawjson.Object:
	case rawjson.Array:
		x.records(o)
		return client.ShapeArray
	default: // a bare value is a record of its own; null is none
		if o.Kind() != rawjson.Null {
			x.records(o)
		}
		return client.ShapeOther
	}
	data, meta := x.at(join(o.path, "data")), x.at(join(o.path, "meta"))
	// A record of its own may have members of these names, so nothing but paging may stand beside them.
	if data.Kind() >= rawjson.Array && meta.Kind() == rawjson.Object &&
		(x.searches() || data.Kind() == rawjson.Array || len(x.children(o.path)) <= 3) {
		x.env.Meta, x.env.MetaPath = span(meta.Node), meta.path
		x.env.ServerTime = cmp.Or(x.env.ServerTime, x.milliseconds(meta.path+".took_ms"))
		x.records(data)
		return client.ShapeDataMeta
	}
	list := x.list(o.path)
	if !list.Exists() {
		x.records(o)
		return client.ShapeObject
	}
	x.records(list)
	if x.env.Meta.Empty() {
		x.env.MetaJSON = x.meta(o, list)
	}
	return client.ShapeUpstream
}

func (x *reader) records(p part) {
	x.env.Records, x.env.RecordsPath = span(p.Node), p.path
	x.env.Single = p.Kind() != rawjson.Array && !p.many
}

// list finds the records within an upstream body: where the catalog says, else
// at a usual name, else the only array. Actions on one record have no list.
func (x *reader) list(at string) part {
	places := x.places()
	for _, place := range places {
		if p := x.nested(join(at, place)); p.Exists() {
			return p
		}
	}
	for _, place := range places {
		place, _, _ = strings.Cut(place, "[") // what lies in the elements of an array is reached through it
		if p := x.at(join(at, place)); p.Kind() >= rawjson.Array && place != "" {
			return p
		}
	}
	switch x.r.op.Action {
	case catalog.ActionGet, catalog.ActionCreate, catalog.ActionUpdate, catalog.ActionDelete:
		return part{}
	}
	names := listKeys
	if x.r.entity != nil {
		names = append([]string{x.r.entity.Name}, names...)
	}
	for _, name := range names {
		if p := x.at(join(at, name)); p.Kind() == rawjson.Array {
			return p
		}
	}
	children := x.children(at)
	isArray := func(p part) bool { return p.Kind() == rawjson.Array }
	if i := slices.IndexFunc(children, isArray); i >= 0 && !slices.ContainsFunc(children[i+1:], isArray) {
		return children[i]
	}
	return part{}
}

// places lists where the catalog says that a third party's whole body has its records.
func (x *reader) places() []string {
	if x.r.action == nil || x.r.action.Binding == nil {
		return nil
	}
	var out []string
	for _, path := range []string{x.r.action.Binding.RecordsInBody, x.r.action.Binding.Records} {
		if path = strings.TrimPrefix(path, "$."); path != "" {
			out = append(out, path)
		}
	}
	return out
}

// nested finds records whose place leads through the elements of arrays:
// boards[*].items, or teams[0].
func (x *reader) nested(place string) part {
	path, err := rawjson.ParsePath(place)
	if err != nil || !strings.Contains(place, "[") {
		return part{}
	}
	at, branches := path.UntilAny()
	if n, _ := x.at("").Lookup(path[:at]); n.Kind() >= rawjson.Array {
		return part{Node: n, path: place, many: branches}
	}
	return part{}
}

// meta gathers paging information of an upstream body: the documented fields
// from where the catalog says, and the small members beside the list.
func (x *reader) meta(o, list part) json.RawMessage {
	out := &rawjson.Map{}
	add := func(name string, n rawjson.Node) {
		if n.Exists() && n.Size() <= smallMember && !out.Has(name) {
			out.Add(name, json.RawMessage(n.Raw()))
		}
	}
	if x.r.action != nil && x.r.action.Binding != nil {
		for _, pair := range x.r.action.Binding.Meta {
			place := join(o.path, pair.Value)
			n := x.at(place).Node
			if path, err := rawjson.ParsePath(place); err == nil && strings.Contains(place, "[") && !n.Exists() {
				n, _ = x.at("").Lookup(path)
			}
			add(pair.Name, n)
		}
	}
	for _, m := range x.children(o.path) {
		if m.path != list.path && !strings.HasPrefix(list.path, m.path+".") &&
			!strings.HasPrefix(list.path, m.path+"[") {
			add(m.name, m.Node)
		}
	}
	if out.Len() == 0 {
		return nil
	}
	return out.JSON()
}

func (x *reader) text(path string) string {
	if m := x.at(path); m.Kind() == rawjson.String && m.Size() < smallMember {
		return m.Text()
	}
	return ""
}

func (x *reader) milliseconds(path string) time.Duration {
	m := x.at(path)
	ms, err := strconv.ParseFloat(m.Text(), 64)
	if m.Kind() != rawjson.Number || err != nil || !(ms > 0 && ms <= 1e10) {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

func span(n rawjson.Node) (s client.Span) {
	s.From, s.To = n.Span()
	return s
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}
