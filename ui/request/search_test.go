package request

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client/search"
	"patchbay/ui/intent"
)

// nested is a search with a group in a group.
const nested = `{"query":{"filter":{"and":[{"eq":{"currency":"usd"}},{"or":[{"gt":{"created":5}},` +
	`{"eq":{"delinquent":true}}]}]}}}`

func searching(t *testing.T, params string) *Pane {
	t.Helper()
	r := opened(t, "payments", "customers", "context_store_search")
	if params != "" {
		if err := r.SetParams([]byte(params)); err != nil {
			t.Fatal(err)
		}
	}
	r.Fit(100, 40)
	return r
}

// do runs the action of an id.
func (r *Pane) do(t *testing.T, id string) intent.Intent {
	t.Helper()
	for _, a := range r.Actions() {
		if a.ID == id {
			in := a.Do()
			r.Fit(100, 40)
			return in
		}
	}
	t.Fatalf("there is no action %s", id)
	return nil
}

// The nesting is drawn beside the content, and each group ends with what adds to it.
func TestGroupsAreDrawnAsATree(t *testing.T) {
	r := searching(t, nested)
	want := []string{"where  all of", "├  currency", "├  any of", "│ ├  created", "1970-01-01 00:00:05 UTC", "│ ├  delinquent",
		"│ └  + condition  + group", "└  + condition  + group"}
	shown := r.shown(t, 100)
	for _, part := range want {
		at := strings.Index(shown, part)
		if at < 0 {
			t.Fatalf("the form lacks %q behind the rows before:\n%s", part, r.shown(t, 100))
		}
		shown = shown[at+len(part):]
	}
}

// A condition is built in the order field, operator, value: each is typed, and tab goes on.
func TestAConditionIsTypedFromFieldToValue(t *testing.T) {
	r := searching(t, "")
	r.scroll.Cursor = 1
	in := r.Enter().(intent.Choose)
	if got := in.Done("created"); got != (intent.EditCell{Cell: 1}) {
		t.Fatalf("the field leads to %#v", got)
	}
	r.Continue(intent.EditCell{Cell: 1})
	typeInto(r, "gt")
	r.Key(tea.KeyPressMsg{Code: tea.KeyTab})
	typeInto(r, "-7d")
	r.Key(enter)
	wantParams(t, r, `{"query":{"filter":{"and":[{"gt":{"created":1771840800}}]}}}`)
	r.scroll.Cursor, r.cell = 1, 1
	if in := r.Enter().(intent.Choose).Done("lt"); in != nil {
		t.Errorf("another operator leads to %#v", in)
	}
	if r.Typing() {
		t.Error("the value is opened although it was not asked for")
	}
	wantParams(t, r, `{"query":{"filter":{"and":[{"lt":{"created":1771840800}}]}}}`)
}

// One key moves a condition into a group and out of it, and undo brings each step back.
func TestConditionsMoveInAndOut(t *testing.T) {
	r := searching(t, nested)
	r.scroll.Cursor = 1
	for _, step := range []struct{ id, want string }{
		{"request.down", `{"and":[{"or":[{"gt":{"created":5}},{"eq":{"delinquent":true}}]},{"eq":{"currency":"usd"}}]}`},
		{"request.into", `{"and":[{"or":[{"gt":{"created":5}},{"eq":{"delinquent":true}},{"eq":{"currency":"usd"}}]}]}`},
		{"request.up", `{"and":[{"or":[{"gt":{"created":5}},{"eq":{"currency":"usd"}},{"eq":{"delinquent":true}}]}]}`},
		{"request.out", `{"and":[{"or":[{"gt":{"created":5}},{"eq":{"delinquent":true}}]},{"eq":{"currency":"usd"}}]}`},
		{"request.remove", `{"and":[{"or":[{"gt":{"created":5}},{"eq":{"delinquent":true}}]}]}`},
		{"request.undo", `{"and":[{"or":[{"gt":{"created":5}},{"eq":{"delinquent":true}}]},{"eq":{"currency":"usd"}}]}`},
	} {
		if in := r.do(t, step.id); in != nil {
			t.Fatalf("%s: %v", step.id, in)
		}
		wantParams(t, r, `{"query":{"filter":`+step.want+`}}`)
	}
	r.scroll.Cursor = 0
	if r.do(t, "request.out") == nil || r.do(t, "request.remove") == nil {
		t.Error("the outermost group moves")
	}
}

