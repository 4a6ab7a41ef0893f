// Package copying is the feature that copies what the pane with the focus shows: a
// value, a record, its path, the body, a name. It imports no other dialog and not
// the root.
package copying

import (
	"context"

	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// Feature is the menu of what can be copied.
type Feature struct{ dialog.Host }

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "copy", After: "copy.call", In: action.InAny, Keys: []string{"y"}, Footer: 5,
		Label: "copy", Help: "Copy the value, the record, its path or the body", Do: f.open}}
}

// open lists what can be copied from the focused pane.
func (f *Feature) open() intent.Intent {
	var items []overlay.Item
	switch f.Focus() {
	case intent.Response:
		for _, o := range f.Response().Copies() {
			// they may be large
			copied := func(ctx context.Context) (func() intent.Intent, error) {
				t, err := o.Text(ctx)
				return func() intent.Intent { return intent.Copy{Text: t, What: o.What} }, err
			}
			items = append(items, overlay.Item{Title: o.Title, Value: intent.Task{What: "copying", Do: copied}})
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
	return intent.Push{Overlay: &overlay.List{Heading: "Copy", Source: overlay.Static(items)}}
}

// fixed copies a text that is there already.
func fixed(title, what, t string) overlay.Item {
	return overlay.Item{Title: title, Value: intent.Copy{Text: t, What: what}}
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
