// Package pasted reads what a terminal sends and makes pasted text harmless before the
// framework reads it. A paste stands between two marks; what looks like the beginning of a
// control sequence within it would swallow the mark of its end, and every key after that.
package pasted

import (
	"bytes"
	"os"
	"unicode/utf8"
)

// begin and end are what a terminal writes around a paste (mode 2004).
const (
	begin = "\x1b[200~"
	end   = "\x1b[201~"
)

// File is a terminal's file, for reading. Use New.
type File struct {
	*os.File
	filter filter
}

// New reads from a terminal.
func New(f *os.File) *File { return &File{File: f} }

// Terminal is the file itself, for a program that takes the terminal over.
func (f *File) Terminal() *os.File { return f.File }

// Read reads what the terminal sent. It may return nothing without an error, where all that
// came was of a paste and is left out.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.File.Read(p[:room(len(p))])
	return f.filter.pass(p, n), err
}

// room is how much may be read so that what was held back before fits too.
func room(n int) int { return max(n-len(end)-utf8.UTFMax, min(n, 1)) }

// filter leaves text, tabs and line ends of a paste, and everything outside one as it is.
type filter struct {
	inside bool
	// seen is how much of the mark that would come next has come.
	seen int
	// part is the beginning of a character whose rest has not come.
	part []byte
}

// pass filters the first n bytes of p in place and returns how many are left. A paste's end
// and a character may come in parts: they are held back until they are whole.
func (f *filter) pass(p []byte, n int) int {
	out := make([]byte, 0, n+len(end)+utf8.UTFMax)
	for _, b := range p[:n] {
		if f.inside {
			out = f.within(out, b)
			continue
		}
		out = append(out, b)
		if f.advance(begin, b) {
			f.inside = true
		}
	}
	return copy(p, out)
}

// advance reports whether a byte completes a mark.
func (f *filter) advance(mark string, b byte) bool {
	switch b {
	case mark[f.seen]:
		f.seen++
	case mark[0]:
		f.seen = 1
	default:
		f.seen = 0
	}
	if f.seen < len(mark) {
		return false
	}
	f.seen = 0
	return true
}

// within adds a byte of a paste, where it stands for text.
func (f *filter) within(out []byte, b byte) []byte {
	before := f.seen
	if f.advance(end, b) {
		f.inside, f.part = false, f.part[:0]
		return append(out, end...)
	}
	if f.seen > 0 {
		if f.seen == 1 && before > 1 { // a mark that broke off, and another that begins
			out = append(out, end[1:before]...)
		}
		f.part = f.part[:0]
		return out
	}
	if before > 1 {
		out = append(out, end[1:before]...)
	}
	f.part = append(f.part, b)
	for len(f.part) > 0 && utf8.FullRune(f.part) {
		r, size := utf8.DecodeRune(f.part)
		if text(r, size) {
			out = append(out, f.part[:size]...)
		}
		f.part = bytes.Clone(f.part[size:])
	}
	return out
}

// text reports whether a character of a paste is kept: all but controls, which no field
// takes, and bytes that are no character.
func text(r rune, size int) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return true
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return false
	}
	return r != utf8.RuneError || size > 1
}
