package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
)

// words compares notes and orders: they are sentences of the catalog's own, so
// a line is met when one of its words stands in a sentence at its place.
func (c *comparison) words() {
	for _, l := range having(c.lines, "note") {
		path := l.plain(1)
		if !holds(c.textsAt(path), l.option("key")) {
			c.bad("note", strings.Join(path, " "), "a note with "+l.option("key"), "none", l.where())
		}
	}
	for _, l := range having(c.platform, "note", c.kind.Name) {
		if !holds(c.credentialTexts(), l.option("key")) {
			c.bad("note", l.plain(2)[0:1:1][0:0:0].text(), "a note with "+l.option("key"), "none", l.where())
		}
	}
}
