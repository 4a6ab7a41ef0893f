// Package columns is the feature that chooses the columns of the table, says what
// one holds, computes further ones, shows a value whole, and remembers all that of
// each entity. What a column is is client/records. It imports no other dialog and
// not the root.
package columns

import (
	"maps"
	"strings"

	"patchbay/client/quantity"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
	"patchbay/ui/text"
)

// Feature is the columns. Use New.
type Feature struct{ dialog.Host }

// New returns the feature, which keeps the layouts of the response from now on.
func New(h dialog.Host) *Feature {
	f := &Feature{h}
	h.Response().UseLayouts(response.Layouts{Recall: f.recall, Keep: f.keep})
	return f
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	row := func(id, after string, in action.Scope, key, label, help string, do func() intent.Intent) action.Row {
		missing := f.Response().NoRecord
		if in != action.InTable {
			missing = f.Response().NoAnswer
		}
		return action.Row{ID: id, After: after, In: in, Keys: []string{key}, Label: label, Help: help,
			Disabled: missing, Do: do}
	}
	const value = "Show the whole value under the cursor"
	return []action.Row{
		row("table.summary", "table.range", action.InTable, "s", "summary", "Tell what the column under the cursor "+
			"holds: count, distinct, nulls, least, largest, most common", f.summarize),
		row("table.cell", "", action.InTable, "i", "full cell", "Show the whole value of the cell", f.value),
		row("table.columns", "", action.InTable, "c", "columns", "Choose the columns to show by typing; "+
			"keep sets of them by name", f.choose),
		row("column.derive", "column.right", action.InTable, "=", "computed column",
			"Add a column that a jq program computes from each record", f.derive),
		row("record.value", "record.foldall", action.InRecord, "i", "full value", value, f.value),
		row("json.value", "json.foldall", action.InJSON, "i", "full value", value, f.value),
	}
}

// summarize says what a column holds; choosing a value keeps its rows.
func (f *Feature) summarize() intent.Intent {
	return f.Response().Summarize(func(s response.Summary) intent.Intent {
		facts := strings.Join(s.Facts, " · ")
		items := make([]overlay.Item, 0, len(s.Values))
		for _, v := range s.Values {
			it := overlay.Item{Title: v.Text, Note: v.Note, Detail: facts, Disabled: v.Disabled, Value: v}
			items = append(items, it)
		}
		if len(items) == 0 {
			items = append(items, overlay.Item{Title: facts, Disabled: "no row has a value here"})
		}
		return intent.Push{Overlay: &overlay.List{Heading: s.Column, Wide: true,
			Source: overlay.Static(items),
			Help:   "most common first · enter keeps the rows with the value · esc closes",
			Choose: func(it overlay.Item) intent.Intent {
				return f.Response().FilterColumn(s.Column, it.Value.(response.SummaryValue))
			}}}
	})
}

// derive asks for a column that is computed; on such a column it asks for its new
// program.
func (f *Feature) derive() intent.Intent {
	old := ""
	if c, ok := f.Response().Computed(); ok {
		old = c.Name + " = " + c.Program
	}
	const about = "NAME = a jq program over each record, such as: total = .amount / 100. " +
		"NAME = alone takes the column away."
	p := overlay.NewPrompt("A computed column", about, old, func(v string) intent.Intent {
		name, program, _ := computed(v)
		return f.Response().Arrange(func() intent.Intent { return f.Response().Derive(name, program) })
	})
	p.Check = func(v string) string {
		name, program, ok := computed(v)
		if !ok || name == "" {
			return "type a name, =, and a jq program"
		}
		if why := f.Response().NotComputed(name); why != "" {
			return why
		}
		_, bad := response.QueryError(program)
		return bad
	}
	return intent.Push{Overlay: p}
}

// computed splits what was typed into the name of a column and its program.
func computed(v string) (name, program string, ok bool) {
	name, program, ok = strings.Cut(v, "=")
	return strings.TrimSpace(name), strings.TrimSpace(program), ok
}

// recall returns the columns that were chosen for an entity.
func (f *Feature) recall(kind, entity string) (response.Layout, bool) {
	key, st := kind+"."+entity, f.Settings()
	l := response.Layout{Columns: st.Columns[key], Pinned: 1, Widths: st.Widths[key], Computed: st.Computed[key]}
	if n, ok := st.Pinned[key]; ok {
		l.Pinned = n
	}
	return l, l.Columns != nil || l.Widths != nil || l.Computed != nil
}

// keep remembers the columns of an entity.
func (f *Feature) keep(kind, entity string, l response.Layout) intent.Intent {
	key, st := kind+"."+entity, f.Settings()
	st.Columns = with(st.Columns, key, l.Columns)
	st.Pinned = with(st.Pinned, key, l.Pinned)
	st.Widths = with(st.Widths, key, l.Widths)
	st.Computed = with(st.Computed, key, l.Computed)
	return intent.SaveSettings{}
}

// with returns a map with one value changed. It is a copy: the one before may be
// being written to disk.
func with[V any](m map[string]V, key string, value V) map[string]V {
	out := maps.Clone(m)
	if out == nil {
		out = map[string]V{}
	}
	out[key] = value
	return out
}

// shownAtOnce is the size up to which a value is laid out on the update loop. It
// is small, as what is nested deep takes much more room on the screen.
const shownAtOnce = 1 << 10

// value shows the whole value under the cursor.
func (f *Feature) value() intent.Intent {
	c, ok := f.Response().Cell()
	switch {
	case !ok:
		return intent.Say{Text: "there is no value under the cursor", Bad: true}
	case c.Size() <= shownAtOnce:
		return intent.Push{Overlay: reader(c)}
	}
	w, h := f.Size()
	return dialog.Quiet(func() (func() intent.Intent, error) {
		r := reader(c)
		overlay.Box(r, w, h) // wraps the lines
		return func() intent.Intent { return intent.Push{Overlay: r} }, nil
	})
}

// reader shows a value whole, as far as one reads.
func reader(c response.Cell) *overlay.Reader {
	t, more := c.Shown()
	r := &overlay.Reader{Heading: c.Path, CopyWhat: "value", Data: true, Wide: true}
	if c.Absent() {
		r.Body = append(r.Body, overlay.Line{Text: "absent: the record has no such field", Tone: overlay.Dim})
	}
	for _, l := range text.Lines(t) {
		r.Body = append(r.Body, overlay.Line{Text: string(l)})
	}
	if more {
		r.CopyWhat = "beginning of the value"
		end := "… of " + quantity.Size(int64(c.Size())) + " in all; E writes the records to a file"
		r.Body = append(r.Body, overlay.Line{Text: end, Tone: overlay.Warn})
	}
	r.CopyText, _ = c.Text()
	return r
}
