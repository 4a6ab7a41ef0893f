package result

import (
	"slices"

	"patchbay/client/records"
	"patchbay/ui/intent"
)

// Layout is how a table's columns are laid out: what is kept between starts.
type Layout struct {
	Columns []string
	// Pinned is how many columns at the left stay while the others scroll.
	Pinned int
	// Widths are those that a person set, by the column's name.
	Widths map[string]int
	// Computed are the columns made by jq programs, shown or not.
	Computed []records.Computed
}

// Recall sets the function that returns the layout kept for an entity.
func (p *Pane) Recall(f func(kind, entity string) (Layout, bool)) { p.recall = f }

func (p *Pane) remembered() (Layout, bool) {
	if p.recall == nil || !p.ofEntity() {
		return Layout{}, false
	}
	return p.recall(p.page().Kind.Name, p.page().Entity.Name)
}

// ofEntity tells whether the page shown holds records of an entity; the result
// of a query does not.
func (p *Pane) ofEntity() bool {
	page := p.page()
	return page != nil && page.Kind != nil && page.Entity != nil
}

// Layout returns the layout in force and what it belongs to; ok is false where
// it belongs to no entity, so that it cannot be kept.
func (p *Pane) Layout() (kind, entity string, l Layout, ok bool) {
	v := p.tableView()
	if v == nil || !p.ofEntity() || len(v.columns) == 0 {
		return "", "", Layout{}, false
	}
	l = Layout{Pinned: v.pinned, Widths: v.widths}
	for _, c := range v.columns {
		l.Columns = append(l.Columns, c.Name)
	}
	for _, c := range v.derived {
		l.Computed = append(l.Computed, c.Computed)
	}
	return p.page().Kind.Name, p.page().Entity.Name, l, true
}

// allColumns are those of all pages, in the order of the first one that has them.
func (p *Pane) allColumns() []records.Column {
	var all []records.Column
	at := map[string]int{}
	for _, page := range p.parts() {
		for _, c := range page.columns {
			i, known := at[c.Name]
			if !known {
				at[c.Name] = len(all)
				all = append(all, c)
				continue
			}
			all[i].Seen += c.Seen
			all[i].Nulls += c.Nulls
			all[i].Holds |= c.Holds
		}
	}
	return all
}

// join goes on showing columns and adds those that are useful here, each behind
// the one that comes before it in the order of use.
func (v *tableView) join(was []column) {
	if !slices.ContainsFunc(was, func(c column) bool { return c.Useful() }) {
		return // without rows nothing was known of their use
	}
	widths := map[string]int{}
	known := v.known()
	out := make([]column, 0, len(was))
	for _, c := range was {
		widths[c.Name] = c.width
		if i := slices.IndexFunc(known, func(k records.Column) bool { return k.Name == c.Name }); i >= 0 {
			c.Column = known[i]
		}
		out = append(out, c)
	}
	at := 0
	for _, c := range v.all {
		if i := slices.IndexFunc(out, func(o column) bool { return o.Name == c.Name }); i >= 0 {
			at = i + 1
		} else if c.Useful() {
			out = slices.Insert(out, at, column{Column: c})
			at++
		}
	}
	v.columns = out
	v.retable()
	v.measure()
	for i := range v.columns {
		c := &v.columns[i]
		c.width = max(c.width, widths[c.Name])
	}
}

// Columns lists all columns of the page and those shown, in order.
func (p *Pane) Columns() (all []records.Column, shown []string) {
	v := p.tableView()
	if v == nil || v.page == nil {
		return nil, nil
	}
	return v.known(), v.names()
}

// SetColumns shows the named columns in that order.
func (p *Pane) SetColumns(names []string) intent.Intent {
	v := p.tableView()
	if v == nil || v.page == nil || len(names) == 0 {
		return nil
	}
	v.page.chosen = true
	v.take(names)
	v.retable()
	v.measure()
	return v.rescope(p)
}

// Resize makes the column under the cursor wider by d cells.
func (p *Pane) Resize(d int) {
	v := p.onTable()
	if v == nil {
		return
	}
	c := &v.columns[v.col]
	c.width = min(max(c.width+d, minColumnWidth), widest)
	widths := map[string]int{c.Name: c.width}
	for name, w := range v.widths {
		if name != c.Name {
			widths[name] = w
		}
	}
	v.widths = widths
}

// HideColumn takes the column under the cursor away.
func (p *Pane) HideColumn() intent.Intent {
	v := p.onTable()
	switch {
	case v == nil:
		return nil
	case len(v.columns) == 1:
		return intent.Say{Text: "this is the only column: c shows others", Bad: true}
	}
	v.page.chosen = true
	name := v.columns[v.col].Name
	if v.col < v.pinned {
		v.pinned--
	}
	v.columns = slices.Delete(v.columns, v.col, v.col+1)
	v.retable()
	return intent.All{intent.Say{Text: name + " is hidden; c shows it again"}, v.rescope(p)}
}

// MoveColumn moves the column under the cursor d places.
func (p *Pane) MoveColumn(d int) {
	v := p.onTable()
	if v == nil {
		return
	}
	to := v.col + d
	if to < 0 || to >= len(v.columns) {
		return
	}
	v.page.chosen = true
	v.columns[v.col], v.columns[to] = v.columns[to], v.columns[v.col]
	v.col = to
	v.retable()
}

// Pin keeps the column under the cursor in view while others scroll, or lets it go.
func (p *Pane) Pin() intent.Intent {
	v := p.onTable()
	if v == nil {
		return nil
	}
	v.page.chosen = true
	c := v.columns[v.col]
	v.columns = slices.Delete(v.columns, v.col, v.col+1)
	said := c.Name + " is pinned"
	if v.col < v.pinned {
		v.pinned--
		said = c.Name + " is no longer pinned"
		v.columns = slices.Insert(v.columns, v.pinned, c)
		v.col = v.pinned
	} else {
		v.columns = slices.Insert(v.columns, v.pinned, c)
		v.col = v.pinned
		v.pinned++
	}
	v.retable()
	return intent.Say{Text: said}
}
