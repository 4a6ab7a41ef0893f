package style

import (
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"

	"patchbay/ui/text"
)

// longest is how much of a line is highlighted; the rest is drawn plain.
const longest = 4 << 10

// newCode is how each token that the lexers know is drawn; white space has no style.
func (s *Styles) newCode() map[chroma.TokenType]Style {
	return map[chroma.TokenType]Style{chroma.NameTag: s.JSONKey, chroma.LiteralString: s.JSONString,
		chroma.LiteralNumber: s.JSONNumber, chroma.KeywordConstant: s.JSONKeyword, chroma.Punctuation: s.JSONPunct,
		chroma.Comment: s.Muted, chroma.Text: s.Text, chroma.Error: s.Text}
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
			{Pattern: `(?:` + codeWords + `)(?!\w)`, Type: chroma.KeywordConstant},
			{Pattern: `\w+`, Type: chroma.Text},
			{Pattern: `[{}()\[\],:;=\\]+`, Type: chroma.Punctuation},
			{Pattern: `.`, Type: chroma.Text},
		}})
	})
)

// codeWords are the words that stand out in calls as people run them elsewhere.
const codeWords = "curl|patchbay|import|from|def|return|package|func|var|if|err|defer|with|as|print|await|async|" +
	"const|export|for|in|range|nil|None|True|False"

func lexer(name string, rules chroma.Rules) chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: name, DotAll: true}, func() chroma.Rules { return rules })
}

// painted remembers highlighted lines: a screen full of them is drawn at every
// key, and the lexers take some tens of microseconds a line.
type painted struct {
	mu    sync.Mutex
	lines map[text.Safe]text.Safe
}

// paintedKept is how many lines are remembered before all are forgotten.
const paintedKept = 4096

func (p *painted) get(line text.Safe, paint func() text.Safe) text.Safe {
	p.mu.Lock()
	defer p.mu.Unlock()
	if out, ok := p.lines[line]; ok {
		return out
	}
	if p.lines == nil || len(p.lines) >= paintedKept {
		p.lines = make(map[text.Safe]text.Safe)
	}
	out := paint()
	p.lines[line] = out
	return out
}

// JSON highlights one line of JSON text. A line may begin and end anywhere.
func (s *Styles) JSON(line text.Safe) text.Safe {
	return s.jsonLines.get(line, func() text.Safe { return s.paint(line, jsonLexer()) })
}

// Code highlights one line of shell, Python or Go.
func (s *Styles) Code(line text.Safe) text.Safe {
	return s.codeLines.get(line, func() text.Safe { return s.paint(line, codeLexer()) })
}

func (s *Styles) paint(line text.Safe, l chroma.Lexer) text.Safe {
	if len(line) > longest {
		return s.Text.Render(line)
	}
	tokens, err := l.Tokenise(nil, string(line))
	if err != nil {
		return s.Text.Render(line)
	}
	var b strings.Builder
	b.Grow(8 * len(line))
	for t := tokens(); t != chroma.EOF; t = tokens() {
		b.WriteString(string(s.code[t.Type].Render(text.Safe(t.Value))))
	}
	return text.Safe(b.String())
}
