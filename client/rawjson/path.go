package rawjson

import (
	"fmt"
	"strconv"
	"strings"
)

// Any as the Index of a Step stands for every child: "[*]".
const Any = -2

// byName as the Index of a Step says that Name counts.
const byName = -1

// Step is one step of a Path: a member's name or an element's index.
type Step struct {
	Name  string
	Index int
}

// Name returns the step to a member.
func Name(name string) Step { return Step{Name: name, Index: byName} }

// At returns the step to an element.
func At(i int) Step { return Step{Index: i} }

// IsIndex reports whether the step is to an element.
func (s Step) IsIndex() bool { return s.Index >= 0 }

// Path leads from a value to one inside it. The nil Path is the value itself.
type Path []Step

// With returns the path with one more step; p is not changed.
func (p Path) With(s Step) Path {
	return append(p[:len(p):len(p)], s)
}

// UntilAny is the length of the path before its first step over all children;
// branches reports whether there is one.
func (p Path) UntilAny() (length int, branches bool) {
	for i, step := range p {
		if step.Index == Any {
			return i, true
		}
	}
	return len(p), false
}

// String returns the dotted form without a leading dot: result.data[0].id.
// ParsePath reads it back. The path to the root is "".
func (p Path) String() string { return strings.TrimPrefix(p.Dotted(), ".") }

// Dotted returns .a[0].b; the root is ".".
func (p Path) Dotted() string { return p.render(isWord) }

// JQ returns a jq program for the path; the root is ".".
func (p Path) JQ() string { return p.render(isIdentifier) }

// render writes names that pass bare with a dot, others in brackets.
func (p Path) render(bare func(string) bool) string {
	var b strings.Builder
	if len(p) == 0 || p[0].Index != byName || !bare(p[0].Name) {
		b.WriteByte('.')
	}
	for _, s := range p {
		if s.Index == byName && bare(s.Name) {
			b.WriteByte('.')
			b.WriteString(s.Name)
			continue
		}
		s.bracket(&b)
	}
	return b.String()
}

func (s Step) bracket(b *strings.Builder) {
	b.WriteByte('[')
	if s.Index == byName {
		b.Write(AppendQuoted(nil, s.Name))
	} else {
		b.WriteString(s.place())
	}
	b.WriteByte(']')
}

// place is the index of an element as text.
func (s Step) place() string {
	if s.Index == Any {
		return "*"
	}
	return strconv.Itoa(s.Index)
}

// Brackets returns ["a"][0]["b"], which Python and JavaScript read; the root is "".
func (p Path) Brackets() string {
	var b strings.Builder
	for _, s := range p {
		s.bracket(&b)
	}
	return b.String()
}

// Pointer returns the JSON Pointer (RFC 6901): /a/0/b; the root is "".
func (p Path) Pointer() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteByte('/')
		if s.Index == byName {
			b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(s.Name))
		} else {
			b.WriteString(s.place())
		}
	}
	return b.String()
}

// isWord reports whether a name can stand in a dotted path and be read back.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r == 0x7f || strings.ContainsRune(`.[]"\*`, r)
	})
}

// isIdentifier reports whether jq takes the name after a dot.
func isIdentifier(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// digits reads a name as an index.
func digits(s string) (int, bool) {
	i, err := strconv.Atoi(s)
	return i, err == nil && i >= 0 && strconv.Itoa(i) == s
}

// ParsePath reads a dotted path: result.data[0].id, .a["x.y"].b,
// data.boards[*].items. "" and "." are the root. Errors name the place.
func ParsePath(text string) (Path, error) {
	var p Path
	rest := strings.TrimPrefix(text, ".")
	for rest != "" {
		step, n, err := parseStep(rest)
		if err != nil {
			return nil, fmt.Errorf("path %q, at byte %d: %w", text, len(text)-len(rest), err)
		}
		p = append(p, step)
		if rest = rest[n:]; strings.HasPrefix(rest, ".") {
			if rest = rest[1:]; rest == "" {
				return nil, fmt.Errorf("path %q ends with a dot: name the field or leave the dot out", text)
			}
		}
	}
	return p, nil
}

// MustPath is ParsePath for paths written in code; it panics on a wrong one.
func MustPath(text string) Path {
	p, err := ParsePath(text)
	if err != nil {
		panic(err)
	}
	return p
}

func parseStep(s string) (Step, int, error) {
	if s[0] != '[' {
		n := strings.IndexAny(s, ".[")
		if n < 0 {
			n = len(s)
		}
		if n == 0 {
			return Step{}, 0, fmt.Errorf("a name is missing before the dot")
		}
		return Name(s[:n]), n, nil
	}
	if strings.HasPrefix(s, `["`) {
		c := dataCursor([]byte(s), 0)
		c.i = 1
		if !c.value() || c.pos() >= len(s) || s[c.pos()] != ']' {
			return Step{}, 0, fmt.Errorf(`the quoted name is not closed with "]`)
		}
		return Name(Parse([]byte(s[1:c.pos()])).Text()), c.pos() + 1, nil
	}
	n := strings.IndexByte(s, ']')
	if n < 0 {
		return Step{}, 0, fmt.Errorf("the bracket is not closed")
	}
	if s[1:n] == "*" {
		return Step{Index: Any}, n + 1, nil
	}
	i, ok := digits(s[1:n])
	if !ok {
		return Step{}, 0, fmt.Errorf("%q is neither an index, nor *, nor a quoted name", s[1:n])
	}
	return At(i), n + 1, nil
}
