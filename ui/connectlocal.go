package ui

import (
	"context"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// openAddByID keeps a connector that the service does not list.
func (m *Model) openAddByID() tea.Cmd {
	var kinds []json.RawMessage
	for _, k := range m.deps.Catalog.Kinds() {
		v, _ := json.Marshal(k.Name) // a string always marshals
		kinds = append(kinds, v)
	}
	f := &overlay.Form{Heading: "Add a connector by its id", Label: "keeps it", Explain: []string{"For services that do not list their connectors. It is kept in profile " + text.Sanitize(m.deps.Session.Name) + "."}}
	f.Fields = m.newFields([]catalog.Field{
		{Name: "id", Type: "string", Required: true, Doc: "Id of the connector, as the service's web pages or program show it."},
		{Name: "type", Type: "string", Required: true, Enum: kinds, Open: true, Doc: "Kind of the catalog, or the connector type of the service."},
		{Name: "name", Type: "string", Doc: "What to call it here."},
		{Name: "workspace", Type: "string", Doc: "Workspace that it belongs to."},
	})
	f.Submit = func(raw json.RawMessage) intent.Intent {
		v := values(raw)
		c := client.Connector{ID: str(v["id"]), Type: str(v["type"]), Name: str(v["name"]), Workspace: str(v["workspace"]), Known: true}
		if c.Name == "" {
			c.Name = c.Type
		}
		return then(func() tea.Cmd { return m.keepByID(f, c) })
	}
	return m.push(f)
}

func (m *Model) keepByID(f *overlay.Form, c client.Connector) tea.Cmd {
	keep, name := m.deps.Accounts.KeepConnector, m.deps.Session.Name
	if k, err := m.deps.Catalog.Kind(c.Type); err == nil {
		c.Kind, c.Type = k.Name, k.ConnectorType
	}
	return m.async(platformTimeout, func(context.Context) func(*Model) tea.Cmd {
		err := keep(name, c)
		return func(m *Model) tea.Cmd {
			if err != nil {
				f.Fail(err.Error())
				return nil
			}
			m.closeForm(f)
			return tea.Batch(m.reopenSession(), m.say(c.Name+" is kept in profile "+name, false))
		}
	})
}

// reopenSession opens the present profile anew, after it changed.
func (m *Model) reopenSession() tea.Cmd {
	if m.deps.Open == nil {
		return m.reload()
	}
	return m.openSession(m.deps.Session.Name)
}

// openAddLocal asks for the kind of a connector that is called directly.
func (m *Model) openAddLocal() tea.Cmd {
	var items []overlay.Item
	for _, k := range m.deps.Catalog.Kinds() {
		items = append(items, overlay.Item{Title: k.Title, Note: k.System, Value: then(func() tea.Cmd { return m.withKind(k.Name, m.openLocalForm) })})
	}
	return m.push(&overlay.List{Heading: "Call which third party directly?", Source: overlay.Static(items), Choose: chosenIntent})
}

func (m *Model) openLocalForm(k *catalog.Kind, c *catalog.Method) tea.Cmd {
	if k.Local == nil {
		return m.say("nobody told how "+k.System+" is reached directly", true)
	}
	fields := []catalog.Field{{Name: "name", Type: "string", Required: true, Doc: "What to call it here."},
		{Name: "credentials", Type: "object", Required: true, Members: c.Fields, Doc: "They are kept in the keyring, or in a file that only you can read; the service never sees them."}}
	if len(k.Config) > 0 {
		fields = append(fields, catalog.Field{Name: "config", Type: "object", Members: k.Config})
	}
	fields = append(fields, baseURLField(k.Local))
	f := &overlay.Form{Heading: "Add " + k.Title + ", called directly", Label: "keeps and tries it", Fields: m.newFields(fields)}
	f.Fields.FillDefaults(requiredPaths("/config", k.Config)...)
	f.Submit = func(raw json.RawMessage) intent.Intent {
		v := values(raw)
		l := LocalSetup{Name: str(v["name"]), Kind: k.Name, Method: c.Method, BaseURL: strings.TrimSpace(str(v["base_url"])), Config: map[string]string{}, Credentials: map[string]secret.Secret{}}
		for name, value := range values(v["credentials"]) {
			l.Credentials[name] = secret.New(str(value))
		}
		for name, value := range values(v["config"]) {
			l.Config[name] = str(value)
		}
		if l.BaseURL != "" {
			if err := profile.CheckBaseURL(l.BaseURL); err != nil {
				f.Fail(err.Error())
				return nil
			}
		}
		return then(func() tea.Cmd { return m.keepLocal(f, l) })
	}
	return m.push(f)
}

// baseURLField is the address that calls go to in place of the catalog's.
func baseURLField(l *catalog.Local) catalog.Field {
	f := catalog.Field{Name: "base_url", Type: "string", Doc: "Where the calls go; left out, to " + l.BaseURL + "."}
	f.Default, _ = json.Marshal(l.BaseURL) // a string always marshals
	for _, address := range l.Servers {
		v, _ := json.Marshal(address)
		f.Enum, f.Open = append(f.Enum, v), true
	}
	return f
}

func (m *Model) keepLocal(f *overlay.Form, l LocalSetup) tea.Cmd {
	keep, open, name := m.deps.Accounts.KeepLocal, m.deps.Open, m.deps.Session.Name
	return m.ask("keeping "+text.Sanitize(l.Name), platformTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		c, err := keep(ctx, name, l)
		if err != nil {
			return func(*Model) tea.Cmd { f.Fail(troubled(err)); return nil }
		}
		var next Session
		if open != nil {
			next, err = open(ctx, name)
		}
		return func(m *Model) tea.Cmd {
			m.closeForm(f)
			if err != nil {
				return m.say(troubled(err), true)
			}
			if open != nil {
				m.deps.Session = next
			}
			m.tree.SetGroup(localGroup, "called directly", m.deps.Session.Local)
			return tea.Batch(m.say(l.Name+" is kept; its credentials are being tried", false), m.checkOne(c))
		}
	})
}
