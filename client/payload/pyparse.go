package payload

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parsePython reads a program as renderSDK writes it: the arguments of connect,
// of the auth config and of execute.
func parsePython(text string) (Parsed, error) {
	var out Parsed
	if !strings.Contains(text, ".execute(") {
		return out, errors.New("the program makes a third-party request: only calls of connector.execute can be read")
	}
	for _, call := range []struct {
		open string
		take func(args pyArgs) error
	}{
		{"AuthConfig(", func(a pyArgs) error { return out.takeConnect(a) }},
		{" connect(", func(a pyArgs) error { return out.takeConnect(a) }},
		{".execute(", func(a pyArgs) error { return out.takeExecute(a) }},
	} {
		i := strings.Index(text, call.open)
		if i < 0 {
			continue
		}
		p := pyReader{s: text, i: i + len(call.open)}
		args, err := p.arguments()
		if err == nil {
			err = call.take(args)
		}
		if err != nil {
			return Parsed{}, fmt.Errorf("line %d: %w", 1+strings.Count(text[:min(p.i, len(text))], "\n"), err)
		}
	}
	return out, nil
}

func (p *Parsed) takeConnect(a pyArgs) error {
	for name, to := range map[string]*string{"0": &p.Name, "workspace_name": &p.Workspace,
		"organization_id": &p.OrganizationID, "connector_id": &p.ConnectorID} {
		if raw, ok := a[name]; ok && strings.HasPrefix(raw, `"`) {
			if err := unquoteJSON(raw, to); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Parsed) takeExecute(a pyArgs) error {
	for i, name := range []string{"entity", "action", "params"} {
		if raw, ok := a[strconv.Itoa(i)]; ok {
			a[name] = raw
		}
	}
	var o object
	for _, name := range []string{"entity", "action", "params"} {
		if a[name] != "" {
			o.raw(name, []byte(a[name]))
		}
	}
	read, err := parseBody(o.bytes())
	p.Operation = read.Operation
	return err
}

func unquoteJSON(raw string, to *string) error {
	p := pyReader{s: raw}
	s, err := p.text()
	*to = s
	return err
}

// pyArgs are the arguments of a call as JSON, by name or position. Expressions
// that are no literals are empty.
type pyArgs map[string]string

// pyReader reads Python literals.
type pyReader struct {
	s string
	i int
}

func (p *pyReader) space() {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\':
			p.i++
		case c == '#':
			end := strings.IndexByte(p.s[p.i:], '\n')
			if end < 0 {
				end = len(p.s) - p.i
			}
			p.i += end
		default:
			return
		}
	}
}

func (p *pyReader) peek() byte {
	p.space()
	if p.i >= len(p.s) {
		return 0
	}
	return p.s[p.i]
}

// arguments reads up to the closing parenthesis of a call.
func (p *pyReader) arguments() (pyArgs, error) {
	args := pyArgs{}
	for n := 0; ; n++ {
		if c := p.peek(); c == ')' {
			p.i++
			return args, nil
		}
		name := strconv.Itoa(n)
		if word := p.word(); word != "" {
			if rest := p.i + len(word); strings.HasPrefix(strings.TrimLeft(p.s[rest:], " "), "=") {
				p.i = rest + strings.IndexByte(p.s[rest:], '=') + 1
				name = word
			}
		}
		var b strings.Builder
		if err := p.expression(&b); err != nil {
			return nil, err
		}
		args[name] = b.String()
		switch p.peek() {
		case ',':
			p.i++
		case ')':
		default:
			return nil, errors.New("a comma or a closing parenthesis is missing")
		}
	}
}

// word is the identifier at the reader, which stays where it is.
func (p *pyReader) word() string {
	p.space()
	end := p.i
	for end < len(p.s) && (p.s[end] == '_' || p.s[end] == '.' || p.s[end]|0x20 >= 'a' && p.s[end]|0x20 <= 'z' || end > p.i && p.s[end] >= '0' && p.s[end] <= '9') {
		end++
	}
	return p.s[p.i:end]
}

