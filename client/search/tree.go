// Package search holds the request of context_store_search as a tree that
// people edit: conditions, groups, sort keys, limit, cursor and fields. It
// encodes the tree to the documented shape, reads any valid filter back, says
// what is wrong before anything is sent, matches records the way the service
// does, and explains why a record was found.
//
// It may import catalog and the leaves rawjson and strictyaml; it sends nothing.
package search

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Op says what a Node is.
type Op string

// The kinds of nodes. All, Any and Not are the documented and, or and not.
const (
	All       Op = "all"
	Any       Op = "any"
	Not       Op = "not"
	Condition Op = "condition"
)

// Operators of a condition, as they stand on the wire. Contains and AnyOf are
// spoken by the real service but not documented.
const (
	Eq       = "eq"
	Neq      = "neq"
	Gt       = "gt"
	Gte      = "gte"
	Lt       = "lt"
	Lte      = "lte"
	In       = "in"
	Like     = "like"
	Fuzzy    = "fuzzy"
	Keyword  = "keyword"
	Contains = "contains"
	AnyOf    = "any"
)

// DefaultLimit is the number of results when no limit is sent, as the product
// specification states it.
const DefaultLimit = 1000

// Node is one line of the filter tree: a group or a condition.
type Node struct {
	Op Op
	// Children of a group, in order; Not has one, or several of which none may hold.
	Children []*Node
	// Field, Operator and Value of a condition. Value is JSON, number text kept;
	// empty means that nothing was entered yet.
	Field    string
	Operator string
	Value    json.RawMessage
	// Disabled nodes stay in the tree and are not sent.
	Disabled bool
}

// SortKey is one sort condition; earlier keys win.
type SortKey struct {
	Field string
	Desc  bool
}

// Member is a named JSON value that is kept as it came.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Query is everything a context_store_search request asks for.
type Query struct {
	// Filter is nil when every record matches.
	Filter *Node
	Sort   []SortKey
	// Limit is 0 when it is left to the service.
	Limit  int
	Cursor string
	// Fields are the dot paths to return; empty for whole records.
	Fields []string
	// Extra are params, and QueryExtra members of query, that have no place above
	// (unknown names, values of an unexpected type). They are sent as they came.
	Extra      []Member
	QueryExtra []Member
	// Odd is what the text that Decode read says in a way that servers refuse or
	// read otherwise. It is gone once the query is written anew.
	Odd []Problem
}

// Where makes a condition.
func Where(field, operator string, value json.RawMessage) *Node {
	return &Node{Op: Condition, Field: field, Operator: operator, Value: value}
}

// Group makes a group of children.
func Group(op Op, children ...*Node) *Node { return &Node{Op: op, Children: children} }

// Clone returns a copy that shares nothing that is edited.
func (q Query) Clone() Query {
	q.Filter, q.Sort, q.Fields = q.Filter.Clone(), slices.Clone(q.Sort), slices.Clone(q.Fields)
	return q
}

// Clone returns a deep copy; nil stays nil.
func (n *Node) Clone() *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Value = slices.Clone(n.Value)
	c.Children = make([]*Node, len(n.Children))
	for i, child := range n.Children {
		c.Children[i] = child.Clone()
	}
	if len(c.Children) == 0 {
		c.Children = nil
	}
	return &c
}

// Walk calls f for every node in order, with the child indexes that lead to it.
// f returns false to leave out the node's children. The path is only valid during the call.
func (n *Node) Walk(f func(path []int, n *Node) bool) { n.walk(nil, f) }

func (n *Node) walk(path []int, f func([]int, *Node) bool) {
	if n == nil || !f(path, n) {
		return
	}
	for i, c := range n.Children {
		c.walk(append(path, i), f)
	}
}

// Documented reports whether a condition operator stands in the product specification.
func Documented(operator string) bool {
	return slices.Contains(documented[:], operator)
}

var documented = [...]string{Eq, Neq, Gt, Gte, Lt, Lte, In, Like, Fuzzy, Keyword}

func known(operator string) bool {
	return Documented(operator) || operator == Contains || operator == AnyOf
}

