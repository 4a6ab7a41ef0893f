package ui

import (
	"bytes"
	"context"
	"io"

	"patchbay/catalog"
	"patchbay/client/pages"
	"patchbay/client/search"
	"patchbay/ui/intent"
	"patchbay/ui/result"
)

// exports are the ways to keep the comparison as a whole.
func (c *comparison) exports() []result.Export {
	name := c.entity.Name + "-comparison"
	put := func(title, ending string, write func(*pages.Report, io.Writer) error) result.Export {
		return result.Export{Title: title, What: "comparison", File: name + ending, Write: func(_ context.Context, w io.Writer) error { return write(c.report(), w) }}
	}
	return []result.Export{
		put("Comparison as Markdown", ".md", (*pages.Report).WriteMarkdown),
		put("Comparison as JSON", ".json", (*pages.Report).WriteJSON),
	}
}

// copy puts the comparison on the clipboard as Markdown.
func (c *comparison) copy() intent.Intent {
	return intent.Work{What: "copying", Do: func(context.Context) (func() intent.Intent, error) {
		var b bytes.Buffer
		if err := c.report().WriteMarkdown(&b); err != nil {
			return nil, err
		}
		return func() intent.Intent { return intent.Copy{Text: b.String(), What: "comparison"} }, nil
	}}
}

// report gathers what the comparison says. It runs beside the update loop.
func (c *comparison) report() *pages.Report {
	r := &pages.Report{Entity: c.entity.Name}
	for _, s := range c.sides {
		r.Kind, r.At = s.ask.Kind.Name, s.ask.Asked
		side := pages.ReportSide{Name: s.name, Connector: s.ask.Target.Name, Action: s.ask.Action.Name, Params: s.ask.Op.Params,
			NotSent: notSent(s.left), Held: notSent(s.checked), NotAsked: s.unasked, Whole: s.whole(), Why: s.out.Why}
		if s.err != nil {
			side.Failed = troubled(s.err)
		}
		r.Sides = append(r.Sides, side)
	}
	if c.out != nil {
		r.Fill(c.out, c.joinedSides(), c.entity.RecordOf(c.entity.Action(catalog.ActionList)))
	}
	return r
}

func notSent(left []search.Left) []pages.NotSent {
	var out []pages.NotSent
	for _, l := range left {
		out = append(out, pages.NotSent{Name: l.Name, Why: l.Why})
	}
	return out
}

// joinedSides are the sides that answered, for the comparison.
func (c *comparison) joinedSides() []pages.Side {
	var out []pages.Side
	for _, s := range c.joined {
		out = append(out, pages.Side{Name: s.name, Set: s.set})
	}
	return out
}
