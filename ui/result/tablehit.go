package result

import (
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// hitMax is the size up to which a record is searched for what made it pass.
const hitMax = 1 << 20

// rowHit is where the filter hits a row; it is kept, as each drawing asks.
type rowHit struct {
	terms  terms
	table  *records.Table // made anew with other columns
	row, w int
	left   int
	path   string
}

// hit names the field that makes a row pass the filter, where the screen of w
// cells shows none of the fields that do; else it is empty.
func (v *tableView) hit(row, w int) string {
	if v.terms.text == "" || !v.settled {
		return ""
	}
	asked := rowHit{terms: v.terms, table: v.table, row: row, w: w, left: v.left}
	known := v.lastHit
	if known.path = ""; known == asked {
		return v.lastHit.path
	}
	record, names := v.set.RecordNames(row)
	if record.Size() > hitMax {
		return ""
	}
	onScreen := v.wholly(w)
	shown := func(p rawjson.Path) bool {
		for _, i := range onScreen {
			if v.columns[i].Covers(p, names) {
				return true
			}
		}
		return false
	}
	f := v.filterOf(v.terms)
	if path, ok := f.Hit(record, shown); ok && !shown(path) {
		asked.path = path.String()
	}
	v.lastHit = asked
	return asked.path
}

// wholly lists the columns of which a screen of w cells shows all.
func (v *tableView) wholly(w int) []int {
	list, used := v.shown(w), v.gutter()
	for n, i := range list {
		if used += v.columns[i].width; used > w {
			return list[:n]
		}
		used++
	}
	return list
}
