package payload

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"patchbay/client/rawjson"
)

// dialect is how a language writes literals.
type dialect struct {
	// words are the constants, as JSON.
	words map[string]string
	// comment begins one that ends with its line; blocks tells of those between /* and */.
	comment string
	blocks  bool
	quotes  string
	// bareKeys tells that the keys of an object may stand without quotes.
	bareKeys bool
	// text are functions that give a value as JSON text, environment what reads a variable
	// of the environment, by an argument, an index or a further word.
	text, environment []string
	// declares stands before the name in an assignment.
	declares string
}

var (
	python = &dialect{words: map[string]string{"True": "true", "False": "false", "None": "null"}, comment: "#",
		quotes: `"'`, text: []string{"json.dumps"}, environment: []string{"os.environ", "os.environ.get", "os.getenv"}}
	javaScript = &dialect{words: map[string]string{"true": "true", "false": "false", "null": "null",
		"undefined": "null"}, comment: "//", blocks: true, quotes: "\"'`", bareKeys: true,
		text: []string{"JSON.stringify"}, environment: []string{"process.env"},
		declares: `(?:(?:export )?(?:const|let|var) )?`}
)

// literals reads the literals of a program.
type literals struct {
	*dialect
	s string
	i int
	// lenient makes null of what is no literal.
	lenient bool
	// calls is how deep the reader stands in calls.
	calls int
	// lookups counts the variables that were looked up.
	lookups *int
}

// notLiteral is the error for an expression that only running the program would tell.
type notLiteral string

// Error implements error.
func (e notLiteral) Error() string { return fmt.Sprintf("%q is no literal value", shorten(string(e))) }

const (
	maxLiteralDepth = 500
	maxLookups      = 100
	maxNested       = 8
	maxCalls        = 50
)

// at reads the literals of a program from a place on.
func (d *dialect) at(s string, i int) *literals {
	return &literals{dialect: d, s: s, i: i, lookups: new(int)}
}

func (p *literals) space() {
	for p.i < len(p.s) {
		rest := p.s[p.i:]
		switch c := p.s[p.i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\':
			p.i++
		case strings.HasPrefix(rest, p.comment):
			line, _, _ := strings.Cut(rest, "\n")
			p.i += len(line)
		case p.blocks && strings.HasPrefix(rest, "/*"):
			block, _, _ := strings.Cut(rest[2:], "*/")
			p.i = min(p.i+len(block)+4, len(p.s))
		default:
			return
		}
	}
}

func (p *literals) peek() byte {
	p.space()
	if p.i >= len(p.s) {
		return 0
	}
	return p.s[p.i]
}

// items steps over an opening bracket, reads items with commas between them, and
// steps over the closing bracket.
func (p *literals) items(closing byte, missing string, one func(n int) error) error {
	p.i++
	for n := 0; p.peek() != closing; n++ {
		if err := one(n); err != nil {
			return err
		}
		if c := p.peek(); c == ',' {
			p.i++
		} else if c != closing {
			return fmt.Errorf("a comma or %s is missing", missing)
		}
	}
	p.i++
	return nil
}

// arguments are those of a call as JSON, by name or position, and why those have no
// value that are no literals.
type arguments struct {
	json map[string]string
	errs map[string]error
}

// get is the first argument there is of some names.
func (a arguments) get(names ...string) (string, error) {
	for _, name := range names {
		if v, err := a.json[name], a.errs[name]; v != "" || err != nil {
			return v, err
		}
	}
	return "", nil
}

// text is the first argument there is of some names, if it is a text.
func (a arguments) text(names ...string) string {
	raw, _ := a.get(names...)
	if !strings.HasPrefix(raw, `"`) {
		return ""
	}
	return rawjson.Parse([]byte(raw)).Text()
}

// call reads the parentheses of a call. Arguments for which lenient is true have null
// where they hold something that is no literal.
func (p *literals) call(lenient func(name string) bool) (arguments, error) {
	args := arguments{json: map[string]string{}, errs: map[string]error{}}
	err := p.items(')', "a closing parenthesis", func(n int) error {
		name := strconv.Itoa(n)
		if word := p.word(); word != "" {
			rest := strings.TrimLeft(p.s[p.i+len(word):], " \t")
			if strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") {
				p.i = len(p.s) - len(rest) + 1
				name = word
			}
		}
		value, err := p.try(lenient(name), ')')
		if _, no := errors.AsType[notLiteral](err); no {
			args.errs[name], err = err, nil
		}
		args.json[name] = value
		return err
	})
	return args, err
}

