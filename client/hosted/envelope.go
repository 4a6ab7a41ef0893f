package hosted

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
)

// smallMember is the largest member of an upstream body that counts as paging
// information; whatever is larger is data.
const smallMember = 4 << 10

// listKeys are where third parties keep lists when the catalog does not say.
var listKeys = []string{"data", "records", "items", "results", "values", "entries", "list", "nodes"}

// reader locates the parts of one answer.
type reader struct {
	s      *scan
	body   client.Body
	entity *catalog.Entity
	action *catalog.Action
	name   string // of the action
	env    *client.Envelope
}

// readEnvelope fills the places of records and meta into env, whatever wrapping came.
func readEnvelope(env *client.Envelope, s *scan, entity *catalog.Entity, action *catalog.Action, actionName string) {
	r := &reader{s: s, body: env.Body, entity: entity, action: action, name: actionName, env: env}
	root := s.at("")
	switch {
	case root == nil || !s.complete():
		env.Shape = client.ShapeOther
	case root.kind == '[':
		env.Shape = client.ShapeArray
		r.records(root, false)
	case root.kind != '{':
		env.Shape = client.ShapeOther
		r.primitive(root)
	case r.isService():
		r.service()
	case r.isDataMeta(""):
		env.Shape = client.ShapeDataMeta
		r.dataMeta("")
	default:
		r.bare(root)
	}
	agreeOnServerTime(env)
}

// agreeOnServerTime lets the answer and the attempt that brought it tell the
// same: what the body says, else what the headers say.
func agreeOnServerTime(env *client.Envelope) {
	if len(env.Attempts) == 0 {
		return
	}
	last := &env.Attempts[len(env.Attempts)-1]
	if env.ServerTime == 0 {
		env.ServerTime = last.Server
	}
	last.Server = env.ServerTime
}

// isService recognises {status, result, connector_metadata, execution_metadata}.
// result alone does not do: third parties use the word too.
func (r *reader) isService() bool {
	if r.s.at("result") == nil {
		return false
	}
	status := r.s.at("status")
	return r.s.at("connector_metadata") != nil || r.s.at("execution_metadata") != nil || status != nil && status.kind == '"'
}

func (r *reader) service() {
	env := r.env
	env.Shape = client.ShapeService
	if m := r.s.at("connector_metadata"); m != nil && m.kind == '{' {
		env.Meta, env.MetaPath = m.span, m.path
	}
	env.ConnectorInstance = r.string("execution_metadata.connector_instance_id")
	env.ServerTime = r.milliseconds("execution_metadata.execution_time_ms")
	env.Warning = r.warning()
	result := r.s.at("result")
	switch {
	case result.kind == '[':
		r.records(result, false)
	case result.kind != '{':
		r.primitive(result)
	case r.isDataMeta("result"):
		r.dataMeta("result")
	default:
		r.object(result)
	}
}

// isDataMeta recognises {data, meta} at a path. A record of its own may have
// members of these names, so nothing but paging may stand beside them.
func (r *reader) isDataMeta(at string) bool {
	data, meta := r.s.at(join(at, "data")), r.s.at(join(at, "meta"))
	if data == nil || data.kind != '[' && data.kind != '{' {
		return false
	}
	if meta == nil || meta.kind != '{' {
		return false
	}
	return r.searching() || data.kind == '[' || len(r.s.children(at)) <= 3
}

func (r *reader) searching() bool {
	return r.name == catalog.ActionContextStoreSearch || r.name == catalog.ActionSemanticSearch
}

