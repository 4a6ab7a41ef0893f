package main

import (
	"bytes"
	"fmt"

	"patchbay/themes"
)

// Sizes of the gallery: a card per theme, three in a row.
const (
	perRow       = 3
	cardW, cardH = 300.0, 132.0
	gutter       = 12.0
)

// gallery draws every built-in theme on a card of its own colours.
func gallery() ([]byte, error) {
	names := themes.Names()
	rows := (len(names) + perRow - 1) / perRow
	w, h := perRow*(cardW+gutter)-gutter, float64(rows)*(cardH+gutter)-gutter
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="%s" height="%s" viewBox="0 0 %s %s" role="img" aria-label="patchbay: the built-in themes">`+"\n",
		num(w), num(h), num(w), num(h))
	fmt.Fprintf(&b, "<style>text{font:13px %s;white-space:pre}.b{font-weight:700}</style>\n", fonts)
	for i, name := range names {
		t, err := themes.Load(name, "")
		if err != nil {
			return nil, err
		}
		card(&b, t, float64(i%perRow)*(cardW+gutter), float64(i/perRow)*(cardH+gutter))
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// ink is a text and its colour.
type ink struct{ text, color string }

func card(b *bytes.Buffer, t themes.Theme, x, y float64) {
	fmt.Fprintf(b, `<g transform="translate(%s %s)">`+"\n", num(x), num(y))
	fmt.Fprintf(b, `<rect x=".5" y=".5" width="%s" height="%s" rx="6" fill="%s" stroke="%s"/>`+"\n", num(cardW-1), num(cardH-1), t.Background, t.Border)
	fmt.Fprintf(b, `<text class="b" x="14" y="24" fill="%s">%s</text>`+"\n", t.Accent, escape(t.Title))
	fmt.Fprintf(b, `<path fill="%s" d="M8 34h%sv20H8z"/>`+"\n", t.Selection, num(cardW-16))
	line(b, 48, ink{"▸ customers", t.Text}, ink{"   7", t.Text})
	line(b, 70, ink{"muted ", t.Muted}, ink{"done ", t.Success}, ink{"writes ", t.Warning}, ink{"failed ", t.Error}, ink{"note", t.Info})
	line(b, 92, ink{"balance", t.Key}, ink{": ", t.Punctuation}, ink{"-1200", t.Number}, ink{"  livemode", t.Key}, ink{": ", t.Punctuation}, ink{"true", t.Keyword})
	line(b, 114, ink{"name", t.Key}, ink{": ", t.Punctuation}, ink{`"Zoe Haddad"`, t.String})
	b.WriteString("</g>\n")
}

func line(b *bytes.Buffer, y int, parts ...ink) {
	fmt.Fprintf(b, `<text x="14" y="%d">`, y)
	for _, p := range parts {
		fmt.Fprintf(b, `<tspan fill="%s">%s</tspan>`, p.color, escape(p.text))
	}
	b.WriteString("</text>\n")
}
