package payload

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// Exact gives an operation the exact names of the catalog: the snake_case names of
// the Python SDK (order_id) and the wire names and values of the real service become
// the specification's (orderId). Names that fit no param or more than one stay, and so
// does the order. Notes tell what was renamed that no service would have taken.
func Exact(op client.Operation, k *catalog.Kind) (exact client.Operation, notes []string) {
	if k == nil {
		return op, nil
	}
	e := k.Entity(op.Entity)
	if e == nil {
		return op, nil
	}
	if name := named(op, e); name != op.Action {
		if op.Action == sdkSearch {
			notes = append(notes, "The action "+sdkSearch+" is called "+name+" here.")
		}
		op.Action = name
	}
	a := e.Action(op.Action)
	if a == nil {
		return op, notes
	}
	if len(op.Params) > 0 {
		op.Params = catalog.FromWire(e, a, op.Params)
	}
	if len(a.Params) > 0 && len(op.Params) > 0 {
		op.Params = rename(op.Params, a.Params, &notes)
	}
	op.SelectFields = catalog.FromWirePaths(e, a, op.SelectFields)
	op.ExcludeFields = catalog.FromWirePaths(e, a, op.ExcludeFields)
	return op, notes
}

// sdkSearch is what revisions of the Python SDK call a search.
const sdkSearch = "search"

// named is the action that a call means: a search with what only another action has in
// its params is that one, under the name that it is sent as.
func named(op client.Operation, e *catalog.Entity) string {
	_, semantic := rawjson.Parse(op.Params).Get("semantic")
	if a := e.Action(catalog.ActionSemanticSearch); semantic && a != nil && a.SentAs == op.Action {
		return a.Name
	}
	if op.Action == sdkSearch && e.Action(sdkSearch) == nil {
		for _, name := range [...]string{catalog.ActionAPISearch, catalog.ActionContextStoreSearch} {
			if e.Action(name) != nil {
				return name
			}
		}
	}
	return op.Action
}

// rename writes an object again with the fields' own names; what is none stays.
func rename(raw json.RawMessage, fields []catalog.Field, notes *[]string) json.RawMessage {
	m := rawjson.ParseMap(raw)
	if m == nil {
		return raw
	}
	given := slices.Clone(m.Keys)
	for i, name := range given {
		f, exact := field(fields, name)
		if f == nil {
			continue
		}
		if !exact && !slices.Contains(given, f.Name) {
			m.Keys[i] = f.Name
			if !f.Is(name) {
				*notes = append(*notes, "The param "+name+" is called "+f.Name+" here.")
			}
		}
		if len(f.Members) > 0 {
			m.Vals[i] = rename(m.Vals[i].(json.RawMessage), f.Members, notes)
		}
	}
	return m.JSON()
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

// bareParams is the format of a JSON object that names no call.
const bareParams = "JSON object"

// ReadFor reads a call of any format in the exact names of a kind. A JSON object
// that names no call is taken for the params of one: its operation has no names.
func ReadFor(k *catalog.Kind, text string) (Parsed, error) {
	text = trimText(text)
	m := rawjson.ParseMap([]byte(text))
	if m != nil && !m.Has("params") && !(m.Has("action") && m.Has("entity")) {
		p := Parsed{Format: bareParams}
		p.Operation.Params = json.RawMessage(text)
		return p, nil
	}
	p, err := Parse(text)
	var notes []string
	p.Operation, notes = Exact(p.Operation, k)
	p.Notes = append(p.Notes, notes...)
	return p, err
}
