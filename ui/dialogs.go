package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/payload"
	"patchbay/client/profile"
	"patchbay/client/records"
	"patchbay/themes"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/pane"
	"patchbay/ui/result"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// push opens an overlay.
func (m *Model) push(o overlay.Overlay) tea.Cmd {
	m.stack.Push(o)
	return nil
}

// choose opens a list for a pane that asked for a choice.
func (m *Model) choose(c intent.Choose) tea.Cmd {
	l := &overlay.List{Heading: text.Sanitize(c.Title), Prompt: "type to search",
		Choose: func(it overlay.Item) intent.Intent { return c.Done(it.Value.(string)) }}
	items := make([]overlay.Item, 0, len(c.Options))
	for _, o := range c.Options {
		items = append(items, overlay.Item{Title: text.Sanitize(o.Title), Note: text.Sanitize(o.Note), Detail: text.Sanitize(o.Detail), Disabled: o.Disabled, Value: o.Value})
	}
	static := overlay.Static(items)
	l.Source = static
	if c.Free {
		l.Help = "type to search, or a value of your own · enter takes it · esc closes"
		l.Source = func(q string) []overlay.Item { return withOwn(static(q), q) }
	}
	l.Select(func(it overlay.Item) bool { return it.Value == c.Current })
	if c.Query != "" {
		l.SetQuery(c.Query)
	}
	return m.push(l)
}

// withOwn puts the typed text itself behind the matches.
func withOwn(items []overlay.Item, q string) []overlay.Item {
	if q == "" {
		return items
	}
	for _, it := range items {
		if it.Value == q {
			return items
		}
	}
	own := overlay.Item{Title: text.Sanitize(q), Note: "as typed", Value: q}
	return append(slices.Clone(items), own)
}

// openHelp lists every action with its keys; choosing one runs it.
func (m *Model) openHelp() tea.Cmd {
	scopes := m.scopes()
	var here, rest []overlay.Item
	for i := range m.actions {
		it := m.actionItem(&m.actions[i])
		if slices.Contains(scopes[:len(scopes)-1], m.actions[i].In) {
			it.Group = "Here: " + string(m.actions[i].In)
			here = append(here, it)
		} else {
			it.Group = map[bool]string{true: "In any pane", false: "In " + string(m.actions[i].In)}[m.actions[i].In == inAny]
			rest = append(rest, it)
		}
	}
	return m.push(&overlay.List{Heading: "Keys and actions", Prompt: "type what you want to do", Wide: true,
		Source: overlay.Static(append(here, rest...)), Choose: m.runItem})
}

func (m *Model) actionItem(a *action) overlay.Item {
	it := overlay.Item{Title: a.Help, Key: strings.Join(m.keymap.keys[a.ID], " "), Value: a.ID}
	if a.Disabled != nil {
		it.Disabled = a.Disabled(m)
	}
	return it
}

func (m *Model) runItem(it overlay.Item) intent.Intent { return intent.Do{ID: it.Value.(string)} }

// openCommand is the command line: actions by their ids.
func (m *Model) openCommand() tea.Cmd {
	p := overlay.NewPrompt("Command", "Name of an action; tab completes. ? lists all with their keys.", "", func(v string) intent.Intent {
		m.commands = append(m.commands, strings.TrimSpace(v))
		return intent.Do{ID: strings.TrimSpace(v)}
	})
	p.History = m.commands
	p.Check = func(v string) string {
		if m.actionByID(strings.TrimSpace(v)) == nil {
			return "there is no action " + v + "; tab completes what you typed"
		}
		return ""
	}
	p.Complete = func(stem string) []string {
		var out []string
		for i := range m.actions {
			if strings.HasPrefix(m.actions[i].ID, strings.TrimSpace(stem)) {
				out = append(out, m.actions[i].ID)
			}
		}
		return out
	}
	return m.push(p)
}

// paletteHits is how many hits of the catalog the palette shows.
const paletteHits = 60

