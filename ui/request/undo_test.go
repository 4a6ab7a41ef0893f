package request

import "testing"

// Every change of a form can be taken back and made again: reset, paste, typing, rows.
func TestUndoAndRedo(t *testing.T) {
	r := opened(t, "payments", "customers", "list")
	see := func(want string) {
		t.Helper()
		r.Fit(80, 20)
		if got := string(r.Params()); got != want {
			t.Errorf("the params are %s, want %s", got, want)
		}
	}
	see("")
	for _, params := range []string{`{"limit":5}`, `{"limit":5,"email":"a@b.example"}`} {
		if err := r.SetParams([]byte(params)); err != nil {
			t.Fatal(err)
		}
		see(params)
	}
	r.Reset()
	see("")
	r.Undo()
	see(`{"limit":5,"email":"a@b.example"}`)
	r.Undo()
	see(`{"limit":5}`)
	r.Redo()
	see(`{"limit":5,"email":"a@b.example"}`)
	r.Undo()
	r.Undo()
	see("")
	if r.Undo() == nil {
		t.Error("there is nothing more to take back, and nothing says so")
	}
	if err := r.SetParams([]byte(`{"limit":7}`)); err != nil {
		t.Fatal(err)
	}
	see(`{"limit":7}`)
	if r.Redo() == nil {
		t.Error("a new change is undone by what was taken back before it")
	}
	see(`{"limit":7}`)
}

// Conditions of a search that are switched off come back switched off.
func TestUndoKeepsWhatIsDisabled(t *testing.T) {
	r := opened(t, "payments", "customers", "context_store_search")
	if err := r.SetParams([]byte(`{"query":{"filter":{"eq":{"email":"a"}}}}`)); err != nil {
		t.Fatal(err)
	}
	r.ed.(*searchEditor).q.Filter.Children[0].Disabled = true
	r.Fit(80, 20)
	before := string(r.Draft())
	r.Reset()
	r.Fit(80, 20)
	r.Undo()
	if got := string(r.Draft()); got != before {
		t.Errorf("%s came back, want %s", got, before)
	}
}
