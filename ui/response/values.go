package response

import (
	"slices"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// How many records are looked at for the values of a field, how many are taken, and how
// long they may be.
const (
	valuesOf   = 500
	mostValues = 40
	valueBytes = 80
)

// Values are the values that the records of the page shown hold in a field of an entity,
// each once, in their order; nil where other records or none are shown.
func (p *Pane) Values(e *catalog.Entity, field string) []string {
	if !p.HasRecords() || p.Page().Entity != e {
		return nil
	}
	page := p.Page()
	var out []string
	add := func(n rawjson.Node) {
		if t := n.Text(); t != "" && len(t) <= valueBytes && len(out) < mostValues && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for i := range min(page.Len(), valuesOf) {
		v, ok := page.Value(page.Record(i), field)
		switch {
		case !ok:
		case v.Kind() == rawjson.Array:
			for one := range v.Elems() {
				add(one)
			}
		case v.Kind() != rawjson.Object && v.Kind() != rawjson.Null:
			add(v)
		}
	}
	return out
}
