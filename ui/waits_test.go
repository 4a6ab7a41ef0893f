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
	synctest.Test(t, func(t *testing.T) {
		s := sandboxSession(sandbox.Options{})
		s.Service = lagging{s.Service}
		v := startTerminal(t, Deps{Session: s, Now: time.Now}, 120, 36)
		v.idle(2 * time.Second)
		v.wants("asking for workspaces", "ctrl+c cancels")
		v.keys("ctrl+c")
		v.idle(time.Second)
		v.wants("Cancelled", "it was cancelled. R asks")
		if strings.Contains(v.screen(), "asking for workspaces") {
			t.Errorf("it still asks:\n%s", v.screen())
		}
		v.quit()
	})
}
