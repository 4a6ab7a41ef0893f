package result

import (
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/records"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// terms are what is looked for, and how.
type terms struct {
	text   string
	mode   records.Mode
	invert bool
	// column is the only one looked at; empty for all.
	column string
	// shown looks at the columns shown alone.
	shown bool
}

// modeWords say how a text is compared, as it is and inverted.
var modeWords = map[records.Mode][2]string{
	records.Contains: {"with", "without"}, records.Regexp: {"matching", "not matching"},
	records.Fuzzy: {"like", "not like"}, records.Equals: {"equal to", "other than"},
	records.InState: {"that is", "that is not"},
}

// lead says in words which rows pass: "rows with", "email matching".
func (t terms) lead() string {
	what, words := "rows", modeWords[t.mode]
	switch {
	case t.column != "":
		what = t.column
	case t.shown:
		what = "columns shown"
	}
	if t.invert {
		return what + " " + words[1]
	}
	return what + " " + words[0]
}

// line is what is typed at the foot of the pane: a filter of the rows, or a
// search in the text of the view.
type line struct {
	terms
	field *input.Field
	// was stood before; offset and row are where the cursor was then.
	was         terms
	offset, row int
	// seq counts the changes, applied is that of the last one that was applied.
	seq, applied int
	bad          string
}

// Rest asks to be told by Rested once nothing was typed for a moment.
type Rest struct{ Seq int }

// NoLine says why nothing can be typed here to filter or search; "" when it can.
func (p *Pane) NoLine() string {
	switch p.current().(type) {
	case *tableView, seeker:
		return ""
	}
	return "this view has nothing to search in; the table, JSON and Raw have"
}

// OpenLine begins to type a filter or a search.
func (p *Pane) OpenLine() {
	if !p.HasAnswer() || p.NoLine() != "" {
		return
	}
	l := &line{row: p.row}
	switch v := p.current().(type) {
	case *tableView:
		v.load(p)
		l.was = v.terms
	case seeker:
		l.was, l.offset = p.find.terms, v.offset(p)
	}
	l.terms, l.field = l.was, input.New(l.was.text)
	p.line = l
}

// Typing tells whether a filter or a search is being typed.
func (p *Pane) Typing() bool { return p.line != nil }

// TextField is the field that is typed into; nil while none is.
func (p *Pane) TextField() *input.Field {
	if p.line == nil {
		return nil
	}
	return p.line.field
}

// EndLine ends the typing and keeps what was typed.
func (p *Pane) EndLine() intent.Intent {
	l := p.line
	p.line = nil
	if l == nil || l.applied == l.seq || l.bad != "" {
		return nil
	}
	return p.apply(l.terms)
}

// dropLine ends the typing and goes back to what was before.
func (p *Pane) dropLine() intent.Intent {
	l := p.line
	p.line = nil
	p.row = l.row
	if v, ok := p.current().(seeker); ok {
		v.goTo(p, l.offset)
	}
	if l.applied == 0 {
		return nil
	}
	return p.apply(l.was)
}

// LineKey handles a key while a filter or a search is typed.
func (p *Pane) LineKey(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "enter":
		return p.EndLine()
	case "esc":
		return p.dropLine()
	case "up":
		return p.stepHit(-1)
	case "down":
		return p.stepHit(1)
	case "pgup":
		p.Half(-1)
	case "pgdown":
		p.Half(1)
	case "tab":
		return p.turnMode(1)
	case "shift+tab":
		return p.turnMode(-1)
	case "ctrl+n":
		return p.turnInvert()
	case "ctrl+t":
		return p.turnColumn()
	default:
		if p.line.field.Key(msg) {
			return p.lineChanged()
		}
	}
	return nil
}

// LinePaste puts pasted text into the line.
func (p *Pane) LinePaste(s string) intent.Intent {
	p.line.field.Paste(s)
	return p.lineChanged()
}

func (p *Pane) lineChanged() intent.Intent {
	l := p.line
	l.text = l.field.Value()
	l.seq++
	l.bad = ""
	if l.text != "" {
		f := records.Filter{Text: l.text, Mode: l.mode}
		if l.column != "" {
			f.Column = &records.Column{Name: l.column}
		}
		if err := f.Check(); err != nil {
			l.bad = shortReason(err)
			return nil
		}
	}
	return Rest{l.seq}
}

// shortReason is what is wrong with a regular expression, without the
// expression: it stands beside.
func shortReason(err error) string {
	_, why, ok := strings.Cut(err.Error(), "parsing regexp: ")
	if !ok {
		return err.Error()
	}
	return "not a pattern: " + why
}

