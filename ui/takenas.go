package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// noDocument says why the records cannot be read as those of an entity.
func (m *Model) noDocument() string {
	if m.deps.Document == nil {
		return "the catalog knows what this answer holds; only the records of a file can be read as others"
	}
	if why := m.noRecord(); why != "" {
		return why
	}
	return reason(!m.res.IsDocument(), "this is the result of a query: q goes back to the file")
}

// candidate is an entity that the records may be of.
type candidate struct {
	as    result.Question
	known int
	score float64
}

// openTakeAs chooses the entity that the records of the file are of, the
// likeliest first. The whole catalog is read for it, beside the update loop.
func (m *Model) openTakeAs() tea.Cmd {
	names, c, like := m.res.FieldNames(), m.deps.Catalog, m.res.Liker()
	return m.perform(intent.Work{What: "reading the catalog", Do: func(ctx context.Context) (func() intent.Intent, error) {
		list := candidates(ctx, c, names, like)
		return func() intent.Intent { return then(func() tea.Cmd { return m.chooseTakeAs(list, len(names)) }) }, ctx.Err()
	}})
}

func (m *Model) chooseTakeAs(list []candidate, fields int) tea.Cmd {
	items := make([]overlay.Item, len(list))
	for i, one := range list {
		items[i] = overlay.Item{Title: one.as.Kind.Name + "  " + one.as.Entity.Name, Note: fmt.Sprintf("%d of %s", one.known, text.Count(fields, "field", "fields")),
			Detail: one.as.Entity.Doc, Also: one.as.Kind.Title + " " + one.as.Kind.System, Value: one.as}
	}
	return m.push(&overlay.List{Heading: "The records are", Prompt: "customers, invoices …; the likeliest first", Wide: true, Source: overlay.Static(items),
		Choose: func(it overlay.Item) intent.Intent { return m.res.TakeAs(it.Value.(result.Question)) }})
}

// candidates are all entities of the catalog, the likeliest first. A kind that
// cannot be read is left out: doctor tells of it.
func candidates(ctx context.Context, c *catalog.Catalog, names []string, like result.Liking) []candidate {
	var out []candidate
	for _, about := range c.Kinds() {
		if ctx.Err() != nil {
			return nil
		}
		k, err := c.Kind(about.Name)
		if err != nil {
			continue
		}
		for i := range k.Entities {
			e := &k.Entities[i]
			a := result.UsualAction(e)
			known, score := like(e, a, names)
			out = append(out, candidate{result.Question{Kind: k, Entity: e, Action: a}, known, score})
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return out
}
