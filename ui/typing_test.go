package ui

import (
	"strings"
	"testing"

	"patchbay/ui/intent"
)

// On a field that takes text, keys act when people press them there by habit;
// all others type.
func TestKeysThatTypeIntoTheForm(t *testing.T) {
	onEmail := func() *player {
		p := play(t, Deps{}, 120, 36)
		p.open("payments", "customers", "list")
		p.keys("j")
		return p
	}
	for _, key := range []string{"a", "c", "2", "4", "9", "0", "A", "H", "S", "T", "X", "Z", "<", "{", "@", "ä", "東"} {
		p := onEmail()
		p.keys(key)
		if !p.m.req.Typing() {
			t.Errorf("%s does not begin to type", key)
			continue
		}
		p.wants("typing · [form] json")
		p.keys("enter")
		if got := string(p.m.req.Params()); !strings.Contains(got, `"`+key+`"`) {
			t.Errorf("%s gives %s", key, got)
		}
	}
	for _, key := range []string{"1", "3", "j", "k", "h", "l", "g", "G", "v", "e", "x", "P", "Y", "y", "d", "q", "f", ":", "?", "-", "M", "L", "ctrl+x"} {
		p := onEmail()
		p.keys(key)
		if p.m.req.Typing() {
			t.Errorf("%s types", key)
		}
	}
}

func TestNumbersAreTypedAsTheyAre(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	p.typed("25")
	p.keys("enter")
	if got := string(p.m.req.Params()); got != `{"limit":25}` {
		t.Errorf("25 gives %s", got)
	}
	p.keys("1")
	if p.m.arr.focus != intent.Tree {
		t.Error("1 does not go to the tree")
	}
}

// Where no text can be typed, the same keys act.
func TestKeysActOnRowsWithoutText(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	p.keys("j", "j", "T")
	p.wants("Theme")
}
