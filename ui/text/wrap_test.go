package text

import (
	"strings"
	"testing"
)

func TestWrapLeavesNothingHangingOut(t *testing.T) {
	for _, s := range []Safe{
		"Rows that hold a text. !text rows without it, ~text a regular expression, 'text letters in order, column:text in one column.",
		"http://127.0.0.1:8642/api/v1/integrations/connectors/2d85f9b8-1ee7-55de-8169-dadeb1bcd81a/execute?a=b&c=d,e",
	} {
		for w := 2; w < 100; w++ {
			lines := Wrap(s, w)
			for _, l := range lines {
				if Width(l) > w {
					t.Fatalf("at %d the line %q has %d cells", w, l, Width(l))
				}
			}
			if all := strings.ReplaceAll(string(Join(lines, "")), " ", ""); all != strings.ReplaceAll(string(s), " ", "") {
				t.Fatalf("at %d the text became %q", w, lines)
			}
		}
	}
}
