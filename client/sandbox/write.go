package sandbox

import (
	"net/http"
	"strings"
	"time"

	"patchbay/catalog"
)

// write runs create, update and delete: a rule of the entity's own where the
// documents have one, else the general way.
func (op *operation) write() (*result, error) {
	if own := ownWrite(op.d.kind.Name + "." + op.e.Name + "." + op.a.Name); own != nil {
		return own(op)
	}
	switch op.a.Name {
	case catalog.ActionCreate:
		return op.create()
	case catalog.ActionUpdate:
		return op.update()
	case catalog.ActionDelete:
		return op.remove()
	}
	return nil, &refusal{status: http.StatusNotFound, field: "action", code: "unknown_action", message: "The service cannot run the action " + op.a.Name + "."}
}

// create adds a record made of the params.
func (op *operation) create() (*result, error) {
	if err := op.checkReferences(); err != nil {
		return nil, err
	}
	r := op.blank()
	op.apply(r, "")
	op.d.table(op.e.Name).insert(r)
	return op.written(r), nil
}

// blank is a new record: what the caller did not say is null, empty or what the
// third party would fill in.
func (op *operation) blank() *record {
	d, e := op.d, op.d.base(op.e.Name)
	d.table(e.Name)
	d.serial++
	m := d.maker(e, -d.serial)
	m.created, m.updated = d.now().UTC(), d.now().UTC()
	m.p.odd = ""
	o := &object{}
	for i := range d.fields(e) {
		f := &d.fields(e)[i]
		o.set(f.Name, m.fresh(f))
	}
	r := &record{obj: o, n: -d.serial, at: m.created}
	if d.kind.Name == "code_hosting" {
		untouched(o)
	}
	if o.has("delivery_id") {
		o.set("delivery_id", "dgO0"+m.r.chars(base62, 20))
		o.set("queued_at", d.second())
	}
	if scopes := d.scopesOf(e); len(scopes) > 0 {
		r.hidden = m.hidden()
		for _, s := range scopes {
			if v := op.params.text(s.param); v != "" {
				r.hidden.set(s.param, op.canonical(s, v))
			}
		}
	}
	return r
}

// untouched empties what a new issue or pull request of code hosting cannot have yet.
func untouched(o *object) {
	for i, v := range o.vals {
		inner, isObject := v.(*object)
		switch {
		case isObject && inner.has("totalCount"):
			inner.set("totalCount", int64(0))
		case isObject && inner.has("nodes"):
			inner.set("nodes", []any{})
		case o.keys[i] == "milestone", o.keys[i] == "closedAt", o.keys[i] == "mergedAt", o.keys[i] == "mergedBy", o.keys[i] == "stateReason":
			o.vals[i] = nil
		case o.keys[i] == "state":
			o.vals[i] = "OPEN"
		case o.keys[i] == "author":
			o.vals[i] = newObject("login", userLogin(0))
		}
	}
}

// canonical turns a parent's other names into the value that children carry.
func (op *operation) canonical(s scope, v string) any {
	if s.parent.entity == nil || openScope(s) {
		return v
	}
	if parent := op.d.table(s.parent.entity.Name).find(v); parent != nil {
		return parent.obj.value(s.parent.field)
	}
	return v
}

// fresh is the value of a field that nobody gave.
func (m *maker) fresh(f *catalog.Field) any {
	key := keyField(m.e)
	switch role := roleOf(f.Name); {
	case f.Const != nil, f.Name == key, f.Name == "key", f.Name == "object", f.Name == "number" && !f.Nullable, normal(f.Name) == "self":
		return m.field(f)
	case role == timeCreated || role == timeUpdated:
		return writeTime(m.d.kind.Name, f, m.created)
	case f.Nullable:
		return nil
	case len(f.Enum) > 0:
		return constant(f.Enum[0])
	}
	switch t, _, _ := strings.Cut(f.Type, "|"); t {
	case "boolean":
		return f.Name == "livemode"
	case "integer":
		return int64(0)
	case "number":
		return float64(0)
	case "array":
		return []any{}
	case "object", "any":
		if f.Name == "metadata" || len(f.Members) == 0 {
			return &object{}
		}
		return m.value(f, 1)
	}
	switch n := normal(f.Name); n {
	case "title", "name", "body", "description", "summary", "text", "comment", "subject", "content":
		return ""
	}
	m.r.state = hash(m.seed, f.Name)
	return m.value(f, 1)
}

// apply sets the given params on a record: only what is in the request changes.
func (op *operation) apply(r *record, key string) {
	e := op.d.base(op.e.Name)
	for i, name := range op.params.keys {
		f := fieldNamed(op.a.Params, name)
		if name == key || hasScope(op.d.scopesOf(e), name) || f == nil && !op.a.FreeBody {
			continue
		}
		path := name
		if !r.obj.has(name) {
			found := false
			if path, found = op.d.recordField(e, name); !found {
				if op.a.FreeBody {
					r.obj.set(name, op.params.vals[i])
				}
				continue
			}
		}
		op.assign(r, path, op.params.vals[i])
	}
	op.stamp(r)
}

