package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/profile"
	"patchbay/client/rawjson"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// openDocument shows a file or stream as soon as there is something to show.
func (m *Model) openDocument(d *result.Document) tea.Cmd {
	m.arr.focus = paneResponse
	m.res.Await(d)
	session := m.session
	return tea.Batch(m.startTicking(), func() tea.Msg {
		d.Wait(context.Background()) // it ends with the document
		page := d.Page()
		return appliedMsg{session, func(m *Model) tea.Cmd {
			return tea.Batch(m.perform(m.res.Open(page)), m.startTicking())
		}}
	})
}

func (m *Model) documentShape() string {
	d := m.deps.Document
	n := d.Index.Len()
	if p := m.res.Page(); p != nil && p.Document == d && p.Index == nil {
		return "no JSON"
	}
	switch d.Index.Shape() {
	case rawjson.Lines:
		return d.Records()
	case rawjson.List:
		where := d.Index.Path().Dotted()
		if where == "." {
			return "an array of " + text.Digits(n)
		}
		return text.Count(n, "record", "records") + " at " + text.Sanitize(where)
	case rawjson.Single:
		return "one value"
	}
	return "no record found yet"
}

// documentSummary tells of the file, in place of the request.
func (m *Model) documentSummary(w int) []string {
	d, s := m.deps.Document, m.styles
	size := "a stream"
	switch {
	case d.Size >= 0:
		size = text.Size(d.Size)
	case d.Own > 0:
		size = text.Size(d.Own)
	case d.Note != "":
		size = d.Note
	}
	lines := []string{" " + s.Text.Render(text.Truncate(d.Name+" · "+size+" · "+m.documentShape()+m.documentWords(), w-2))}
	if p := m.res.Page(); p != nil && p.Broken() != "" {
		for _, l := range text.Wrap(text.Sanitize(p.Broken()), max(w-2, 8)) {
			lines = append(lines, " "+s.Warning.Render(l))
		}
	}
	if r := d.Remark; r != nil && r() != nil && *r() != "" {
		lines = append(lines, " "+s.Warning.Render(text.Truncate(*r(), w-2)))
	}
	if d.Note != "" && (d.Size >= 0 || d.Own > 0) {
		lines = append(lines, " "+s.Muted.Render(text.Truncate(d.Note, w-2)))
	}
	if m.res.TakenAs().Entity == nil && m.res.HasRecords() {
		lines = append(lines, " "+s.Muted.Render(text.Truncate("A says of which entity of the catalog the records are", w-2)))
	}
	return lines[:min(len(lines), mostFileLines)]
}

// mostFileLines is how many lines of the screen a file's description may take.
const mostFileLines = 4

// documentWords tell of which entity the records are taken to be.
func (m *Model) documentWords() string {
	as := m.res.TakenAs()
	if as.Entity == nil {
		return ""
	}
	return " · read as " + as.Kind.Name + " " + as.Entity.Name
}

// recallLayout returns the columns that were chosen for an entity.
func (m *Model) recallLayout(kind, entity string) (result.Layout, bool) {
	key := kind + "." + entity
	st := m.deps.Settings
	l := result.Layout{Columns: st.Columns[key], Pinned: 1, Widths: st.Widths[key], Computed: st.Computed[key]}
	if n, ok := st.Pinned[key]; ok {
		l.Pinned = n
	}
	return l, l.Columns != nil || l.Widths != nil || l.Computed != nil
}

// keepLayout remembers the columns of the entity shown.
func (m *Model) keepLayout() tea.Cmd {
	kind, entity, l, ok := m.res.Layout()
	if !ok {
		return nil
	}
	m.deps.Settings = withLayout(m.deps.Settings, kind+"."+entity, l)
	return m.saveSettings()
}

// withLayout returns the settings with one layout changed. The maps are copied:
// the ones before may be being written to disk.
func withLayout(st profile.State, key string, l result.Layout) profile.State {
	st.Columns = with(st.Columns, key, l.Columns)
	st.Pinned = with(st.Pinned, key, l.Pinned)
	st.Widths = with(st.Widths, key, l.Widths)
	st.Computed = with(st.Computed, key, l.Computed)
	return st
}

func with[V any](m map[string]V, key string, value V) map[string]V {
	out := make(map[string]V, len(m)+1)
	for k, v := range m {
		out[k] = v
	}
	out[key] = value
	return out
}
