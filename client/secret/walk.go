package secret

import (
	"strings"
)

// walk goes over a text in which JSON stands: one value, a stream of them, behind a
// byte order mark, between other words. It replaces the values of sensitive members,
// and known secrets so that JSON stays JSON.
type walk struct {
	s string
	// json tells that all of it is JSON, so that what stands outside of strings can
	// be replaced by one.
	json bool
	hits []span // known secrets that were not come to
	out  []span
}

func (w *walk) all() {
	for at := 0; at < len(w.s); {
		quote := strings.IndexByte(w.s[at:], '"')
		if quote < 0 {
			w.between(at, len(w.s))
			return
		}
		quote += at
		w.between(at, quote)
		end := stringEnd(w.s, quote)
		if end < 0 { // a stray quote, or a string that is cut
			at = len(w.s)
			if line := strings.IndexByte(w.s[quote:], '\n'); line >= 0 {
				at = quote + line
			}
			w.cut(at)
			continue
		}
		w.inside(quote, end)
		at = w.member(quote, end)
	}
}

// cut replaces the secrets in what no string is or the start of one.
func (w *walk) cut(to int) {
	for len(w.hits) > 0 && w.hits[0].from < to {
		w.out = append(w.out, w.hits[0])
		w.hits = w.hits[1:]
	}
}

// member goes on behind a string, and behind the value of a sensitive member.
func (w *walk) member(quote, end int) int {
	next := end + 1
	colon := skipSpace(w.s, next)
	if colon >= len(w.s) || w.s[colon] != ':' || !SensitiveName(plainText(w.s[quote+1:end])) {
		return next
	}
	from := skipSpace(w.s, colon+1)
	to := valueEnd(w.s, from)
	switch {
	case to < 0: // its end is not known
		w.out = append(w.out, span{from, len(w.s), Mark})
		to = len(w.s)
	case to == from || w.s[from:to] == "null": // null is no secret
	default:
		w.out = append(w.out, span{from, to, `"` + Mark + `"`})
	}
	return to
}

// inside replaces the secrets in the string with these quotes. An escape goes as a
// whole or not at all.
func (w *walk) inside(quote, end int) {
	at := quote + 1
	for len(w.hits) > 0 && w.hits[0].from <= end {
		hit := w.hits[0]
		w.hits = w.hits[1:]
		for at <= hit.from {
			width := 1
			if w.s[at] == '\\' {
				width = 2
				if w.s[at+1] == 'u' {
					width = 6
				}
			}
			if at+width > hit.from {
				break
			}
			at += width
		}
		if hit.from > quote && hit.to <= end {
			hit.from = min(hit.from, at)
		}
		w.out = append(w.out, hit)
	}
}

// between replaces the secrets that begin outside of strings: a whole number, or a
// piece of the text that is a secret as it stands.
func (w *walk) between(from, to int) {
	const scalar = "0123456789+-.eE"
	for len(w.hits) > 0 && w.hits[0].from < to {
		hit := w.hits[0]
		w.hits = w.hits[1:]
		text := w.s[hit.from:hit.to]
		switch {
		case !w.json:
		case strings.Trim(text, scalar) == "":
			for hit.from > from && strings.IndexByte(scalar, w.s[hit.from-1]) >= 0 {
				hit.from--
			}
			for hit.to < to && strings.IndexByte(scalar, w.s[hit.to]) >= 0 {
				hit.to++
			}
			hit.with = `"` + Mark + `"`
		case text == "true" || text == "false" || text == "null":
			continue
		case strings.IndexByte("{[", text[0]) >= 0 && valueEnd(text, 0) == len(text):
			hit.with = `"` + Mark + `"`
		}
		w.out = append(w.out, hit)
	}
}

// stringEnd is where the quote that ends a string stands; -1 where none does on its line.
func stringEnd(s string, quote int) int {
	for at := quote + 1; at < len(s); at++ {
		switch s[at] {
		case '"':
			return at
		case '\\':
			at++
		case '\n':
			return -1
		}
	}
	return -1
}

func skipSpace(s string, at int) int {
	for at < len(s) && strings.IndexByte(" \t\r\n", s[at]) >= 0 {
		at++
	}
	return at
}

// valueEnd is where the JSON value at from ends; -1 where the text ends before it.
func valueEnd(s string, from int) int {
	depth := 0
	for at := from; at < len(s); at++ {
		switch s[at] {
		case '"':
			end := stringEnd(s, at)
			if end < 0 {
				return -1
			}
			at = end
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // of what is around it
				return at
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return at
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return at + 1
		}
	}
	if depth > 0 || from == len(s) {
		return -1
	}
	return len(s)
}

// plainText is what stands in a JSON string.
func plainText(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	e := &unescaper{s: s, fuel: len(s) * layers}
	for at := 0; at < len(s); {
		u := e.at(at, 1)
		b.WriteString(u.text())
		at += u.w
	}
	return b.String()
}
