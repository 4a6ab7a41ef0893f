// Package action holds the rows of the one table that key dispatch, footer, help,
// palette and the key list of the README come from, and the map from keys to rows.
// Panes and features make the rows; only the root puts them together. It imports
// no pane and no feature.
package action

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
)

// Table holds all actions in the order of the help, and finds them by their keys.
type Table struct {
	Rows []Row
	// Problems tell what is wrong with a person's own keys.
	Problems []string
	byKey    map[Scope]map[string]int
	keys     map[string][]string // per action id, as in force
	prefixes map[string]bool
}

// NewTable takes a person's own keys in place of the built-in ones, which give way
// to them. Problems name unknown actions, keys that stand for two things and keys
// that would not work.
func NewTable(rows []Row, own map[string][]string) *Table {
	t := &Table{Rows: inOrder(rows), byKey: map[Scope]map[string]int{}, keys: map[string][]string{},
		prefixes: map[string]bool{}}
	known := map[string]bool{}
	for i := range t.Rows {
		known[t.Rows[i].ID] = true
		for _, key := range own[t.Rows[i].ID] {
			if why := t.Rows[i].cannotHave(key); why != "" {
				t.problem(why)
				continue
			}
			t.bind(key, i, own)
		}
	}
	for i := range t.Rows {
		if _, mine := own[t.Rows[i].ID]; mine {
			continue
		}
		for _, key := range t.Rows[i].Keys {
			t.bind(key, i, own)
		}
	}
	t.hidden(own)
	for id := range own {
		if !known[id] {
			t.problem(fmt.Sprintf("there is no action %q; patchbay keys lists them all", id))
		}
	}
	slices.Sort(t.Problems)
	return t
}

// inOrder puts each row behind the one that it names, those of one name in their
// order; a row that names none follows the row before it. It panics where a row
// could not be placed: its action would be lost.
func inOrder(rows []Row) []Row {
	runs := map[string][][]Row{}
	all := len(rows)
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].After == "" {
			n++
		}
		runs[rows[0].After] = append(runs[rows[0].After], rows[:n])
		rows = rows[n:]
	}
	var out []Row
	var place func(id string)
	place = func(id string) {
		for _, run := range runs[id] {
			for _, r := range run {
				out = append(out, r)
				place(r.ID)
			}
		}
	}
	place("")
	if len(out) != all {
		panic(fmt.Sprintf("%d of %d actions stand behind others that there are not", all-len(out), all))
	}
	return out
}

func (t *Table) problem(what string) { t.Problems = append(t.Problems, "keys: "+what) }

// cannotHave says why a key would not work for the action; "" when it would.
func (r *Row) cannotHave(key string) string {
	for _, part := range strings.Fields(key) {
		if _, ok := Press(part); !ok {
			return fmt.Sprintf("%s: there is no key %q; write one such as r, R, ctrl+r, alt+r, f9 or shift+left",
				r.ID, part)
		}
	}
	press, _ := Press(key)
	switch {
	case key == "ctrl+c" && r.ID != "cancel":
		return fmt.Sprintf("%s: ctrl+c always cancels; choose another key", r.ID)
	case r.Typing && press.Text != "":
		return fmt.Sprintf("%s: %q could not be typed any more, since this works in text fields too; "+
			"choose one with ctrl or alt, or f1 to f12", r.ID, key)
	}
	return ""
}

// bind gives a key to the action in row i, unless another has it.
func (t *Table) bind(key string, i int, own map[string][]string) {
	a := &t.Rows[i]
	in := t.byKey[a.In]
	if in == nil {
		in = map[string]int{}
		t.byKey[a.In] = in
	}
	if other, taken := in[key]; taken {
		first := t.Rows[other].ID
		if _, mine := own[a.ID]; mine {
			t.problem(fmt.Sprintf("%q in %s stands for %s and for %s; the first is used", key, a.In, first, a.ID))
		} else {
			t.problem(fmt.Sprintf("%q in %s stands for %s now; give %s another key, or [] for none",
				key, a.In, first, a.ID))
		}
		return
	}
	in[key] = i
	t.keys[a.ID] = append(t.keys[a.ID], key)
	if first, _, two := strings.Cut(key, " "); two {
		t.prefixes[first] = true
	}
}

