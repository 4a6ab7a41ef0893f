package dialog

import (
	"cmp"
	"slices"
	"strings"

	"patchbay/client"
)

// ConnectorsOf are the known connectors of a kind: the open one first, then those that are
// called like the kind, those of the open one's workspace, and the others.
func ConnectorsOf(h Host, kind string) []client.Connector {
	list := slices.DeleteFunc(h.Tree().Connectors(), func(c client.Connector) bool { return c.Kind != kind })
	if !h.Request().HasAction() {
		return list
	}
	open := h.Request().Connector()
	far := func(c client.Connector) int {
		switch {
		case c.ID == open.ID && c.Name == open.Name && c.Workspace == open.Workspace:
			return 0
		case c.Name == kind:
			return 1
		case c.Workspace == open.Workspace:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(list, func(a, b client.Connector) int { return cmp.Compare(far(a), far(b)) })
	return list
}

// Called is the known connector that a text begins with the name of, the longest name
// first, and what follows it.
func Called(h Host, v string) (c client.Connector, rest string, ok bool) {
	low := strings.ToLower(v)
	for _, have := range append(openFirst(h), h.Tree().Connectors()...) {
		name := strings.ToLower(have.Name)
		after, begins := strings.CutPrefix(low, name)
		if name == "" || !begins || len(name) <= len(c.Name) || after != "" && !strings.ContainsAny(after[:1], " />") {
			continue
		}
		c, rest, ok = have, v[len(v)-len(after):], true
	}
	return c, rest, ok
}

// openFirst is the connector whose form is open, which wins over others of its name.
func openFirst(h Host) []client.Connector {
	if !h.Request().HasAction() {
		return nil
	}
	return []client.Connector{h.Request().Connector()}
}
