package response

import (
	"context"
	"errors"
	"slices"
	"strings"

	"patchbay/client/answer"
	"patchbay/client/jq"
	"patchbay/client/records"
	"patchbay/ui/action"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// QueryError says where a program is wrong; offset -1 where that is not known.
func QueryError(program string) (offset int, message string) {
	_, err := jq.Compile(program)
	if bad, ok := errors.AsType[*jq.Error](err); ok {
		return bad.Offset, bad.Message
	}
	return -1, ""
}

// Feed is what a query is asked of here.
func (p *Pane) Feed(q answer.Query) answer.Feed {
	f := answer.Feed{Query: q, Pages: p.pages, Part: len(p.pages) > 1 && !p.together}
	if v := p.tableView(); v.fits(p.Input) && v.set != nil {
		f.Set, f.Rows = v.set, v.rows
	}
	return f
}

// Run runs a query to its end beside the update loop and opens its results
// over what is shown, to be browsed like any answer.
func (p *Pane) Run(q answer.Query) intent.Intent {
	feed := p.Feed(q)
	return intent.Task{What: "running the query", Do: func(ctx context.Context) (func() intent.Intent, error) {
		page, stats, err := feed.Run(ctx, intent.Report(ctx))
		if err != nil {
			return nil, err
		}
		bad := stats.Failed > 0 || stats.Stopped != ""
		return func() intent.Intent {
			if page.Document.Index.Len() == 0 {
				return intent.Say{Text: "The query gave no result. " + answer.Note(stats), Bad: bad}
			}
			p.OpenOver(page)
			return intent.Say{Text: answer.Note(stats) + "; q goes back", Bad: bad}
		}, nil
	}}
}

// recompute takes the computed columns that are kept for an entity; those that
// are there already stay.
func (v *tableView) recompute(kept []records.Computed) {
	var out []*answer.Computed
	for _, k := range kept {
		known := func(c *answer.Computed) bool { return c.Name == k.Name }
		if strings.TrimSpace(k.Name) == "" || slices.ContainsFunc(out, known) {
			continue
		}
		c := v.computed(k.Name)
		if c == nil || c.Program != k.Program {
			c = answer.NewComputed(k)
		}
		out = append(out, c)
	}
	v.derived = out
}

// computed finds a computed column by its name; nil for any other.
func (v *tableView) computed(name string) *answer.Computed {
	if i := slices.IndexFunc(v.derived, func(c *answer.Computed) bool { return c.Name == name }); i >= 0 {
		return v.derived[i]
	}
	return nil
}

// brokenMark stands behind the name of a column that cannot be computed.
func (v *tableView) brokenMark(name string) text.Safe {
	if c := v.computed(name); c != nil && c.Broken() != "" {
		return " (broken)"
	}
	return ""
}

// computedNote is what is said of a computed column in a row.
func (v *tableView) computedNote(c *answer.Computed, row int) string {
	if why := c.Broken(); why != "" {
		return "broken: " + why + " · = mends it"
	}
	if _, err := c.Cell(v.set.Record(row)); err != nil {
		return "fails here: " + err.Error()
	}
	return "computed"
}

// Computed is the computed column under the cursor.
func (p *Pane) Computed() (records.Computed, bool) {
	if v := p.onTable(); v != nil {
		if c := v.computed(v.column()); c != nil {
			return c.Computed, true
		}
	}
	return records.Computed{}, false
}

// NotComputed says why a computed column cannot have this name; empty when it can.
func (p *Pane) NotComputed(name string) string {
	return action.Reason(slices.ContainsFunc(p.tableView().all, func(c records.Column) bool { return c.Name == name }),
		"the records have a column of this name: choose another")
}

// Derive adds a column that a jq program computes from each record, or gives
// it another program. Without a program the column goes away.
func (p *Pane) Derive(name, program string) intent.Intent {
	v := p.onTable()
	if v == nil {
		return nil
	}
	c := answer.NewComputed(records.Computed{Name: name, Program: program})
	if c.Broken() != "" {
		return intent.Say{Text: c.Broken(), Bad: true}
	}
	v.page.Visit.Chosen = true
	at := slices.Index(v.names(), name)
	drop := program == ""
	switch {
	case drop && v.computed(name) == nil:
		return intent.Say{Text: "there is no computed column " + name, Bad: true}
	case drop:
		v.derived = slices.DeleteFunc(slices.Clone(v.derived), func(o *answer.Computed) bool { return o.Name == name })
		if at >= 0 { // it is shown
			v.dropColumn(at)
		}
		if len(v.columns) == 0 {
			v.useful()
		}
	case at >= 0:
		v.derived[slices.Index(v.derived, v.computed(name))] = c
		v.columns[at] = column{Column: c.Column()}
		v.col = at
	default:
		v.derived = append(v.derived[:len(v.derived):len(v.derived)], c)
		v.col = min(v.col+1, len(v.columns))
		v.columns = slices.Insert(v.columns, v.col, column{Column: c.Column()})
	}
	v.retable()
	v.measure()
	v.resort(name)
	return p.again()
}

// resort gives the sort a computed column as it is now, or takes it away with it.
func (v *tableView) resort(name string) {
	c := v.computed(name)
	v.sort = slices.DeleteFunc(slices.Clone(v.sort), func(k records.SortKey) bool {
		return k.Column.Name == name && c == nil
	})
	for i := range v.sort {
		if v.sort[i].Column.Name == name {
			column := c.Column()
			v.sort[i].Column = &column
		}
	}
}

// dropColumn takes a column out of those shown.
func (v *tableView) dropColumn(at int) column {
	c := v.columns[at]
	if at < v.pinned {
		v.pinned--
	}
	v.columns = slices.Delete(v.columns, at, at+1)
	return c
}
