package ui

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"patchbay/themes"
)

// typedSecret is what tests type where a credential is asked for.
const typedSecret = "very-secret"

// screen is a screen as a terminal shows it.
type screen struct {
	look  look
	rows  []string
	cells [][]uv.Cell
}

func newScreen(content string, l look, w, h int) screen {
	s := screen{look: l, rows: strings.Split(ansi.Strip(content), "\n")}
	buffer := uv.NewScreenBuffer(w, h)
	uv.NewStyledString(content).Draw(buffer, buffer.Bounds())
	for y := range h {
		row := make([]uv.Cell, w)
		for x := range w {
			if c := buffer.CellAt(x, y); c != nil {
				row[x] = *c
			}
		}
		s.cells = append(s.cells, row)
	}
	return s
}

// blank reports whether a cell shows nothing but a background.
func blank(c uv.Cell) bool { return strings.TrimSpace(c.Content) == "" }

// palette are the colours of a theme by their roles.
type themeColours struct {
	byValue          map[color.RGBA][]string
	text, background color.RGBA
}

var themesOfLooks = func() map[string]themeColours {
	all := map[string]themeColours{}
	for _, l := range []look{lookDark, lookLight} {
		t, err := themes.Load(l.theme, "")
		if err != nil {
			panic(err)
		}
		c := themeColours{byValue: map[color.RGBA][]string{}}
		for _, r := range t.Roles() {
			v, _ := themes.Hex(r.Value) // the test of the themes parses every role
			c.byValue[v] = append(c.byValue[v], r.Name)
		}
		c.byValue[halfway(t.Muted, t.Border)] = []string{"behind"}
		c.text, _ = themes.Hex(t.Text)
		c.background, _ = themes.Hex(t.Background)
		all[l.theme] = c
	}
	return all
}()

// halfway is what the screen is drawn in that something lies over.
func halfway(one, other string) color.RGBA {
	a, _ := themes.Hex(one)
	b, _ := themes.Hex(other)
	mid := func(x, y uint8) uint8 { return uint8((int(x) + int(y)) / 2) }
	return color.RGBA{mid(a.R, b.R), mid(a.G, b.G), mid(a.B, b.B), 0xff}
}

