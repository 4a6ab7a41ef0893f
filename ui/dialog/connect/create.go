package connect

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/payload"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/tree"
)

// workspaceHere is the workspace under the cursor of the tree, else that of the request.
func (f *Feature) workspaceHere() string {
	if n := f.Tree().Current(); n != nil && !n.Connector.Local && n.Workspace != "" && n.Workspace != tree.LocalGroup {
		return n.Workspace
	}
	return f.Request().Connector().Workspace
}

// createFields are the inputs of a connector to create.
func createFields(k *catalog.Kind, c *catalog.Method) []catalog.Field {
	fields := []catalog.Field{
		{Name: "workspace", Type: "string", Required: true, Doc: "Workspace that the connector goes into."},
		{Name: "name", Type: "string", Required: true, Doc: "Name by which people and agents call it."},
		{Name: "credentials", Type: "object", Required: true, Members: c.Fields,
			Doc: "They are sent to the service once and shown nowhere."},
	}
	if len(k.Config) > 0 {
		fields = append(fields, catalog.Field{Name: "replication_config", Type: "object", Members: k.Config,
			Required: len(fieldNames(k.Config, true)) > 0, Doc: "Settings of the third-party account."})
	}
	return fields
}

// openCreate shows the form of a connector to create.
func (f *Feature) openCreate(k *catalog.Kind, c *catalog.Method) intent.Intent {
	in := &overlay.Form{Heading: "Add a " + k.Title + " connector", Label: "shows the call",
		Fields: dialog.Fields(f, createFields(k, c)), Explain: createNotes(k, c)}
	in.Fields.Fill("/workspace", f.workspaceHere())
	in.Fields.Fill("/name", strings.ReplaceAll(k.Name, "_", "-"))
	in.Fields.FillDefaults("/replication_config", fieldNames(k.Config, true))
	in.Submit = func(v overlay.Values) intent.Intent {
		return f.previewCreate(in, client.NewConnector{Workspace: v.Text("workspace"),
			ConnectorType: k.ConnectorType, Name: v.Text("name"),
			Credentials: v["credentials"], ReplicationConfig: v["replication_config"]})
	}
	return intent.Push{Overlay: in}
}

// createNotes tell what to know before the credentials are typed.
func createNotes(k *catalog.Kind, c *catalog.Method) []string {
	var out []string
	if c.Note != "" {
		out = append(out, c.Note)
	}
	if c.Method != "oauth" {
		return out
	}
	out = append(out, "OAuth: the service's own program opens a consent page in the browser, where the account's "+
		"owner allows the access; nothing is typed there. Here the tokens that such a consent gave can be handed over.")
	if slices.ContainsFunc(c.Fields, func(f catalog.Field) bool { return f.Name == "refresh_token" }) {
		out = append(out, "A refresh token is accepted: access tokens are renewed from it.")
	}
	if len(c.Scopes) > 0 {
		out = append(out, "Scopes: "+strings.Join(c.Scopes, ", "))
	}
	return out
}

// previewCreate shows the exact call before anything is sent.
func (f *Feature) previewCreate(in *overlay.Form, n client.NewConnector) intent.Intent {
	req, err := f.Session().Offers().PreviewCreate(n)
	if err != nil {
		in.Fail(dialog.Troubled(err))
		return nil
	}
	confirm := &overlay.Confirm{Heading: "Create this connector?", Yes: "Yes, create it", No: "No",
		Text: []string{"Create the connector " + n.Name + " (" + n.ConnectorType + ") in workspace " +
			n.Workspace + ".",
			"Its credentials go to " + f.Session().BaseURL + ". It is sent once and never repeated by itself."},
		Do: intent.All{intent.Close{}, intent.Say{Text: "creating " + n.Name + "…"}, f.create(in, n)}}
	return intent.Push{Overlay: &overlay.Reader{Heading: "The exact call: nothing was sent yet",
		Body:     dialog.RequestLines(req),
		CopyWhat: "request", Wide: true, KeyHelp: "enter creates it, after asking · Y copy as…",
		Keys: map[string]intent.Intent{"enter": intent.Push{Overlay: confirm}, "Y": f.copyCreate(n, req)}}}
}

