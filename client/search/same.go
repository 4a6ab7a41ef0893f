package search

import (
	"encoding/json"
	"slices"
	"strings"

	"patchbay/catalog"
)

// Asked is one question in the words of search and in those of a list.
type Asked struct {
	// Filter is what search is asked, Params what the list is asked, both without paging.
	Filter *Node
	Params []Member
	// SearchLeft is what only the list is asked, ListLeft what only search is.
	SearchLeft, ListLeft []Left
	// Missing are params that the list requires and nobody gives.
	Missing []string
}

// Same puts the question that the action from was asked with params to search
// and to a list. known holds values for what the list requires besides.
func Same(e *catalog.Entity, list, from *catalog.Action, params json.RawMessage, known map[string]json.RawMessage) Asked {
	s := same{e: e, list: list, given: map[string]json.RawMessage{}}
	if from.Name == catalog.ActionContextStoreSearch {
		s.ofSearch(params)
	} else {
		s.ofParams(params, from)
	}
	taken := s.required(known)
	out := Asked{Params: s.params, ListLeft: s.listLeft, Missing: s.missing}
	var left []Left
	out.Filter, left = FromParams(e, list, objectOf(taken))
	out.SearchLeft = append(s.searchLeft, left...)
	if s.filter != nil {
		out.Filter = join(slices.DeleteFunc([]*Node{s.filter, out.Filter}, func(n *Node) bool { return n == nil }))
	}
	assumed, left := s.defaults()
	if assumed != nil {
		out.Filter = join(slices.DeleteFunc(append([]*Node{out.Filter}, conjuncts(assumed)...), func(n *Node) bool { return n == nil }))
	}
	out.SearchLeft = append(out.SearchLeft, left...)
	return out
}

type same struct {
	e    *catalog.Entity
	list *catalog.Action
	// given are the list's params by name, params the same in order.
	given                map[string]json.RawMessage
	params               []Member
	filter               *Node
	searchLeft, listLeft []Left
	missing              []string
}

func (s *same) take(m Member) {
	if _, have := s.given[m.Name]; !have {
		s.given[m.Name] = m.Value
		s.params = append(s.params, m)
	}
}

// ofSearch takes a search's question: the list is asked what of its filter it
// understands. Sorting, fields and paging are nobody's.
func (s *same) ofSearch(params json.RawMessage) {
	q, err := Decode(params)
	if err != nil {
		left := Left{Name: "params", Why: err.Error()}
		s.searchLeft, s.listLeft = append(s.searchLeft, left), append(s.listLeft, left)
		return
	}
	s.filter = q.Filter
	inParams, left := ToParams(s.e, s.list, q.Filter)
	for _, m := range inParams {
		s.take(m)
	}
	s.listLeft = left
	for _, m := range slices.Concat(q.Extra, q.QueryExtra) {
		if m.Name != "limit" && m.Name != "cursor" && m.Name != "fields" && !isNull(m.Value) {
			l := Left{Name: m.Name, Why: "it replaces the filter"}
			s.searchLeft, s.listLeft = append(s.searchLeft, l), append(s.listLeft, l)
		}
	}
}

// ofParams takes the params of the list itself, or those of another action that
// the list has too.
func (s *same) ofParams(params json.RawMessage, from *catalog.Action) {
	given, err := members(params, "params")
	if err != nil {
		return
	}
	for _, m := range given {
		known := from.Name == s.list.Name || catalog.FieldByName(s.list.Params, m.Name) != nil
		if known && m.Name != "" && !pages(s.list, m.Name) && !isNull(m.Value) {
			s.take(Member{m.Name, compact(m.Value)})
		}
	}
}

// required adds what the list cannot do without, and returns the params that
// search has to be told of.
func (s *same) required(known map[string]json.RawMessage) []Member {
	tell := s.params
	if s.filter != nil {
		tell = nil // the filter has said them
	}
	for i := range s.list.Params {
		f := &s.list.Params[i]
		if _, have := s.given[f.Name]; have || !f.Required || pages(s.list, f.Name) {
			continue
		}
		v := known[f.Name]
		if isNull(v) {
			v = f.Default
		}
		switch {
		case !isNull(v):
			s.take(Member{f.Name, v})
			tell = append(tell[:len(tell):len(tell)], Member{f.Name, v})
		case !f.Injected:
			s.missing = append(s.missing, f.Name)
		}
	}
	return tell
}

// defaults says what the list restricts although nobody asked for it.
func (s *same) defaults() (*Node, []Left) {
	var usual []Member
	for i := range s.list.Params {
		f := &s.list.Params[i]
		_, have := s.given[f.Name]
		if have || isNull(f.Default) || f.Required || f.Type == "boolean" || pages(s.list, f.Name) || Shapes(f.Name) {
			continue
		}
		usual = append(usual, Member{f.Name, f.Default})
	}
	n, left := FromParams(s.e, s.list, objectOf(usual))
	for i := range left {
		name, _, _ := strings.Cut(left[i].Name, ".")
		left[i].Name += " (" + short(string(compact(catalog.FieldByName(s.list.Params, name).Default))) + " by default)"
	}
	return n, left
}

// objectOf writes members as a JSON object.
func objectOf(all []Member) json.RawMessage {
	w := newObject()
	for _, m := range all {
		w.raw(m.Name, m.Value)
	}
	return w.close()
}
