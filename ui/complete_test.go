package ui

import (
	"strings"
	"testing"
)

// In the jq line tab completes the keys of what the program gives at that place.
func TestTheQueryLineCompletesKeys(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "|")
	for _, c := range []struct {
		typed string
		tabs  int
		want  string
	}{
		{".", 1, ".address"}, {".", 2, ".balance"}, {".inv", 1, ".invoice_credit_balance"}, {".cash_balance.avail", 1, ".cash_balance.available"},
		{"select(.delinq", 1, "select(.delinquent"}, {".cash_balance | .sett", 1, ".cash_balance | .settings"},
		{"{id, c: .curr", 1, "{id, c: .currency"},
	} {
		p.keys("ctrl+u")
		p.typed(c.typed)
		for range c.tabs {
			p.keys("tab")
		}
		if got := p.field(); got != c.want {
			t.Errorf("%s and %d tabs make %s, want %s", c.typed, c.tabs, got, c.want)
		}
	}
	p.keys("ctrl+u")
	p.typed(".inv")
	p.keys("tab")
	p.wants("invoice_credit_balance  invoice_prefix  invoice_settings")
	p.keys("ctrl+t", "ctrl+u")
	p.typed(".result")
	p.typed(".")
	p.keys("tab")
	if got := p.field(); got != ".result[]" {
		t.Errorf("an array is entered by %s", got)
	}
	p.typed(".bal")
	p.keys("tab")
	if got := p.field(); got != ".result[].balance" {
		t.Errorf("behind it stands %s", got)
	}
	p.keys("ctrl+u")
	p.typed(".nothing_like_it")
	p.keys("tab")
	p.wants(`no key of . begins with "nothing_like_it"`)
}

// Names that stand behind a dot only in quotes are completed with them, also in the
// middle of a program.
func TestOddKeysAreCompletedInQuotes(t *testing.T) {
	p := openText(t, `[{"odd name":{"x":1},"\"":2}]`, 120, 36)
	p.keys("|")
	p.typed(". | length")
	p.keys(strings.Fields(strings.Repeat("left ", 9))...)
	p.typed("odd")
	p.keys("tab")
	if got := p.field(); got != `."odd name" | length` {
		t.Errorf("%s", got)
	}
}
