package payload

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// shellWord writes a text as one word of a POSIX shell.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// shellTemplate writes pieces as one word; variables stand in double quotes.
func shellTemplate(parts []piece) string {
	if !slices.ContainsFunc(parts, func(p piece) bool { return p.env }) {
		return shellWord(plainTemplate(parts))
	}
	special := slices.ContainsFunc(parts, func(p piece) bool {
		return !p.env && strings.ContainsAny(p.text, "\\\"$`!")
	})
	var b strings.Builder
	for i, p := range parts {
		switch {
		case p.env && special:
			b.WriteString(`"$` + p.text + `"`)
		case special:
			b.WriteString(shellWord(p.text))
		case !p.env:
			b.WriteString(p.text)
		case i+1 < len(parts) && !parts[i+1].env && isEnvName("_"+parts[i+1].text[:1]):
			b.WriteString("${" + p.text + "}")
		default:
			b.WriteString("$" + p.text)
		}
	}
	if special {
		return b.String()
	}
	return `"` + b.String() + `"`
}

// shellCalls returns the words of every command in a shell text. Variables stay
// as ${NAME}; a text that would have to be run to be known is an error.
func shellCalls(text string) ([][]string, error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(cleanShell(text)), "")
	if p, ok := errors.AsType[syntax.ParseError](err); ok {
		return nil, fmt.Errorf("line %d, column %d: %s; check the quotes", p.Pos.Line(), p.Pos.Col(), p.Text)
	} else if err != nil {
		return nil, err
	}
	var calls [][]string
	var problem error
	var input *syntax.Redirect
	syntax.Walk(file, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok {
			// A here-document or here-string, whose text stands in the script.
			input = nil
			if i := slices.IndexFunc(s.Redirs, func(r *syntax.Redirect) bool {
				return r.Hdoc != nil || r.Op == syntax.WordHdoc
			}); i >= 0 {
				input = s.Redirs[i]
			}
		}
		c, ok := n.(*syntax.CallExpr)
		if !ok || len(c.Args) == 0 {
			return problem == nil
		}
		words := make([]string, 0, len(c.Args))
		for _, w := range c.Args {
			s, err := wordText(w.Parts, false)
			if err != nil && problem == nil {
				problem = fmt.Errorf("line %d, column %d: %w", w.Pos().Line(), w.Pos().Col(), err)
			}
			words = append(words, s)
		}
		words, err := fillInput(words, input)
		if err != nil && problem == nil {
			problem = err
		}
		calls = append(calls, words)
		return false
	})
	return calls, problem
}

// fillInput puts the text that a command reads from its input where @- or - asks for it;
// HTTPie reads it unasked.
func fillInput(words []string, r *syntax.Redirect) ([]string, error) {
	if r == nil {
		return words, nil
	}
	text, err := "", error(nil)
	special := r.Hdoc != nil && !slices.ContainsFunc(r.Word.Parts, func(p syntax.WordPart) bool {
		l, bare := p.(*syntax.Lit)
		return !bare || strings.Contains(l.Value, "\\")
	})
	switch {
	case r.Hdoc == nil:
		text, err = wordText(r.Word.Parts, false)
	case special:
		text, err = wordText(r.Hdoc.Parts, true)
	default: // the mark is quoted
		for _, p := range r.Hdoc.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				text += l.Value
			}
		}
	}
	for i, w := range words {
		if w == "@-" || w == "-" && i > 0 && words[i-1] == "--json" {
			words[i] = text
		}
	}
	if isHTTPie(words[0]) {
		words = append(words, "--raw", text)
	}
	return words, err
}

// cleanShell drops what is copied along with a command: a prompt, carriage
// returns, space behind the backslash that continues a line.
func cleanShell(text string) string {
	text = strings.ReplaceAll(trimText(text), "\r\n", "\n")
	for _, prompt := range []string{"$ ", "% ", "> "} {
		text = strings.TrimPrefix(text, prompt)
	}
	if !strings.Contains(text, "\\ ") && !strings.Contains(text, "\\\t") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if t := strings.TrimRight(l, " \t"); strings.HasSuffix(t, "\\") && len(t) < len(l) {
			lines[i] = t
		}
	}
	return strings.Join(lines, "\n")
}

func wordText(parts []syntax.WordPart, quoted bool) (string, error) {
	var b strings.Builder
	for _, p := range parts {
		s, err := partText(p, quoted)
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

func partText(p syntax.WordPart, quoted bool) (string, error) {
	switch p := p.(type) {
	case *syntax.Lit:
		return unescapeLit(p.Value, quoted), nil
	case *syntax.SglQuoted:
		if p.Dollar {
			return unescapeANSI(p.Value)
		}
		return p.Value, nil
	case *syntax.DblQuoted:
		return wordText(p.Parts, true)
	case *syntax.ParamExp:
		if p.Param != nil && p.Exp == nil && p.Index == nil {
			return "${" + p.Param.Value + "}", nil
		}
	}
	return "", errors.New("the command holds an expansion that only a shell can work out: write its value instead")
}

// unescapeLit resolves the backslashes of a bare or double-quoted text.
func unescapeLit(s string, quoted bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if i++; s[i] == '\n' {
				continue
			}
			if quoted && strings.IndexByte("$`\"\\", s[i]) < 0 {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unescapeANSI resolves the escapes of $'...'.
func unescapeANSI(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		n, err := ansiEscape(&b, s[i+1:])
		if err != nil {
			return "", err
		}
		i += 1 + n
	}
	return b.String(), nil
}

// ansiEscape writes the character of an escape and returns its length without the backslash.
func ansiEscape(b *strings.Builder, s string) (int, error) {
	simple := map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'v': 11,
		'\\': '\\', '\'': '\'', '"': '"', '?': '?'}
	if c, ok := simple[s[0]]; ok {
		b.WriteByte(c)
		return 1, nil
	}
	limit := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	from, base := 1, 16
	if s[0] >= '0' && s[0] <= '7' {
		from, base, limit = 0, 8, 3
	}
	if limit == 0 {
		b.WriteByte('\\')
		b.WriteByte(s[0])
		return 1, nil
	}
	to := from
	for to < len(s) && to-from < limit && strings.IndexByte("0123456789abcdef"[:base], s[to]|0x20) >= 0 {
		to++
	}
	n, err := strconv.ParseUint(s[from:to], base, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, fmt.Errorf("the escape \\%s in $'...' is wrong", shorten(s[:max(to, 1)]))
	}
	if s[0] == 'u' || s[0] == 'U' {
		b.WriteRune(rune(n))
	} else {
		b.WriteByte(byte(n))
	}
	return to, nil
}
