package ui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/themes"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// typedCommand is something that is typed with what it is about: "theme nord". What
// needs nothing more is an action and typed by its name.
type typedCommand struct {
	name, about, help string
	// complete lists what may follow the name.
	complete func(m *Model, arg string) []string
	// check says why arg cannot be used; "" when it can.
	check func(m *Model, arg string) string
	do    func(m *Model, arg string) tea.Cmd
}

// typedCommands are in the order in which they are suggested.
func typedCommands() []typedCommand {
	return []typedCommand{
		{name: "go", about: "KIND ENTITY ACTION", help: "Open a connector, an entity or an action", complete: (*Model).placesLike, check: (*Model).noPlace, do: (*Model).goByName},
		{name: "set", about: "PARAM VALUE", help: "Give a param of the request a value", complete: (*Model).paramsLike, check: (*Model).noParam, do: (*Model).setByName},
		{name: "view", about: "NAME", help: "Show another view of the answer", complete: (*Model).viewsLike, check: (*Model).noView, do: (*Model).viewByName},
		{name: "filter", about: "TEXT", help: "Keep the rows with this text; nothing shows all", check: (*Model).noFilter, do: (*Model).filterByText},
		{name: "jq", about: "PROGRAM", help: "Type a jq program over what is loaded", check: (*Model).noQuery, do: (*Model).queryByText},
		{name: "theme", about: "NAME", help: "Use a theme", complete: (*Model).themesLike, check: (*Model).noTheme, do: (*Model).themeByName},
	}
}

// openCommand is the command line: actions by their ids, places by their names,
// and commands that take a value.
func (m *Model) openCommand() tea.Cmd {
	p := overlay.NewPrompt("Command", "A place (customers, payments customers list), an action, or a command with its value.", "", func(v string) intent.Intent {
		v = m.meant(v)
		return then(func() tea.Cmd { return tea.Batch(m.keepCommand(v), m.runCommand(v)) })
	})
	p.History = m.commands
	p.Check = func(v string) string { return m.noCommand(m.meant(v)) }
	p.Complete = m.commandsLike
	p.Suggest = m.suggestions
	return m.push(p)
}

// keepCommand remembers a command, also for the next start unless nothing of
// this session is to be kept.
func (m *Model) keepCommand(v string) tea.Cmd {
	m.commands = withNewest(m.commands, strings.TrimSpace(v))
	if m.deps.Session.NoHistory {
		return nil
	}
	m.deps.Settings.Commands = m.commands
	return m.saveSettings()
}

// typedOf splits what was typed into a command and what it is about; ok is false
// when it names none.
func typedOf(v string) (c typedCommand, arg string, ok bool) {
	name, arg, _ := strings.Cut(strings.TrimLeft(v, " "), " ")
	for _, c := range typedCommands() {
		if c.name == name {
			return c, strings.TrimSpace(arg), true
		}
	}
	return c, "", false
}

// meant is what was typed, or the only completion of it where that can be run
// and what was typed cannot.
func (m *Model) meant(v string) string {
	if m.noCommand(v) == "" {
		return v
	}
	if like := m.commandsLike(v); len(like) == 1 && m.noCommand(like[0]) == "" {
		return like[0]
	}
	return v
}

// noCommand says why what was typed cannot be run.
func (m *Model) noCommand(v string) string {
	v = strings.TrimSpace(v)
	if a := m.actionByID(v); a != nil {
		if a.Disabled != nil {
			return a.Disabled(m)
		}
		return ""
	}
	if c, arg, ok := typedOf(v); ok {
		return c.check(m, arg)
	}
	if m.noPlace(v) == "" {
		return ""
	}
	if like := m.commandsLike(v); len(like) > 0 {
		return "there is no " + text.Sanitize(v) + "; tab takes " + like[0]
	}
	return "there is no command, action or place " + text.Sanitize(v)
}

func (m *Model) runCommand(v string) tea.Cmd {
	if a := m.actionByID(strings.TrimSpace(v)); a != nil {
		return m.do(a)
	}
	if c, arg, ok := typedOf(v); ok {
		return c.do(m, arg)
	}
	return m.goByName(v)
}

// suggestionsShown is how many suggestions stand below the line.
const suggestionsShown = 8

// suggestions are the first completions with what they do.
func (m *Model) suggestions(stem string) []overlay.Suggestion {
	var out []overlay.Suggestion
	for _, v := range m.commandsLike(stem) {
		if len(out) == suggestionsShown {
			break
		}
		out = append(out, m.suggestion(v))
	}
	return out
}

