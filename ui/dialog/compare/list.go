package compare

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"patchbay/client/compare"
	"patchbay/client/diff"
	"patchbay/client/quantity"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
	"patchbay/ui/text"
)

// listed is how many records of a group are listed.
const listed = 500

// newList is the list of a comparison, still empty.
func newList() *overlay.List {
	return &overlay.List{Prompt: "key, name or field", Wide: true, Keep: true,
		Help: "enter shows details · ctrl+e exports all · ctrl+y copies all · esc closes"}
}

// fill puts the comparison into its list, in place of one that asked for less.
func (c *comparison) fill() {
	c.list.Source = overlay.Static(c.items())
	c.list.Keys = map[string]intent.Intent{
		"ctrl+y": intent.Task{What: "copying", Do: func(context.Context) (func() intent.Intent, error) {
			var b bytes.Buffer
			if err := c.Report().WriteMarkdown(&b); err != nil {
				return nil, err
			}
			return func() intent.Intent { return intent.Copy{Text: b.String(), What: "comparison"} }, nil
		}},
		"ctrl+e": intent.Then{F: func() intent.Intent { return c.f.Export(c.exports()) }}}
	c.list.Refresh()
}

func (c *comparison) items() []overlay.Item {
	var items []overlay.Item
	for _, s := range c.Sides {
		it := overlay.Item{Group: "Sides", Title: s.Name, Note: c.State(s), Value: c.read(s)}
		if sum := c.Summary(s); sum != nil && len(sum.OnlyFields) > 0 {
			it.Detail = "fields only here: " + text.Short(strings.Join(sum.OnlyFields, ", "), 200)
		}
		items = append(items, it)
	}
	if c.lacking != "" {
		items = append(items, overlay.Item{Group: "Sides", Title: "not here", Note: c.lacking, Detail: c.lacking})
	}
	items = append(items, c.moreItems()...)
	var records []overlay.Item
	switch {
	case len(c.Joined) < 2:
		items = append(items, overlay.Item{Group: "Records",
			Title: "Fewer than two sides answered, so nothing could be compared."})
	case len(c.Join.Rows) == 0:
		items = append(items, overlay.Item{Group: "Records", Title: "No side has a record of this question."})
	default:
		records = c.recordItems()
		items = append(items, c.verdicts(records)...)
	}
	items = append(items, c.askedItems()...)
	if c.Differences != nil {
		for _, f := range c.Fields {
			items = append(items, overlay.Item{Group: "Fields that differ", Title: f.Name,
				Note: "in " + quantity.Plain(f.N, "record"), Value: intent.Then{F: func() intent.Intent {
					c.list.SetQuery(f.Name)
					return nil
				}}})
		}
	}
	return append(items, records...)
}

// verdicts count the records by where they are; choosing one goes to its records.
func (c *comparison) verdicts(records []overlay.Item) []overlay.Item {
	group := "Records, paired by " + c.PairedBy()
	var items []overlay.Item
	if n := c.Same; n > 0 || len(c.Records) == 0 {
		items = append(items, overlay.Item{Group: group,
			Title: quantity.Plain(n, "record") + " the same on every side"})
	}
	for i, it := range records {
		if i == 0 || records[i-1].Group != it.Group {
			items = append(items, overlay.Item{Group: group, Title: it.Group,
				Value: intent.Then{F: func() intent.Intent {
					c.list.SetQuery("").Select(func(o overlay.Item) bool { return o.Group == it.Group })
					return nil
				}}})
		}
	}
	return items
}

// askedItems show the question as each side was asked it, and what of it could
// not be asked.
func (c *comparison) askedItems() []overlay.Item {
	var asked, left []overlay.Item
	item := func(s *compare.Side, note, detail string) overlay.Item {
		return overlay.Item{Group: "The question, as each was asked it", Title: s.Name, Note: note,
			Detail: detail, Value: c.read(s)}
	}
	for _, s := range c.Sides {
		if s.Unasked != "" {
			continue
		}
		asked = append(asked, item(s, s.Sent(), text.Short(s.Sent(), 200)+" to "+s.Ask.Target.Name))
		if len(s.Left) > 0 {
			left = append(left, item(s, "not sent: "+compare.LeftNames(s.Left), compare.LeftWhy(s.Left)))
		}
		if len(s.Checked) > 0 {
			left = append(left, item(s, "not sent: "+compare.LeftNames(s.Checked)+"; its records are held against it",
				compare.LeftWhy(s.Checked)))
		}
	}
	return append(asked, left...)
}

