package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/pages"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/client/search"
	"patchbay/ui/intent"
	"patchbay/ui/result"
)

// How much a comparison asks of each side at most.
const (
	comparePages = 5
	compareRows  = 500
)

// compareSide is one way of asking for the records of an entity, and what came.
type compareSide struct {
	// name is "search", "list", "api_search" or "local".
	name string
	ask  result.Question
	// unasked is why the question cannot be sent; empty when it can.
	unasked string
	// left is what other sides are asked and this one is not. checked are
	// conditions that are not asked but held against what comes.
	left, checked []search.Left

	set *records.Set
	// foreign counts records that came and do not meet the checked conditions.
	foreign int
	out     pages.Outcome
	err     error
}

// answered tells whether there is anything to hold against other sides.
func (s *compareSide) answered() bool {
	return s.unasked == "" && (s.err == nil || s.set.Len() > 0)
}

// whole tells whether the side showed all records it has.
func (s *compareSide) whole() bool { return s.err == nil && s.out.Complete() }

// compareFrom is the question that a comparison asks of all sides: that of the
// answer shown, else that of the form.
func (m *Model) compareFrom() (result.Question, bool) {
	if p := m.res.Page(); p != nil && p.Kind != nil && p.Entity != nil && p.Action != nil {
		return p.Question, true
	}
	if m.noRequest() != "" {
		return result.Question{}, false
	}
	op := client.Operation{Entity: m.req.Entity().Name, Action: m.req.Action().Name, Params: m.req.Params()}
	return m.question(op), true
}

// noCompare says why there are no two sides to compare.
func (m *Model) noCompare() string {
	if m.deps.Session.Service == nil {
		return "no service is asked here: patchbay without a file, or a profile, can compare"
	}
	from, ok := m.compareFrom()
	if !ok {
		return "there is no entity to compare: open one of its actions first"
	}
	ways := m.compareWays(from)
	switch len(ways) {
	case 0:
		return from.Entity.Name + " can neither be searched nor listed, so there is nothing to compare"
	case 1:
		return fmt.Sprintf("%s can only be asked by %s here: a comparison takes search and list, or a connector of this kind that is called directly", from.Entity.Name, ways[0].name)
	}
	return ""
}

// compareWay is a way to ask for the records of an entity.
type compareWay struct {
	name   string
	target *client.Target
	action *catalog.Action
}

// compareWays lists the ways to ask for the entity's records.
func (m *Model) compareWays(from result.Question) []compareWay {
	hosted, local := m.compareTargets(from)
	var ways []compareWay
	if find := from.Entity.Action(catalog.ActionContextStoreSearch); find != nil && hosted != nil {
		ways = append(ways, compareWay{"search", hosted, find})
	}
	list := listOf(from.Entity, from.Action)
	if list != nil && hosted != nil {
		ways = append(ways, compareWay{list.Name, hosted, list})
	}
	if list != nil && local != nil && !list.HostedOnly {
		ways = append(ways, compareWay{"local", local, list})
	}
	return ways
}

// compareSides puts the question to each way of asking in its own words.
func (m *Model) compareSides(from result.Question) []*compareSide {
	ways := m.compareWays(from)
	var asked search.Asked
	if list := listOf(from.Entity, from.Action); list != nil {
		asked = search.Same(from.Entity, list, from.Action, from.Op.Params, m.formValues())
	}
	sides := make([]*compareSide, len(ways))
	for i, w := range ways {
		s := &compareSide{name: w.name, set: &records.Set{}}
		s.ask = result.Question{Target: *w.target, Kind: from.Kind, Entity: from.Entity, Action: w.action, Asked: m.deps.Now(),
			Op: client.Operation{Entity: from.Entity.Name, Action: w.action.Name}}
		if w.action.Name == catalog.ActionContextStoreSearch {
			s.ask.Op.Params, s.left = search.Query{Filter: asked.Filter, Limit: idsAsked}.Params(), asked.SearchLeft
		} else {
			s.ask.Op.Params = listParams(w.action, asked.Params)
			s.takeList(asked)
		}
		sides[i] = s
	}
	return sides
}

// listOf is the action that is asked beside search: the one of the question
// where it lists records, else the entity's list, else a search of the third
// party that needs nothing.
func listOf(e *catalog.Entity, from *catalog.Action) *catalog.Action {
	if from.Name == catalog.ActionList || from.Name == catalog.ActionAPISearch {
		return from
	}
	if list := e.Action(catalog.ActionList); list != nil {
		return list
	}
	a := e.Action(catalog.ActionAPISearch)
	if a == nil || len(a.Rules) > 0 {
		return nil
	}
	return a
}

// takeList notes what a list side is not asked; what can be judged on the
// records is judged there.
func (s *compareSide) takeList(asked search.Asked) {
	if len(asked.Missing) > 0 {
		s.unasked = "it needs " + strings.Join(asked.Missing, ", ") + ", which neither the answer nor the form holds"
	}
	for _, l := range asked.ListLeft {
		if l.Node != nil && search.Checkable(s.ask.Entity, s.ask.Action, l.Node) {
			s.checked = append(s.checked, l)
		} else {
			s.left = append(s.left, l)
		}
	}
}

