// Package readas is the feature that says of which entity the records of a file
// are, so that columns, words and schema come from the catalog. Which entities are
// likely is for client/answer to say. It imports no other dialog and not the root.
package readas

import (
	"context"
	"fmt"

	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// Feature is reading a file as an entity.
type Feature struct{ dialog.Host }

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "response.as", After: "response.compare", In: action.InResponse, Keys: []string{"A"},
		Label: "read as", Footer: 10,
		Help:     "Say which records a file holds: columns, words and schema then come from the catalog",
		Disabled: f.missing, Do: f.open}}
}

// missing says why the records cannot be read as those of an entity.
func (f *Feature) missing() string {
	if f.Document() == nil {
		return "the catalog knows what this answer holds; only the records of a file can be read as others"
	}
	if why := f.Response().NoRecord(); why != "" {
		return why
	}
	return action.Reason(!f.Response().IsDocument(), "this is the result of a query: q goes back to the file")
}

// open chooses the entity that the records of the file are of, the likeliest
// first. The whole catalog is read for it, beside the update loop.
func (f *Feature) open() intent.Intent {
	page, catalog := f.Response().Page(), f.Catalog()
	names := page.FieldNames()
	return intent.Task{What: "reading the catalog", Do: func(ctx context.Context) (func() intent.Intent, error) {
		list, err := page.Candidates(ctx, catalog, names)
		items := make([]overlay.Item, len(list))
		for i, c := range list {
			k, e := c.As.Kind, c.As.Entity
			items[i] = overlay.Item{Title: k.Name + "  " + e.Name, Detail: e.Doc, Also: k.Title + " " + k.System,
				Value: c.As, Note: fmt.Sprintf("%d of %s", c.Known, quantity.Count(len(names), "field", "fields"))}
		}
		l := &overlay.List{Heading: "The records are", Prompt: "customers, invoices …; the likeliest first",
			Wide: true, Source: overlay.Static(items), Choose: func(it overlay.Item) intent.Intent {
				return f.Response().TakeAs(it.Value.(answer.Question))
			}}
		return func() intent.Intent { return intent.Push{Overlay: l} }, err
	}}
}
