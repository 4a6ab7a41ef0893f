package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// keymap finds the action of a key in a scope.
type keymap struct {
	byKey    map[scope]map[string]int
	keys     map[string][]string // per action id, as in force
	prefixes map[string]bool
	problems []string
}

// newKeymap builds the map from the table, the person's own keys in place of
// the built-in ones, which give way to them. Problems name unknown actions, keys
// that stand for two things and keys that would not work.
func newKeymap(table []action, own map[string][]string) keymap {
	k := keymap{byKey: map[scope]map[string]int{}, keys: map[string][]string{}, prefixes: map[string]bool{}}
	known := map[string]bool{}
	for i := range table {
		known[table[i].ID] = true
		for _, key := range own[table[i].ID] {
			if why := table[i].cannotHave(key); why != "" {
				k.problem(why)
				continue
			}
			k.bind(key, i, table, own)
		}
	}
	for i := range table {
		if _, mine := own[table[i].ID]; mine {
			continue
		}
		for _, key := range table[i].Keys {
			k.bind(key, i, table, own)
		}
	}
	k.hidden(table, own)
	for id := range own {
		if !known[id] {
			k.problem(fmt.Sprintf("there is no action %q; patchbay keys lists them all", id))
		}
	}
	slices.Sort(k.problems)
	return k
}

func (k *keymap) problem(t string) { k.problems = append(k.problems, "keys: "+t) }

// cannotHave says why a key would not work for the action; "" when it would.
func (a *action) cannotHave(key string) string {
	for _, part := range strings.Fields(key) {
		if _, ok := keyPress(part); !ok {
			return fmt.Sprintf("%s: there is no key %q; write one such as r, R, ctrl+r, alt+r, f9 or shift+left", a.ID, part)
		}
	}
	press, _ := keyPress(key)
	switch {
	case key == "ctrl+c" && a.ID != "cancel":
		return fmt.Sprintf("%s: ctrl+c always cancels; choose another key", a.ID)
	case a.Typing && press.Text != "":
		return fmt.Sprintf("%s: %q could not be typed any more, since this works in text fields too; choose one with ctrl or alt, or f1 to f12", a.ID, key)
	}
	return ""
}

// bind gives a key to the action in row i, unless another has it.
func (k *keymap) bind(key string, i int, table []action, own map[string][]string) {
	a := &table[i]
	in := k.byKey[a.In]
	if in == nil {
		in = map[string]int{}
		k.byKey[a.In] = in
	}
	if other, taken := in[key]; taken {
		first := table[other].ID
		if _, mine := own[a.ID]; mine {
			k.problem(fmt.Sprintf("%q in %s stands for %s and for %s; the first is used", key, a.In, first, a.ID))
		} else {
			k.problem(fmt.Sprintf("%q in %s stands for %s now; give %s another key, or [] for none", key, a.In, first, a.ID))
		}
		return
	}
	in[key] = i
	k.keys[a.ID] = append(k.keys[a.ID], key)
	if first, _, two := strings.Cut(key, " "); two {
		k.prefixes[first] = true
	}
}

// hidden reports own keys for any pane that do something else in some of them.
func (k *keymap) hidden(table []action, own map[string][]string) {
	for i := range table {
		if table[i].In != inAny {
			continue
		}
		for _, key := range own[table[i].ID] {
			if at, ok := k.byKey[inAny][key]; !ok || at != i {
				continue
			}
			for s, keys := range k.byKey {
				if other, ok := keys[key]; ok && s != inAny {
					k.problem(fmt.Sprintf("%q stands for %s, but in %s for %s; give that another key, or [] for none", key, table[i].ID, s, table[other].ID))
				}
			}
		}
	}
}

// find returns the row of the action that a key runs in the given scopes, the
// most specific first; -1 when none does.
func (k *keymap) find(key string, scopes []scope) int {
	for _, s := range scopes {
		if i, ok := k.byKey[s][key]; ok {
			return i
		}
	}
	return -1
}