// Rested applies what is typed, unless more was typed since.
func (p *Pane) Rested(seq int) intent.Intent {
	l := p.line
	if l == nil || l.seq != seq || l.applied == seq || !p.HasAnswer() {
		return nil
	}
	l.applied = seq
	return p.apply(l.terms)
}

// Find filters the rows of the table by a text, or searches it in the other
// views; "" ends that.
func (p *Pane) Find(text string) intent.Intent { return p.apply(terms{text: text}) }

// apply filters the rows of the table, or searches in the other views.
func (p *Pane) apply(t terms) intent.Intent {
	switch v := p.current().(type) {
	case *tableView:
		return v.filterBy(p, t)
	case seeker:
		p.find = finder{terms: t}
		return p.seek(v)
	}
	return nil
}

// stepHit goes to another row that passed, or to another hit.
func (p *Pane) stepHit(d int) intent.Intent {
	if v, ok := p.current().(seeker); ok && p.find.found && len(p.find.hits) > 0 {
		return p.nextHit(v, d)
	}
	p.Move(0, d)
	return nil
}

// lineModes are the ways to compare that the view offers.
func (p *Pane) lineModes() []records.Mode {
	if _, table := p.current().(*tableView); !table {
		return []records.Mode{records.Contains, records.Regexp}
	}
	modes := []records.Mode{records.Contains, records.Regexp, records.Fuzzy, records.Equals}
	if p.line.column != "" {
		modes = append(modes, records.InState) // what is missing is missing in one column
	}
	return modes
}

func (p *Pane) turnMode(d int) intent.Intent {
	modes := p.lineModes()
	at := slices.Index(modes, p.line.mode)
	p.line.mode = modes[(at+d+len(modes))%len(modes)]
	return p.lineChanged()
}

func (p *Pane) turnInvert() intent.Intent {
	if _, table := p.current().(*tableView); !table {
		return nil
	}
	p.line.invert = !p.line.invert
	return p.lineChanged()
}

// turnColumn looks at the column under the cursor alone, then at all that are
// shown, then at every field again.
func (p *Pane) turnColumn() intent.Intent {
	v, l := p.onTable(), p.line
	if v == nil {
		return nil
	}
	switch {
	case l.column != "":
		l.column, l.shown = "", true
		if l.mode == records.InState {
			l.mode = records.Contains
		}
	case l.shown:
		l.shown = false
	default:
		l.column = v.columns[v.col].Name
	}
	return p.lineChanged()
}

// LineHints are the keys that work while a filter or a search is typed.
func (p *Pane) LineHints() []pane.Hint {
	out := []pane.Hint{{Key: "enter", Label: "keep"}, {Key: "esc", Label: "drop"}}
	if p.line.was.text != "" {
		out[1].Label = "as before"
	}
	if v := p.onTable(); v != nil {
		return append(append(out, pane.Hint{Key: "up down", Label: "rows"}), p.line.keys(v)...)
	}
	return append(out, pane.Hint{Key: "up down", Label: "hits"}, pane.Hint{Key: "tab", Label: "text or regex"})
}

// keys are those that change how the rows are filtered.
func (l *line) keys(v *tableView) []pane.Hint {
	not, column := "without", "only "+safe(v.columns[v.col].Name)
	if l.invert {
		not = "with"
	}
	switch {
	case l.column != "":
		column = "columns shown"
	case l.shown:
		column = "any field"
	}
	return []pane.Hint{{Key: "tab", Label: "text, regex, fuzzy, equal"}, {Key: "ctrl+n", Label: not}, {Key: "ctrl+t", Label: column}}
}

// drawLine draws the line and tells where its cursor is, y rows down.
func (p *Pane) drawLine(w, y int, s *style.Styles) (string, *image.Point) {
	l := pane.InputLine{Field: p.line.field, Lead: "find", Bad: p.line.bad}
	switch v := p.current().(type) {
	case *tableView:
		l.Lead, l.Facts = safe(p.line.lead()), v.kept()
		if n := len(v.under); n > 0 {
			l.Facts += " · after " + text.Count(n, "filter", "filters")
		}
		if at := v.hit(v.rowAt(v.scroll.Cursor), w); at != "" {
			l.Facts += " · hit in " + safe(at)
		}
		l.Keys = []pane.Hint{{Key: "tab", Label: "mode"}, {Key: "ctrl+n", Label: "not"}, {Key: "ctrl+t", Label: "column"}}
	default:
		if p.line.mode == records.Regexp {
			l.Lead = "find regex"
		}
		l.Facts, l.Keys = p.find.count(), []pane.Hint{{Key: "tab", Label: "text or regex"}}
	}
	out, x := l.Draw(w, s)
	return out, &image.Point{X: x, Y: y}
}
