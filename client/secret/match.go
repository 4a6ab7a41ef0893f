package secret

import (
	"maps"
	"slices"
	"strings"
)

// matcher finds texts, as they stand and through escapes. Plain ones are found by the
// method of Wu and Manber: the two bytes at which the shortest text would end say
// how far none of them can begin. An escaped one has an escape somewhere, with the
// text's own bytes before it: only where an escape reads as a byte that some text has
// behind the byte before it, is more looked at.
type matcher struct {
	shortest int
	shift    [1 << 16]uint8
	ends     map[uint16][]string
	// begin are the texts by their first byte, inner the places in them by two bytes;
	// pairs tells which two there are.
	begin [1 << 8][]place
	inner map[uint16][]place
	pairs [1 << 16 / 64]uint64
	// known are the secrets of which parts are looked for, pieces the texts among
	// those above that are an end of one.
	known  []known
	pieces map[string][]piece
}

// place is a place in a text.
type place struct {
	text string
	at   int
}

func newMatcher(forms map[string]struct{}, values []string) *matcher {
	const far = 255
	m := &matcher{shortest: far, ends: map[uint16][]string{}, inner: map[uint16][]place{}}
	m.addPieces(values)
	texts := slices.Collect(maps.Keys(forms))
	for piece := range m.pieces {
		texts = append(append(texts, piece), embedded(piece)...) // packed, it is shorter than what is opened
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	for _, t := range texts {
		m.shortest = min(m.shortest, len(t))
	}
	for i := range m.shift {
		m.shift[i] = uint8(m.shortest - 1)
	}
	for _, t := range texts {
		for i := range m.shortest - 1 {
			m.shift[two(t, i)] = min(m.shift[two(t, i)], uint8(m.shortest-2-i))
		}
		end := two(t, m.shortest-2)
		m.ends[end] = append(m.ends[end], t)
		m.begin[t[0]] = append(m.begin[t[0]], place{t, 0})
		for i := range len(t) - 1 {
			pair := two(t, i)
			m.inner[pair] = append(m.inner[pair], place{t, i + 1})
			m.pairs[pair/64] |= 1 << (pair % 64)
		}
	}
	return m
}

func two(s string, i int) uint16 { return uint16(s[i])<<8 | uint16(s[i+1]) }

// find lists where the texts stand in s, in order and apart.
func (m *matcher) find(s string) []span {
	if m == nil {
		return nil
	}
	return apart(m.gapped(s, m.packed(s, nested, m.escaped(s, m.plain(s)))))
}

func (m *matcher) plain(s string) (out []span) {
	for i := m.shortest - 2; i+1 < len(s); {
		if skip := m.shift[two(s, i)]; skip > 0 {
			i += int(skip)
			continue
		}
		from, longest := i-m.shortest+2, ""
		for _, t := range m.ends[two(s, i)] {
			if len(t) > len(longest) && strings.HasPrefix(s[from:], t) {
				longest = t
			}
		}
		if longest != "" {
			out = append(out, m.hit(&unescaper{s: s}, from, from+len(longest), longest))
		}
		i++
	}
	return out
}

// hit is where a text was found, with what more stands there of a secret.
func (m *matcher) hit(e *unescaper, from, to int, text string) span {
	if pieces := m.pieces[text]; pieces != nil {
		from, to = e.widened(from, to, pieces)
	}
	return span{from, to, Mark}
}

func (m *matcher) escaped(s string, out []span) []span {
	e := &unescaper{s: s}
	var read []unit
	for i := 0; i < len(s); i++ {
		if !opens(s[i]) {
			continue
		}
		if s[i] == '\\' && i+1 < len(s) && letters[s[i+1]] != 0 { // most escapes are these, and of no text
			if c := letters[s[i+1]]; !m.may(s, i, '\\') && !m.may(s, i, c) {
				i++
				continue
			}
		}
		read = e.variants(i, read)
		best := found{to: -1}
		for _, u := range read {
			best = e.farthest(i, m.begin[u.b[0]], best)
			if i == 0 {
				continue
			}
			if pair := uint16(s[i-1])<<8 | uint16(u.b[0]); m.paired(pair) {
				best = e.farthest(i, m.inner[pair], best)
			}
		}
		if best.to > 0 {
			out = append(out, m.hit(e, best.from, best.to, best.text))
			i = max(i, out[len(out)-1].to-1)
		}
	}
	return out
}

// letters are what the commonest escapes stand for.
var letters = [256]byte{'"': '"', 'n': '\n', 'r': '\r', 't': '\t', '/': '/'}

// may tells that c may stand at i in one of the texts.
func (m *matcher) may(s string, i int, c byte) bool {
	return m.begin[c] != nil || i > 0 && m.paired(uint16(s[i-1])<<8|uint16(c))
}

func (m *matcher) paired(pair uint16) bool { return m.pairs[pair/64]&(1<<(pair%64)) != 0 }

// found is a text that was found, and where.
type found struct {
	from, to int
	text     string
}

// farthest tries the texts that may have an escape at i, and returns the one that
// reaches farther than what was found before.
func (e *unescaper) farthest(i int, places []place, best found) found {
	for _, p := range places {
		if !strings.HasSuffix(e.s[:i], p.text[:p.at]) {
			continue
		}
		e.steps = 8 * len(p.text)
		if end := e.follow(i, p.text[p.at:]); end > best.to {
			best = found{i - p.at, end, p.text}
		}
	}
	return best
}

// follow reads t at i through escapes, and returns where it ends; -1 where it is not there.
func (e *unescaper) follow(i int, t string) int {
	for len(t) > 0 {
		switch {
		case i >= len(e.s) || e.steps < 0:
			return -1
		case !opens(e.s[i]):
			if e.s[i] != t[0] {
				return -1
			}
			i, t = i+1, t[1:]
			continue
		}
		// The widest reading comes first; a text that holds escapes itself is
		// found by a narrower one.
		e.steps--
		read := e.variants(i, nil)
		for _, u := range slices.Backward(read[1:]) {
			if strings.HasPrefix(t, u.text()) {
				if end := e.follow(i+u.w, t[u.n:]); end > 0 {
					return end
				}
			}
		}
		if e.s[i] != t[0] {
			return -1
		}
		i, t = i+1, t[1:]
	}
	return i
}
