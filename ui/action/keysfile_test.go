package action

import "testing"

func TestKeysAreWrittenAsTheTerminalNamesThem(t *testing.T) {
	for in, want := range map[string]string{"Ctrl+Alt+L": "ctrl+alt+l", "alt+ctrl+l": "ctrl+alt+l", "shift+a": "A", "Shift+Left": "shift+left",
		"ctrl+X": "ctrl+x", "X": "X", "Escape": "esc", "ctrl+w  A": "ctrl+w A", "ctrl++": "ctrl++", "+": "+", "alt+Y": "alt+y"} {
		if got := normalKey(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

func TestRowsStandBehindThoseTheyName(t *testing.T) {
	rows := []Row{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "x", After: "b1"}, {ID: "y"}, {ID: "b1", After: "b"}, {ID: "b2", After: "b"}}
	got := ""
	for _, r := range NewTable(rows, nil).Rows {
		got += r.ID + " "
	}
	if got != "a b b1 x y b2 c " {
		t.Errorf("the order is %s", got)
	}
}
