// Package jsongen is for tests: it draws JSON as servers and people write it, with
// numbers of any size, every escape and blanks between.
//
// The package is a leaf: it imports nothing else of patchbay.
package jsongen

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Number draws the text of a number.
func Number() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,3})?`),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?`))
}

// awkward are texts that one format or another has to quote.
var awkward = []string{"", " ", "a b", `"`, `'`, `\`, `\n`, "\n", "\r\n", "\t", "\x00", "\x1b[31m", "\u202e", "é",
	"日本", "👩‍👩‍👧", "$(id)", "`id`", "${HOME}", "%s", "-x", "--", "=1+1",
	"@a", "null", "true", "1e3", "0012", "a.b", "a[0]",
	"{{x}}", "#", "//", "</script>", "'''", `"""`, "EOF", "\u2028", "\ufeff", "~", "2026-03-01"}

// Text draws a text: valid UTF-8, often one that some format has to quote.
func Text() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(awkward), rapid.StringN(0, 12, -1), rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(awkward), 2, 4).Draw(t, "parts"), "")
	})).Filter(utf8.ValidString)
}

// Name draws the name of a member; few different ones, so that they meet.
func Name() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "id", "name", "a b"}), Text())
}

// Quoted draws a way of writing a text in JSON.
func Quoted(t *rapid.T, s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		plain := r >= ' ' && r != '"' && r != '\\'
		switch short := strings.IndexRune("\"\\/\b\f\n\r\t", r); {
		case plain && rapid.IntRange(0, 9).Draw(t, "escaped") < 9:
			b.WriteRune(r)
		case short >= 0:
			b.WriteString(`\` + `"\/bfnrt`[short:short+1])
		default:
			for _, u := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
		}
	}
	return b.String() + `"`
}

// Blank draws what may stand between two tokens.
func Blank(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", " ", "\n", "\t ", "\r\n"}).Draw(t, "blank")
}

// Value draws a value nested up to depth levels. Names may stand twice in an object.
func Value(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return value(t, depth) })
}

// Object draws an object whose values are nested up to depth levels.
func Object(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return object(t, depth) })
}

func value(t *rapid.T, depth int) string {
	last := 6
	if depth <= 0 {
		last = 4
	}
	switch rapid.IntRange(0, last).Draw(t, "kind") {
	case 0:
		return "null"
	case 1:
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")
	case 2:
		return Number().Draw(t, "number")
	case 3, 4:
		return Quoted(t, Text().Draw(t, "text"))
	case 5:
		return object(t, depth)
	}
	return list(t, "[", "]", func() string { return value(t, depth-1) })
}

func object(t *rapid.T, depth int) string {
	return list(t, "{", "}", func() string {
		return Quoted(t, Name().Draw(t, "name")) + Blank(t) + ":" + Blank(t) + value(t, depth-1)
	})
}

func list(t *rapid.T, open, end string, element func() string) string {
	parts := make([]string, rapid.IntRange(0, 4).Draw(t, "length"))
	for i := range parts {
		parts[i] = Blank(t) + element() + Blank(t)
	}
	return open + strings.Join(parts, ",") + Blank(t) + end
}
