package ui

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/records"
	"patchbay/themes"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/pane"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// push opens an overlay.
func (m *Model) push(o overlay.Overlay) tea.Cmd {
	m.stack.Push(o)
	return nil
}

// choose opens a list for a pane that asked for a choice.
func (m *Model) choose(c intent.Choose) tea.Cmd {
	l := &overlay.List{Heading: text.Sanitize(c.Title), Prompt: "type to search",
		Choose: func(it overlay.Item) intent.Intent { return c.Done(it.Value.(string)) }}
	items := make([]overlay.Item, 0, len(c.Options))
	for _, o := range c.Options {
		items = append(items, overlay.Item{Title: text.Sanitize(o.Title), Note: text.Sanitize(o.Note), Detail: text.Sanitize(o.Detail), Disabled: o.Disabled, Value: o.Value})
	}
	static := overlay.Static(items)
	l.Source = static
	if c.Free {
		l.Help = "type to search, or a value of your own · enter takes it · esc closes"
		l.Source = func(q string) []overlay.Item { return withOwn(static(q), q) }
	}
	l.Select(func(it overlay.Item) bool { return it.Value == c.Current })
	if c.Query != "" {
		l.SetQuery(c.Query)
	}
	return m.push(l)
}

// withOwn puts the typed text itself behind the matches.
func withOwn(items []overlay.Item, q string) []overlay.Item {
	if q == "" {
		return items
	}
	for _, it := range items {
		if it.Value == q {
			return items
		}
	}
	own := overlay.Item{Title: text.Sanitize(q), Note: "as typed", Value: q}
	return append(slices.Clone(items), own)
}

// openThing lists what can be done with the thing under the cursor.
func (m *Model) openThing() tea.Cmd {
	var here, call []overlay.Item
	for i := range m.actions {
		switch a := &m.actions[i]; {
		case slices.Contains(m.scopes()[:len(m.scopes())-1], a.In):
			here = append(here, m.actionItem(a))
		case slices.Contains([]string{"run", "preview", "copy.call", "copy", "docs"}, a.ID):
			call = append(call, m.actionItem(a))
		}
	}
	items := append(here, call...)
	slices.SortStableFunc(items, func(a, b overlay.Item) int { return cmp.Compare(min(len(a.Disabled), 1), min(len(b.Disabled), 1)) })
	return m.push(&overlay.List{Heading: "What to do here", Wide: true, Source: overlay.Static(items), Choose: m.runItem})
}

// openFieldMenu lists the states and row actions of the field under the cursor.
func (m *Model) openFieldMenu() tea.Cmd {
	opts := m.req.Menu()
	if len(opts) == 0 {
		return m.say("there is nothing to set on this row", true)
	}
	return m.choose(intent.Choose{Title: "This field", Options: opts, Done: func(v string) intent.Intent { return m.req.Pick(v) }})
}

func (m *Model) openEditor() tea.Cmd { return away(edit(m.deps.Editor, m.req.Text())) }

// openColumns chooses columns: enter shows or hides; shown ones stand in the order of choice.
func (m *Model) openColumns() tea.Cmd {
	all, shown := m.res.Columns()
	l := &overlay.List{Heading: "Columns", Through: true, Prompt: "type a name; shown ones come first, in this order", Help: "enter shows or hides · esc closes", Keep: true}
	l.Source = func(q string) []overlay.Item { return overlay.Static(columnItems(all, shown))(q) }
	l.Choose = func(it overlay.Item) intent.Intent {
		name := it.Value.(string)
		if i := slices.Index(shown, name); i >= 0 {
			shown = slices.Delete(slices.Clone(shown), i, i+1)
		} else {
			shown = append(slices.Clone(shown), name)
		}
		if len(shown) == 0 {
			shown = []string{name}
		}
		in := m.res.SetColumns(shown)
		l.Refresh()
		return intent.All{in, then(m.keepLayout)}
	}
	return m.push(l)
}

func columnItems(all []records.Column, shown []string) []overlay.Item {
	var items []overlay.Item
	for _, name := range shown {
		items = append(items, overlay.Item{Title: "[x] " + text.Sanitize(name), Value: name})
	}
	for _, c := range all {
		if slices.Contains(shown, c.Name) {
			continue
		}
		note := c.Type
		switch {
		case c.Derive != nil:
			note = "computed"
		case !c.Useful() && note == "":
			note = "empty here"
		case !c.Useful():
			note += ", empty here"
		}
		items = append(items, overlay.Item{Title: "[ ] " + text.Sanitize(c.Name), Note: note, Value: c.Name})
	}
	return items
}

