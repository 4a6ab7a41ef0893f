package ui

import (
	"context"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
)

// serviceSession is a service of its own, with nothing opened at the start.
func serviceSession() Session {
	s := sandboxSession(sandbox.Options{})
	s.Name, s.Sandbox, s.First = "env", false, profile.Place{}
	return s
}

// few is a service with some workspaces and few connectors.
type few struct {
	Service
	workspaces []client.Workspace
	connectors map[string][]client.Connector
	err        error
	asked      []string
}

func (f *few) Workspaces(context.Context) ([]client.Workspace, error) { return f.workspaces, nil }

func (f *few) Connectors(_ context.Context, w string) ([]client.Connector, error) {
	f.asked = append(f.asked, w)
	if f.connectors[w] == nil {
		return nil, f.err
	}
	return f.connectors[w], nil
}

func TestPaletteListsWorkspacesThatWereNotOpened(t *testing.T) {
	p := play(t, Deps{Session: serviceSession()}, 120, 36)
	if n := len(p.m.tree.Connectors()); n != 0 {
		t.Fatalf("%d connectors are known before anything was opened", n)
	}
	p.keys("ctrl+p")
	p.typed("payments customers list")
	p.keys("enter")
	p.wants("payments › customers › list", "starting_after")
}

func TestGoingStopsAtTheFirstWorkspaceThatHasIt(t *testing.T) {
	s := serviceSession()
	f := &few{Service: s.Service, workspaces: []client.Workspace{{Name: "one"}, {Name: "two"}, {Name: "three"}}, connectors: map[string][]client.Connector{
		"one": {{ID: "1", Name: "wiki", Kind: "team_wiki", Workspace: "one"}}, "two": {{ID: "2", Name: "money", Kind: "payments", Workspace: "two"}}}}
	s.Service = f
	p := play(t, Deps{Session: s}, 120, 36)
	p.keys(":")
	p.typed("payments customers list")
	p.keys("enter")
	p.wants("money › customers › list")
	if got := strings.Join(f.asked, " "); got != "one two" {
		t.Errorf("asked %q", got)
	}
}

func TestGoingWhereNoConnectorLeads(t *testing.T) {
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"none", "No connector of kind payments here", nil},
		{"failed", "workspace could not be listed: the line is dead", &client.Error{Class: client.ClassNetwork, Message: "the line is dead"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serviceSession()
			s.Service = &few{Service: s.Service, workspaces: []client.Workspace{{Name: "one"}, {Name: "two"}}, err: c.err}
			p := play(t, Deps{Session: s}, 120, 36)
			p.keys("ctrl+p")
			p.typed("payments customers list")
			p.keys("enter")
			p.wants("starting_after")
			if !strings.Contains(p.m.toast.text, c.want) {
				t.Errorf("it said %q", p.m.toast.text)
			}
		})
	}
}

func TestTheOnlyWorkspaceOpensByItself(t *testing.T) {
	s := serviceSession()
	s.Service = &few{Service: s.Service, workspaces: []client.Workspace{{Name: "one"}}, connectors: map[string][]client.Connector{
		"one": {{ID: "2", Name: "money", Kind: "payments", Workspace: "one"}}}}
	p := play(t, Deps{Session: s}, 120, 36)
	p.wants("money")
}

// slowLists answers listings of connectors when the person lost patience.
type slowLists struct{ Service }

func (slowLists) Connectors(ctx context.Context, _ string) ([]client.Connector, error) {
	<-ctx.Done()
	return nil, &client.Error{Class: client.ClassCanceled, Message: "it was cancelled", Err: ctx.Err()}
}

func TestSeekingTellsAndCancels(t *testing.T) {
	s := serviceSession()
	s.Service = slowLists{s.Service}
	keys := append(strings.Split(":payments customers list", ""), "enter")
	delay{session: s, begin: keys, tells: "looking for a connector of kind payments", after: "demo", gone: "starting_after"}.cancel(t)
}