// openPalette searches the whole catalog and the actions.
func (m *Model) openPalette() tea.Cmd {
	var acts []overlay.Item
	for i := range m.actions {
		it := m.actionItem(&m.actions[i])
		it.Group = "Actions"
		acts = append(acts, it)
	}
	static := overlay.Static(acts)
	return m.push(&overlay.List{Heading: "Search everything", Prompt: "customers list, jql, refund, created …", Wide: true,
		Empty:  "Nothing in the catalog holds these words. Fewer or shorter words find more.",
		Source: func(q string) []overlay.Item { return m.paletteItems(q, static) },
		Choose: func(it overlay.Item) intent.Intent {
			if hit, ok := it.Value.(catalog.Hit); ok {
				return intent.GoTo{Hit: hit}
			}
			if c, ok := it.Value.(client.Connector); ok {
				return then(func() tea.Cmd { return m.goToConnector(c) })
			}
			if _, ok := it.Value.(string); !ok {
				return it.Value // a saved call
			}
			return m.runItem(it)
		}})
}

func (m *Model) paletteItems(q string, actions func(string) []overlay.Item) []overlay.Item {
	if strings.TrimSpace(q) == "" {
		return actions("")
	}
	out := m.connectorItems(q)
	for _, h := range m.deps.Catalog.Search(q, paletteHits) {
		out = append(out, overlay.Item{Title: h.Title, Marks: h.Matched, Note: h.What + "  " + h.Path(), Detail: hitDetail(h), Value: h})
	}
	for i, it := range overlay.Static(m.savedItems())(q) {
		if i == 5 {
			break
		}
		it.Note = "saved call  " + it.Note
		out = append(out, it)
	}
	for i, it := range actions(q) {
		if i == 5 {
			break
		}
		it.Note = "action of this program"
		out = append(out, it)
	}
	return out
}

// connectorItems are the known connectors whose name or workspace holds every
// word. Those that are called like their kind are left to the catalog's hits,
// unless the workspace was asked for.
func (m *Model) connectorItems(q string) []overlay.Item {
	words := strings.Fields(strings.ToLower(q))
	var out []overlay.Item
	for _, c := range m.tree.Connectors() {
		name, place := strings.ToLower(c.Name), strings.ToLower(c.Workspace)
		asked := false
		found := !slices.ContainsFunc(words, func(w string) bool {
			inName, inPlace := strings.Contains(name, w), strings.Contains(place, w)
			asked = asked || inPlace || inName && c.Name != c.Kind
			return !inName && !inPlace
		})
		if found && asked {
			out = append(out, overlay.Item{Title: text.Sanitize(c.Name), Note: "connector  " + text.Sanitize(c.Workspace) + " > " + text.Sanitize(c.Name), Value: c})
		}
	}
	return out
}

// goToConnector shows a connector in the tree.
func (m *Model) goToConnector(c client.Connector) tea.Cmd {
	m.arr.focus = paneTree
	return tea.Batch(m.perform(m.tree.Reveal(c, "", "")), m.relayout())
}

func hitDetail(h catalog.Hit) string {
	d := h.Doc
	if h.Why != "" {
		if d != "" {
			d += "  "
		}
		d += "(" + h.Why + ")"
	}
	return d
}

// goTo opens the place of a hit in the first connector of its kind.
func (m *Model) goTo(h catalog.Hit) tea.Cmd {
	var c client.Connector
	found := false
	for _, have := range m.tree.Connectors() {
		if have.Kind == h.Kind && (!found || (m.req.HasAction() && have.Workspace == m.req.Connector().Workspace)) {
			c, found = have, true
		}
	}
	if !found {
		return tea.Batch(m.docsOf(h.Kind, h.Entity, h.Action), m.say("No open workspace has a connector of kind "+h.Kind+"; this is its documentation", false))
	}
	p := profile.Place{Connector: c, Entity: h.Entity, Action: h.Action}
	if h.Entity == "" {
		return m.goToConnector(c)
	}
	if h.Action == "" {
		p.Action = m.firstAction(h.Kind, h.Entity)
	}
	m.pending = &pendingPlace{place: p, focus: paneRequest}
	return m.resume()
}