func (r *reader) dataMeta(at string) {
	data, meta := r.s.at(join(at, "data")), r.s.at(join(at, "meta"))
	r.env.Meta, r.env.MetaPath = meta.span, meta.path
	if took := r.milliseconds(meta.path + ".took_ms"); took > 0 && r.env.ServerTime == 0 {
		r.env.ServerTime = took
	}
	r.records(data, data.kind == '{')
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// bare reads an object without any wrapping of the service.
func (r *reader) bare(root *member) {
	r.env.Shape = client.ShapeObject
	if m := r.list(""); m != nil {
		r.env.Shape = client.ShapeUpstream
	}
	r.object(root)
}

// object reads an object that is one record or a third party's whole body.
func (r *reader) object(o *member) {
	if r.nested(o) {
		return
	}
	list := r.list(o.path)
	if list == nil {
		r.records(o, true)
		return
	}
	r.records(list, list.kind == '{')
	if r.env.Meta.Empty() {
		r.env.MetaJSON = r.meta(o, list)
	}
}

// list finds the records within an upstream body: where the catalog says, else
// at a usual name, else the only array. Actions on one record have no list.
func (r *reader) list(at string) *member {
	for _, path := range r.documented() {
		if m := r.s.at(join(at, path)); m != nil && (m.kind == '[' || m.kind == '{') && path != "" {
			return m
		}
	}
	switch r.name {
	case catalog.ActionGet, catalog.ActionCreate, catalog.ActionUpdate, catalog.ActionDelete:
		return nil
	}
	names := listKeys
	if r.entity != nil {
		names = append([]string{r.entity.Name}, listKeys...)
	}
	var arrays []member
	for _, m := range r.s.children(at) {
		if m.kind == '[' {
			arrays = append(arrays, m)
		}
	}
	for _, name := range names {
		for _, m := range arrays {
			if m.path == join(at, name) {
				return r.s.at(m.path)
			}
		}
	}
	if len(arrays) == 1 {
		return r.s.at(arrays[0].path)
	}
	return nil
}

// documented lists the paths at which the catalog knows the records. What lies
// within the elements of an array is reached through that array.
func (r *reader) documented() []string {
	out := r.places()
	for i, path := range out {
		out[i], _, _ = strings.Cut(path, "[")
	}
	return out
}

// meta gathers paging information of an upstream body: the documented fields
// from where the catalog says, and the small members beside the list.
func (r *reader) meta(o, list *member) json.RawMessage {
	var b bytes.Buffer
	var names []string
	add := func(name string, span client.Span) {
		if slices.Contains(names, name) || span.To-span.From > smallMember || span.Empty() {
			return
		}
		if len(names) == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		names = append(names, name)
		key, _ := json.Marshal(name)
		b.Write(append(key, ':'))
		b.Write(r.body.Slice(span.From, span.To))
	}
	if r.action != nil && r.action.Binding != nil {
		for _, pair := range r.action.Binding.Meta {
			add(pair.Name, r.place(join(o.path, pair.Value)))
		}
	}
	for _, m := range r.s.children(o.path) {
		if m.path != list.path && !strings.HasPrefix(list.path, m.path+".") && !strings.HasPrefix(list.path, m.path+"[") {
			add(m.path[strings.LastIndexByte(m.path, '.')+1:], m.span)
		}
	}
	if len(names) == 0 {
		return nil
	}
	b.WriteByte('}')
	return b.Bytes()
}

func (r *reader) records(m *member, single bool) {
	r.env.Records, r.env.RecordsPath, r.env.Single = m.span, m.path, single
}

// primitive makes a bare value a record of its own; null is none.
func (r *reader) primitive(m *member) {
	if text := r.body.Slice(m.span.From, min(m.span.To, m.span.From+4)); string(text) != "null" {
		r.records(m, true)
	}
}

func (r *reader) string(path string) string {
	var v string
	if m := r.s.at(path); m != nil && m.kind == '"' && m.span.To-m.span.From < smallMember {
		_ = json.Unmarshal(r.body.Slice(m.span.From, m.span.To), &v)
	}
	return v
}

func (r *reader) milliseconds(path string) time.Duration {
	var ms float64
	if m := r.s.at(path); m != nil && m.kind == 0 && m.span.To-m.span.From < 32 {
		_ = json.Unmarshal(r.body.Slice(m.span.From, m.span.To), &ms)
	}
	if ms < 0 || ms > 1e10 {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// warning reads the note of the service about its answer, a text or an object with one.
func (r *reader) warning() string {
	m := r.s.at("warning")
	if m == nil || m.span.To-m.span.From > smallMember {
		return ""
	}
	if text := r.string("warning"); text != "" {
		return text
	}
	for _, name := range []string{"message", "detail", "title"} {
		if text := r.string("warning." + name); text != "" {
			return text
		}
	}
	if m.kind == '{' || m.kind == '[' {
		return string(r.body.Slice(m.span.From, m.span.To))
	}
	return ""
}
