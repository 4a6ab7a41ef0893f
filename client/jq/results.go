package jq

import (
	"context"
	"encoding/json"
	"sync"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// Results are what a program gave: JSON values, one a line, that can be read
// while more come. The zero Results is empty and ready.
type Results struct {
	mu    sync.Mutex
	buf   rawjson.Buffer
	spans []client.Span
}

func (r *Results) add(text []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := r.buf.Len()
	// A Buffer takes everything.
	_, _ = r.buf.Write(append(text, '\n'))
	r.spans = append(r.spans, client.Span{From: from, To: from + len(text)})
}

// Source is the text of all results, one a line.
func (r *Results) Source() rawjson.Source { return &r.buf }

// Len is the number of results.
func (r *Results) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.spans)
}

// Node returns result i; the zero Node when there is none.
func (r *Results) Node(i int) rawjson.Node {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i < 0 || i >= len(r.spans) {
		return rawjson.Node{}
	}
	return rawjson.NodeAt(&r.buf, r.spans[i].From, r.spans[i].To)
}

// Index is an index of the results so far, each of them a record. Where the
// program gave one array, its elements are the records.
func (r *Results) Index() *rawjson.Index {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.spans) == 1 {
		return rawjson.IndexSpan(&r.buf, r.spans[0].From, r.spans[0].To, nil)
	}
	nodes := make([]rawjson.Node, len(r.spans))
	for i, s := range r.spans {
		nodes[i] = rawjson.NodeAt(&r.buf, s.From, s.To)
	}
	return rawjson.IndexNodes(&r.buf, rawjson.Lines, nodes...)
}

// decode makes what gojq works on, keeping the text of numbers, until ctx ends.
func decode(ctx context.Context, n rawjson.Node) (any, error) {
	src := n.Source()
	if src == nil {
		src = rawjson.Bytes(nil)
	}
	from, to := n.Span()
	if err := rawjson.Validate(ctx, src, from, to); err != nil {
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
