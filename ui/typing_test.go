package ui

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
)

// typedForms are forms with every kind of field: texts, numbers, choices, times, lists,
// objects, maps, documents, the conditions of a search.
var typedForms = []struct{ kind, entity, action, params string }{
	{"payments", "customers", "list", `{"limit":5,"created":{"gte":1},"email":"a@b.example"}`},
	{"payments", "customers", "create", `{"name":"n","metadata":{"a":"b"},"preferred_locales":["de","fr"]}`},
	{"issue_tracker", "issues", "create", `{"fields":{"summary":"s","labels":["a"]},"updateHistory":true}`},
	{"payments", "customers", "context_store_search", `{"query":{"filter":{"and":[{"eq":{"currency":"usd"}},` +
		`{"or":[{"gt":{"created":5}},{"in":{"currency":["a","b"]}}]}]},"sort":[{"created":"desc"}]},"limit":3}`},
}

// printable is a key of the keyboard that types a character.
func printable(r *rand.Rand) tea.KeyPressMsg {
	c := rune(' ' + r.IntN('~'-' '+1))
	return tea.KeyPressMsg{Code: c, Text: string(c)}
}

// A key that types a character changes no value as long as the cursor is on a row: it runs
// a command or nothing. What a command opens is closed again.
func TestNoKeyOnARowChangesAValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := play(t, Deps{}, 120, 36)
	for range 20_000 / 50 {
		f := typedForms[r.IntN(len(typedForms))]
		p.open(f.kind, f.entity, f.action)
		if err := p.m.req.SetParams([]byte(f.params)); err != nil {
			t.Fatal(err)
		}
		want := string(p.m.req.Draft())
		p.m.focus(intent.Request)
		for range 50 {
			p.m.req.Move(0, r.IntN(60)-30)
			p.m.req.Move(r.IntN(3)-1, 0)
			key := printable(r)
			if strings.Contains("iuU-+", key.Text) { // i is enter; the others go back and forth
				continue
			}
			p.send(key)
			for p.m.stack.Top() != nil {
				p.m.stack.Close(p.m.stack.Top())
			}
			p.m.prefix = ""
			if got := string(p.m.req.Draft()); got != want || p.m.req.Typing() {
				t.Fatalf("%q on a row of %s %s changed %s to %s", key.Text, f.entity, f.action, want, got)
			}
			p.m.focus(intent.Request)
			if p.m.req.Mode() != "rows" {
				t.Fatalf("%q begins to type", key.Text)
			}
		}
	}
}

// In a field each such key is text, whatever it does elsewhere.
func TestEveryKeyTypesInAField(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := play(t, Deps{}, 120, 36)
	for _, f := range typedForms {
		for range 40 {
			p.open(f.kind, f.entity, f.action)
			if err := p.m.req.SetParams([]byte(f.params)); err != nil {
				t.Fatal(err)
			}
			p.m.focus(intent.Request)
			p.m.req.Type()
			for range r.IntN(12) {
				p.keys([]string{"tab", "tab", "tab", "shift+tab"}[r.IntN(4)])
			}
			field := p.m.req.TextField()
			if field == nil {
				t.Fatalf("tab leaves the fields of %s %s", f.entity, f.action)
			}
			before := p.m.req.Draft()
			p.m.req.TextField().Set("")
			var want strings.Builder
			for range 30 {
				key := printable(r)
				p.send(key)
				want.WriteString(key.Text)
			}
			if got := p.m.req.TextField().Value(); got != want.String() || p.m.stack.Top() != nil {
				t.Fatalf("%q is typed as %q\n%s", want.String(), got, p.screen())
			}
			p.wants("typing · [form] json")
			p.keys("esc")
			if got := p.m.req.Draft(); string(got) != string(before) || p.m.req.Typing() {
				t.Fatalf("esc leaves %s of %s", got, before)
			}
		}
	}
}

// The text of the JSON view and the windows that ask take every such key, too.
func TestEveryKeyTypesInJSONAndWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	p := play(t, Deps{Saved: savedIn(t.TempDir())}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("v", "enter")
	p.typed("x{")
	if got := p.m.req.Text(); !strings.Contains(got, "x{") {
		t.Errorf("the JSON is %s", got)
	}
	p.keys("ctrl+z", "esc", "u", "v")
	p.keys("ctrl+s", "ctrl+u")
	var want strings.Builder
	for range 200 {
		key := printable(r)
		p.send(key)
		want.WriteString(key.Text)
	}
	if got := p.field(); got != want.String() {
		t.Errorf("%q is typed as %q", want.String(), got)
	}
}

// tab goes through the fields and stays in typing; numbers and letters on a row do nothing to it.
func TestTabStaysInTyping(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	p.wants("rows · [form] json")
	p.typed("25")
	if got := string(p.m.req.Params()); got != `{"limit":20}` && got != "" {
		t.Errorf("25 on a row gives %s", got)
	}
	p.keys("2", "enter", "backspace", "backspace")
	p.typed("25")
	p.keys("tab")
	p.wants("typing · [form] json")
	p.typed("1@3")
	if p.m.View().Cursor == nil || p.m.View().Cursor.Shape != tea.CursorBar {
		t.Error("the cursor is no bar while typing")
	}
	p.keys("enter")
	if got := string(p.m.req.Params()); got != `{"limit":25,"email":"1@3"}` {
		t.Errorf("the params are %s", got)
	}
	if p.m.View().Cursor != nil {
		t.Error("on a row stands a text cursor")
	}
}

// Where no text can be typed, the same keys act as anywhere on a row.
func TestKeysActOnRows(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("T")
	p.wants("Theme")
}
