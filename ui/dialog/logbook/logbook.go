// Package logbook is the feature that keeps what the program did and said, in
// groups, and opens the answers of past requests again. It imports no other
// feature and not the root, which adds the lines.
package logbook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"patchbay/client/answer"
	"patchbay/client/history"
	"patchbay/client/quantity"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// groups are the groups of the log: their names, and what to say while one is empty.
var groups = []struct{ group, name, empty string }{
	{"", "everything", "Nothing happened yet."},
	{intent.LogCall, "requests", "No request was sent yet. r sends the one in the form."},
	{intent.LogCopy, "copies", "Nothing was copied yet. y copies what is under the cursor, Y the call."},
	{intent.LogFile, "files", "No file was written yet. E writes records, the body or findings."},
	{intent.LogSetting, "settings", "No setting was changed yet. T chooses a theme, M releases the mouse."},
	{intent.LogNote, "notes", "There was nothing else to tell yet."},
	{intent.LogProblem, "problems", "There was no problem."},
}

// What the log keeps at most: lines, bytes of one line, bytes of all answers.
const (
	kept        = 500
	longest     = 16 << 10
	keptAnswers = 64_000_000
)

// logLine is one line of the log; page is the answer of a request, past whether the
// history has it too, and dropped says why there is no answer any more, outcome how the request ended.
type logLine struct {
	at                   time.Time
	group, text, dropped string
	page                 *answer.Page
	past                 bool
	outcome              style.Outcome
}

// Feature is the log, its oldest line first.
type Feature struct {
	dialog.Host
	// History is set where runs are kept in the history.
	History bool
	entries []logLine
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "log", After: "theme", In: action.InAny, Keys: []string{"L"}, Label: "log",
		Help: "Show what the program did", Do: f.open}}
}

// Add keeps a line of the log, or that of a request, whose answer can be opened again.
func (f *Feature) Add(in intent.Log) {
	e := logLine{at: f.Now(), group: cmp.Or(in.Group, intent.LogNote), text: in.Text, page: in.Page,
		past: f.History && !f.Session().NoHistory}
	if e.group == intent.LogProblem {
		e.outcome = style.Refused
	}
	if e.page != nil {
		e.group, e.text, e.outcome = intent.LogCall, e.page.Headline(), response.OutcomeOf(e.page)
	}
	if len(e.text) > longest {
		e.text = strings.ToValidUTF8(e.text[:longest], "") + "…"
	}
	e.text = string(text.Sanitize(e.text)) // it is copied too
	f.entries = append(f.entries, e)
	if n := len(f.entries); n > kept {
		f.entries = slices.Delete(f.entries, 0, n-kept)
	}
	f.lighten()
}

// lighten drops the oldest answers where all of them take too much memory; the newest
// one, which is on the screen, stays.
func (f *Feature) lighten() {
	held := 0
	for i, e := range slices.Backward(f.entries) {
		first := held == 0
		if held += e.page.Weight(); e.page == nil || first || held <= keptAnswers {
			continue
		}
		why := "The answer is no longer held: those of the log take at most " +
			quantity.Size(keptAnswers) + ", and this one was the oldest."
		if e.past {
			why += " The history (H) keeps the run, and the answer up to " + quantity.Size(history.MaxBody) + "."
		}
		f.entries[i].page, f.entries[i].dropped = nil, why
	}
}

// items are the lines of a group, newest first.
func (f *Feature) items(group string) []overlay.Item {
	var out []overlay.Item
	for _, e := range slices.Backward(f.entries) {
		if group == "" || e.group == group {
			title := fmt.Sprintf("%s  %-*s  %s", e.at.Format("15:04:05"), len(intent.LogProblem), e.group, e.text)
			if e.dropped != "" {
				title += " · answer no longer held"
			}
			out = append(out, overlay.Item{Title: title, Value: e, Outcome: e.outcome})
		}
	}
	return out
}

// open lists what the program did, one group of it at a time.
func (f *Feature) open() intent.Intent {
	l, at := &overlay.List{Wide: true, Help: "tab next group · enter opens · esc closes", Choose: reopen}, 0
	turn := func(d int) intent.Intent {
		return intent.Then{F: func() intent.Intent {
			at = (at + d + len(groups)) % len(groups)
			g := groups[at]
			l.Heading, l.Empty = "Log: "+g.name, g.empty
			items := f.items(g.group)
			if len(items) > 0 {
				l.Empty = "" // what is typed matches nothing
			}
			l.Source = overlay.Static(items)
			l.Refresh()
			return nil
		}}
	}
	l.Keys = map[string]intent.Intent{"tab": turn(1), "shift+tab": turn(-1)}
	return intent.All{turn(0), intent.Push{Overlay: l}}
}

// reopen shows the answer of a request again, or a line in full.
func reopen(it overlay.Item) intent.Intent {
	e := it.Value.(logLine)
	if e.page != nil {
		return intent.ShowPage{Page: e.page}
	}
	when := overlay.Line{Text: e.at.Format("2 January 2006, 15:04:05"), Tone: overlay.Dim}
	body := []overlay.Line{when, {}, {Text: e.text}}
	if e.dropped != "" {
		body = append(body, overlay.Line{}, overlay.Line{Text: e.dropped, Tone: overlay.Dim})
	}
	return intent.Push{Overlay: &overlay.Reader{Heading: "Log: " + e.group, Body: body, CopyText: e.text,
		CopyWhat: "line of the log"}}
}
