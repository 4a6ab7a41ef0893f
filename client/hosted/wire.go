package hosted

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"patchbay/catalog"
)

// pair is a member of a JSON object in its place.
type pair struct {
	name  string
	value json.RawMessage
}

// pairs reads an object's members in order; nil when raw is no object.
func pairs(raw json.RawMessage) []pair {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil
	}
	out := []pair{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil
		}
		out = append(out, pair{name.(string), value})
	}
	return out
}

func objectOf(members []pair) json.RawMessage {
	b := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := encodeJSON(m.name)
		b = append(append(append(b, name...), ':'), m.value...)
	}
	return append(b, '}')
}

// semanticParams puts what semantic_search asks for where the service reads it:
// under "semantic", beside limit, cursor and fields.
func semanticParams(params json.RawMessage) (json.RawMessage, error) {
	members := pairs(params)
	if slices.ContainsFunc(members, func(m pair) bool { return m.name == "semantic" }) {
		return params, nil
	}
	var inner, outer []pair
	for _, m := range members {
		switch m.name {
		case "limit", "cursor", "fields":
			outer = append(outer, m)
		case "query", "text":
			inner = append(inner, pair{"prompt", m.value})
		default:
			inner = append(inner, m)
		}
	}
	if len(inner) == 0 {
		return params, nil
	}
	return objectOf(append([]pair{{"semantic", objectOf(inner)}}, outer...)), nil
}

// wireNames turns the specification's names into those of the real service.
// What the catalog does not know stays as it is.
type wireNames struct {
	entity *catalog.Entity
	action *catalog.Action
}

func (w wireNames) params(action string, params json.RawMessage) json.RawMessage {
	if len(params) == 0 {
		return params
	}
	switch action {
	case catalog.ActionContextStoreSearch, catalog.ActionSemanticSearch:
		return w.each(params, w.searchParam)
	}
	if w.action == nil {
		return params
	}
	return w.value(params, w.action.Params)
}

// each rewrites the members of an object one by one.
func (w wireNames) each(raw json.RawMessage, f func(pair) pair) json.RawMessage {
	members := pairs(raw)
	if members == nil {
		return raw
	}
	for i, m := range members {
		members[i] = f(m)
	}
	return objectOf(members)
}

// value renames members by their fields, deeply.
func (w wireNames) value(raw json.RawMessage, fields []catalog.Field) json.RawMessage {
	return w.each(raw, func(m pair) pair {
		f := catalog.FieldByName(fields, m.name)
		if f == nil {
			return m
		}
		return pair{f.WireName(), w.inside(m.value, f)}
	})
}

func (w wireNames) inside(raw json.RawMessage, f *catalog.Field) json.RawMessage {
	switch text := bytes.TrimSpace(raw); {
	case len(text) == 0:
		return raw
	case text[0] == '"':
		return wireValue(raw, f)
	case text[0] == '{' && len(f.Members) > 0:
		return w.value(raw, f.Members)
	case text[0] == '{' && f.Values != nil:
		return w.each(raw, func(m pair) pair { return pair{m.name, w.inside(m.value, f.Values)} })
	case text[0] == '[':
		return w.items(raw, f)
	}
	return raw
}

func (w wireNames) items(raw json.RawMessage, f *catalog.Field) json.RawMessage {
	of := f
	if f.Items != nil {
		of = f.Items
	}
	return mapItems(raw, func(item json.RawMessage) json.RawMessage { return w.inside(item, of) })
}

func mapItems(raw json.RawMessage, f func(json.RawMessage) json.RawMessage) json.RawMessage {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return raw
	}
	for i := range items {
		items[i] = f(items[i])
	}
	out, err := encodeJSON(items)
	if err != nil {
		return raw
	}
	return out
}

// wireValue maps an enum value, or each of a separated list of them.
func wireValue(raw json.RawMessage, f *catalog.Field) json.RawMessage {
	var text string
	if len(f.WireValues) == 0 || json.Unmarshal(raw, &text) != nil {
		return raw
	}
	parts := []string{text}
	if f.Separator != "" {
		parts = strings.Split(text, f.Separator)
	}
	for i, part := range parts {
		if wire, ok := f.WireValues[part]; ok {
			parts[i] = wire
		}
	}
	out, err := encodeJSON(strings.Join(parts, f.Separator))
	if err != nil {
		return raw
	}
	return out
}

func (w wireNames) searchParam(m pair) pair {
	switch m.name {
	case "query", "semantic":
		m.value = w.each(m.value, w.searchParam)
	case "filter":
		m.value = w.filter(m.value)
	case "sort":
		m.value = mapItems(m.value, func(item json.RawMessage) json.RawMessage {
			return w.each(item, func(key pair) pair { return pair{w.path(w.entity.Search, key.name), key.value} })
		})
	case "fields":
		m.value = mapItems(m.value, w.fieldPath)
	case "field":
		m.value = w.fieldPath(m.value)
	}
	return m
}

func (w wireNames) fieldPath(raw json.RawMessage) json.RawMessage {
	var name string
	if json.Unmarshal(raw, &name) != nil {
		return raw
	}
	out, err := encodeJSON(w.path(w.entity.RecordOf(w.action), name))
	if err != nil {
		return raw
	}
	return out
}

// filter rewrites a condition: operators stay, the fields below them change.
func (w wireNames) filter(raw json.RawMessage) json.RawMessage {
	return w.each(raw, func(m pair) pair {
		switch m.name {
		case "and", "or":
			m.value = mapItems(m.value, w.filter)
		case "not":
			m.value = w.filter(m.value)
		default:
			m.value = w.each(m.value, w.operand)
		}
		return m
	})
}

func (w wireNames) operand(m pair) pair {
	f := catalog.FieldAt(w.entity.Search, m.name)
	if f == nil {
		return m
	}
	return pair{w.path(w.entity.Search, m.name), w.inside(m.value, f)}
}

func (w wireNames) paths(fields []catalog.Field, names []string) []string {
	out := slices.Clone(names)
	for i, name := range names {
		out[i] = w.path(fields, name)
	}
	return out
}

// path renames the parts of a dotted path that the catalog knows by another name.
func (w wireNames) path(fields []catalog.Field, path string) string {
	if f := catalog.FieldByName(fields, path); f != nil {
		return f.WireName()
	}
	head, rest, found := strings.Cut(path, ".")
	bare := strings.TrimSuffix(head, "[]")
	f := catalog.FieldByName(fields, bare)
	if f == nil {
		return path
	}
	head = f.WireName() + head[len(bare):]
	if !found {
		return head
	}
	inner := f.Members
	if f.Items != nil {
		inner = f.Items.Members
	}
	return head + "." + w.path(inner, rest)
}
