package result

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"patchbay/client/drift"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// driftRecords is how many records a page may hold to be held against the
// catalog as soon as it arrives.
const driftRecords = 5_000

// examine holds the records of a page against the catalog.
func (p *Page) examine(ctx context.Context) {
	if p.Index == nil || p.Action == nil || p.Index.Len() > driftRecords {
		return
	}
	p.drift, _ = examineSet(ctx, p, p.set) // cancelled with the call; the view asks again
}

func examineSet(ctx context.Context, p *Page, set *records.Set) (*drift.Report, error) {
	q := drift.Question{Entity: p.Entity, Action: p.Action, Op: p.Op}
	if p.Kind != nil {
		q.Kind = p.Kind.Name
	}
	return drift.Examine(ctx, set, q, drift.Options{Progress: intent.Report(ctx)})
}

// schemaView shows where the data differs from the catalog.
type schemaView struct {
	base
	scroll pane.Scroll
	n      int
	// report is of all pages loaded, count pages of them, first that of the run.
	report *drift.Report
	count  int
	first  *Page
	// stopped is set when the look at the records was ended before its time.
	stopped bool
}

func (v *schemaView) name() string  { return "Schema" }
func (v *schemaView) scope() string { return "schema" }
func (v *schemaView) fits(p *Pane) bool {
	return p.HasRecords() && p.page().Err == nil && (p.page().Action != nil || p.page().Document != nil)
}

func (v *schemaView) tab(p *Pane) string {
	r := v.current(p)
	if r == nil {
		return "Schema"
	}
	if n := r.Grave(); n > 0 {
		return fmt.Sprintf("Schema %d", n)
	}
	return "Schema"
}

// current is the newest report there is: of all pages, else of the page shown.
func (v *schemaView) current(p *Pane) *drift.Report {
	if v.report != nil && v.first == p.pages[0] && v.count == len(p.pages) {
		return v.report
	}
	return p.page().drift
}

// grown forgets what was found while the page still grew.
func (v *schemaView) grown(*Pane) { v.report, v.first, v.count = nil, nil, 0 }

// Examine holds all pages loaded against the catalog, beside the update loop;
// nil when that is done already.
func (p *Pane) Examine() intent.Intent {
	v, ok := p.current().(*schemaView)
	if !ok || (v.current(p) != nil && len(p.pages) == 1) || (v.first == p.pages[0] && v.count == len(p.pages)) {
		return nil
	}
	set, page, first, count := p.LoadedSet(), p.page(), p.pages[0], len(p.pages)
	v.stopped = false
	return intent.Work{What: "holding the records against the catalog", Undo: func() { v.stopped = true }, Do: func(ctx context.Context) (func() intent.Intent, error) {
		r, err := examineSet(ctx, page, set)
		if err != nil {
			return nil, err
		}
		return func() intent.Intent { v.report, v.first, v.count = r, first, count; return nil }, nil
	}}
}

func (v *schemaView) lines(p *Pane, w, h int, s *style.Styles, _ bool) []string {
	r := v.current(p)
	switch {
	case r == nil && v.stopped:
		return []string{"", " " + s.Muted.Render(text.Truncate("The look at the records was stopped. Leave this view and come back to begin it again.", w-2))}
	case r == nil:
		return []string{"", " " + s.Muted.Render("The records are being held against the catalog.")}
	}
	out, head := reportLines(r, w, p.wrap, s)
	v.n = len(out)
	v.scroll.Height = h
	v.scroll.Wheel(0, v.n)
	from := min(v.scroll.Top, max(len(out)-1, 0))
	window := out[from:min(from+h, len(out))]
	if head >= 0 && from > head && len(window) > 1 {
		// Numbers without the words above them say little.
		window[0] = out[head]
	}
	return window
}

