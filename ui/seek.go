package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/ui/text"
)

// connectorsOf are the connectors of a workspace, or why they cannot be listed.
type connectorsOf struct {
	workspace  string
	connectors []client.Connector
	err        error
}

// seek lists the workspaces that were not opened yet, one after the other, until
// one has a connector that suits, and puts what came into the tree. found is run
// then, unless the person cancelled or went elsewhere meanwhile; missing tells
// what could not be listed.
func (m *Model) seek(what string, suits func(client.Connector) bool, found func(m *Model, missing error) tea.Cmd) tea.Cmd {
	s, names, place := m.deps.Session.Service, m.tree.Unlisted(), m.placeNow()
	if len(names) == 0 || s == nil {
		return found(m, nil)
	}
	return m.ask("looking for "+text.Sanitize(what), listTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		lists := listUntil(ctx, s, names, suits)
		canceled := errors.Is(ctx.Err(), context.Canceled)
		return func(m *Model) tea.Cmd {
			missing := m.takeLists(lists)
			if canceled || place != m.placeNow() {
				return m.relayout()
			}
			return tea.Batch(found(m, missing), m.relayout())
		}
	})
}

// listUntil asks for the connectors of each workspace until one suits.
func listUntil(ctx context.Context, s Service, workspaces []string, suits func(client.Connector) bool) []connectorsOf {
	var out []connectorsOf
	for _, w := range workspaces {
		list, err := s.Connectors(ctx, w)
		out = append(out, connectorsOf{w, list, err})
		for _, c := range list {
			if suits(c) {
				return out
			}
		}
		if ctx.Err() != nil {
			return out
		}
	}
	return out
}

// takeLists fills the tree, but for workspaces that were opened meanwhile; the
// error is the first of those that could not be listed.
func (m *Model) takeLists(lists []connectorsOf) error {
	var missing error
	for _, l := range lists {
		switch {
		case l.err != nil && missing == nil:
			missing = l.err
		case l.err == nil:
			m.tree.Fill(l.workspace, l.connectors)
		}
	}
	return missing
}

// whereabouts tells one place from another.
type whereabouts struct {
	connector, entity, action string
	overlays                  int
}

func (m *Model) placeNow() whereabouts {
	at := whereabouts{overlays: len(m.stack.All())}
	if m.req.HasAction() {
		c, e, a := m.req.Place()
		at.connector, at.entity, at.action = c.Workspace+"/"+c.Name, e, a
	}
	return at
}

// ofKind tells connectors of a kind.
func ofKind(kind string) func(client.Connector) bool {
	return func(c client.Connector) bool { return c.Kind == kind }
}

// noneOfKind shows the documentation of a place that no connector has, and says
// what to do about it.
func (m *Model) noneOfKind(h catalog.Hit, missing error) tea.Cmd {
	t := "No connector of kind " + h.Kind + " here: this is its documentation. a in the tree adds one"
	switch {
	case missing != nil:
		t = "No connector of kind " + h.Kind + " was found, and a workspace could not be listed: " + client.AsError(missing).Error() + ". R in the tree asks again; this is the documentation"
	case m.tree.Waiting():
		t = "The workspaces are still being asked for: go there again once they are listed"
	case m.tree.Problem() != "":
		t = "The workspaces could not be listed, R in the tree asks again; this is the documentation of " + h.Kind
	}
	return tea.Batch(m.docsOf(h.Kind, h.Entity, h.Action), m.say(t, false))
}
