package intent

import (
	"context"
	"time"
)

// Lane says how a task stands to the others that are under way.
type Lane int

const (
	// Records is work on the records shown: one task at a time, a newer one replaces it.
	Records Lane = iota
	// Idle is work on the records that is begun only while that lane is free: it must
	// not end what a person asked for.
	Idle
	// Writing writes something out: it continues while others begin and end, and a
	// second one is refused until it is done.
	Writing
	// Asking is a question to a service: any number at once, told in the status line
	// once it takes long. The answer is dropped when another profile was opened.
	Asking
	// Running is a run of the operation in the form, of one page or many: one at a
	// time, told in the response.
	Running
	// Typing follows what is being typed: a newer task replaces it, and nothing is shown
	// of it but its outcome.
	Typing
	// Quiet is work on this machine that nobody waits for: it shows nothing, and is
	// dropped when another profile was opened.
	Quiet
)

// Task is work beside the update loop, the one way to do it.
type Task struct {
	Lane Lane
	// What says what is done: "comparing", "looking for customers".
	What string
	// After is how long the task waits before it begins: a newer one of its lane may
	// come meanwhile.
	After time.Duration
	// Limit bounds how long Do may take; 0 sets no bound.
	Limit time.Duration
	// Do runs on another goroutine, until ctx ends at the latest; the function it
	// returns is run on the loop and stores the outcome. An error is shown and what to
	// do about it, but for that of a cancelled ctx. Report and Words tell how far it has come.
	Do func(ctx context.Context) (apply func() Intent, err error)
	// Undo, where set, is run on the loop in place of apply when the task is stopped
	// or fails: it takes back what was shown in advance.
	Undo func()
	// Stops says what ctrl+c does, "cancels" where it is empty; Stopped what is said
	// then, nil a plain word.
	Stops   string
	Stopped func() Intent
	// Tells is set where the task itself says how it ended, also once it was
	// stopped: its outcome is awaited then.
	Tells bool
	// Awaited is set for a run whose answer takes the place of what the response shows.
	Awaited bool
	// Unwritten says what a person who quits meanwhile should know of it.
	Unwritten string
}

// Work is a task that makes a value beside the loop, and hands it to then on the loop.
func Work[T any](what string, do func(context.Context) (T, error), then func(T) Intent) Task {
	return Task{What: what, Do: func(ctx context.Context) (func() Intent, error) {
		made, err := do(ctx)
		if err != nil {
			return nil, err
		}
		return func() Intent { return then(made) }, nil
	}}
}

// Around is the same task, with something done before or after its outcome is
// applied: f applies it.
func (t Task) Around(f func(apply func() Intent) Intent) Task {
	do := t.Do
	t.Do = func(ctx context.Context) (func() Intent, error) {
		apply, err := do(ctx)
		if err != nil {
			return nil, err
		}
		return func() Intent { return f(apply) }, nil
	}
	return t
}

// Progress is how a task tells of itself while it continues. Each function may be
// called from any goroutine.
type Progress struct {
	// Report says how much of the whole is done, Words how far it is where no share is known.
	Report func(done, total int)
	Words  func(string)
	// Post has a step run on the update loop, in the order of the calls and before
	// the outcome of the task is applied.
	Post func(step func() Intent)
}

type progressKey struct{}

// WithProgress returns a context whose work tells of itself through p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// progress is that of the work under ctx; its functions are never nil.
func progress(ctx context.Context) Progress {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok {
		return p
	}
	return Progress{Report: func(int, int) {}, Words: func(string) {}, Post: func(func() Intent) {}}
}

// Report returns the function that work under ctx tells its progress to.
func Report(ctx context.Context) func(done, total int) { return progress(ctx).Report }

// Words returns the function that work under ctx tells its progress to where a
// share of the whole is not known.
func Words(ctx context.Context) func(string) { return progress(ctx).Words }

// Post has a step run on the update loop while the work under ctx continues.
func Post(ctx context.Context, step func() Intent) { progress(ctx).Post(step) }
