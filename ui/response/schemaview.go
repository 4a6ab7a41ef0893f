package response

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"patchbay/client/answer"
	"patchbay/client/drift"
	"patchbay/client/quantity"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// schemaView shows where the data differs from the catalog.
type schemaView struct {
	base
	sheet
	// report is of all pages loaded, count pages of them, first that of the run.
	report *drift.Report
	count  int
	first  *answer.Page
	// stopped is set when the look at the records was ended before its time.
	stopped bool
}

func (v *schemaView) fits(in Input) bool {
	return in.HasRecords() && in.Page().Err == nil && (in.Page().Action != nil || in.Page().Document != nil)
}

func (v *schemaView) tab(in Input) text.Safe {
	if r := v.current(in); r != nil && r.Grave() > 0 {
		return text.Sprintf("Schema %d", r.Grave())
	}
	return v.title
}

// current is the newest report there is: of all pages, else of the page shown.
func (v *schemaView) current(in Input) *drift.Report {
	if v.report != nil && v.first == in.pages[0] && v.count == len(in.pages) {
		return v.report
	}
	return in.Page().Drift
}

// grown forgets what was found while the page still grew.
func (v *schemaView) grown(Input) { v.report, v.first, v.count = nil, nil, 0 }

// Examine holds all pages loaded against the catalog, beside the update loop;
// nil when that is done already.
func (p *Pane) Examine() intent.Intent {
	v, ok := p.current().(*schemaView)
	if !ok || (v.current(p.Input) != nil && len(p.pages) == 1) || (v.first == p.pages[0] && v.count == len(p.pages)) {
		return nil
	}
	set, page, first, count := answer.SetOf(p.pages), p.Page(), p.pages[0], len(p.pages)
	v.stopped = false
	work := intent.Work("holding the records against the catalog", func(ctx context.Context) (*drift.Report, error) {
		return page.Examine(ctx, set, intent.Report(ctx))
	}, func(r *drift.Report) intent.Intent { v.report, v.first, v.count = r, first, count; return nil })
	work.Undo = func() { v.stopped = true }
	return work
}

func (v *schemaView) fit(in Input, w, h int) {
	if r := v.current(in); r != nil {
		out, _ := reportLines(r, w, in.wrap, plain)
		v.keep(len(out), h)
	}
}

func (v *schemaView) lines(in Input, w, h int, s *style.Styles, _ bool) []text.Safe {
	r := v.current(in)
	if r == nil {
		what := text.Safe("The records are being held against the catalog.")
		if v.stopped {
			what = "The look at the records was stopped. Leave this view and come back to begin it again."
		}
		return []text.Safe{"", " " + s.Muted.Render(text.Truncate(what, w-2))}
	}
	out, head := reportLines(r, w, in.wrap, s)
	window := v.window(out, h)
	if head >= 0 && v.scroll.Top > head && len(window) > 1 {
		// Numbers without the words above them say little.
		window[0] = out[head]
	}
	return window
}

// reportLines are the lines of a report; head is that of the heading over the
// fields, -1 without one.
func reportLines(r *drift.Report, w int, wrap bool, s *style.Styles) (out []text.Safe, head int) {
	found := map[drift.Kind][]*drift.Finding{}
	for i := range r.Findings {
		f := &r.Findings[i]
		found[f.Kind] = append(found[f.Kind], f)
	}
	title := fmt.Sprintf("%s looked at, %d fields", recordsText(r.Records), len(r.Fields))
	switch n := r.Grave(); {
	case r.Unknown:
		title += "; the catalog does not know this record"
	case n == 0:
		title += "; nothing differs from the catalog"
	default:
		title += "; " + quantity.Count(n, "finding", "findings")
	}
	if n := len(found[drift.NeverSeen]); n > 0 { // no drift: other records may have them
		title += fmt.Sprintf("; %d not seen in them", n)
	}
	out = []text.Safe{" " + s.Strong.Render(text.Truncate(text.Sanitize(title), w-2))}
	for _, note := range r.Notes {
		out = append(out, wrappedText(" ", note, w-1, wrap, s.Muted)...)
	}
	for _, kind := range drift.Kinds() {
		heading := string(kind)
		if kind == drift.NeverSeen {
			heading = "never seen in " + recordsText(r.Records)
		}
		if len(found[kind]) > 0 {
			out = append(out, "", " "+s.Header.Render(text.Sanitize(heading)))
		}
		for _, f := range found[kind] {
			out = append(out, findingLines(f, w, wrap, s)...)
		}
	}
	fields := fieldLines(r, w, s)
	if len(fields) == 0 {
		return out, -1
	}
	return append(out, fields...), len(out) + 1
}