// openCell shows the whole value of a cell.
func (m *Model) openCell() tea.Cmd {
	c, ok := m.res.Cell()
	switch {
	case !ok:
		return m.say("there is no value under the cursor", true)
	case c.Size() <= shownAtOnce:
		return m.push(cellReader(c))
	}
	w, h := m.width, m.height
	return m.async(fileTimeout, func(context.Context) func(*Model) tea.Cmd {
		r := cellReader(c)
		overlay.Box(r, w, h) // wraps the lines
		return func(m *Model) tea.Cmd { return m.push(r) }
	})
}

// shownAtOnce is the size up to which a value is laid out on the update loop. It
// is small, as what is nested deep takes much more room on the screen.
const shownAtOnce = 1 << 10

// cellReader shows a value whole, as far as one reads.
func cellReader(c result.Cell) *overlay.Reader {
	t, more := c.Shown()
	r := &overlay.Reader{Heading: text.Sanitize(c.Path), CopyWhat: "value", Data: true, Wide: true}
	if c.Absent() {
		r.Body = append(r.Body, overlay.Line{Text: "absent: the record has no such field", Tone: overlay.Dim})
	}
	for _, l := range text.Lines(t) {
		r.Body = append(r.Body, overlay.Line{Text: l})
	}
	if more {
		r.CopyWhat = "beginning of the value"
		end := "… of " + text.Size(int64(c.Size())) + " in all; E writes the records to a file"
		r.Body = append(r.Body, overlay.Line{Text: end, Tone: overlay.Warn})
	}
	r.CopyText, _ = c.Text()
	return r
}

// openThemes chooses a theme with a live preview.
func (m *Model) openThemes() tea.Cmd {
	before, chosen := m.styles.Theme.Name, m.chosen
	var items []overlay.Item
	for _, n := range m.themeNames() {
		it := overlay.Item{Title: n, Value: n}
		if t, err := themes.Load(n, m.deps.ThemeDir); err != nil {
			it.Disabled = err.Error()
		} else {
			it.Note = t.Title
			it.Group = map[string]string{"dark": "Dark", "light": "Light"}[t.Mode]
		}
		items = append(items, it)
	}
	slices.SortStableFunc(items, func(a, b overlay.Item) int { return strings.Compare(a.Group, b.Group) })
	l := &overlay.List{Heading: "Theme", Through: true, Source: overlay.Static(items), Help: "↑↓ preview · enter keeps · esc goes back"}
	l.Moved = func(it overlay.Item) intent.Intent {
		if it.Disabled == "" {
			m.setTheme(it.Value.(string))
		}
		return nil
	}
	l.Choose = func(it overlay.Item) intent.Intent {
		m.setTheme(it.Value.(string))
		m.deps.Settings.Theme = it.Value.(string)
		m.log.add(m.deps.Now(), logSetting, "theme "+it.Title, nil)
		return then(m.saveSettings)
	}
	l.Cancel = intent.Call{F: func() intent.Intent { m.setTheme(before); m.chosen = chosen; return nil }}
	return m.push(l.Select(func(it overlay.Item) bool { return it.Value == before }))
}

func (m *Model) askQuit() tea.Cmd {
	said := []string{"Leave patchbay?"}
	if t := m.unwritten(); t != "" {
		said = append(said, t)
	}
	return m.push(&overlay.Confirm{Heading: "Quit?", Text: said, Yes: "Quit", No: "Stay", Do: then(m.exit)})
}

// unwritten says what is being written out still; empty when nothing is.
func (m *Model) unwritten() string {
	switch {
	case m.running() && m.call.export != nil && m.call.export.keeps:
		return m.call.export.name() + " is not whole yet; a later export of every page to the same file goes on with it."
	case m.running() && m.call.export != nil:
		return m.call.export.name() + " is not whole yet and is not written then."
	case m.writing.running():
		return "This is under way and ends then: " + m.writing.what + "."
	}
	return ""
}

// continueEdit goes on with the request pane after a choice.
func (m *Model) continueEdit(c pane.EditCell) tea.Cmd { return m.perform(m.req.Continue(c)) }