func rgba(c color.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

func hex(c color.Color) string {
	v := rgba(c)
	return fmt.Sprintf("#%02x%02x%02x", v.R, v.G, v.B)
}

// noRole marks a colour that is not one of the themes'.
const noRole = "which is no role"

// role names the colour that has the values in the dark and in the light look.
func role(dark, light color.Color) string {
	if dark == nil && light == nil {
		return ""
	}
	if dark == nil || light == nil {
		return "one look only, " + noRole
	}
	inLight := themesOfLooks[lookLight.theme].byValue[rgba(light)]
	for _, name := range themesOfLooks[lookDark.theme].byValue[rgba(dark)] {
		if slices.Contains(inLight, name) {
			return name
		}
	}
	return hex(dark) + " or " + hex(light) + ", " + noRole
}

// rolesOf tells a cell's style by the roles of its colours.
func rolesOf(dark, light uv.Cell) string {
	bg := role(dark.Style.Bg, light.Style.Bg)
	attrs := attributes(dark)
	if other := attributes(light); other != attrs {
		attrs += " or " + other
	}
	if blank(dark) && bg == "" {
		return attrs
	}
	fg := cmp.Or(role(dark.Style.Fg, light.Style.Fg), "the terminal's own")
	if blank(dark) {
		fg = "blank"
	}
	if bg != "" {
		fg += " on " + bg
	}
	return strings.TrimSpace(fg + " " + attrs)
}

// attributes says what a cell shows beside colours.
func attributes(c uv.Cell) string {
	var out []string
	for _, a := range []struct {
		bit   uint8
		name  string
		blank bool
	}{{uv.AttrBold, "bold", false}, {uv.AttrFaint, "faint", false}, {uv.AttrItalic, "italic", false}, {uv.AttrBlink, "blinking", false},
		{uv.AttrReverse, "reversed", true}, {uv.AttrStrikethrough, "struck", true}} {
		if c.Style.Attrs&a.bit != 0 && (a.blank || !blank(c)) {
			out = append(out, a.name)
		}
	}
	if c.Style.Underline != ansi.UnderlineNone {
		out = append(out, "underlined")
	}
	return strings.Join(out, " ")
}

// cellStyle is a style as the legend explains it.
type cellStyle struct{ roles, noColor string }

// legend gives each style of a file a letter.
type legend struct{ letters map[cellStyle]byte }

func newLegend() *legend { return &legend{map[cellStyle]byte{}} }

func (l *legend) note(c cellStyle) { l.letters[c] = 0 }

// usual are letters that a reader soon knows; other styles get what is left.
var usual = map[cellStyle]byte{
	{}: ' ', {"border", "faint"}: 'b', {"accent", "bold"}: 'a', {"accent", ""}: 'c', {"accent bold", "bold"}: 'A', {"accent bold", ""}: 'K', {"accent bold", "bold reversed"}: 'F',
	{"text", ""}: 't', {"text bold", "bold"}: 'T', {"muted", "faint"}: 'm', {"muted bold", "bold"}: 'H',
	{"text on selection bold", "bold reversed"}: 'S', {"blank on selection", "reversed"}: '_', {"text on surface", "underlined"}: 'u', {"blank on surface", "underlined"}: '-',
	{"background on accent bold", "bold underlined"}: 'C',
	{"behind", "faint"}: 'x', {"behind", ""}: 'X', {"border on surface", "bold"}: 'B', {"accent on surface bold", "bold reversed"}: 'G', {"accent on surface bold", "bold"}: 'R',
	{"blank on surface", ""}: '.', {"text on surface", ""}: 'o', {"muted on surface", "faint"}: 'z', {"muted on surface bold", "bold"}: 'Z',
	{"success", ""}: 'g', {"warning", "bold"}: 'w', {"error bold", "bold"}: 'e', {"info", ""}: 'i',
	{"key", "bold"}: 'k', {"string", ""}: 's', {"number", ""}: 'n', {"keyword", ""}: 'y', {"punctuation", "faint"}: 'p',
}

// letter gives out the letters, the same whatever the order of the cells was.
func (l *legend) letter() {
	free := []byte("dfhjlqrvDEIJLMNOPQUVWY0123456789:+=~*#%&$@!?<>")
	for _, c := range l.sorted() {
		if b, ok := usual[c]; ok {
			l.letters[c] = b
			continue
		}
		if len(free) == 0 {
			panic("more styles than letters")
		}
		l.letters[c], free = free[0], free[1:]
	}
}

func (l *legend) sorted() []cellStyle {
	return slices.SortedFunc(maps.Keys(l.letters), func(a, b cellStyle) int {
		return cmp.Or(strings.Compare(a.roles, b.roles), strings.Compare(a.noColor, b.noColor))
	})
}

func (l *legend) write(b *strings.Builder) {
	b.WriteString("\n=== legend: letter, style, style without colour\n")
	for _, c := range l.sorted() {
		if c == (cellStyle{}) {
			continue
		}
		fmt.Fprintf(b, "%c  %-32s %s\n", l.letters[c], c.roles, cmp.Or(c.noColor, "plain"))
	}
}

// checkContrast holds the themes' rule on what is really drawn.
func (s screen) checkContrast(t *testing.T, sz size) {
	t.Helper()
	theme := themesOfLooks[s.look.theme]
	told := map[[2]color.RGBA]bool{}
	for y, row := range s.cells {
		for x, c := range row {
			if blank(c) {
				continue
			}
			fg, bg := theme.text, theme.background
			if c.Style.Fg != nil {
				fg = rgba(c.Style.Fg)
			}
			if c.Style.Bg != nil {
				bg = rgba(c.Style.Bg)
			}
			if c.Style.Attrs&uv.AttrReverse != 0 {
				fg, bg = bg, fg
			}
			need := 4.5
			switch names := theme.byValue[fg]; {
			case slices.Contains(names, "border"):
				need = 2
			case slices.Contains(names, "behind"):
				need = 3
			}
			if got := themes.Contrast(fg, bg); got < need && !told[[2]color.RGBA{fg, bg}] {
				told[[2]color.RGBA{fg, bg}] = true
				t.Errorf("%s, %s: %q at %d,%d has contrast %.2f, %v on %v, want %.1f", sz, s.look.name, c.Content, x, y, got, theme.byValue[fg], theme.byValue[bg], need)
			}
		}
	}
}

func (s screen) checkNoColor(t *testing.T, sz size) {
	t.Helper()
	for y, row := range s.cells {
		for x, c := range row {
			if c.Style.Fg != nil || c.Style.Bg != nil || c.Style.UnderlineColor != nil {
				t.Fatalf("%s: without colour %q at %d,%d has a colour", sz, c.Content, x, y)
			}
		}
	}
}

// checkASCII finds what is drawn with other than ASCII characters. Letters come
// from data, unless the state says that anything may.
func (s screen) checkASCII(t *testing.T, sz size, foreign bool) {
	t.Helper()
	for y, row := range s.rows {
		for _, r := range row {
			ours := r > '~' && (strings.ContainsRune(drawn, r) || !foreign && !unicode.IsLetter(r))
			if ours {
				t.Errorf("%s: in ASCII line %d holds %q: %q", sz, y+1, r, row)
				break
			}
		}
	}
}

// The golden files name roles; this one tells their colours.
func TestColoursOfRoles(t *testing.T) {
	var b strings.Builder
	dark, err := themes.Load(lookDark.theme, "")
	if err != nil {
		t.Fatal(err)
	}
	light, err := themes.Load(lookLight.theme, "")
	if err != nil {
		t.Fatal(err)
	}
	lights := light.Roles()
	fmt.Fprintf(&b, "%-12s %-8s %s\n", "role", "dark", "light")
	for i, r := range dark.Roles() {
		fmt.Fprintf(&b, "%-12s %-8s %s\n", r.Name, r.Value, lights[i].Value)
	}
	file := filepath.Join("..", "testdata", "screens", "colours.txt")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := differing(string(want), b.String()); d != "" {
		t.Errorf("the colours differ from the golden file; go test ./ui -update rewrites it:\n%s", d)
	}
}
