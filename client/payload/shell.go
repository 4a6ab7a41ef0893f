package payload

import (
	"errors"
	"fmt"
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
	simple, variables := true, 0
	for _, p := range parts {
		if p.env {
			variables++
		} else if strings.ContainsAny(p.text, "\\\"$`!") {
			simple = false
		}
	}
	if variables == 0 {
		return shellWord(plainTemplate(parts))
	}
	var b strings.Builder
	if !simple {
		for _, p := range parts {
			if p.env {
				b.WriteString(`"$` + p.text + `"`)
			} else {
				b.WriteString(shellWord(p.text))
			}
		}
		return b.String()
	}
	b.WriteByte('"')
	for i, p := range parts {
		switch {
		case !p.env:
			b.WriteString(p.text)
		case i+1 < len(parts) && !parts[i+1].env && strings.Trim(parts[i+1].text[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "":
			b.WriteString("${" + p.text + "}")
		default:
			b.WriteString("$" + p.text)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// shellCalls returns the words of every command in a shell text. Variables stay
// as ${NAME}; a text that would have to be run to be known is an error.
func shellCalls(text string) ([][]string, error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(cleanShell(text)), "")
	if err != nil {
		return nil, shellError(err)
	}
	var calls [][]string
	var problem error
	var input *syntax.Redirect
	syntax.Walk(file, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok {
			input = inlineInput(s)
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
		if err := fillInput(words, input); err != nil && problem == nil {
			problem = err
		}
		calls = append(calls, words)
		return false
	})
	return calls, problem
}

// inlineInput is the here-document or here-string of a command, whose text stands in the script; nil without one.
func inlineInput(s *syntax.Stmt) *syntax.Redirect {
	for _, r := range s.Redirs {
		if r.Hdoc != nil || r.Op == syntax.WordHdoc {
			return r
		}
	}
	return nil
}

// fillInput puts the text that a command reads from its input where @- or - asks for it.
func fillInput(words []string, r *syntax.Redirect) error {
	if r == nil {
		return nil
	}
	text, err := inputText(r)
	for i, w := range words {
		if w == "@-" || w == "-" && i > 0 && words[i-1] == "--json" {
			words[i] = text
		}
	}
	return err
}

func inputText(r *syntax.Redirect) (string, error) {
	if r.Hdoc == nil {
		return wordText(r.Word.Parts, false)
	}
	for _, p := range r.Word.Parts {
		if l, bare := p.(*syntax.Lit); !bare || strings.Contains(l.Value, "\\") {
			return literalText(r.Hdoc.Parts), nil
		}
	}
	return wordText(r.Hdoc.Parts, true)
}

// literalText is the text of a here-document whose mark is quoted: nothing in it is special.
func literalText(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		if l, ok := p.(*syntax.Lit); ok {
			b.WriteString(l.Value)
		}
	}
	return b.String()
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

func shellError(err error) error {
	var p syntax.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf("line %d, column %d: %s; check the quotes", p.Pos.Line(), p.Pos.Col(), p.Text)
	}
	return err
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
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case s[i] == '\n':
		case quoted && !strings.ContainsRune("$`\"\\", rune(s[i])):
			b.WriteByte('\\')
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
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
	for to < len(s) && to-from < limit && isDigit(s[to], base) {
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

func isDigit(c byte, base int) bool {
	return strings.IndexByte("0123456789abcdef"[:base], c|0x20) >= 0
}
