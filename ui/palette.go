package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// openHelp lists every action with its keys; choosing one runs it.
func (m *Model) openHelp() tea.Cmd {
	scopes := m.scopes()
	var here, rest []overlay.Item
	for i := range m.actions {
		it := m.actionItem(&m.actions[i])
		if slices.Contains(scopes[:len(scopes)-1], m.actions[i].In) {
			it.Group = "Here: " + string(m.actions[i].In)
			here = append(here, it)
		} else {
			it.Group = map[bool]string{true: "In any pane", false: "In " + string(m.actions[i].In)}[m.actions[i].In == inAny]
			rest = append(rest, it)
		}
	}
	return m.push(&overlay.List{Heading: "Keys and actions", Prompt: "type what you want to do", Wide: true,
		Source: overlay.Static(append(here, rest...)), Choose: m.runItem})
}

func (m *Model) actionItem(a *action) overlay.Item {
	it := overlay.Item{Title: a.Help, Key: strings.Join(m.keymap.keys[a.ID], " "), Value: a.ID}
	if a.Disabled != nil {
		it.Disabled = a.Disabled(m)
	}
	return it
}

func (m *Model) runItem(it overlay.Item) intent.Intent { return intent.Do{ID: it.Value.(string)} }

// openCommand is the command line: actions by their ids.
func (m *Model) openCommand() tea.Cmd {
	p := overlay.NewPrompt("Command", "Name of an action; tab completes. ? lists all with their keys.", "", func(v string) intent.Intent {
		m.commands = append(m.commands, strings.TrimSpace(v))
		return intent.Do{ID: strings.TrimSpace(v)}
	})
	p.History = m.commands
	p.Check = func(v string) string {
		if m.actionByID(strings.TrimSpace(v)) == nil {
			return "there is no action " + v + "; tab completes what you typed"
		}
		return ""
	}
	p.Complete = func(stem string) []string {
		var out []string
		for i := range m.actions {
			if strings.HasPrefix(m.actions[i].ID, strings.TrimSpace(stem)) {
				out = append(out, m.actions[i].ID)
			}
		}
		return out
	}
	return m.push(p)
}

// paletteHits is how many hits of the catalog the palette shows.
const paletteHits = 60

// openPalette searches the whole catalog and the actions.
func (m *Model) openPalette() tea.Cmd {
	var acts []overlay.Item
	for i := range m.actions {
		it := m.actionItem(&m.actions[i])
		it.Group = "Actions"
		acts = append(acts, it)
	}
	static := overlay.Static(acts)
	return m.push(&overlay.List{Heading: "Search everything", Prompt: "customers list, jql, refund, created …", Wide: true,
		Empty:  "Nothing in the catalog holds these words. Fewer or shorter words find more.",
		Source: func(q string) []overlay.Item { return m.paletteItems(q, static) },
		Choose: func(it overlay.Item) intent.Intent {
			if hit, ok := it.Value.(catalog.Hit); ok {
				return intent.GoTo{Hit: hit}
			}
			if c, ok := it.Value.(client.Connector); ok {
				return then(func() tea.Cmd { return m.goToConnector(c) })
			}
			if _, ok := it.Value.(string); !ok {
				return it.Value // a saved call
			}
			return m.runItem(it)
		}})
}

func (m *Model) paletteItems(q string, actions func(string) []overlay.Item) []overlay.Item {
	if strings.TrimSpace(q) == "" {
		return actions("")
	}
	out := m.connectorItems(q)
	for _, h := range m.deps.Catalog.Search(q, paletteHits) {
		out = append(out, overlay.Item{Title: h.Title, Marks: h.Matched, Note: h.What + "  " + h.Path(), Detail: hitDetail(h), Value: h})
	}
	for i, it := range overlay.Static(m.savedItems())(q) {
		if i == 5 {
			break
		}
		it.Note = "saved call  " + it.Note
		out = append(out, it)
	}
	for i, it := range actions(q) {
		if i == 5 {
			break
		}
		it.Note = "action of this program"
		out = append(out, it)
	}
	return out
}

// connectorItems are the known connectors whose name or workspace holds every
// word. Those that are called like their kind are left to the catalog's hits,
// unless the workspace was asked for.
func (m *Model) connectorItems(q string) []overlay.Item {
	words := strings.Fields(strings.ToLower(q))
	var out []overlay.Item
	for _, c := range m.tree.Connectors() {
		where := c.Workspace
		if c.Local {
			where = localGroup
		}
		name, place := strings.ToLower(c.Name), strings.ToLower(where)
		asked := false
		found := !slices.ContainsFunc(words, func(w string) bool {
			inName, inPlace := strings.Contains(name, w), strings.Contains(place, w)
			asked = asked || inPlace || inName && c.Name != c.Kind
			return !inName && !inPlace
		})
		if found && asked {
			out = append(out, overlay.Item{Title: text.Sanitize(c.Name), Note: "connector  " + text.Sanitize(where) + " > " + text.Sanitize(c.Name), Value: c})
		}
	}
	return out
}

// goToConnector shows a connector in the tree.
func (m *Model) goToConnector(c client.Connector) tea.Cmd {
	m.arr.focus = paneTree
	return tea.Batch(m.perform(m.tree.Reveal(c, "", "")), m.relayout())
}

func hitDetail(h catalog.Hit) string {
	d := h.Doc
	if h.Why != "" {
		if d != "" {
			d += "  "
		}
		d += "(" + h.Why + ")"
	}
	return d
}

// goTo opens the place of a hit in the first connector of its kind.
func (m *Model) goTo(h catalog.Hit) tea.Cmd {
	var c client.Connector
	found := false
	for _, have := range m.tree.Connectors() {
		if have.Kind == h.Kind && (!found || (m.req.HasAction() && have.Workspace == m.req.Connector().Workspace)) {
			c, found = have, true
		}
	}
	if !found {
		return tea.Batch(m.docsOf(h.Kind, h.Entity, h.Action), m.say("No open workspace has a connector of kind "+h.Kind+"; this is its documentation", false))
	}
	p := profile.Place{Connector: c, Entity: h.Entity, Action: h.Action}
	if h.Entity == "" {
		return m.goToConnector(c)
	}
	if h.Action == "" {
		p.Action = m.firstAction(h.Kind, h.Entity)
	}
	m.pending = &pendingPlace{place: p, focus: paneRequest}
	return m.resume()
}

// firstAction is the action to show for an entity: the one that reads most.
func (m *Model) firstAction(kind, entity string) string {
	k, err := m.deps.Catalog.Kind(kind)
	if err != nil {
		return ""
	}
	e := k.Entity(entity)
	if e == nil || len(e.Actions) == 0 {
		return ""
	}
	for _, want := range []string{catalog.ActionList, catalog.ActionAPISearch, catalog.ActionGet} {
		if e.Action(want) != nil {
			return want
		}
	}
	return e.Actions[0].Name
}
