package columns

import (
	"slices"
	"testing"
)

func TestToggled(t *testing.T) {
	shown := []string{"id", "name"}
	for _, c := range []struct {
		name string
		want []string
	}{
		{"email", []string{"id", "name", "email"}},
		{"id", []string{"name"}},
	} {
		if got := toggled(shown, c.name); !slices.Equal(got, c.want) {
			t.Errorf("%s gives %v, want %v", c.name, got, c.want)
		}
	}
	if got := toggled([]string{"id"}, "id"); !slices.Equal(got, []string{"id"}) {
		t.Errorf("the last column gives way to %v", got)
	}
	if !slices.Equal(shown, []string{"id", "name"}) {
		t.Errorf("the list that was given is %v now", shown)
	}
}

func TestComputed(t *testing.T) {
	if name, program, ok := computed(" total = .a == 1 "); !ok || name != "total" || program != ".a == 1" {
		t.Errorf("%q, %q, %v", name, program, ok)
	}
	if _, _, ok := computed("total"); ok {
		t.Error("a name alone is taken for a column")
	}
}

// The settings before may be being written to disk.
func TestALayoutIsChangedInACopy(t *testing.T) {
	before := map[string]int{"a": 1}
	after := with(before, "b", 2)
	if len(before) != 1 || after["a"] != 1 || after["b"] != 2 {
		t.Errorf("%v became %v", before, after)
	}
	if got := with(map[string]int(nil), "a", 1); got["a"] != 1 {
		t.Errorf("nothing became %v", got)
	}
}
