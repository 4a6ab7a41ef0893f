// Package copying is the feature that copies what the pane with the focus shows: a
// value, a record, its path, the body, a name; or opens it in the person's pager. It
// imports no other dialog and not the root.
package copying

import (
	"cmp"
	"context"
	"io"

	"patchbay/client/secret"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// Feature is the menu of what can be copied, and the pager.
type Feature struct {
	dialog.Host
	// Pager runs the person's pager on its standard input; empty when there is none.
	Pager []string
	// Redactor knows the secrets that a pager is not given; nil knows none.
	Redactor *secret.Redactor
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{
		{ID: "copy", After: "copy.call", In: action.InAny, Keys: []string{"y"}, Footer: 5, Label: "copy",
			Help: "Copy the value, the record, its path or the body, or read it in your pager", Do: f.open},
		{ID: "response.pager", After: "response.export", In: action.InResponse, Keys: []string{"e"}, Label: "$PAGER",
			Help:     "Read the body, the record or the exchange in your pager",
			Disabled: func() string { return cmp.Or(f.Response().Unpaged(), f.noPager()) }, Do: f.page},
	}
}

// copied is what an item of the menu stands for.
type copied struct {
	what string
	text func(context.Context) (string, error)
}

func item(title, what string, t func(context.Context) (string, error)) overlay.Item {
	return overlay.Item{Title: title, Value: copied{what, t}}
}

// fixed is an item for a text that is there already.
func fixed(title, what, t string) overlay.Item {
	return item(title, what, func(context.Context) (string, error) { return t, nil })
}

// open lists what can be copied from the focused pane.
func (f *Feature) open() intent.Intent {
	var items []overlay.Item
	switch f.Focus() {
	case intent.Response:
		for _, o := range f.Response().Copies() {
			items = append(items, item(o.Title, o.What, o.Text))
		}
	case intent.Request:
		if f.Request().HasAction() {
			items = []overlay.Item{fixed("Params as JSON", "params", f.Request().Text())}
		}
	case intent.Tree:
		items = f.fromTree()
	}
	if len(items) == 0 {
		return intent.Say{Text: "there is nothing to copy here yet", Bad: true}
	}
	return intent.Push{Overlay: &overlay.List{Heading: "Copy", Source: overlay.Static(items), Choose: toClipboard,
		Help:   "enter copies · ctrl+o reads it in $PAGER · esc closes",
		OnItem: map[string]func(overlay.Item) intent.Intent{"ctrl+o": f.toPager}}}
}

// toClipboard copies a text, which is made beside the update loop: it may be large.
func toClipboard(it overlay.Item) intent.Intent {
	c := it.Value.(copied)
	return intent.Work("copying", c.text, func(t string) intent.Intent { return intent.Copy{Text: t, What: c.what} })
}

func (f *Feature) toPager(it overlay.Item) intent.Intent {
	if why := f.noPager(); why != "" {
		return intent.Say{Text: why, Bad: true}
	}
	c := it.Value.(copied)
	return intent.All{intent.Close{}, f.paged(c.what, func(ctx context.Context, w io.Writer) error {
		t, err := c.text(ctx)
		if err == nil {
			_, err = io.WriteString(w, t)
		}
		return err
	})}
}

func (f *Feature) fromTree() []overlay.Item {
	n := f.Tree().Current()
	if n == nil {
		return nil
	}
	var items []overlay.Item
	if n.Action != "" {
		items = append(items, fixed("Name of the action", "name", n.Action))
	}
	if n.Entity != "" {
		items = append(items, fixed("Name of the entity", "name", n.Entity))
	}
	if n.Connector.ID != "" {
		items = append(items, fixed("Id of the connector", "connector id", n.Connector.ID),
			fixed("Name of the connector", "name", n.Connector.Name))
	}
	return append(items, fixed("Name of the workspace", "name", n.Workspace))
}
