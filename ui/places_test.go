package ui

import (
	"strings"
	"testing"

	"patchbay/client/profile"
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
