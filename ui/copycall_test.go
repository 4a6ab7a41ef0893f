package ui

import (
	"strings"
	"testing"
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
