package ui

import (
	"context"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/session"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/tree"
)

// signedOut is a service whose credentials are refused.
type signedOut struct{ Service }

var errRefused = &client.Error{Class: client.ClassAuth, Doing: "list workspaces",
	Message: "the client secret was not accepted", Next: "Sign in again."}

func (signedOut) Workspaces(context.Context) ([]client.Workspace, error) { return nil, errRefused }

// Where credentials are refused the tree names the key that signs in, in full, and that
// begins at the service of the profile.
func TestARefusedProfileSignsInAgain(t *testing.T) {
	s := sides("", "", direct)
	s.Name, s.BaseURL, s.Service = "work", "https://agents.work.test/base", signedOut{s.Service}
	asked := false
	acc := Accounts{
		Try: func(_ context.Context, l session.Login) ([]client.Organization, error) {
			asked = l.BaseURL == s.BaseURL && l.Profile == s.Name
			return nil, errRefused
		},
		Keep: func(context.Context, session.Login) (string, error) { return "", nil },
	}
	for _, local := range []bool{true, false} {
		if !local {
			s.Local = nil
		}
		p := play(t, Deps{Accounts: acc, Session: s}, 120, 36)
		if words := p.inTree(); !strings.Contains(words, "not accepted. I signs in. R asks again.") {
			t.Errorf("the tree says %s", words)
		}
		p.keys("1", "I")
		p.wants("https://agents.work.test/base", "work")
		fields := p.m.stack.Top().(*overlay.Form).Fields
		fields.Fill("/client_id", "my-id")
		fields.Fill("/client_secret", "made-up")
		p.keys("ctrl+j")
		if !asked {
			t.Error("another service was asked, or as another profile")
		}
	}
}

// inTree are the words of the tree, without its frame.
func (p *player) inTree() string {
	var words []string
	for _, l := range strings.Split(p.screen(), "\n") {
		if r := []rune(l); len(r) > 32 && r[0] == '│' {
			words = append(words, strings.Fields(string(r[1:31]))...)
		}
	}
	return strings.Join(words, " ")
}

// A connector that is called directly is forgotten with the key that deletes others, after asking.
func TestALocalConnectorIsForgotten(t *testing.T) {
	with := sides("", "", direct)
	without := with
	without.Local = nil
	gone := ""
	acc := Accounts{ForgetLocal: func(_ context.Context, profile string, c client.Connector) error {
		gone = profile + " " + c.Name
		return nil
	}}
	open := func(context.Context, string) (Session, error) { return without, nil }
	p := play(t, Deps{Accounts: acc, Session: with, Open: open}, 120, 36)
	p.m.tree.AddGroup(tree.LocalGroup, "called directly", with.Local)
	p.run(p.m.perform(intent.Reveal{Connector: with.Local[0]}))
	p.keys("1", "D")
	p.wants("Forget the connector mine", "which is called directly")
	p.keys("n")
	if gone != "" {
		t.Fatalf("no forgot %s", gone)
	}
	p.keys("D", "y")
	p.wants("mine is forgotten")
	if gone != with.Name+" mine" || strings.Contains(p.inTree(), "mine") {
		t.Errorf("forgot %q; the tree holds %s", gone, p.inTree())
	}
}