// firstAction is the action to show for an entity: the one that reads most.
func (m *Model) firstAction(kind, entity string) string {
	k, err := m.deps.Catalog.Kind(kind)
	if err != nil {
		return ""
	}
	e := k.Entity(entity)
	if e == nil || len(e.Actions) == 0 {
		return ""
	}
	for _, want := range []string{catalog.ActionList, catalog.ActionAPISearch, catalog.ActionGet} {
		if e.Action(want) != nil {
			return want
		}
	}
	return e.Actions[0].Name
}

// openDocs shows the documentation of what is under the cursor.
func (m *Model) openDocs() tea.Cmd {
	if m.arr.focus == paneTree {
		if n := m.tree.Current(); n != nil && n.Connector.Kind != "" {
			return m.docsOf(n.Connector.Kind, n.Entity, n.Action)
		}
	}
	if m.req.HasAction() {
		return m.docsOf(m.req.Kind().Name, m.req.Entity().Name, m.req.Action().Name)
	}
	return m.say("put the cursor on a connector, an entity or an action first", true)
}

func (m *Model) docsOf(kind, entity, action string) tea.Cmd {
	k, err := m.deps.Catalog.Kind(kind)
	if err != nil {
		return m.say(err.Error(), true)
	}
	title := k.Title
	for _, part := range []string{entity, action} {
		if part != "" {
			title += " / " + part
		}
	}
	return m.push(&overlay.Reader{Heading: title, Body: docLines(k.Describe(entity, action)), CopyWhat: "documentation", Wide: true})
}

func docLines(list []catalog.DocLine) []overlay.Line {
	var out []overlay.Line
	for _, d := range list {
		l := overlay.Line{Text: d.Text, Indent: 2 * d.Indent}
		switch d.Role {
		case catalog.DocTitle:
			l.Text, l.Tone = strings.TrimSpace(d.Name+"  "+d.Text), overlay.Accent
		case catalog.DocSection:
			out = append(out, overlay.Line{})
			l.Text, l.Tone = d.Name, overlay.Heading
		case catalog.DocField:
			l.Label, l.LabelWidth = d.Name, 24
			facts := strings.Join(append([]string{d.Type}, d.Marks...), ", ")
			l.Text = strings.TrimSpace(facts + "  " + d.Text)
		default:
			l.Text = strings.TrimSpace(d.Name + "  " + d.Text)
		}
		if d.Source != catalog.Documented {
			l.Text += "  [" + string(d.Source) + "]"
		}
		out = append(out, l)
	}
	return out
}

// docsAside is the documentation beside the form where there is room.
func (m *Model) docsAside(w, h int) (string, []string) {
	if !m.req.HasAction() {
		return "Docs", nil
	}
	r := &overlay.Reader{Body: docLines(m.req.Kind().Describe(m.req.Entity().Name, m.req.Action().Name))}
	lines, _ := r.Draw(max(w-2, 1), h, m.styles)
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return "Docs", lines
}

// openPreview shows the exact request.
func (m *Model) openPreview() tea.Cmd {
	op, problem := m.req.Operation()
	req, err := m.deps.Session.Service.Preview(m.target(), op)
	if err != nil {
		return m.say(client.AsError(err).Error(), true)
	}
	var body []overlay.Line
	if problem != "" {
		body = append(body, overlay.Line{Text: "Not valid yet: " + problem, Tone: overlay.Warn}, overlay.Line{})
	}
	body = append(body, requestLines(req)...)
	return m.push(&overlay.Reader{Heading: "The exact request", Body: body, CopyWhat: "request", Wide: true,
		Keys: map[string]intent.Intent{"Y": intent.All{intent.Close{}, intent.Do{ID: "copy.call"}}}, KeyHelp: "Y copy as…"})
}

