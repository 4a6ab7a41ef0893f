package main

import (
	"bytes"
	_ "embed" // for the templates
	"text/template"

	"patchbay/themes"
)

// The pictures but for what stands in their cells.
var (
	//go:embed gallery.svg.tmpl
	galleryText     string
	galleryTemplate = template.Must(template.New("gallery").Parse(galleryText))
	//go:embed screen.svg.tmpl
	screenText     string
	screenTemplate = template.Must(template.New("screen").Parse(screenText))
)

// Sizes of the gallery: a card per theme, three in a row.
const (
	perRow       = 3
	cardW, cardH = 300.0, 132.0
	gutter       = 12.0
)

// gallery draws every built-in theme on a card of its own colours.
func gallery() ([]byte, error) {
	type card struct {
		themes.Theme
		X, Y string
	}
	var cards []card
	for i, name := range themes.Names() {
		t, err := themes.Load(name, "")
		if err != nil {
			return nil, err
		}
		x, y := float64(i%perRow)*(cardW+gutter), float64(i/perRow)*(cardH+gutter)
		cards = append(cards, card{t, num(x), num(y)})
	}
	rows := (len(cards) + perRow - 1) / perRow
	var b bytes.Buffer
	err := galleryTemplate.Execute(&b, map[string]any{"W": num(perRow*(cardW+gutter) - gutter),
		"H": num(float64(rows)*(cardH+gutter) - gutter), "Fonts": fonts, "Cards": cards})
	return b.Bytes(), err
}
