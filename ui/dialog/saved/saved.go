// Package saved is the feature that keeps calls under a name, lists, runs and
// forgets them. How they are kept and filled in is client/saved. It imports no
// other feature and not the root.
package saved

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/saved"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/tree"
)

// Store is where calls are kept as files.
type Store struct {
	// Load reads them all; the error tells files that are wrong.
	Load func() ([]saved.Call, error)
	// Save keeps a call: in the working folder for the team, else in the user's own.
	Save func(c *saved.Call, team bool) (path string, err error)
	// Doubt says why the file of a call needs a look before it is run, empty where it
	// needs none; Trust remembers that it had one. nil doubts nothing.
	Doubt func(c *saved.Call) string
	Trust func(c *saved.Call) error
}

// Feature is the saved calls.
type Feature struct {
	dialog.Host
	Store Store
	// Seek lists what was not listed yet until a connector suits, then asks found.
	Seek func(what string, suits func(client.Connector) bool, found func(missing error) intent.Intent) intent.Intent

	calls []saved.Call // those last read
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	none := "there is no place for saved calls"
	return []action.Row{
		{ID: "saved", After: "history", In: action.InAny, Keys: []string{"S"}, Label: "saved calls",
			Help:     "List the saved calls and run one",
			Disabled: func() string { return action.Reason(f.Store.Load == nil, none) }, Do: f.list},
		{ID: "save", After: "saved", In: action.InAny, Keys: []string{"ctrl+s"}, Label: "save call", Typing: true,
			Help:     "Save the call in the form under a name",
			Disabled: func() string { return cmp.Or(f.Request().Missing(), action.Reason(f.Store.Save == nil, none)) },
			Do:       f.save},
	}
}

// Load reads the saved calls.
func (f *Feature) Load() intent.Intent { return f.load(nil) }

// load reads the saved calls and then does more; nil does no more.
func (f *Feature) load(then func() intent.Intent) intent.Intent {
	if f.Store.Load == nil {
		return nil
	}
	return dialog.Quiet(func() (func() intent.Intent, error) {
		calls, err := f.Store.Load()
		return func() intent.Intent {
			f.calls = calls
			rows := make([]tree.SavedRow, len(calls))
			for i, c := range calls {
				rows[i] = tree.SavedRow{Name: c.Name, Note: c.Entity + " " + c.Action}
			}
			f.Tree().SetSaved(rows)
			var all intent.All
			if err != nil {
				all = append(all, intent.Say{Text: err.Error(), Bad: true})
			}
			if then != nil {
				all = append(all, then())
			}
			return all
		}, nil
	})
}

// list lists the saved calls.
func (f *Feature) list() intent.Intent {
	l := &overlay.List{Heading: "Saved calls", Prompt: "name, entity, kind", Wide: true,
		Help: "enter fills the form and runs it · ctrl+x forgets · esc closes"}
	fill := func() intent.Intent {
		l.Empty = "No saved call has these words."
		if len(f.calls) == 0 {
			l.Empty = "No call is saved yet: ctrl+s saves the one in the form."
		}
		l.Source = overlay.Static(f.Items())
		l.Refresh()
		return nil
	}
	l.OnItem = map[string]func(overlay.Item) intent.Intent{"ctrl+x": func(it overlay.Item) intent.Intent {
		c, err := saved.Find(f.calls, it.Value.(intent.RunSaved).Name)
		if err != nil {
			return intent.Failed(err)
		}
		return forget(c, f.load(fill))
	}}
	return f.load(func() intent.Intent { fill(); return intent.Push{Overlay: l} })
}

// forget removes the file of a call after asking, then does more.
func forget(c *saved.Call, then intent.Intent) intent.Intent {
	remove := dialog.Quiet(func() (func() intent.Intent, error) {
		if err := saved.Delete(c); err != nil {
			return nil, fmt.Errorf("the call could not be forgotten: %w", err)
		}
		return func() intent.Intent { return intent.All{then, intent.Say{Text: "forgotten"}} }, nil
	})
	return intent.Push{Overlay: &overlay.Confirm{Heading: "Forget this saved call?", Yes: "Forget it", No: "Keep it",
		Do:   remove,
		Text: []string{c.Name + ", which is kept in " + c.Path + "."}}}
}

