package answer

import (
	"context"
	"fmt"
	"time"

	"patchbay/client"
)

// Ask runs one operation: an Executor bound to its target.
type Ask func(ctx context.Context, op client.Operation) (*client.Envelope, error)

// AskOf binds an executor to a target.
func AskOf(ex client.Executor, t client.Target) Ask {
	return func(ctx context.Context, op client.Operation) (*client.Envelope, error) {
		return ex.Execute(ctx, t, op)
	}
}

// Fetcher asks for page after page. It keeps nothing but the ledger, so a run
// that failed or was stopped continues where it was by calling Fetch again.
type Fetcher struct {
	Ask Ask
	Run *Run
	// Start is the operation of the first page, used while the ledger is empty.
	// The Op of an earlier run's Next continues after that run.
	Start client.Operation
	// OnPage gets each page as it comes, and how many of its rows are within
	// Limits.Rows. An error stops the run. It may be nil.
	OnPage func(p Entry, take int) error
	// Progress is told after each page. It may be nil. Before is how many rows
	// earlier runs of the same question brought that the ledger does not hold.
	Progress func(Progress)
	Before   int
	// DropBodies forgets the body of each page after OnPage, for runs that only stream.
	DropBodies bool
	// Now is the clock; nil for the real one.
	Now func() time.Time
}

// Limits say when to stop. The zero Limits fetch to the last page.
type Limits struct {
	// Pages and Rows bound what this call fetches; 0 is no bound.
	Pages, Rows int
	// Until ends the run after a page with a record that meets it. It may be nil.
	Until Condition
}

// Progress is how far a Fetch has come. Pages and Rows count what the ledger held
// before too, as far as it holds them.
type Progress struct {
	Pages, Rows int
	// Elapsed is the time of this call; RowsPerSecond its rate so far.
	Elapsed       time.Duration
	RowsPerSecond float64
	// Total is how many rows there will be, where the server says how many there
	// are (Limits.Rows may make it fewer); else -1. Left is then the estimated rest, else -1.
	Total int
	Left  time.Duration
}

// At is the same progress some time later, while the next page is still waited
// for: the rate sinks, and the rest grows.
func (p Progress) At(elapsed time.Duration) Progress {
	if elapsed <= p.Elapsed || p.RowsPerSecond <= 0 {
		return p
	}
	p.RowsPerSecond *= p.Elapsed.Seconds() / elapsed.Seconds()
	p.Elapsed = elapsed
	if p.Left >= 0 {
		p.Left = p.rest()
	}
	return p
}

// rest is how long what is missing takes at the present rate.
func (p Progress) rest() time.Duration {
	return time.Duration(float64(p.Total-p.Rows) / p.RowsPerSecond * float64(time.Second))
}

// Share is how much is done, from 0 to 1; known is false when no total is known.
func (p Progress) Share() (share float64, known bool) {
	if p.Total <= 0 {
		return 0, false
	}
	return min(float64(p.Rows)/float64(p.Total), 1), true
}

// Stop says why a Fetch ended.
type Stop int

// The reasons.
const (
	// StopEnd: the last page is there.
	StopEnd Stop = iota
	// StopLimit: Limits.Pages or Limits.Rows was reached.
	StopLimit
	// StopCondition: Limits.Until was met.
	StopCondition
	// StopUnknown: nothing says how to ask for the next page; there may be more.
	StopUnknown
	// StopVerdict: a verdict makes it pointless to continue.
	StopVerdict
	// StopFailure: the error that Fetch returned.
	StopFailure
)

// Outcome is what a Fetch did.
type Outcome struct {
	// Pages and Rows were fetched by this call; Rows counts those within Limits.Rows.
	Pages, Rows int
	Stop        Stop
	// Met is the record of the last page that met Limits.Until, for StopCondition.
	Met int
	// Why says it in words; for StopVerdict and StopUnknown with text of the server.
	Why string
	// Next is what the next page would send.
	Next Next
}

// Complete reports whether all records there are have been fetched.
func (o Outcome) Complete() bool { return o.Stop == StopEnd }

