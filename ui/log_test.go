package ui

import (
	"strings"
	"testing"

	"patchbay/ui/intent"
)

func TestLogHasGroups(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", ".", "Y", "enter", "M", ",", ",")
	p.keys("L")
	p.wants("Log: everything", "10:00:00  request", "10:00:00  copy", "10:00:00  setting", "10:00:00  problem")
	p.keys("tab")
	p.wants("Log: requests", "1 of 2")
	if s := p.screen(); strings.Contains(s, "10:00:00  copy") {
		t.Errorf("requests hold other lines:\n%s", s)
	}
	p.keys("tab", "tab")
	p.wants("Log: files", "none", "No file was written yet")
	p.keys("shift+tab")
	p.typed("copied")
	p.wants("Log: copies", "1 of 1")
	p.keys("enter")
	p.wants("Log: copy", "2 March 2026, 10:00:00")
	p.keys("esc", "L", "tab", "down", "enter")
	if p.m.stack.Top() != nil || p.m.arr.focus != intent.Response {
		t.Error("a request of the log does not open its answer")
	}
	p.wants("page 1, more")
}