// hidden reports own keys for any pane that do something else in some of them.
func (t *Table) hidden(own map[string][]string) {
	for i := range t.Rows {
		if t.Rows[i].In != InAny {
			continue
		}
		for _, key := range own[t.Rows[i].ID] {
			if at, ok := t.byKey[InAny][key]; !ok || at != i {
				continue
			}
			for s, keys := range t.byKey {
				if other, ok := keys[key]; ok && s != InAny {
					t.problem(fmt.Sprintf("%q stands for %s, but in %s for %s; give that another key, or [] for none",
						key, t.Rows[i].ID, s, t.Rows[other].ID))
				}
			}
		}
	}
}

// Find returns the action that a key runs in the given scopes, the most specific
// first; nil when none does.
func (t *Table) Find(key string, scopes ...Scope) *Row {
	for _, s := range scopes {
		if i, ok := t.byKey[s][key]; ok {
			return &t.Rows[i]
		}
	}
	return nil
}

// ByID finds a row by its id; nil when there is none.
func (t *Table) ByID(id string) *Row {
	for i := range t.Rows {
		if t.Rows[i].ID == id {
			return &t.Rows[i]
		}
	}
	return nil
}

// Keys are the keys of an action as they are in force.
func (t *Table) Keys(id string) []string { return t.keys[id] }

// Begins reports whether a key is the first of a sequence of two.
func (t *Table) Begins(key string) bool { return t.prefixes[key] }

// AsTyped takes ctrl+[, ctrl+m and ctrl+i for the keys that they always were:
// terminals that tell them apart send their names. Own keys may have them.
func (t *Table) AsTyped(msg tea.KeyPressMsg) tea.KeyPressMsg {
	name := msg.String()
	code, ok := map[string]rune{"ctrl+[": tea.KeyEscape, "ctrl+m": tea.KeyEnter, "ctrl+i": tea.KeyTab}[name]
	if !ok {
		return msg
	}
	for _, in := range t.byKey {
		if _, bound := in[name]; bound {
			return msg
		}
	}
	return tea.KeyPressMsg{Code: code}
}

// Hints are the keys of the actions that the footer shows in some scopes, the most
// specific first, by their rank.
func (t *Table) Hints(scopes []Scope) []input.Hint {
	var out []input.Hint
	for _, s := range scopes {
		for rank := 1; rank <= 10; rank++ {
			for i := range t.Rows {
				r := &t.Rows[i]
				if r.In != s || r.Footer != rank || r.Why() != "" {
					continue
				}
				keys := t.keys[r.ID]
				if len(keys) == 0 || t.Find(keys[0], scopes...) != r {
					continue // a more specific action has the key
				}
				h := input.Hint{Key: keys[0], Label: r.Label}
				if r.Now != nil {
					h.Label = r.Now()
				}
				out = append(out, h)
			}
		}
	}
	return out
}

// Scope is where an action's keys work. The most specific scope wins.
type Scope string

// The scopes: panes, and views of the response.
const (
	InAny      Scope = "any pane"
	InTree     Scope = "tree"
	InRequest  Scope = "request"
	InResponse Scope = "response"
	InTable    Scope = "table"
	InRecord   Scope = "record"
	InJSON     Scope = "JSON"
	InRaw      Scope = "raw"
	InPages    Scope = "pages"
	InSchema   Scope = "schema"
	InWire     Scope = "wire"
	InFile     Scope = "file"
)

// Scopes are all scopes in the order of the screen.
var Scopes = []Scope{InAny, InTree, InRequest, InResponse, InTable, InRecord, InJSON, InRaw, InPages, InSchema, InWire,
	InFile}

// Row is one action.
type Row struct {
	// ID is the stable name for rebinding, "scope.verb".
	ID   string
	In   Scope
	Keys []string
	// After is the id of the action that this one follows in the help; empty where it
	// follows the row before it.
	After string
	// Label is a word or two for the footer; Help one sentence.
	Label, Help string
	// Now, where set, is the label for what is on the screen.
	Now func() string
	// Footer ranks the action in the footer of its scope, 1 first; 0 leaves it out.
	Footer int
	// Typing marks actions whose keys work inside a text field too.
	Typing bool
	// Disabled says why the action cannot be used now; nil or "" when it can.
	Disabled func() string
	Do       func() intent.Intent
}

// Why says why the action cannot be used now; "" when it can.
func (r *Row) Why() string {
	if r.Disabled == nil {
		return ""
	}
	return r.Disabled()
}

// Asks is what a row does that asks for one thing.
func Asks(in intent.Intent) func() intent.Intent { return func() intent.Intent { return in } }

// Reason returns why when bad holds.
func Reason(bad bool, why string) string {
	if bad {
		return why
	}
	return ""
}
