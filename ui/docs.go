package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// openDocs shows the documentation of what is under the cursor.
func (m *Model) openDocs() tea.Cmd {
	if m.arr.focus == paneTree {
		if n := m.tree.Current(); n != nil && n.Connector.Kind != "" {
			return m.docsOf(n.Connector.Kind, n.Entity, n.Action)
		}
	}
	if as := m.res.TakenAs(); m.deps.Document != nil && as.Entity != nil {
		return m.docsOf(as.Kind.Name, as.Entity.Name, "")
	}
	if m.req.HasAction() {
		return m.docsOf(m.req.Kind().Name, m.req.Entity().Name, m.req.Action().Name)
	}
	return nil
}

func (m *Model) noDocs() string {
	if m.deps.Document != nil {
		return reason(m.res.TakenAs().Entity == nil, "this is a file: the catalog does not know what it holds; A says it")
	}
	if m.arr.focus == paneTree {
		if n := m.tree.Current(); n != nil && n.Connector.Kind != "" {
			return ""
		}
	}
	return reason(!m.req.HasAction(), "put the cursor on a connector, an entity or an action first")
}

func (m *Model) docsOf(kind, entity, action string) tea.Cmd {
	k, err := m.deps.Catalog.Kind(kind)
	if err != nil {
		return m.say(err.Error(), true)
	}
	title := k.Title
	for _, part := range []string{entity, action} {
		if part != "" {
			title += " / " + part
		}
	}
	return m.push(&overlay.Reader{Heading: title, Body: docLines(k.Describe(entity, action), 24), CopyWhat: "documentation", Wide: true})
}

// docLines is documentation as lines whose names take up to widest cells.
func docLines(list []catalog.DocLine, widest int) []overlay.Line {
	names := 0
	for _, d := range list {
		if d.Role == catalog.DocField {
			names = min(max(names, text.Width(d.Name)), widest)
		}
	}
	var out []overlay.Line
	for _, d := range list {
		l := overlay.Line{Text: d.Text, Indent: 2 * d.Indent}
		switch d.Role {
		case catalog.DocTitle:
			l.Text, l.Tone = strings.TrimSpace(d.Name+"  "+d.Text), overlay.Accent
		case catalog.DocSection:
			out = append(out, overlay.Line{})
			l.Text, l.Tone = d.Name, overlay.Heading
		case catalog.DocField:
			l.Label, l.LabelWidth = d.Name, names
			facts := strings.Join(append([]string{d.Type}, d.Marks...), ", ")
			l.Text = strings.TrimSpace(facts + "  " + d.Text)
		default:
			l.Text = strings.TrimSpace(d.Name + "  " + d.Text)
		}
		if d.Source != catalog.Documented {
			l.Text += "  [" + string(d.Source) + "]"
		}
		out = append(out, l)
	}
	return out
}

// docsAside is the documentation beside the form where there is room.
func (m *Model) docsAside(w, h int) (string, []string) {
	if !m.req.HasAction() {
		return "Docs", nil
	}
	lines := m.docsLines(w)
	lines = lines[min(m.docsTop, len(lines)):]
	lines = lines[:min(len(lines), max(h, 0))]
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return "Docs  " + m.req.Entity().Name + " / " + m.req.Action().Name, lines
}

// docsLines is the whole documentation of the open action in w cells.
func (m *Model) docsLines(w int) []string {
	r := &overlay.Reader{Body: docLines(m.req.Kind().Describe(m.req.Entity().Name, m.req.Action().Name), max(w/3, 12))}
	lines, _ := r.Draw(max(w-2, 1), docsMax, m.styles)
	return lines
}

// docsMax bounds the lines of the documentation beside the form.
const docsMax = 2000

// asideIsRecord tells whether the record stands at the side, not the documentation.
func (m *Model) asideIsRecord() bool {
	return m.res.HasAnswer() && m.arr.focus != paneRequest && !(m.req.HasAction() && m.res.Scope() == "record")
}

// wheelAside scrolls what stands at the side.
func (m *Model) wheelAside(d int) {
	switch {
	case m.asideIsRecord():
		m.res.WheelAside(d)
	case m.req.HasAction():
		in := inner(m.lay.aside)
		m.docsTop = max(min(m.docsTop+d, len(m.docsLines(in.Dx()))-in.Dy()), 0)
	}
}