// fieldLines list every field that was looked at: where it stands, how often it
// is there, what it holds, what the catalog says. A blank line stands above them.
func fieldLines(r *drift.Report, w int, s *style.Styles) []text.Safe {
	if len(r.Fields) == 0 {
		return nil
	}
	rows := [][4]text.Safe{{"field", "seen", "holds", "documented"}}
	for i := range r.Fields {
		f := &r.Fields[i]
		var documented text.Safe
		if f.Known {
			documented = text.Sanitize(f.Type)
		}
		rows = append(rows, [4]text.Safe{text.Sanitize(f.Path), text.Digits(f.Count) + " of " + text.Digits(f.Of),
			text.Sanitize(typesText(f.Types)), documented})
	}
	var wide [3]int
	for _, row := range rows {
		for k := range wide {
			wide[k] = max(wide[k], text.Width(row[k]))
		}
	}
	wide[0], wide[2] = min(wide[0], max(w*2/5, 10)), min(wide[2], max(w/3, 10))
	out := []text.Safe{""}
	for i, row := range rows {
		var line text.Safe
		for k := range wide {
			line += text.Pad(text.Truncate(row[k], wide[k]), wide[k]) + "  "
		}
		line = text.Truncate(line+row[3], max(w-2, 0))
		st := s.Text
		if i == 0 {
			st = s.Header
		}
		out = append(out, " "+st.Render(line))
	}
	return out
}

// typesText says how often each JSON type stands in a field, most often first.
func typesText(types map[string]int) string {
	names := slices.SortedFunc(maps.Keys(types), func(a, b string) int {
		return cmp.Or(cmp.Compare(types[b], types[a]), strings.Compare(a, b))
	})
	for i, name := range names {
		if len(names) > 1 {
			names[i] = name + " " + quantity.Digits(types[name])
		}
	}
	return strings.Join(names, ", ")
}

func recordsText(n int) string { return quantity.Count(n, "record", "records") }

func findingLines(f *drift.Finding, w int, wrap bool, s *style.Styles) []text.Safe {
	st := s.Warning
	if f.Mild {
		st = s.Muted
	}
	named := f.Path
	if f.Wire != "" {
		named += " (" + f.Wire + ")"
	}
	path := text.Truncate(text.Sanitize(named), max(w/2, 10))
	t := quantity.Digits(f.Count) + " of " + quantity.Digits(f.Of)
	if f.Expected != "" {
		t += ", documented " + f.Expected
	}
	if f.Found != "" {
		t += ", found " + f.Found
	}
	if f.Note != "" {
		t += "; " + f.Note
	}
	tail := "  " + text.Sanitize(t)
	out := []text.Safe{"   " + st.Render(path) + s.Text.Render(text.Truncate(tail, max(w-4-text.Width(path), 0)))}
	if wrap && text.Width(path+tail) > w-4 {
		out = append([]text.Safe{"   " + st.Render(path)}, wrappedText("     ", t, w-1, wrap, s.Text)...)
	}
	if len(f.Examples) > 0 {
		e := f.Examples[0]
		out = append(out, wrappedText("     ", e.Path+"  "+e.Value, w-1, wrap, s.Muted)...)
	}
	return out
}

func (v *schemaView) where(in Input) text.Safe {
	if r := v.current(in); r != nil {
		return text.Count(r.Records, "record", "records") + " looked at"
	}
	return ""
}

func (v *schemaView) copies(Input) []CopyOption { return nil }

func (v *schemaView) exports(in Input) []Export {
	r := v.current(in)
	if r == nil {
		return nil
	}
	return []Export{
		{Title: "Findings as Markdown", What: "findings", File: "findings.md",
			Write: func(_ context.Context, w io.Writer) error { return r.WriteMarkdown(w) }},
		{Title: "Findings as JSON", What: "findings", File: "findings.json",
			Write: func(_ context.Context, w io.Writer) error { return r.WriteJSON(w) }},
	}
}
