package secret

import (
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// layers is how many escapings of a text within another are seen through: JSON in
// JSON, three times percent, an HTML entity of a percent sign.
const layers = 4

// unit is a character read from a text: its bytes, and how wide it is written.
type unit struct {
	b    [utf8.UTFMax]byte
	n, w int
}

func (u *unit) text() string { return string(u.b[:u.n]) }

// opens reports whether a byte may begin an escape.
func opens(c byte) bool { return c == '\\' || c == '%' || c == '&' }

// unescaper reads characters of a text through layers of escapes.
type unescaper struct {
	s string
	// fuel bounds the work for a character: a text can be made so that escapes
	// within escapes take long to read.
	// steps bounds the readings tried for a text in the same way.
	fuel, steps int
	// nested tells that an escape may stand where one was read.
	nested bool
}

// variants lists what stands at i, read through no layer of escapes, one, two and so on.
func (e *unescaper) variants(i int, out []unit) []unit {
	const enough = 64
	e.fuel = enough
	u := unit{b: [utf8.UTFMax]byte{e.s[i]}, n: 1, w: 1}
	out = append(out[:0], u)
	for depth := 1; depth <= layers; depth++ {
		next, done := e.through(i, u, depth)
		if next != u {
			out = append(out, next)
		}
		if u = next; done {
			break
		}
	}
	return out
}

// at reads the character at i through so many layers of escapes. What is no escape
// stands for itself.
func (e *unescaper) at(i, depth int) unit {
	u := unit{b: [utf8.UTFMax]byte{e.s[i]}, n: 1, w: 1}
	for d, done := 1, false; d <= depth && !done; d++ {
		u, done = e.through(i, u, d)
	}
	return u
}

// through reads u, which stands at i and was read through one layer less. It is done
// when further layers read the same.
func (e *unescaper) through(i int, u unit, depth int) (read unit, done bool) {
	if e.fuel--; u.n != 1 || !opens(u.b[0]) || e.fuel < 0 {
		return u, true
	}
	before := e.nested
	e.nested = false
	switch next := i + u.w; u.b[0] {
	case '%':
		if v, w := e.number(next, 2, 16, depth-1); w > 0 {
			read = unit{b: [utf8.UTFMax]byte{byte(v)}, n: 1, w: w}
		}
	case '\\':
		read = e.backslash(next, depth-1)
	case '&':
		read = e.entity(next, depth-1)
	}
	nested := e.nested
	e.nested = before || nested
	if read.n == 0 {
		return u, !nested
	}
	read.w += u.w
	return read, false
}

// char is the ASCII character at i; 0 where there is another one or none.
func (e *unescaper) char(i, depth int) (c byte, w int) {
	if i >= len(e.s) {
		return 0, 0
	}
	if !opens(e.s[i]) {
		if e.s[i] >= utf8.RuneSelf {
			return 0, 0
		}
		return e.s[i], 1
	}
	e.nested = true
	u := e.at(i, depth)
	if u.n != 1 || u.b[0] >= utf8.RuneSelf {
		return 0, 0
	}
	return u.b[0], u.w
}

// number reads exactly n digits; w is 0 where there are fewer.
func (e *unescaper) number(i, n, base, depth int) (v rune, w int) {
	for range n {
		c, cw := e.char(i+w, depth)
		d := strings.IndexByte("0123456789abcdef", c|0x20)
		if c < '0' || d < 0 || d >= base {
			return 0, 0
		}
		v, w = v*rune(base)+rune(d), w+cw
	}
	return v, w
}

// short are the escapes of one letter in JSON and the languages near it.
var short = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'v': '\v', 'a': '\a', '0': 0}

// backslash reads what follows one.
func (e *unescaper) backslash(i, depth int) unit {
	c, w := e.char(i, depth)
	switch c {
	case 'u':
		return e.utf16(i+w, w, depth)
	case 'U', 'x':
		digits := map[byte]int{'U': 8, 'x': 2}[c]
		v, vw := e.number(i+w, digits, 16, depth)
		switch {
		case vw == 0:
			return unit{}
		case c == 'x':
			return unit{b: [utf8.UTFMax]byte{byte(v)}, n: 1, w: w + vw}
		}
		return character(v, w+vw)
	}
	if plain, ok := short[c]; ok {
		c = plain
	} else if strings.IndexByte("\"\\/'$`!#*()[]{}<>|;=+-.,:?@~^_", c) < 0 { // nothing that begins an escape itself
		return unit{}
	}
	return unit{b: [utf8.UTFMax]byte{c}, n: 1, w: w}
}

// utf16 reads the digits of \uXXXX, and the second half of a pair.
func (e *unescaper) utf16(i, before, depth int) unit {
	v, w := e.number(i, 4, 16, depth)
	if w == 0 {
		return unit{}
	}
	if !utf16.IsSurrogate(v) {
		return character(v, before+w)
	}
	c, cw := e.char(i+w, depth)
	u, uw := e.char(i+w+cw, depth)
	if c != '\\' || u != 'u' {
		return unit{}
	}
	low, lw := e.number(i+w+cw+uw, 4, 16, depth)
	if pair := utf16.DecodeRune(v, low); lw > 0 && pair != utf8.RuneError {
		return character(pair, before+w+cw+uw+lw)
	}
	return unit{}
}

// entity reads what follows the & of an HTML entity.
func (e *unescaper) entity(i, depth int) unit {
	const longest = 32
	c, w := e.char(i, depth)
	if c != '#' {
		var name strings.Builder
		for at := i; name.Len() < longest && c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'; {
			name.WriteByte(c)
			at += w
			if c, w = e.char(at, depth); c == ';' {
				return named(name.String(), at+w-i)
			}
		}
		return unit{}
	}
	at, base := i+w, 10
	if x, xw := e.char(at, depth); x|0x20 == 'x' {
		at, base = at+xw, 16
	}
	var v rune
	digits := 0
	for digits < 8 {
		d, dw := e.number(at, 1, base, depth)
		if dw == 0 {
			break
		}
		v, at, digits = v*rune(base)+d, at+dw, digits+1
	}
	if end, ew := e.char(at, depth); end == ';' {
		at += ew
	}
	if digits == 0 {
		return unit{}
	}
	return character(v, at-i)
}

func named(name string, w int) unit {
	written := "&" + name + ";"
	plain := html.UnescapeString(written)
	if plain == written || len(plain) > utf8.UTFMax {
		return unit{}
	}
	u := unit{w: w}
	u.n = copy(u.b[:], plain)
	return u
}

func character(v rune, w int) unit {
	if !utf8.ValidRune(v) {
		return unit{}
	}
	u := unit{w: w}
	u.n = utf8.EncodeRune(u.b[:], v)
	return u
}
