package rawjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// literal finds one text. Two of its bytes, the rarest in JSON, are compared
// in eight places together; only where both stand is the whole text looked at.
type literal struct {
	text []byte // small letters when fold is set and the text is ASCII
	fold bool   // ASCII letters match either case
	// wide is set when letters beyond ASCII match either case: then text is
	// compared rune by rune, and heads are the texts that a match may start with.
	wide  bool
	heads []literal
	a, b  int    // positions of the two bytes
	pa    uint64 // patterns and masks of the two bytes
	pb    uint64
	ma    uint64
	mb    uint64
}

func newLiteral(text string, fold bool) literal {
	l := literal{text: []byte(text)}
	switch {
	case fold && isASCII(l.text):
		l.text, l.fold = bytes.ToLower(l.text), true
	case fold && cased(text):
		l.wide = true
		r, _ := utf8.DecodeRune(l.text)
		for _, head := range starts(r) {
			l.heads = append(l.heads, newLiteral(string(head), false))
		}
		return l
	}
	l.choose()
	return l
}

// cased tells whether a text holds letters with a capital or small twin.
func cased(text string) bool {
	for _, r := range text {
		if unicode.SimpleFold(r) != r {
			return true
		}
	}
	return false
}

func (l *literal) choose() {
	for i, c := range l.text {
		switch {
		case rarity(c) > rarity(l.text[l.a]):
			l.a, l.b = i, l.a
		case l.b == l.a || rarity(c) > rarity(l.text[l.b]):
			l.b = i
		}
	}
	l.pa, l.ma = l.pattern(l.text[l.a])
	l.pb, l.mb = l.pattern(l.text[l.b])
}

func (l *literal) pattern(c byte) (pattern, mask uint64) {
	if l.fold && c >= 'a' && c <= 'z' {
		return uint64(c) * lows, 0x20 * lows
	}
	return uint64(c) * lows, 0
}

// rarity ranks bytes by how seldom they stand in JSON; a rough guess is enough.
func rarity(c byte) int {
	switch {
	case c == '"' || c == ' ':
		return 0
	case c == ',' || c == ':' || c == '_' || c == '0':
		return 1
	case bytes.IndexByte([]byte("eatinrsodlc"), c) >= 0:
		return 2
	case c >= 'a' && c <= 'z' || c >= '1' && c <= '9':
		return 3
	case c == '\\' || c == '-' || c == '.' || c == '{' || c == '}':
		return 4
	}
	return 5
}

// reach is how many bytes a match may go beyond its first.
func (l *literal) reach() int {
	if l.wide {
		return utf8.UTFMax * utf8.RuneCount(l.text)
	}
	return len(l.text)
}

// find returns the first match in data that starts at from or later and before limit; -1 when there is none.
func (l *literal) find(data []byte, from, limit int) (start, end int) {
	if l.wide {
		return l.findWide(data, from, limit)
	}
	// The bytes at a and b are read beside each other for every start i.
	last := min(limit, len(data)-len(l.text)+1)
	i := from
	for ; i+8 <= last; i += 8 {
		x := (binary.LittleEndian.Uint64(data[i+l.a:]) | l.ma) ^ l.pa
		y := (binary.LittleEndian.Uint64(data[i+l.b:]) | l.mb) ^ l.pb
		z := x | y
		if (z-lows)&^z&highs == 0 {
			continue
		}
		for hits := equalBytes(z, 0); hits != 0; hits &= hits - 1 {
			if k := i + bits.TrailingZeros64(hits)/8; l.at(data[k:]) {
				return k, k + len(l.text)
			}
		}
	}
	for ; i < last; i++ {
		if l.at(data[i:]) {
			return i, i + len(l.text)
		}
	}
	return -1, -1
}

// at tells whether data starts with the text.
func (l *literal) at(data []byte) bool {
	data = data[:len(l.text)]
	if !l.fold {
		return bytes.Equal(data, l.text)
	}
	for i, c := range data {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != l.text[i] {
			return false
		}
	}
	return true
}

// widePiece bounds how far a rare head is looked for while another may match at once.
const widePiece = 4 << 10

func (l *literal) findWide(data []byte, from, limit int) (start, end int) {
	for ; from < limit; from += widePiece {
		if start, end = l.findHead(data, from, min(from+widePiece, limit)); start >= 0 {
			return start, end
		}
	}
	return -1, -1
}

func (l *literal) findHead(data []byte, from, limit int) (start, end int) {
	start = -1
	for i := range l.heads {
		for at := from; at < limit; {
			k, to := l.heads[i].find(data, at, limit)
			if k < 0 {
				break
			}
			if n := foldPrefix(data[k:], l.text); n > 0 {
				// A later match is of no interest to the other heads.
				start, end, limit = k, k+n, k
				break
			}
			at = to
		}
	}
	return start, end
}
