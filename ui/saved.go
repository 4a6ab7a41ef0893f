package ui

import (
	"context"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/saved"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/pane"
	"patchbay/ui/text"
)

func (m *Model) noSaved() string {
	return reason(m.deps.Saved.Load == nil, "there is no place for saved calls")
}

func (m *Model) noSave() string {
	if why := m.noRequest(); why != "" {
		return why
	}
	return reason(m.deps.Saved.Save == nil, "there is no place for saved calls")
}

// loadSaved reads the saved calls beside the update loop, then goes on.
func (m *Model) loadSaved(then func(*Model) tea.Cmd) tea.Cmd {
	load := m.deps.Saved.Load
	if load == nil {
		return nil
	}
	return m.async(historyTimeout, func(context.Context) func(*Model) tea.Cmd {
		calls, err := load()
		return func(m *Model) tea.Cmd {
			m.calls = calls
			m.tree.SetSaved(savedRows(calls))
			var cmd tea.Cmd
			if err != nil {
				cmd = m.say(err.Error(), true)
			}
			if then != nil {
				return tea.Batch(cmd, then(m))
			}
			return cmd
		}
	})
}

func savedRows(calls []saved.Call) []pane.SavedRow {
	rows := make([]pane.SavedRow, len(calls))
	for i := range calls {
		rows[i] = pane.SavedRow{Name: calls[i].Name, Note: calls[i].Entity + " " + calls[i].Action}
	}
	return rows
}

// runSavedName runs the saved call of a name.
func (m *Model) runSavedName(name string) tea.Cmd {
	c, err := saved.Find(m.calls, name)
	if err != nil {
		return m.say(err.Error(), true)
	}
	return m.runSaved(c)
}

// openSaved lists the saved calls.
func (m *Model) openSaved() tea.Cmd {
	return m.loadSaved(func(m *Model) tea.Cmd {
		empty := "No saved call has these words."
		if len(m.calls) == 0 {
			empty = "No call is saved yet: ctrl+s saves the one in the form."
		}
		return m.push(&overlay.List{Heading: "Saved calls", Prompt: "name, entity, kind", Wide: true, Source: overlay.Static(m.savedItems()),
			Empty: empty, Help: "enter fills the form and runs it · esc closes", Choose: chosenIntent})
	})
}

func (m *Model) savedItems() []overlay.Item {
	items := make([]overlay.Item, 0, len(m.calls))
	for i := range m.calls {
		c := &m.calls[i]
		where := c.Connector
		if where == "" {
			where = c.Kind
		}
		detail := c.Note
		if need := c.Needs(); len(need) > 0 {
			names := make([]string, len(need))
			for j, v := range need {
				names[j] = v.Name
			}
			detail = strings.TrimSpace(detail + "  asks for " + strings.Join(names, ", "))
		}
		items = append(items, overlay.Item{Title: text.Sanitize(c.Name), Note: text.Sanitize(c.Entity + " " + c.Action + " on " + where), Detail: text.Sanitize(detail),
			Value: then(func() tea.Cmd { return m.runSaved(c) })})
	}
	return items
}

// savedConnector finds the connector of a saved call among those that are
// loaded: the one it names, else the open one, else the first of its kind.
func (m *Model) savedConnector(c *saved.Call) (first client.Connector, found bool) {
	fits := m.fitsSaved(c)
	if open := m.req.Connector(); open.Kind != "" && c.Connector == "" && fits(open) {
		return open, true
	}
	for _, have := range m.tree.Connectors() {
		if fits(have) {
			return have, true
		}
	}
	return first, false
}

// fitsSaved tells the connectors that a saved call can be run on.
func (m *Model) fitsSaved(c *saved.Call) func(client.Connector) bool {
	kind := c.Kind
	if k, err := m.deps.Catalog.Kind(c.Kind); err == nil {
		kind = k.Name
	}
	return func(have client.Connector) bool {
		if have.Local != c.Local || (c.Workspace != "" && !c.Local && have.Workspace != c.Workspace) || (kind != "" && have.Kind != kind) {
			return false
		}
		return c.Connector == "" || have.Name == c.Connector || have.ID == c.Connector
	}
}

// runSaved finds the connector of a call, for which workspaces that were not
// opened yet are listed, and runs it there.
func (m *Model) runSaved(c *saved.Call) tea.Cmd {
	if conn, ok := m.savedConnector(c); ok {
		return m.runSavedOn(c, conn)
	}
	return m.seek("the connector of "+c.Name, m.fitsSaved(c), func(m *Model, missing error) tea.Cmd {
		if conn, ok := m.savedConnector(c); ok {
			return m.runSavedOn(c, conn)
		}
		if missing != nil {
			return m.say("No connector was found for "+c.Name+", and a workspace could not be listed: "+client.AsError(missing).Error(), true)
		}
		return m.say("No connector here suits "+c.Name+": it wants "+wantsOfSaved(c)+". Saved with any_connector it runs on any of its kind", true)
	})
}

