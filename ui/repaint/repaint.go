// Package repaint keeps rows that are on the terminal already from being
// painted again.
//
// The renderer sends only the cells that changed, but for rows that hold a wide
// character: those it erases and paints whole with every frame, changed or not
// (https://github.com/charmbracelet/ultraviolet/issues/163). On a screen of
// Japanese names one press of a key sends the whole screen, which a slow line
// shows. This package stands between the renderer and the terminal, remembers
// how each such row was painted and drops the same painting when nothing else
// touched the row since. Whatever it does not know makes it forget the screen,
// never guess. It can go when the renderer compares such rows itself.
package repaint

import (
	"bytes"
	"os"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// File is the terminal's file, with the rows dropped from what is written to it
// that it shows already. It is safe for concurrent use.
type File struct {
	*terminal
	mu     sync.Mutex
	filter filter
	width  int
	height int
}

// terminal hides the methods of a file that would go round Write.
type terminal struct{ f *os.File }

// Read reads from the terminal.
func (t *terminal) Read(b []byte) (int, error) { return t.f.Read(b) }

// Close closes the terminal's file.
func (t *terminal) Close() error { return t.f.Close() }

// Fd is the terminal's file descriptor, for its size and its modes.
func (t *terminal) Fd() uintptr { return t.f.Fd() }

// New stands before the terminal's file f.
func New(f *os.File) *File {
	return &File{terminal: &terminal{f}, filter: newFilter()}
}

// Terminal is the file itself, for a program that takes the screen over.
func (f *File) Terminal() *os.File { return f.f }

// Write sends what of b the terminal does not show yet. It reports all of b as
// written, so that callers need not know what was dropped.
func (f *File) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resized()
	if _, err := f.f.Write(f.filter.pass(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// resized forgets the screen when the terminal has another size: it may have
// moved or clipped what it showed.
func (f *File) resized() {
	w, h, err := term.GetSize(int(f.f.Fd()))
	if err != nil || w != f.width || h != f.height {
		f.filter.forget()
	}
	f.width, f.height = w, h
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
	for i := 0; i < len(tokens); {
		i += f.take(tokens[i:])
	}
	f.catchUp()
	return f.out.Bytes()
}

// take handles the first token, or the whole painting of a row that starts with
// it, and returns how many tokens that were.
func (f *filter) take(tokens []token) int {
	if tokens[0].class == erase && f.want.x == 0 && f.want.y != unknown {
		return f.painting(tokens)
	}
	f.one(tokens[0])
	return 1
}

// painting handles a row that is painted from its first column on.
func (f *filter) painting(tokens []token) int {
	n, key := f.row(tokens)
	y, clipped := f.want.y, !f.want.wrap
	if f.rows[y] == key && f.settles(tokens, n) {
		f.fallBehind()
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
	for n < len(tokens) && (n == 0 || drawsInRow(tokens[n].class)) {
		b.Write(tokens[n].seq)
		n++
	}
	return n, b.String()
}

func drawsInRow(c class) bool {
	return c == text || c == style || c == link || c == wrap
}

// settles says whether a painting of n tokens can be left out: it leaves no
// hyperlink open, and what follows says where the cursor is before it draws.
func (f *filter) settles(tokens []token, n int) bool {
	for _, t := range tokens[:n] {
		if t.class == link {
			return false
		}
	}
	at := state{x: unknown, y: f.want.y}
	for _, t := range tokens[n:] {
		switch t.class {
		case move:
			at.move(t)
		case style, wrap:
		default:
			return at.x != unknown && at.y != unknown
		}
	}
	return at.x != unknown && at.y != unknown
}

func (f *filter) fallBehind() {
	if !f.behind {
		f.behind, f.real = true, f.want
	}
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
	f.touch(t)
}

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

// touch forgets the rows that a token changed.
func (f *filter) touch(t token) {
	switch t.class {
	case other:
		f.forget()
	case rows:
		clear(f.rows)
	case text, erase, edit:
		if f.want.y == unknown {
			clear(f.rows)
			return
		}
		delete(f.rows, f.want.y)
	}
}

// catchUp brings the terminal to the state the writer believes it to be in.
func (f *filter) catchUp() {
	if !f.behind {
		return
	}
	f.behind = false
	f.out.WriteString(ansi.CursorPosition(f.want.x+1, f.want.y+1))
	if f.want.wrap != f.real.wrap {
		f.out.WriteString(wrapMode(f.want.wrap))
	}
	f.out.WriteString(f.want.pen.Diff(&f.real.pen))
}

func wrapMode(on bool) string {
	if on {
		return ansi.SetModeAutoWrap
	}
	return ansi.ResetModeAutoWrap
}
