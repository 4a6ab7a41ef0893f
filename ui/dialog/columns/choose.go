package columns

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"patchbay/client/records"
	"patchbay/ui/action"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// chooser is the open list of columns.
type chooser struct {
	f     *Feature
	list  *overlay.List
	key   string // of the entity, for the sets; "" where nothing is kept of it
	all   []records.Column
	shown []string
}

// set is an item of the list that stands for columns kept under a name.
type set struct{ name string }

// choose shows or hides columns; shown ones stand in the order of choice.
func (f *Feature) choose() intent.Intent {
	c := &chooser{f: f}
	c.all, c.shown = f.Response().Columns()
	if page := f.Response().Page(); page.Kind != nil && page.Entity != nil {
		c.key = page.Kind.Name + "." + page.Entity.Name
	}
	c.list = &overlay.List{Heading: "Columns", Through: true, Keep: true, Choose: c.take, Source: c.items,
		Prompt: "type a name; shown ones come first, in this order",
		Help:   "ctrl+o only these · ctrl+a all · ctrl+s keep · esc closes",
		Keys: map[string]intent.Intent{"ctrl+o": intent.Then{F: c.onlyThese}, "ctrl+a": intent.Then{F: c.showAll},
			"ctrl+s": intent.Then{F: c.askName}},
		OnItem: map[string]func(overlay.Item) intent.Intent{"ctrl+x": c.forget}}
	return intent.Push{Overlay: c.list}
}

// show shows columns.
func (c *chooser) show(names []string) intent.Intent {
	c.shown = names
	in := c.f.Response().Arrange(func() intent.Intent { return c.f.Response().SetColumns(names) })
	c.list.Refresh()
	return in
}

func (c *chooser) take(it overlay.Item) intent.Intent {
	if s, ok := it.Value.(set); ok {
		return c.useSet(s.name)
	}
	return c.show(toggled(c.shown, it.Value.(string)))
}

// toggled shows a hidden column or hides a shown one; the last one stays.
func toggled(shown []string, name string) []string {
	i := slices.Index(shown, name)
	switch {
	case i < 0:
		return append(slices.Clone(shown), name)
	case len(shown) == 1:
		return shown
	}
	return slices.Delete(slices.Clone(shown), i, i+1)
}

// onlyThese shows the columns that the typed text finds and hides all others.
func (c *chooser) onlyThese() intent.Intent {
	var names []string
	for _, it := range c.items(c.list.Query()) {
		if name, ok := it.Value.(string); ok {
			names = append(names, name)
		}
	}
	switch {
	case c.list.Query() == "":
		return intent.Say{Text: "type what their names hold first: ctrl+o then shows only those listed", Bad: true}
	case len(names) == 0:
		return intent.Say{Text: "no column is listed", Bad: true}
	}
	return c.show(names)
}

// showAll shows every column: those shown stay where they are.
func (c *chooser) showAll() intent.Intent {
	names := slices.Clone(c.shown)
	for _, column := range c.all {
		if !slices.Contains(names, column.Name) {
			names = append(names, column.Name)
		}
	}
	return c.show(names)
}

// sets are those kept for the entity.
func (c *chooser) sets() map[string][]string { return c.f.Settings().ColumnSets[c.key] }

// useSet shows the columns of a set that there are.
func (c *chooser) useSet(name string) intent.Intent {
	var names, missing []string
	for _, n := range c.sets()[name] {
		if slices.ContainsFunc(c.all, func(column records.Column) bool { return column.Name == n }) {
			names = append(names, n)
		} else {
			missing = append(missing, n)
		}
	}
	if len(names) == 0 {
		return intent.Say{Text: "no column of " + name + " is here: " + strings.Join(missing, ", "), Bad: true}
	}
	in := c.show(names)
	if len(missing) > 0 {
		in = intent.All{in, intent.Say{Text: "not here: " + strings.Join(missing, ", "), Bad: true}}
	}
	return in
}

// askName asks for the name under which the columns shown are kept.
func (c *chooser) askName() intent.Intent {
	if c.key == "" {
		return intent.Say{Text: "sets are kept for entities: A says of which one these records are", Bad: true}
	}
	p := overlay.NewPrompt("Keep these columns as", strings.Join(c.shown, ", "), "", func(name string) intent.Intent {
		c.keep(strings.TrimSpace(name), slices.Clone(c.shown))
		c.list.SetQuery("").Refresh()
		return intent.All{intent.SaveSettings{}, intent.Say{Text: "c offers the set " + name + " from now on"}}
	})
	p.Check = func(name string) string { return action.Reason(strings.TrimSpace(name) == "", "type a name") }
	return intent.Push{Overlay: p}
}

// keep changes a set; nil columns forget it. What was kept may be being written to disk.
func (c *chooser) keep(name string, columns []string) {
	st := c.f.Settings()
	sets := maps.Clone(c.sets())
	if columns == nil {
		delete(sets, name)
	} else {
		sets = with(sets, name, columns)
	}
	st.ColumnSets = with(st.ColumnSets, c.key, sets)
}

func (c *chooser) forget(it overlay.Item) intent.Intent {
	s, ok := it.Value.(set)
	if !ok {
		return intent.Say{Text: "ctrl+x forgets a set of columns", Bad: true}
	}
	c.keep(s.name, nil)
	c.list.Refresh()
	return intent.All{intent.SaveSettings{}, intent.Say{Text: "the set " + s.name + " is forgotten"}}
}

// items are the sets, the columns shown and the others, that a typed text finds.
func (c *chooser) items(query string) []overlay.Item {
	var items []overlay.Item
	sets := c.sets()
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		items = append(items, overlay.Item{Group: "Sets (ctrl+x forgets)", Title: "set " + name,
			Note: strings.Join(sets[name], ", "), Value: set{name}})
	}
	group := ""
	if len(items) > 0 {
		group = "Columns"
	}
	for _, name := range c.shown {
		items = append(items, overlay.Item{Group: group, Title: "[x] " + name, Value: name})
	}
	for _, column := range c.all {
		if !slices.Contains(c.shown, column.Name) {
			items = append(items, overlay.Item{Group: group, Title: "[ ] " + column.Name, Note: noteOf(column),
				Value: column.Name})
		}
	}
	return overlay.Static(items)(query)
}

// noteOf is what is told of a hidden column.
func noteOf(c records.Column) string {
	switch {
	case c.Derive != nil:
		return "computed"
	case c.Useful():
		return c.Type
	case c.Type == "":
		return "empty here"
	}
	return fmt.Sprintf("%s, empty here", c.Type)
}
