package ui

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/form"
	"patchbay/client/payload"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/pane"
	"patchbay/ui/text"
)

// platformTimeout bounds one request to the platform.
const platformTimeout = 60 * time.Second

// newFields is an empty form of fields.
func (m *Model) newFields(fields []catalog.Field) *pane.Request {
	r := pane.NewRequest(m.deps.Now)
	r.OpenFields(fields)
	return r
}

// workspaceHere is the workspace under the cursor of the tree, else that of the request.
func (m *Model) workspaceHere() string {
	if n := m.tree.Current(); n != nil && !n.Connector.Local && n.Workspace != "" && n.Workspace != localGroup {
		return n.Workspace
	}
	return m.req.Connector().Workspace
}

// localGroup is the name of the tree's group of connectors that are called directly.
const localGroup = "local"

// openAdd asks what kind of connector to add, and how.
func (m *Model) openAdd() tea.Cmd {
	var items []overlay.Item
	for _, k := range m.deps.Catalog.Kinds() {
		items = append(items, overlay.Item{Group: "Through the service", Title: k.Title, Note: k.System + ", " + k.ConnectorType,
			Disabled: m.noCreate(), Value: then(func() tea.Cmd { return m.withKind(k.Name, m.openCreate) })})
	}
	items = append(items, overlay.Item{Group: "Other ways", Title: "By its id", Note: "one that exists; kept in the profile", Disabled: m.noKeep(),
		Detail: "For services that do not list their connectors.", Value: then(m.openAddByID)})
	items = append(items, overlay.Item{Group: "Other ways", Title: "Local: call the third party directly", Note: "credentials stay on this machine",
		Disabled: m.noLocal(), Value: then(m.openAddLocal)})
	return m.push(&overlay.List{Heading: "Add a connector", Prompt: "payments, crm, local, …", Wide: true, Source: overlay.Static(items), Choose: chosenIntent})
}

func (m *Model) noCreate() string {
	switch {
	case m.platform() == nil:
		return "this service does not offer the creation of connectors"
	case m.deps.Session.ReadOnly:
		return "profile " + m.deps.Session.Name + " is read-only, so nothing is created"
	}
	return ""
}

func (m *Model) noKeep() string {
	return reason(m.deps.Accounts.KeepConnector == nil || m.deps.Session.Sandbox, "the sandbox lists all its connectors; p chooses a profile")
}

func (m *Model) noLocal() string {
	return reason(m.deps.Accounts.KeepLocal == nil || m.deps.Session.Sandbox, "local connectors belong to a profile: p chooses one or signs in")
}

// withKind goes on with a kind of the catalog and one of its credential methods.
func (m *Model) withKind(name string, next func(*catalog.Kind, *catalog.Method) tea.Cmd) tea.Cmd {
	k, err := m.deps.Catalog.Kind(name)
	if err != nil {
		return m.say(err.Error(), true)
	}
	return m.chooseMethod(k, next)
}

// chooseMethod asks for the credential method of a kind where there are
// several; those that the service does not offer are shown as such.
func (m *Model) chooseMethod(k *catalog.Kind, next func(*catalog.Kind, *catalog.Method) tea.Cmd) tea.Cmd {
	if len(k.Credentials) == 0 {
		return m.say("the catalog does not know the credentials of "+k.Title, true)
	}
	if len(k.Credentials) == 1 {
		return next(k, &k.Credentials[0])
	}
	var items []overlay.Item
	for i := range k.Credentials {
		c := &k.Credentials[i]
		it := overlay.Item{Title: c.Title, Note: c.Method + ": " + fieldNames(c.Fields), Detail: c.Note, Value: then(func() tea.Cmd { return next(k, c) })}
		if it.Title == "" {
			it.Title = c.Method
		}
		if c.Unavailable {
			it.Note = c.Method + ": unavailable"
			it.Disabled = "the service reports this method as unavailable for " + k.Title
		}
		items = append(items, it)
	}
	return m.push(&overlay.List{Heading: k.Title + ": credentials", Source: overlay.Static(items), Choose: chosenIntent})
}

