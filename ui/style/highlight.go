package style

import (
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// longest is how much of a line is highlighted; the rest is drawn plain.
const longest = 4 << 10

// code are the styles of highlighted text.
type code struct{ key, str, number, keyword, punct, text, comment Style }

func (s *Styles) newCode() code {
	return code{s.JSONKey, s.JSONString, s.JSONNumber, s.JSONKeyword, s.JSONPunct, s.Text, s.Muted}
}

// of is the style of a token; white space has none.
func (j *code) of(t chroma.TokenType) Style {
	switch t {
	case chroma.NameTag:
		return j.key
	case chroma.LiteralString:
		return j.str
	case chroma.LiteralNumber:
		return j.number
	case chroma.KeywordConstant:
		return j.keyword
	case chroma.Punctuation:
		return j.punct
	case chroma.Comment:
		return j.comment
	case chroma.TextWhitespace:
		return Style{}
	}
	return j.text
}

// The lexers are chroma's core with rules of our own for single lines: its
// registry of all languages costs six milliseconds at every start.
var (
	jsonLexer = sync.OnceValue(func() chroma.Lexer {
		return lexer("json", chroma.Rules{"root": {
			{Pattern: ` +`, Type: chroma.TextWhitespace},
			{Pattern: `"(?:\\.|[^"\\])*"(?= *:)`, Type: chroma.NameTag},
			{Pattern: `"(?:\\.|[^"\\])*(?:"|\\?$)`, Type: chroma.LiteralString},
			{Pattern: `[-0-9][-+.eE0-9]*`, Type: chroma.LiteralNumber},
			{Pattern: `true|false|null`, Type: chroma.KeywordConstant},
			{Pattern: `[{}\[\],:]+`, Type: chroma.Punctuation},
			{Pattern: `[^- "0-9{}\[\],:]+`, Type: chroma.Text},
			{Pattern: `.`, Type: chroma.Text},
		}})
	})
	codeLexer = sync.OnceValue(func() chroma.Lexer {
		return lexer("code", chroma.Rules{"root": {
			{Pattern: ` +`, Type: chroma.TextWhitespace},
			{Pattern: `(?<![^ ])(?:#|//).*`, Type: chroma.Comment},
			{Pattern: `"(?:\\.|[^"\\])*(?:"|\\?$)|'[^']*(?:'|$)|` + "`[^`]*(?:`|$)", Type: chroma.LiteralString},
			{Pattern: `\$(?:\w+|\{[^}]*(?:\}|$))`, Type: chroma.NameTag},
			{Pattern: `(?<![^ ])-[-\w]+`, Type: chroma.NameTag},
			{Pattern: `\d[.\d]*`, Type: chroma.LiteralNumber},
			{Pattern: `(?:curl|patchbay|import|from|def|return|package|func|var|if|err|defer|with|as|print|await|async|const|export|for|in|range|nil|None|True|False)(?!\w)`, Type: chroma.KeywordConstant},
			{Pattern: `\w+`, Type: chroma.Text},
			{Pattern: `[{}()\[\],:;=\\]+`, Type: chroma.Punctuation},
			{Pattern: `.`, Type: chroma.Text},
		}})
	})
)

func lexer(name string, rules chroma.Rules) chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: name, DotAll: true}, func() chroma.Rules { return rules })
}

// painted remembers highlighted lines: a screen full of them is drawn at every
// key, and the lexers take some tens of microseconds a line.
type painted struct {
	mu    sync.Mutex
	lines map[string]string
}

// paintedKept is how many lines are remembered before all are forgotten.
const paintedKept = 4096

func (p *painted) get(line string, paint func() string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if out, ok := p.lines[line]; ok {
		return out
	}
	if p.lines == nil || len(p.lines) >= paintedKept {
		p.lines = make(map[string]string)
	}
	out := paint()
	p.lines[line] = out
	return out
}

// JSON highlights one line of JSON text, which must be safe to draw. A line may
// begin and end anywhere.
func (s *Styles) JSON(line string) string {
	return s.jsonLines.get(line, func() string { return s.paint(line, jsonLexer()) })
}

// Code highlights one line of shell, Python or Go, which must be safe to draw.
func (s *Styles) Code(line string) string {
	return s.codeLines.get(line, func() string { return s.paint(line, codeLexer()) })
}

func (s *Styles) paint(line string, l chroma.Lexer) string {
	if len(line) > longest {
		return s.Text.Render(line)
	}
	tokens, err := l.Tokenise(nil, line)
	if err != nil {
		return s.Text.Render(line)
	}
	var b strings.Builder
	b.Grow(8 * len(line))
	for t := tokens(); t != chroma.EOF; t = tokens() {
		b.WriteString(s.code.of(t.Type).Render(t.Value))
	}
	return b.String()
}