func requestLines(req *client.Request) []overlay.Line {
	url := req.URL
	for i, q := range req.Query {
		sep := "&"
		if i == 0 && !strings.Contains(url, "?") {
			sep = "?"
		}
		url += sep + q.Name + "=" + q.Value
	}
	out := []overlay.Line{{Text: text.Sanitize(req.Method + " " + url), Tone: overlay.Accent}}
	for _, h := range req.Headers {
		out = append(out, overlay.Line{Label: text.Sanitize(h.Name) + ":", Text: text.Sanitize(h.Value)})
	}
	if req.Basic != nil {
		out = append(out, overlay.Line{Label: "Authorization:", Text: "Basic " + req.Basic.User + ":" + req.Basic.Password + " (base64)"})
	}
	out = append(out, overlay.Line{})
	for _, l := range text.Lines(prettyBody(req.Body)) {
		out = append(out, overlay.Line{Text: l, Tone: overlay.JSON})
	}
	for _, n := range req.Notes {
		out = append(out, overlay.Line{Text: text.Sanitize(n), Tone: overlay.Dim})
	}
	for _, v := range req.Env {
		out = append(out, overlay.Line{Text: "$" + v.Name + " holds " + text.Sanitize(v.Meaning), Tone: overlay.Dim})
	}
	return out
}

func prettyBody(body []byte) string {
	var v json.RawMessage
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return string(body)
	}
	return string(b)
}

// openCopyCall lists the formats that a call can be copied in.
func (m *Model) openCopyCall() tea.Cmd {
	var items []overlay.Item
	for _, f := range curlFirst(slices.Clone(payload.Formats())) {
		it := overlay.Item{Title: f.Title, Value: f.Name}
		if t, err := m.renderCall(f); err != nil {
			it.Disabled = err.Error()
		} else {
			it.Detail = text.Sanitize(strings.Join(strings.Fields(t[:min(len(t), 1000)]), " "))
		}
		items = append(items, it)
	}
	return m.push(&overlay.List{Heading: "Copy the call as", Prompt: "curl, json, …", Source: overlay.Static(items),
		Choose: func(it overlay.Item) intent.Intent {
			return then(func() tea.Cmd { return m.copyCall(it.Value.(string)) })
		}})
}

// curlFirst puts the format that most people want at the top.
func curlFirst(list []payload.Format) []payload.Format {
	slices.SortStableFunc(list, func(a, b payload.Format) int {
		return map[bool]int{true: -1}[a.Name == "curl"] - map[bool]int{true: -1}[b.Name == "curl"]
	})
	return list
}

func (m *Model) renderCall(f payload.Format) (string, error) {
	op, _ := m.req.Operation()
	req, err := m.deps.Session.Service.Preview(m.target(), op)
	if err != nil {
		return "", err
	}
	return f.Render(payload.Input{Operation: op, Target: m.target(), OrganizationID: m.deps.Session.Organization, Request: req, Preset: m.deps.Session.Preset})
}

func (m *Model) copyCall(name string) tea.Cmd {
	f, ok := payload.ByName(name)
	if !ok {
		return nil
	}
	if m.deps.Session.Sandbox && m.deps.Listen != nil {
		return listenThenCopy(m.deps.Listen, f, m.deps.Session.BaseURL, m.renderCall)
	}
	t, err := m.renderCall(f)
	if err != nil {
		return m.say(err.Error(), true)
	}
	return m.copy(t, f.Title)
}

// openCopy lists what can be copied from the focused pane.
func (m *Model) openCopy() tea.Cmd {
	var opts []result.CopyOption
	switch m.arr.focus {
	case paneResponse:
		opts = m.res.Copies()
	case paneRequest:
		if m.req.HasAction() {
			t := m.req.Text()
			opts = []result.CopyOption{{Title: "Params as JSON", What: "params", Text: func(context.Context) (string, error) { return t, nil }}}
		}
	case paneTree:
		opts = m.treeCopies()
	}
	if len(opts) == 0 {
		return m.say("there is nothing to copy here yet", true)
	}
	items := make([]overlay.Item, len(opts))
	for i, o := range opts {
		items[i] = overlay.Item{Title: text.Sanitize(o.Title), Value: i}
	}
	return m.push(&overlay.List{Heading: "Copy", Source: overlay.Static(items), Choose: func(it overlay.Item) intent.Intent {
		o := opts[it.Value.(int)]
		return intent.Work{What: "copying", Do: func(ctx context.Context) (func() intent.Intent, error) {
			t, err := o.Text(ctx)
			return func() intent.Intent { return intent.Copy{Text: t, What: o.What} }, err
		}}
	}})
}

