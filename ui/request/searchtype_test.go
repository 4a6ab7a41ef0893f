package request

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
)

// Behind a field the operator may be a name, a sign, or nothing at all: what begins none is
// the value.
func TestOperatorAndValueAreTypedInOne(t *testing.T) {
	for _, c := range []struct{ field, typed, want string }{
		{"created", ">5", `{"gt":{"created":5}}`},
		{"created", ">=5", `{"gte":{"created":5}}`},
		{"created", "5", `{"eq":{"created":5}}`},
		{"created", "-1d", `{"eq":{"created":1772359200}}`},
		{"created", "lt 7", `{"lt":{"created":7}}`},
		{"created", "!=7", `{"neq":{"created":7}}`},
		{"delinquent", "true", `{"eq":{"delinquent":true}}`},
		{"email", "~%a%", `{"like":{"email":"%a%"}}`},
		{"email", "eur", `{"eq":{"email":"eur"}}`},
		{"email", "India", `{"eq":{"email":"India"}}`},
		{"email", "linen", `{"eq":{"email":"linen"}}`},
		{"email", "ink", `{"eq":{"email":"ink"}}`},
		{"email", "in a,b", `{"in":{"email":["a","b"]}}`},
		{"email", "=>5", `{"eq":{"email":">5"}}`},
	} {
		r := searching(t, "")
		r.scroll.Cursor = 1
		r.Enter().(intent.Choose).Done(c.field)
		r.Continue(intent.EditCell{Cell: 1})
		typeInto(r, c.typed)
		r.Key(enter)
		wantParams(t, r, `{"query":{"filter":{"and":[`+c.want+`]}}}`)
	}
}

// Another operator of a condition with a value is not taken for its value.
func TestOperatorOfAConditionWithAValue(t *testing.T) {
	r := searching(t, nested)
	r.scroll.Cursor, r.cell = 1, 1
	r.Type()
	typeInto(r, "usd")
	if r.cell != 1 {
		t.Error("the value is typed over")
	}
	r.Key(tea.KeyPressMsg{Code: tea.KeyEscape})
	wantParams(t, r, nested)
}

// Tab behind the value of a new condition asks for the next one of its group.
func TestTabAddsTheNextCondition(t *testing.T) {
	r := searching(t, "")
	tab := tea.KeyPressMsg{Code: tea.KeyTab}
	add := func(in intent.Intent, field, rest string) intent.Intent {
		in.(intent.Choose).Done(field)
		r.Continue(intent.EditCell{Cell: 1})
		typeInto(r, rest)
		return r.Key(tab)
	}
	r.scroll.Cursor = 1
	next := add(r.Enter(), "currency", "usd")
	next = add(next.(intent.Choose).Done("( any of"), "balance", "<0")
	next = add(next, "delinquent", "true")
	next = next.(intent.Choose).Done(") any of ends")
	add(next, "email", "x")
	wantParams(t, r, `{"query":{"filter":{"and":[{"eq":{"currency":"usd"}},{"or":[{"lt":{"balance":0}},`+
		`{"eq":{"delinquent":true}}]},{"eq":{"email":"x"}}]}}}`)
}

// Sort keys are chosen from the fields that are not sorted by yet, go on to their order, move
// and are dragged.
func TestSortKeysAreBuiltLikeConditions(t *testing.T) {
	r := searching(t, "")
	rows := func() []searchRow { return r.ed.(*searchEditor).rows() }
	isAdd := func(row searchRow) bool { return row.kind == rowAddSort }
	for _, k := range [][2]string{{"created", "d"}, {"balance", ""}} {
		r.scroll.Cursor = slices.IndexFunc(rows(), isAdd)
		in := r.Enter().(intent.Choose)
		if in.Free {
			t.Error("any field may be typed")
		}
		r.Continue(in.Done(k[0]).(intent.EditCell))
		typeInto(r, k[1])
		r.Key(enter)
		r.Fit(100, 40)
	}
	wantParams(t, r, `{"query":{"sort":[{"created":"desc"},{"balance":"asc"}]}}`)
	r.scroll.Cursor = slices.IndexFunc(rows(), isAdd)
	for _, o := range r.Enter().(intent.Choose).Options {
		if o.Value == "created" {
			t.Error("a field is offered twice")
		}
	}
	r.scroll.Cursor -= 2
	r.do(t, "request.down")
	wantParams(t, r, `{"query":{"sort":[{"balance":"asc"},{"created":"desc"}]}}`)
	if !r.Grab() {
		t.Fatal("a sort key cannot be grabbed")
	}
	r.Drag(r.scroll.Cursor - 1 - r.scroll.Top + r.headerRows())
	r.Drop()
	wantParams(t, r, `{"query":{"sort":[{"created":"desc"},{"balance":"asc"}]}}`)
}

// What is wrong with a condition is said by its field, not by the lines of the tree.
func TestAdviceNamesTheFieldOfACondition(t *testing.T) {
	r := searching(t, "")
	r.scroll.Cursor = 1
	r.Enter().(intent.Choose).Done("created")
	r.Continue(intent.EditCell{Cell: 1})
	if bad, _ := r.advice(); bad != "created needs a value" {
		t.Errorf("it says %q", bad)
	}
}