func fieldNames(fields []catalog.Field) string {
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].Name
	}
	return strings.Join(names, ", ")
}

// createFields are the inputs of a connector to create.
func createFields(k *catalog.Kind, c *catalog.Method) []catalog.Field {
	fields := []catalog.Field{
		{Name: "workspace", Type: "string", Required: true, Doc: "Workspace that the connector goes into."},
		{Name: "name", Type: "string", Required: true, Doc: "Name by which people and agents call it."},
		{Name: "credentials", Type: "object", Required: true, Members: c.Fields, Doc: "They are sent to the service once and shown nowhere."},
	}
	if len(k.Config) > 0 {
		fields = append(fields, catalog.Field{Name: "replication_config", Type: "object", Required: anyRequired(k.Config), Members: k.Config,
			Doc: "Settings of the third-party account."})
	}
	return fields
}

// requiredPaths are the fields of an object that must be given.
func requiredPaths(under form.Path, fields []catalog.Field) []form.Path {
	var out []form.Path
	for i := range fields {
		if fields[i].Required {
			out = append(out, under.Child(fields[i].Name))
		}
	}
	return out
}

func anyRequired(fields []catalog.Field) bool {
	for i := range fields {
		if fields[i].Required {
			return true
		}
	}
	return false
}

// openCreate shows the form of a connector to create.
func (m *Model) openCreate(k *catalog.Kind, c *catalog.Method) tea.Cmd {
	f := &overlay.Form{Heading: "Add a " + k.Title + " connector", Label: "shows the call", Fields: m.newFields(createFields(k, c))}
	f.Fields.Fill("/workspace", m.workspaceHere())
	f.Fields.Fill("/name", strings.ReplaceAll(k.Name, "_", "-"))
	f.Fields.FillDefaults(requiredPaths("/replication_config", k.Config)...)
	f.Explain = createNotes(k, c)
	f.Submit = func(raw json.RawMessage) intent.Intent {
		v := values(raw)
		n := client.NewConnector{Workspace: str(v["workspace"]), ConnectorType: k.ConnectorType, Name: str(v["name"]),
			Credentials: v["credentials"], ReplicationConfig: v["replication_config"]}
		return then(func() tea.Cmd { return m.previewCreate(f, n) })
	}
	return m.push(f)
}

// createNotes tell what to know before the credentials are typed.
func createNotes(k *catalog.Kind, c *catalog.Method) []string {
	var out []string
	if c.Note != "" {
		out = append(out, c.Note)
	}
	if c.Method == "oauth" {
		out = append(out, "OAuth: the service's own program opens a consent page in the browser, where the account's owner allows the access; "+
			"nothing is typed there. Here the tokens that such a consent gave can be handed over.")
		if hasField(c.Fields, "refresh_token") {
			out = append(out, "A refresh token is accepted: access tokens are renewed from it.")
		}
		if len(c.Scopes) > 0 {
			out = append(out, "Scopes: "+strings.Join(c.Scopes, ", "))
		}
	}
	return out
}

func hasField(fields []catalog.Field, name string) bool {
	for i := range fields {
		if fields[i].Name == name {
			return true
		}
	}
	return false
}

// previewCreate shows the exact call before anything is sent.
func (m *Model) previewCreate(f *overlay.Form, n client.NewConnector) tea.Cmd {
	req, err := m.platform().PreviewCreate(n)
	if err != nil {
		f.Fail(troubled(err))
		return nil
	}
	r := &overlay.Reader{Heading: "The exact call: nothing was sent yet", Body: requestLines(req), CopyWhat: "request", Wide: true,
		KeyHelp: "enter creates it, after asking · Y copy as…"}
	r.Keys = map[string]intent.Intent{
		"enter": then(func() tea.Cmd { return m.confirmCreate(f, n) }),
		"Y":     then(func() tea.Cmd { return m.copyCreate(n, req) }),
	}
	return m.push(r)
}

