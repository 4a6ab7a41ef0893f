package hosted

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"patchbay/client"
	"patchbay/client/crew"
)

// lookPatience bounds how long the answer of a call waits to be read for what was
// asked about its connector beside it.
const lookPatience = 2 * time.Second

// lookup is what is known of a connector, or asked for.
type lookup struct {
	// done is closed once nothing is asked any more; found and ok are set by then.
	done  chan struct{}
	found client.Connector
	ok    bool
	// beside is who asks.
	beside crew.Crew
	// waited is set once somebody waited for it: that is not done twice.
	waited atomic.Bool
}

// Learn keeps what is known of connectors, so that nobody needs to ask for it.
func (c *Client) Learn(list ...client.Connector) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range list {
		if one.ID != "" && one.Kind != "" {
			l := &lookup{done: make(chan struct{}), found: one, ok: true}
			close(l.done)
			c.lookups[one.ID] = l
		}
	}
}

// Known is what was learned of a connector. It sends nothing and waits for nothing.
func (c *Client) Known(id string) (one client.Connector, ok bool) {
	l := c.lookup(id)
	if l == nil {
		return one, false
	}
	select {
	case <-l.done:
		return l.found, l.ok
	default:
		return one, false
	}
}

func (c *Client) lookup(id string) *lookup {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lookups[id]
}

// Look begins to ask of which kind a connector is, beside the calls on it, and does
// not wait for the answer: calls on a target without a kind are read with what came
// by then. It asks once, and not for what is known. Without an answer the kind
// stays unknown.
func (c *Client) Look(ctx context.Context, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lookups[id] != nil || c.broken != nil {
		return
	}
	l := &lookup{done: make(chan struct{})}
	c.lookups[id] = l
	l.beside.Go(func() {
		defer close(l.done)
		// Nobody needs to hear that this is tried again: nothing depends on it.
		l.found, l.ok = c.ofKind(client.WithObserver(ctx, func(client.Event) {}), id)
	})
}

// ofKind asks for a connector; where its record does not tell the kind, its
// description may.
func (c *Client) ofKind(ctx context.Context, id string) (one client.Connector, ok bool) {
	if res, err := c.send(ctx, about(http.MethodGet, id, "", "read")); err == nil {
		one, _ = c.connector(res.Body.Slice(0, res.Body.Len()), "") // what cannot be read tells nothing
	}
	d := &Detail{Connector: one}
	if d.ID = id; d.Kind == "" {
		c.inspect(ctx, id)(d)
	}
	return d.Connector, d.Kind != ""
}

// Learned is Known, after waiting a little for what is being asked; that only once.
func (c *Client) Learned(ctx context.Context, id string) (one client.Connector, ok bool) {
	l := c.lookup(id)
	if l == nil || l.waited.Swap(true) {
		return c.Known(id)
	}
	patience := time.NewTimer(lookPatience)
	defer patience.Stop()
	select {
	case <-l.done:
		l.beside.Wait()
	case <-patience.C:
	case <-ctx.Done():
	}
	return c.Known(id)
}

// resolve finds the operation of a request in the catalog, as far as the kind of its
// target is known.
func (c *Client) resolve(r *request) {
	if one, ok := c.Known(r.target.ConnectorID); ok && r.target.Kind == "" {
		r.target.Kind = one.Kind
	}
	if k := c.kind(r.target.Kind); k != nil {
		if r.entity = k.Entity(r.op.Entity); r.entity != nil {
			r.action = r.entity.Action(r.op.Action)
		}
	}
}
