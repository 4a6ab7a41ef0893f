package jq

import (
	"sync"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
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
	return rawjson.IndexValues(&r.buf, nodes)
}

// Set is the results so far as the records of one page.
func (r *Results) Set() *records.Set {
	set := &records.Set{}
	set.Add(records.Page{Index: r.Index(), Names: client.Neutral})
	return set
}
