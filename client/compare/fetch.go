package compare

import (
	"context"
	"encoding/json"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/client/search"

	"patchbay/client/crew"
)

// Steps are how much a comparison asks of each side at first, and how much more
// it may be asked for then.
var Steps = []answer.Limits{{Pages: 5, Rows: 500}, {Pages: 100, Rows: 10_000}}

// Comparison is what several ways of asking say of one entity.
type Comparison struct {
	Entity *catalog.Entity
	// OfOne tells that the question is for one record.
	OfOne bool
	// Sides are those that were to be asked, Joined those that answered, in the
	// order of the Sides of Differences.
	Sides, Joined []*Side
	// Differences is nil when no side answered.
	*Differences
}

// New puts a question to each of some ways. known holds values for what a list
// requires besides.
func New(from answer.Question, ways []Way, known map[string]json.RawMessage, now time.Time) *Comparison {
	c := &Comparison{Entity: from.Entity, Sides: sidesOf(from, ways, known, now)}
	c.OfOne = len(ways) > 0 && !lists(ways[0].Action)
	return c
}

// Further is the comparison that continues with the sides that have more, which
// it returns as well, while this one is still shown.
func (c *Comparison) Further() (next *Comparison, open []*Side) {
	next = &Comparison{Entity: c.Entity, OfOne: c.OfOne}
	for _, s := range c.Sides {
		if s.Continues() {
			again := *s
			again.Set = &records.Set{}
			for i := range s.Set.Pages() {
				page, _, _ := s.Set.Page(i)
				again.Set.Add(page)
			}
			s = &again
			open = append(open, s)
		}
		next.Sides = append(next.Sides, s)
	}
	return next, open
}

// Asking is how the sides are asked.
type Asking struct {
	Service client.Executor
	Limits  answer.Limits
	Now     func() time.Time
	// Came is told of records that came, from any goroutine; Progress of the pairing.
	Came     func(rows int)
	Progress records.Progress
}

// Ask asks some of the sides at the same time, page after page, and pairs the
// records of all that answered.
func (c *Comparison) Ask(ctx context.Context, a Asking, sides []*Side) error {
	var wg crew.Crew
	for _, s := range sides {
		if s.Unasked == "" {
			wg.Go(func() { s.fetch(ctx, a) })
		}
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, s := range c.Sides {
		if s.Answered() {
			c.Joined = append(c.Joined, s)
		}
	}
	if len(c.Joined) == 0 {
		return nil
	}
	var err error
	c.Differences, err = Compare(ctx, c.Entity, c.shows(), c.Joined, a.Progress)
	return err
}

// shows is the action whose records are paired.
func (c *Comparison) shows() *catalog.Action {
	if c.OfOne {
		return c.Joined[0].Ask.Action
	}
	return c.Entity.Action(catalog.ActionList)
}

// fetch asks for pages from the first one on, or from where the side was left.
func (s *Side) fetch(ctx context.Context, a Asking) {
	start := s.Ask.Op
	if s.Out.Pages > 0 {
		start = s.Out.Next.Op
	}
	f := answer.Fetcher{Ask: s.shelf.Of(answer.AskOf(a.Service, s.Ask.Target)),
		Run:   answer.NewRun(s.Ask.Entity, s.Ask.Action),
		Start: start, Now: a.Now, OnPage: func(p answer.Entry, _ int) error {
			a.Came(p.Rows)
			if p.Index != nil {
				s.Set.Add(records.Page{Index: s.meeting(p.Index, p.Env.Names), Names: p.Env.Names})
			}
			return nil
		}}
	out, err := f.Fetch(ctx, a.Limits)
	if out.Pages == 0 && err != nil {
		out.Next = s.Out.Next // the page that failed is asked for again
	}
	out.Pages, out.Rows = out.Pages+s.Out.Pages, out.Rows+s.Out.Rows
	s.Out, s.Err = out, err
}

// meeting is a page without the records that the question does not mean: those
// that do not meet the checked conditions, in the names that they carry.
func (s *Side) meeting(x *rawjson.Index, names client.Names) *rawjson.Index {
	if len(s.Checked) == 0 {
		return x
	}
	all := search.Group(search.All)
	for _, l := range s.Checked {
		all.Children = append(all.Children, l.Node)
	}
	if names == client.Wire {
		all = search.InWireNames(s.Ask.Kind, s.Ask.Entity, all)
	}
	matcher := search.Compile(all)
	var kept []rawjson.Node
	for i := range x.Len() {
		if n := x.Record(i); matcher.Match(n.Raw()) {
			kept = append(kept, n)
		}
	}
	s.Foreign += x.Len() - len(kept)
	return rawjson.IndexNodes(x.Source(), rawjson.List, kept...)
}