func (m *Model) treeCopies() []result.CopyOption {
	n := m.tree.Current()
	if n == nil {
		return nil
	}
	plain := func(title, what, t string) result.CopyOption {
		return result.CopyOption{Title: title, What: what, Text: func(context.Context) (string, error) { return t, nil }}
	}
	var out []result.CopyOption
	if n.Action != "" {
		out = append(out, plain("Name of the action", "name", n.Action))
	}
	if n.Entity != "" {
		out = append(out, plain("Name of the entity", "name", n.Entity))
	}
	if n.Connector.ID != "" {
		out = append(out, plain("Id of the connector", "connector id", n.Connector.ID), plain("Name of the connector", "name", n.Connector.Name))
	}
	return append(out, plain("Name of the workspace", "name", n.Workspace))
}

// openThing lists what can be done with the thing under the cursor.
func (m *Model) openThing() tea.Cmd {
	var items []overlay.Item
	for i := range m.actions {
		a := &m.actions[i]
		if slices.Contains(m.scopes()[:len(m.scopes())-1], a.In) || slices.Contains([]string{"run", "preview", "copy.call", "copy", "docs"}, a.ID) {
			items = append(items, m.actionItem(a))
		}
	}
	return m.push(&overlay.List{Heading: "What to do here", Source: overlay.Static(items), Choose: m.runItem})
}

// openFieldMenu lists the states and row actions of the field under the cursor.
func (m *Model) openFieldMenu() tea.Cmd {
	opts := m.req.Menu()
	if len(opts) == 0 {
		return m.say("there is nothing to set on this row", true)
	}
	return m.choose(intent.Choose{Title: "This field", Options: opts, Done: func(v string) intent.Intent { return m.req.Pick(v) }})
}

func (m *Model) openEditor() tea.Cmd { return edit(m.deps.Editor, m.req.Text()) }

// openTreeFilter filters the tree as one types.
func (m *Model) openTreeFilter() tea.Cmd {
	before := m.tree.Filter()
	p := overlay.NewPrompt("Filter the tree", "Words that names must hold. enter keeps the filter, esc takes it back.", before, func(v string) intent.Intent {
		m.tree.SetFilter(v)
		return nil
	})
	p.Changed = func(v string) intent.Intent { m.tree.SetFilter(v); return nil }
	p.Cancel = intent.Call{F: func() intent.Intent { m.tree.SetFilter(before); return nil }}
	return m.push(p)
}

// openSearch asks for the text to filter or search by.
func (m *Model) openSearch() tea.Cmd {
	explain := "Text to search for in this view; n and N go on."
	if m.res.Scope() == "table" {
		explain = "Rows that hold a text. !text rows without it, ~text a regular expression, 'text letters in order, column:text in one column, column:=text exactly."
	}
	return m.push(overlay.NewPrompt("Search", explain, m.res.SearchText(), m.res.Search))
}

// openColumns chooses columns: enter shows or hides, ctrl+up and ctrl+down would move; order is by choice.
func (m *Model) openColumns() tea.Cmd {
	all, shown := m.res.Columns()
	l := &overlay.List{Heading: "Columns", Prompt: "type a name", Help: "enter shows or hides · shown ones come first, in this order · esc closes", Keep: true}
	l.Source = func(q string) []overlay.Item { return overlay.Static(columnItems(all, shown))(q) }
	l.Choose = func(it overlay.Item) intent.Intent {
		name := it.Value.(string)
		if i := slices.Index(shown, name); i >= 0 {
			shown = slices.Delete(slices.Clone(shown), i, i+1)
		} else {
			shown = append(slices.Clone(shown), name)
		}
		if len(shown) == 0 {
			shown = []string{name}
		}
		m.res.SetColumns(shown)
		l.Refresh()
		return then(m.keepLayout)
	}
	return m.push(l)
}

