package response

import (
	"slices"
	"strings"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/ui/intent"
)

// answer is a page of an answer whose body is an array.
func answered(t *testing.T, body string) *answer.Page {
	t.Helper()
	env := &client.Envelope{Status: 200, Body: rawjson.Bytes(body), Records: client.Span{From: 0, To: len(body)}}
	return answer.NewPage(t.Context(), answer.Question{}, env, nil)
}

// work does what a pane asks for, to its end.
func work(t *testing.T, in intent.Intent) {
	t.Helper()
	switch in := in.(type) {
	case intent.All:
		for _, one := range in {
			work(t, one)
		}
	case intent.Task:
		apply, err := in.Do(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if apply != nil {
			work(t, apply())
		}
	}
}

func shownNames(p *Pane) string {
	_, shown := p.Columns()
	return strings.Join(shown, " ")
}

// Columns stay where they are while pages are turned; those that only a later
// page fills come in.
func TestColumnsStayWhilePagesAreTurned(t *testing.T) {
	p := New(time.Now)
	work(t, p.Add(answered(t, `[{"id":"a","name":"x"},{"id":"b","name":"y"}]`), false))
	work(t, p.Add(answered(t, `[{"id":"c","name":null,"extra":1}]`), true))
	if got := shownNames(p); got != "id name extra" && got != "id extra name" {
		t.Errorf("the second page shows %s", got)
	}
	second := shownNames(p)
	in, ok := p.ShowPage(-1)
	if work(t, in); !ok || shownNames(p) != second {
		t.Errorf("back on the first page it shows %s, before it was %s", shownNames(p), second)
	}
	work(t, p.Together(true))
	all, _ := p.Columns()
	if got := shownNames(p); got != second || len(all) != 3 {
		t.Errorf("together they show %s of %d columns", got, len(all))
	}
	work(t, p.Add(answered(t, `[{"id":"d","late":true}]`), true))
	if _, shown := p.Columns(); !slices.Contains(shown, "late") || p.tableView().count() != 4 {
		t.Errorf("with a third page they show %v in %d rows", shown, p.tableView().count())
	}
}

func TestMarksOfManyPagesAreOneList(t *testing.T) {
	p := New(time.Now)
	work(t, p.Add(answered(t, `[{"id":"a"},{"id":"b"}]`), false))
	p.Mark()
	work(t, p.Add(answered(t, `[]`), true))
	work(t, p.Add(answered(t, `[{"id":"c"},{"id":"d"}]`), true))
	p.Move(0, 1)
	p.Mark()
	set, rows := p.markedRows()
	if want := []int32{0, 3}; !slices.Equal(rows, want) {
		t.Fatalf("marked are %v, want %v", rows, want)
	}
	if got := set.Record(3).Raw(); string(got) != `{"id":"d"}` {
		t.Errorf("the last marked is %s", got)
	}
	if got := p.rowNumber(set, 3); got != "2 of page 3" {
		t.Errorf("it is called row %s", got)
	}
	if !p.Unmark() || p.markCount() != 0 || p.Unmark() {
		t.Error("the marks of other pages stay")
	}
}

// jobs counts the works among what a pane asks for: each ends the one before.
func jobs(in intent.Intent) (n int) {
	switch in := in.(type) {
	case intent.All:
		for _, one := range in {
			n += jobs(one)
		}
	case intent.Task:
		n = 1
	}
	return n
}

// The ids of a large page are read as well, and that ends no filter.
func TestALargePageIsFilteredAsTheOneBefore(t *testing.T) {
	large := func(letter string) *answer.Page {
		return answered(t, "["+strings.Repeat(`{"id":"`+letter+`"},`, ledgerRecords)+`{"id":"last"}]`)
	}
	p := New(time.Now)
	work(t, p.Add(large("a"), false))
	work(t, p.filterBy(terms{text: "last"}))
	for _, add := range []func() intent.Intent{
		func() intent.Intent { return p.Add(large("b"), true) },
		func() intent.Intent { work(t, p.Together(true)); return p.Append(large("c")) },
	} {
		in := add()
		if n := jobs(in); n != 1 {
			t.Errorf("%d works are asked for at once", n)
		}
		work(t, in)
		if got, want := p.tableView().count(), 1; got != want && !p.together || p.together && got != len(p.pages) {
			t.Errorf("%d rows are shown of %d pages", got, len(p.pages))
		}
		if p.ledger.Len() != len(p.pages) {
			t.Errorf("the ledger holds %d of %d pages", p.ledger.Len(), len(p.pages))
		}
	}
}
