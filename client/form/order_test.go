package form

import (
	"testing"

	"patchbay/catalog"
)

// Whoever types into a field must continue to type into the same one: no row may
// move when an input gets a value, with the rarely used ones folded or not.
func TestRowsStayWhereTheyAreWhileOneIsFilled(t *testing.T) {
	c := catalog.New()
	filled := 0
	for _, summary := range c.Kinds() {
		k, err := c.Kind(summary.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			for j := range k.Entities[i].Actions {
				a := &k.Entities[i].Actions[j]
				for _, open := range []bool{false, true} {
					filled += fillAll(t, k.Name+" "+k.Entities[i].Name+" "+a.Name, a.Params, open)
				}
			}
		}
	}
	if filled < 1000 {
		t.Errorf("only %d inputs were filled", filled)
	}
}

// fillAll fills the plain inputs of a form one after another.
func fillAll(t *testing.T, where string, params []catalog.Field, open bool) (filled int) {
	t.Helper()
	f := New(params, Options{})
	f.Fold(FoldRest, open)
	for i := 0; i < len(f.Rows()); i++ {
		r := f.Rows()[i]
		if r.Widget != WidgetText && r.Widget != WidgetNumber && r.Widget != WidgetChoice {
			continue
		}
		_ = f.SetText(r.Path, "1") // also a wrong value must stay where it is
		filled++
		if i >= len(f.Rows()) || f.Rows()[i].Path != r.Path {
			t.Errorf("%s: %s left row %d when it was filled", where, r.Path, i)
			return filled
		}
	}
	return filled
}

func TestWhatHasAValueIsSeenWhenTheRestIsFolded(t *testing.T) {
	params := make([]catalog.Field, 12)
	for i := range params {
		params[i] = catalog.Field{Name: string(rune('a' + i)), Type: "string"}
	}
	f := New(params, Options{})
	f.Fold(FoldRest, true)
	if err := f.SetText("/k", "x"); err != nil {
		t.Fatal(err)
	}
	if last := f.Rows()[11]; last.Path != "/k" {
		t.Errorf("while unfolded row 11 is %s, want /k", last.Path)
	}
	f.Fold(FoldRest, false)
	if first := f.Rows()[0]; first.Path != "/k" {
		t.Errorf("when folded the first row is %s, want /k", first.Path)
	}
	if n := len(f.Rows()); n != 2 {
		t.Errorf("%d rows are seen, want the one with a value and the fold", n)
	}
}