// Items are the saved calls; choosing one runs it.
func (f *Feature) Items() []overlay.Item {
	items := make([]overlay.Item, 0, len(f.calls))
	for i := range f.calls {
		c := &f.calls[i]
		detail := c.Note
		if need := c.Needs(); len(need) > 0 {
			names := make([]string, len(need))
			for j, v := range need {
				names[j] = v.Name
			}
			detail = strings.TrimSpace(detail + "  asks for " + strings.Join(names, ", "))
		}
		items = append(items, overlay.Item{Title: c.Name, Detail: detail,
			Note:  c.Entity + " " + c.Action + " on " + cmp.Or(c.Connector, c.Kind),
			Value: intent.RunSaved{Name: c.Name}})
	}
	return items
}

// save asks for the name and note under which the call is kept.
func (f *Feature) save() intent.Intent {
	f.Request().EndTyping()
	c, e, a := f.Request().Place()
	form := &overlay.Form{Heading: "Save this call", Label: "saves it", Explain: []string{
		"Texts of the params that hold ${NAME} are asked for when the call is run. Calls in " + saved.Folder +
			"/ of the working folder can be committed for the team."}}
	form.Fields = dialog.Fields(f, []catalog.Field{
		{Name: "name", Type: "string", Required: true},
		{Name: "note", Type: "string", Doc: "A sentence for those who find it."},
		{Name: "where", Type: "string", Required: true,
			Enum: []json.RawMessage{json.RawMessage(`"own"`), json.RawMessage(`"team"`)},
			Doc:  "own: your settings folder; team: " + saved.Folder + "/ in the working folder."},
		{Name: "any_connector", Type: "boolean", Default: json.RawMessage("false"),
			Doc: "true runs it on any connector of this kind, not only on " + c.Name + "."},
	})
	form.Fields.Fill("/name", e+" "+a)
	form.Fields.Fill("/where", "own")
	params := f.Request().Draft()
	form.Submit = func(v overlay.Values) intent.Intent {
		call := &saved.Call{Name: v.Text("name"), Note: v.Text("note"), Kind: c.Kind, Connector: c.Name,
			Workspace: c.Workspace, Local: c.Local, Entity: e, Action: a, Params: params}
		if string(v["any_connector"]) == "true" {
			call.Connector, call.Workspace = "", ""
		}
		return f.keep(form, call, v.Text("where") == "team")
	}
	return intent.Push{Overlay: form}
}

// keep writes a call; what is wrong with it is told in the form.
func (f *Feature) keep(form *overlay.Form, c *saved.Call, team bool) intent.Intent {
	return dialog.Quiet(func() (func() intent.Intent, error) {
		path, err := f.Store.Save(c, team)
		return func() intent.Intent {
			if err != nil {
				form.Fail(err.Error())
				return nil
			}
			said := "saved as " + path + "; S outside the form lists the saved calls"
			return intent.All{intent.Close{Overlay: form}, intent.Say{Text: said, Log: intent.LogFile}, f.Load()}
		}, nil
	})
}

// Run runs the saved call of a name. Workspaces that were not opened yet are
// listed to find its connector.
func (f *Feature) Run(name string) intent.Intent {
	c, err := saved.Find(f.calls, name)
	if err != nil {
		return intent.Failed(err)
	}
	if f.Store.Doubt == nil {
		return f.find(c)
	}
	return dialog.Quiet(func() (func() intent.Intent, error) {
		why := f.Store.Doubt(c)
		return func() intent.Intent {
			if why == "" {
				return f.find(c)
			}
			return f.ask(c, why)
		}, nil
	})
}

