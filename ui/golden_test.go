package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"patchbay/client/sandbox"
)

// state is a screen that matters. Its golden file holds the text of the screen
// at every size; below each the style of every cell as a letter that the legend
// at the end explains; and the rows that other looks draw otherwise.
type state struct {
	name, about string
	// make brings the explorer there.
	make func(t *testing.T, w, h int) *player
	// shows are texts that are on the screen at 120x36, so that a state that
	// went another way is noticed.
	shows []string
	// foreign marks states whose data is not ASCII.
	foreign bool
	// sizes replaces those of every state.
	sizes []size
}

type size struct{ w, h int }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.w, s.h) }

// sizes are those at which golden screens are kept.
var sizes = []size{{60, 20}, {80, 24}, {120, 36}, {200, 60}}

// look is one way of drawing the screen.
type look struct {
	name, theme    string
	noColor, ascii bool
}

var (
	lookDark    = look{name: "dark", theme: "patchbay-dark"}
	lookLight   = look{name: "light", theme: "patchbay-light"}
	lookNoColor = look{name: "without colour", theme: "patchbay-dark", noColor: true}
	lookASCII   = look{name: "ASCII", theme: "patchbay-dark", ascii: true}
)

// TestStates compares every state at every size in every look with its golden
// file; -update writes the files anew.
func TestStates(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range states() {
		if seen[s.name] {
			t.Fatalf("two states are called %s", s.name)
		}
		seen[s.name] = true
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			got := s.golden(t)
			file := filepath.Join("..", "testdata", "screens", s.name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v: go test ./ui -update writes the golden screens", err)
			}
			if d := differing(string(want), got); d != "" {
				t.Errorf("%s differs from its golden file; go test ./ui -update rewrites it, if the change is meant:\n%s", s.name, d)
			}
		})
	}
}

// Every file of the folder is that of a state, so that none is left behind.
func TestGoldenFilesHaveStates(t *testing.T) {
	known := map[string]bool{"colours.txt": true}
	for _, s := range states() {
		known[s.name+".txt"] = true
	}
	files, err := os.ReadDir(filepath.Join("..", "testdata", "screens"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("no state is drawn in %s", f.Name())
		}
	}
}

// golden draws the state in every size and look, checks each screen, and
// returns the text of its file.
func (s state) golden(t *testing.T) string {
	at := s.sizes
	if at == nil {
		at = sizes
	}
	drawn := make([]screens, len(at))
	legend := newLegend()
	for i, sz := range at {
		p := s.make(t, sz.w, sz.h)
		drawn[i] = p.looks()
		drawn[i].check(t, s, sz)
		if sz == (size{120, 36}) {
			p.wants(s.shows...)
		}
		if again := p.in(lookDark); !slices.Equal(again.rows, drawn[i].dark.rows) {
			t.Errorf("%s: drawing it changed it:\n%s", sz, differing(strings.Join(drawn[i].dark.rows, "\n"), strings.Join(again.rows, "\n")))
		}
		for _, row := range drawn[i].cells() {
			for _, c := range row {
				legend.note(c)
			}
		}
	}
	for c := range legend.letters {
		if strings.Contains(c.roles, noRole) {
			t.Errorf("a cell is drawn in %s", c.roles)
		}
	}
	legend.letter()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", s.about)
	for i, sz := range at {
		drawn[i].write(&b, sz, legend)
	}
	legend.write(&b)
	return b.String()
}

// screens are one screen in every look.
type screens struct{ dark, light, noColor, ascii screen }

// looks draws the present screen in every look.
func (p *player) looks() screens {
	return screens{p.in(lookDark), p.in(lookLight), p.in(lookNoColor), p.in(lookASCII)}
}

// in draws the present screen in a look.
func (p *player) in(l look) screen {
	look := p.m.look
	was := *look
	look.Drawn.NoColor, look.Drawn.ASCII = l.noColor, l.ascii
	if err := look.Use(l.theme); err != nil {
		p.t.Fatal(err)
	}
	p.send(tea.WindowSizeMsg{Width: p.m.width, Height: p.m.height})
	s := newScreen(p.m.View().Content, l, p.m.width, p.m.height)
	*look = was
	return s
}

// check holds what is true of every screen.
func (s screens) check(t *testing.T, st state, sz size) {
	t.Helper()
	for _, one := range []screen{s.dark, s.light, s.noColor, s.ascii} {
		at := fmt.Sprintf("%s, %s", sz, one.look.name)
		if n := len(one.rows); n != sz.h && sz.w >= tinyWidth && sz.h >= tinyHeight || n > sz.h {
			t.Errorf("%s: the screen has %d lines", at, n)
		}
		for y, row := range one.rows {
			if n := ansi.StringWidth(row); n > sz.w {
				t.Errorf("%s: line %d has %d cells: %q", at, y, n, row)
			}
		}
		all := strings.Join(one.rows, "\n")
		for _, secret := range []string{sandbox.Token, sandbox.ClientSecret, typedSecret} {
			if strings.Contains(all, secret) {
				t.Errorf("%s: a secret is on the screen", at)
			}
		}
	}
	if !slices.Equal(s.dark.rows, s.light.rows) {
		t.Errorf("%s: dark and light differ in their text:\n%s", sz, differing(strings.Join(s.dark.rows, "\n"), strings.Join(s.light.rows, "\n")))
	}
	s.dark.checkContrast(t, sz)
	s.light.checkContrast(t, sz)
	s.noColor.checkNoColor(t, sz)
	s.ascii.checkASCII(t, sz, st.foreign)
}

