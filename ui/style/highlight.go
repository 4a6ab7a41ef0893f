package style

import (
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
)

// codeLexer serves the languages that calls are written in: shell, Python, Go.
// It is chroma's core with rules of ours; the registry of all lexers is left
// out because it costs time at every start.
var codeLexer = sync.OnceValue(func() chroma.Lexer {
	return lexer("code", chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `(?:#|//).*`, Type: chroma.Comment},
		{Pattern: `'[^']*'?|"(?:\\.|[^"\\])*"?|` + "`[^`]*`?", Type: chroma.LiteralString},
		{Pattern: `\$\{?\w+\}?`, Type: chroma.NameTag},
		{Pattern: `\b(?:curl|import|from|def|return|package|func|var|if|err|defer|with|as|print|await|async|const|export)\b`, Type: chroma.KeywordConstant},
		{Pattern: `\b\d[\d.]*\b`, Type: chroma.LiteralNumber},
		{Pattern: `--?[A-Za-z][\w-]*`, Type: chroma.NameTag},
		{Pattern: `[A-Za-z_]\w*`, Type: chroma.Text},
		{Pattern: `[{}()\[\],:;=\\]`, Type: chroma.Punctuation},
		{Pattern: `.`, Type: chroma.Text},
	}})
})

func lexer(name string, rules chroma.Rules) chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: name}, func() chroma.Rules { return rules })
}

// longest is how much of a line is highlighted; the rest is drawn plain.
const longest = 4 << 10

// JSON highlights one line of JSON text, which must be safe to draw. A line may
// begin and end anywhere. It is scanned by hand: a screen full of lines is
// drawn at every key, and regular expressions would take most of its time.
func (s *Styles) JSON(line string) string {
	if len(line) > longest {
		return s.Text.Render(line)
	}
	var b strings.Builder
	b.Grow(8 * len(line))
	for len(line) > 0 {
		n, k := s.json.token(line)
		b.WriteString(k.open)
		b.WriteString(line[:n])
		b.WriteString(k.shut)
		line = line[n:]
	}
	return b.String()
}

// ink is what a style writes before and after text of one line.
type ink struct{ open, shut string }

func inkOf(st lipgloss.Style) ink {
	open, shut, _ := strings.Cut(st.Render("x"), "x")
	return ink{open, shut}
}

// jsonInks are the styles of JSON text.
type jsonInks struct{ key, str, number, keyword, punct, text ink }

func (s *Styles) jsonInks() jsonInks {
	return jsonInks{inkOf(s.JSONKey), inkOf(s.JSONString), inkOf(s.JSONNumber), inkOf(s.JSONKeyword), inkOf(s.JSONPunct), inkOf(s.Text)}
}

// token is the length of the first token of line and its ink; none for white space.
func (j *jsonInks) token(line string) (int, ink) {
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

// Code highlights one line of shell, Python or Go.
func (s *Styles) Code(line string) string { return s.highlight(codeLexer(), line) }

func (s *Styles) highlight(l chroma.Lexer, line string) string {
	if len(line) > longest {
		return s.Text.Render(line)
	}
	tokens, err := l.Tokenise(nil, line)
	if err != nil {
		return s.Text.Render(line)
	}
	var b strings.Builder
	for t := tokens(); t != chroma.EOF; t = tokens() {
		if v := strings.TrimRight(t.Value, "\n"); v != "" {
			b.WriteString(s.token(t.Type).Render(v))
		}
	}
	return b.String()
}

func (s *Styles) token(t chroma.TokenType) lipgloss.Style {
	switch t {
	case chroma.NameTag:
		return s.JSONKey
	case chroma.LiteralString:
		return s.JSONString
	case chroma.LiteralNumber:
		return s.JSONNumber
	case chroma.KeywordConstant:
		return s.JSONKeyword
	case chroma.Punctuation:
		return s.JSONPunct
	case chroma.Comment:
		return s.Muted
	}
	return s.Text
}
