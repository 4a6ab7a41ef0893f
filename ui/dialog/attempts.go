package dialog

import (
	"context"
	"fmt"
	"sync"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/ui/intent"
)

// Attempts is what a run tells of its attempts. The transport's goroutine writes
// it, the screen reads it.
type Attempts struct {
	mu   sync.Mutex
	seen Attempted
}

// Attempted is how far a run has come with its attempts.
type Attempted struct {
	// Last is the newest event.
	Last client.Event
	// Retries counts the attempts of the call that failed so far; Reason is that of
	// the last, and Token tells that it was to fetch a token.
	Retries int
	Reason  string
	Token   bool
	// Until is when the next attempt starts, while waiting for one.
	Until time.Time
}

// Waits reports whether the run waits to try again.
func (a Attempted) Waits() bool { return !a.Until.IsZero() }

// Failed says which attempt failed, and why.
func (a Attempted) Failed() string {
	if a.Token {
		return "asking for a token failed: " + a.Reason
	}
	return fmt.Sprintf("attempt %d failed: %s", a.Retries, a.Reason)
}

// Note takes an event of the run.
func (a *Attempts) Note(e client.Event, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch e.Kind {
	case client.EventRetry:
		if a.seen.Token = e.Purpose == client.PurposeToken; !a.seen.Token {
			a.seen.Retries++
		}
		a.seen.Reason = e.Reason
		a.seen.Until = now.Add(e.Wait)
	case client.EventSend:
		a.seen.Until = time.Time{}
	}
	a.seen.Last = e
}

// forget begins anew, as for the next page.
func (a *Attempts) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = Attempted{}
}

// Seen is what was told so far; nothing without a run.
func (a *Attempts) Seen() Attempted {
	if a == nil {
		return Attempted{}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.seen
}

// Observed is ctx for an executor whose attempts are told to note; one that failed
// is logged too.
func Observed(ctx context.Context, note func(client.Event)) context.Context {
	return client.WithObserver(ctx, func(e client.Event) {
		note(e)
		if e.Kind == client.EventRetry {
			intent.Post(ctx, func() intent.Intent {
				return intent.Log{Text: "attempt failed: " + e.Reason + ", trying again"}
			})
		}
	})
}

// PageProgress says how far a run of many pages is: rate and rest only where they
// are known.
type PageProgress struct {
	words  func(string)
	report func(done, total int)
	now    func() time.Time
	since  time.Time
	seen   Attempts
	// pages were shown before, rows an earlier run wrote.
	pages, rows int
	at          answer.Progress
}

// NewPageProgress begins to tell of the run under ctx; pages were shown before, rows
// an earlier run wrote.
func NewPageProgress(ctx context.Context, now func() time.Time, pages, rows int) *PageProgress {
	p := &PageProgress{words: intent.Words(ctx), report: intent.Report(ctx), now: now, since: now(),
		pages: pages, rows: rows}
	p.say()
	return p
}

// Tell takes how far the run is.
func (p *PageProgress) Tell(at answer.Progress) {
	p.at = at
	p.report(at.Rows, at.Total)
	p.seen.forget()
	p.say()
}

// Observed is ctx for a fetch whose failed attempts are told too.
func (p *PageProgress) Observed(ctx context.Context) context.Context {
	return Observed(ctx, func(e client.Event) {
		p.seen.Note(e, p.now())
		p.say()
	})
}

func (p *PageProgress) say() {
	at := p.at.At(p.now().Sub(p.since))
	t := quantity.Count(max(at.Pages, p.pages), "page", "pages") + ", " + quantity.Count(at.Rows+p.rows, "row", "rows")
	if at.Total > 0 {
		t += " of " + quantity.Digits(at.Total)
	}
	if at.RowsPerSecond > 0 {
		t += fmt.Sprintf(", %.0f rows/s", at.RowsPerSecond)
	}
	if at.Left > 0 {
		t += fmt.Sprintf(", about %s left", at.Left.Round(time.Second))
	}
	if seen := p.seen.Seen(); seen.Waits() {
		t += ", waiting to try again: " + seen.Reason
	}
	p.words(t)
}