func columnItems(all []records.Column, shown []string) []overlay.Item {
	var items []overlay.Item
	for _, name := range shown {
		items = append(items, overlay.Item{Title: "[x] " + text.Sanitize(name), Value: name})
	}
	for _, c := range all {
		if slices.Contains(shown, c.Name) {
			continue
		}
		note := c.Type
		if !c.Useful() {
			note += ", empty here"
		}
		items = append(items, overlay.Item{Title: "[ ] " + text.Sanitize(c.Name), Note: note, Value: c.Name})
	}
	return items
}

// openCell shows the whole value of a cell.
func (m *Model) openCell() tea.Cmd {
	path, raw, decoded, ok := m.res.Cell()
	if !ok {
		return m.say("there is no cell under the cursor", true)
	}
	var body []overlay.Line
	t := decoded
	if strings.HasPrefix(raw, "{") || strings.HasPrefix(raw, "[") {
		t = raw
	}
	if raw == "" {
		body = append(body, overlay.Line{Text: "absent: the record has no such field", Tone: overlay.Dim})
	}
	for _, l := range text.Lines(t) {
		body = append(body, overlay.Line{Text: l})
	}
	return m.push(&overlay.Reader{Heading: text.Sanitize(path), Body: body, CopyText: decoded, CopyWhat: "value", Wide: true})
}

