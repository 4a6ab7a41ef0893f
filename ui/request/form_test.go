package request

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/search"
	"patchbay/themes"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

func testNow() time.Time { return time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC) }

var testCatalog = catalog.New()

func testStyles(t testing.TB) *style.Styles {
	t.Helper()
	th, err := themes.Load("patchbay-dark", "")
	if err != nil {
		t.Fatal(err)
	}
	return style.New(th, style.Options{})
}

// opened is the form of an action.
func opened(t testing.TB, kind, entity, action string) *Pane {
	t.Helper()
	k, e, a, err := testCatalog.Resolve(kind, entity, action)
	if err != nil {
		t.Fatal(err)
	}
	r := New(testNow)
	if problem := r.Open(client.Connector{Kind: kind, Name: kind}, k, e, a, nil, nil); problem != "" {
		t.Fatal(problem)
	}
	r.Fit(100, 40)
	return r
}

// to puts the cursor on the row with a label.
func (r *Pane) to(t testing.TB, label string) {
	t.Helper()
	for i, l := range r.ed.lines() {
		if string(l.label) == label {
			r.scroll.Cursor, r.cell = i, 0
			return
		}
	}
	t.Fatalf("no row is called %q", label)
}

func (r *Pane) shown(t testing.TB, w int) string {
	t.Helper()
	lines, _ := r.Lines(w, 60, testStyles(t), true)
	for _, s := range lines {
		l := string(s)
		if n := ansi.StringWidth(l); n > w {
			t.Errorf("a line has %d cells, not %d: %q", n, w, ansi.Strip(l))
		}
	}
	return ansi.Strip(string(text.Join(lines, "\n")))
}

func typeInto(r *Pane, s string) {
	for _, c := range s {
		r.Key(tea.KeyPressMsg{Code: c, Text: string(c)})
	}
}

var enter = tea.KeyPressMsg{Code: tea.KeyEnter}

func wantParams(t *testing.T, r *Pane, want string) {
	t.Helper()
	if got := string(r.Params()); got != want {
		t.Errorf("params are %s, want %s", got, want)
	}
}

// enterRow presses enter on the row and takes what the pane asks of itself.
func enterRow(r *Pane) {
	if in, ok := r.Enter().(intent.EditRow); ok {
		r.ContinueRow(in)
	}
}

func TestLimitsStandBesideTheType(t *testing.T) {
	r := opened(t, "payments", "customers", "list")
	if s := r.shown(t, 100); !strings.Contains(s, "integer 1..100, default 10") {
		t.Errorf("the limits are not shown:\n%s", s)
	}
	if s := r.shown(t, 40); strings.Contains(s, "default") {
		t.Errorf("the limits are shown where there is no room:\n%s", s)
	}
}

func TestRowsOfAListAreAddedInPlace(t *testing.T) {
	r := opened(t, "issue_tracker", "issues", "create")
	r.to(t, "labels")
	enterRow(r)
	if !r.Typing() {
		t.Fatal("the first row is not being edited")
	}
	typeInto(r, "red")
	r.Key(enter)
	r.to(t, "+ row")
	enterRow(r)
	typeInto(r, "blue")
	r.Key(enter)
	if s := r.shown(t, 100); !strings.Contains(s, "+ row") {
		t.Errorf("the list offers no further row:\n%s", s)
	}
	if got := string(r.Params()); !strings.Contains(got, `"labels":["red","blue"]`) {
		t.Errorf("params are %s", got)
	}
}

func TestPlainTextBecomesTheDocument(t *testing.T) {
	r := opened(t, "issue_tracker", "issues", "create")
	r.to(t, "description")
	in, ok := r.Enter().(intent.EditText)
	if !ok {
		t.Fatal("the document is not edited as a text")
	}
	in.Done("first\nsecond")
	if got := string(r.Params()); !strings.Contains(got, `"type":"doc"`) || !strings.Contains(got, "second") {
		t.Errorf("params are %s", got)
	}
	if again, ok := r.Enter().(intent.EditText); !ok || again.Text != "first\nsecond" {
		t.Errorf("the text comes back as %q", again.Text)
	}
	if s := r.shown(t, 100); !strings.Contains(s, "(2 lines)") {
		t.Errorf("the row does not tell that there are more lines:\n%s", s)
	}
}

func TestTypingOnAContainerDoesNothing(t *testing.T) {
	r := opened(t, "issue_tracker", "issues", "create")
	r.to(t, "fields")
	before := r.shown(t, 100)
	typeInto(r, "a")
	if r.Typing() || r.shown(t, 100) != before {
		t.Error("a letter changed an object's row")
	}
}

