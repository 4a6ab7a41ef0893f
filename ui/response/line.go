package response

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/records"
	"patchbay/ui/input"
	"patchbay/ui/intent"
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
	what, how := "rows", modeWords[t.mode][0]
	switch {
	case t.column != "":
		what = t.column
	case t.shown:
		what = "columns shown"
	}
	if t.invert {
		how = modeWords[t.mode][1]
	}
	return what + " " + how
}

// marks reports whether a cell that a terminal shows holds the text that rows are
// filtered by.
func (t terms) marks(cell text.Safe) bool {
	return t.text != "" && !t.invert && t.mode == records.Contains &&
		strings.Contains(strings.ToLower(string(cell)), strings.ToLower(t.text))
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
		l.was = v.terms
	case seeker:
		l.was, l.offset = p.find.terms, v.offset(p.Input)
	}
	l.terms, l.field = l.was, input.New(l.was.text)
	p.line = l
}

// Typing reports whether a filter or a search is being typed.
func (p *Pane) Typing() bool { return p.line != nil }

// TextField is the field that is typed into; nil while none is.
func (p *Pane) TextField() *input.Field {
	if p.line == nil {
		return nil
	}
	return p.line.field
}

// EndTyping ends the typing and keeps what was typed.
func (p *Pane) EndTyping() intent.Intent {
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
		v.goTo(p.Input, l.offset)
		p.follow()
	}
	if l.applied == 0 {
		return nil
	}
	return p.apply(l.was)
}

// Key handles a key while a filter or a search is typed.
func (p *Pane) Key(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "enter":
		return p.EndTyping()
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
		if _, table := p.view.(*tableView); table {
			p.line.invert = !p.line.invert
			return p.lineChanged()
		}
	case "ctrl+t":
		return p.turnColumn()
	default:
		if p.line.field.Key(msg) {
			return p.lineChanged()
		}
	}
	return nil
}

// Paste puts pasted text into the line.
func (p *Pane) Paste(s string) intent.Intent {
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
			l.bad = err.Error()
			if _, why, ok := strings.Cut(l.bad, "parsing regexp: "); ok {
				l.bad = "not a pattern: " + why // the expression stands beside
			}
			return nil
		}
	}
	seq := l.seq
	return intent.Task{Lane: intent.Typing, After: typingPause,
		Do: func(context.Context) (func() intent.Intent, error) {
			return func() intent.Intent {
				if p.line != l || l.seq != seq || l.applied == seq || !p.HasAnswer() {
					return nil // more was typed since
				}
				l.applied = seq
				return p.apply(l.terms)
			}, nil
		}}
}

// typingPause is how long the typing must rest before rows are filtered.
const typingPause = 80 * time.Millisecond

// Find filters the rows of the table by a text, or searches it in the other
// views; "" ends that.
func (p *Pane) Find(text string) intent.Intent { return p.apply(terms{text: text}) }

// apply filters the rows of the table, or searches in the other views.
func (p *Pane) apply(t terms) intent.Intent {
	v := p.current()
	if _, table := v.(*tableView); table {
		return p.filterBy(t)
	}
	p.find = finder{terms: t}
	if v, ok := v.(seeker); ok {
		return p.seek(v)
	}
	return nil
}

// stepHit goes to another row that passed, or to another hit.
func (p *Pane) stepHit(d int) intent.Intent {
	if _, ok := p.view.(seeker); ok && p.find.found && len(p.find.hits) > 0 {
		return p.NextHit(d)
	}
	p.Move(0, d)
	return nil
}

// turnMode goes to another of the ways to compare that the view offers.
func (p *Pane) turnMode(d int) intent.Intent {
	modes := []records.Mode{records.Contains, records.Regexp}
	if _, table := p.view.(*tableView); table {
		modes = append(modes, records.Fuzzy, records.Equals)
	}
	if p.line.column != "" {
		modes = append(modes, records.InState) // what is missing is missing in one column
	}
	at := slices.Index(modes, p.line.mode)
	p.line.mode = modes[(at+d+len(modes))%len(modes)]
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
		l.column = v.column()
	}
	return p.lineChanged()
}

// TypingHints are the keys that work while a filter or a search is typed.
func (p *Pane) TypingHints() []input.Hint {
	l := p.line
	out := []input.Hint{{Key: "enter", Label: "keep"}, {Key: "esc", Label: "drop"}}
	if l.was.text != "" {
		out[1].Label = "as before"
	}
	v := p.onTable()
	if v == nil {
		return append(out, input.Hint{Key: "up down", Label: "hits"}, input.Hint{Key: "tab", Label: "text or regex"})
	}
	not, column := "without", "only "+v.column()
	if l.invert {
		not = "with"
	}
	switch {
	case l.column != "":
		column = "columns shown"
	case l.shown:
		column = "any field"
	}
	return append(out, input.Hint{Key: "up down", Label: "rows"},
		input.Hint{Key: "tab", Label: "text, regex, fuzzy, equal"}, input.Hint{Key: "ctrl+n", Label: not},
		input.Hint{Key: "ctrl+t", Label: column})
}

// bar is the line as it is drawn.
func (p *Pane) bar() input.Bar {
	b := input.Bar{Field: p.line.field, Lead: "find", Bad: p.line.bad}
	v, table := p.view.(*tableView)
	if !table {
		if p.line.mode == records.Regexp {
			b.Lead = "find regex"
		}
		b.Facts, b.Keys = p.find.count(), []input.Hint{{Key: "tab", Label: "text or regex"}}
		return b
	}
	b.Lead, b.Facts = p.line.lead(), answer.Rows(v.set.Len())
	if v.filtered() {
		_, b.Facts = v.chip()
	}
	b.Facts += v.loaded()
	if n := len(v.under); n > 0 {
		b.Facts += " · after " + quantity.Count(n, "filter", "filters")
	}
	b.Keys = []input.Hint{{Key: "tab", Label: "mode"}, {Key: "ctrl+n", Label: "not"}, {Key: "ctrl+t", Label: "column"}}
	return b
}