func (m *Model) suggestion(v string) overlay.Suggestion {
	for _, c := range typedCommands() {
		if c.name+" " == v {
			return overlay.Suggestion{Text: v + c.about, Note: c.help}
		}
	}
	if a := m.actionByID(v); a != nil {
		s := overlay.Suggestion{Text: v, Note: a.Help, Key: strings.Join(m.keymap.keys[a.ID], " ")}
		if a.Disabled != nil && a.Disabled(m) != "" {
			s.Note = "not now: " + a.Disabled(m)
		}
		return s
	}
	s := overlay.Suggestion{Text: v}
	if h, ok := m.place(placeWords(strings.TrimPrefix(v, "go "))); ok {
		s.Note = m.docOf(h)
	}
	return s
}

// docOf is the catalog's sentence on a place.
func (m *Model) docOf(h catalog.Hit) string {
	k, err := m.deps.Catalog.Kind(h.Kind)
	switch {
	case err != nil:
		return ""
	case h.Entity == "":
		return k.Doc
	case h.Action == "":
		return k.Entity(h.Entity).Doc
	}
	return k.Entity(h.Entity).Action(h.Action).Doc
}

// commandsLike are the completions of what was typed.
func (m *Model) commandsLike(stem string) []string {
	if c, arg, ok := typedOf(stem); ok && strings.Contains(strings.TrimLeft(stem, " "), " ") {
		if c.complete == nil {
			return nil
		}
		return prefixed(c.name+" ", c.complete(m, arg))
	}
	stem = strings.TrimLeft(stem, " ")
	var out []string
	for _, c := range typedCommands() {
		if strings.HasPrefix(c.name, stem) {
			out = append(out, c.name+" ")
		}
	}
	if stem != "" {
		out = append(out, m.placesLike(stem)...)
	}
	ids := make([]string, len(m.actions))
	for i := range m.actions {
		ids[i] = m.actions[i].ID
	}
	out = append(out, likeNames(ids, stem)...)
	if len(out) == 0 {
		return m.placesElsewhere(stem)
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(begins(a, stem), begins(b, stem)) })
	return out
}

// begins is 0 for names that begin with what was typed, 1 for others.
func begins(name, typed string) int {
	if strings.HasPrefix(name, typed) {
		return 0
	}
	return 1
}

// likeNames are the names that begin with what was typed, then those that hold it.
func likeNames(names []string, typed string) []string {
	var begin, hold []string
	typed = strings.ToLower(typed)
	for _, n := range names {
		switch at := strings.Index(strings.ToLower(n), typed); {
		case at == 0:
			begin = append(begin, n)
		case at > 0:
			hold = append(hold, n)
		}
	}
	return append(begin, hold...)
}

func prefixed(prefix string, list []string) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = prefix + v
	}
	return out
}

// place finds what words name: a kind, an entity of it and an action, or an
// entity and an action of the kind that is open.
func (m *Model) place(words []string) (h catalog.Hit, ok bool) {
	if len(words) == 0 || len(words) > 3 {
		return h, false
	}
	if slices.Contains(m.kindNames(), words[0]) {
		return m.placeIn(words[0], words[1:])
	}
	kind := m.kindHere()
	if kind == "" {
		return h, false
	}
	return m.placeIn(kind, words)
}

// kindHere is the kind that is open, else that of the connector under the
// tree's cursor; "" without one.
func (m *Model) kindHere() string {
	if m.req.HasAction() {
		return m.req.Kind().Name
	}
	if n := m.tree.Current(); n != nil {
		return n.Connector.Kind
	}
	return ""
}

func (m *Model) placeIn(kind string, words []string) (h catalog.Hit, ok bool) {
	h = catalog.Hit{Kind: kind, What: catalog.WhatKind}
	if len(words) == 0 {
		return h, true
	}
	k, err := m.deps.Catalog.Kind(kind)
	if err != nil || len(words) > 2 || k.Entity(words[0]) == nil {
		return h, false
	}
	h.What, h.Entity = catalog.WhatEntity, words[0]
	if len(words) == 1 {
		return h, true
	}
	h.What, h.Action = catalog.WhatAction, words[1]
	return h, k.Entity(words[0]).Action(words[1]) != nil
}

// placeWords splits a place: blanks, slashes and angle brackets part its names.
func placeWords(v string) []string {
	return strings.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == '/' || r == '>' })
}

func (m *Model) noPlace(v string) string {
	if _, ok := m.place(placeWords(v)); ok {
		return ""
	}
	return "there is no place " + text.Sanitize(v) + "; tab completes kind, entity and action"
}

func (m *Model) goByName(v string) tea.Cmd {
	h, ok := m.place(placeWords(v))
	if !ok {
		return m.say(m.noPlace(v), true)
	}
	return m.goTo(h)
}

