package sandbox

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// Names that the service speaks.
const (
	// NamesNeutral are those of the specification.
	NamesNeutral = "neutral"
	// NamesWire are those of the real connector definitions, where they differ.
	NamesWire = "wire"
)

// hears brings a call that came in the names of the real definitions into those of the
// specification, in which everything here is kept.
func (op *operation) hears(a *catalog.Action) {
	if !op.call.speaksWire() || op.e == nil || a == nil {
		return
	}
	v, err := data.Parse(catalog.FromWire(op.e, a, rawjson.Encode(op.params)))
	if params, isObject := v.(*rawjson.Map); err == nil && isObject {
		op.params = params
	}
	op.selected = catalog.FromWirePaths(op.e, a, op.selected)
	op.excluded = catalog.FromWirePaths(op.e, a, op.excluded)
}

// refuses brings a refusal into the names of the real definitions.
func (c *call) refuses(a *answer) *answer {
	if !c.speaksWire() || c.op == nil || c.op.e == nil {
		return a
	}
	names := map[string]string{}
	if done := c.op.e.Action(c.in.Text("action")); done != nil {
		wireNames(names, done.Params)
	}
	wireNames(names, c.op.e.Search)
	wireNames(names, c.op.e.Record)
	a.body = identifier.ReplaceAllFunc(a.body, func(word []byte) []byte {
		if wire, renamed := names[string(word)]; renamed {
			return []byte(wire)
		}
		return word
	})
	return a
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// wireNames collects the names that fields have in the real definition, at any depth.
func wireNames(names map[string]string, fields []catalog.Field) {
	for i := range fields {
		f := &fields[i]
		if wire := f.WireName(); wire != f.Name {
			_, last, _ := data.CutLast("."+f.Name, '.')
			_, name, _ := data.CutLast("."+wire, '.')
			names[last] = name
		}
		wireNames(names, f.Below())
	}
}

func (c *call) speaksWire() bool { return c.s.opts.Names == NamesWire }

// says brings an answer into the names of the real definitions.
func (op *operation) says(a *answer) *answer {
	if !op.call.speaksWire() || a.status != http.StatusOK || op.a.Name == catalog.ActionDownload {
		return a
	}
	fields, renames := op.recordFields()
	if !renames {
		return a
	}
	v, err := data.Parse(a.body)
	body, isObject := v.(*rawjson.Map)
	if err != nil || !isObject {
		return a
	}
	name := "result"
	if !body.Has(name) { // a search in its documented shape
		name = "data"
	}
	body.Set(name, renamed(body.Value(name), fields))
	a.body = rawjson.Encode(body)
	return a
}

// recordFields are the fields of the records that an action answers with, and whether any of
// them has another name or value in the real definition.
func (op *operation) recordFields() (fields []catalog.Field, renames bool) {
	fields = slices.Clone(op.e.RecordOf(op.a))
	for _, f := range op.e.Search {
		_, f.Alias, _ = data.CutLast("."+f.Alias, '.')
		fields = catalog.WithPath(fields, f.Name, f)
	}
	return fields, catalog.Renamed(fields)
}

// renamed is what an answer holds with its records in other names: a record, a list of
// them, or an object that lists them.
func renamed(v any, fields []catalog.Field) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = renamed(v[i], fields)
		}
	case *rawjson.Map:
		for i, inner := range v.Vals {
			switch inner := inner.(type) {
			case []any:
				v.Vals[i] = renamed(inner, fields)
			case *rawjson.Map:
				if v.Keys[i] == "entity" && v.Has("metadata") { // a hit of a semantic search
					v.Vals[i] = renamed(inner, fields)
				}
			}
		}
		return json.RawMessage(catalog.ToWire(nil, &catalog.Entity{}, &catalog.Action{Params: fields},
			rawjson.Encode(v)))
	}
	return v
}

// wireField is a field as the real definition has it.
func wireField(f *catalog.Field) *catalog.Field {
	out := *f
	out.Name = f.WireName()
	out.Enum = slices.Clone(f.Enum)
	for i, v := range out.Enum {
		if wire, told := f.WireValues[strings.Trim(string(v), `"`)]; told {
			out.Enum[i] = rawjson.Encode(wire)
		}
	}
	return &out
}