func (m *Model) confirmCreate(f *overlay.Form, n client.NewConnector) tea.Cmd {
	return m.push(&overlay.Confirm{Heading: "Create this connector?", Yes: "Yes, create it", No: "No",
		Text: []string{"Create the connector " + text.Sanitize(n.Name) + " (" + n.ConnectorType + ") in workspace " + text.Sanitize(n.Workspace) + ".",
			"Its credentials go to " + text.Sanitize(m.deps.Session.BaseURL) + ". It is sent once and never repeated by itself."},
		Do: intent.All{intent.Close{}, then(func() tea.Cmd { return m.create(f, n) })}})
}

// copyCreate lists the formats that the creation can be copied in; the one of
// the service's program says why it cannot where that is so.
func (m *Model) copyCreate(n client.NewConnector, req *client.Request) tea.Cmd {
	var items []overlay.Item
	for _, f := range payload.Formats() {
		it := overlay.Item{Title: f.Title}
		t, err := f.Render(payload.Input{Create: &n, OrganizationID: m.deps.Session.Organization, Request: req, Preset: m.deps.Session.Preset})
		if err != nil {
			it.Disabled = err.Error()
		} else {
			first, _, _ := strings.Cut(t, "\n")
			it.Detail, it.Value = text.Sanitize(first), intent.Copy{Text: t, What: f.Title}
		}
		items = append(items, it)
	}
	return m.push(&overlay.List{Heading: "Copy the creation as", Source: overlay.Static(items), Choose: chosenIntent})
}

// create sends the call, and then lets the service try the credentials.
func (m *Model) create(f *overlay.Form, n client.NewConnector) tea.Cmd {
	p := m.platform()
	cmd := m.ask("creating "+text.Sanitize(n.Name), platformTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		made, err := p.CreateConnector(ctx, n)
		return func(m *Model) tea.Cmd { return m.created(f, n, made, err) }
	})
	return tea.Batch(m.say("creating "+n.Name+"…", false), cmd)
}

func (m *Model) created(f *overlay.Form, n client.NewConnector, made client.Connector, err error) tea.Cmd {
	if err != nil {
		f.Fail(troubled(err))
		return m.say(troubled(err), true)
	}
	m.closeForm(f)
	if made.Workspace == "" {
		made.Workspace = n.Workspace
	}
	if made.Name == "" {
		made.Name = n.Name
	}
	if made.Type == "" {
		made.Type = n.ConnectorType
	}
	if k, kerr := m.deps.Catalog.Kind(made.Type); kerr == nil && made.Kind == "" {
		made.Kind = k.Name
	}
	return tea.Batch(m.say(made.Name+" was created; its credentials are being tried", false), m.keepCreated(made), m.checkOne(made))
}

// keepCreated shows a new connector: in the listing, or from the profile where
// the service lists none.
func (m *Model) keepCreated(made client.Connector) tea.Cmd {
	service, keep, name := m.deps.Session.Service, m.deps.Accounts.KeepConnector, m.deps.Session.Name
	return m.ask("asking for the connectors of "+text.Sanitize(made.Workspace), platformTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		list, err := service.Connectors(ctx, made.Workspace)
		missing := true
		for _, c := range list {
			missing = missing && c.ID != made.ID
		}
		problem := ""
		if missing && keep != nil {
			if kerr := keep(name, made); kerr != nil {
				problem = "the profile could not keep the connector: " + kerr.Error()
			}
			list = append(list, made)
		}
		if err != nil && len(list) == 0 {
			problem = troubled(err)
		}
		return func(m *Model) tea.Cmd {
			cmd := m.gotConnectors(connectorsMsg{session: m.session, workspace: made.Workspace, list: list})
			if problem != "" {
				return tea.Batch(cmd, m.say(problem, true))
			}
			return tea.Batch(cmd, m.perform(m.tree.Reveal(made, "", "")))
		}
	})
}

// closeForm closes a form and what lies over it.
func (m *Model) closeForm(f *overlay.Form) {
	for _, o := range m.stack.All() {
		if o == overlay.Overlay(f) {
			for m.stack.Top() != overlay.Overlay(f) {
				m.stack.Pop()
			}
			m.stack.Pop()
			return
		}
	}
}