// ask shows the file of a call that somebody else may have written, and runs it when
// the person trusts it.
func (f *Feature) ask(c *saved.Call, why string) intent.Intent {
	const most = 16
	lines := strings.Split(strings.TrimRight(string(c.Content), "\n"), "\n")
	told := []string{c.Path + " is a file of this folder that you did not trust yet, and " + why + ".", ""}
	told = append(told, lines[:min(len(lines), most)]...)
	if more := len(lines) - most; more > 0 {
		told = append(told, fmt.Sprintf("and %d more lines: read the file before you trust it", more))
	}
	trust := dialog.Quiet(func() (func() intent.Intent, error) {
		err := f.Store.Trust(c)
		return func() intent.Intent {
			if err != nil {
				return intent.All{intent.Say{Text: "it is not remembered: " + err.Error(), Bad: true}, f.find(c)}
			}
			return f.find(c)
		}, nil
	})
	return intent.Push{Overlay: &overlay.Confirm{Heading: "Trust this file?", Yes: "Trust it and run it",
		No: "Leave it", Strict: true, Do: trust, Text: told}}
}

// find looks for the connector of a call and runs it there.
func (f *Feature) find(c *saved.Call) intent.Intent {
	suits := c.Suits(f.Catalog())
	if conn, ok := f.connector(c, suits); ok {
		return f.runOn(c, conn)
	}
	return f.Seek("the connector of "+c.Name, suits, func(missing error) intent.Intent {
		conn, ok := f.connector(c, suits)
		switch {
		case ok:
			return f.runOn(c, conn)
		case missing != nil:
			return intent.Say{Bad: true, Text: "No connector was found for " + c.Name +
				", and a workspace could not be listed: " + client.AsError(missing).Error()}
		}
		return intent.Say{Bad: true, Text: "No connector here suits " + c.Name + ": it wants " + c.Wants() +
			". Saved with any_connector it runs on any of its kind"}
	})
}

// connector finds the connector of a saved call among those that are loaded: the
// one it names, else the open one, else the first of its kind.
func (f *Feature) connector(c *saved.Call, suits func(client.Connector) bool) (first client.Connector, found bool) {
	if open := f.Request().Connector(); open.Kind != "" && c.Connector == "" && suits(open) {
		return open, true
	}
	for _, have := range f.Tree().Connectors() {
		if suits(have) {
			return have, true
		}
	}
	return first, false
}

// runOn asks for the variables of a call, then opens its form and runs it.
func (f *Feature) runOn(c *saved.Call, conn client.Connector) intent.Intent {
	_, _, a, err := f.Catalog().Resolve(conn.Kind, c.Entity, c.Action)
	if err != nil {
		return intent.Failed(err)
	}
	open := func(vars map[string]string) (intent.Intent, error) {
		op, err := c.Substitute(vars, a)
		return intent.OpenAction{Connector: conn, Entity: op.Entity, Action: op.Action, Params: op.Params, Run: true},
			err
	}
	need := c.Needs()
	if len(need) == 0 {
		in, err := open(nil)
		if err != nil {
			return intent.Failed(err)
		}
		return in
	}
	fields := make([]catalog.Field, len(need))
	for i, v := range need {
		fields[i] = catalog.Field{Name: v.Name, Type: "string", Doc: v.Description, Required: v.Default == nil}
		if v.Default != nil {
			fields[i].Default, _ = json.Marshal(*v.Default) // a string always marshals
		}
	}
	form := &overlay.Form{Heading: "Run " + c.Name, Label: "runs it", Fields: dialog.Fields(f, fields)}
	if c.Note != "" {
		form.Explain = []string{c.Note}
	}
	form.Submit = func(v overlay.Values) intent.Intent {
		in, err := open(v.All())
		if err != nil {
			form.Fail(err.Error())
			return nil
		}
		return intent.All{intent.Close{Overlay: form}, in}
	}
	return intent.Push{Overlay: form}
}