// A condition follows the pointer through the rows, and all of it is one change.
func TestConditionsAreDragged(t *testing.T) {
	r := searching(t, nested)
	r.Click(8, 1, false)
	if !r.Grab() {
		t.Fatal("the condition cannot be grabbed")
	}
	for _, y := range []int{2, 3, 4, 5} {
		r.Drag(y)
		r.Fit(100, 40)
	}
	r.Drop()
	r.Fit(100, 40)
	wantParams(t, r, `{"query":{"filter":{"and":[{"or":[{"gt":{"created":5}},{"eq":{"delinquent":true}},`+
		`{"eq":{"currency":"usd"}}]}]}}}`)
	r.Undo()
	wantParams(t, r, nested)
}

// Wherever a condition is dragged, no condition is lost or doubled.
func TestDraggingLosesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	r := searching(t, nested)
	e := r.ed.(*searchEditor)
	for range 5000 {
		n := len(e.rows())
		e.drag(rnd.IntN(n), rnd.IntN(n))
		got := string(r.Draft())
		for _, part := range []string{`"currency":"usd"`, `"created":5`, `"delinquent":true`} {
			if strings.Count(got, part) != 1 {
				t.Fatalf("%s stands %d times in %s", part, strings.Count(got, part), got)
			}
		}
	}
}

// What is not complete yet comes back too.
func TestUndoKeepsWhatIsNotComplete(t *testing.T) {
	r := searching(t, nested)
	r.scroll.Cursor = 1
	_, in := r.ed.(*searchEditor).insert(1, r.ed.(*searchEditor).rows()[1], search.Condition)
	in.(intent.Choose).Done("email")
	r.Fit(100, 40)
	r.Reset()
	r.Fit(100, 40)
	r.Undo()
	if s := r.shown(t, 100); !strings.Contains(s, "value?") {
		t.Errorf("the condition without a value is gone:\n%s", s)
	}
	r.scroll.Cursor, r.cell = 2, 2
	r.Type()
	typeInto(r, "x")
	r.Key(tea.KeyPressMsg{Code: tea.KeyEscape})
	if s := r.shown(t, 100); !strings.Contains(s, "value?") {
		t.Errorf("esc takes the condition away:\n%s", s)
	}
}

// Fields to return are checked one by one, values completed from those that were received.
func TestFieldsAndValuesAreOffered(t *testing.T) {
	r := searching(t, nested)
	r.to(t, "fields")
	r.Enter()
	r.to(t, "[ ] currency")
	r.Enter()
	r.to(t, "[x] currency")
	if got := string(r.Params()); !strings.HasSuffix(got, `"fields":["currency"]}`) {
		t.Errorf("the params are %s", got)
	}
	r.ed.(*searchEditor).loaded = func(*catalog.Entity, string) []string { return []string{"eur", "jpy"} }
	r.scroll.Cursor, r.cell = 1, 2
	r.Type()
	r.field.Set("")
	typeInto(r, "j")
	r.Key(tea.KeyPressMsg{Code: tea.KeyRight})
	r.Key(enter)
	if got := string(r.Params()); !strings.Contains(got, `{"eq":{"currency":"jpy"}}`) {
		t.Errorf("the params are %s", got)
	}
}

// The JSON stands below where all of it has room, if need be folded; else v shows it.
func TestTheJSONOfASearchIsShownWhole(t *testing.T) {
	if got := strings.Join(folded([]byte(nested), 10), "\n"); !strings.Contains(got, "{…}") {
		t.Errorf("ten lines hold\n%s", got)
	}
	if got := folded([]byte(nested), 5); got != nil {
		t.Errorf("five lines hold %q", got)
	}
	if got := strings.Join(folded([]byte(nested), 60), "\n"); strings.Contains(got, "…") {
		t.Errorf("sixty lines hold\n%s", got)
	}
}