// assign sets one field, in the form that the record keeps it.
func (op *operation) assign(r *record, path string, v any) {
	old, _ := at(r.obj, path)
	switch given := v.(type) {
	case *object:
		if held, isObject := old.(*object); isObject && path == "metadata" {
			mergeMetadata(held, given)
			return
		}
		v = given.clone()
	case []any:
		if held, isObject := old.(*object); isObject && (held.has("nodes") || op.d.kind.Name == "code_hosting") {
			nodes := []any{}
			for _, e := range given {
				nodes = append(nodes, newObject("name", e, "login", e))
			}
			v = newObject("nodes", nodes)
		} else {
			v = cloneValue(given)
		}
	case string:
		if op.d.kind.Name == "code_hosting" && (path == "state" || path == "stateReason") {
			v = strings.ToUpper(given)
		}
	}
	setPath(r.obj, path, v)
}

// mergeMetadata changes single keys; an empty text removes one.
func mergeMetadata(held, given *object) {
	for i, k := range given.keys {
		if given.vals[i] == "" || given.vals[i] == nil {
			held.remove(k)
		} else {
			held.set(k, given.vals[i])
		}
	}
}

// stamp marks the record as changed now.
func (op *operation) stamp(r *record) {
	for _, f := range op.d.fields(op.d.base(op.e.Name)) {
		if roleOf(f.Name) == timeUpdated && r.obj.has(f.Name) && !strings.Contains(normal(f.Name), "pushed") {
			r.obj.set(f.Name, writeTime(op.d.kind.Name, &f, op.d.now()))
		}
	}
	op.d.table(op.e.Name).touch(r)
}

// checkReferences refuses params that name records which do not exist.
func (op *operation) checkReferences() error {
	for i := range op.a.Params {
		f := &op.a.Params[i]
		v := op.params.value(f.Name)
		if v == nil || f.Type != "string" && f.Type != "integer" {
			continue
		}
		ref := op.d.toldReference(op.e.Name, f)
		if ref.entity == nil && op.d.kind.Name == "payments" && f.Name != "currency" {
			ref = op.d.namedReference(op.e, normal(f.Name))
		}
		if ref.entity == nil || ref.entity.Name == op.d.base(op.e.Name).Name || openScope(scope{param: f.Name, parent: ref}) {
			continue
		}
		if op.d.table(ref.entity.Name).find(asText(v)) == nil {
			return &refusal{status: http.StatusBadRequest, field: "params." + f.Name, code: "resource_missing", message: "No such " + singular(ref.entity.Name) + ": '" + asText(v) + "'."}
		}
	}
	return nil
}

// update changes the fields that the params give.
func (op *operation) update() (*result, error) {
	key := op.d.keyParam(op.d.base(op.e.Name), op.a)
	r, err := op.find(key)
	if err != nil {
		return nil, err
	}
	if err := op.checkReferences(); err != nil {
		return nil, err
	}
	op.apply(r, key)
	return op.written(r), nil
}

// remove deletes a record and answers with the action's own record.
func (op *operation) remove() (*result, error) {
	r, err := op.find(op.d.keyParam(op.d.base(op.e.Name), op.a))
	if err != nil {
		return nil, err
	}
	t := op.d.table(op.e.Name)
	t.drop(r)
	if len(op.a.Record) == 0 {
		return &result{body: []byte("null")}, nil
	}
	return &result{body: appendObject(nil, newObject("id", r.obj.value(t.key), "object", singular(op.e.Name), "deleted", true))}, nil
}

// written is the answer to create and update: the record, or the action's own form of it.
func (op *operation) written(r *record) *result {
	if len(op.a.Record) == 0 {
		return &result{body: appendObject(nil, op.present(r.obj))}
	}
	o := &object{}
	m := op.d.maker(op.d.base(op.e.Name), r.n)
	m.created, m.updated = r.at, op.d.now()
	for i := range op.a.Record {
		f := &op.a.Record[i]
		v, has := r.obj.get(f.Name)
		switch {
		case f.Name == "success":
			v = true
		case has && fitsField(f, v):
		case has:
			v = unwrap(v)
		default:
			v = m.fresh(f)
		}
		if text, isText := v.(string); isText && f.Name == "state" && op.d.kind.Name == "code_hosting" {
			v = strings.ToLower(text)
		}
		o.set(f.Name, v)
	}
	return &result{body: appendObject(nil, op.present(o))}
}

func (op *operation) present(o *object) *object {
	if len(op.selected) > 0 {
		return selectFields(o, op.selected)
	}
	for _, p := range op.excluded {
		o = o.clone()
		excludeField(o, asText(p))
	}
	return o
}

func fitsField(f *catalog.Field, v any) bool {
	switch v.(type) {
	case *object:
		return strings.Contains(f.Type, "object") || strings.Contains(f.Type, "any")
	case []any:
		return strings.Contains(f.Type, "array") || strings.Contains(f.Type, "any")
	}
	return true
}

// unwrap turns {nodes: [...]} into the list that other interfaces of the same
// third party give.
func unwrap(v any) any {
	if o, isObject := v.(*object); isObject {
		if nodes, has := o.get("nodes"); has {
			return nodes
		}
		if n, has := o.get("totalCount"); has {
			return n
		}
	}
	return nil
}

// second is the current Unix time as records keep it.
func (d *dataset) second() int64 { return d.now().UTC().Truncate(time.Second).Unix() }