// recordItems are the records that differ or are not everywhere, group by group.
func (c *comparison) recordItems() []overlay.Item {
	var items []overlay.Item
	for _, g := range c.Groups() {
		heading := g.Name + ": " + quantity.Plain(len(g.Records), "record")
		for _, r := range g.Records[:min(len(g.Records), listed)] {
			it := overlay.Item{Group: heading, Title: text.Short(r.Key, 60), Note: strings.Join(r.Fields, ", "),
				Value: c.readRecord(r)}
			for i, s := range c.Joined {
				if it.Note == "" && r.In(i) {
					it.Note = dialog.RecordName(s.Set.Record(r.Rows[i]).Get, c.Entity.Key)
				}
			}
			items = append(items, it)
		}
		if more := len(g.Records) - listed; more > 0 {
			items = append(items, overlay.Item{Group: heading, Title: fmt.Sprintf("%d more are not listed", more)})
		}
	}
	return items
}

// exports are the ways to keep the comparison as a whole.
func (c *comparison) exports() []response.Export {
	name := c.Entity.Name + "-comparison"
	put := func(title, ending string, write func(*compare.Report, io.Writer) error) response.Export {
		return response.Export{Title: title, What: "comparison", File: name + ending,
			Write: func(_ context.Context, w io.Writer) error { return write(c.Report(), w) }}
	}
	return []response.Export{
		put("Comparison as Markdown", ".md", (*compare.Report).WriteMarkdown),
		put("Comparison as JSON", ".json", (*compare.Report).WriteJSON),
	}
}

// read tells all that is known of one side.
func (c *comparison) read(s *compare.Side) intent.Intent {
	return intent.Then{F: func() intent.Intent {
		return intent.Push{Overlay: &overlay.Reader{Heading: c.Entity.Name + " by " + s.Name, Body: c.sideLines(s),
			Wide: true, CopyWhat: "side"}}
	}}
}

func (c *comparison) sideLines(s *compare.Side) []overlay.Line {
	var body []overlay.Line
	row := func(label, t string, tone overlay.Tone) {
		if t != "" {
			body = append(body, overlay.Line{Label: label, LabelWidth: 14, Text: t, Tone: tone})
		}
	}
	row("asked", s.Ask.Op.Entity+" "+s.Ask.Op.Action+" on "+s.Ask.Target.Name, overlay.Plain)
	row("params", s.Sent(), overlay.Plain)
	for _, l := range s.Left {
		row("not sent", l.Name+": "+l.Why, overlay.Warn)
	}
	for _, l := range s.Checked {
		row("not sent", l.Name+": "+l.Why+"; the records that came are held against it", overlay.Plain)
	}
	row("not asked", s.Unasked, overlay.Warn)
	row("failed", s.Failure(), overlay.Bad)
	if sum := c.Summary(s); sum != nil {
		row("came", fmt.Sprintf("%s on %d pages", s.Came(), s.Out.Pages), overlay.Plain)
		if !s.Whole() && s.Err == nil {
			row("not all", s.Out.Why+"; what seems missing here may come on later pages", overlay.Warn)
		}
		row("newest", c.Newest(sum), overlay.Plain)
		row("fields only", strings.Join(sum.OnlyFields, ", "), overlay.Plain)
	}
	return body
}

// readRecord shows a record as the sides have it.
func (c *comparison) readRecord(r *compare.Compared) intent.Intent {
	return intent.Task{What: "comparing", Do: func(ctx context.Context) (func() intent.Intent, error) {
		body, err := c.recordLines(ctx, r)
		reader := &overlay.Reader{Heading: text.Short(r.Key, 60), Body: body, Wide: true,
			CopyWhat: "differences"}
		return func() intent.Intent { return intent.Push{Overlay: reader} }, err
	}}
}

func (c *comparison) recordLines(ctx context.Context, r *compare.Compared) ([]overlay.Line, error) {
	base := slices.IndexFunc(r.Rows, func(row int) bool { return row >= 0 })
	first, rec := c.Joined[base].Name, c.Joined[base].Set.Record(r.Rows[base])
	var body []overlay.Line
	for i, s := range c.Joined {
		switch {
		case i == base:
		case !r.In(i):
			body = append(body, overlay.Line{Text: c.Lacks(r, s), Tone: overlay.Warn})
		default:
			changes, err := dialog.Changes(ctx, rec, s.Set.Record(r.Rows[i]), c.Entity.RecordOf(s.Ask.Action),
				"the same")
			if err != nil {
				return nil, err
			}
			has := map[string]string{diff.Added.String(): "only " + s.Name, diff.Removed.String(): "only " + first,
				diff.Changed.String(): "differs"}
			body = append(body, overlay.Line{Text: first + " → " + s.Name, Tone: overlay.Heading})
			for _, l := range changes {
				if l.Label != "" {
					l.Label, l.LabelWidth = has[l.Label], 12
				}
				body = append(body, l)
			}
		}
	}
	body = append(body, overlay.Line{}, overlay.Line{Text: "The whole record in " + first, Tone: overlay.Heading})
	return append(body, dialog.JSONLines(rec.Raw())...), nil
}
