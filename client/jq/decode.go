package jq

import (
	"bytes"
	"context"
	"encoding/json"

	"patchbay/client/rawjson"
)

// largeInput is the size from which on decoding an input takes long enough to be stopped.
const largeInput = 1 << 20

// decode makes what gojq works on, keeping the text of numbers.
func decode(ctx context.Context, n rawjson.Node) (any, error) {
	if n.Source() != nil && n.Size() > largeInput {
		return decodeLarge(ctx, n)
	}
	dec := json.NewDecoder(bytes.NewReader(n.Raw()))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}

// decodeLarge decodes a value without a copy of its text, until ctx ends.
func decodeLarge(ctx context.Context, n rawjson.Node) (any, error) {
	from, to := n.Span()
	if err := rawjson.Validate(ctx, n.Source(), from, to); err != nil {
		return nil, err
	}
	v := value(ctx, n)
	return v, ctx.Err()
}

// value builds a value that is known to be JSON, and so not too deep to recurse into.
func value(ctx context.Context, n rawjson.Node) any {
	switch n.Kind() {
	case rawjson.Array:
		out := []any{}
		for e := range n.Elems() {
			if ctx.Err() != nil {
				return nil
			}
			out = append(out, value(ctx, e))
		}
		return out
	case rawjson.Object:
		out := map[string]any{}
		for m := range n.Members() {
			if ctx.Err() != nil {
				return nil
			}
			out[m.Key()] = value(ctx, m.Value)
		}
		return out
	case rawjson.String:
		return n.Text()
	case rawjson.Number:
		return json.Number(n.Text())
	case rawjson.Bool:
		return n.Text() == "true"
	}
	return nil
}
