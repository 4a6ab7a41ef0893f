package response

import (
	"strings"
	"testing"

	"patchbay/client/records"
)

// tableOf is a pane that shows rows as a table.
func tableOf(t *testing.T, rows string) (*Pane, *tableView) {
	t.Helper()
	p := New(nil)
	work(t, p.Add(asking(t, `{}`, rows, `{}`), false))
	p.ShowView("Table")
	p.Fit(80, 12)
	return p, p.tableView()
}

const people = `[{"id":1,"name":"Ada","live":true},{"id":2,"name":"Bob","live":false},{"id":10,"name":null},{"id":3,"name":"Cid","live":true}]`

func TestTableRows(t *testing.T) {
	p, v := tableOf(t, people)
	got := seen(t, v, p.Input, 80, 10)
	shows(t, got, "# ", "id", "name", "live", "▸1     1 Ada    true", " 3    10 null   ·", ".data[0].id  1")
	if v.where(p.Input) != "row 1 of 4" {
		t.Error(v.where(p.Input))
	}
	p.Move(0, 2)
	if cur, row := v.record(p.Input); cur != 0 || row != 2 || p.row != 2 {
		t.Errorf("the cursor is on record %d of page %d, the pane's on %d", row, cur, p.row)
	}
}

func TestTableColumns(t *testing.T) {
	p, v := tableOf(t, people)
	p.Move(1, 0)
	p.Pin()
	if v.pinned != 2 || p.CurrentField() != "name" {
		t.Errorf("%d columns are pinned, the cursor is on %s", v.pinned, p.CurrentField())
	}
	p.HideColumn()
	if got := strings.Join(v.names(), " "); got != "id live" {
		t.Error(got)
	}
	work(t, p.SetColumns([]string{"live", "name"}))
	if got := strings.Join(v.names(), " "); got != "live name" {
		t.Error(got)
	}
	shows(t, seen(t, v, p.Input, 80, 10), "without cus", " #  live   name", "live", "name")
	work(t, p.Derive("twice", ".id*2"))
	shows(t, seen(t, v, p.Input, 80, 10), "twice", "20")
}

func TestTableSortsAndFilters(t *testing.T) {
	p, v := tableOf(t, people)
	work(t, p.Sort(false))
	work(t, p.Sort(false))
	if got := v.rows; len(got) != 4 || got[0] != 2 || got[3] != 0 {
		t.Errorf("falling by id the rows are %v", got)
	}
	shows(t, seen(t, v, p.Input, 80, 10), "id▼", "▸3    10")
	work(t, p.filterBy(terms{text: "true", mode: records.Equals, column: "live"}))
	words, count := v.chip()
	if len(v.rows) != 2 || v.rows[0] != 3 || words != `live equal to "true"` || count != "2 of 4" {
		t.Errorf("%v, %s, %s", v.rows, words, count)
	}
	if v.where(p.Input) != "row 1 of 2 shown, 4 in all" {
		t.Error(v.where(p.Input))
	}
	work(t, p.unfilter())
	if len(v.rows) != 4 || v.rows[0] != 2 {
		t.Errorf("without the filter the rows are %v", v.rows)
	}
}

func TestTableMarks(t *testing.T) {
	p, v := tableOf(t, people)
	p.Mark()
	p.MarkRange()
	p.Move(0, 1)
	shows(t, string(v.where(p.Input)), "marking a range")
	p.Mark()
	if got := p.Page().Marks.Rows(); len(got) != 3 || got[2] != 2 || v.tab(p.Input) != "Table 3 marked" {
		t.Errorf("%v, %s", got, v.tab(p.Input))
	}
	shows(t, seen(t, v, p.Input, 80, 10), " 1*    1", "▸3*   10", " 4     3")
}

func TestTableClicks(t *testing.T) {
	p, v := tableOf(t, people)
	for _, c := range []struct {
		x, y   int
		double bool
		sorted int
		view   string
	}{{6, 0, false, 1, "Table"}, {6, 2, false, 0, "Table"}, {6, 9, true, 0, "Table"}, {6, 2, true, 0, "Record"}} {
		v.sort = nil
		p.Fit(80, 12)
		p.Click(c.x, c.y+1, c.double)
		if len(v.sort) != c.sorted || p.viewName() != c.view {
			t.Errorf("a click at %d %d sorts by %d columns and shows %s", c.x, c.y, len(v.sort), p.viewName())
		}
	}
	if v.scroll.Cursor != 1 {
		t.Errorf("the cursor is on line %d", v.scroll.Cursor)
	}
}
