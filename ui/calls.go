package ui

import (
	"context"
	"time"

	"patchbay/client"
	"patchbay/client/pages"
)

// call is one run of an operation. It lives from the key that starts it to its
// answer; an answer whose id is not the current one is dropped.
type call struct {
	id      int
	cancel  context.CancelFunc
	started time.Time
	events  chan client.Event
	// last is the newest event, for the progress line.
	last client.Event
	// retries counts the attempts that failed so far, with the reason of the last.
	retries int
	reason  string
	// until is when the next attempt starts, while waiting for one.
	until time.Time
	// intoPages adds the answer to the pages of the run instead of starting a new one.
	intoPages bool
	// many is set when one page after another is fetched; far is how far that has come.
	many chan fetchedPage
	far  pages.Progress
	// export is set when the pages go to a file instead of the screen.
	export *pageExport
	// out and err are how a run of many ended; set before many is closed.
	out pages.Outcome
	err error
}

// running tells whether a call is under way.
func (m *Model) running() bool { return m.call != nil }

// begin makes a new current call and cancels the one before.
func (m *Model) begin() (*call, context.Context) {
	if m.call != nil {
		m.call.cancel()
	}
	m.lastCall++
	ctx, cancel := context.WithCancel(context.Background())
	c := &call{id: m.lastCall, cancel: cancel, started: m.deps.Now(), events: make(chan client.Event, 16)}
	ctx = client.WithObserver(ctx, func(e client.Event) {
		select {
		case c.events <- e:
		default: // a screen that lags behind misses steps of progress, nothing else
		}
	})
	m.call = c
	return c, ctx
}

// end drops the current call.
func (m *Model) end() {
	if m.call != nil {
		m.call.cancel()
		m.call = nil
	}
}

// note takes an event of the current call.
func (c *call) note(e client.Event, now time.Time) {
	switch e.Kind {
	case client.EventRetry:
		c.retries++
		c.reason = e.Reason
		c.until = now.Add(e.Wait)
	case client.EventSend:
		c.until = time.Time{}
	}
	c.last = e
}
