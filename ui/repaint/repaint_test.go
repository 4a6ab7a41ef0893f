package repaint

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// stage draws frames by the real renderer onto two terminals: one gets
// everything, the other what the filter passes.
type stage struct {
	renderer        *uv.TerminalRenderer
	sent            bytes.Buffer
	plain, filtered *vt.Emulator
	filter          filter
	buffer          uv.ScreenBuffer
	all, passed     int
	last            string
}

func newStage(w, h int, graphemes bool) *stage {
	s := &stage{filter: newFilter(), plain: terminalOf(w, h), filtered: terminalOf(w, h), buffer: uv.NewScreenBuffer(w, h)}
	s.renderer = uv.NewTerminalRenderer(&s.sent, []string{"TERM=xterm-256color"})
	s.renderer.SetColorProfile(colorprofile.TrueColor)
	s.renderer.SetScrollOptim(true)
	s.renderer.SetFullscreen(true)
	s.renderer.SetRelativeCursor(false)
	s.renderer.SetGraphemeWidth(graphemes)
	s.renderer.Erase()
	return s
}

func terminalOf(w, h int) *vt.Emulator {
	e := vt.NewEmulator(w, h)
	go io.Copy(io.Discard, e)
	return e
}

// draw sends one frame, with the cursor where a text field has it.
func (s *stage) draw(content string, x, y int) {
	s.buffer.Clear()
	uv.NewStyledString(content).Draw(s.buffer, s.buffer.Bounds())
	s.renderer.Render(s.buffer.RenderBuffer)
	if x >= 0 {
		s.renderer.MoveTo(x, y)
	}
	s.renderer.Flush()
	b := bytes.Clone(s.sent.Bytes())
	s.sent.Reset()
	passed := s.filter.pass(b)
	s.last = string(passed)
	s.all += len(b)
	s.passed += len(passed)
	s.plain.Write(b)
	s.filtered.Write(passed)
}

func (s *stage) resize(w, h int) {
	s.renderer.Resize(w, h)
	s.renderer.Erase()
	s.buffer.Resize(w, h)
	s.filter.forget()
	s.plain.Resize(w, h)
	s.filtered.Resize(w, h)
}

// same compares the two screens cell by cell, and the cursors.
func (s *stage) same() error {
	if a, b := s.plain.CursorPosition(), s.filtered.CursorPosition(); a != b {
		return fmt.Errorf("the cursor is at %v, without the filter at %v", b, a)
	}
	for y := range s.plain.Height() {
		for x := range s.plain.Width() {
			a, b := s.plain.CellAt(x, y), s.filtered.CellAt(x, y)
			if a.String() != b.String() || !a.Style.Equal(&b.Style) || a.Link != b.Link {
				return fmt.Errorf("cell %d,%d is %q %v, without the filter %q %v", x, y, b, b.Style, a, a.Style)
			}
		}
	}
	return nil
}

var words = []string{"花子", "Zoë Okafor", "ada", "👋🏿", "e\u0301tude", "日本語のなまえ", "   ", "user1@example.test", "🇯🇵", "├─", "한국"}

var pens = []string{"", "\x1b[1m", "\x1b[38;2;116;184;255m", "\x1b[48;2;48;57;80m", "\x1b[7m", "\x1b[4;31m", "\x1b[2m", "\x1b]8;;https://a.test/\x07"}

// row makes a row of random words in random pens.
func row(r *rand.Rand, width int) string {
	var b strings.Builder
	for ansi.StringWidth(b.String()) < r.IntN(width+1) {
		b.WriteString(pens[r.IntN(len(pens))] + words[r.IntN(len(words))] + "\x1b[m\x1b]8;;\x07")
	}
	return ansi.Truncate(b.String(), width, "")
}

func TestTheScreenIsTheSameWithRowsDropped(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			w, h := 20+r.IntN(50), 3+r.IntN(15)
			s := newStage(w, h, seed%2 == 0)
			rows := make([]string, h)
			for frame := range 150 {
				w, h, rows = change(r, s, w, h, rows)
				x, y := -1, -1
				if r.IntN(3) == 0 {
					x, y = r.IntN(w), r.IntN(h)
				}
				s.draw(strings.Join(rows, "\n"), x, y)
				if err := s.same(); err != nil {
					t.Fatalf("frame %d: %v", frame, err)
				}
			}
			if s.passed > s.all {
				t.Errorf("%d bytes were passed of %d", s.passed, s.all)
			}
		})
	}
}

// change does to the rows what a program does between two frames.
func change(r *rand.Rand, s *stage, w, h int, rows []string) (int, int, []string) {
	switch r.IntN(12) {
	case 0:
		w, h = 20+r.IntN(50), 3+r.IntN(15)
		s.resize(w, h)
		rows = make([]string, h)
		for i := range rows {
			rows[i] = row(r, w)
		}
	case 1:
		rows = append(rows[1:], row(r, w))
	case 2:
		for i := range rows {
			rows[i] = row(r, w)
		}
	case 3:
		s.renderer.Erase()
	default:
		for range 1 + r.IntN(2) {
			rows[r.IntN(h)] = row(r, w)
		}
	}
	return w, h, rows
}

