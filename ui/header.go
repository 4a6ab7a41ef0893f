package ui

import (
	tea "charm.land/bubbletea/v2"

	"patchbay/ui/text"
)

// crumb is one step of the way to the open action; at is the cell where it
// stands in the header, show what a click does.
type crumb struct {
	text string
	at   int
	show func() tea.Cmd
}

const (
	crumbsBefore = " │ "
	crumbsBar    = " › "
)

// headerLine says where the person is and what this program may do there.
func (m *Model) headerLine(w int) string {
	s := m.styles
	where, crumbs, right := m.header(w)
	line := where
	for i, c := range crumbs {
		if i == 0 {
			line += s.Muted.Render(crumbsBefore)
		} else {
			line += s.Text.Render(crumbsBar)
		}
		line += s.Text.Render(s.Data(c.text))
	}
	return text.Between(line, right, w)
}

// header is what the first line of w cells holds: the service, the way to the
// open action, and what is to be known at the right.
func (m *Model) header(w int) (where string, crumbs []crumb, right string) {
	where, short := m.headerService()
	right = m.headerNotice()
	crumbs = m.crumbs()
	total := text.Width(where)
	for _, c := range crumbs {
		total += text.Width(crumbsBar) + text.Width(c.text)
	}
	if total > w-text.Width(right)-1 {
		total += text.Width(short) - text.Width(where)
		where = short
	}
	if total > w-text.Width(right)-1 {
		right = m.headerWarning() // the place is worth more
	}
	at := text.Width(where)
	for i := range crumbs {
		crumbs[i].at = at + text.Width(crumbsBar)
		at = crumbs[i].at + text.Width(crumbs[i].text)
	}
	return where, crumbs, right
}

// headerService names the service in full, and in short where there is no room.
func (m *Model) headerService() (full, short string) {
	s, ses := m.styles, m.deps.Session
	switch {
	case m.deps.Document != nil:
		short = s.Key.Render(" FILE")
		return short + s.Muted.Render(" nothing is asked of any service"), short
	case ses.Sandbox:
		short = s.Key.Render(" SANDBOX")
		return short + s.Muted.Render(" generated data, nothing leaves this machine"), short
	}
	short = s.Key.Render(" " + text.Sanitize(ses.Name))
	full = short + s.Muted.Render(" "+text.Sanitize(ses.BaseURL))
	if ses.Organization != "" {
		full += s.Muted.Render(" · organization " + text.Sanitize(ses.Organization))
	}
	return full, short
}

func (m *Model) headerNotice() string {
	notice := m.headerWarning()
	if m.deps.Document == nil && !m.deps.Session.ReadOnly {
		notice += m.styles.Muted.Render("writes ask first ")
	}
	return notice
}

// headerWarning is the part of the notice that is not so by default.
func (m *Model) headerWarning() string {
	s, notice := m.styles, ""
	if m.deps.Document == nil && m.deps.Session.ReadOnly {
		notice = s.Warning.Render("read-only ")
	}
	if m.released {
		notice = s.Warning.Render("mouse released, "+keyName(m.keymap.keys["mouse"])+" takes it ") + notice
	}
	return notice
}

// crumbs are the steps to the open action; a click shows one in the tree.
func (m *Model) crumbs() []crumb {
	if !m.req.HasAction() {
		return nil
	}
	c, e, a := m.req.Place()
	group := c.Workspace
	if group == "" {
		group = localGroup
	}
	show := func(entity, action string) func() tea.Cmd {
		return func() tea.Cmd {
			return tea.Batch(m.focusOn(paneTree), m.perform(m.tree.Reveal(c, entity, action)))
		}
	}
	return []crumb{
		{text: text.Sanitize(group), show: func() tea.Cmd { m.tree.RevealGroup(group); return m.focusOn(paneTree) }},
		{text: text.Sanitize(c.Name), show: show("", "")},
		{text: e, show: show(e, "")},
		{text: a, show: show(e, a)},
	}
}

// clickHeader shows the step under the pointer in the tree; on the service it
// lists the profiles.
func (m *Model) clickHeader(x int) tea.Cmd {
	where, crumbs, _ := m.header(m.width)
	if x > 0 && x < text.Width(where) && m.deps.Document == nil {
		return m.openProfiles()
	}
	for _, c := range crumbs {
		if x >= c.at && x < c.at+text.Width(c.text) {
			return c.show()
		}
	}
	return nil
}