// checkOne lets the service try the credentials of a connector and marks it.
func (m *Model) checkOne(c client.Connector) tea.Cmd {
	p, local := m.platform(), m.deps.Session.CheckLocal
	t := m.targetOf(c)
	return m.ask("trying the credentials of "+text.Sanitize(c.Name), platformTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		var check client.Check
		var err error
		switch {
		case c.Local && local != nil:
			check, err = local(ctx, t)
		case !c.Local && p != nil:
			check, err = p.CheckConnector(ctx, c.ID)
		default:
			return nil
		}
		return func(m *Model) tea.Cmd { return m.checked(c, check, err) }
	})
}

func (m *Model) checked(c client.Connector, check client.Check, err error) tea.Cmd {
	if err != nil {
		e := client.AsError(err)
		m.tree.SetHealth(c, healthMark(string(e.Class), e.Status))
		return m.say(c.Name+": "+troubled(err), true)
	}
	switch check.Status {
	case "succeeded":
		m.tree.SetHealth(c, "ok")
		return m.say(c.Name+": the credentials work", false)
	case "failed":
		status := 0
		for _, e := range check.Entities {
			if e.Status == "failed" && e.HTTPStatus != 0 {
				status = e.HTTPStatus
			}
		}
		m.tree.SetHealth(c, healthMark("failed", status))
		return m.say(strings.TrimSpace(c.Name+": the credentials do not work. "+check.Message), true)
	}
	m.tree.SetHealth(c, check.Status)
	return m.say(strings.TrimSpace(c.Name+": the check is "+check.Status+". "+check.Message), false)
}

// healthMark is the short mark of a connector that failed.
func healthMark(word string, status int) string {
	if status >= 400 {
		return plainText(json.RawMessage(jsonNumber(float64(status))))
	}
	return word
}

// noConnectorHere says why there is no connector under the cursor to act on.
func (m *Model) noConnectorHere() string {
	n := m.tree.Current()
	return reason(n == nil || n.Connector.Name == "" && n.Connector.ID == "", "put the cursor on a connector first")
}

func (m *Model) noDelete() string {
	if why := m.noConnectorHere(); why != "" {
		return why
	}
	switch c := m.tree.Current().Connector; {
	case c.Local:
		return "local connectors are kept in the settings file; remove it there"
	case m.platform() == nil:
		return "this service does not offer the deletion of connectors"
	case m.deps.Session.ReadOnly:
		return "profile " + m.deps.Session.Name + " is read-only, so nothing is deleted"
	}
	return ""
}

// openDelete asks before a connector is deleted.
func (m *Model) openDelete() tea.Cmd {
	c := m.tree.Current().Connector
	return m.push(&overlay.Confirm{Heading: "Delete this connector?", Danger: true, Yes: "Yes, delete it", No: "No",
		Text: []string{"Delete the connector " + text.Sanitize(c.Name) + " of workspace " + text.Sanitize(c.Workspace) + " and the credentials that the service keeps for it.",
			"Data in the third-party system stays. This cannot be taken back."},
		Do: then(func() tea.Cmd { return m.deleteConnector(c) })})
}

func (m *Model) deleteConnector(c client.Connector) tea.Cmd {
	p, service := m.platform(), m.deps.Session.Service
	return m.ask("deleting "+text.Sanitize(c.Name), platformTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		job, err := p.DeleteConnector(ctx, c.ID)
		if err != nil {
			return func(m *Model) tea.Cmd { return m.say(troubled(err), true) }
		}
		list, lerr := service.Connectors(ctx, c.Workspace)
		return func(m *Model) tea.Cmd {
			done := c.Name + " is deleted"
			if job != "" {
				done = c.Name + " is being deleted (job " + job + ")"
			}
			return tea.Batch(m.gotConnectors(connectorsMsg{m.session, c.Workspace, list, lerr}), m.say(done, false))
		}
	})
}