func TestTypingCompletesAChoice(t *testing.T) {
	r := opened(t, "issue_tracker", "issues", "create")
	r.to(t, "updateHistory")
	r.Type()
	typeInto(r, "f")
	if s := r.shown(t, 100); !strings.Contains(s, "false") {
		t.Errorf("the rest of the value is not shown:\n%s", s)
	}
	r.Key(enter)
	wantParams(t, r, `{"updateHistory":false}`)
}

func TestWordsForTimesShowWhatIsSent(t *testing.T) {
	r := New(testNow)
	r.OpenFields([]catalog.Field{{Name: "since", Type: "integer", Format: "unix"}})
	r.Enter()
	typeInto(r, "-7d")
	r.Key(enter)
	if s := r.shown(t, 100); !strings.Contains(s, "1771840800  = 2026-02-23 10:00:00 UTC") {
		t.Errorf("the row does not show the number that is sent and what it means:\n%s", s)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	r := New(testNow)
	r.OpenFields([]catalog.Field{{Name: "api_key", Type: "string", Secret: true, Required: true}})
	r.Enter()
	typeInto(r, "hunter2")
	if s := r.shown(t, 100); strings.Contains(s, "hunter2") {
		t.Errorf("the secret is shown while it is typed:\n%s", s)
	}
	r.Key(enter)
	if s := r.shown(t, 100); strings.Contains(s, "hunter2") {
		t.Errorf("the secret is shown:\n%s", s)
	}
	wantParams(t, r, `{"api_key":"hunter2"}`)
}

func TestChosenIDsGoIntoFieldsAndLists(t *testing.T) {
	r := New(testNow)
	r.OpenFields([]catalog.Field{{Name: "one", Type: "string"}, {Name: "many", Type: "array", Items: &catalog.Field{Type: "string"}}})
	r.PutChosen("a")
	r.to(t, "many")
	r.PutChosen("b")
	r.to(t, "many")
	r.PutChosen("c")
	wantParams(t, r, `{"one":"a","many":["b","c"]}`)
}

func TestSearchShowsItsJSON(t *testing.T) {
	r := opened(t, "payments", "customers", "context_store_search")
	if err := r.SetParams([]byte(`{"query":{"filter":{"eq":{"delinquent":true}}}}`)); err != nil {
		t.Fatal(err)
	}
	for _, w := range []int{60, 90, 140} {
		if s := r.shown(t, w); !strings.Contains(s, `"delinquent"`) {
			t.Errorf("%d columns: the JSON is not shown:\n%s", w, s)
		}
	}
}

func TestUncheckedFieldsAreTold(t *testing.T) {
	for _, k := range testCatalog.Kinds() {
		kind, err := testCatalog.Kind(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range kind.Entities {
			e := &kind.Entities[i]
			if !e.SearchUnknown || e.Action(catalog.ActionContextStoreSearch) == nil {
				continue
			}
			r := opened(t, kind.Name, e.Name, catalog.ActionContextStoreSearch)
			if err := r.SetParams([]byte(`{"query":{"filter":{"eq":{"anything":1}}}}`)); err != nil {
				t.Fatal(err)
			}
			if s := r.shown(t, 100); !strings.Contains(s, "note: ") {
				t.Errorf("%s %s says nothing about unchecked fields:\n%s", kind.Name, e.Name, s)
			}
			return
		}
	}
	t.Fatal("the catalog has no entity whose searchable fields are unknown")
}

// Every catalogued action opens, draws within its width and says what it lacks.
func TestEveryActionOpens(t *testing.T) {
	n := 0
	for _, k := range testCatalog.Kinds() {
		kind, err := testCatalog.Kind(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range kind.Entities {
			for j := range kind.Entities[i].Actions {
				e, a := &kind.Entities[i], &kind.Entities[i].Actions[j]
				r := opened(t, kind.Name, e.Name, a.Name)
				r.Fit(78, 19)
				r.shown(t, 78)
				op, _ := r.Operation()
				if op.Entity != e.Name || op.Action != a.Name {
					t.Errorf("%s %s %s produces the call %+v", kind.Name, e.Name, a.Name, op)
				}
				n++
			}
		}
	}
	if n < 600 {
		t.Errorf("only %d actions were opened", n)
	}
}

// manyFields is a form of 100 inputs of all types.
func manyFields() []catalog.Field {
	var fields []catalog.Field
	for i := range 20 {
		n := string(rune('a' + i))
		fields = append(fields, catalog.Field{Name: "text_" + n, Type: "string", Common: true}, catalog.Field{Name: "count_" + n, Type: "integer", Common: true},
			catalog.Field{Name: "on_" + n, Type: "boolean", Common: true}, catalog.Field{Name: "since_" + n, Type: "string", Format: "date-time", Common: true},
			catalog.Field{Name: "tags_" + n, Type: "array", Items: &catalog.Field{Type: "string"}, Common: true})
	}
	return fields
}

// BenchmarkTyping is one key typed into a form of 100 fields, and the drawing
// after it: 8 ms at most.
func BenchmarkTyping(b *testing.B) {
	r := New(testNow)
	r.OpenFields(manyFields())
	s := testStyles(b)
	r.Enter()
	b.ResetTimer()
	for i := range b.N {
		if i%40 == 39 {
			r.field.Set("")
		}
		r.Key(tea.KeyPressMsg{Code: 'x', Text: "x"})
		r.Wants()
		r.Fit(100, 40)
		r.Lines(100, 40, s, true)
		r.Status(100, s)
	}
}

func TestDisabledConditionSaysSoWithoutColour(t *testing.T) {
	r := opened(t, "payments", "customers", "context_store_search")
	if err := r.SetParams([]byte(`{"query":{"filter":{"eq":{"email":"a@b.example"}}}}`)); err != nil {
		t.Fatal(err)
	}
	for _, row := range r.ed.(*searchEditor).rows() {
		if row.node != nil && row.node.Op == search.Condition {
			row.node.Disabled = true
		}
	}
	if got := r.shown(t, 100); !strings.Contains(got, "off, not sent") {
		t.Errorf("nothing tells that the condition is off:\n%s", got)
	}
}

func TestEscSaysWhatItDoes(t *testing.T) {
	r := opened(t, "payments", "customers", "list")
	r.to(t, "limit")
	esc := func() string {
		for _, h := range r.TypingHints() {
			if h.Key == "esc" {
				return h.Label
			}
		}
		return ""
	}
	r.Enter()
	if got := esc(); got != "leave" {
		t.Errorf("esc says %q before anything is typed", got)
	}
	typeInto(r, "5")
	if got := esc(); got != "as before" {
		t.Errorf("esc says %q over what was typed", got)
	}
}

func TestEscTakesBackWhatWasTyped(t *testing.T) {
	esc, enter := tea.KeyPressMsg{Code: tea.KeyEscape}, tea.KeyPressMsg{Code: tea.KeyEnter}
	for _, c := range []struct {
		name, typed string
		key         tea.KeyPressMsg
		want        string
		told        bool
	}{
		{"a wrong value gives way to the one before", "00", esc, `{"limit":7}`, false},
		{"and a right one", "5", esc, `{"limit":7}`, false},
		{"enter keeps a right value", "5", enter, `{"limit":75}`, false},
		{"enter keeps a wrong value", "00", enter, `{"limit":700}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := opened(t, "payments", "customers", "list")
			if err := r.SetParams([]byte(`{"limit":7}`)); err != nil {
				t.Fatal(err)
			}
			r.to(t, "limit")
			enterRow(r)
			typeInto(r, c.typed)
			if _, told := r.Key(c.key).(intent.Say); told != c.told {
				t.Errorf("what is wrong is told: %v", told)
			}
			if r.Typing() {
				t.Error("the editing goes on")
			}
			wantParams(t, r, c.want)
		})
	}
}

// What is taken back in one field leaves a wrong value of another as it is, and what is said of it.
func TestEscLeavesOtherWrongValues(t *testing.T) {
	r := opened(t, "payments", "customers", "list")
	r.to(t, "limit")
	r.Enter()
	typeInto(r, "205")
	r.Key(enter)
	before := r.Problem()
	r.to(t, "email")
	r.Enter()
	typeInto(r, "ada")
	r.Key(tea.KeyPressMsg{Code: tea.KeyEscape})
	if after := r.Problem(); after != before || before == "" {
		t.Errorf("%q became %q", before, after)
	}
}

// A form without a field has nothing to type in, whatever key is pressed.
func TestNothingIsTypedIntoAnEmptyForm(t *testing.T) {
	r := opened(t, "payments", "balance", "get")
	if n := len(r.ed.lines()); n != 0 {
		t.Fatalf("the form has %d rows", n)
	}
	for range 2 {
		r.TypeHere()
		r.Enter()
		r.Tab(1)
		r.Tab(-1)
		r.Click(3, 0, true)
	}
	if r.field != nil {
		t.Error("something is typed in")
	}
}
