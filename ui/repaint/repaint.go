// Package repaint keeps rows that are on the terminal already from being painted
// again, in the words of terminals: it reads the sequences that the renderer
// writes. It imports nothing of ours.
//
// It answers a fault of the renderer, github.com/charmbracelet/ultraviolet, whose
// TerminalRenderer.transformLine sends only the cells that changed, but for rows
// that hold a wide character: those it erases and paints whole with every frame,
// changed or not (https://github.com/charmbracelet/ultraviolet/issues/163). On a
// screen of Japanese names one press of a key sends the whole screen, which a slow
// line shows. This package stands between the renderer and the terminal, remembers
// how each such row was painted and drops the same painting when nothing else
// touched the row since. Whatever it does not know makes it forget the screen,
// never guess.
//
// It can go once the renderer compares such rows itself. TestTheRendererStillRepaints
// shows that: it fails with the first version that does. Then this folder and
// onScreen.SetStdout in ui are deleted, and the explorer writes to the terminal's
// file.
package repaint

import (
	"bytes"
	"io"
	"os"
	"slices"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// terminal is what of a file does not go round Write.
type terminal interface {
	io.ReadCloser
	Fd() uintptr
}

// File is the terminal's file, with the rows dropped from what is written to it
// that it shows already. It is safe for concurrent use.
type File struct {
	terminal
	f             *os.File
	mu            sync.Mutex
	filter        filter
	width, height int
}

// New stands before the terminal's file f.
func New(f *os.File) *File { return &File{terminal: f, f: f, filter: newFilter()} }

// Terminal is the file itself, for a program that takes the screen over.
func (f *File) Terminal() *os.File { return f.f }

// Write sends what of b the terminal does not show yet. It reports all of b as
// written, so that callers need not know what was dropped.
func (f *File) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w, h, err := term.GetSize(int(f.f.Fd()))
	if err != nil || w != f.width || h != f.height { // it may have moved or clipped what it showed
		f.filter.forget()
	}
	f.width, f.height = w, h
	if _, err := f.f.Write(f.filter.pass(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// unknown is a row or column nobody knows.
const unknown = -1

// state is what of a terminal decides how the next character is drawn.
type state struct {
	x, y int
	pen  uv.Style
	wrap bool
}

// filter drops paintings. Between a painting that was dropped and the next
// output that draws, the terminal's state differs from what the writer believes
// it to be; behind says so, and real is the terminal's.
type filter struct {
	rows   map[int]string // how a row was painted, with the pen that erased it
	want   state
	real   state
	behind bool
	parser *ansi.Parser
	tokens []token
	out    bytes.Buffer
}

func newFilter() filter {
	f := filter{rows: map[int]string{}, parser: ansi.NewParser()}
	f.forget()
	f.want.wrap = true
	return f
}

// forget drops all that is known of the screen.
func (f *filter) forget() {
	clear(f.rows)
	f.want.x, f.want.y = unknown, unknown
}

// pass gives what of b to send. The result holds until the next call.
func (f *filter) pass(b []byte) []byte {
	tokens, ok := split(b, f.parser, f.tokens[:0])
	f.tokens = tokens
	if !ok {
		f.forget()
		return b
	}
	f.out.Reset()
	for len(tokens) > 0 {
		n := 1
		if tokens[0].class == erase && f.want.x == 0 && f.want.y != unknown {
			n = f.painting(tokens)
		} else {
			f.one(tokens[0])
		}
		tokens = tokens[n:]
	}
	f.catchUp()
	return f.out.Bytes()
}

// painting handles a row that is painted from its first column on, and returns how
// many tokens that were.
func (f *filter) painting(tokens []token) int {
	n, key := f.row(tokens)
	y, clipped := f.want.y, !f.want.wrap
	if f.rows[y] == key && f.settles(tokens, n) {
		if !f.behind {
			f.behind, f.real = true, f.want
		}
		for _, t := range tokens[:n] {
			f.apply(t)
		}
		return n
	}
	for _, t := range tokens[:n] {
		f.one(t)
	}
	f.rows[y] = key
	if !clipped {
		// A terminal that measures the row wider than the renderer does has
		// spilled into the next one.
		delete(f.rows, y+1)
	}
	return n
}

// row finds the end of a painting and what it is remembered by.
func (f *filter) row(tokens []token) (n int, key string) {
	var b bytes.Buffer
	b.WriteString(f.want.pen.String())
	for n < len(tokens) && (n == 0 || slices.Contains([]class{text, style, link, wrap}, tokens[n].class)) {
		b.Write(tokens[n].seq)
		n++
	}
	return n, b.String()
}

// settles says whether a painting of n tokens can be left out: it leaves no
// hyperlink open, and what follows says where the cursor is before it draws.
func (f *filter) settles(tokens []token, n int) bool {
	if slices.ContainsFunc(tokens[:n], func(t token) bool { return t.class == link }) {
		return false
	}
	at := state{x: unknown, y: f.want.y}
	for _, t := range tokens[n:] {
		if t.class == move {
			at.move(t)
		} else if t.class != style && t.class != wrap {
			break
		}
	}
	return at.x != unknown && at.y != unknown
}

// one handles a token on its own.
func (f *filter) one(t token) {
	if f.behind && (t.class == style || t.class == wrap || t.class == move) {
		f.apply(t)
		return
	}
	f.catchUp()
	f.out.Write(t.seq)
	f.apply(t)
	switch {
	case t.class == other:
		f.forget()
	case t.class == rows, t.changesRow() && f.want.y == unknown:
		clear(f.rows)
	case t.changesRow():
		delete(f.rows, f.want.y)
	}
}

// changesRow reports whether a token draws in the cursor's row.
func (t token) changesRow() bool { return t.class == text || t.class == erase || t.class == edit }

// apply follows what a token does to the state the writer believes in.
func (f *filter) apply(t token) {
	switch t.class {
	case style:
		uv.ReadStyle(t.params, &f.want.pen)
	case wrap:
		f.want.wrap = t.final == 'h'
	case move:
		f.want.move(t)
	case text, edit:
		f.want.x = unknown
	}
}

// catchUp brings the terminal to the state the writer believes it to be in.
func (f *filter) catchUp() {
	if !f.behind {
		return
	}
	f.behind = false
	f.out.WriteString(ansi.CursorPosition(f.want.x+1, f.want.y+1))
	switch {
	case f.want.wrap == f.real.wrap:
	case f.want.wrap:
		f.out.WriteString(ansi.SetModeAutoWrap)
	default:
		f.out.WriteString(ansi.ResetModeAutoWrap)
	}
	f.out.WriteString(f.want.pen.Diff(&f.real.pen))
}
