package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// write runs create, update and delete: what the catalog or the code of the kind
// says where they know better, else the general way.
func (op *operation) write() *answer {
	op.call.keep()
	if own := ownWrites[op.d.kind.Name+"."+op.e.Name+"."+op.a.Name]; own != nil {
		v := own(op)
		if r, isRecord := v.(*data.Record); isRecord {
			return op.written(r)
		}
		return op.shaped(v, nil)
	}
	told, key := op.d.factsOf(op.e).Writes[op.a.Name], op.d.keyParam(op.d.base(op.e.Name), op.a)
	switch {
	case told.Changes:
		return op.written(op.change(told))
	case told.Upsert != "":
		for _, r := range op.d.table(op.e.Name).Rows {
			if strings.EqualFold(r.Obj.Text(told.Upsert), op.params.Text(told.Upsert)) {
				op.apply(r, told.Upsert)
				return op.written(r)
			}
		}
		return op.written(op.create(told))
	case op.a.Name == catalog.ActionCreate:
		return op.written(op.create(told))
	case op.a.Name == catalog.ActionUpdate:
		r := op.find(key)
		op.checkReferences(key)
		op.apply(r, key)
		return op.written(r)
	case op.a.Name == catalog.ActionDelete:
		r, t := op.find(key), op.d.table(op.e.Name)
		t.Drop(r)
		if len(op.a.Record) == 0 {
			return op.call.envelope(nil, nil)
		}
		return op.shaped(rawjson.NewMap("id", r.Obj.Value(t.Key), "object", data.Singular(op.e.Name),
			"deleted", true), nil)
	}
	panic(refuseField(http.StatusNotFound, "action", "unknown_action", "The service cannot run the action %s.",
		op.a.Name))
}

// create adds a record made of the params.
func (op *operation) create(told catalog.SandboxWrite) *data.Record {
	op.checkReferences("")
	r := op.blank()
	op.fill(r, told.Defaults)
	op.apply(r, "")
	op.d.table(op.e.Name).Insert(r)
	return r
}

// fill sets the fields that the catalog has templates for.
func (op *operation) fill(r *data.Record, templates map[string]json.RawMessage) {
	m := op.d.maker(op.d.base(op.e.Name), r.N)
	m.created, m.updated = op.d.now(), op.d.now()
	for name, raw := range templates {
		r.Obj.Set(name, m.fill(raw, r.Obj))
	}
}

// refuseParam refuses what a param holds.
func refuseParam(status int, param, code, format string, args ...any) *answer {
	return refuseField(status, "params."+param, code, format, args...)
}

// change moves a record from one state to another.
func (op *operation) change(told catalog.SandboxWrite) *data.Record {
	r := op.find("id")
	state := r.Obj.Text("status")
	switch {
	case slices.Contains(told.Kept, state):
		return r
	case told.From != nil && !slices.Contains(told.From, state), slices.Contains(told.Except, state):
		panic(refuseField(http.StatusBadRequest, "", "invalid_state", "%s",
			strings.ReplaceAll(told.Refuse, "{status}", state)))
	}
	op.fill(r, told.Set)
	for _, name := range told.Take {
		if v := op.params.Value(name); v != nil {
			r.Obj.Set(name, v)
		}
	}
	op.stamp(r)
	return r
}

// blank is a new record: what the caller did not say is null, empty or what the
// third party would fill in.
func (op *operation) blank() *data.Record {
	d, e := op.d, op.d.base(op.e.Name)
	d.table(e.Name)
	d.serial++
	m := d.maker(e, -d.serial)
	m.created, m.updated = d.now().UTC(), d.now().UTC()
	m.p.Odd = ""
	r := &data.Record{Obj: &rawjson.Map{}, N: -d.serial, At: m.created}
	fields := d.fields(e)
	for i := range fields {
		r.Obj.Set(fields[i].Name, m.fresh(&fields[i]))
	}
	for i, name := range r.Obj.Keys {
		if raw := d.facts.Every.New[name]; raw != nil {
			r.Obj.Vals[i] = m.fill(raw, r.Obj)
		} else if o, isObject := r.Obj.Vals[i].(*rawjson.Map); isObject && d.facts.Connections {
			// The lists of a new record hold nothing yet.
			switch {
			case o.Has("totalCount"):
				o.Set("totalCount", int64(0))
			case o.Has("nodes"):
				o.Set("nodes", []any{})
			}
		}
	}
	if scopes := d.scopesOf(e); len(scopes) > 0 {
		r.Hidden = m.hidden()
		for _, s := range scopes {
			v := op.params.Value(s.param)
			if rawjson.TextOf(v) == "" {
				continue
			}
			if s.parent.entity != nil { // a parent's other names stand for the one that children carry
				v = d.parentName(s, op.params)
			}
			r.Hidden.Set(s.param, v)
		}
	}
	return r
}

// fresh is the value of a field that nobody gave.
func (m *maker) fresh(f *catalog.Field) any {
	key := m.e.Key
	switch role := m.d.roleOf(f.Name); {
	case f.Const != nil, f.Name == key, f.Name == "key", f.Name == "object", f.Name == "number" && !f.Nullable,
		data.Normal(f.Name) == "self":
		return m.field(f)
	case role == timeCreated || role == timeUpdated:
		return m.d.writeTime(f, m.created)
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
			return &rawjson.Map{}
		}
		return m.value(f)
	}
	if among("texts", data.Normal(f.Name)) {
		return ""
	}
	m.r.State = data.Hash(m.seed, f.Name)
	return m.value(f)
}

