package response

import (
	"testing"

	"patchbay/client/rawjson"
	"patchbay/client/records"
)

func TestDecodedRowsAreKept(t *testing.T) {
	body := rawjson.Bytes(`[{"a":1},{"a":2}]`)
	ran := 0
	column := records.Column{Name: "double", Derive: func(n rawjson.Node) rawjson.Node { ran++; return n }}
	set := &records.Set{}
	set.Add(records.Page{Index: rawjson.IndexSpan(body, 0, len(body), nil)})
	table := records.NewTable(set, []records.Column{column})
	var d decoded
	for range 3 {
		d.row(table, 0, true)
	}
	if ran != 1 {
		t.Errorf("the cell was computed %d times", ran)
	}
	d.row(table, 1, true)
	d.row(records.NewTable(set, []records.Column{column}), 1, true)
	if ran != 3 {
		t.Errorf("another table computed the cell %d times in all, want 3", ran)
	}
	d.row(d.table, 1, false)
	d.row(d.table, 1, false)
	if ran != 5 {
		t.Errorf("a page that grows computed the cell %d times in all, want 5", ran)
	}
	for row := range 2 * rowsKept {
		d.rows[row] = nil
	}
	d.row(d.table, 0, true)
	if len(d.rows) != 1 {
		t.Errorf("%d rows are kept", len(d.rows))
	}
}

func TestCellsThatDoNotFitTellWhatMatters(t *testing.T) {
	const digits, id = "1234567890123456789012345678901234567890}]", "\"ord_1234567890_1234567890\"}]"
	for _, c := range []struct {
		body   string
		column records.Column
		w      int
		want   string
	}{
		{digits, records.Column{Title: "amount"}, 11, "12345…67890"},
		{digits, records.Column{Title: "amount"}, 6, "12345…"},
		{digits, records.Column{Title: "amount"}, 40, digits[:40]},
		{id, records.Column{Title: "order_id"}, 11, "ord_1…67890"},
		{id, records.Column{Title: "number", Key: true}, 11, "ord_1…67890"},
		// whole: any text is cut where it is drawn
		{id, records.Column{Title: "paid"}, 11, "ord_1234567890_1234567890"},
		{`"a long text th`, records.Column{Title: "text"}, 8, "a long…✂"},
		{`"a lon`, records.Column{Title: "text"}, 8, "a lon✂"},
		{"[\n\t]}]", records.Column{Title: "list"}, 8, "[]"},
	} {
		body := rawjson.Bytes(`[{"f":` + c.body)
		c.column.Path = rawjson.Path{rawjson.Name("f")}
		set := &records.Set{}
		set.Add(records.Page{Index: rawjson.IndexSpan(body, 0, len(body), nil)})
		table := records.NewTable(set, []records.Column{c.column})
		if got := fitted(&c.column, table.Cell(0, 0), c.w, nil); string(got) != c.want {
			t.Errorf("%s in %d cells is drawn as %q, want %q", c.body, c.w, got, c.want)
		}
	}
}
