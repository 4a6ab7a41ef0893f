package text

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Cleaner writes text as Lines makes it: line breaks stay, and nothing is in it that a
// terminal would obey. Flush writes what is left at the end.
type Cleaner struct {
	w    io.Writer
	mask func(string) string
	rest []byte
}

// NewCleaner returns a writer that cleans what it is given for w; mask changes whole
// lines before that.
func NewCleaner(w io.Writer, mask func(string) string) *Cleaner { return &Cleaner{w: w, mask: mask} }

// lineMost is how much of a line is kept before it is written.
const lineMost = 64 << 10

// Write implements io.Writer.
func (c *Cleaner) Write(b []byte) (int, error) {
	end := 0
	if at := bytes.LastIndexByte(b, '\n'); at >= 0 {
		end = len(c.rest) + at + 1
	}
	c.rest = append(c.rest, b...)
	if end == 0 && len(c.rest) > lineMost {
		end = wholeRunes(c.rest)
	}
	return len(b), c.emit(end)
}

// Flush writes what is left.
func (c *Cleaner) Flush() error { return c.emit(len(c.rest)) }

func (c *Cleaner) emit(n int) error {
	if n == 0 {
		return nil
	}
	_, err := io.WriteString(c.w, string(Join(Lines(c.mask(string(c.rest[:n]))), "\n")))
	c.rest = append(c.rest[:0], c.rest[n:]...)
	return err
}

// wholeRunes is how much of b ends with a whole character; a line feed may follow what
// is held back.
func wholeRunes(b []byte) int {
	n := len(b)
	for range utf8.UTFMax {
		if n--; utf8.RuneStart(b[n]) {
			break
		}
	}
	return n
}