// placesLike completes the last word of a place.
func (m *Model) placesLike(v string) []string {
	words := placeWords(v)
	if len(words) == 0 || strings.HasSuffix(v, " ") || strings.HasSuffix(v, "/") {
		words = append(words, "")
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	var names []string
	if len(before) == 0 {
		names = m.kindNames()
		if kind := m.kindHere(); kind != "" {
			names = append(m.below(catalog.Hit{Kind: kind, What: catalog.WhatKind}), names...)
		}
	} else if h, ok := m.place(before); ok {
		names = m.below(h)
	}
	lead := strings.Join(append(slices.Clone(before), ""), " ")
	return prefixed(lead, likeNames(names, last))
}

// placesElsewhere are the places of the other kinds that have an entity and an
// action of these names.
func (m *Model) placesElsewhere(v string) []string {
	words := placeWords(v)
	if len(words) == 0 || len(words) > 2 {
		return nil
	}
	var out []string
	for _, kind := range m.kindNames() {
		if _, ok := m.placeIn(kind, words); ok {
			out = append(out, strings.Join(append([]string{kind}, words...), " "))
		}
	}
	return out
}

func (m *Model) kindNames() []string {
	kinds := m.deps.Catalog.Kinds()
	out := make([]string, len(kinds))
	for i := range kinds {
		out[i] = kinds[i].Name
	}
	return out
}

// below are the names under a place: entities of a kind, actions of an entity.
func (m *Model) below(h catalog.Hit) []string {
	k, err := m.deps.Catalog.Kind(h.Kind)
	if err != nil {
		return nil
	}
	var out []string
	switch h.What {
	case catalog.WhatKind:
		for i := range k.Entities {
			out = append(out, k.Entities[i].Name)
		}
	case catalog.WhatEntity:
		for _, a := range k.Entity(h.Entity).Actions {
			out = append(out, a.Name)
		}
	}
	return out
}

func (m *Model) noParam(arg string) string {
	if !m.req.HasAction() {
		return "no action is open; go opens one"
	}
	name, value, _ := strings.Cut(arg, " ")
	if name == "" {
		return "name the param and its value: set limit 50"
	}
	return m.req.NoSet(name, strings.TrimSpace(value))
}

func (m *Model) setByName(arg string) tea.Cmd {
	name, value, _ := strings.Cut(arg, " ")
	if err := m.req.Set(name, strings.TrimSpace(value)); err != nil {
		return m.say(err.Error(), true)
	}
	return tea.Batch(m.relayout(), m.say(name+" is set; r runs the request", false))
}

func (m *Model) paramsLike(arg string) []string {
	if !m.req.HasAction() || strings.Contains(arg, " ") {
		return nil
	}
	var names []string
	for _, f := range m.req.Action().Params {
		if !f.Injected {
			names = append(names, f.Name+" ")
		}
	}
	return likeNames(names, arg)
}

func (m *Model) viewsLike(arg string) []string {
	var names []string
	for _, n := range m.res.ViewNames() {
		names = append(names, strings.ToLower(n))
	}
	return likeNames(names, arg)
}

func (m *Model) viewNamed(arg string) string {
	for _, n := range m.res.ViewNames() {
		if strings.EqualFold(n, arg) {
			return n
		}
	}
	return ""
}

func (m *Model) noView(arg string) string {
	if m.viewNamed(arg) != "" {
		return ""
	}
	if names := m.viewsLike(""); len(names) > 0 {
		return "there is no view " + text.Sanitize(arg) + " of this answer; there are " + strings.Join(names, ", ")
	}
	return "there is no answer to show; r runs the request"
}

func (m *Model) viewByName(arg string) tea.Cmd {
	m.res.ShowView(m.viewNamed(arg))
	m.arr.focus = paneResponse
	return tea.Batch(m.relayout(), m.perform(m.res.Examine()))
}

func (m *Model) noFilter(string) string {
	if !m.res.HasAnswer() {
		return "there is no answer to filter; r runs the request"
	}
	return m.res.NoLine()
}

func (m *Model) filterByText(arg string) tea.Cmd {
	m.arr.focus = paneResponse
	return tea.Batch(m.relayout(), m.perform(m.res.Find(arg)))
}

func (m *Model) noQuery(string) string {
	if !m.res.HasAnswer() {
		return "there is no answer to ask; r runs the request"
	}
	return ""
}

func (m *Model) queryByText(arg string) tea.Cmd {
	if arg != "" {
		m.lastQuery = arg
	}
	return m.openQuery()
}

func (m *Model) themesLike(arg string) []string {
	return likeNames(m.themeNames(), arg)
}

// themeNames are the built-in themes and the person's own.
func (m *Model) themeNames() []string {
	names := themes.Names()
	if m.deps.ThemeDir == "" {
		return names
	}
	for _, n := range themes.UserNames(m.deps.ThemeDir) {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

func (m *Model) noTheme(arg string) string {
	if !slices.Contains(m.themeNames(), arg) {
		return "there is no theme " + text.Sanitize(arg) + "; tab completes their names"
	}
	if _, err := themes.Load(arg, m.deps.ThemeDir); err != nil {
		return err.Error()
	}
	return ""
}

func (m *Model) themeByName(arg string) tea.Cmd {
	m.setTheme(arg)
	m.deps.Settings.Theme = arg
	return m.saveSettings()
}
