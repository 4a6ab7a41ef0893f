package ui

import (
	"context"
	"errors"
	"testing"

	"patchbay/client"
	"patchbay/client/session"
	"patchbay/ui/overlay"
)

// noWorkspaces is a service that lists no workspaces.
type noWorkspaces struct{ Service }

func (noWorkspaces) Workspaces(context.Context) ([]client.Workspace, error) {
	return nil, errors.New("nothing listens there")
}

// A connector that is called directly is set up and used while the service is dead.
func TestALocalConnectorNeedsNoService(t *testing.T) {
	dead := sides("", "", direct)
	dead.Service = noWorkspaces{dead.Service}
	made := dead.Local[0]
	dead.Local = nil
	after := dead
	after.Local = []client.Connector{made}
	acc := Accounts{KeepLocal: func(context.Context, string, session.LocalSetup) (client.Connector, error) {
		return made, nil
	}}
	open := func(context.Context, string) (Session, error) { return after, nil }
	p := play(t, Deps{Accounts: acc, Session: dead, Open: open}, 120, 36)
	p.wants("nothing listens there")
	p.keys("1", "a")
	p.typed("local")
	p.keys("enter")
	p.typed("payments")
	p.keys("enter")
	fields := p.m.stack.Top().(*overlay.Form).Fields
	fields.Fill("/name", "mine")
	fields.Fill("/credentials/api_key", "made-up")
	p.keys("ctrl+j")
	p.lacks("Add Payments, called directly")
	p.wants("nothing listens", "called directly")
	p.openOn(made, "customers", "list", `{}`)
	p.wants("cus_3", "3 rows")
}
