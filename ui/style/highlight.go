package style

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
)

// longest is how much of a line is highlighted; the rest is drawn plain.
const longest = 4 << 10

// ink is what a style writes before and after text of one line.
type ink struct{ open, shut string }

func inkOf(st lipgloss.Style) ink {
	open, shut, _ := strings.Cut(st.Render("x"), "x")
	return ink{open, shut}
}

// inks are the styles of highlighted text.
type inks struct{ key, str, number, keyword, punct, text, comment ink }

func (s *Styles) newInks() inks {
	return inks{inkOf(s.JSONKey), inkOf(s.JSONString), inkOf(s.JSONNumber), inkOf(s.JSONKeyword), inkOf(s.JSONPunct), inkOf(s.Text), inkOf(s.Muted)}
}

// scan finds the first token of line: its length and its ink.
type scan func(line string) (int, ink)

// paint highlights a line token by token. Lines are scanned by hand: a screen
// full of them is drawn at every key, and regular expressions would take most
// of its time.
func (s *Styles) paint(line string, next scan) string {
	if len(line) > longest {
		return s.Text.Render(line)
	}
	var b strings.Builder
	b.Grow(8 * len(line))
	for len(line) > 0 {
		n, k := next(line)
		b.WriteString(k.open)
		b.WriteString(line[:n])
		b.WriteString(k.shut)
		line = line[n:]
	}
	return b.String()
}

// JSON highlights one line of JSON text, which must be safe to draw. A line may
// begin and end anywhere.
func (s *Styles) JSON(line string) string { return s.paint(line, s.inks.json) }

// Code highlights one line of shell, Python or Go, which must be safe to draw.
func (s *Styles) Code(line string) string {
	start := true
	return s.paint(line, func(rest string) (int, ink) {
		n, k := s.inks.code(rest, start)
		start = rest[n-1] == ' '
		return n, k
	})
}

// json finds the first token of JSON text; white space has no ink.
func (j *inks) json(line string) (int, ink) {
	switch c := line[0]; {
	case c == ' ':
		return span(line, " "), ink{}
	case c == '"':
		n := quoted(line)
		if rest := strings.TrimLeft(line[n:], " "); strings.HasPrefix(rest, ":") {
			return n, j.key
		}
		return n, j.str
	case c == '-' || '0' <= c && c <= '9':
		return span(line, "-+.eE0123456789"), j.number
	case strings.IndexByte(jsonPunct, c) >= 0:
		return span(line, jsonPunct), j.punct
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(line, word) {
			return len(word), j.keyword
		}
	}
	if n := strings.IndexAny(line, ` "-0123456789tfn`+jsonPunct); n > 0 {
		return n, j.text
	}
	if n := strings.IndexAny(line[1:], ` "`+jsonPunct); n >= 0 {
		return n + 1, j.text
	}
	return len(line), j.text
}

const jsonPunct = "{}[],:"

// span is the number of bytes at the start of s that are in set, at least 1.
func span(s, set string) int {
	n := 1
	for n < len(s) && strings.IndexByte(set, s[n]) >= 0 {
		n++
	}
	return n
}

// quoted is the length of the string literal that s begins with, up to the end
// of s when it is not closed.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// code finds the first token of shell, Python or Go; start tells whether a
// comment or a flag may begin here, as after white space.
func (j *inks) code(line string, start bool) (int, ink) {
	c := line[0]
	switch {
	case c == ' ':
		return span(line, " "), ink{}
	case start && (c == '#' || strings.HasPrefix(line, "//")):
		return len(line), j.comment
	case c == '"':
		return quoted(line), j.str
	case c == '\'' || c == '`':
		if n := strings.IndexByte(line[1:], c); n >= 0 {
			return n + 2, j.str
		}
		return len(line), j.str
	case c == '$' && len(line) > 1 && (line[1] == '{' || wordByte(line[1])):
		return variable(line), j.key
	case start && c == '-' && len(line) > 1 && (line[1] == '-' || wordByte(line[1])):
		return 1 + span(line[1:], "-"+letters), j.key
	case '0' <= c && c <= '9':
		return span(line, ".0123456789"), j.number
	case strings.IndexByte(codePunct, c) >= 0:
		return span(line, codePunct), j.punct
	}
	return j.word(line)
}

// word is a keyword, a name, or one character of something else.
func (j *inks) word(line string) (int, ink) {
	n := 0
	for n < len(line) {
		r, size := utf8.DecodeRuneInString(line[n:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		n += size
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(line)
	}
	if strings.Contains(codeWords, " "+line[:n]+" ") {
		return n, j.keyword
	}
	return n, j.text
}

const (
	letters   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	codePunct = "{}()[],:;=\\"
	// codeWords are the keywords of generated calls, between spaces.
	codeWords = " curl patchbay import from def return package func var if err defer with as print await async const export for in range nil None True False "
)

func wordByte(c byte) bool { return strings.IndexByte(letters, c) >= 0 }

// variable is the length of $NAME or ${NAME}.
func variable(s string) int {
	if s[1] != '{' {
		return 1 + span(s[1:], letters)
	}
	if n := strings.IndexByte(s, '}'); n >= 0 {
		return n + 1
	}
	return len(s)
}
