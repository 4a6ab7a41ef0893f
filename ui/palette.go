package ui

import (
	"cmp"
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

// openHelp lists every action with its keys, those of the focused pane first;
// choosing one runs it.
func (m *Model) openHelp() tea.Cmd {
	scopes := m.scopes()
	near := func(s scope) int {
		if i := slices.Index(scopes, s); i >= 0 {
			return i
		}
		return len(scopes)
	}
	var items []overlay.Item
	for i := range m.actions {
		it, in := m.actionItem(&m.actions[i]), m.actions[i].In
		switch {
		case in == inAny:
			it.Group = "In any pane"
		case near(in) < len(scopes):
			it.Group = "Here: " + string(in)
		default:
			it.Group = "In " + string(in)
		}
		items = append(items, it)
	}
	place := map[string]int{}
	for _, a := range m.actions {
		place[a.ID] = near(a.In)<<8 + slices.Index(allScopes, a.In)
	}
	slices.SortStableFunc(items, func(a, b overlay.Item) int {
		return cmp.Or(cmp.Compare(place[a.Value.(string)], place[b.Value.(string)]), cmp.Compare(min(len(a.Disabled), 1), min(len(b.Disabled), 1)))
	})
	return m.push(&overlay.List{Heading: "Keys and actions", Prompt: "type what you want to do", Wide: true, Terse: true,
		Source: overlay.Static(items), Choose: m.runItem})
}

func (m *Model) actionItem(a *action) overlay.Item {
	it := overlay.Item{Title: a.Help, Key: strings.Join(m.keymap.keys[a.ID], " "), Also: a.Label + " " + a.ID, Value: a.ID}
	if a.Disabled != nil {
		it.Disabled = a.Disabled(m)
	}
	return it
}

func (m *Model) runItem(it overlay.Item) intent.Intent { return intent.Do{ID: it.Value.(string)} }

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
	slices.SortStableFunc(acts, func(a, b overlay.Item) int { return cmp.Compare(min(len(a.Disabled), 1), min(len(b.Disabled), 1)) })
	static := overlay.Static(acts)
	return m.push(&overlay.List{Heading: "Search everything", Prompt: "customers list, jql, refund, created …", Wide: true, Terse: true,
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
	q = strings.TrimSpace(q)
	if q == "" {
		return actions("")
	}
	named, others := actionHits(actions(q), strings.ToLower(q))
	out := append(m.connectorItems(q), named...)
	hits := m.deps.Catalog.Search(q, paletteHits)
	for _, h := range hits {
		if h.Score*weakHit < hits[0].Score {
			break
		}
		out = append(out, overlay.Item{Title: h.Title, Marks: h.Matched, Note: text.Pad(h.What, 9) + "  " + h.Path(), Detail: hitDetail(h), Value: h})
	}
	saved := overlay.Static(m.savedItems())(q)
	for _, it := range saved[:min(len(saved), 5)] {
		it.Note = "saved call  " + it.Note
		out = append(out, it)
	}
	return append(out, others...)
}

// weakHit is how many times worse than the best a hit of the catalog may be.
const weakHit = 3

// actionHits are the actions that are called what is typed, and a few of the
// others that were found.
func actionHits(found []overlay.Item, q string) (named, others []overlay.Item) {
	for _, it := range found {
		it.Note = "this program"
		switch {
		case strings.HasPrefix(it.Also, q) && it.Disabled == "" && len(named) < 3:
			named = append(named, it)
		case len(others) < 5:
			others = append(others, it)
		}
	}
	return named, others
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

// goTo opens the place of a hit in the first connector of its kind. Workspaces
// that were not opened yet are listed for it.
func (m *Model) goTo(h catalog.Hit) tea.Cmd {
	if c, ok := m.firstOfKind(h.Kind); ok {
		return m.goToIn(c, h)
	}
	return m.seek("a connector of kind "+h.Kind, ofKind(h.Kind), func(m *Model, missing error) tea.Cmd {
		if c, ok := m.firstOfKind(h.Kind); ok {
			return m.goToIn(c, h)
		}
		return m.noneOfKind(h, missing)
	})
}

// firstOfKind is the first known connector of a kind, in the open workspace where
// that has one.
func (m *Model) firstOfKind(kind string) (c client.Connector, found bool) {
	for _, have := range m.tree.Connectors() {
		if have.Kind == kind && (!found || (m.req.HasAction() && have.Workspace == m.req.Connector().Workspace)) {
			c, found = have, true
		}
	}
	return c, found
}

func (m *Model) goToIn(c client.Connector, h catalog.Hit) tea.Cmd {
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