// copyCreate lists the formats that the creation can be copied in; the one of
// the service's program says why it cannot where that is so.
func (f *Feature) copyCreate(n client.NewConnector, req *client.Request) intent.Intent {
	in, items := f.Session().Text(), []overlay.Item(nil)
	in.Create, in.Request = &n, req
	in.Kind, _ = f.Catalog().Kind(n.ConnectorType)
	for _, format := range payload.Formats() {
		it := overlay.Item{Title: format.Title}
		seen, copied, err := dialog.Written(format, in)
		if err != nil {
			it.Disabled = err.Error()
		} else {
			first, _, _ := strings.Cut(seen, "\n")
			it.Detail, it.Value = first, f.Copy(copied, format.Title)
		}
		items = append(items, it)
	}
	return intent.Push{Overlay: &overlay.List{Heading: "Copy the creation as", Source: overlay.Static(items)}}
}

// create sends the call, and then has the credentials tried.
func (f *Feature) create(in *overlay.Form, n client.NewConnector) intent.Intent {
	p := f.Session().Offers()
	return dialog.Ask("creating "+n.Name, func(ctx context.Context) (func() intent.Intent, error) {
		made, err := p.CreateConnector(ctx, n)
		return func() intent.Intent {
			if err != nil {
				return dialog.Failed(in, err)
			}
			return intent.All{intent.Close{Overlay: in}, f.created(n, made)}
		}, nil
	})
}

// created shows a new connector: in the listing, or from the profile where the
// service lists none.
func (f *Feature) created(n client.NewConnector, made client.Connector) intent.Intent {
	made.Workspace, made.Name = cmp.Or(made.Workspace, n.Workspace), cmp.Or(made.Name, n.Name)
	made.Type = cmp.Or(made.Type, n.ConnectorType)
	if k, err := f.Catalog().Kind(made.Type); err == nil && made.Kind == "" {
		made.Kind = k.Name
	}
	s, keep := f.Session(), f.Accounts.KeepConnector
	list := dialog.Ask("asking for the connectors of "+made.Workspace,
		func(ctx context.Context) (func() intent.Intent, error) {
			list, err := s.Service.Connectors(ctx, made.Workspace)
			if keep != nil && !slices.ContainsFunc(list, func(c client.Connector) bool { return c.ID == made.ID }) {
				list = append(list, made)
				if err = keep(s.Name, made); err != nil {
					err = fmt.Errorf("the profile could not keep the connector: %w", err)
				}
			}
			return func() intent.Intent {
				f.Tree().SetConnectors(made.Workspace, list, "")
				if err != nil {
					return intent.Say{Text: dialog.Troubled(err), Bad: true}
				}
				return intent.Reveal{Connector: made}
			}, nil
		})
	return intent.All{intent.Say{Text: made.Name + " was created; its credentials are being tried"}, list, f.Try(made)}
}

// openByID asks for a connector that the service does not list.
func (f *Feature) openByID() intent.Intent {
	var kinds []json.RawMessage
	for _, k := range f.Catalog().Kinds() {
		kinds = append(kinds, stringJSON(k.Name))
	}
	in := &overlay.Form{Heading: "Add a connector by its id", Label: "keeps it", Explain: []string{
		"For services that do not list their connectors. It is kept in profile " +
			f.Session().Name + "."}}
	in.Fields = dialog.Fields(f, []catalog.Field{
		{Name: "id", Type: "string", Required: true,
			Doc: "Id of the connector, as the service's web pages or program show it."},
		{Name: "type", Type: "string", Required: true, Enum: kinds, Open: true,
			Doc: "Kind of the catalog, or the connector type of the service."},
		{Name: "name", Type: "string", Doc: "What to call it here."},
		{Name: "workspace", Type: "string", Doc: "Workspace that it belongs to."},
	})
	in.Submit = func(v overlay.Values) intent.Intent {
		kind := v.Text("type")
		c := client.Connector{ID: v.Text("id"), Type: kind, Name: cmp.Or(v.Text("name"), kind),
			Workspace: v.Text("workspace"), Known: true}
		if k, err := f.Catalog().Kind(c.Type); err == nil {
			c.Kind, c.Type = k.Name, k.ConnectorType
		}
		return f.keepByID(in, c)
	}
	return intent.Push{Overlay: in}
}

