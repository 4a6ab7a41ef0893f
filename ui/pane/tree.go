package pane

import (
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// NodeKind tells what a row of the tree is.
type NodeKind int

// The kinds of rows.
const (
	NodeWorkspace NodeKind = iota
	NodeConnector
	NodeEntity
	NodeAction
	NodeSaved   // a saved call
	NodeMessage // loading, empty or an error, below the node it belongs to
)

// Node is one row of the tree. Its label and note are safe to draw.
type Node struct {
	Kind      NodeKind
	Label     string
	Note      string
	Mark      string
	Workspace string
	Connector client.Connector
	Entity    string
	Action    string

	open, loaded, loading, bad bool
	parent                     *Node
	children                   []*Node
}

// Tree lists workspaces, connectors, entities and actions.
type Tree struct {
	roots  []*Node
	rows   []*Node
	depth  map[*Node]int
	dirty  bool
	scroll Scroll
	// unfolded is the node whose children should come into view.
	unfolded *Node
	filter   string
	// line is the filter being typed, was the one before; nil when none is typed.
	line    *input.Field
	was     string
	problem string
	loading bool
	// saved is the group of saved calls; nil while there are none.
	saved *Node
}

// NewTree returns a tree that waits for its workspaces.
func NewTree() *Tree { return &Tree{loading: true, dirty: true} }

// SetWorkspaces shows the workspaces, or why they cannot be listed.
func (t *Tree) SetWorkspaces(list []client.Workspace, problem string) {
	t.loading, t.problem = false, text.Sanitize(problem)
	t.roots = nil
	for _, w := range list {
		n := &Node{Kind: NodeWorkspace, Label: text.Sanitize(w.Name), Workspace: w.Name}
		if w.Status == "inactive" {
			n.Note = "inactive"
		}
		t.roots = append(t.roots, n)
	}
	t.dirty = true
}

// AddGroup appends a workspace-like group whose connectors are given, such as
// local connectors or the catalog's kinds.
func (t *Tree) AddGroup(name, note string, connectors []client.Connector) {
	n := &Node{Kind: NodeWorkspace, Label: name, Note: note, Workspace: name, loaded: true}
	n.children = connectorNodes(n, connectors)
	t.roots = append(t.roots, n)
	t.dirty = true
}

// SetGroup replaces the connectors of a group, or appends it.
func (t *Tree) SetGroup(name, note string, connectors []client.Connector) {
	for _, n := range t.roots {
		if n.Workspace == name {
			n.children, n.loaded, t.dirty = connectorNodes(n, connectors), true, true
			return
		}
	}
	t.AddGroup(name, note, connectors)
}

// RunSaved is an intent of the tree: run the saved call of that name.
type RunSaved struct{ Name string }

// SavedRow is a saved call as the tree lists it.
type SavedRow struct{ Name, Note string }

// SetSaved lists the saved calls below the workspaces.
func (t *Tree) SetSaved(list []SavedRow) {
	open := t.saved != nil && t.saved.open
	t.saved, t.dirty = nil, true
	if len(list) == 0 {
		return
	}
	t.saved = &Node{Kind: NodeWorkspace, Label: "saved calls", Note: strconv.Itoa(len(list)), open: open, loaded: true}
	for _, c := range list {
		t.saved.children = append(t.saved.children, &Node{Kind: NodeSaved, Label: text.Sanitize(c.Name), Note: text.Sanitize(c.Note), Action: c.Name, parent: t.saved, loaded: true})
	}
}

// Reload forgets everything below the roots and waits for workspaces again.
func (t *Tree) Reload() {
	*t = Tree{loading: true, dirty: true, filter: t.filter, line: t.line, was: t.was, saved: t.saved}
}

// SetConnectors fills a workspace.
func (t *Tree) SetConnectors(workspace string, list []client.Connector, problem string) {
	for _, n := range t.roots {
		if n.Workspace != workspace {
			continue
		}
		n.loading, n.loaded = false, problem == ""
		n.children = connectorNodes(n, list)
		switch {
		case problem != "":
			n.children = []*Node{message(n, problem, true)}
		case len(list) == 0:
			n.children = []*Node{message(n, "no connectors yet: a adds one", false)}
		}
		if problem == "" {
			n.Note = text.Count(len(list), "connector", "connectors")
		}
	}
	t.dirty = true
}

func connectorNodes(parent *Node, list []client.Connector) []*Node {
	nodes := make([]*Node, 0, len(list))
	for _, c := range list {
		n := &Node{Kind: NodeConnector, Label: text.Sanitize(c.Name), Workspace: parent.Workspace, Connector: c, parent: parent}
		switch {
		case c.Kind == "":
			n.Note = text.Sanitize(c.Type) + ", not in catalog"
		case c.Local:
			n.Note = "local"
		case !sameWords(c.Kind, c.Name):
			n.Note = strings.ReplaceAll(c.Kind, "_", " ")
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// sameWords compares names without regard to case and to what joins their words.
func sameWords(a, b string) bool {
	plain := strings.NewReplacer("_", " ", "-", " ")
	return strings.EqualFold(plain.Replace(a), plain.Replace(b))
}

func message(parent *Node, s string, bad bool) *Node {
	return &Node{Kind: NodeMessage, Label: text.Sanitize(s), parent: parent, bad: bad, Workspace: parent.Workspace, Connector: parent.Connector}
}

// SetKind fills a connector with the entities of its kind.
func (t *Tree) SetKind(connector client.Connector, k *catalog.Kind, problem string) {
	n := t.connector(connector)
	if n == nil {
		return
	}
	n.loading, n.loaded = false, true
	n.children = nil
	if problem != "" {
		n.loaded = false
		n.children = []*Node{message(n, problem, true)}
	}
	if k != nil {
		n.Note = text.Count(len(k.Entities), "entity", "entities")
		for i := range k.Entities {
			n.children = append(n.children, entityNode(n, &k.Entities[i]))
		}
	}
	t.dirty = true
}

func entityNode(parent *Node, e *catalog.Entity) *Node {
	n := &Node{Kind: NodeEntity, Label: e.Name, Entity: e.Name, parent: parent, loaded: true,
		Workspace: parent.Workspace, Connector: parent.Connector, Note: strconv.Itoa(len(e.Actions))}
	for i := range e.Actions {
		a := &e.Actions[i]
		n.children = append(n.children, &Node{Kind: NodeAction, Label: a.Name, Action: a.Name, Entity: e.Name, parent: n,
			Workspace: parent.Workspace, Connector: parent.Connector, Note: ActionMark(a)})
	}
	return n
}

// ActionMark tells in a word what to know of an action before running it.
func ActionMark(a *catalog.Action) string {
	switch {
	case a.Destructive:
		return "deletes"
	case a.Writes():
		return "writes"
	case a.HostedOnly:
		return "hosted"
	case a.Name == catalog.ActionDownload:
		return "file"
	}
	return ""
}

// SetHealth marks a connector with the outcome of a credential check.
func (t *Tree) SetHealth(c client.Connector, mark string) {
	if n := t.connector(c); n != nil {
		n.Mark = text.Sanitize(mark)
	}
}

func (t *Tree) connector(c client.Connector) *Node {
	for _, r := range t.roots {
		if r.Workspace != c.Workspace && !c.Local {
			continue
		}
		for _, n := range r.children {
			if n.Kind == NodeConnector && n.Connector.ID == c.ID && n.Connector.Name == c.Name {
				return n
			}
		}
	}
	return nil
}

// Connectors lists every connector that is loaded.
func (t *Tree) Connectors() []client.Connector {
	var list []client.Connector
	for _, r := range t.roots {
		for _, n := range r.children {
			if n.Kind == NodeConnector {
				list = append(list, n.Connector)
			}
		}
	}
	return list
}

// Unlisted are the workspaces whose connectors are not known yet.
func (t *Tree) Unlisted() []string {
	var names []string
	for _, r := range t.roots {
		if !r.loaded {
			names = append(names, r.Workspace)
		}
	}
	return names
}

// Fill is SetConnectors for a workspace that has none yet; it stays folded.
func (t *Tree) Fill(workspace string, list []client.Connector) {
	if slices.Contains(t.Unlisted(), workspace) {
		t.SetConnectors(workspace, list, "")
	}
}

// Problem says why the workspaces could not be listed; "" when they could.
func (t *Tree) Problem() string { return t.problem }

// Current is the node under the cursor; nil while nothing is there.
func (t *Tree) Current() *Node {
	rows := t.visible()
	if t.scroll.Cursor < 0 || t.scroll.Cursor >= len(rows) {
		return nil
	}
	return rows[t.scroll.Cursor]
}

func (t *Tree) place(n *Node) {
	for i, r := range t.visible() {
		if r == n {
			t.scroll.Cursor = i
			return
		}
	}
	t.scroll.Move(0, len(t.rows))
}

// Move moves the cursor by d rows.
func (t *Tree) Move(d int) { t.scroll.Move(d, len(t.visible())) }

// Half moves by half windows.
func (t *Tree) Half(d int) { t.scroll.Half(d, len(t.visible())) }

// Wheel scrolls by d rows.
func (t *Tree) Wheel(d int) { t.scroll.Wheel(d, len(t.visible())) }

// Open opens the node under the cursor: it unfolds, or an action's form opens.
func (t *Tree) Open() intent.Intent {
	n := t.Current()
	if n == nil {
		return intent.LoadWorkspaces{}
	}
	if n.Kind == NodeSaved {
		return RunSaved{n.Action}
	}
	if n.Kind == NodeAction {
		return intent.OpenAction{Connector: n.Connector, Entity: n.Entity, Action: n.Action}
	}
	if n.Kind == NodeMessage {
		n = n.parent
		n.loaded = false
	}
	if n.open && n.loaded {
		n.open, t.dirty = false, true
		t.place(n)
		return nil
	}
	return t.unfold(n)
}

func (t *Tree) unfold(n *Node) intent.Intent {
	n.open, t.dirty = true, true
	t.unfolded = n
	if n.loaded || n.loading {
		return nil
	}
	n.loading = true
	n.children = []*Node{message(n, "loading", false)}
	if n.Kind == NodeWorkspace {
		return intent.LoadConnectors{Workspace: n.Workspace}
	}
	return intent.LoadKind{Connector: n.Connector}
}

// Fold closes the node under the cursor, or goes to its parent.
func (t *Tree) Fold() {
	n := t.Current()
	if n == nil {
		return
	}
	if !n.open && n.parent != nil {
		n = n.parent
		t.place(n)
		return
	}
	n.open, t.dirty = false, true
	t.place(n)
}

// Reveal opens the path to a place and puts the cursor there. It returns what
// must be loaded first; nil when the place is shown.
func (t *Tree) Reveal(c client.Connector, entity, action string) intent.Intent {
	for _, r := range t.roots {
		if r.Workspace != c.Workspace {
			continue
		}
		if in := t.unfold(r); in != nil {
			return in
		}
	}
	n := t.connector(c)
	if n == nil {
		return nil
	}
	if n.parent != nil {
		n.parent.open = true
	}
	if entity != "" {
		if in := t.unfold(n); in != nil {
			return in
		}
	}
	for _, e := range n.children {
		if e.Entity != entity || e.Kind != NodeEntity {
			continue
		}
		n, e.open = e, action != ""
		for _, a := range e.children {
			if a.Action == action {
				n = a
			}
		}
	}
	t.dirty = true
	t.place(n)
	if n.Kind == NodeAction {
		t.unfolded = n.parent // its other actions come into view as well
	}
	return nil
}

// RevealGroup puts the cursor on a workspace, or on the group of that name.
func (t *Tree) RevealGroup(name string) {
	for _, r := range t.roots {
		if r.Workspace == name {
			t.place(r)
		}
	}
}

// Fit tells the tree its window height.
func (t *Tree) Fit(h int) {
	if t.line != nil {
		h--
	}
	t.scroll.Fit(len(t.visible()), h)
	t.showChildren(h)
}

// showChildren scrolls so that what was just unfolded at the lower edge is
// seen; the row itself stays on the screen.
func (t *Tree) showChildren(h int) {
	n := t.unfolded
	if n == nil || n.loading || h <= 0 {
		return
	}
	t.unfolded = nil
	at := t.scroll.Cursor
	if cur := t.Current(); cur != n && cur != nil && cur.parent == n {
		at = slices.Index(t.visible(), n)
	} else if cur != n {
		return
	}
	if !n.open || at < 0 {
		return
	}
	below := at + min(len(n.children), h-1)
	t.scroll.Top = max(t.scroll.Top, min(below-h+1, at))
	t.scroll.Fit(len(t.rows), h) // the row under the cursor stays on the screen
}

// Waiting tells whether any list is still on its way.
func (t *Tree) Waiting() bool {
	if t.loading {
		return true
	}
	for _, r := range t.roots {
		if r.loading {
			return true
		}
		for _, n := range r.children {
			if n.loading {
				return true
			}
		}
	}
	return false
}
