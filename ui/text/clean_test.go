package text

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// However a text comes in pieces, it is cleaned as if it came at once.
func TestCleaner(t *testing.T) {
	whole := "plain\r\n\x1b[31mred\x1b[0m\x07\ttab\u009b2J\u202eevil\n" + strings.Repeat("é漢", lineMost) + "\r\nlast \xff"
	want := string(Join(Lines(strings.ToUpper(whole)), "\n"))
	if strings.ContainsAny(want, "\x1b\x07\u009b\u202e") {
		t.Fatal("the text that is compared with is not clean")
	}
	for _, size := range []int{1, 7, 4096, len(whole)} {
		var b strings.Builder
		c := NewCleaner(&b, strings.ToUpper)
		for rest := whole; rest != ""; {
			n := min(size, len(rest))
			if _, err := io.WriteString(c, rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := c.Flush(); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("in pieces of %d bytes it is another text: %d bytes, not %d", size, b.Len(), len(want))
		}
	}
}

func TestCleanerTellsErrors(t *testing.T) {
	r, w := io.Pipe()
	gone := errors.New("gone")
	r.CloseWithError(gone)
	if _, err := io.WriteString(NewCleaner(w, strings.ToUpper), "a\n"); err != gone {
		t.Errorf("the error is %v", err)
	}
}