// openThemes chooses a theme with a live preview.
func (m *Model) openThemes() tea.Cmd {
	before, chosen := m.styles.Theme.Name, m.chosen
	var items []overlay.Item
	names := themes.Names()
	if m.deps.ThemeDir != "" {
		for _, n := range themes.UserNames(m.deps.ThemeDir) {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	for _, n := range names {
		it := overlay.Item{Title: n, Value: n}
		if t, err := themes.Load(n, m.deps.ThemeDir); err != nil {
			it.Disabled = err.Error()
		} else {
			it.Note = t.Title
			it.Group = map[string]string{"dark": "Dark", "light": "Light"}[t.Mode]
		}
		items = append(items, it)
	}
	l := &overlay.List{Heading: "Theme", Source: overlay.Static(items), Help: "↑↓ preview · enter keeps · esc goes back"}
	l.Moved = func(it overlay.Item) intent.Intent {
		if it.Disabled == "" {
			m.setTheme(it.Value.(string))
		}
		return nil
	}
	l.Choose = func(it overlay.Item) intent.Intent {
		m.setTheme(it.Value.(string))
		m.deps.Settings.Theme = it.Value.(string)
		return then(m.saveSettings)
	}
	l.Cancel = intent.Call{F: func() intent.Intent { m.setTheme(before); m.chosen = chosen; return nil }}
	return m.push(l.Select(func(it overlay.Item) bool { return it.Value == before }))
}

// openLog lists what the program did; choosing a call reopens its answer.
func (m *Model) openLog() tea.Cmd {
	var items []overlay.Item
	for _, e := range slices.Backward(m.log.entries) {
		it := overlay.Item{Title: e.at.Format("15:04:05") + "  " + e.text, Note: string(e.kind), Value: e}
		items = append(items, it)
	}
	return m.push(&overlay.List{Heading: "Log", Wide: true, Source: overlay.Static(items), Empty: "Nothing happened yet.",
		Help: "enter reopens an answer or shows the line in full · esc closes",
		Choose: func(it overlay.Item) intent.Intent {
			return then(func() tea.Cmd { return m.reopen(it.Value.(entry)) })
		}})
}

func (m *Model) reopen(e entry) tea.Cmd {
	if e.page == nil {
		return m.push(&overlay.Reader{Heading: string(e.kind), Body: []overlay.Line{{Text: e.text}}})
	}
	opened := m.perform(m.res.Open(e.page))
	return tea.Batch(opened, m.focusOn(paneResponse))
}

func (m *Model) askQuit() tea.Cmd {
	return m.push(&overlay.Confirm{Heading: "Quit?", Text: []string{"Leave patchbay?"}, Yes: "Quit", No: "Stay", Do: command{tea.Quit}})
}

// pastedElsewhere asks what to do with a pasted call of another action of the
// same connector; nil when the text is none.
func (m *Model) pastedElsewhere(t string) overlay.Overlay {
	if !m.req.HasAction() || m.req.Editing() {
		return nil
	}
	parsed, err := payload.Parse(t)
	if err != nil {
		return nil
	}
	op := payload.Exact(parsed.Operation, m.req.Kind())
	if op.Entity == "" || (op.Entity == m.req.Entity().Name && op.Action == m.req.Action().Name) {
		return nil
	}
	e := m.req.Kind().Entity(op.Entity)
	if e == nil || e.Action(op.Action) == nil {
		return nil
	}
	return &overlay.Confirm{Heading: "A call of another action", Yes: "Go there", No: "Stay",
		Text: []string{"The pasted text calls " + op.Entity + " " + op.Action + ". Open its form, filled from the text? The form here stays as it is until then."},
		Do:   intent.OpenAction{Connector: m.req.Connector(), Entity: op.Entity, Action: op.Action, Params: op.Params}}
}

// readPasted understands a pasted call or JSON object.
func (m *Model) readPasted(t string) (json.RawMessage, string, error) {
	parsed, err := payload.Parse(t)
	if err != nil {
		return nil, "", err
	}
	op := parsed.Operation
	if m.req.HasAction() {
		op = payload.Exact(op, m.req.Kind())
	}
	if op.Entity != "" && m.req.HasAction() && (op.Entity != m.req.Entity().Name || op.Action != m.req.Action().Name) {
		return nil, "", fmt.Errorf("the pasted %s calls %s %s, which this connector does not have", parsed.Format, op.Entity, op.Action)
	}
	return op.Params, text.Sanitize("params taken from the pasted " + parsed.Format), nil
}

// withCard draws the response, above the first-run card while that is shown.
func (m *Model) withCard(in image.Rectangle) []string {
	focused := m.arr.focus == paneResponse
	var card []string
	if m.card {
		card = cardLines(in.Dx(), m.styles)
		if in.Dy() < 3*len(card) {
			card = card[len(card)-1:]
		}
	}
	room := in.Dy() - len(card)
	lines := m.res.Lines(in.Dx(), room, m.styles, focused)
	for len(card) > 0 && len(lines) < room {
		lines = append(lines, "")
	}
	return append(lines[:min(len(lines), room):min(len(lines), room)], card...)
}

func cardLines(w int, s *style.Styles) []string {
	row := func(k1, t1, k2, t2 string) string {
		half := w / 2
		left := " " + s.Key.Render(k1) + " " + s.Text.Render(t1)
		return text.Pad(left, half) + s.Key.Render(k2) + " " + s.Text.Render(t2)
	}
	bar := "─"
	if s.ASCII {
		bar = "-"
	}
	head := " first time here? "
	return []string{
		s.Border.Render(bar+bar) + s.Accent.Render(head) + s.Border.Render(strings.Repeat(bar, max(w-2-text.Width(head), 0))),
		row("enter", "open this record", ".", "fetch the next page"),
		row("]", "other views: JSON, Pages, Wire", "Y", "copy this call as curl, Python, …"),
		row("ctrl+p", "search every entity and action", "?", "every key"),
		" " + s.Muted.Render(text.Truncate("Generated data. esc hides this card for good; patchbay login signs in.", w-2)),
	}
}

func (m *Model) dismissCard() tea.Cmd {
	m.card = false
	m.deps.Settings.CardDone = true
	return m.saveSettings()
}

// continueEdit goes on with the request pane after a choice.
func (m *Model) continueEdit(c pane.EditCell) tea.Cmd { return m.perform(m.req.Continue(c)) }
