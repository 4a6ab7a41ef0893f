package response

import (
	"testing"

	"patchbay/client/records"
)

func TestRecordViewTellsWhatValuesMean(t *testing.T) {
	in := inputOf(t, asking(t, `{}`, `[{"id":1,"at":1772000000,"deep":{"x":[1,{"y":"z"}]},"more":null}]`, `{}`))
	v := &recordView{}
	got := seen(t, v, in, 100, 14)
	shows(t, got, "id: 1", "at: 1772000000", "2026-02-25T06:13:20Z · When it came.", "▾ deep: {  1", "▸ x: […]  2",
		"more: null                               not in the catalog")
	v.move(in, 0, 2)
	v.move(in, -1, 0)
	shows(t, seen(t, v, in, 100, 14), "▸ deep: {…}  1", "without ▸ x")
	v.move(in, 1, 0)
	shows(t, seen(t, v, in, 100, 14), "▾ deep")
	in.line, in.lines = 4, 9
	shows(t, string(v.where(in)), "record 1 of 1, row 5 of 9", "deep")
}

func TestRecordViewWrapsLongTexts(t *testing.T) {
	in := inputOf(t, asking(t, `{}`, `[{"text":"one two three four five six seven eight nine ten"}]`, `{}`))
	v := &recordView{}
	wrapped := seen(t, v, in, 30, 8)
	in.cut = true
	cut := seen(t, v, in, 30, 8)
	shows(t, wrapped, "ten")
	shows(t, cut, "without ten", "…")
}

func TestJSONViewFollowsRecords(t *testing.T) {
	in := inputOf(t, asking(t, `{}`, `[{"id":1},{"id":2},{"id":3}]`, `{"next":"n"}`))
	in.row = 1
	v := &jsonView{}
	v.enter(in)
	shows(t, seen(t, v, in, 60, 20), "▾ data: [  3", "id: 2", "next: \"n\"")
	if cur, row := v.record(in); cur != 0 || row != 1 {
		t.Errorf("the cursor is on record %d of page %d", row, cur)
	}
	v.goTo(in, len(`{"data":[{"id":1},{"id":2},{`))
	if _, row := v.record(in); row != 2 {
		t.Errorf("the cursor is on record %d", row)
	}
	shows(t, string(v.where(in)), ".data[2]")
	in.find = finder{terms: terms{text: "next", mode: records.Contains}}
	shows(t, seen(t, v, in, 60, 20), "next")
}

func TestJSONViewClicks(t *testing.T) {
	in := inputOf(t, asking(t, `{}`, `[{"id":1}]`, `{}`))
	v := &jsonView{}
	seen(t, v, in, 60, 20)
	at := v.tree.len()
	v.click(in, 2, 1, false) // the mark of data
	if v.tree.len() >= at {
		t.Errorf("%d lines, before %d", v.tree.len(), at)
	}
	v.click(in, 30, 1, false)
	if v.tree.len() != at {
		t.Errorf("a second click leaves %d lines of %d", v.tree.len(), at)
	}
}