// compareTargets finds a connector behind the service and one that is called
// directly, the one asked before others of its kind.
func (m *Model) compareTargets(from result.Question) (hosted, local *client.Target) {
	if from.Target.Local {
		local = &from.Target
	} else {
		hosted = &from.Target
	}
	for _, c := range slices.Concat(m.deps.Session.Local, m.tree.Connectors()) {
		if c.Kind != from.Kind.Name {
			continue
		}
		t := c.Target(m.deps.Session.Name)
		if t.Local && local == nil {
			local = &t
		}
		if !t.Local && hosted == nil {
			hosted = &t
		}
	}
	return hosted, local
}

// listParams are the params of a list from its first page on.
func listParams(list *catalog.Action, asked []search.Member) json.RawMessage {
	got := map[string]json.RawMessage{}
	var order []string
	for _, m := range asked {
		got[m.Name], order = m.Value, append(order, m.Name)
	}
	if size, n := pageSize(list); size != "" {
		got[size], order = json.RawMessage(n), append(order, size)
	}
	if len(order) == 0 {
		return nil
	}
	return object(order, got)
}

// openCompare asks all sides beside the update loop and shows what differs.
func (m *Model) openCompare() tea.Cmd {
	from, ok := m.compareFrom()
	if !ok {
		return nil
	}
	c := &comparison{m: m, entity: from.Entity, sides: m.compareSides(from)}
	service, now, session := m.deps.Session.Service, m.deps.Now, m.session
	return m.perform(intent.Work{What: "asking " + c.names(c.sides) + " for " + from.Entity.Name, Do: func(ctx context.Context) (func() intent.Intent, error) {
		askSides(ctx, service, c.sides, compareSteps[0], now)
		if err := c.join(ctx); err != nil {
			return nil, err
		}
		return func() intent.Intent {
			if m.session != session {
				return nil
			}
			m.log.add(now(), logNote, "compared "+c.names(c.sides)+" of "+c.entity.Name, nil)
			return then(func() tea.Cmd { return m.push(c.open()) })
		}, nil
	}})
}

// askSides asks all sides at the same time, page after page.
func askSides(ctx context.Context, service client.Executor, sides []*compareSide, l pages.Limits, now func() time.Time) {
	var wg sync.WaitGroup
	came := recordsCame(ctx)
	for _, s := range sides {
		if s.unasked == "" {
			wg.Go(func() { s.fetch(ctx, service, l, now, came) })
		}
	}
	wg.Wait()
}

// fetch asks for pages from the first one on, or from where the side was left.
func (s *compareSide) fetch(ctx context.Context, service client.Executor, l pages.Limits, now func() time.Time, came func(rows int)) {
	start := s.ask.Op
	if s.out.Pages > 0 {
		start = s.out.Next.Op
	}
	f := pages.Fetcher{Ask: pages.AskOf(service, s.ask.Target), Ledger: pages.NewLedger(s.ask.Entity, s.ask.Action), Start: start, Now: now,
		OnPage: func(p pages.Page, _ int) error {
			came(p.Rows)
			if p.Index != nil {
				s.set.Add(records.Page{Index: s.meeting(p.Index, p.Env.Names), Names: p.Env.Names})
			}
			return nil
		}}
	out, err := f.Fetch(ctx, l)
	if out.Pages == 0 && err != nil {
		out.Next = s.out.Next // the page that failed is asked for again
	}
	out.Pages, out.Rows = out.Pages+s.out.Pages, out.Rows+s.out.Rows
	s.out, s.err = out, err
}

// meeting is a page without the records that the question does not mean.
func (s *compareSide) meeting(x *rawjson.Index, names client.Names) *rawjson.Index {
	if len(s.checked) == 0 {
		return x
	}
	matcher := search.Compile(s.condition(names))
	var kept []rawjson.Node
	for i := range x.Len() {
		if n := x.Record(i); matcher.Match(n.Raw()) {
			kept = append(kept, n)
		}
	}
	s.foreign += x.Len() - len(kept)
	return rawjson.IndexNodes(x.Source(), kept)
}

// condition is what the records of this side are held against, in the names
// that they carry.
func (s *compareSide) condition(names client.Names) *search.Node {
	all := search.Group(search.All)
	for _, l := range s.checked {
		all.Children = append(all.Children, l.Node)
	}
	if names != client.Wire {
		return all
	}
	return search.InWireNames(s.ask.Kind, s.ask.Entity, all)
}

// join pairs the records of the sides that answered.
func (c *comparison) join(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, s := range c.sides {
		if s.answered() {
			c.joined = append(c.joined, s)
		}
	}
	if len(c.joined) == 0 {
		return nil
	}
	var err error
	c.out, err = pages.Compare(ctx, c.entity, c.entity.Action(catalog.ActionList), c.joinedSides(), intent.Report(ctx))
	return err
}
