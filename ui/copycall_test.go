package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/payload"
	"patchbay/client/sandbox"
)

func TestCopyTheCallOfThePageOnTheScreen(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "Y")
	p.lacks("This page")
	p.keys("esc", ".")
	p.wants("page 2")
	p.keys("Y")
	p.wants("This page, page 2 of the answer", "The form")
	p.keys("enter")
	if !strings.Contains(p.clip, "starting_after") {
		t.Errorf("the call of page 2 was copied as %s", p.clip)
	}
	p.keys("Y")
	p.typed("curl form")
	p.keys("enter")
	if strings.Contains(p.clip, "starting_after") || !strings.Contains(p.clip, "curl") {
		t.Errorf("the call of the form was copied as %s", p.clip)
	}
	p.keys("P")
	p.wants("This is the call of the form. That of page 2")
	p.keys("esc", "2", "Y", "enter")
	if strings.Contains(p.clip, "starting_after") {
		t.Errorf("in the form, its call comes first: %s", p.clip)
	}
}

// What is shown of the sandbox's address is what is copied.
func TestPreviewTellsTheAddressOfTheSandbox(t *testing.T) {
	const address = "http://127.0.0.1:45678/and/a/path/that/is/rather/long"
	p := play(t, Deps{Fresh: true, Listen: func() (string, error) { return address, nil }}, 100, 36)
	p.keys("esc", "P")
	p.wants("listens nowhere yet")
	p.keys("Y")
	p.wants("127.0.0.1:PORT")
	p.lacks("127.0.0.1:8642")
	p.keys("enter")
	p.wants(address)
	if !strings.Contains(p.clip, address) {
		t.Errorf("copied %s", p.clip)
	}
	p.keys("P")
	p.wants("POST " + address)
	p.lacks("listens nowhere yet")
}

// A line of Python by hand fills the form.
func TestPasteALineOfPython(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "2")
	p.send(tea.PasteMsg{Content: `    page = await connector.execute("customers", "list", params={"limit": 7})`})
	p.wants("params taken from the pasted python", "limit                    7")
	p.send(tea.PasteMsg{Content: `requests.post("https://h/api/v1/integrations/connectors/c/execute", json={"entity": "customers", "action": "list", "params": {"limit": 8}})`})
	p.wants("limit                    8")
	p.send(tea.PasteMsg{Content: `airbyte-agent connectors describe --id c`})
	p.wants("is no call of an entity")
}

// What is copied of the sandbox has its credentials; what is seen names variables.
func TestCopiedSandboxCallsCarryCredentials(t *testing.T) {
	s := sandboxSession(sandbox.Options{})
	s.Known = payload.KnownCredentials("everybody-knows-this", "id", "this-too", "org")
	p := play(t, Deps{Session: s, Fresh: true}, 200, 60)
	p.keys("esc", "Y")
	p.lacks("everybody-knows-this")
	p.keys("enter")
	if !strings.Contains(p.clip, "'Authorization: Bearer everybody-knows-this'") {
		t.Errorf("copied %s", p.clip)
	}
	p.keys("1")
	p.keys(":")
	p.typed("copy.describe")
	p.keys("enter")
	p.wants("Copy the description call of")
	p.keys("enter")
	if !strings.Contains(p.clip, `{"entity":"","action":"describe"}`) {
		t.Errorf("copied %s", p.clip)
	}
}
