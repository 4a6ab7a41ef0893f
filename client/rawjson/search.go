package rawjson

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"regexp/syntax"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"patchbay/client/crew"
)

// Match is where a pattern was found: bytes [From, To) of the source.
type Match struct{ From, To int }

// SearchOptions bounds a search and says who hears of the matches.
type SearchOptions struct {
	// From and To bound where matches may start; To 0 is the end of the source.
	From, To int
	// Found gets the matches in order, some at a time, from one goroutine at a
	// time. It may be nil when only the count matters.
	Found func([]Match)
	// Progress is told how many bytes have been searched. May be nil.
	Progress func(done, total int)
}

// searchBlock is how much one step of a search covers.
const searchBlock = 1 << 20

// Search finds all matches in the bytes as received and counts them. It uses
// up to two cores, leaves room for others between blocks, and stops with the
// error of ctx. Matches do not overlap. A match of a regular expression is
// found whole up to 4 KiB.
func (p *Pattern) Search(ctx context.Context, src Source, o SearchOptions) (count int, err error) {
	if o.To == 0 || o.To > src.Len() {
		o.To = src.Len()
	}
	workers := make([]searcher, min(2, runtime.GOMAXPROCS(0)))
	last := 0 // end of the last match taken
	for at := o.From; at < o.To; at += len(workers) * searchBlock {
		var wg crew.Crew
		for i := range workers {
			from := at + i*searchBlock
			wg.Go(func() { workers[i].search(p, src, from, min(from+searchBlock, o.To)) })
		}
		wg.Wait()
		for i := range workers {
			if ctx.Err() != nil {
				return count, ctx.Err()
			}
			found := workers[i].found
			// A match that began in the block before may reach into this one.
			for len(found) > 0 && found[0].From < last {
				found = found[1:]
			}
			if count += len(found); len(found) > 0 {
				last = found[len(found)-1].To
				if o.Found != nil {
					o.Found(slices.Clone(found))
				}
			}
		}
		if o.Progress != nil {
			o.Progress(min(at+len(workers)*searchBlock, o.To)-o.From, o.To-o.From)
		}
		runtime.Gosched()
	}
	return count, ctx.Err()
}

// searcher looks through a block beside others.
type searcher struct {
	buf   []byte
	found []Match
}

func (s *searcher) search(p *Pattern, src Source, from, to int) {
	s.found = s.found[:0]
	if from >= to {
		return
	}
	s.found = p.all(view(src, from, min(to+p.reach, src.Len()), &s.buf), to-from, s.found)
	for i := range s.found {
		s.found[i].From += from
		s.found[i].To += from
	}
}

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
	reach    int      // bytes that a match may go beyond the block it starts in
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
		if text, fold := neededText(tree.Simplify()); text != "" {
			l := newLiteral(text, fold)
			p.need = &l
		}
	}
	return p, nil
}

func newTextPattern(q Query) *Pattern {
	p := &Pattern{literals: []literal{newLiteral(q.Text, q.Fold)}}
	// The same text may have been received with escapes.
	for _, form := range []string{escaped(q.Text, "0123456789abcdef"), escaped(q.Text, "0123456789ABCDEF")} {
		same := func(l literal) bool { return string(l.text) == form }
		if form != q.Text && !slices.ContainsFunc(p.literals, same) {
			p.literals = append(p.literals, newLiteral(form, false))
		}
	}
	for _, l := range p.literals {
		p.reach = max(p.reach, len(l.text))
		if l.wide {
			p.reach = max(p.reach, utf8.UTFMax*utf8.RuneCount(l.text))
		}
	}
	return p
}

