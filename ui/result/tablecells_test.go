package result

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
