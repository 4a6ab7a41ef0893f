package answer

import (
	"fmt"
	"testing"
)

func TestTell(t *testing.T) {
	var list []Verdict
	for i := 1; i < 12; i++ {
		list = append(list, Verdict{Name: ShortButMore, Page: i, Note: true,
			Text: fmt.Sprintf("short page but more: page %d has 3 of 5 rows", i+1)})
	}
	list = append(list, Verdict{Name: Loop, Page: 2, Text: "loop: page 3 holds page 1"},
		Verdict{Name: Loop, Page: 2, Text: "loop: the same page once more"},
		Verdict{Name: LimitIgnored, Page: 1, Text: "limit ignored (asked 10, got 25)"})
	var got []string
	for _, told := range Tell(list) {
		got = append(got, told.Sentence())
	}
	want := []string{
		"loop: page 3 holds page 1",
		"limit ignored (asked 10, got 25), on page 2",
		"short page but more: page 2 has 3 of 5 rows; also page 3, 4, 5, 6, 7, 8, 9, 10 and 2 more",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("told %q, want %q", got, want)
	}
}
