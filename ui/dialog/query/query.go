// Package query is the feature that asks what is loaded with jq: a line to type a
// program, with a live preview of its results. What a program does is client/jq,
// what it is fed is for the response to say. It imports no other dialog and not
// the root.
package query

import (
	"cmp"
	"context"
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/answer"
	"patchbay/client/profile"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// pause is how long the typing must rest before the preview runs.
const pause = 120 * time.Millisecond

// Feature is the queries. Use New.
type Feature struct {
	dialog.Host
	// programs were run, oldest first, also before this start; last is what the line
	// begins with.
	programs []string
	last     string
}

// New returns the feature.
func New(h dialog.Host) *Feature { return &Feature{Host: h, programs: h.Settings().Queries, last: "."} }

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "response.query", After: "response.export", In: action.InResponse, Keys: []string{"|"},
		Label: "jq", Help: "Ask what is loaded with jq, with a live preview", Footer: 9,
		Disabled: func() string { return f.Response().NoAnswer() }, Do: func() intent.Intent { return f.open("") }}}
}

// Commands implements dialog.Commander.
func (f *Feature) Commands() []dialog.Command {
	return []dialog.Command{{Name: "jq", About: "PROGRAM", Help: "Type a jq program over what is loaded", Do: f.open,
		Check: func(string) string {
			return action.Reason(!f.Response().HasAnswer(), "there is no answer to ask; r runs the request")
		}}}
}

// open opens the line with a program; an empty one stands for the last.
func (f *Feature) open(program string) intent.Intent {
	f.last = cmp.Or(program, f.last)
	l := &programLine{f: f, field: input.New(""), badAt: -1}
	l.field.Offer(f.last)
	return intent.All{intent.Push{Overlay: l}, l.changed()}
}

// keep remembers a program, also for the next start unless nothing of this
// session is to be kept.
func (f *Feature) keep(program string) intent.Intent {
	f.last = program
	f.programs = profile.WithNewest(f.programs, program)
	if f.Session().NoHistory {
		return nil
	}
	f.Settings().Queries = f.programs
	return intent.SaveSettings{}
}

// programLine is the open line for a program.
type programLine struct {
	overlay.Base
	f      *Feature
	field  *input.Field
	bodies bool

	lines []string
	note  string
	// bad is what is wrong with the program, badAt where; -1 when unknown.
	bad   string
	badAt int
	back  int // how far up the history
	// keys complete the name at the cursor.
	keys keys
}

// Title implements overlay.Overlay.
func (l *programLine) Title() string {
	return "jq over " + l.f.Response().Feed(l.query()).Words()
}

func (l *programLine) query() answer.Query {
	return answer.Query{Program: l.field.Value(), Bodies: l.bodies}
}

// Facts implements overlay.Overlay.
func (l *programLine) Facts() string { return "keys of objects come sorted" }

// Hints implements overlay.Overlay.
func (l *programLine) Hints() string {
	return "enter opens the results · tab completes a key · ctrl+t records or answers · " +
		"↑↓ earlier queries · esc closes"
}

// Want implements overlay.Overlay.
func (l *programLine) Want(w, h int) (int, int) { return min(w, 120), h * 2 / 3 }

// Key implements overlay.Overlay.
func (l *programLine) Key(msg tea.KeyPressMsg) intent.Intent {
	switch msg.String() {
	case "esc":
		return intent.All{intent.Stop{Lane: intent.Typing}, intent.Close{}}
	case "enter":
		if l.bad != "" {
			return nil
		}
		return intent.All{intent.Stop{Lane: intent.Typing}, intent.Close{},
			l.f.Response().Run(l.query()), l.f.keep(l.field.Value())}
	case "tab":
		return l.complete(1)
	case "shift+tab":
		return l.complete(-1)
	case "ctrl+t":
		l.bodies, l.keys = !l.bodies, keys{}
		return l.changed()
	case "up":
		return l.recall(1)
	case "down":
		return l.recall(-1)
	}
	before, _ := l.field.Split()
	changed := l.field.Key(msg)
	if now, _ := l.field.Split(); now != before {
		l.keys = keys{}
	}
	if changed {
		l.back = 0
		return l.changed()
	}
	return nil
}

func (l *programLine) recall(d int) intent.Intent {
	n := len(l.f.programs)
	if l.back+d < 1 || l.back+d > n {
		return nil
	}
	l.back += d
	l.keys = keys{}
	l.field.Set(l.f.programs[n-l.back])
	return l.changed()
}

// changed checks the program and runs the beginning of it once the typing rests.
func (l *programLine) changed() intent.Intent {
	l.badAt, l.bad = response.QueryError(l.field.Value())
	if l.bad != "" {
		return intent.Stop{Lane: intent.Typing}
	}
	feed := l.f.Response().Feed(l.query())
	return intent.Task{Lane: intent.Typing, After: pause, Do: func(ctx context.Context) (func() intent.Intent, error) {
		lines, note, err := feed.Preview(ctx)
		if err != nil {
			lines, note = nil, err.Error()
		}
		return func() intent.Intent { l.lines, l.note = lines, note; return nil }, nil
	}}
}

// Paste implements overlay.Overlay.
func (l *programLine) Paste(s string) intent.Intent {
	l.field.Paste(s)
	l.keys = keys{}
	return l.changed()
}

// TextField is the field that is typed into.
func (l *programLine) TextField() *input.Field { return l.field }

// Fit implements overlay.Overlay.
func (l *programLine) Fit(w, _ int) { l.field.Fit(w - 2) }

// Draw implements overlay.Overlay.
func (l *programLine) Draw(w, h int, s *style.Styles) ([]text.Safe, *image.Point) {
	typed, x := l.field.Draw(w-2, s)
	out := []text.Safe{s.Key.Render("| ") + typed}
	out = append(out, l.keys.lines(w, s)...)
	said, look := text.WrapTo(text.Sanitize(l.note), w, wordLines), s.Muted
	if l.bad != "" {
		said, look = l.wrong(w), s.Error
	}
	for _, t := range said {
		out = append(out, look.Render(t))
	}
	for _, t := range l.lines {
		out = append(out, s.JSON(text.Truncate(s.Data(text.Sanitize(t)), w)))
	}
	return out[:min(len(out), max(h, 0))], &image.Point{X: 2 + x}
}

// wordLines is how many lines the words about a program may take.
const wordLines = 4

// wrong says what is wrong with the program, behind a mark below the place where
// there is room for both.
func (l *programLine) wrong(w int) []text.Safe {
	bad, mark := text.Sanitize(l.bad), text.Spaces(l.badAt+2)+"^"
	if at := l.badAt + 4; l.badAt >= 0 && at+text.Width(bad) <= w {
		return []text.Safe{mark + " " + bad}
	} else if l.badAt >= 0 && at <= w {
		return append([]text.Safe{mark}, text.WrapTo(bad, w, wordLines)...)
	}
	return text.WrapTo(bad, w, wordLines)
}
