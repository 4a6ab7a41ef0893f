package rawjson

import (
	"strings"
	"testing"
)

// A match that reaches into the next block or piece hides those that lie in it.
func TestMatchesOverABorderDoNotOverlap(t *testing.T) {
	p, err := Query{Text: "a[^b]*b|c", Regexp: true}.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for _, border := range []int{regexpPiece, searchBlock} {
		body := strings.Repeat(" ", border-2) + "acccc cccb c"
		if n, err := p.Search(t.Context(), Bytes(body), SearchOptions{}); err != nil || n != 2 {
			t.Errorf("%d matches over %d, %v", n, border, err)
		}
	}
}

// Of the spellings of a first letter the one that stands first counts.
func TestSpellingsOfAFirstLetterAreFoundInOrder(t *testing.T) {
	for _, text := range []string{"ëx", "Ëx"} {
		p, err := Query{Text: text, Fold: true}.Compile()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := p.Search(t.Context(), Bytes("ëx Ëx ëx Ëx"), SearchOptions{}); err != nil || n != 4 {
			t.Errorf("%s: %d matches, %v", text, n, err)
		}
	}
}
