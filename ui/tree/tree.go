// Package tree is the pane that says where one is: workspaces, connectors,
// entities, actions and saved calls. It knows no service: what it needs loaded it
// asks for by intents. It imports no other pane, no overlay, no feature.
package tree

import (
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/quantity"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// NodeKind says what a row of the tree is.
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

// Node is one row of the tree. Its label, note and mark are made harmless when drawn.
type Node struct {
	Kind  NodeKind
	Label string
	Note  string
	Mark  string
	// Health is how the check ended that the mark tells of.
	Health    style.Outcome
	Workspace string
	Connector client.Connector
	Entity    string
	Action    string
	// Described is set on connectors whose kind the service described.
	Described bool

	open, loaded, loading, bad bool
	// shown is the line of a message that the row holds; on is set behind its first line.
	shown    text.Safe
	on       bool
	parent   *Node
	children []*Node
}

// Pane lists workspaces, connectors, entities and actions.
type Pane struct {
	roots  []*Node
	rows   []*Node
	depth  map[*Node]int
	dirty  bool
	scroll input.Scroll
	width  int
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

// New returns a tree that waits for its workspaces.
func New() *Pane { return &Pane{loading: true, dirty: true} }

// SetWorkspaces shows the workspaces, or why they cannot be listed.
func (t *Pane) SetWorkspaces(list []client.Workspace, problem string) {
	t.loading, t.problem = false, problem
	t.roots = nil
	for _, w := range list {
		n := &Node{Kind: NodeWorkspace, Label: w.Name, Workspace: w.Name}
		if w.Status == "inactive" {
			n.Note = "inactive"
		}
		t.roots = append(t.roots, n)
	}
	t.dirty = true
}

// LocalGroup is the name of the group of connectors that are called directly.
const LocalGroup = "local"

// AddGroup appends a workspace-like group whose connectors are given, such as
// local connectors or the catalog's kinds. Why there are no workspaces stands above it then.
func (t *Pane) AddGroup(name, note string, connectors []client.Connector) {
	if t.problem != "" {
		t.roots, t.problem = []*Node{{Kind: NodeMessage, Label: t.problem, bad: true}}, ""
	}
	n := &Node{Kind: NodeWorkspace, Label: name, Note: note, Workspace: name, loaded: true}
	n.children = connectorNodes(n, connectors)
	t.roots = append(t.roots, n)
	t.dirty = true
}

// SetGroup replaces the connectors of a group, or appends it.
func (t *Pane) SetGroup(name, note string, connectors []client.Connector) {
	for _, n := range t.roots {
		if n.Workspace == name {
			n.children, n.loaded, t.dirty = connectorNodes(n, connectors), true, true
			return
		}
	}
	t.AddGroup(name, note, connectors)
}

// SavedRow is a saved call as the tree lists it.
type SavedRow struct{ Name, Note string }

// SetSaved lists the saved calls below the workspaces.
func (t *Pane) SetSaved(list []SavedRow) {
	open := t.saved != nil && t.saved.open
	t.saved, t.dirty = nil, true
	if len(list) == 0 {
		return
	}
	t.saved = &Node{Kind: NodeWorkspace, Label: "saved calls", Note: strconv.Itoa(len(list)), open: open, loaded: true}
	for _, c := range list {
		t.saved.children = append(t.saved.children, &Node{Kind: NodeSaved, Label: c.Name,
			Note: c.Note, Action: c.Name, parent: t.saved, loaded: true})
	}
}

// Reload forgets everything below the roots and waits for workspaces again.
func (t *Pane) Reload() {
	*t = Pane{loading: true, dirty: true, filter: t.filter, line: t.line, was: t.was, saved: t.saved}
}

// SetConnectors fills a workspace.
func (t *Pane) SetConnectors(workspace string, list []client.Connector, problem string) {
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
			n.Note = quantity.Count(len(list), "connector", "connectors")
		}
	}
	t.dirty = true
}

func connectorNodes(parent *Node, list []client.Connector) []*Node {
	nodes := make([]*Node, 0, len(list))
	plain := strings.NewReplacer("_", " ", "-", " ")
	for _, c := range list {
		n := &Node{Kind: NodeConnector, Label: c.Name, Workspace: parent.Workspace, Connector: c,
			parent: parent}
		switch {
		case c.Kind == "" && strings.EqualFold(plain.Replace(c.Type), plain.Replace(c.Name)):
			n.Note = "not in catalog"
		case c.Kind == "":
			n.Note = c.Type + ", not in catalog"
		case c.Local:
			n.Note = "local"
		case !strings.EqualFold(plain.Replace(c.Kind), plain.Replace(c.Name)): // the name tells the kind
			n.Note = strings.ReplaceAll(c.Kind, "_", " ")
		}
		nodes = append(nodes, n)
	}
	return nodes
}

func message(parent *Node, s string, bad bool) *Node {
	return &Node{Kind: NodeMessage, Label: s, parent: parent, bad: bad, Workspace: parent.Workspace,
		Connector: parent.Connector}
}