// wantsOfSaved says which connector a saved call is for.
func wantsOfSaved(c *saved.Call) string {
	t := "a connector of kind " + c.Kind
	if c.Connector != "" {
		t = "connector " + c.Connector
	}
	if c.Workspace != "" {
		t += " in workspace " + c.Workspace
	}
	return t
}

// runSavedOn asks for the variables of a call, then opens its form and runs it.
func (m *Model) runSavedOn(c *saved.Call, conn client.Connector) tea.Cmd {
	_, _, a, err := m.deps.Catalog.Resolve(conn.Kind, c.Entity, c.Action)
	if err != nil {
		return m.say(err.Error(), true)
	}
	need := c.Needs()
	if len(need) == 0 {
		return m.openSavedCall(c, conn, a, nil, nil)
	}
	f := &overlay.Form{Heading: "Run " + text.Sanitize(c.Name), Label: "runs it", Fields: m.newFields(variableFields(need))}
	if c.Note != "" {
		f.Explain = []string{text.Sanitize(c.Note)}
	}
	f.Submit = func(raw json.RawMessage) intent.Intent {
		vars := map[string]string{}
		for name, v := range values(raw) {
			vars[name] = str(v)
		}
		return then(func() tea.Cmd { return m.openSavedCall(c, conn, a, vars, f) })
	}
	return m.push(f)
}

func variableFields(need []saved.Variable) []catalog.Field {
	fields := make([]catalog.Field, 0, len(need))
	for _, v := range need {
		f := catalog.Field{Name: v.Name, Type: "string", Doc: v.Description, Required: v.Default == nil}
		if v.Default != nil {
			f.Default, _ = json.Marshal(*v.Default) // a string always marshals
		}
		fields = append(fields, f)
	}
	return fields
}

func (m *Model) openSavedCall(c *saved.Call, conn client.Connector, a *catalog.Action, vars map[string]string, f *overlay.Form) tea.Cmd {
	op, err := c.Substitute(vars, a)
	if err != nil {
		if f != nil {
			f.Fail(err.Error())
			return nil
		}
		return m.say(err.Error(), true)
	}
	if f != nil {
		m.closeForm(f)
	}
	return m.perform(intent.OpenAction{Connector: conn, Entity: op.Entity, Action: op.Action, Params: op.Params, Run: true})
}

// openSave asks for the name and note under which the call is kept.
func (m *Model) openSave() tea.Cmd {
	m.req.StopEditing()
	c, e, a := m.req.Place()
	f := &overlay.Form{Heading: "Save this call", Label: "saves it", Explain: []string{
		"Texts of the params that hold ${NAME} are asked for when the call is run. Calls in " + saved.Folder + "/ of the working folder can be committed for the team."}}
	f.Fields = m.newFields([]catalog.Field{
		{Name: "name", Type: "string", Required: true},
		{Name: "note", Type: "string", Doc: "A sentence for those who find it."},
		{Name: "where", Type: "string", Required: true, Enum: []json.RawMessage{json.RawMessage(`"own"`), json.RawMessage(`"team"`)},
			Doc: "own: your settings folder; team: " + saved.Folder + "/ in the working folder."},
		{Name: "any_connector", Type: "boolean", Default: json.RawMessage("false"), Doc: "true runs it on any connector of this kind, not only on " + text.Sanitize(c.Name) + "."},
	})
	f.Fields.Fill("/name", e+" "+a)
	f.Fields.Fill("/where", "own")
	params := m.req.Draft()
	f.Submit = func(raw json.RawMessage) intent.Intent {
		v := values(raw)
		call := &saved.Call{Name: str(v["name"]), Note: str(v["note"]), Kind: c.Kind, Connector: c.Name, Workspace: c.Workspace, Local: c.Local,
			Entity: e, Action: a, Params: params}
		if string(v["any_connector"]) == "true" {
			call.Connector, call.Workspace = "", ""
		}
		return then(func() tea.Cmd { return m.saveCall(f, call, str(v["where"]) == "team") })
	}
	return m.push(f)
}

func (m *Model) saveCall(f *overlay.Form, c *saved.Call, team bool) tea.Cmd {
	save := m.deps.Saved.Save
	return m.async(historyTimeout, func(context.Context) func(*Model) tea.Cmd {
		path, err := save(c, team)
		return func(m *Model) tea.Cmd {
			if err != nil {
				f.Fail(err.Error())
				return nil
			}
			m.closeForm(f)
			return tea.Batch(m.tell(logFile, "saved as "+path+"; S outside the form lists the saved calls"), m.loadSaved(nil))
		}
	})
}
