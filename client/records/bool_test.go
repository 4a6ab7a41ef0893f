package records

import (
	"context"
	"slices"
	"testing"
)

// True and false are values like any other: they are shown by their names, sorted
// false first, kept apart from texts and numbers, and found.
func TestBooleansInCells(t *testing.T) {
	set := setOf(`[{"v":true},{"v":false},{"v":"false"},{"v":0},{"v":null},{"v":true},{},{"v":false}]`)
	c := column(t, "v")
	for row, want := range map[int]string{0: "true", 1: "false"} {
		cell := CellOf(set, row, c)
		if got, more := cell.Text(10); got != want || more || cell.State != Value {
			t.Errorf("row %d is %q, %v", row, got, cell.State)
		}
	}
	rows, err := Sorted(context.Background(), set, AllRows(set.Len()), []SortKey{{Column: c}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := slices.Index(rows, 1)
	if got := rows[first : first+4]; !slices.Equal(got, []int32{1, 7, 0, 5}) {
		t.Errorf("sorted they are %v of %v", got, rows)
	}
	for text, want := range map[string][]int32{"true": {0, 5}, "false": {1, 2, 7}} {
		f := Filter{Text: text, Mode: Equals, Column: c}
		if got, err := Filtered(context.Background(), set, nil, []Filter{f}, nil); err != nil ||
			!slices.Equal(got, want) {
			t.Errorf("equal to %s are %v, want %v; %v", text, got, want, err)
		}
	}
	for body, want := range map[string]string{`[{"v":true}]`: "boolean", `[{"v":true},{"v":1}]`: "boolean|number"} {
		if got := Columns(setOf(body), ColumnOptions{})[0].Type; got != want {
			t.Errorf("%s holds %s", body, got)
		}
	}
	s, err := Summarize(context.Background(), set, nil, c, nil)
	if err != nil || s.Values != 6 || s.Nulls != 1 || s.Absent != 1 || s.Distinct != 4 {
		t.Errorf("%+v, %v", s, err)
	}
}
