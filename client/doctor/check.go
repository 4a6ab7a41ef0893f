package doctor

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/hosted"
	"patchbay/client/relate"
)

const (
	// atOnce is how many reads of a check are under way together.
	atOnce = 4
	// refusedEnough is how many refusals in a row say that no read will be allowed.
	refusedEnough = 4
)

// Subject is a connector to check, and what reaches it.
type Subject struct {
	client.Connector
	Target client.Target
	// Kind tells its entities; nil where the catalog does not know it.
	Kind *catalog.Kind
	// Reads runs the reads.
	Reads client.Executor
	// Own is the service's own check; nil where there is none.
	Own func(ctx context.Context) (client.Check, error)
	// Now is the clock.
	Now func() time.Time
	// Filled reports which params the connector's own configuration gives a value; nil
	// where nothing is known of it.
	Filled func(*catalog.Field) bool
}

// OfService is a connector of a service, its calls made by reads.
func OfService(service *hosted.Client, reads client.Executor, kind *catalog.Kind, c client.Connector) Subject {
	return Subject{Connector: c, Target: c.Target(service.Profile()), Kind: kind, Reads: reads, Now: service.Now,
		Own: func(ctx context.Context) (client.Check, error) { return service.CheckConnector(ctx, c.ID) }}
}

// check is a check under way.
type check struct {
	Subject
	prober Prober
	// parents are the entities whose records others need.
	parents map[string]bool
	// own is what the service's own check says, by entity in byEntity.
	own      client.Check
	byEntity map[string]client.EntityCheck
	// blocked is why not even that could be asked for; nil where reads make sense.
	blocked *client.Error

	mu sync.Mutex
	// done are the entities that are through, in the order in which they were.
	done []client.EntityCheck
	told func(client.EntityCheck, int)
	// accepted and refused count what the credentials came to; stop is set once no
	// further read is to be made.
	accepted, refused int
	stop              client.Verdict
}

// Check asks for the service's own check, then for a cheap read of each entity that
// needs nothing from a person, a few at once and each of them once. told takes each
// entity as it is through, with how many there are; its calls come one at a time.
// It stops early where a limit is reached, nobody is reached, or all is refused alike.
func (s Subject) Check(ctx context.Context, told func(e client.EntityCheck, of int)) client.Check {
	c := &check{Subject: s, told: told, byEntity: map[string]client.EntityCheck{}, parents: map[string]bool{},
		prober: Prober{Kind: s.Kind, Local: s.Target.Local, Now: s.Now(), Filled: s.Filled,
			read: map[string]*answer.Page{}}}
	outer := ctx
	ctx = client.WithObserver(client.HeedLimits(ctx), func(e client.Event) {
		c.mu.Lock()
		defer c.mu.Unlock()
		client.Notify(outer, e)
	})
	c.askService(ctx)
	c.readEntities(ctx)
	return c.result(ctx.Err() != nil)
}

// askService asks for the service's own check. Where not even that question is let
// through there is no use in reads.
func (c *check) askService(ctx context.Context) {
	if c.Own == nil {
		return
	}
	own, err := c.Own(ctx)
	if err == nil {
		c.own = own
		for _, e := range own.Entities {
			c.byEntity[e.Entity] = e
		}
		return
	}
	e := client.AsError(err)
	switch v := verdictOf(e); {
	case v == client.VerdictCanceled, v == client.VerdictRateLimited, v == client.VerdictUnreachable,
		v == client.VerdictCredentials && e.Layer != client.LayerThirdParty:
		c.stop, c.blocked = v, e
	case e.Status != http.StatusMethodNotAllowed && e.Status != http.StatusNotFound:
		c.own.Message = e.Error() // the reads tell whether that matters
	}
}

// readEntities reads what can be read. What needs a record of another entity comes
// after that one.
func (c *check) readEntities(ctx context.Context) {
	if c.Kind == nil {
		return
	}
	rest := make([]Probe, len(c.Kind.Entities))
	for i := range c.Kind.Entities {
		rest[i] = Probe{entity: &c.Kind.Entities[i], place: i}
		for _, a := range c.prober.reads(rest[i].entity) {
			for _, f := range a.Params {
				if entity, _ := relate.SplitRef(c.Kind, f.Ref); f.Required && entity != rest[i].entity.Name {
					c.parents[entity] = true
				}
			}
		}
	}
	for {
		var ready, later []Probe
		for _, one := range rest {
			found := c.prober.Of(one.entity)
			found.place = one.place
			if found.Ready() {
				ready = append(ready, found)
			} else {
				later = append(later, found)
			}
		}
		begun := c.readAll(ctx, ready)
		if rest = later; begun < len(ready) {
			rest = append(ready[begun:], later...)
			break
		}
		if begun == 0 {
			break
		}
	}
	for _, one := range rest {
		c.through(c.untried(one))
	}
}

