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
	// name is "search", "list" or "local".
	name string
	ask  result.Question
	// unasked is why the question cannot be sent; empty when it can.
	unasked string

	set *records.Set
	out pages.Outcome
	err error
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
	from, ok := m.compareFrom()
	if !ok {
		return "there is no entity to compare: open one of its actions first"
	}
	sides := m.compareSides(from)
	switch len(sides) {
	case 0:
		return from.Entity.Name + " can neither be searched nor listed, so there is nothing to compare"
	case 1:
		return fmt.Sprintf("%s can only be asked by %s here: a comparison takes search and list, or a connector of this kind that is called directly", from.Entity.Name, sides[0].name)
	}
	return ""
}

// compareSides lists the ways to ask for the entity's records.
func (m *Model) compareSides(from result.Question) []*compareSide {
	hosted, local := m.compareTargets(from)
	e := from.Entity
	var sides []*compareSide
	add := func(name string, t *client.Target, a *catalog.Action, params json.RawMessage, unasked string) {
		ask := result.Question{Target: *t, Kind: from.Kind, Entity: e, Action: a, Asked: m.deps.Now(),
			Op: client.Operation{Entity: e.Name, Action: a.Name, Params: params}}
		sides = append(sides, &compareSide{name: name, ask: ask, unasked: unasked, set: &records.Set{}})
	}
	if a := e.Action(catalog.ActionContextStoreSearch); a != nil && hosted != nil {
		add("search", hosted, a, search.Query{Limit: idsAsked}.Params(), "")
	}
	list := e.Action(catalog.ActionList)
	if list == nil {
		return sides
	}
	params, unasked := listParams(list, from, m.formValues())
	if hosted != nil {
		add("list", hosted, list, params, unasked)
	}
	if local != nil && !list.HostedOnly {
		add("local", local, list, params, unasked)
	}
	return sides
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

// listParams are the params of the question that a list understands too, from
// the first page on. The form fills in what the list requires.
func listParams(list *catalog.Action, from result.Question, form map[string]json.RawMessage) (params json.RawMessage, unasked string) {
	asked := values(from.Op.Params)
	if from.Action.Name == catalog.ActionContextStoreSearch {
		asked = nil // its params are all about the search
	}
	got := map[string]json.RawMessage{}
	var order, missing []string
	take := func(name string, v json.RawMessage) { got[name], order = v, append(order, name) }
	for i := range list.Params {
		f := &list.Params[i]
		v, have := asked[f.Name]
		if !have && f.Required {
			v, have = form[f.Name]
		}
		switch {
		case list.Page != nil && (f.Name == list.Page.Send || f.Name == list.Page.Back || f.Name == list.Page.Size):
		case have && string(v) != "null":
			take(f.Name, v)
		case f.Required && !f.Injected:
			missing = append(missing, f.Name)
		}
	}
	if size, n := pageSize(list); size != "" {
		take(size, json.RawMessage(n))
	}
	if len(missing) > 0 {
		unasked = "it needs " + strings.Join(missing, ", ") + ", which neither the answer nor the form holds"
	}
	if len(order) > 0 {
		params = object(order, got)
	}
	return params, unasked
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
		askSides(ctx, service, c.sides, now)
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
func askSides(ctx context.Context, service client.Executor, sides []*compareSide, now func() time.Time) {
	var wg sync.WaitGroup
	for _, s := range sides {
		if s.unasked == "" {
			wg.Go(func() { s.fetch(ctx, service, now) })
		}
	}
	wg.Wait()
}

func (s *compareSide) fetch(ctx context.Context, service client.Executor, now func() time.Time) {
	f := pages.Fetcher{Ask: pages.AskOf(service, s.ask.Target), Ledger: pages.NewLedger(s.ask.Entity, s.ask.Action), Start: s.ask.Op, Now: now,
		OnPage: func(p pages.Page, _ int) error {
			if p.Index != nil {
				s.set.Add(records.Page{Index: p.Index, Names: p.Env.Names})
			}
			return nil
		}}
	s.out, s.err = f.Fetch(ctx, pages.Limits{Pages: comparePages, Rows: compareRows})
}

// join pairs the records of the sides that answered.
func (c *comparison) join(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var sides []pages.Side
	for _, s := range c.sides {
		if s.answered() {
			c.joined = append(c.joined, s)
			sides = append(sides, pages.Side{Name: s.name, Set: s.set})
		}
	}
	if len(sides) == 0 {
		return nil
	}
	var err error
	c.out, err = pages.Compare(ctx, c.entity, c.entity.Action(catalog.ActionList), sides, intent.Report(ctx))
	return err
}