// changeOneDigit draws a screen of wide rows, and again with one digit changed. It
// returns what the renderer sent for the change, and what the filter passed of it.
func changeOneDigit(s *stage) (sent, passed int) {
	rows := slices.Repeat([]string{"│ 花子 Okafor │ \x1b[38;2;116;184;255m日本語\x1b[m"}, 10)
	for n := range 2 {
		sent, passed = s.all, s.passed
		rows[9] = fmt.Sprint("row ", n)
		s.draw(strings.Join(rows, "\n"), -1, -1)
	}
	return s.all - sent, s.passed - passed
}

// enough is how many bytes a change of one digit takes.
const enough = 40

func TestUnchangedWideRowsAreNotSentAgain(t *testing.T) {
	s := newStage(60, 10, false)
	if _, passed := changeOneDigit(s); passed > enough {
		t.Errorf("a change of one digit sent %d bytes: %q", passed, s.last)
	}
	if err := s.same(); err != nil {
		t.Error(err)
	}
}

// While the renderer repaints unchanged rows, this package is needed.
func TestTheRendererStillRepaints(t *testing.T) {
	for _, graphemes := range []bool{false, true} {
		if sent, _ := changeOneDigit(newStage(60, 10, graphemes)); sent > enough {
			return
		}
	}
	t.Error("the renderer compares rows of wide characters itself now: delete this package, as its comment says")
}

func TestWhatMayHaveChangedARowForgetsIt(t *testing.T) {
	painted := "\x1b[3;1H\x1b[K花子\x1b[5;1H"
	for name, between := range map[string]string{
		"text on it":            "\x1b[3;4Hx\x1b[5;1H",
		"an erased character":   "\x1b[3;1H\x1b[X\x1b[5;1H",
		"the screen cleared":    "\x1b[2J\x1b[5;1H",
		"another screen":        "\x1b[?1049h\x1b[5;1H",
		"rows scrolled":         "\x1b[2;8r\x1b[S\x1b[5;1H",
		"another width model":   "\x1b[?2027h\x1b[5;1H",
		"text nobody can place": "\x1b[?6h\x1b[Gx\x1b[5;1H",
		"an unfinished command": "\x1b[3",
	} {
		f := newFilter()
		f.pass([]byte(painted))
		f.pass([]byte(between))
		if got := string(f.pass([]byte("\x1b[5;1H" + painted))); !strings.Contains(got, "花子") {
			t.Errorf("after %s the row was dropped: %q", name, got)
		}
	}
}

func TestWhatDrawsNothingKeepsTheRows(t *testing.T) {
	painted := "\x1b[3;1H\x1b[K花子\x1b[5;1H"
	for _, between := range []string{"", "\x1b[?25l", "\x1b]0;title\x07", "\x1b[?2026h", "\x1b[>4;2m", "\x1b[5 q", "\x1b[5;1Htext\x1b[6;1H", "\x1b[>1u", "\x1b]9;4;1;50\x07"} {
		f := newFilter()
		f.pass([]byte(painted))
		if got := string(f.pass([]byte(between + painted))); strings.Contains(got, "花子") {
			t.Errorf("after %q the row was sent again: %q", between, got)
		}
	}
}

func TestAPaintingStaysWhereTheCursorWouldBeLost(t *testing.T) {
	painted := "\x1b[3;1H\x1b[K花子"
	f := newFilter()
	f.pass([]byte(painted + "\x1b[5;1H"))
	for _, next := range []string{"", "\nx", "\x1b[5dx", "\x1b[?25h"} {
		if got := string(f.pass([]byte(painted + next))); !strings.Contains(got, "花子") {
			t.Errorf("before %q the row was dropped: %q", next, got)
		}
	}
}

func FuzzFilter(f *testing.F) {
	f.Add([]byte("\x1b[3;1H\x1b[K花子\x1b[m\r\n\x1b[?7l\x1b[Kx\x1b[?7h\x1b[1;1H"), 9)
	f.Add([]byte("\x1b[31m\x1b]8;;x\x07\x1b[?1049h\x9b\xff\x1bPq\x1b\\"), 3)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		flt := newFilter()
		cut = min(max(cut, 0), len(b))
		flt.pass(b[:cut])
		flt.pass(b[cut:])
		if flt.behind {
			t.Error("the terminal was left behind what was written")
		}
	})
}

func BenchmarkPass(b *testing.B) {
	s := newStage(200, 60, false)
	rows := make([]string, 60)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range rows {
		rows[i] = row(r, 200)
	}
	s.buffer.Clear()
	uv.NewStyledString(strings.Join(rows, "\n")).Draw(s.buffer, s.buffer.Bounds())
	s.renderer.Render(s.buffer.RenderBuffer)
	s.renderer.Flush()
	frame := s.sent.Bytes()
	f := newFilter()
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		f.pass(frame)
	}
}

// What carries an image for the terminal to draw goes through as it is.
func TestImagesPass(t *testing.T) {
	f := newFilter()
	f.pass([]byte("\x1b[2J\x1b[H"))
	image := "\x1b_Ga=T,U=1,q=2,f=100,i=7,c=2,r=1,m=1;QUJD\x1b\\\x1b_Gq=2,m=0;QUJD\x1b\\"
	cells := "\x1b[38;2;0;0;7m\U0010eeee\u0305\u0305\U0010eeee\u0305\u030d\x1b[m"
	if got := string(f.pass([]byte(image + cells))); got != image+cells {
		t.Errorf("%q", got)
	}
}
