package request

import (
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/ui/intent"
)

// What a service says of a field stands below that field, whole, until something is changed.
func TestTheServicesWordsStandBelowTheField(t *testing.T) {
	r := opened(t, "issue_tracker", "issues", "create")
	words := strings.Repeat("The summary must be given in some other words. ", 6)
	if !r.Refuse("fields.summary", words) {
		t.Fatal("the field is not found")
	}
	r.Fit(60, 20)
	s := r.shown(t, 60)
	at := strings.Index(s, "summary")
	flat := strings.Join(strings.Fields(s[max(at, 0):]), " ")
	if at < 0 || !strings.Contains(flat, strings.TrimSpace(words)) {
		t.Errorf("the words do not stand below the field:\n%s", s)
	}
	if !strings.Contains(s, "!") || string(r.ed.lines()[r.scroll.Cursor].label) != "summary" {
		t.Errorf("the cursor is not on the marked field:\n%s", s)
	}
	r.Type()
	typeInto(r, "x")
	r.Key(enter)
	r.Fit(60, 20)
	if strings.Contains(r.shown(t, 60), "other words") {
		t.Error("the words stay although the field was changed")
	}
	if r.Refuse("no_such_field", words) {
		t.Error("a field that there is not is marked")
	}
	if r = searching(t, nested); !r.Refuse("created", words) || r.refusedRow() != 3 {
		t.Errorf("the condition in row %d is marked", r.refusedRow())
	}
}

// A list of values that are known is a row of boxes.
func TestKnownValuesOfAListAreChecked(t *testing.T) {
	r := New(testNow)
	values := []string{"low", "high", "none"}
	item := catalog.Field{Type: "string"}
	for _, v := range values {
		item.Enum = append(item.Enum, []byte(`"`+v+`"`))
	}
	r.OpenFields([]catalog.Field{{Name: "levels", Type: "array", Items: &item}, {Name: "other", Type: "string"}})
	r.Fit(80, 20)
	r.Enter()
	for _, label := range []string{"[ ] high", "[ ] low"} {
		r.to(t, label)
		r.Enter()
	}
	wantParams(t, r, `{"levels":["high","low"]}`)
	if err := r.SetParams([]byte(`{"levels":["low","odd"]}`)); err != nil {
		t.Fatal(err)
	}
	r.to(t, "levels")
	r.Enter()
	r.Fit(80, 20)
	if s := r.shown(t, 80); !strings.Contains(s, "[x] low") || !strings.Contains(s, "odd") {
		t.Errorf("a value of another kind is not shown:\n%s", s)
	}
	r.to(t, "[x] low")
	r.Enter()
	wantParams(t, r, `{"levels":["odd"]}`)
}

// One of several is a choice between their forms.
func TestOneOfIsAChoiceBetweenForms(t *testing.T) {
	r := New(testNow)
	r.OpenFields([]catalog.Field{{Name: "parent", Type: "object", OneOf: true, Members: []catalog.Field{
		{Name: "page_id", Type: "string"}, {Name: "database_id", Type: "string"}}}})
	r.Fit(80, 20)
	in := r.Enter()
	if choose, ok := in.(intent.Choose); ok {
		r.ContinueRow(choose.Done("page_id").(intent.EditRow))
	}
	typeInto(r, "p1")
	r.Key(enter)
	wantParams(t, r, `{"parent":{"page_id":"p1"}}`)
	r.to(t, "( ) database_id")
	enterRow(r)
	typeInto(r, "d1")
	r.Key(enter)
	wantParams(t, r, `{"parent":{"database_id":"d1"}}`)
	var labels []string
	for _, l := range r.ed.lines() {
		labels = append(labels, string(l.label))
	}
	if want := []string{"parent", "( ) page_id", "(•) database_id"}; !slices.Equal(labels, want) {
		t.Errorf("the rows are %q, want %q", labels, want)
	}
}