// compact removes the space between JSON tokens; text that is not JSON stays.
func compact(raw []byte) []byte {
	if len(raw) == 0 {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// At returns the node at the child indexes, or nil when there is none.
func (n *Node) At(path []int) *Node {
	for _, i := range path {
		if n == nil || i < 0 || i >= len(n.Children) {
			return nil
		}
		n = n.Children[i]
	}
	return n
}

// parent returns the group that holds the node at path, and its place there.
func (n *Node) parent(path []int) (*Node, int, bool) {
	if len(path) == 0 {
		return nil, 0, false
	}
	p, i := n.At(path[:len(path)-1]), path[len(path)-1]
	return p, i, p != nil && i >= 0 && i < len(p.Children)
}

// Insert puts a node at path, before what stands there, and reports whether there is such a place.
func (n *Node) Insert(path []int, node *Node) bool {
	if len(path) == 0 {
		return false
	}
	p, i := n.At(path[:len(path)-1]), path[len(path)-1]
	if p == nil || p.Op == Condition || i < 0 || i > len(p.Children) {
		return false
	}
	p.Children = slices.Insert(p.Children, i, node)
	return true
}

// Remove takes the node at path out and returns it; nil when there is none or it is the root.
func (n *Node) Remove(path []int) *Node {
	p, i, ok := n.parent(path)
	if !ok {
		return nil
	}
	out := p.Children[i]
	p.Children = slices.Delete(p.Children, i, i+1)
	return out
}

// Duplicate copies the node at path behind itself and returns the copy's path, nil for the root.
func (n *Node) Duplicate(path []int) []int {
	p, i, ok := n.parent(path)
	if !ok {
		return nil
	}
	p.Children = slices.Insert(p.Children, i+1, p.Children[i].Clone())
	return sibling(path, i+1)
}

// Move shifts the node at path among its siblings and returns its new path,
// the old one when it cannot go further.
func (n *Node) Move(path []int, by int) []int {
	p, i, ok := n.parent(path)
	j := i + by
	if !ok || j < 0 || j >= len(p.Children) {
		return path
	}
	moved := p.Children[i]
	p.Children = slices.Insert(slices.Delete(p.Children, i, i+1), j, moved)
	return sibling(path, j)
}

// Indent moves the node at path into the group right before it, or wraps it
// in a group of kind op when there is none. It returns the new path.
func (n *Node) Indent(path []int, op Op) []int {
	p, i, ok := n.parent(path)
	if !ok {
		return path
	}
	if i > 0 && p.Children[i-1].Op != Condition {
		before := p.Children[i-1]
		before.Children = append(before.Children, p.Children[i])
		p.Children = slices.Delete(p.Children, i, i+1)
		return append(sibling(path, i-1), len(before.Children)-1)
	}
	p.Children[i] = Group(op, p.Children[i])
	return append(slices.Clone(path), 0)
}

// Outdent moves the node at path out of its group, behind it; a group left
// empty goes away. It returns the new path.
func (n *Node) Outdent(path []int) []int {
	if len(path) < 2 {
		return path
	}
	group, i, ok := n.parent(path)
	outer, g, ok2 := n.parent(path[:len(path)-1])
	if !ok || !ok2 {
		return path
	}
	moved := group.Children[i]
	group.Children = slices.Delete(group.Children, i, i+1)
	if len(group.Children) == 0 {
		outer.Children[g] = moved
		return slices.Clone(path[:len(path)-1])
	}
	outer.Children = slices.Insert(outer.Children, g+1, moved)
	return sibling(path[:len(path)-1], g+1)
}

// Relocate moves the node at from to the place of the one at to, both as the tree is
// before, and returns its new path; the old one where to lies in the moved node or is no
// place. A group left empty stays.
func (n *Node) Relocate(from, to []int) []int {
	target := n.At(to[:max(len(to)-1, 0)])
	if len(from) == 0 || len(to) == 0 || target == nil || target.Op == Condition || n.At(from) == nil ||
		len(to) >= len(from) && slices.Equal(to[:len(from)], from) || to[len(to)-1] > len(target.Children) {
		return from
	}
	to = slices.Clone(to)
	last := len(from) - 1
	if len(to) > len(from) && slices.Equal(to[:last], from[:last]) && to[last] > from[last] {
		to[last]-- // taking the node out moves the group up
	}
	moved := n.Remove(from)
	to[len(to)-1] = min(to[len(to)-1], len(target.Children))
	target.Children = slices.Insert(target.Children, to[len(to)-1], moved)
	return to
}

func sibling(path []int, i int) []int {
	out := slices.Clone(path)
	out[len(out)-1] = i
	return out
}
