package response

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/text"
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

// Layouts keeps the layouts of entities between starts.
type Layouts struct {
	Recall func(kind, entity string) (Layout, bool)
	Keep   func(kind, entity string, l Layout) intent.Intent
}

// UseLayouts has layouts kept and taken up again.
func (p *Pane) UseLayouts(l Layouts) { p.layouts = l }

// Arrange changes the columns, which are then remembered for their entity.
func (p *Pane) Arrange(change func() intent.Intent) intent.Intent {
	in := change()
	v := p.tableView()
	if p.layouts.Keep == nil || !p.ofEntity() || len(v.columns) == 0 {
		return in
	}
	l := Layout{Columns: v.names(), Pinned: v.pinned, Widths: v.widths}
	for _, c := range v.derived {
		l.Computed = append(l.Computed, c.Computed)
	}
	return intent.All{in, p.layouts.Keep(p.Page().Kind.Name, p.Page().Entity.Name, l)}
}

// join continues showing columns and adds those that are useful here, each behind
// the one that comes before it in the order of use.
func (v *tableView) join(was []column) {
	if !slices.ContainsFunc(was, func(c column) bool { return c.Useful() }) {
		return // without rows nothing was known of their use
	}
	widths := map[string]int{}
	known := v.known()
	out := slices.Clone(was)
	for k := range out {
		c := &out[k]
		widths[c.Name] = c.natural
		if i := slices.IndexFunc(known, func(k records.Column) bool { return k.Name == c.Name }); i >= 0 {
			c.Column = known[i]
		}
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
		c.natural = max(c.natural, widths[c.Name])
	}
}

// Columns lists all columns of the page and those shown, in order.
func (p *Pane) Columns() (all []records.Column, shown []string) {
	if v := p.tableView(); v.page != nil {
		return v.known(), v.names()
	}
	return nil, nil
}

// SetColumns shows the named columns in that order.
func (p *Pane) SetColumns(names []string) intent.Intent {
	v := p.tableView()
	if v.page == nil || len(names) == 0 {
		return nil
	}
	v.page.Visit.Chosen = true
	v.take(names)
	v.retable()
	v.measure()
	return p.rescope()
}

// Resize makes the column under the cursor wider by d cells.
func (p *Pane) Resize(d int) {
	v := p.onTable()
	if v == nil {
		return
	}
	c := &v.columns[v.col]
	c.width = min(max(c.width+d, minColumnWidth), widest)
	c.natural, c.need = c.width, c.width
	widths := map[string]int{}
	maps.Copy(widths, v.widths) // what is kept is not changed
	widths[c.Name] = c.width
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
	v.page.Visit.Chosen = true
	c := v.dropColumn(v.col)
	v.retable()
	return intent.All{intent.Say{Text: c.Name + " is hidden; c shows it again"}, p.rescope()}
}

// MoveColumn moves the column under the cursor d places.
func (p *Pane) MoveColumn(d int) {
	v := p.onTable()
	if v == nil {
		return
	}
	if to := v.col + d; to >= 0 && to < len(v.columns) {
		v.page.Visit.Chosen = true
		v.columns[v.col], v.columns[to] = v.columns[to], v.columns[v.col]
		v.col = to
		v.retable()
	}
}

// Pin keeps the column under the cursor in view while others scroll, or lets it go.
func (p *Pane) Pin() intent.Intent {
	v := p.onTable()
	if v == nil {
		return nil
	}
	v.page.Visit.Chosen = true
	pinned := v.pinned
	c := v.dropColumn(v.col)
	said := c.Name + " is no longer pinned"
	v.columns, v.col = slices.Insert(v.columns, v.pinned, c), v.pinned
	if v.pinned == pinned { // it was not
		v.pinned++
		said = c.Name + " is pinned"
	}
	v.retable()
	return intent.Say{Text: said}
}

// Summary says what the column under the cursor holds in the rows shown.
type Summary struct {
	Column string
	// Facts are short statements.
	Facts  []string
	Values []SummaryValue
}

// SummaryValue is a common value: Text is as it is shown, Exact as received,
// or the word for what is missing.
type SummaryValue struct {
	Text, Note, Exact, Disabled string
	// mode is how rows that hold it are found.
	mode records.Mode
}

// Summarize looks at the column under the cursor beside the update loop.
func (p *Pane) Summarize(done func(Summary) intent.Intent) intent.Intent {
	v := p.onTable()
	if v == nil {
		return nil
	}
	set, rows, c := v.set, v.rows, v.columns[v.col].Column
	return intent.Work("looking at the column", func(ctx context.Context) (out Summary, err error) {
		s, err := records.Summarize(ctx, set, rows, &c, intent.Report(ctx))
		if err == nil {
			out = summaryOf(s, &c)
		}
		return out, err
	}, done)
}

func summaryOf(s *records.Summary, c *records.Column) Summary {
	out := Summary{Column: c.Name, Facts: []string{answer.Rows(s.Rows)}}
	put := func(n int, what string) {
		if n > 0 {
			out.Facts = append(out.Facts, quantity.Digits(n)+" "+what)
		}
	}
	put(s.Values, "with a value")
	put(s.Nulls, "null")
	put(s.Absent, "absent")
	put(s.Empty, "empty")
	put(s.Cut, "cut off")
	distinct := quantity.Digits(s.Distinct) + " distinct"
	if s.More {
		distinct = "more than " + distinct
	}
	out.Facts = append(out.Facts, distinct)
	if s.Min.Exists() {
		out.Facts = append(out.Facts, "min "+shortValue(c, s.Min), "max "+shortValue(c, s.Max))
	}
	share := func(n int) string {
		return fmt.Sprintf("%s, %.1f%%", answer.Rows(n), 100*float64(n)/float64(max(s.Rows, 1)))
	}
	for _, one := range s.Common {
		v := SummaryValue{Text: shortValue(c, one.Value), Note: share(one.N), Exact: one.Value.Text(),
			mode: records.Equals}
		if container(one.Value) {
			v.Disabled = "rows cannot be filtered by a whole array or object"
		}
		out.Values = append(out.Values, v)
	}
	for _, none := range []struct {
		state records.State
		n     int
	}{{records.Null, s.Nulls}, {records.Absent, s.Absent}, {records.Empty, s.Empty}} {
		if none.n > 0 {
			word := none.state.String()
			out.Values = append(out.Values, SummaryValue{Text: "(" + word + ")", Note: share(none.n), Exact: word,
				mode: records.InState})
		}
	}
	return out
}

func shortValue(c *records.Column, n rawjson.Node) string {
	return string(text.Truncate(cellText(c, records.Cell{State: records.Value, Node: n}, nil), 60))
}
