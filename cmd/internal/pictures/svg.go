package main

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"image/color"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"patchbay/themes"
)

// Sizes of the picture in user units: a cell, the frame around the screen as screen.svg.tmpl has it.
const (
	cellW, cellH = 8.4, 18.0
	baseline     = 13.0
	margin       = 10.0
	titleBar     = 30.0
)

const fonts = `ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace`

// drawing collects the parts of a picture.
type drawing struct {
	theme              themes.Theme
	screen             uv.ScreenBuffer
	w, h               int
	back, lines, words bytes.Buffer
	classes            map[string]string
	rules              bytes.Buffer
}

// render draws a screen as SVG.
func render(v tea.View, theme themes.Theme, s scene) ([]byte, error) {
	d := &drawing{theme: theme, screen: uv.NewScreenBuffer(s.W, s.H), w: s.W, h: s.H, classes: map[string]string{}}
	uv.NewStyledString(v.Content).Draw(d.screen, d.screen.Bounds())
	strokes := strokes{}
	for y := range d.h {
		d.backgrounds(y)
		d.text(y, strokes)
	}
	strokes.write(&d.lines)
	if c := v.Cursor; c != nil {
		fmt.Fprintf(&d.lines, `<path fill="%s" d="M%s %sh2v%sh-2z"/>`+"\n", theme.Text, num(float64(c.X)*cellW),
			num(float64(c.Y)*cellH+1), num(cellH-2))
	}
	w, h := float64(d.w)*cellW+2*margin, float64(d.h)*cellH+titleBar+margin
	var b bytes.Buffer
	err := screenTemplate.Execute(&b, struct {
		themes.Theme
		W, H, InnerW, InnerH, Middle, Fonts, Rules, Parts, About, WindowTitle string
	}{theme, num(w), num(h), num(w - 1), num(h - 1), num(w / 2), fonts, d.rules.String(),
		d.back.String() + d.lines.String() + d.words.String(), s.About, cmp.Or(v.WindowTitle, "patchbay")})
	return b.Bytes(), err
}

// look is what a cell looks like once reversal is resolved.
type look struct {
	fg, bg                         string
	bold, faint, italic, underline bool
}

func (d *drawing) look(c *uv.Cell) look {
	s := c.Style
	l := look{fg: hex(s.Fg), bg: hex(s.Bg), underline: s.Underline != ansi.UnderlineNone,
		bold: s.Attrs&uv.AttrBold != 0, faint: s.Attrs&uv.AttrFaint != 0, italic: s.Attrs&uv.AttrItalic != 0}
	if s.Attrs&uv.AttrReverse != 0 {
		l.fg, l.bg = cmp.Or(l.bg, d.theme.Background), cmp.Or(l.fg, d.theme.Text)
	}
	return l
}

// hex writes a colour; "" is the terminal's own.
func hex(c color.Color) string {
	if _, none := c.(lipgloss.NoColor); none || c == nil {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// backgrounds draws one rectangle per run of cells with one background.
func (d *drawing) backgrounds(y int) {
	for x := 0; x < d.w; {
		bg := d.look(d.screen.CellAt(x, y)).bg
		from := x
		for x < d.w && d.look(d.screen.CellAt(x, y)).bg == bg {
			x++
		}
		if bg != "" {
			fmt.Fprintf(&d.back, `<path fill="%s" d="M%s %sh%sv%sh-%sz"/>`+"\n", bg,
				num(float64(from)*cellW), num(float64(y)*cellH), num(float64(x-from)*cellW), num(cellH),
				num(float64(x-from)*cellW))
		}
	}
}

// text draws runs of cells with one look. A run ends before two spaces and
// around wide characters, so that no font moves what follows.
func (d *drawing) text(y int, boxes strokes) {
	for x := 0; x < d.w; {
		c := d.screen.CellAt(x, y)
		l := d.look(c)
		if shape, ok := boxShapes[c.Content]; ok {
			boxes.add(pen{color: cmp.Or(l.fg, d.theme.Text), faint: l.faint}, shape, x, y)
			x++
			continue
		}
		if blank(c) && !l.underline {
			x++
			continue
		}
		run, end := d.run(x, y, l)
		d.word(x, y, end-x, run, l)
		x = end
	}
}

func (d *drawing) run(x, y int, l look) (string, int) {
	c := d.screen.CellAt(x, y)
	if c.Width > 1 {
		return c.Content, x + c.Width
	}
	var b strings.Builder
	for x < d.w {
		c := d.screen.CellAt(x, y)
		if d.look(c) != l || c.Width != 1 || boxShapes[c.Content] != 0 {
			break
		}
		if blank(c) && !l.underline && (x+1 >= d.w || blank(d.screen.CellAt(x+1, y)) ||
			d.look(d.screen.CellAt(x+1, y)) != l) {
			break
		}
		b.WriteString(c.Content)
		x++
	}
	return b.String(), x
}

func blank(c *uv.Cell) bool { return c.Content == " " || c.Content == "" }

func (d *drawing) word(x, y, cells int, s string, l look) {
	more := ""
	if cells > 1 {
		more = ` textLength="` + num(float64(cells)*cellW) + `" lengthAdjust="spacingAndGlyphs"`
	}
	if c := d.class(l); c != "" {
		more += ` class="` + c + `"`
	}
	fmt.Fprintf(&d.words, `<text x="%s" y="%s"%s>%s</text>`+"\n", num(float64(x)*cellW),
		num(float64(y)*cellH+baseline), more, html.EscapeString(s))
}

// class is the CSS class of a look; "" is plain text.
func (d *drawing) class(l look) string {
	var css string
	if l.fg != "" && l.fg != d.theme.Text {
		css += "fill:" + l.fg + ";"
	}
	for _, a := range []struct {
		on  bool
		css string
	}{{l.bold, "font-weight:700;"}, {l.italic, "font-style:italic;"}, {l.underline, "text-decoration:underline;"},
		{l.faint, "opacity:.6;"}} {
		if a.on {
			css += a.css
		}
	}
	if css == "" {
		return ""
	}
	name, ok := d.classes[css]
	if !ok {
		name = "s" + fmt.Sprint(len(d.classes))
		d.classes[css] = name
		fmt.Fprintf(&d.rules, ".%s{%s}\n", name, strings.TrimSuffix(css, ";"))
	}
	return name
}

// num writes a length with at most two decimals.
func num(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}
