package ui

import (
	"context"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/session"
)

func TestTheLastPlaceKeepsItsParams(t *testing.T) {
	var kept profile.State
	deps := Deps{SaveSettings: func(s profile.State) error { kept = s; return nil }}
	p := play(t, deps, 120, 36)
	p.open("payments", "customers", "list")
	p.keys(":")
	p.typed("set limit 7")
	p.keys("enter", "q", "y")
	if got := string(kept.Places["sandbox"].Params); !p.quit || !strings.Contains(got, `"limit":7`) {
		t.Fatalf("quit %v, kept %s", p.quit, got)
	}
	again := play(t, Deps{Settings: kept}, 120, 36)
	again.wants("customers / list", "7")
	if got := string(again.m.req.Params()); got != `{"limit":7}` {
		t.Errorf("the form holds %s", got)
	}
}

func TestPlacesWithoutHistoryKeepNoParams(t *testing.T) {
	var kept profile.State
	s := serviceSession()
	s.Name, s.Sandbox, s.First, s.NoHistory = "sandbox", true, session.SandboxCall(testCatalog), true
	p := play(t, Deps{Session: s, SaveSettings: func(s profile.State) error { kept = s; return nil }}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys(":")
	p.typed("set limit 7")
	p.keys("enter", "r")
	p.wants("200")
	if place := kept.Places["sandbox"]; place.Entity != "customers" || place.Params != nil {
		t.Errorf("kept %+v", place)
	}
}

// calling counts the calls of a service.
type calling struct {
	Service
	calls int
}

func (c *calling) Execute(ctx context.Context, t client.Target, op client.Operation) (*client.Envelope, error) {
	c.calls++
	return c.Service.Execute(ctx, t, op)
}

func TestGoingBackKeepsWork(t *testing.T) {
	s := sandboxSession(sandbox.Options{})
	calls := &calling{Service: s.Service}
	s.Service = calls
	p := play(t, Deps{Session: s}, 120, 36)
	p.call("payments", "customers", "list", `{"limit":12}`)
	p.keys("/")
	p.typed("a")
	p.keys("enter")
	p.rest()
	p.keys("j", "j", "v", "j")
	left := p.besideTree()
	p.call("payments", "invoices", "list", `{"limit":3}`)
	p.keys("v", "v")
	there, asked := p.besideTree(), calls.calls
	for _, way := range []struct{ key, want string }{{"-", left}, {"+", there}, {"alt+left", left}, {"alt+right", there}} {
		p.keys(way.key)
		if got := p.besideTree(); got != way.want {
			t.Errorf("%s shows\n%s\nit was left as\n%s", way.key, got, way.want)
		}
	}
	p.keys("_")
	p.wants("The last places", "payments customers list", "200, 12 rows")
	p.keys("enter")
	if got := p.besideTree(); got != left {
		t.Errorf("from the list it comes as\n%s", got)
	}
	if calls.calls != asked {
		t.Errorf("the service was asked %d times more", calls.calls-asked)
	}
}

func TestTheSearchAndReferencesLoseNothing(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.call("payments", "invoices", "list", `{"limit":3}`)
	p.keys("j")
	left := p.besideTree()
	p.keys("F")
	p.typed("customers")
	p.keys("enter", "-")
	if got := p.besideTree(); got != left {
		t.Errorf("back from a reference it shows\n%s", got)
	}
	p.keys("ctrl+p")
	p.typed("refunds list")
	p.keys("enter", "-")
	if got := p.besideTree(); got != left {
		t.Errorf("back from the search it shows\n%s", got)
	}
}

// besideTree is the screen without the tree, whose folds stay as they are.
func (p *player) besideTree() string {
	lines := strings.Split(p.screen(), "\n")
	for i, l := range lines {
		if r := []rune(l); len(r) > 32 && i > 0 && i < len(lines)-2 {
			lines[i] = string(r[32:])
		}
	}
	return strings.Join(lines, "\n")
}
