// Package compare is the feature that asks one question by search, by list and
// directly, and shows what is only here, only there and different; and the menu of
// what else differs: two records, pages or runs. How sides are asked and held against
// each other is client/compare. It imports no other dialog and not the root.
package compare

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/compare"
	"patchbay/client/quantity"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
)

// Feature is the comparison of sides, and the menu of differences.
type Feature struct {
	dialog.Host
	// Export chooses one of some exports and where it goes.
	Export func([]response.Export) intent.Intent
	// More is a last line of the menu of differences.
	More func() overlay.Item
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{
		{ID: "response.compare", After: "response.diff", In: action.InResponse, Keys: []string{"C"},
			Label: "compare", Help: "Compare hosted (search, list) with local, a record too: " +
				"only here, only there, differing fields",
			Disabled: f.missing, Do: f.open},
		{ID: "response.diff", After: "response.query", In: action.InResponse, Keys: []string{"D"}, Label: "diff",
			Help:     "Compare two marked records, this record and the one above, two pages, or two runs",
			Disabled: func() string { return f.Response().NoAnswer() }, Do: f.openDiff},
	}
}

// openDiff chooses what is compared and shows the differences.
func (f *Feature) openDiff() intent.Intent {
	var items []overlay.Item
	for _, c := range f.Response().Diffs() {
		items = append(items, overlay.Item{Title: c.Title, Detail: c.Detail, Disabled: c.Disabled,
			Value: dialog.Diff(c.Do)})
	}
	l := &overlay.List{Heading: "Compare", Source: overlay.Static(append(items, f.More()))}
	return intent.Push{Overlay: l.Select(func(it overlay.Item) bool { return it.Disabled == "" })}
}

// from is the question that is asked of all sides: that of the answer shown, else
// that of the form.
func (f *Feature) from() (answer.Question, bool) {
	if p := f.Response().Page(); p != nil && p.Kind != nil && p.Entity != nil && p.Action != nil {
		return p.Question, true
	}
	r := f.Request()
	if r.Missing() != "" {
		return answer.Question{}, false
	}
	op := client.Operation{Entity: r.Entity().Name, Action: r.Action().Name, Params: r.Params()}
	return dialog.Question(f, op), true
}

// twins are the connectors that can be asked the same the other way.
func (f *Feature) twins(from answer.Question) []client.Target {
	return compare.Twins(from, f.Session().Name, slices.Concat(f.Session().Local, f.Tree().Connectors()))
}

// missing says why there are no two sides to compare.
func (f *Feature) missing() string {
	if f.Session().Service == nil {
		return "no service is asked here: patchbay without a file, or a profile, can compare"
	}
	from, ok := f.from()
	if !ok {
		return "there is no entity to compare: open one of its actions first"
	}
	twins := f.twins(from)
	if len(twins) > 0 {
		return compare.TooFew(from.Entity, compare.Ways(from, &twins[0]))
	}
	why := compare.TooFew(from.Entity, compare.Ways(from, nil))
	if why == "" {
		return ""
	}
	return why + "; " + alone(from)
}

// alone says that a question can be put to one side only, and how to have the other.
func alone(from answer.Question) string {
	k := from.Kind
	switch {
	case from.Target.Local:
		return "no connector of " + k.Name + " is listed in an open workspace: open it in the tree, or add one with a"
	case k.Local == nil || len(k.Credentials) == 0:
		return "nobody told how " + k.System + " is reached directly"
	}
	text := "none of " + k.Name + " is called directly: a in the tree adds one"
	if fields := k.Credentials[0].Fields; len(fields) > 0 {
		text += ", or set " + client.EnvName(k.Name, fields[0].Name)
	}
	return text
}

// open asks which twin is meant where there are several, then all sides.
func (f *Feature) open() intent.Intent {
	from, ok := f.from()
	if !ok {
		return nil
	}
	twins := f.twins(from)
	switch len(twins) {
	case 0:
		return f.compare(from, nil)
	case 1:
		return f.compare(from, &twins[0])
	}
	items := make([]overlay.Item, len(twins))
	for i := range twins {
		note := "called directly"
		if !twins[i].Local {
			note = "through the service, in " + twins[i].Workspace
		}
		items[i] = overlay.Item{Title: twins[i].Name, Note: note,
			Value: intent.Then{F: func() intent.Intent { return f.compare(from, &twins[i]) }}}
	}
	return intent.Push{Overlay: &overlay.List{Heading: "Compare with which connector?", Source: overlay.Static(items)}}
}

// compare asks all sides and shows what differs: of one record at once in what.
func (f *Feature) compare(from answer.Question, twin *client.Target) intent.Intent {
	lacking := ""
	if twin == nil {
		lacking = alone(from)
	}
	asked := compare.New(from, compare.Ways(from, twin), f.Request().Values(), f.Now())
	c := &comparison{f, lacking, asked, newList()}
	names := compare.Names(c.Sides)
	return c.ask(c.Sides, compare.Steps[0], "asking "+names+" for "+c.Entity.Name, func() intent.Intent {
		c.list.Heading = c.Entity.Name + ": " + names
		shown := intent.All{intent.Log{Text: "compared " + names + " of " + c.Entity.Name},
			intent.Push{Overlay: c.list}}
		if c.OfOne && c.Differences != nil && len(c.Records) == 1 {
			shown = append(shown, c.readRecord(&c.Records[0]))
		}
		return shown
	})
}

// comparison is what the sides say of one entity, and the list that shows it.
type comparison struct {
	f *Feature
	// lacking says why there is no other connector to ask.
	lacking string
	*compare.Comparison
	list *overlay.List
}

// ask asks some sides, fills the list with the comparison of all, and shows it.
func (c *comparison) ask(sides []*compare.Side, l answer.Limits, what string, show func() intent.Intent) intent.Intent {
	service, came := c.f.Session().Service, new(atomic.Int64)
	asking := compare.Asking{Service: service, Limits: l, Now: c.f.Now}
	return intent.Task{What: what, Do: func(ctx context.Context) (func() intent.Intent, error) {
		words := intent.Words(ctx)
		asking.Progress = intent.Report(ctx)
		asking.Came = func(rows int) { words(quantity.Count(int(came.Add(int64(rows))), "record", "records")) }
		if err := c.Ask(ctx, asking, sides); err != nil {
			return nil, err
		}
		return func() intent.Intent {
			if c.f.Session().Service != service { // another profile was opened
				return nil
			}
			c.fill()
			return show()
		}, nil
	}}
}

// moreItems offer to ask on, into the same list, where a side has further pages.
func (c *comparison) moreItems() []overlay.Item {
	_, open := c.Further()
	if len(open) == 0 {
		return nil
	}
	var items []overlay.Item
	for _, l := range compare.Steps {
		items = append(items, overlay.Item{Group: "Sides", Title: "ask on",
			Note: fmt.Sprintf("up to %s more records of %s", quantity.Digits(l.Rows), compare.Names(open)),
			Detail: fmt.Sprintf("At most %d further pages of each side that has more. "+
				"ctrl+c stops, and what is here stays.", l.Pages),
			Value: intent.Then{F: func() intent.Intent {
				next, open := c.Further()
				more := &comparison{c.f, c.lacking, next, c.list}
				return more.ask(open, l, "asking "+compare.Names(open)+" on", func() intent.Intent { return nil })
			}}})
	}
	return items
}