// key handles a key press in the one order: what works everywhere, the top
// overlay, a text field, the focused pane's actions, the global ones.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	msg = m.keymap.asTyped(msg)
	name := msg.String()
	if m.toast.bad {
		m.toast.text = "" // it was about the key before
	}
	if i := m.keymap.find(name, []scope{inAny}); i >= 0 && m.actions[i].Typing && m.everywhere(&m.actions[i]) {
		return m.do(&m.actions[i])
	}
	if top := m.stack.Top(); top != nil {
		if m.typedAhead(msg) {
			return nil
		}
		return m.perform(top.Key(msg))
	}
	if m.arr.focus == paneRequest && m.req.Editing() {
		if i := m.keymap.find(name, []scope{inRequest}); i >= 0 && m.actions[i].Typing {
			return m.do(&m.actions[i])
		}
		return m.typed(msg)
	}
	if m.typesLine() {
		return m.lineKey(msg)
	}
	if m.prefix != "" {
		name, m.prefix = m.prefix+" "+name, ""
	} else if m.keymap.prefixes[name] {
		m.prefix = name
		return nil
	}
	if m.card && name == "esc" {
		return m.dismissCard()
	}
	i := m.keymap.find(name, m.scopes())
	if m.arr.focus == paneRequest && msg.Text != "" && m.req.CanType() && (i < 0 || m.actions[i].Yields) {
		return m.typed(msg)
	}
	if i >= 0 {
		return m.do(&m.actions[i])
	}
	return nil
}

// asTyped takes ctrl+[, ctrl+m and ctrl+i for the keys that they always were:
// terminals that tell them apart send their names. Own keys may have them.
func (k *keymap) asTyped(msg tea.KeyPressMsg) tea.KeyPressMsg {
	name := msg.String()
	code, ok := map[string]rune{"ctrl+[": tea.KeyEscape, "ctrl+m": tea.KeyEnter, "ctrl+i": tea.KeyTab}[name]
	if !ok {
		return msg
	}
	for _, in := range k.byKey {
		if _, bound := in[name]; bound {
			return msg
		}
	}
	return tea.KeyPressMsg{Code: code}
}

// everywhere tells whether a typing action may take the key now: over an
// overlay only cancel and redraw do, the rest would act on what it covers.
func (m *Model) everywhere(a *action) bool {
	if m.stack.Top() == nil {
		return true
	}
	return a.ID == "cancel" || a.ID == "redraw" || a.ID == "suspend"
}

// typesLine tells whether the focused pane has a filter or a search typed into it.
func (m *Model) typesLine() bool {
	return m.arr.focus == paneResponse && m.res.Typing() || m.arr.focus == paneTree && m.tree.Typing()
}

func (m *Model) lineKey(msg tea.KeyPressMsg) tea.Cmd {
	if m.arr.focus == paneTree {
		m.tree.LineKey(msg)
		return m.relayout()
	}
	return tea.Batch(m.perform(m.res.LineKey(msg)), m.relayout())
}

func (m *Model) typed(msg tea.KeyPressMsg) tea.Cmd {
	cmd := m.perform(m.req.Key(msg))
	return tea.Batch(cmd, m.relayout())
}

func (m *Model) paste(s string) tea.Cmd {
	if top := m.stack.Top(); top != nil {
		return m.perform(top.Paste(s))
	}
	if m.typesLine() {
		if m.arr.focus == paneTree {
			m.tree.LinePaste(s)
			return m.relayout()
		}
		return m.perform(m.res.LinePaste(s))
	}
	if m.arr.focus == paneRequest || m.lay.mode == modeWide {
		if o := m.pastedElsewhere(s); o != nil {
			m.stack.Push(o)
			return nil
		}
		in := m.req.Paste(s, m.readPasted)
		if in != nil {
			return tea.Batch(m.perform(in), m.relayout())
		}
	}
	return m.relayout()
}

// scopes lists where keys are looked up, the most specific first.
func (m *Model) scopes() []scope {
	switch m.arr.focus {
	case paneTree:
		return []scope{inTree, inAny}
	case paneRequest:
		return []scope{inRequest, inAny}
	}
	return []scope{scope(m.res.Scope()), inResponse, inAny}
}

// do runs an action, or says why it cannot be run now.
func (m *Model) do(a *action) tea.Cmd {
	if a.Disabled != nil {
		if why := a.Disabled(m); why != "" {
			return m.say(why, true)
		}
	}
	cmd := a.Do(m)
	return tea.Batch(cmd, m.relayout())
}

// actionByID finds a row of the table; nil when there is none.
func (m *Model) actionByID(id string) *action {
	for i := range m.actions {
		if m.actions[i].ID == id {
			return &m.actions[i]
		}
	}
	return nil
}

// KeyName writes a key as people know it: "ctrl+p", "space", "↵" for enter in short texts.
func keyName(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return keys[0]
}