func stringJSON(s string) json.RawMessage {
	v, _ := json.Marshal(s) // a string always marshals
	return v
}

func (f *Feature) keepByID(in *overlay.Form, c client.Connector) intent.Intent {
	keep, name := f.Accounts.KeepConnector, f.Session().Name
	return dialog.Quiet(func() (func() intent.Intent, error) {
		err := keep(name, c)
		return func() intent.Intent {
			if err != nil {
				in.Fail(err.Error())
				return nil
			}
			return intent.All{intent.Close{Overlay: in}, intent.OpenProfile{Name: name},
				intent.Say{Text: c.Name + " is kept in profile " + name}}
		}, nil
	})
}

// openLocal asks for the kind of a connector that is called directly.
func (f *Feature) openLocal() intent.Intent {
	var items []overlay.Item
	for _, k := range f.Catalog().Kinds() {
		items = append(items, overlay.Item{Title: k.Title, Note: k.System, Value: f.withKind(k.Name, f.openLocalForm)})
	}
	return intent.Push{Overlay: &overlay.List{Heading: "Call which third party directly?",
		Source: overlay.Static(items)}}
}

func (f *Feature) openLocalForm(k *catalog.Kind, c *catalog.Method) intent.Intent {
	if k.Local == nil {
		return intent.Say{Text: "nobody told how " + k.System + " is reached directly", Bad: true}
	}
	in := &overlay.Form{Heading: "Add " + k.Title + ", called directly", Label: "keeps and tries it",
		Fields: dialog.Fields(f, localFields(k, c))}
	in.Fields.FillDefaults("/config", fieldNames(k.Config, true))
	in.Submit = func(v overlay.Values) intent.Intent {
		l := session.LocalSetup{Name: v.Text("name"), Kind: k.Name, Method: c.Method,
			BaseURL: strings.TrimSpace(v.Text("base_url")),
			Config:  v.Texts("config"), Credentials: map[string]secret.Secret{}}
		for name, value := range v.Texts("credentials") {
			l.Credentials[name] = secret.New(value)
		}
		if l.BaseURL != "" {
			if err := profile.CheckBaseURL(l.BaseURL); err != nil {
				in.Fail(err.Error())
				return nil
			}
		}
		return f.keepLocal(in, l)
	}
	return intent.Push{Overlay: in}
}

// localFields are the inputs of a connector that is called directly.
func localFields(k *catalog.Kind, c *catalog.Method) []catalog.Field {
	fields := []catalog.Field{
		{Name: "name", Type: "string", Required: true, Doc: "What to call it here."},
		{Name: "credentials", Type: "object", Required: true, Members: c.Fields,
			Doc: "They are kept in the keyring, or in a file that only you can read; the service never sees them."},
	}
	if len(k.Config) > 0 {
		fields = append(fields, catalog.Field{Name: "config", Type: "object", Members: k.Config})
	}
	address := catalog.Field{Name: "base_url", Type: "string", Doc: "Where the calls go; left out, to " +
		k.Local.BaseURL + ".",
		Default: stringJSON(k.Local.BaseURL), Open: len(k.Local.Servers) > 0}
	for _, server := range k.Local.Servers {
		address.Enum = append(address.Enum, stringJSON(server))
	}
	return append(fields, address)
}

// keepLocal keeps the connector, takes over the profile as it is then, and has the
// credentials tried.
func (f *Feature) keepLocal(in *overlay.Form, l session.LocalSetup) intent.Intent {
	name := f.Session().Name
	return dialog.Ask("keeping "+l.Name, func(ctx context.Context) (func() intent.Intent, error) {
		c, err := f.Accounts.KeepLocal(ctx, name, l)
		return func() intent.Intent {
			if err != nil {
				in.Fail(dialog.Troubled(err))
				return nil
			}
			return intent.All{intent.Close{Overlay: in}, intent.OpenProfile{Name: name, Anew: func() intent.Intent {
				f.Tree().SetGroup(tree.LocalGroup, "called directly", f.Session().Local)
				return intent.All{intent.Say{Text: l.Name + " is kept; its credentials are being tried"}, f.Try(c)}
			}}}
		}, nil
	})
}
