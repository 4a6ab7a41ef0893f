// Package connect is the feature that adds connectors and deletes them: through the
// service, by the id of one that exists, or called directly without the service. What
// a kind wants is in the catalog, and whether the credentials work the doctor says.
// Like every feature it imports no other one, and not the root.
package connect

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/tree"
)

// Feature adds connectors and deletes them.
type Feature struct {
	dialog.Host
	// Accounts keep what the service does not.
	Accounts dialog.Accounts
	// Try has the credentials of a connector tried.
	Try func(client.Connector) intent.Intent
	// Copy copies a call, with the address at which it is answered.
	Copy func(text, what string) intent.Intent
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{
		{ID: "connector.add", After: "request.choose", In: action.InTree, Keys: []string{"a"}, Label: "add", Footer: 4,
			Help: "Add a connector: through the service, by its id, or called directly", Do: f.open},
		{ID: "connector.delete", After: "check.all", In: action.InTree, Keys: []string{"D"}, Label: "delete",
			Help:     "Delete the connector under the cursor, after asking",
			Disabled: f.noDelete, Do: f.openDelete},
	}
}

// open asks what kind of connector to add, and how.
func (f *Feature) open() intent.Intent {
	const through, other = "Through the service", "Other ways"
	var items []overlay.Item
	kinds := f.Catalog().Kinds()
	for _, k := range kinds {
		items = append(items, overlay.Item{Group: through, Title: k.Title, Note: k.System + ", " + k.ConnectorType,
			Disabled: f.noCreate(), Value: f.withKind(k.Name, f.openCreate)})
	}
	items = append(items,
		overlay.Item{Group: other, Title: "By its id", Note: "one that exists; kept in the profile",
			Detail: "For services that do not list their connectors.",
			Value:  intent.Then{F: f.openByID},
			Disabled: action.Reason(f.Accounts.KeepConnector == nil || f.Session().Sandbox,
				"the sandbox lists all its connectors; p chooses a profile")},
		overlay.Item{Group: other, Title: "Local: call the third party directly",
			Note: "credentials stay on this machine", Value: intent.Then{F: f.openLocal},
			Disabled: action.Reason(f.Accounts.KeepLocal == nil, "nothing can be kept here")})
	first, _ := f.Catalog().First()
	short := slices.MinFunc(kinds, func(a, b catalog.Summary) int { return len(a.Name) - len(b.Name) })
	return intent.Push{Overlay: &overlay.List{Heading: "Add a connector", Wide: true, Source: overlay.Static(items),
		Prompt: first + ", " + short.Name + ", local, …"}}
}

func (f *Feature) noCreate() string {
	switch s := f.Session(); {
	case s.Offers() == nil:
		return "this service does not offer the creation of connectors"
	case s.ReadOnly:
		return "profile " + s.Name + " is read-only, so nothing is created"
	}
	return ""
}

// withKind continues with a kind of the catalog and one of its credential methods. It
// asks for the method where there are several; those that the service does not offer
// are shown as such.
func (f *Feature) withKind(name string, next func(*catalog.Kind, *catalog.Method) intent.Intent) intent.Intent {
	return intent.Then{F: func() intent.Intent {
		k, err := f.Catalog().Kind(name)
		switch {
		case err != nil:
			return intent.Failed(err)
		case len(k.Credentials) == 0:
			return intent.Say{Text: "the catalog does not know the credentials of " + k.Title, Bad: true}
		case len(k.Credentials) == 1:
			return next(k, &k.Credentials[0])
		}
		items := make([]overlay.Item, len(k.Credentials))
		for i := range k.Credentials {
			c := &k.Credentials[i]
			items[i] = overlay.Item{Title: cmp.Or(c.Title, c.Method), Detail: c.Note,
				Note:  c.Method + ": " + strings.Join(fieldNames(c.Fields, false), ", "),
				Value: intent.Then{F: func() intent.Intent { return next(k, c) }}}
			if c.Unavailable {
				items[i].Note = c.Method + ": unavailable"
				items[i].Disabled = "the service reports this method as unavailable for " + k.Title
			}
		}
		return intent.Push{Overlay: &overlay.List{Heading: k.Title + ": credentials", Source: overlay.Static(items)}}
	}}
}

// fieldNames are the names of fields, or only of those that must be given.
func fieldNames(fields []catalog.Field, required bool) []string {
	var names []string
	for i := range fields {
		if fields[i].Required || !required {
			names = append(names, fields[i].Name)
		}
	}
	return names
}

// noDelete says why the connector under the cursor cannot be deleted; "" when it can.
func (f *Feature) noDelete() string {
	n, s := f.Tree().Current(), f.Session()
	switch {
	case n == nil || n.Connector.Name == "" && n.Connector.ID == "":
		return "put the cursor on a connector first"
	case n.Connector.Local:
		return action.Reason(f.Accounts.ForgetLocal == nil, "nothing can be kept here, so nothing is to be removed")
	case s.Offers() == nil:
		return "this service does not offer the deletion of connectors"
	case s.ReadOnly:
		return "profile " + s.Name + " is read-only, so nothing is deleted"
	}
	return ""
}

// openDelete asks before a connector is deleted.
func (f *Feature) openDelete() intent.Intent {
	c, p := f.Tree().Current().Connector, f.Session().Offers()
	if c.Local {
		return f.askForget(c)
	}
	remove := dialog.Ask("deleting "+c.Name, func(ctx context.Context) (func() intent.Intent, error) {
		job, err := p.DeleteConnector(ctx, c.ID)
		done := c.Name + " is deleted"
		if job != "" {
			done = c.Name + " is being deleted (job " + job + ")"
		}
		return func() intent.Intent {
			return intent.All{intent.LoadConnectors{Workspace: c.Workspace}, intent.Say{Text: done}}
		}, err
	})
	return intent.Push{Overlay: &overlay.Confirm{Heading: "Delete this connector?", Danger: true,
		Yes: "Yes, delete it", No: "No", Do: remove,
		Text: []string{"Delete the connector " + c.Name + " of workspace " + c.Workspace +
			" and the credentials that the service keeps for it.",
			"Data in the third-party system stays. This cannot be taken back."}}}
}

// askForget asks before a connector that is called directly is forgotten.
func (f *Feature) askForget(c client.Connector) intent.Intent {
	name := f.Session().Name
	forget := dialog.Ask("forgetting "+c.Name, func(ctx context.Context) (func() intent.Intent, error) {
		err := f.Accounts.ForgetLocal(ctx, name, c)
		return func() intent.Intent {
			return intent.OpenProfile{Name: name, Anew: func() intent.Intent {
				f.Tree().SetGroup(tree.LocalGroup, "called directly", f.Session().Local)
				return intent.Say{Text: c.Name + " is forgotten"}
			}}
		}, err
	})
	return intent.Push{Overlay: &overlay.Confirm{Heading: "Forget this connector?", Danger: true,
		Yes: "Yes, forget it", No: "No", Do: forget,
		Text: []string{"Forget the connector " + c.Name + ", which is called directly, and the credentials kept " +
			"for it on this machine.", "Nothing changes in the third-party system."}}}
}
