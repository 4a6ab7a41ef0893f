package result

import (
	"context"
	"fmt"

	"patchbay/catalog"
	"patchbay/client/diff"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// DiffLine is one line of a comparison: Sign is "+", "-", "~", "!" on a warning, or empty on headings.
type DiffLine struct{ Sign, Text string }

// DiffChoice is something that can be compared here.
type DiffChoice struct {
	Title, Detail, Disabled string
	// Do compares beside the update loop.
	Do func(ctx context.Context) (title string, lines []DiffLine, err error)
}

// Diffs lists what can be compared: marked records, neighbours, pages, runs.
func (p *Pane) Diffs() []DiffChoice {
	return []DiffChoice{p.diffMarked(), p.diffPrevious(), p.diffPages(), p.diffRuns()}
}

func (p *Pane) fields() []catalog.Field {
	if p.entity == nil {
		return nil
	}
	return p.entity.RecordOf(p.action)
}

func (p *Pane) diffMarked() DiffChoice {
	c := DiffChoice{Title: "The two marked records", Detail: "What the second has otherwise than the first."}
	if n := p.markCount(); n != 2 {
		c.Disabled = fmt.Sprintf("mark exactly two rows with space first, also on different pages; marked now: %d", n)
		return c
	}
	set, rows := p.markedRows()
	a, b := int(rows[0]), int(rows[1])
	c.Do = p.twoRecords("Row "+p.rowNumber(set, b)+" against row "+p.rowNumber(set, a), set.Record(a), set.Record(b))
	return c
}

func (p *Pane) diffPrevious() DiffChoice {
	c := DiffChoice{Title: "This record and the one above it", Detail: "What this record has otherwise than the row above."}
	v := p.tableView()
	if v == nil || !v.fits(p) || v.scroll.Cursor < 1 || v.scroll.Cursor >= v.count() {
		c.Disabled = "the cursor of the table is on the first row"
		return c
	}
	at := v.scroll.Cursor
	c.Do = p.twoRecords(fmt.Sprintf("Line %s against line %s", groupDigits(at+1), groupDigits(at)), v.set.Record(v.rowAt(at-1)), v.set.Record(v.rowAt(at)))
	return c
}

func (p *Pane) twoRecords(title string, a, b rawjson.Node) func(context.Context) (string, []DiffLine, error) {
	fields := p.fields()
	return func(ctx context.Context) (string, []DiffLine, error) {
		r, err := diff.Diff(ctx, a, b, diff.Options{Fields: fields})
		if err != nil {
			return "", nil, err
		}
		if len(r.Changes) == 0 {
			return title, []DiffLine{{Text: "Both records are the same."}}, nil
		}
		return title, changeLines(r), nil
	}
}

var signs = map[diff.Kind]string{diff.Added: "+", diff.Removed: "-", diff.Changed: "~"}

func changeLines(r diff.Result) []DiffLine {
	var out []DiffLine
	for _, c := range r.Changes {
		path := text.Sanitize(c.Path.Dotted())
		switch c.Kind {
		case diff.Added:
			out = append(out, DiffLine{"+", path + ": " + diffValue(c.B)})
		case diff.Removed:
			out = append(out, DiffLine{"-", path + ": " + diffValue(c.A)})
		default:
			out = append(out, changeLine(path, diffValue(c.A), diffValue(c.B))...)
		}
	}
	if r.More {
		out = append(out, DiffLine{Text: "More differences are not listed."})
	}
	return out
}

// beside is how wide two values may be to stand in one line.
const beside = 80

// changeLine tells of a change in one line, or with long values below each
// other, where the eye finds what differs.
func changeLine(path, a, b string) []DiffLine {
	if text.Width(a)+text.Width(b) <= beside {
		return []DiffLine{{"~", path + ": " + a + " → " + b}}
	}
	return []DiffLine{{"~", path + ":"}, {"-", "  " + a}, {"+", "  " + b}}
}

func diffValue(n rawjson.Node) string {
	b, more := n.AppendCompact(nil, 300)
	t := text.Sanitize(string(b))
	if more {
		t += text.Ellipsis
	}
	return t
}

func (p *Pane) diffPages() DiffChoice {
	c := DiffChoice{Title: "This page and the page before", Detail: "Records by their key: only here, only there, differing."}
	at := p.cur
	if v, ok := p.current().(*pagesView); ok {
		at = min(v.scroll.Cursor, len(p.pages)-1)
	}
	switch {
	case p.page().Document != nil:
		c.Disabled = "this has no pages"
	case at < 1 || p.pages[at].Index == nil || p.pages[at-1].Index == nil:
		c.Disabled = "there is no page before this one"
	}
	if c.Disabled != "" {
		return c
	}
	c.Do = p.twoSets(fmt.Sprintf("Page %d against page %d", at+1, at), p.pages[at-1].set, p.pages[at].set)
	return c
}

func (p *Pane) diffRuns() DiffChoice {
	c := DiffChoice{Title: "This run and the run before", Detail: "All pages of both, records by their key."}
	switch {
	case p.page().Document != nil:
		c.Disabled = "this is no run of an action"
	case len(p.before) == 0 || p.pages[0].Action != p.before[0].Action:
		c.Disabled = "this action was run only once since the start; a run from the history can be chosen instead"
	}
	if c.Disabled != "" {
		return c
	}
	before := &records.Set{}
	for _, page := range p.before {
		if page.Index != nil {
			before.Add(records.Page{Index: page.Index, Names: page.names()})
		}
	}
	c.Do = noting(unlike(len(p.pages), len(p.before)), p.twoSets("This run against the run before", before, p.LoadedSet()))
	return c
}

// unlike says that more pages of one run are loaded than of the other, where
// what is told to be added or removed may only not be loaded.
func unlike(now, before int) string {
	if now == before {
		return ""
	}
	as := "added"
	if now < before {
		as = "removed"
	}
	return fmt.Sprintf("Loaded are %s of this run and %d of the run before: what only the longer one holds counts as %s.", text.Count(now, "page", "pages"), before, as)
}

// noting puts a note above what a comparison tells.
func noting(note string, compare func(context.Context) (string, []DiffLine, error)) func(context.Context) (string, []DiffLine, error) {
	if note == "" {
		return compare
	}
	return func(ctx context.Context) (string, []DiffLine, error) {
		title, lines, err := compare(ctx)
		return title, append([]DiffLine{{"!", note}}, lines...), err
	}
}

// DiffWith returns what compares another answer of the same entity, as the
// earlier one, with all pages loaded now. It is run once, beside the update loop.
func (p *Pane) DiffWith(title string) func(ctx context.Context, earlier *Page) (string, []DiffLine, error) {
	before := &records.Set{}
	compare := p.twoSets(title, before, p.LoadedSet())
	loaded := len(p.pages)
	return func(ctx context.Context, earlier *Page) (string, []DiffLine, error) {
		if earlier.Index != nil {
			before.Add(records.Page{Index: earlier.Index, Names: earlier.names()})
		}
		return noting(unlike(loaded, 1), compare)(ctx)
	}
}

func (p *Pane) twoSets(title string, a, b *records.Set) func(context.Context) (string, []DiffLine, error) {
	o := diff.SetOptions{Options: diff.Options{Fields: p.fields()}}
	if p.entity != nil {
		o.Key = p.entity.Key
	}
	return func(ctx context.Context) (string, []DiffLine, error) {
		r, err := diff.Sets(ctx, a, b, o, intent.Report(ctx))
		if err != nil {
			return "", nil, err
		}
		out := []DiffLine{{Text: fmt.Sprintf("%d the same, %d added, %d removed, %d changed; records are paired by %s", r.Same, r.Added, r.Removed, r.Changed, pairedBy(r.Join))}}
		for _, pair := range r.Pairs {
			out = append(out, DiffLine{signs[pair.Kind()], text.Sanitize(pair.Key)})
			if pair.Kind() == diff.Changed {
				for _, l := range changeLines(pair.Result) {
					out = append(out, DiffLine{l.Sign, "    " + l.Text})
				}
			}
			if len(out) > diffLinesMax {
				return title, append(out, DiffLine{Text: "More differences are not listed."}), nil
			}
		}
		return title, out, nil
	}
}

// diffLinesMax bounds how much of a comparison is listed.
const diffLinesMax = 5_000

func pairedBy(j *diff.Join) string {
	if j.By == "key" {
		return text.Sanitize(j.Key)
	}
	return "their place"
}