// try reads a value, or steps over what is none.
func (p *literals) try(lenient bool, closing byte) (string, error) {
	p.space()
	if p.calls >= maxNested {
		return "", errors.New("the calls are nested too deep")
	}
	from, was := p.i, p.lenient
	p.lenient = lenient
	p.calls++
	var b bytes.Buffer
	err := p.value(&b, 0)
	p.calls--
	p.lenient = was
	if c := p.peek(); err == nil && c != ',' && c != closing {
		err = notLiteral(p.s[from:min(len(p.s), p.i+1)])
	}
	if _, no := errors.AsType[notLiteral](err); no {
		p.i = from
		if skipped := p.skip(); skipped != nil {
			return "", skipped
		}
		return "", err
	}
	return b.String(), err
}

// skip steps over an expression, to the comma or bracket behind it.
func (p *literals) skip() error {
	for depth := 0; ; {
		switch c := p.peek(); {
		case c == 0:
			return errors.New("a closing bracket is missing")
		case strings.IndexByte(p.quotes, c) >= 0:
			if err := p.text(&bytes.Buffer{}, ""); err != nil {
				return err
			}
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth--; depth < 0 {
				return nil
			}
		case c == ',' && depth == 0:
			return nil
		}
		p.i++
	}
}

// word is the identifier at the reader, which stays where it is.
func (p *literals) word() string {
	p.space()
	end := p.i
	for end < len(p.s) && (p.s[end] == '_' || p.s[end] == '.' || p.s[end] == '$' ||
		p.s[end]|0x20 >= 'a' && p.s[end]|0x20 <= 'z' || end > p.i && p.s[end] >= '0' && p.s[end] <= '9') {
		end++
	}
	return p.s[p.i:end]
}

// value writes the value at the reader as JSON: a literal, or texts joined by a plus.
func (p *literals) value(b *bytes.Buffer, depth int) error {
	if depth > maxLiteralDepth {
		return errors.New("the value is nested too deep")
	}
	from := b.Len()
	if err := p.operand(b, depth); err != nil {
		return err
	}
	if b.Len() == from || b.Bytes()[from] != '"' {
		return nil
	}
	var joined []byte
	for {
		switch {
		case p.peek() == '+':
			p.i++
			if joined == nil {
				joined = []byte(rawjson.Parse(b.Bytes()[from:]).Text())
			}
			var more bytes.Buffer
			if err := p.operand(&more, depth); err != nil {
				return err
			}
			joined = append(joined, rawjson.Parse(more.Bytes()).Text()...)
		case p.peek() == '.' && slices.Contains([]string{".encode", ".strip"}, p.word()):
			p.i += len(p.word())
			if p.peek() != '(' {
				return notLiteral(p.s[p.i:min(len(p.s), p.i+1)])
			}
			if _, err := p.call(func(string) bool { return true }); err != nil {
				return err
			}
		default:
			if joined != nil {
				b.Truncate(from)
				b.Write(rawjson.AppendQuoted(nil, string(joined)))
			}
			return nil
		}
	}
}

// operand writes the literal at the reader as JSON.
func (p *literals) operand(b *bytes.Buffer, depth int) error {
	switch c := p.peek(); {
	case c == '{' || c == '[' || c == '(':
		return p.container(b, c, depth)
	case c != 0 && strings.IndexByte(p.quotes, c) >= 0:
		return p.quoted(b, "")
	case c == '-' || c >= '0' && c <= '9':
		from := p.i
		for p.i < len(p.s) && strings.IndexByte("+-0123456789.eE_", p.s[p.i]) >= 0 {
			p.i++
		}
		b.WriteString(strings.ReplaceAll(p.s[from:p.i], "_", ""))
		return nil
	}
	word := p.word()
	if word == "" {
		return notLiteral(p.s[min(p.i, len(p.s)):])
	}
	p.i += len(word)
	if constant, ok := p.words[word]; ok {
		b.WriteString(constant)
		return nil
	}
	if p.i < len(p.s) && strings.IndexByte(p.quotes, p.s[p.i]) >= 0 && strings.Trim(word, "rRbBfFuU") == "" {
		return p.quoted(b, strings.ToLower(word))
	}
	return p.named(b, word, depth)
}

// quoted writes a text at the reader.
func (p *literals) quoted(b *bytes.Buffer, prefix string) error {
	var text bytes.Buffer
	err := p.text(&text, prefix)
	b.Write(rawjson.AppendQuoted(nil, text.String()))
	return err
}

