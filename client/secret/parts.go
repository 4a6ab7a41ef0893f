package secret

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// leastPart is how much of a secret, behind the beginning that anybody knows, must
// stand in a text for it to be a part of that secret.
const leastPart = 8

// known is a secret of which parts are looked for.
type known struct {
	value string
	// open is how long the beginning is that tells what kind of secret it is: sk_live_.
	open int
}

// opening are words with a sign behind each, and the head of a signed token.
var opening = regexp.MustCompile(`^(?:eyJ[\w-]+\.|(?:[A-Za-z]{1,10}\d{0,2}[_.-])*)`)

func knownOf(v string) known { return known{v, len(opening.FindString(v))} }

// ends are the shortest beginning and the shortest end that are no ordinary words;
// empty where there is none.
func (k known) ends() (head, tail string) {
	for n := k.open + leastPart; n < len(k.value); n++ {
		if head = k.value[:n]; utf8.RuneStart(k.value[n]) && !ordinary(head[k.open:]) {
			break
		}
		head = ""
	}
	for n := len(k.value) - leastPart; n > k.open; n-- {
		if tail = k.value[n:]; utf8.RuneStart(k.value[n]) && !ordinary(tail) {
			break
		}
		tail = ""
	}
	return head, tail
}

// word is what may stand in a text without being part of a secret.
var word = regexp.MustCompile(`^(?:(?:[A-Z]?[a-z]*|[A-Z]+|\d+)(?:[^A-Za-z\d]+|$))*$`)

func ordinary(part string) bool { return word.MatchString(part) }

// piece is an end of a secret, and the rest of it, which may be there, too.
type piece struct {
	rest string
	head bool
}

// addPieces lists the ends of all secrets.
func (m *matcher) addPieces(values []string) {
	m.pieces = map[string][]piece{}
	for _, v := range values {
		k := knownOf(v)
		m.known = append(m.known, k)
		head, tail := k.ends()
		if head != "" {
			m.pieces[head] = append(m.pieces[head], piece{v[len(head):], true})
		}
		if tail != "" {
			m.pieces[tail] = append(m.pieces[tail], piece{v[:len(v)-len(tail)], false})
		}
	}
}

// widened takes in what stands of the rest of a secret beside an end of it.
func (e *unescaper) widened(from, to int, pieces []piece) (int, int) {
	left, right := from, to
	for _, p := range pieces {
		if p.head {
			right = max(right, e.forward(to, p.rest))
		} else {
			left = min(left, e.backward(from, p.rest))
		}
	}
	return left, right
}

// forward is how far t can be read from i, through escapes.
func (e *unescaper) forward(i int, t string) int {
	for t != "" && i < len(e.s) {
		n, w := 0, 0
		for _, u := range e.variants(i, nil) {
			if strings.HasPrefix(t, u.text()) {
				n, w = u.n, u.w
			}
		}
		if n == 0 {
			break
		}
		i, t = i+w, t[n:]
	}
	return i
}

// backward is from where the end of t can be read up to i, through escapes.
func (e *unescaper) backward(i int, t string) int {
	const widest = 12 // the escapes that are looked for
	for t != "" && i > 0 {
		n, at := 0, 0
		for j := i - 1; j >= max(0, i-widest); j-- {
			if j < i-1 && !opens(e.s[j]) {
				continue
			}
			for _, u := range e.variants(j, nil) {
				if j+u.w == i && strings.HasSuffix(t, u.text()) {
					n, at = u.n, j
				}
			}
		}
		if n == 0 {
			break
		}
		i, t = at, t[:len(t)-n]
	}
	return i
}

// gap is how servers write that something was left out. Dots stand in ordinary texts.
type gap struct {
	text, more string
	dots       bool
}

var gaps = []gap{{"***", "*", false}, {"•••", "•", false}, {"XXXX", "X", false}, {"xxxx", "x", false},
	{"...", ".", true}, {"…", "…", true}}

// gapped finds secrets with their middle left out: sk_test_****abcd.
func (m *matcher) gapped(s string, out []span) []span {
	for _, g := range gaps {
		for at := 0; ; {
			i := strings.Index(s[at:], g.text)
			if i < 0 {
				break
			}
			from := at + i
			for at = from + len(g.text); strings.HasPrefix(s[at:], g.more); {
				at += len(g.more)
			}
			for _, k := range m.known {
				if left, right, is := k.around(s, from, at, g.dots); is {
					out = append(out, span{left, right, Mark})
				}
			}
		}
	}
	return out
}

// around reports whether enough of a secret stands at a gap: of its beginning, of its
// end, or of both.
func (k known) around(s string, from, to int, dots bool) (left, right int, is bool) {
	const enough = 4
	head, tail := k.before(s[:from]), k.behind(s[to:])
	telling := !dots || k.open > 0 || !ordinary(k.value[:head])
	switch {
	case head >= k.open+enough && telling, tail >= enough && !dots, tail >= enough && head > 0 && head >= k.open:
		return from - head, to + tail, true
	}
	return from, to, false
}

// before is how much of the secret's beginning stands at the end of s.
func (k known) before(s string) int {
	if s == "" || strings.IndexByte(k.value, s[len(s)-1]) < 0 {
		return 0
	}
	n := min(len(s), len(k.value))
	for n > 0 && !strings.HasSuffix(s, k.value[:n]) {
		n--
	}
	return n
}

// behind is how much of the secret's end stands at the beginning of s.
func (k known) behind(s string) int {
	if s == "" || strings.IndexByte(k.value, s[0]) < 0 {
		return 0
	}
	n := min(len(s), len(k.value))
	for n > 0 && !strings.HasPrefix(s, k.value[len(k.value)-n:]) {
		n--
	}
	return n
}
