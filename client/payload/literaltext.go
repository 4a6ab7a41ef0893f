package payload

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"patchbay/client/rawjson"
)

// text reads a text in quotes; neighbours are joined, as Python does. The prefix tells
// of a raw text (r) and of one with values in braces (f).
func (p *literals) text(b *bytes.Buffer, prefix string) error {
	for {
		quote := p.s[p.i : p.i+1]
		if triple := strings.Repeat(quote, 3); !p.bareKeys && strings.HasPrefix(p.s[p.i:], triple) {
			quote = triple
		}
		p.i += len(quote)
		if err := p.until(b, quote, prefix); err != nil {
			return err
		}
		if p.bareKeys {
			return nil
		}
		if c := p.peek(); c == 0 || strings.IndexByte(p.quotes, c) < 0 {
			return nil
		}
	}
}

// until reads a text to its closing quote.
func (p *literals) until(b *bytes.Buffer, quote, prefix string) error {
	lines := len(quote) > 1 || quote == "`"
	for !strings.HasPrefix(p.s[p.i:], quote) {
		rest := p.s[p.i:]
		open := "{"
		if quote == "`" {
			open = "${"
		}
		switch {
		case rest == "" || rest[0] == '\n' && !lines:
			return errors.New("a text has no closing quote")
		case strings.Contains(prefix, "f") && strings.HasPrefix(rest, "{{"), strings.Contains(prefix, "f") &&
			strings.HasPrefix(rest, "}}"):
			b.WriteByte(rest[0])
			p.i += 2
		case (strings.Contains(prefix, "f") || quote == "`") && strings.HasPrefix(rest, open):
			name, _, closed := strings.Cut(rest[len(open):], "}")
			if !closed {
				return errors.New("a text has a brace that is not closed")
			}
			p.i += len(open) + len(name) + 1
			p.placeholder(b, strings.TrimSpace(name))
		case rest[0] == '\\' && !strings.Contains(prefix, "r"):
			if err := p.escape(b); err != nil {
				return err
			}
		default:
			r, n := utf8.DecodeRuneInString(rest)
			b.WriteRune(r)
			p.i += n
		}
	}
	p.i += len(quote)
	return nil
}

// placeholder writes the text of a variable that stands in a text, else its name.
func (p *literals) placeholder(b *bytes.Buffer, name string) {
	for _, function := range p.environment {
		if further, ok := strings.CutPrefix(name, function+"."); ok && p.bareKeys {
			name = further
		}
	}
	if value, ok := p.variable(name); ok {
		b.WriteString(rawjson.Parse([]byte(value)).Text())
		return
	}
	b.WriteString("${" + name + "}")
}

// escape writes the character of a backslash.
func (p *literals) escape(b *bytes.Buffer) error {
	if p.i+1 >= len(p.s) {
		return errors.New("a text ends in a backslash")
	}
	c := p.s[p.i+1]
	p.i += 2
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	switch {
	case digits > 0:
		if p.i+digits > len(p.s) {
			return errors.New("an escape in a text is cut short")
		}
		n, err := strconv.ParseUint(p.s[p.i:p.i+digits], 16, 32)
		if err != nil {
			return fmt.Errorf("the escape \\%c%s is wrong", c, p.s[p.i:p.i+digits])
		}
		p.i += digits
		low, pair := strings.CutPrefix(p.s[p.i:], "\\u")
		if second, err := strconv.ParseUint(low[:min(4, len(low))], 16, 32); pair && err == nil &&
			utf16.DecodeRune(rune(n), rune(second)) != utf8.RuneError {
			n = uint64(utf16.DecodeRune(rune(n), rune(second)))
			p.i += 6
		}
		b.WriteRune(rune(n))
	case c == '\n':
	default:
		const escapes, meant = "ntr\\\"'0bfav", "\n\t\r\\\"'\x00\b\f\a\v"
		k := strings.IndexByte(escapes, c)
		switch {
		case k >= 0:
			b.WriteByte(meant[k])
		case p.bareKeys: // JavaScript drops the backslash, Python keeps it
			b.WriteByte(c)
		default:
			b.WriteString("\\" + string(rune(c)))
		}
	}
	return nil
}