// expression reads a literal, or steps over a name with its call or index.
func (p *pyReader) expression(b *strings.Builder) error {
	word := p.word()
	switch word {
	case "", "True", "False", "None":
		return p.literal(b, 0)
	}
	p.i += len(word)
	switch p.peek() {
	case '(':
		p.i++
		_, err := p.arguments()
		return err
	case '[':
		return p.literal(&strings.Builder{}, 0)
	}
	return nil
}

const maxPythonDepth = 500

// literal writes the Python literal at the reader as JSON.
func (p *pyReader) literal(b *strings.Builder, depth int) error {
	if depth > maxPythonDepth {
		return errors.New("the value is nested too deep")
	}
	switch c := p.peek(); {
	case c == '{' || c == '[' || c == '(':
		return p.container(b, c, depth)
	case c == '"' || c == '\'':
		s, err := p.text()
		b.Write(quoteJSON(s))
		return err
	case c == '-' || c >= '0' && c <= '9':
		return p.number(b)
	}
	word := p.word()
	p.i += len(word)
	switch word {
	case "True", "False":
		b.WriteString(strings.ToLower(word))
	case "None":
		b.WriteString("null")
	default:
		return fmt.Errorf("%q is no literal value", shorten(firstOf(word, p.s[min(p.i, len(p.s)):])))
	}
	return nil
}

func (p *pyReader) number(b *strings.Builder) error {
	from := p.i
	for p.i < len(p.s) && strings.IndexByte("+-0123456789.eE_", p.s[p.i]) >= 0 {
		p.i++
	}
	b.WriteString(strings.ReplaceAll(p.s[from:p.i], "_", ""))
	return nil
}

func (p *pyReader) container(b *strings.Builder, open byte, depth int) error {
	closing, out := byte(']'), "[]"
	switch open {
	case '{':
		closing, out = '}', "{}"
	case '(':
		closing = ')'
	}
	p.i++
	b.WriteByte(out[0])
	for n := 0; p.peek() != closing; n++ {
		if n > 0 {
			b.WriteByte(',')
		}
		if open == '{' {
			key, err := p.text()
			if err != nil {
				return err
			}
			b.Write(quoteJSON(key))
			b.WriteByte(':')
			if p.peek() != ':' {
				return errors.New("a colon is missing behind a key")
			}
			p.i++
		}
		if err := p.literal(b, depth+1); err != nil {
			return err
		}
		if p.peek() == ',' {
			p.i++
		} else if p.peek() != closing {
			return fmt.Errorf("a comma or %q is missing", closing)
		}
	}
	p.i++
	b.WriteByte(out[1])
	return nil
}

// text reads a string literal in single or double quotes; neighbours are joined.
func (p *pyReader) text() (string, error) {
	var b strings.Builder
	quote := p.peek()
	if quote != '"' && quote != '\'' {
		return "", errors.New("a text in quotes is missing")
	}
	for quote == '"' || quote == '\'' {
		p.i++
		for {
			if p.i >= len(p.s) || p.s[p.i] == '\n' {
				return "", errors.New("a text has no closing quote")
			}
			if p.s[p.i] == quote {
				p.i++
				break
			}
			if err := p.character(&b); err != nil {
				return "", err
			}
		}
		quote = p.peek()
	}
	return b.String(), nil
}

func (p *pyReader) character(b *strings.Builder) error {
	if p.s[p.i] != '\\' {
		r, n := utf8.DecodeRuneInString(p.s[p.i:])
		b.WriteRune(r)
		p.i += n
		return nil
	}
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
		b.WriteRune(rune(n))
		p.i += digits
	case c == '\n':
	default:
		simple := map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '"': "\"", '\'': "'", '0': "\x00", 'b': "\b", 'f': "\f", 'a': "\a", 'v': "\v"}
		if s, ok := simple[c]; ok {
			b.WriteString(s)
		} else {
			b.WriteString("\\" + string(rune(c)))
		}
	}
	return nil
}
