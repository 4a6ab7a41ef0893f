package result

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"patchbay/client/jq"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

const (
	// deriveTime bounds how long a computed cell may take: a program can loop for ever.
	deriveTime = 100 * time.Millisecond
	// deriveWaste is how much time the cells of a column may waste in all before
	// the column is given up: they are computed while the screen is drawn.
	deriveWaste = 3 * deriveTime
)

// computed is a column that a jq program computes. It is used by many
// goroutines.
type computed struct {
	records.Computed
	code *jq.Program
	// bad is why the program cannot run at all.
	bad string
	// wasted is the time that cells took without an end, in nanoseconds.
	wasted atomic.Int64
}

// newComputed makes a column ready; one whose program is wrong is there too,
// and says so.
func newComputed(c records.Computed) *computed {
	out := &computed{Computed: c}
	code, err := jq.Compile(c.Program)
	if err != nil {
		out.bad = text.Sanitize(err.Error())
	}
	out.code = code
	return out
}

// broken says why the column computes nothing; empty when it does.
func (c *computed) broken() string {
	if c.bad == "" && c.wasted.Load() >= int64(deriveWaste) {
		return "its program takes too long for a cell"
	}
	return c.bad
}

// cell computes the value for a record.
func (c *computed) cell(record rawjson.Node) ([]byte, error) {
	if why := c.broken(); why != "" {
		return nil, errors.New(why)
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), deriveTime)
	defer cancel()
	b, err := c.code.First(ctx, record)
	if took := time.Since(began); took >= deriveTime {
		c.wasted.Add(int64(took))
	}
	return b, err
}

func (c *computed) column() records.Column {
	return records.Column{Name: c.Name, Title: c.Name, Doc: "jq " + text.Sanitize(c.Program), Program: c.Program, Derive: func(record rawjson.Node) rawjson.Node {
		b, err := c.cell(record)
		if err != nil || b == nil {
			return rawjson.Node{}
		}
		return rawjson.Parse(b)
	}}
}

// recompute takes the computed columns that are kept for an entity; those that
// are there already stay.
func (v *tableView) recompute(kept []records.Computed) {
	var out []*computed
	for _, k := range kept {
		if strings.TrimSpace(k.Name) == "" || slices.ContainsFunc(out, func(c *computed) bool { return c.Name == k.Name }) {
			continue
		}
		if c := v.computed(k.Name); c != nil && c.Program == k.Program {
			out = append(out, c)
			continue
		}
		out = append(out, newComputed(k))
	}
	v.derived = out
}

// computed finds a computed column by its name; nil for any other.
func (v *tableView) computed(name string) *computed {
	for _, c := range v.derived {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// brokenMark stands behind the name of a column that cannot be computed.
func (v *tableView) brokenMark(name string) string {
	if c := v.computed(name); c != nil && c.broken() != "" {
		return " (broken)"
	}
	return ""
}

// computedNote is what is said of a computed column in a row.
func (v *tableView) computedNote(c *computed, row int) string {
	if why := c.broken(); why != "" {
		return "broken: " + why + " · = mends it"
	}
	if _, err := c.cell(v.set.Record(row)); err != nil {
		return "fails here: " + text.Sanitize(err.Error())
	}
	return "computed"
}

// Computed is the computed column under the cursor.
func (p *Pane) Computed() (records.Computed, bool) {
	if v := p.onTable(); v != nil {
		if c := v.computed(v.columns[v.col].Name); c != nil {
			return c.Computed, true
		}
	}
	return records.Computed{}, false
}

// NotComputed says why a computed column cannot have this name; empty when it can.
func (p *Pane) NotComputed(name string) string {
	v := p.tableView()
	if v != nil && slices.ContainsFunc(v.all, func(c records.Column) bool { return c.Name == name }) {
		return "the records have a column of this name: choose another"
	}
	return ""
}

// Derive adds a column that a jq program computes from each record, or gives
// it another program. Without a program the column goes away.
func (p *Pane) Derive(name, program string) intent.Intent {
	v := p.onTable()
	if v == nil {
		return nil
	}
	c := newComputed(records.Computed{Name: name, Program: program})
	if c.bad != "" {
		return intent.Say{Text: c.bad, Bad: true}
	}
	v.page.chosen = true
	at := slices.Index(v.names(), name)
	drop := program == ""
	switch {
	case drop && v.computed(name) == nil:
		return intent.Say{Text: "there is no computed column " + text.Sanitize(name), Bad: true}
	case drop:
		v.derived = slices.DeleteFunc(slices.Clone(v.derived), func(o *computed) bool { return o.Name == name })
		v.dropColumn(at)
	case at >= 0:
		v.derived[slices.Index(v.derived, v.computed(name))] = c
		v.columns[at] = column{Column: c.column()}
		v.col = at
	default:
		v.derived = append(v.derived[:len(v.derived):len(v.derived)], c)
		v.col = min(v.col+1, len(v.columns))
		v.columns = slices.Insert(v.columns, v.col, column{Column: c.column()})
	}
	v.retable()
	v.measure()
	v.resort(name)
	return v.again(p)
}

// resort gives the sort a computed column as it is now, or takes it away with it.
func (v *tableView) resort(name string) {
	c := v.computed(name)
	v.sort = slices.DeleteFunc(slices.Clone(v.sort), func(k records.SortKey) bool { return k.Column.Name == name && c == nil })
	for i := range v.sort {
		if v.sort[i].Column.Name == name {
			column := c.column()
			v.sort[i].Column = &column
		}
	}
}

// dropColumn takes a column out of those shown; at is below 0 where it is hidden.
func (v *tableView) dropColumn(at int) {
	if at < 0 {
		return
	}
	v.columns = slices.Delete(v.columns, at, at+1)
	if at < v.pinned {
		v.pinned--
	}
	if len(v.columns) == 0 {
		v.useful()
	}
}
