package rawjson

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Query is what a person looks for.
type Query struct {
	Text string
	// Regexp reads Text as a regular expression (RE2).
	Regexp bool
	// Fold makes no difference between capital and small letters.
	Fold bool
}

const (
	// regexpReach is how long a match of a regular expression may be.
	regexpReach = 4 << 10
	// regexpPiece is how much is searched for a needed literal before the expression is run.
	regexpPiece = 32 << 10
)

// Pattern is a Query made ready. It can be used by many goroutines.
type Pattern struct {
	literals []literal
	re       *regexp.Regexp
	need     *literal // a text that every match of re holds; nil when unknown
	anchored bool
	reach    int // bytes that a match may go beyond the block it starts in
}

// Compile makes a query ready. Its error says what is wrong with a regular expression.
func (q Query) Compile() (*Pattern, error) {
	if q.Text == "" {
		return nil, errors.New("there is nothing to search for: type a text")
	}
	if !q.Regexp {
		return newTextPattern(q), nil
	}
	text := q.Text
	if q.Fold {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("the regular expression %q cannot be read: %w", q.Text, err)
	}
	p := &Pattern{re: re, reach: regexpReach}
	if tree, err := syntax.Parse(text, syntax.Perl); err == nil {
		p.anchored = hasAnchor(tree)
		if need := neededText(tree.Simplify()); need.text != "" {
			l := newLiteral(need.text, need.fold)
			p.need = &l
		}
	}
	return p, nil
}

func newTextPattern(q Query) *Pattern {
	p := &Pattern{}
	p.literals = append(p.literals, newLiteral(q.Text, q.Fold))
	// The same text may have been received with escapes.
	for _, form := range []string{escaped(q.Text, "0123456789abcdef"), escaped(q.Text, "0123456789ABCDEF")} {
		same := func(l literal) bool { return string(l.text) == form }
		if form != q.Text && !slices.ContainsFunc(p.literals, same) {
			p.literals = append(p.literals, newLiteral(form, false))
		}
	}
	for _, l := range p.literals {
		p.reach = max(p.reach, l.reach())
	}
	return p
}

// escaped returns text as an encoder writes it that keeps to ASCII.
func escaped(text, hex string) string {
	var out []byte
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\n':
			out = append(out, '\\', 'n')
		case r == '\t':
			out = append(out, '\\', 't')
		case r >= 0x20 && r < 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			r -= 0x10000
			out = appendHex(appendHex(out, 0xd800+r>>10, hex), 0xdc00+r&0x3ff, hex)
		default:
			out = appendHex(out, r, hex)
		}
	}
	return string(out)
}

func appendHex(out []byte, r rune, hex string) []byte {
	return append(out, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// Anchored tells that a regular expression holds ^, $, \A, \z or \b's kin for
// line or text ends; they mean something in a cell, but not in a body.
func (p *Pattern) Anchored() bool { return p.anchored }

// Match tells whether the pattern occurs in b.
func (p *Pattern) Match(b []byte) bool {
	if p.re != nil {
		return p.re.Match(b)
	}
	for i := range p.literals {
		if at, _ := p.literals[i].find(b, 0, len(b)); at >= 0 {
			return true
		}
	}
	return false
}

// all appends the matches in b that start before limit.
func (p *Pattern) all(b []byte, limit int, out []Match) []Match {
	if p.re != nil {
		return p.allRegexp(b, limit, out)
	}
	for i := range p.literals {
		for at := 0; at < limit; {
			from, to := p.literals[i].find(b, at, limit)
			if from < 0 {
				break
			}
			out = append(out, Match{from, to})
			at = to
		}
	}
	if len(p.literals) > 1 {
		slices.SortFunc(out, func(a, b Match) int { return cmp.Compare(a.From, b.From) })
	}
	return out
}

// allRegexp runs the expression over pieces, those that hold the needed text.
func (p *Pattern) allRegexp(b []byte, limit int, out []Match) []Match {
	for at := 0; at < limit; at += regexpPiece {
		end := min(at+regexpPiece, limit)
		piece := b[at:min(end+regexpReach, len(b))]
		if p.need != nil {
			if k, _ := p.need.find(piece, 0, len(piece)); k < 0 {
				continue
			}
		}
		for _, m := range p.re.FindAllIndex(piece, -1) {
			from, to := at+m[0], at+m[1]
			known := len(out) > 0 && from < out[len(out)-1].To
			if from < end && to > from && !known {
				out = append(out, Match{from, to})
			}
		}
	}
	return out
}

func hasAnchor(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText:
		return true
	}
	return slices.ContainsFunc(re.Sub, hasAnchor)
}

type needed struct {
	text string
	fold bool
}

// neededText finds the longest literal that every match must hold.
func neededText(re *syntax.Regexp) needed {
	switch re.Op {
	case syntax.OpLiteral:
		return needed{string(re.Rune), re.Flags&syntax.FoldCase != 0}
	case syntax.OpCapture, syntax.OpPlus:
		return neededText(re.Sub[0])
	case syntax.OpConcat:
		var best needed
		for _, sub := range re.Sub {
			if n := neededText(sub); len(n.text) > len(best.text) {
				best = n
			}
		}
		return best
	}
	return needed{}
}

// starts returns the encodings of all runes that fold to r.
func starts(r rune) [][]byte {
	out := [][]byte{utf8.AppendRune(nil, r)}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		out = append(out, utf8.AppendRune(nil, f))
	}
	return out
}

// foldPrefix returns how many bytes of b equal text but for case; -1 when they do not.
func foldPrefix(b, text []byte) int {
	n := 0
	for len(text) > 0 {
		want, k := utf8.DecodeRune(text)
		got, m := utf8.DecodeRune(b[n:])
		if m == 0 || got != want && !foldsTo(got, want) || got == utf8.RuneError && m != k {
			return -1
		}
		n, text = n+m, text[k:]
	}
	return n
}

func foldsTo(a, b rune) bool {
	for f := unicode.SimpleFold(a); f != a; f = unicode.SimpleFold(f) {
		if f == b {
			return true
		}
	}
	return false
}

func isASCII(b []byte) bool {
	return bytes.IndexFunc(b, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
