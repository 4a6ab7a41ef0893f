package style

import (
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
)

// jsonLexer is chroma's core with rules for JSON lines; the registry of all
// lexers is left out because it costs time at every start.
var jsonLexer = sync.OnceValue(func() chroma.Lexer {
	return lexer("json", chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `"(?:\\.|[^"\\])*"(?=\s*:)`, Type: chroma.NameTag},
		{Pattern: `"(?:\\.|[^"\\])*"?`, Type: chroma.LiteralString},
		{Pattern: `-?\d[0-9.eE+-]*`, Type: chroma.LiteralNumber},
		{Pattern: `true|false|null`, Type: chroma.KeywordConstant},
		{Pattern: `[{}\[\],:]`, Type: chroma.Punctuation},
		{Pattern: `.`, Type: chroma.Text},
	}})
})

// codeLexer serves the languages that calls are written in: shell, Python, Go.
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

// JSON highlights one line of JSON text, which must be safe to draw.
func (s *Styles) JSON(line string) string { return s.highlight(jsonLexer(), line) }

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
