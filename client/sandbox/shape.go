package sandbox

import (
	"strings"

	"patchbay/client/rawjson"
)

// shaped answers with a result in the form that the request asks for: the records of
// {data: [...]}, those of a list, else the object itself.
func (op *operation) shaped(result, meta any) *answer {
	if op.reshapes() {
		result = op.reshaped(result)
	}
	return op.call.envelope(result, meta)
}

func (op *operation) reshaped(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = one
			if o, isObject := one.(*rawjson.Map); isObject {
				out[i] = op.present(o)
			}
		}
		return out
	case *rawjson.Map:
		list, holdsRecords := v.Value("data").([]any)
		if !holdsRecords {
			return op.present(v)
		}
		out := v.Clone()
		out.Set("data", op.reshaped(list))
		return out
	}
	return v
}

// present is a record in the form that the request asks for: with the selected fields,
// else without the excluded ones, and with long texts cut.
func (op *operation) present(o *rawjson.Map) *rawjson.Map {
	if len(op.selected) > 0 {
		o = pick(o, op.selected)
	} else if len(op.excluded) > 0 {
		o = o.Clone()
		for _, path := range op.excluded {
			drop(o, path)
		}
	}
	if op.truncates() {
		o, _ = truncate(o).(*rawjson.Map)
	}
	return o
}

// reshapes reports whether the request changes what records look like.
func (op *operation) reshapes() bool { return len(op.selected)+len(op.excluded) > 0 || op.truncates() }

// pick is an object with the members at dot paths only, in its own order. A path is first
// taken for the name of a member; it leads through objects and not through arrays, and
// one that leads nowhere is passed over.
func pick(o *rawjson.Map, paths []string) *rawjson.Map {
	whole, below := map[string]bool{}, map[string][]string{}
	for _, path := range paths {
		first, rest, deeper := strings.Cut(path, ".")
		switch {
		case o.Has(path):
			whole[path] = true
		case deeper:
			below[first] = append(below[first], rest)
		}
	}
	out := &rawjson.Map{}
	for i, name := range o.Keys {
		inner, isObject := o.Vals[i].(*rawjson.Map)
		switch {
		case whole[name]:
			out.Set(name, o.Vals[i])
		case isObject && below[name] != nil:
			if part := pick(inner, below[name]); part.Len() > 0 {
				out.Set(name, part)
			}
		}
	}
	return out
}

// drop removes the member at a dot path, which is read as in pick.
func drop(o *rawjson.Map, path string) {
	first, rest, deeper := strings.Cut(path, ".")
	if o.Has(path) || !deeper {
		o.Remove(path)
	} else if inner, isObject := o.Value(first).(*rawjson.Map); isObject {
		drop(inner, rest)
	}
}
