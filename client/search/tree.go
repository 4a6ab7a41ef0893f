// Package search holds the request of context_store_search as a tree that
// people edit: conditions, groups, sort keys, limit, cursor and fields. It
// encodes the tree to the documented shape, reads any valid filter back, says
// what is wrong before anything is sent, matches records the way the service
// does, and explains why a record was found.
package search

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Op tells what a Node is.
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
	// Children of a group, in order; Not has one (more are read as all of them).
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
}

// Where makes a condition.
func Where(field, operator string, value json.RawMessage) *Node {
	return &Node{Op: Condition, Field: field, Operator: operator, Value: value}
}

// Group makes a group of children.
func Group(op Op, children ...*Node) *Node { return &Node{Op: op, Children: children} }

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

// Equal tells whether two trees are the same, values compared as compact JSON text.
func Equal(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Op != b.Op || a.Field != b.Field || a.Operator != b.Operator || a.Disabled != b.Disabled ||
		!bytes.Equal(compact(a.Value), compact(b.Value)) {
		return false
	}
	return slices.EqualFunc(a.Children, b.Children, Equal)
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

// Documented tells whether a condition operator stands in the product specification.
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
