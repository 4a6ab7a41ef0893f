package result

import (
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// Current is the record under the cursor and its place on the page.
func (p *Pane) Current() (rec rawjson.Node, row int, ok bool) {
	if !p.HasRecords() || p.row < 0 || p.row >= p.page().Len() {
		return rawjson.Node{}, 0, false
	}
	return p.page().Record(p.row), p.row, true
}

// CurrentField is the dotted path, within the record, of the field under the
// cursor; "" where a view has none.
func (p *Pane) CurrentField() string {
	if v := p.onTable(); v != nil {
		return v.columns[min(v.col, len(v.columns)-1)].Name
	}
	if !p.HasRecords() {
		return ""
	}
	if v, ok := p.current().(*recordView); ok {
		v.load(p)
		if _, there := v.tree.current(); there {
			return v.tree.below().String()
		}
	}
	return ""
}

// Value is a field of a record of the page by its dotted path in neutral
// names, whatever names the body has.
func (p *Page) Value(rec rawjson.Node, field string) (rawjson.Node, bool) {
	at := rec
	parts := strings.Split(field, ".")
	for i, name := range parts {
		next, ok := at.Get(name)
		if !ok && p.names() == client.Wire && p.Entity != nil {
			if f := p.Entity.RecordField(p.Action, strings.Join(parts[:i+1], ".")); f != nil && f.Alias != "" {
				next, ok = at.Get(f.Alias)
			}
		}
		if !ok {
			return rawjson.Node{}, false
		}
		at = next
	}
	return at, true
}
