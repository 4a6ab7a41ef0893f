package ui

import (
	"context"
	"fmt"
	"sync/atomic"

	"patchbay/client/pages"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// compareSteps are how much more a comparison asks of each side that has more.
var compareSteps = []pages.Limits{{Pages: comparePages, Rows: compareRows}, {Pages: 20 * comparePages, Rows: 20 * compareRows}}

// goesOn tells whether a side has further pages and says how to ask for them.
func (s *compareSide) goesOn() bool {
	return s.unasked == "" && s.out.Pages > 0 && s.out.Next.State == pages.More && s.out.Stop != pages.StopVerdict
}

// again is a side that can be asked on while s is still shown.
func (s *compareSide) again() *compareSide {
	next := *s
	next.set = &records.Set{}
	for i := range s.set.Pages() {
		page, _, _ := s.set.Page(i)
		next.set.Add(page)
	}
	return &next
}

// moreItems offer to ask on where a side has further pages.
func (c *comparison) moreItems() []overlay.Item {
	var open []*compareSide
	for _, s := range c.sides {
		if s.goesOn() {
			open = append(open, s)
		}
	}
	if len(open) == 0 {
		return nil
	}
	var items []overlay.Item
	for _, l := range compareSteps {
		items = append(items, overlay.Item{Group: "Sides", Title: "ask on", Note: fmt.Sprintf("up to %s more records of %s", text.Digits(l.Rows), c.names(open)),
			Detail: fmt.Sprintf("At most %d further pages of each side that has more. ctrl+c stops, and what is here stays.", l.Pages),
			Value:  func() intent.Intent { return c.askOn(l) }})
	}
	return items
}

// askOn asks the sides that have more, and shows the comparison of all that came.
func (c *comparison) askOn(l pages.Limits) intent.Intent {
	next := &comparison{m: c.m, entity: c.entity}
	var open []*compareSide
	for _, s := range c.sides {
		if s.goesOn() {
			s = s.again()
			open = append(open, s)
		}
		next.sides = append(next.sides, s)
	}
	service, now, session := c.m.deps.Session.Service, c.m.deps.Now, c.m.session
	return intent.Work{What: "asking " + c.names(open) + " on", Do: func(ctx context.Context) (func() intent.Intent, error) {
		askSides(ctx, service, open, l, now)
		if err := next.join(ctx); err != nil {
			return nil, err
		}
		return func() intent.Intent {
			if c.m.session == session {
				next.fill(c.list)
			}
			return nil
		}, nil
	}}
}

// recordsCame tells how many records came so far, from all sides.
func recordsCame(ctx context.Context) func(rows int) {
	tell, sum := intent.Words(ctx), new(atomic.Int64)
	return func(rows int) { tell(text.Count(int(sum.Add(int64(rows))), "record", "records")) }
}
