package payload

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"patchbay/catalog"
	"patchbay/client"
)

// Exact gives the params of an operation the exact names of the catalog: the
// snake_case names of the Python SDK (order_id) and the wire names of the real
// service become the specification's (orderId). Names that fit no param or more
// than one stay. The other members are untouched and keep their order.
func Exact(op client.Operation, k *catalog.Kind) client.Operation {
	if k == nil || len(op.Params) == 0 {
		return op
	}
	e := k.Entity(op.Entity)
	if e == nil {
		return op
	}
	a := e.Action(op.Action)
	if a == nil || len(a.Params) == 0 {
		return op
	}
	if out, ok := rename(op.Params, a.Params); ok {
		op.Params = out
	}
	return op
}

// rename writes an object again with the fields' own names.
func rename(raw json.RawMessage, fields []catalog.Field) (json.RawMessage, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return raw, false
	}
	var names []string
	var values []json.RawMessage
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		var v json.RawMessage
		if err != nil || !ok || d.Decode(&v) != nil {
			return raw, false
		}
		names, values = append(names, name), append(values, v)
	}
	given := map[string]bool{}
	for _, n := range names {
		given[n] = true
	}
	var o object
	for i, n := range names {
		f, exact := field(fields, n)
		if f != nil && !exact && !given[f.Name] {
			n = f.Name
		}
		if f != nil && len(f.Members) > 0 {
			if v, ok := rename(values[i], f.Members); ok {
				values[i] = v
			}
		}
		o.raw(n, values[i])
	}
	return o.bytes(), true
}

// field finds the field that a name means; nil when there is none or the name is ambiguous.
func field(fields []catalog.Field, name string) (f *catalog.Field, exact bool) {
	var near *catalog.Field
	count := 0
	for i := range fields {
		switch {
		case fields[i].Name == name:
			return &fields[i], true
		case fields[i].Is(name) || SnakeCase(fields[i].Name) == name:
			near = &fields[i]
			count++
		}
	}
	if count == 1 {
		return near, false
	}
	return nil, false
}

// SnakeCase is the name that the Python SDK gives a param: orderId becomes
// order_id, page[size] page_size.
func SnakeCase(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			if b.Len() > 0 && i+1 < len(runes) && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
		case unicode.IsUpper(r) && i > 0:
			afterLower := unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])
			endsAcronym := unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if (afterLower || endsAcronym) && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
