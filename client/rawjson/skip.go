package rawjson

import (
	"encoding/binary"
	"math/bits"
)

// skipState is where a skip over one container stands, so that it can go on in the next window.
type skipState struct {
	depth  int
	inText bool
	escape bool // the last byte was a backslash inside a string
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// equalBytes marks with 0x80 each byte of w that equals the bytes of pattern.
func equalBytes(w, pattern uint64) uint64 {
	x := w ^ pattern
	return ^((x&^highs + ^uint64(highs)) | x) & highs
}

// hasByte is not zero when some byte of w equals those of pattern.
func hasByte(w, pattern uint64) uint64 {
	x := w ^ pattern
	return (x - lows) &^ x & highs
}

// skip passes over bytes until the container is closed and returns how many it
// took. Eight bytes are looked at together; only words with escapes, or with
// brackets that may close the container, are read byte by byte. Brackets are
// counted, not matched: that is Validate's work.
func (s *skipState) skip(w []byte) (n int, done bool) {
	i := 0
	for ; i+8 <= len(w); i += 8 {
		x := binary.LittleEndian.Uint64(w[i:])
		folded := x | 0x20*lows
		quotes := equalBytes(x, '"'*lows)
		if s.escape || hasByte(x, '\\'*lows) != 0 {
			if n, done := s.skipBytes(w[i : i+8]); done {
				return i + n, true
			}
			continue
		}
		if hasByte(folded, '{'*lows)|hasByte(folded, '}'*lows) == 0 {
			s.inText = s.inText != (bits.OnesCount64(quotes)&1 == 1)
			continue
		}
		text := quotes ^ quotes<<8
		text ^= text << 16
		text ^= text << 32
		if s.inText {
			text ^= highs
		}
		closes := bits.OnesCount64(equalBytes(folded, '}'*lows) &^ text)
		if closes >= s.depth {
			if n, done := s.skipBytes(w[i : i+8]); done {
				return i + n, true
			}
			continue
		}
		s.depth += bits.OnesCount64(equalBytes(folded, '{'*lows)&^text) - closes
		s.inText = text>>63 == 1
	}
	n, done = s.skipBytes(w[i:])
	return i + n, done
}

func (s *skipState) skipBytes(w []byte) (n int, done bool) {
	for i, c := range w {
		switch {
		case s.escape:
			s.escape = false
		case s.inText:
			s.escape = c == '\\'
			s.inText = c != '"'
		case c == '"':
			s.inText = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth <= 0 {
				return i + 1, true
			}
		}
	}
	return len(w), false
}

// skipText passes over the rest of a string whose opening quote is behind.
func (s *skipState) skipText(w []byte) (n int, done bool) {
	i := 0
	if s.escape && len(w) > 0 {
		s.escape = false
		i = 1
	}
	for i < len(w) {
		if i+8 <= len(w) {
			x := binary.LittleEndian.Uint64(w[i:])
			stops := hasByte(x, '"'*lows) | hasByte(x, '\\'*lows)
			if stops == 0 {
				i += 8
				continue
			}
			// The lowest mark is right; those above it may not be.
			i += bits.TrailingZeros64(stops) / 8
		}
		switch w[i] {
		case '"':
			return i + 1, true
		case '\\':
			if i+1 == len(w) {
				s.escape = true
				return len(w), false
			}
			i++
		}
		i++
	}
	return len(w), false
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// endsScalar tells whether c cannot be part of a number or literal.
func endsScalar(c byte) bool {
	switch c {
	case ',', ']', '}', ':', '"', '[', '{', ' ', '\n', '\t', '\r':
		return true
	}
	return false
}
