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
			Label: "compare", Help: "Compare what search, list and the direct call say of this entity: " +
				"only here, only there, differing fields", Disabled: f.missing, Do: f.open},
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

func (f *Feature) ways(from answer.Question) []compare.Way {
	return compare.Ways(from, f.Session().Name, slices.Concat(f.Session().Local, f.Tree().Connectors()))
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
	return compare.TooFew(from.Entity, f.ways(from))
}

// open asks all sides and shows what differs.
func (f *Feature) open() intent.Intent {
	from, ok := f.from()
	if !ok {
		return nil
	}
	c := &comparison{f, compare.New(from, f.ways(from), f.Request().Values(), f.Now()), newList()}
	names := compare.Names(c.Sides)
	return c.ask(c.Sides, compare.Steps[0], "asking "+names+" for "+c.Entity.Name, func() intent.Intent {
		c.list.Heading = c.Entity.Name + ": " + names
		return intent.All{intent.Log{Text: "compared " + names + " of " + c.Entity.Name}, intent.Push{Overlay: c.list}}
	})
}

// comparison is what the sides say of one entity, and the list that shows it.
type comparison struct {
	f *Feature
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
				more := &comparison{c.f, next, c.list}
				return more.ask(open, l, "asking "+compare.Names(open)+" on", func() intent.Intent { return nil })
			}}})
	}
	return items
}