// escaped returns text as an encoder writes it that keeps to ASCII.
func escaped(text, hex string) string {
	var out []byte
	for _, r := range text {
		switch {
		case r == '\n', r == '\t', r >= 0x20 && r < 0x7f:
			out = append(out, inside(AppendQuoted(nil, string(r)))...)
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

// Match reports whether the pattern occurs in b.
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

// Find returns the first match in b.
func (p *Pattern) Find(b []byte) (m Match, ok bool) {
	if found := p.all(b, len(b), nil); len(found) > 0 {
		return found[0], true
	}
	return Match{}, false
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

// neededText finds the longest literal that every match must hold; fold is set
// where it matches either case.
func neededText(re *syntax.Regexp) (text string, fold bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune), re.Flags&syntax.FoldCase != 0
	case syntax.OpCapture, syntax.OpPlus:
		return neededText(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if t, f := neededText(sub); len(t) > len(text) {
				text, fold = t, f
			}
		}
	}
	return text, fold
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
	f := unicode.SimpleFold(a)
	for f != a && f != b {
		f = unicode.SimpleFold(f)
	}
	return f == b
}

// literal finds one text. Two of its bytes, the rarest in JSON, are compared
// in eight places together; only where both stand is the whole text looked at.
type literal struct {
	text []byte // small letters when fold is set and the text is ASCII
	fold bool   // ASCII letters match either case
	// wide is set when letters beyond ASCII match either case: then text is
	// compared rune by rune, and heads are the texts that a match may start with.
	wide  bool
	heads []literal
	a, b  int    // positions of the two bytes
	pa    uint64 // patterns and masks of the two bytes
	pb    uint64
	ma    uint64
	mb    uint64
}

func newLiteral(text string, fold bool) literal {
	l := literal{text: []byte(text)}
	cased := func(r rune) bool { return unicode.SimpleFold(r) != r }
	beyondASCII := func(r rune) bool { return r >= utf8.RuneSelf }
	switch {
	case fold && !strings.ContainsFunc(text, beyondASCII):
		l.text, l.fold = bytes.ToLower(l.text), true
	case fold && strings.ContainsFunc(text, cased):
		l.wide = true
		first, _ := utf8.DecodeRuneInString(text)
		l.heads = []literal{newLiteral(string(first), false)}
		for r := unicode.SimpleFold(first); r != first; r = unicode.SimpleFold(r) {
			l.heads = append(l.heads, newLiteral(string(r), false))
		}
		return l
	}
	for i, c := range l.text {
		switch {
		case rarity(c) > rarity(l.text[l.a]):
			l.a, l.b = i, l.a
		case l.b == l.a || rarity(c) > rarity(l.text[l.b]):
			l.b = i
		}
	}
	l.pa, l.ma = l.pattern(l.text[l.a])
	l.pb, l.mb = l.pattern(l.text[l.b])
	return l
}

func (l *literal) pattern(c byte) (pattern, mask uint64) {
	if l.fold && c >= 'a' && c <= 'z' {
		return uint64(c) * lows, 0x20 * lows
	}
	return uint64(c) * lows, 0
}

// rarity ranks bytes by how seldom they stand in JSON; a rough guess is enough.
func rarity(c byte) int {
	switch {
	case c == '"' || c == ' ':
		return 0
	case c == ',' || c == ':' || c == '_' || c == '0':
		return 1
	case bytes.IndexByte([]byte("eatinrsodlc"), c) >= 0:
		return 2
	case c >= 'a' && c <= 'z' || c >= '1' && c <= '9':
		return 3
	case c == '\\' || c == '-' || c == '.' || c == '{' || c == '}':
		return 4
	}
	return 5
}

// find returns the first match in data that starts at from or later and before limit; -1 when there is none.
func (l *literal) find(data []byte, from, limit int) (start, end int) {
	if l.wide {
		for ; from < limit; from += widePiece {
			if start, end = l.findHead(data, from, min(from+widePiece, limit)); start >= 0 {
				return start, end
			}
		}
		return -1, -1
	}
	// The bytes at a and b are read beside each other for every start i.
	last := min(limit, len(data)-len(l.text)+1)
	i := from
	for ; i+8 <= last; i += 8 {
		x := (binary.LittleEndian.Uint64(data[i+l.a:]) | l.ma) ^ l.pa
		y := (binary.LittleEndian.Uint64(data[i+l.b:]) | l.mb) ^ l.pb
		z := x | y
		if (z-lows)&^z&highs == 0 {
			continue
		}
		for hits := equalBytes(z, 0); hits != 0; hits &= hits - 1 {
			if k := i + bits.TrailingZeros64(hits)/8; l.at(data[k:]) {
				return k, k + len(l.text)
			}
		}
	}
	for ; i < last; i++ {
		if l.at(data[i:]) {
			return i, i + len(l.text)
		}
	}
	return -1, -1
}

// at reports whether data starts with the text.
func (l *literal) at(data []byte) bool {
	data = data[:len(l.text)]
	if !l.fold {
		return bytes.Equal(data, l.text)
	}
	for i, c := range data {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != l.text[i] {
			return false
		}
	}
	return true
}

// widePiece bounds how far a rare head is looked for while another may match at once.
const widePiece = 4 << 10

func (l *literal) findHead(data []byte, from, limit int) (start, end int) {
	start = -1
	for i := range l.heads {
		for at := from; at < limit; {
			k, to := l.heads[i].find(data, at, limit)
			if k < 0 {
				break
			}
			if n := foldPrefix(data[k:], l.text); n > 0 {
				// A later match is of no interest to the other heads.
				start, end, limit = k, k+n, k
				break
			}
			at = to
		}
	}
	return start, end
}
