package response

import (
	"slices"

	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// hitMax is the size up to which a record is searched for what made it pass.
const hitMax = 1 << 20

// rowHit is where the filter hits a row; it is kept, as each message asks.
type rowHit struct {
	terms  terms
	table  *records.Table // made anew with other columns
	row, w int
	left   int
	// path is the field, text what it holds around the hit; empty where that is seen.
	path, text string
}

// findHit tells the field that makes a row pass the filter, and what it holds, where the
// screen of w cells does not show it.
func (v *tableView) findHit(row, w int) {
	if v.terms.text == "" || !v.settled || row < 0 || row >= v.set.Len() {
		v.lastHit = rowHit{}
		return
	}
	asked := rowHit{terms: v.terms, table: v.table, row: row, w: w, left: v.left}
	known := v.lastHit
	if known.path, known.text = "", ""; known == asked {
		return
	}
	v.lastHit = asked
	record, names := v.set.RecordNames(row)
	if record.Size() > hitMax {
		return
	}
	seen := v.seen(row, w)
	shown := func(p rawjson.Path) bool {
		return slices.ContainsFunc(seen, func(i int) bool { return v.columns[i].Covers(p, names) })
	}
	f := v.filterOf(v.terms)
	path, ok := f.Hit(record, shown)
	if !ok || shown(path) {
		return
	}
	v.lastHit.path = path.String()
	if n, found := record.Lookup(path); found {
		v.lastHit.text = f.Excerpt(n)
	}
}

// seen are the columns whose cells in a row a screen of w cells shows whole, or at least
// the text that rows are filtered by.
func (v *tableView) seen(row, w int) []int {
	var out []int
	used := v.gutter()
	for _, i := range v.shown(w) {
		c := &v.columns[i]
		room := min(c.width, w-used)
		if used += c.width + 1; room < c.width {
			break // that one is cut
		}
		cell := v.table.Cell(row, i)
		if text.Width(cellText(&c.Column, cell, plain)) <= room || v.terms.marks(fitted(&c.Column, cell, room, plain)) {
			out = append(out, i)
		}
	}
	return out
}

// told is where the filter hits the row under the cursor, in at most w cells; "" where
// the table shows it.
func (h rowHit) told(w int, s *style.Styles) text.Safe {
	if h.path == "" {
		return ""
	}
	return text.Truncate(s.Data(text.Sanitize("hit in "+h.path+": "+h.text)), max(w, 0))
}