// reportLines are the lines of a report; head is that of the heading over the
// fields, -1 without one.
func reportLines(r *drift.Report, w int, wrap bool, s *style.Styles) (out []string, head int) {
	title := fmt.Sprintf("%s looked at, %d fields", recordsText(r.Records), len(r.Fields))
	switch n := r.Grave(); {
	case r.Unknown:
		title += "; the catalog does not know this record"
	case n == 0:
		title += "; nothing differs from the catalog"
	default:
		title += "; " + text.Count(n, "finding", "findings")
	}
	if n := neverSeen(r); n > 0 {
		title += fmt.Sprintf("; %d not seen in them", n)
	}
	out = []string{" " + s.Strong.Render(text.Truncate(title, w-2))}
	for _, note := range r.Notes {
		out = append(out, wrappedText(" ", text.Sanitize(note), w-1, wrap, s.Muted)...)
	}
	for _, kind := range drift.Kinds() {
		first := true
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Kind != kind {
				continue
			}
			if first {
				out = append(out, "", " "+s.Header.Render(kindHeading(kind, r.Records)))
				first = false
			}
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
func fieldLines(r *drift.Report, w int, s *style.Styles) []string {
	if len(r.Fields) == 0 {
		return nil
	}
	rows := [][4]string{{"field", "seen", "holds", "documented"}}
	for i := range r.Fields {
		f := &r.Fields[i]
		documented := f.Type
		if !f.Known {
			documented = ""
		}
		rows = append(rows, [4]string{text.Sanitize(f.Path), groupDigits(f.Count) + " of " + groupDigits(f.Of), typesText(f.Types), documented})
	}
	var wide [3]int
	for _, row := range rows {
		for k := range wide {
			wide[k] = max(wide[k], text.Width(row[k]))
		}
	}
	wide[0], wide[2] = min(wide[0], max(w*2/5, 10)), min(wide[2], max(w/3, 10))
	out := []string{""}
	for i, row := range rows {
		line := ""
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

// typesText tells how often each JSON type stands in a field, most often first.
func typesText(types map[string]int) string {
	names := slices.SortedFunc(maps.Keys(types), func(a, b string) int {
		return cmp.Or(cmp.Compare(types[b], types[a]), strings.Compare(a, b))
	})
	for i, name := range names {
		if len(names) > 1 {
			names[i] = name + " " + groupDigits(types[name])
		}
	}
	return strings.Join(names, ", ")
}

func kindHeading(kind drift.Kind, looked int) string {
	if kind == drift.NeverSeen {
		return "never seen in " + recordsText(looked)
	}
	return string(kind)
}

// neverSeen counts the fields that no record looked at has: no drift, as others may have them.
func neverSeen(r *drift.Report) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Kind == drift.NeverSeen {
			n++
		}
	}
	return n
}

func recordsText(n int) string { return text.Count(n, "record", "records") }

func findingLines(f *drift.Finding, w int, wrap bool, s *style.Styles) []string {
	st := s.Warning
	if f.Mild {
		st = s.Muted
	}
	path := text.Sanitize(f.Path)
	if f.Wire != "" {
		path += " (" + text.Sanitize(f.Wire) + ")"
	}
	path = text.Truncate(path, max(w/2, 10))
	t := fmt.Sprintf("  %s of %s", groupDigits(f.Count), groupDigits(f.Of))
	if f.Expected != "" {
		t += ", documented " + f.Expected
	}
	if f.Found != "" {
		t += ", found " + f.Found
	}
	if f.Note != "" {
		t += "; " + f.Note
	}
	t = text.Sanitize(t)
	out := []string{"   " + st.Render(path) + s.Text.Render(text.Truncate(t, max(w-4-text.Width(path), 0)))}
	if wrap && text.Width(path+t) > w-4 {
		out = []string{"   " + st.Render(path)}
		out = append(out, wrappedText("     ", strings.TrimSpace(t), w-1, wrap, s.Text)...)
	}
	if len(f.Examples) > 0 {
		e := f.Examples[0]
		out = append(out, wrappedText("     ", text.Sanitize(e.Path+"  "+e.Value), w-1, wrap, s.Muted)...)
	}
	return out
}

func (v *schemaView) move(_ *Pane, _, dy int) { v.scroll.Wheel(dy, v.n) }

func (v *schemaView) where(p *Pane) string {
	if r := v.current(p); r != nil {
		return recordsText(r.Records) + " looked at"
	}
	return ""
}

func (v *schemaView) copies(p *Pane) []CopyOption {
	r := v.current(p)
	if r == nil {
		return nil
	}
	return []CopyOption{
		{Title: "Findings as Markdown", What: "findings", Text: func(context.Context) (string, error) {
			var b bytes.Buffer
			err := r.WriteMarkdown(&b)
			return b.String(), err
		}},
		{Title: "Findings as JSON", What: "findings", Text: func(context.Context) (string, error) {
			var b bytes.Buffer
			err := r.WriteJSON(&b)
			return b.String(), err
		}},
	}
}