// apply sets the given params on a record: only what is in the request changes.
func (op *operation) apply(r *data.Record, key string) {
	e := op.d.base(op.e.Name)
	for i, name := range op.params.Keys {
		f := catalog.FieldByName(op.a.Params, name)
		if name == key || hasScope(op.d.scopesOf(e), name) || f == nil && !op.a.FreeBody {
			continue
		}
		path, found := name, r.Obj.Has(name)
		if !found {
			path, found = op.d.recordField(e, name)
		}
		first, _, _ := strings.Cut(path, ".")
		if !found || !r.Obj.Has(first) {
			if given, wraps := op.params.Vals[i].(*rawjson.Map); wraps && name == data.Singular(op.e.Name) {
				op.unwrap(r, given)
			}
			if op.a.FreeBody {
				r.Obj.Set(name, op.params.Vals[i])
			}
			continue
		}
		op.assign(r, path, op.params.Vals[i])
		for _, also := range op.d.param(op.e, name).Also {
			if r.Obj.Has(also) {
				op.assign(r, also, op.params.Vals[i])
			}
		}
	}
	op.stamp(r)
}

// unwrap sets what a param gives that is named as a record and holds the record's fields.
func (op *operation) unwrap(r *data.Record, given *rawjson.Map) {
	for i, name := range given.Keys {
		if r.Obj.Has(name) {
			op.assign(r, name, given.Vals[i])
		}
	}
}

// assign sets one field, in the form that the record keeps it.
func (op *operation) assign(r *data.Record, path string, v any) {
	old, _ := data.At(r.Obj, path)
	switch given := v.(type) {
	case *rawjson.Map:
		held, isObject := old.(*rawjson.Map)
		if !isObject || path != "metadata" && !op.d.param(op.e, path).Merges {
			v = given.Clone()
			break
		}
		for i, k := range given.Keys { // single keys change; an empty text removes one of metadata
			if given.Vals[i] == "" || given.Vals[i] == nil && path == "metadata" {
				held.Remove(k)
			} else {
				held.Set(k, given.Vals[i])
			}
		}
		return
	case []any:
		if held, isObject := old.(*rawjson.Map); isObject && (held.Has("nodes") || op.d.facts.Connections) {
			nodes := []any{}
			for _, e := range given {
				nodes = append(nodes, rawjson.NewMap("name", e, "login", e))
			}
			v = rawjson.NewMap("nodes", nodes)
		} else {
			v = rawjson.CloneValue(given)
		}
	case string:
		if op.d.facts.Connections && (path == "state" || path == "stateReason") {
			v = strings.ToUpper(given)
		}
	}
	setPath(r.Obj, path, v)
}

// stamp marks the record as changed now.
func (op *operation) stamp(r *data.Record) {
	for _, f := range op.d.fields(op.d.base(op.e.Name)) {
		if op.d.roleOf(f.Name) == timeUpdated && r.Obj.Has(f.Name) && !strings.Contains(data.Normal(f.Name), "pushed") {
			r.Obj.Set(f.Name, op.d.writeTime(&f, op.d.now()))
		}
	}
	op.d.table(op.e.Name).Touch(r)
}

// checkReferences refuses params that name records which do not exist, but for the
// one that names the record of the call.
func (op *operation) checkReferences(key string) {
	for i := range op.a.Params {
		f := &op.a.Params[i]
		v := op.params.Value(f.Name)
		if v == nil || f.Name == key || f.Type != "string" && f.Type != "integer" {
			continue
		}
		ref := op.d.toldReference(op.e.Name, f)
		if ref.entity == nil && op.d.facts.NamedRefs && f.Name != "currency" {
			ref = op.d.namedReference(op.e, data.Normal(f.Name))
		}
		if ref.entity != nil && ref.entity != op.d.base(op.e.Name) && op.d.facts.Scopes[f.Name].With == "" &&
			op.d.table(ref.entity.Name).Find(rawjson.TextOf(v)) == nil {
			panic(refuseParam(http.StatusBadRequest, f.Name, "resource_missing", "No such %s: '%s'.",
				data.Singular(ref.entity.Name), rawjson.TextOf(v)))
		}
	}
}

// written is the answer to create and update: the record, or the action's own form of it.
func (op *operation) written(r *data.Record) *answer {
	if len(op.a.Record) == 0 {
		return op.shaped(r.Obj, nil)
	}
	o := &rawjson.Map{}
	m := op.d.maker(op.d.base(op.e.Name), r.N)
	m.created, m.updated = r.At, op.d.now()
	for i := range op.a.Record {
		f := &op.a.Record[i]
		v, has := r.Obj.Get(f.Name)
		switch {
		case f.Name == "success":
			v = true
		case !has && f.Name == data.Singular(op.e.Name) && strings.Contains(f.Type, "object"):
			v = r.Obj // the answer names the record as what it is
		case !has:
			v = m.fresh(f)
		default:
			v = op.plain(f, v)
		}
		o.Set(f.Name, fitted(f, v))
	}
	return op.shaped(o, nil)
}

// plain turns what a record keeps into what the field of an answer takes: the list
// of {nodes: [...]}, a state in lower case.
func (op *operation) plain(f *catalog.Field, v any) any {
	switch of := v.(type) {
	case string:
		if f.Name == "state" && op.d.facts.Connections {
			return strings.ToLower(of)
		}
	case []any:
		if !strings.Contains(f.Type, "array") && !strings.Contains(f.Type, "any") {
			return nil
		}
	}
	return v
}
