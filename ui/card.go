package ui

import (
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/text"
)

// withCard draws the response, above the first-run card while that is shown.
func (m *Model) withCard(in image.Rectangle) ([]string, *image.Point) {
	focused := m.arr.focus == paneResponse
	var card []string
	if m.card {
		card = m.cardLines(in.Dx())
		if in.Dy() < 3*len(card) {
			card = card[len(card)-1:]
		}
	}
	room := in.Dy() - len(card)
	lines, at := m.res.Lines(in.Dx(), room, m.styles, focused)
	for len(card) > 0 && len(lines) < room {
		lines = append(lines, "")
	}
	return append(lines[:min(len(lines), room):min(len(lines), room)], card...), at
}

func (m *Model) cardLines(w int) []string {
	s := m.styles
	row := func(k1, t1, k2, t2 string) string {
		half := w / 2
		left := " " + s.Key.Render(k1) + " " + s.Text.Render(t1)
		return text.Pad(left, half) + s.Key.Render(k2) + " " + s.Text.Render(t2)
	}
	bar := "─"
	if s.ASCII {
		bar = "-"
	}
	key, what := "enter", "open this record"
	if m.res.Scope() != string(inTable) {
		key, what = "[", "the view before"
	}
	head := " first time here? "
	return []string{
		s.Border.Render(bar+bar) + s.Accent.Render(head) + s.Border.Render(strings.Repeat(bar, max(w-2-text.Width(head), 0))),
		row(key, what, ".", "fetch the next page"),
		row("]", "other views: JSON, Pages, Wire", "Y", "copy this call as curl, Python, …"),
		row("ctrl+p", "search every entity and action", "?", "every key"),
		" " + s.Muted.Render(text.Truncate("Generated data. esc hides this card for good; patchbay login signs in.", w-2)),
	}
}

func (m *Model) dismissCard() tea.Cmd {
	m.card = false
	m.deps.Settings.CardDone = true
	return m.saveSettings()
}
