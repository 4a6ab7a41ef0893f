package hosted

import (
	"bytes"
	"encoding/json"
	"slices"
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
