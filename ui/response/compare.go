package response

import (
	"context"
	"fmt"

	"patchbay/client/answer"
	"patchbay/client/diff"
	"patchbay/client/quantity"
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
	Do comparison
}

type comparison func(context.Context) (title string, lines []DiffLine, err error)

// Diffs lists what can be compared: marked records, neighbours, pages, runs.
func (p *Pane) Diffs() []DiffChoice {
	var out []DiffChoice
	put := func(title, detail string, of func() (do comparison, disabled string)) {
		do, disabled := of()
		out = append(out, DiffChoice{Title: title, Detail: detail, Disabled: disabled, Do: do})
	}
	put("The two marked records", "What the second has otherwise than the first.", p.diffMarked)
	put("This record and the one above it", "What this record has otherwise than the row above.", p.diffPrevious)
	put("This page and the page before", "Records by their key: only here, only there, differing.", p.diffPages)
	put("This run and the run before", "All pages of both, records by their key.", p.diffRuns)
	return out
}

func (p *Pane) diffMarked() (do comparison, disabled string) {
	if n := p.markCount(); n != 2 {
		return nil, fmt.Sprintf("mark exactly two rows with space first, also on different pages; marked now: %d", n)
	}
	set, rows := p.markedRows()
	a, b := int(rows[0]), int(rows[1])
	return twoRecords("Row "+p.rowNumber(set, b)+" against row "+p.rowNumber(set, a), set.Record(a), set.Record(b),
		p.diffOptions()), ""
}

func (p *Pane) diffPrevious() (do comparison, disabled string) {
	v := p.tableView()
	at := v.scroll.Cursor
	if !v.fits(p.Input) || at < 1 || at >= v.count() {
		return nil, "the cursor of the table is on the first row"
	}
	return twoRecords(fmt.Sprintf("Line %s against line %s", quantity.Digits(at+1), quantity.Digits(at)),
		v.set.Record(v.rowAt(at-1)), v.set.Record(v.rowAt(at)), p.diffOptions()), ""
}

func (p *Pane) diffPages() (do comparison, disabled string) {
	at := p.cur
	if v, ok := p.view.(*pagesView); ok {
		at = min(v.scroll.Cursor, len(p.pages)-1)
	}
	switch {
	case p.Page().IsFile():
		return nil, "this has no pages"
	case at < 1 || p.pages[at].Index == nil || p.pages[at-1].Index == nil:
		return nil, "there is no page before this one"
	}
	return twoSets(fmt.Sprintf("Page %d against page %d", at+1, at), p.pages[at-1].Set, p.pages[at].Set,
		p.diffOptions()), ""
}

func (p *Pane) diffRuns() (do comparison, disabled string) {
	switch {
	case p.Page().IsFile():
		return nil, "this is no run of an action"
	case len(p.before) == 0 || p.pages[0].Action != p.before[0].Action:
		return nil, "this action was run only once since the start; a run from the history can be chosen instead"
	}
	return unlike(len(p.pages), len(p.before), twoSets("This run against the run before", answer.SetOf(p.before),
		answer.SetOf(p.pages), p.diffOptions())), ""
}

// DiffWith returns what compares another answer of the same entity, as the
// earlier one, with all pages loaded now. It is run once, beside the update loop.
func (p *Pane) DiffWith(title string) func(ctx context.Context, earlier *answer.Page) (string, []DiffLine, error) {
	loaded, now, o := len(p.pages), answer.SetOf(p.pages), p.diffOptions()
	return func(ctx context.Context, earlier *answer.Page) (string, []DiffLine, error) {
		return unlike(loaded, 1, twoSets(title, answer.SetOf([]*answer.Page{earlier}), now, o))(ctx)
	}
}

func (p *Pane) diffOptions() diff.SetOptions {
	var o diff.SetOptions
	if p.entity != nil {
		o.Key, o.Fields = p.entity.Key, p.entity.RecordOf(p.action)
	}
	return o
}

// unlike says above a comparison that more pages of one run are loaded than of the
// other, where what is told to be added or removed may only not be loaded.
func unlike(now, before int, compare comparison) comparison {
	if now == before {
		return compare
	}
	as := "added"
	if now < before {
		as = "removed"
	}
	note := fmt.Sprintf("Loaded are %s of this run and %d of the run before: what only the longer one holds counts "+
		"as %s.", quantity.Count(now, "page", "pages"), before, as)
	return func(ctx context.Context) (string, []DiffLine, error) {
		title, lines, err := compare(ctx)
		return title, append([]DiffLine{{"!", note}}, lines...), err
	}
}

func twoRecords(title string, a, b rawjson.Node, o diff.SetOptions) comparison {
	return func(ctx context.Context) (string, []DiffLine, error) {
		r, err := diff.Diff(ctx, a, b, o.Options)
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
		path, a, b := c.Path.Dotted()+":", diffValue(c.A), diffValue(c.B)
		switch {
		case c.Kind == diff.Added:
			out = append(out, DiffLine{"+", path + " " + b})
		case c.Kind == diff.Removed:
			out = append(out, DiffLine{"-", path + " " + a})
		case text.Width(text.Sanitize(a))+text.Width(text.Sanitize(b)) <= beside:
			out = append(out, DiffLine{"~", path + " " + a + " → " + b})
		default: // long values stand below each other, where the eye finds what differs
			out = append(out, DiffLine{"~", path}, DiffLine{"-", "  " + a}, DiffLine{"+", "  " + b})
		}
	}
	if r.More {
		out = append(out, DiffLine{Text: "More differences are not listed."})
	}
	return out
}

// beside is how wide two values may be to stand in one line.
const beside = 80

func diffValue(n rawjson.Node) string {
	b, more := n.AppendCompact(nil, 300)
	if more {
		b = append(b, text.Ellipsis...)
	}
	return string(b)
}

func twoSets(title string, a, b *records.Set, o diff.SetOptions) comparison {
	return func(ctx context.Context) (string, []DiffLine, error) {
		r, err := diff.Sets(ctx, a, b, o, intent.Report(ctx))
		if err != nil {
			return "", nil, err
		}
		by := "what they hold, as no field tells them apart"
		if r.Join.By == "key" {
			by = r.Join.Key
		}
		out := []DiffLine{{Text: fmt.Sprintf("%d the same, %d added, %d removed, %d changed; records are paired by %s",
			r.Same, r.Added, r.Removed, r.Changed, by)}}
		if n := r.Join.NoKey[0] + r.Join.NoKey[1]; n > 0 {
			out = append(out, DiffLine{"!", quantity.Count(n, "record has", "records have") + " no " + r.Join.Key +
				" and could not be paired."})
		}
		for _, pair := range r.Pairs {
			out = append(out, DiffLine{signs[pair.Kind()], pair.Key})
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