// Fetch asks for pages until a limit is reached, the last page is there, or
// something goes wrong. What came before a failure stays in the ledger; the
// error is that of Ask or OnPage, or of ctx.
func (f *Fetcher) Fetch(ctx context.Context, limits Limits) (Outcome, error) {
	r := &fetch{Fetcher: f, limits: limits, now: f.Now}
	if r.now == nil {
		r.now = time.Now
	}
	r.began = r.now()
	err := r.run(ctx)
	if err != nil {
		r.out.Stop, r.out.Why = StopFailure, err.Error()
	}
	r.out.Next = f.Run.Next()
	return r.out, err
}

type fetch struct {
	*Fetcher
	limits Limits
	now    func() time.Time
	began  time.Time
	out    Outcome
}

func (r *fetch) run(ctx context.Context) error {
	for {
		op, more := r.operation()
		if !more {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return &client.Error{Class: client.ClassCanceled, Layer: client.LayerProgram, Doing: "fetch pages",
				Message: "stopped", Err: err}
		}
		env, err := r.Ask(ctx, op)
		if err != nil {
			return err
		}
		page := r.Run.Add(op, env)
		if stop, err := r.took(ctx, page); stop || err != nil {
			return err
		}
	}
}

// operation is what to ask next; more is false when there is nothing to ask,
// and the outcome then says why.
func (r *fetch) operation() (op client.Operation, more bool) {
	if r.Run.Len() == 0 {
		return r.Start, true
	}
	next := r.Run.Next()
	v, blocked := r.Run.Blocked()
	switch {
	case blocked && next.State != Unknown:
		r.out.Stop, r.out.Why = StopVerdict, v.Text
	case next.State == More:
		return next.Op, true
	case next.State == Unknown:
		r.out.Stop, r.out.Why = StopUnknown, next.Why
	default:
		r.out.Stop, r.out.Why = StopEnd, next.Why
	}
	return op, false
}

// took hands a page on and reports whether a limit is reached.
func (r *fetch) took(ctx context.Context, p Entry) (stop bool, err error) {
	take := p.Fresh()
	if r.limits.Rows > 0 {
		take = min(take, r.limits.Rows-r.out.Rows)
	}
	cut := take < p.Fresh()
	r.out.Pages++
	r.out.Rows += take
	if r.OnPage != nil {
		if err := r.OnPage(p, take); err != nil {
			return true, err
		}
	}
	met := -1
	if r.limits.Until != nil {
		if met, err = r.limits.Until(ctx, p); err != nil {
			return true, err
		}
	}
	if r.DropBodies {
		r.Run.drop(r.Run.Len() - 1)
	}
	if r.Fetcher.Progress != nil {
		r.Fetcher.Progress(r.progress())
	}
	return r.reached(met, cut, p.Next), nil
}

func (r *fetch) reached(met int, cut bool, next Next) bool {
	switch {
	case met >= 0:
		r.out.Stop, r.out.Met = StopCondition, met
		r.out.Why = fmt.Sprintf("row %d of page %d is what you looked for", met+1, r.Run.Len())
	case next.State != More && !cut:
		return false
	case r.limits.Rows > 0 && r.out.Rows >= r.limits.Rows:
		r.out.Stop, r.out.Why = StopLimit, fmt.Sprintf("%d rows were asked for", r.limits.Rows)
	case r.limits.Pages > 0 && r.out.Pages >= r.limits.Pages:
		r.out.Stop, r.out.Why = StopLimit, fmt.Sprintf("%d pages were asked for", r.limits.Pages)
	default:
		return false
	}
	return true
}

func (r *fetch) progress() Progress {
	t := r.Run.Totals()
	p := Progress{Pages: t.Pages, Rows: t.Rows + r.Before, Elapsed: r.now().Sub(r.began), Total: t.Total, Left: -1}
	if s := p.Elapsed.Seconds(); s > 0 {
		p.RowsPerSecond = float64(r.out.Rows) / s
	}
	if bound := p.Rows - r.out.Rows + r.limits.Rows; r.limits.Rows > 0 && bound < p.Total {
		p.Total = bound
	}
	if p.Total >= p.Rows && p.RowsPerSecond > 0 {
		p.Left = p.rest()
	}
	return p
}