// cells are the styles of the screen's cells, told by what they are in every look.
func (s screens) cells() [][]cellStyle {
	out := make([][]cellStyle, len(s.dark.cells))
	for y := range out {
		out[y] = make([]cellStyle, len(s.dark.cells[y]))
		for x := range out[y] {
			c := cellStyle{roles: rolesOf(s.dark.cells[y][x], s.light.cells[y][x])}
			if y < len(s.noColor.cells) && x < len(s.noColor.cells[y]) {
				c.noColor = attributes(s.noColor.cells[y][x])
			}
			out[y][x] = c
		}
	}
	return out
}

func (s screens) write(b *strings.Builder, sz size, l *legend) {
	fmt.Fprintf(b, "\n=== %s\n%s\n", sz, strings.Join(trimmed(s.dark.rows), "\n"))
	fmt.Fprintf(b, "--- %s: styles\n", sz)
	for _, row := range s.cells() {
		line := make([]byte, len(row))
		for x, c := range row {
			line[x] = l.letters[c]
		}
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	writeRows(b, fmt.Sprintf("%s: rows without colour that have other than heavy frames around the focus", sz), s.redrawn(s.noColor, withoutColor), s.noColor.rows)
	writeRows(b, fmt.Sprintf("%s: rows in ASCII that have other than plain frames and marks", sz), s.redrawn(s.ascii, inASCII), s.ascii.rows)
}

// withoutColor and inASCII tell what another look may draw for a shape: first
// for the frame of the pane with the focus, which colour cannot tell there, or
// of what lies behind; then for any other shape.
var (
	withoutColor = redrawing{map[string]string{"╭": "┏", "╮": "┓", "╰": "┗", "╯": "┛", "─": "━", "│": "┃"}, nil}
	inASCII      = redrawing{map[string]string{"─": "="}, map[string]string{"╭": "+", "╮": "+", "╰": "+", "╯": "+", "│": "|", "─": "-", "▸": ">", "▾": "v",
		"▲": "^", "▼": "v", "•": "*", "…": "~", "·": "-.", "›": ">", "‹": "<", "→": ">", "←": "<", "↑": "^", "↓": "v", "●": "*", "✂": "x", "↵": "/",
		"×": "x", "✓": "+", "✗": "x", "µ": "u"}}
)

type redrawing struct{ focused, others map[string]string }

// of is what stands for a shape in a role, given what is drawn.
func (r redrawing) of(shape, role, drawn string) string {
	other, known := r.others[shape]
	if f, ok := r.focused[shape]; ok && (role == "accent" || role != "border" && drawn == f) {
		return f
	}
	if known && drawn != "" && strings.Contains(other, drawn) {
		return drawn
	}
	if known {
		return other
	}
	return shape
}

// redrawn are the rows as another look is expected to draw them.
func (s screens) redrawn(other screen, r redrawing) []string {
	out := make([]string, len(s.dark.rows))
	for y := range out {
		var b strings.Builder
		for x, c := range s.dark.cells[y] {
			in := role(c.Style.Fg, s.light.cells[y][x].Style.Fg)
			if c.Style.Bg != nil {
				in += ", over the screen"
			}
			b.WriteString(r.of(c.Content, in, other.cells[y][x].Content))
		}
		out[y] = b.String()
	}
	return out
}

// writeRows writes the rows that differ from those of the first screen.
func writeRows(b *strings.Builder, heading string, first, rows []string) {
	head := false
	for y, row := range trimmed(rows) {
		if y < len(first) && row == strings.TrimRight(first[y], " ") {
			continue
		}
		if !head {
			fmt.Fprintf(b, "--- %s\n", heading)
			head = true
		}
		fmt.Fprintf(b, "%2d %s\n", y+1, row)
	}
}

func trimmed(rows []string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = strings.TrimRight(r, " ")
	}
	return out
}

// differing shows the first lines in which two texts differ.
func differing(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	shown := 0
	for i := range max(len(w), len(g)) {
		var a, c string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			c = g[i]
		}
		if a == c {
			continue
		}
		if shown++; shown > 12 {
			b.WriteString("and more\n")
			break
		}
		fmt.Fprintf(&b, "line %d\n- %s\n+ %s\n", i+1, a, c)
	}
	return b.String()
}
