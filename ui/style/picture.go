package style

import (
	"image"
	"image/color"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi/kitty"

	"patchbay/ui/text"
)

// opaque is the share of a pixel, of 255, from which on it is painted.
const opaque = 128

// HalfBlocks draws an image with two pixels in each cell, one above the other. What is
// transparent keeps the background of the screen.
func HalfBlocks(m *image.RGBA) []text.Safe {
	b := m.Bounds()
	lines := make([]text.Safe, 0, (b.Dy()+1)/2)
	for y := b.Min.Y; y < b.Max.Y; y += 2 {
		var line strings.Builder
		last := ""
		for x := b.Min.X; x < b.Max.X; x++ {
			look, cell := halves(m.RGBAAt(x, y), m.RGBAAt(x, y+1))
			if look != last {
				line.WriteString(reset + look)
				last = look
			}
			line.WriteString(cell)
		}
		lines = append(lines, text.Safe(strings.TrimPrefix(line.String(), reset)+reset))
	}
	return lines
}

// halves are the colours and the character of a cell.
func halves(top, bottom color.RGBA) (look, cell string) {
	above, below := top.A >= opaque, bottom.A >= opaque
	switch {
	case above && below:
		return paint("38", top) + paint("48", bottom), "▀"
	case above:
		return paint("38", top), "▀"
	case below:
		return paint("38", bottom), "▄"
	}
	return "", " "
}

func paint(layer string, c color.RGBA) string {
	full := func(v uint8) string { return strconv.Itoa(int(min(uint32(v)*255/uint32(c.A), 255))) }
	return "\x1b[" + layer + ";2;" + full(c.R) + ";" + full(c.G) + ";" + full(c.B) + "m"
}

// Placeholders are the w x h cells at which a terminal that speaks kitty's graphics
// protocol draws an image by itself: a private character, whose marks tell row and
// column, in the colour that is the number of the image, of 24 bits.
func Placeholders(number uint32, w, h int) []text.Safe {
	look := "\x1b[38;2;" + strconv.Itoa(int(number>>16&0xff)) + ";" + strconv.Itoa(int(number>>8&0xff)) + ";" +
		strconv.Itoa(int(number&0xff)) + "m"
	lines := make([]text.Safe, h)
	for y := range lines {
		var line strings.Builder
		for x := range w {
			line.WriteRune(kitty.Placeholder)
			line.WriteRune(kitty.Diacritic(y))
			line.WriteRune(kitty.Diacritic(x))
		}
		lines[y] = text.Safe(look + line.String() + reset)
	}
	return lines
}

// Images reports whether the terminal draws images by itself.
func (s *Styles) Images() bool { return s.images && s.Pictures() }

// Pictures reports whether there are colours enough to draw images in cells.
func (s *Styles) Pictures() bool { return !s.NoColor && !s.ASCII && !s.basic }