// SetKind fills a connector with the entities of its kind.
func (t *Pane) SetKind(connector client.Connector, k *catalog.Kind, problem string) {
	n := t.connector(connector)
	if n == nil {
		return
	}
	n.loading, n.loaded, n.children = false, problem == "", nil
	if problem != "" {
		n.children = []*Node{message(n, problem, true)}
	}
	if k != nil {
		n.Connector.Kind = k.Name
		n.Note = quantity.Count(len(k.Entities), "entity", "entities")
		if n.Described = k.Source == catalog.Live; n.Described {
			n.Note = strconv.Itoa(len(k.Entities)) + " described"
		}
		for i := range k.Entities {
			e := &k.Entities[i]
			en := &Node{Kind: NodeEntity, Label: e.Name, Entity: e.Name, parent: n, loaded: true,
				Workspace: n.Workspace, Connector: n.Connector, Note: strconv.Itoa(len(e.Actions))}
			for j := range e.Actions {
				a := &e.Actions[j]
				en.children = append(en.children, &Node{Kind: NodeAction, Label: a.Name, Action: a.Name,
					Entity: e.Name, parent: en, Workspace: n.Workspace, Connector: n.Connector, Note: ActionMark(a)})
			}
			n.children = append(n.children, en)
		}
	}
	t.dirty = true
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
func (t *Pane) SetHealth(c client.Connector, mark string, health style.Outcome) {
	if n := t.connector(c); n != nil {
		n.Mark, n.Health = mark, health
	}
}

// SetDiffers marks a connector with how much its service describes differently from the
// catalog.
func (t *Pane) SetDiffers(c client.Connector, differs int) {
	if n := t.connector(c); n != nil {
		n.Note = strconv.Itoa(differs) + " differ"
	}
}

func (t *Pane) connector(c client.Connector) *Node {
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
func (t *Pane) Connectors() []client.Connector {
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
func (t *Pane) Unlisted() []string {
	var names []string
	for _, r := range t.roots {
		if !r.loaded {
			names = append(names, r.Workspace)
		}
	}
	return names
}

// Fill is SetConnectors for a workspace that has none yet; it stays folded.
func (t *Pane) Fill(workspace string, list []client.Connector) {
	if slices.Contains(t.Unlisted(), workspace) {
		t.SetConnectors(workspace, list, "")
	}
}

// Problem says why the workspaces could not be listed; "" when they could.
func (t *Pane) Problem() string { return t.problem }

// Current is the node under the cursor; nil while nothing is there.
func (t *Pane) Current() *Node {
	if rows := t.visible(); t.scroll.Cursor < len(rows) {
		return rows[t.scroll.Cursor]
	}
	return nil
}

func (t *Pane) place(n *Node) {
	if i := slices.Index(t.visible(), n); i >= 0 {
		t.scroll.Cursor = i
	}
	t.scroll.Move(0, len(t.rows))
}

// Move moves the cursor by d rows.
func (t *Pane) Move(_, d int) { t.scroll.Move(d, len(t.visible())) }

// Half moves by half windows.
func (t *Pane) Half(d int) { t.scroll.Half(d, len(t.visible())) }

// Wheel scrolls by d rows.
func (t *Pane) Wheel(d int) { t.scroll.Wheel(d, len(t.visible())) }

// Open opens the node under the cursor: it unfolds, or an action's form opens.
func (t *Pane) Open() intent.Intent {
	n := t.Current()
	if n == nil {
		return intent.LoadWorkspaces{}
	}
	switch n.Kind {
	case NodeSaved:
		return intent.RunSaved{Name: n.Action}
	case NodeAction:
		return intent.OpenAction{Connector: n.Connector, Entity: n.Entity, Action: n.Action}
	case NodeMessage:
		if n.parent == nil {
			return intent.LoadWorkspaces{}
		}
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

// In unfolds the node under the cursor, or goes to the first row inside one that is
// unfolded; it folds nothing.
func (t *Pane) In() intent.Intent {
	if n := t.Current(); n != nil && n.open && n.loaded {
		if len(n.children) > 0 {
			t.place(n.children[0])
		}
		return nil
	}
	return t.Open()
}

func (t *Pane) unfold(n *Node) intent.Intent {
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
func (t *Pane) Fold() {
	n := t.Current()
	if n == nil {
		return
	}
	if !n.open && n.parent != nil {
		n = n.parent
	} else {
		n.open, t.dirty = false, true
	}
	t.place(n)
}

// Reveal opens the path to a place and puts the cursor there: on a workspace or a
// group where the connector has no more than that. It returns what must be loaded
// first; nil when the place is shown.
func (t *Pane) Reveal(c client.Connector, entity, action string) intent.Intent {
	group := c.Name == "" && c.ID == "" && c.Kind == ""
	for _, r := range t.roots {
		switch {
		case r.Workspace != c.Workspace:
		case group:
			t.place(r)
		default:
			if in := t.unfold(r); in != nil {
				return in
			}
		}
	}
	if group {
		return nil
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

// Fit tells the tree its size.
func (t *Pane) Fit(w, h int) {
	if w != t.width {
		cur := t.Current()
		t.width, t.dirty = w, true // messages wrap otherwise
		t.place(cur)
	}
	if t.line != nil {
		h--
		t.bar().Fit(w)
	}
	t.scroll.Fit(len(t.visible()), h)
	t.showChildren(h)
}

// showChildren scrolls so that what was just unfolded at the lower edge is
// seen; the row itself stays on the screen.
func (t *Pane) showChildren(h int) {
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

// Waiting reports whether any list is still on its way.
func (t *Pane) Waiting() bool {
	waits := func(n *Node) bool { return n.loading }
	return t.loading || slices.ContainsFunc(t.roots, func(r *Node) bool {
		return r.loading || slices.ContainsFunc(r.children, waits)
	})
}
