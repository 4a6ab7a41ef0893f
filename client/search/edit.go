package search

import "slices"

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

// Insert puts a node at path, before what stands there, and tells whether there is such a place.
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

func sibling(path []int, i int) []int {
	out := slices.Clone(path)
	out[len(out)-1] = i
	return out
}
