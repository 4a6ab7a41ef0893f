package ui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"patchbay/client"
	"patchbay/client/sandbox"
)

// lagging answers listings when the person lost patience, not before.
type lagging struct{ Service }

func (lagging) Workspaces(ctx context.Context) ([]client.Workspace, error) {
	<-ctx.Done()
	return nil, &client.Error{Class: client.ClassCanceled, Message: "it was cancelled", Err: ctx.Err()}
}

// Whatever takes long says so and can be cancelled, listings too.
func TestListingsTellAndCancel(t *testing.T) {
	s := sandboxSession(sandbox.Options{})
	s.Service = lagging{s.Service}
	delay{session: s, tells: "asking for workspaces", after: "it was cancelled. R asks", gone: "asking for workspaces"}.cancel(t)
}

// delay is something that takes long.
type delay struct {
	session Session
	// begin are the keys that begin it.
	begin []string
	// tells is what is told meanwhile, after what stands there once it was
	// cancelled, and gone what does not.
	tells, after, gone string
}

// cancel begins it and cancels it.
func (w delay) cancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := startTerminal(t, Deps{Session: w.session, Now: time.Now}, 120, 36)
		for _, k := range w.begin {
			v.keys(k)
		}
		v.idle(2 * time.Second)
		v.wants(w.tells, "ctrl+c cancels")
		v.keys("ctrl+c")
		v.idle(time.Second)
		v.wants("Cancelled", w.after)
		if strings.Contains(v.screen(), w.gone) {
			t.Errorf("%q stands there after it was cancelled:\n%s", w.gone, v.screen())
		}
		v.quit()
	})
}

// busy answers listings at the second try only.
type busy struct{ Service }

func (b busy) Workspaces(ctx context.Context) ([]client.Workspace, error) {
	client.Notify(ctx, client.Event{Kind: client.EventRetry, Attempt: 1, Wait: 9 * time.Second, Reason: "503 busy"})
	time.Sleep(9 * time.Second)
	client.Notify(ctx, client.Event{Kind: client.EventSend, Attempt: 2})
	time.Sleep(5 * time.Second)
	return b.Service.Workspaces(ctx)
}

// Why a listing takes longer stands in the status line.
func TestListingsTellWhyTheyAreAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sandboxSession(sandbox.Options{})
		s.Service = busy{s.Service}
		v := startTerminal(t, Deps{Session: s, Now: time.Now}, 120, 36)
		v.idle(2 * time.Second)
		v.wants("asking for workspaces", "attempt 1 failed: 503 busy, trying again in 6 s", "ctrl+c cancels")
		v.idle(10 * time.Second)
		if strings.Contains(v.screen(), "trying again") {
			t.Errorf("it waits no more:\n%s", v.screen())
		}
		v.idle(10 * time.Second)
		v.wants("demo")
		v.quit()
	})
}