// readAll makes reads, a few at once, and says how many were begun before it was stopped.
func (c *check) readAll(ctx context.Context, all []Probe) (begun int) {
	var wait sync.WaitGroup
	defer wait.Wait()
	slots := make(chan struct{}, atOnce)
	for _, one := range all {
		slots <- struct{}{}
		if c.stopped(ctx) {
			return begun
		}
		begun++
		wait.Go(func() {
			defer func() { <-slots }()
			env, err := c.Reads.Execute(ctx, c.Target, one.Op)
			c.take(ctx, one, env, err)
		})
	}
	return begun
}

func (c *check) stopped(ctx context.Context) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stop != "" || ctx.Err() != nil
}

// take reads what came of a read.
func (c *check) take(ctx context.Context, one Probe, env *client.Envelope, err error) {
	e := c.outcome(one, env, err)
	var page *answer.Page
	if err == nil && c.parents[one.entity.Name] {
		page = answer.NewPage(ctx, answer.Question{Target: c.Target, Op: one.Op, Kind: c.Kind, Entity: one.entity,
			Action: one.action}, env, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.Verdict != client.VerdictNotTried {
		c.prober.read[one.entity.Name] = page
	}
	switch e.Verdict {
	case client.VerdictOK, client.VerdictFailing, client.VerdictRefused:
		c.accepted++
	case client.VerdictRateLimited:
		c.stop = e.Verdict
	case client.VerdictUnreachable:
		if c.accepted == 0 && client.AsError(err).Class != client.ClassTimeout {
			c.stop = e.Verdict
		}
	case client.VerdictCredentials:
		c.refused++
		sure := c.refused >= refusedEnough || c.own.Status == statusFailed ||
			client.AsError(err).Layer != client.LayerThirdParty
		if c.accepted == 0 && sure {
			c.stop = e.Verdict
		}
	}
	c.tell(e)
}

// through tells of an entity that no read was made of.
func (c *check) through(e client.EntityCheck) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tell(e)
}

func (c *check) tell(e client.EntityCheck) {
	e.Status = statusOf(e.Verdict)
	c.done = append(c.done, e)
	if c.told != nil {
		c.told(e, len(c.Kind.Entities))
	}
}

// outcome is what came of a read of an entity.
func (c *check) outcome(one Probe, env *client.Envelope, err error) client.EntityCheck {
	out := client.EntityCheck{Entity: one.entity.Name, Place: one.place, Action: one.Op.Action}
	own := c.byEntity[out.Entity]
	if err == nil {
		out.Verdict, out.HTTPStatus, out.Took = client.VerdictOK, env.Status, env.Took
		if out.Message = "can be read"; own.Status == statusFailed {
			out.Message += "; " + said("the service's own check failed", own.Message)
		}
		return out
	}
	e := *client.AsError(err)
	e.Doing = "" // many entities may say the same
	out.Verdict, out.HTTPStatus, out.Class = verdictOf(&e), e.Status, e.Class
	out.Message, out.Next = e.Error(), e.Next
	switch out.Verdict {
	case client.VerdictCanceled:
		return client.EntityCheck{Entity: out.Entity, Place: out.Place, Verdict: client.VerdictNotTried,
			Message: "not tried: stopped before the answer came"}
	case client.VerdictNotTried: // it was not sent
		return client.EntityCheck{Entity: out.Entity, Place: out.Place, Verdict: client.VerdictNotTried,
			Message: "not tried: " + e.Message}
	case client.VerdictRefused:
		out.Next = cmp.Or(scopesOf(one.entity), own.Next, out.Next)
	case client.VerdictCredentials:
		out.Next = cmp.Or(own.Next, out.Next)
	case client.VerdictRateLimited:
		if out.Next = "Check again later."; e.RetryAfter > 0 {
			out.Next = fmt.Sprintf("Check again in %s or later.", e.RetryAfter.Round(time.Second))
		}
	}
	return out
}

// scopesOf is what the catalog says of the scopes that an entity needs.
func scopesOf(e *catalog.Entity) string {
	var out []string
	for _, n := range e.Notes {
		if strings.Contains(n.Text, "scope") {
			out = append(out, n.Text)
		}
	}
	return strings.Join(out, " ")
}

// untried says why an entity was not read: what that would need, or that the check
// was stopped. What the service's own check refused of it counts.
func (c *check) untried(one Probe) client.EntityCheck {
	out := client.EntityCheck{Entity: one.entity.Name, Place: one.place, Verdict: client.VerdictNotTried}
	if own, asked := c.byEntity[out.Entity]; asked && own.Status == statusFailed {
		own.Place, own.Verdict, own.Class = one.place, verdictOfStatus(own.HTTPStatus), classOf(own.HTTPStatus)
		own.Message = said("the service's own check failed", own.Message)
		return own
	}
	switch {
	case one.action == nil:
		out.Message = "not tried: no action lists or gets it"
	case len(one.lacks) > 0:
		out.Message = "not tried: needs " + strings.Join(one.lacks, ", ")
	case c.stop == "":
		out.Message = "not tried: stopped before"
	default:
		out.Message = "not tried: " + stopWords[c.stop]
	}
	return out
}

// stopWords say why no further read was made.
var stopWords = map[client.Verdict]string{
	client.VerdictRateLimited: "a limit was reached before", client.VerdictUnreachable: "nothing was reached before",
	client.VerdictCredentials: "the credentials were refused before"}
