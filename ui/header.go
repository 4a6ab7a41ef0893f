package ui

import (
	"cmp"
	"strings"

	"patchbay/client"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
	"patchbay/ui/tree"
)

// header is what the first line holds: the service, the way to the open action,
// and what a person must not overlook at the right.
type header struct {
	// name is the service, about what is said of it where there is room.
	name, about text.Safe
	// warning is what is not so by default, usual what is; both stand at the right.
	warning, usual text.Safe
	crumbs         []crumb
	// profiles is set where a click on the service lists the profiles.
	profiles bool
}

// crumb is one step of the way to the open action; show is where it is in the tree.
type crumb struct {
	text text.Safe
	show intent.Reveal
}

const (
	crumbsBefore = " │ "
	crumbsBar    = " › "
)

// placed is a header in w cells: where each part stands, styled.
type placed struct {
	where, right text.Safe
	// at are the cells where the crumbs begin.
	at []int
}

// place finds room for the parts: the place is worth more than what is said of
// the service, and that more than what is usual.
func (h header) place(w int, s *style.Styles) placed {
	short := s.Key.Render(" " + h.name)
	warning := s.Warning.Render(h.warning)
	p := placed{where: short + s.Muted.Render(h.about), right: warning}
	p.right += s.Muted.Render(h.usual)
	crumbs := 0
	for _, c := range h.crumbs {
		crumbs += text.Width(crumbsBar) + text.Width(c.text)
	}
	room := w - text.Width(p.right) - 1
	if text.Width(p.where)+crumbs > room {
		p.where = short
	}
	if text.Width(p.where)+crumbs > room {
		p.right = warning
	}
	at := text.Width(p.where)
	for _, c := range h.crumbs {
		at += text.Width(crumbsBar)
		p.at = append(p.at, at)
		at += text.Width(c.text)
	}
	return p
}

// line draws the header in w cells.
func (h header) line(w int, s *style.Styles) text.Safe {
	p := h.place(w, s)
	line := p.where
	for i, c := range h.crumbs {
		if i == 0 {
			line += s.Muted.Render(crumbsBefore)
		} else {
			line += s.Text.Render(crumbsBar)
		}
		line += s.Text.Render(s.Data(c.text))
	}
	return text.Between(line, p.right, w)
}

// click is what a click on a cell of the header asks for.
func (h header) click(x, w int, s *style.Styles) intent.Intent {
	p := h.place(w, s)
	if x > 0 && x < text.Width(p.where) && h.profiles {
		return intent.Do{ID: "profile"}
	}
	for i, c := range h.crumbs {
		if x >= p.at[i] && x < p.at[i]+text.Width(c.text) {
			return intent.All{intent.Focus{Pane: intent.Tree}, c.show}
		}
	}
	return nil
}

// header says where the person is and what this program may do there.
func (m *Model) header() header {
	h, s := header{profiles: true}, m.deps.Session
	switch {
	case m.deps.Document != nil:
		h.profiles = false
		h.name, h.about = "FILE", " nothing is asked of any service"
	case s.Sandbox && m.req.Connector().Local:
		h.name, h.about = "SANDBOX", " but this connector calls the third party itself"
	case s.Sandbox:
		h.name, h.about = "SANDBOX", " generated data, nothing leaves this machine"
	default:
		h.name, h.about = text.Sanitize(s.Name), " "+text.Sanitize(s.BaseURL)
		if s.Organization != "" {
			h.about += " · organization " + text.Sanitize(s.Organization)
		}
	}
	switch {
	case m.deps.Document != nil:
	case s.ReadOnly:
		h.warning = "read-only "
	default:
		h.usual = "writes ask first "
	}
	if m.released {
		keys := strings.Join(m.actions.Keys("mouse"), " ")
		h.warning = text.Sprintf("mouse released, %s takes it ", keys) + h.warning
	}
	if m.req.HasAction() {
		c, entity, action := m.req.Place()
		group := cmp.Or(c.Workspace, tree.LocalGroup)
		h.crumbs = []crumb{
			{text.Sanitize(group), intent.Reveal{Connector: client.Connector{Workspace: group}}},
			{text.Sanitize(c.Name), intent.Reveal{Connector: c}},
			{text.Sanitize(entity), intent.Reveal{Connector: c, Entity: entity}},
			{text.Sanitize(action), intent.Reveal{Connector: c, Entity: entity, Action: action}},
		}
	}
	return h
}