// named writes what a name stands for: the JSON text of a value, a variable of the
// environment, or what was assigned to it.
func (p *literals) named(b *bytes.Buffer, word string, depth int) error {
	if slices.Contains(p.dialect.text, word) && p.peek() == '(' {
		args, err := p.call(func(string) bool { return p.lenient })
		if err != nil {
			return err
		}
		raw, err := args.get("0")
		b.Write(rawjson.AppendQuoted(nil, raw))
		return err
	}
	for _, function := range p.environment {
		name, further := strings.CutPrefix(word, function+".")
		switch {
		case word == function && p.peek() == '(':
			args, err := p.call(func(string) bool { return true })
			b.Write(rawjson.AppendQuoted(nil, "${"+args.text("0")+"}"))
			return err
		case word == function && p.peek() == '[':
			var list bytes.Buffer
			err := p.container(&list, '[', depth)
			first, _ := rawjson.Parse(list.Bytes()).At(0)
			b.Write(rawjson.AppendQuoted(nil, "${"+first.Text()+"}"))
			return err
		case further && p.bareKeys:
			b.Write(rawjson.AppendQuoted(nil, "${"+name+"}"))
			return nil
		}
	}
	if value, ok := p.variable(word); ok {
		b.WriteString(value)
		return nil
	}
	if p.lenient {
		b.WriteString("null")
		return p.behind()
	}
	return notLiteral(word)
}

// behind steps over the calls and indexes behind a name.
func (p *literals) behind() error {
	for {
		switch c := p.peek(); {
		case c == '(' || c == '[':
			closing := map[byte]byte{'(': ')', '[': ']'}[c]
			err := p.items(closing, strconv.QuoteRune(rune(closing)), func(int) error { return p.skip() })
			if err != nil {
				return err
			}
		case c == '.':
			p.i += len(p.word())
		default:
			return nil
		}
	}
}

// variable is the value that the program assigns to a name before the reader, as JSON.
func (p *literals) variable(name string) (string, bool) {
	if *p.lookups++; *p.lookups > maxLookups {
		return "", false
	}
	assigns, err := regexp.Compile(`(?m)^[ \t]*` + p.declares + regexp.QuoteMeta(name) +
		`(?:\s*:\s*[\w\[\], .|]+)?\s*=[^=>]`)
	if err != nil {
		return "", false
	}
	all := assigns.FindAllStringIndex(p.s[:p.i], -1)
	if len(all) == 0 {
		return "", false
	}
	inner := *p
	inner.i = all[len(all)-1][1] - 1
	var b bytes.Buffer
	if inner.value(&b, 0) != nil {
		return "", false
	}
	return b.String(), true
}

func (p *literals) container(b *bytes.Buffer, open byte, depth int) error {
	closing := map[byte]byte{'{': '}', '[': ']', '(': ')'}[open]
	out := map[byte]string{'{': "{}", '[': "[]", '(': "[]"}[open]
	from, items, comma := b.Len(), 0, false
	b.WriteByte(out[0])
	err := p.items(closing, strconv.QuoteRune(rune(closing)), func(n int) error {
		if n > 0 {
			b.WriteByte(',')
		}
		items = n + 1
		if open != '{' {
			err := p.value(b, depth+1)
			comma = p.peek() == ','
			return err
		}
		return p.member(b, depth)
	})
	b.WriteByte(out[1])
	if open == '(' && items == 1 && !comma { // brackets around a value, as texts over several lines have
		inner := bytes.Clone(b.Bytes()[from+1 : b.Len()-1])
		b.Truncate(from)
		b.Write(inner)
	}
	return err
}

// member writes a member of an object.
func (p *literals) member(b *bytes.Buffer, depth int) error {
	key, bare := "", p.bareKeys && strings.IndexByte(p.quotes, p.peek()) < 0
	if bare {
		if key = p.word(); key == "" {
			return notLiteral(p.s[min(p.i, len(p.s)):])
		}
		p.i += len(key)
	} else {
		if c := p.peek(); c == 0 || strings.IndexByte(p.quotes, c) < 0 {
			return errors.New("a text in quotes is missing")
		}
		var text bytes.Buffer
		if err := p.text(&text, ""); err != nil {
			return err
		}
		key = text.String()
	}
	b.Write(rawjson.AppendQuoted(nil, key))
	b.WriteByte(':')
	if c := p.peek(); bare && (c == ',' || c == '}') { // {body} is {body: body}
		value, ok := p.variable(key)
		if !ok && !p.lenient {
			return notLiteral(key)
		}
		b.WriteString(cmp.Or(value, "null"))
		return nil
	}
	if p.peek() != ':' {
		return errors.New("a colon is missing behind a key")
	}
	p.i++
	return p.value(b, depth+1)
}
