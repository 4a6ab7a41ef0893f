package document

import (
	"bytes"
	"io"
	"strings"
)

// sniffed is how much of the beginning says what bytes are.
const sniffed = 4 << 10

// form is how bytes are made JSON.
type form uint8

const (
	asItIs form = iota
	gzipped
	commas
	tabs
	wide      // UTF-16
	commented // JSON with comments
	sequence  // values that each begin with a record separator
)

// notes say how bytes were made JSON.
var notes = [...]string{gzipped: "unpacked by gzip", commas: "a CSV table: each row is shown as a record",
	tabs: "a table with tabs: each row is shown as a record",
	wide: "UTF-16, shown as UTF-8", commented: "JSON with comments: they are left out",
	sequence: "a sequence of JSON values"}

// formOf says what bytes are from their beginning and the name of their file.
func formOf(head []byte, name string) form {
	name = strings.ToLower(name)
	plain := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return gzipped
	case isWide(head):
		return wide
	case strings.HasSuffix(name, ".csv"):
		return commas
	case strings.HasSuffix(name, ".tsv"):
		return tabs
	case bytes.HasPrefix(plain, []byte{separator}):
		return sequence
	case hasComment(plain):
		return commented
	case sameCount(plain, ','):
		return commas
	case sameCount(plain, '\t'):
		return tabs
	}
	return asItIs
}

// sameCount reports whether the first two lines are no JSON and hold the same
// number of separators. A brace in the first makes it no head of a table, but
// JSON behind something else.
func sameCount(head []byte, separator byte) bool {
	first, rest, _ := bytes.Cut(head, []byte("\n"))
	second, _, whole := bytes.Cut(rest, []byte("\n"))
	n := bytes.Count(first, []byte{separator})
	if len(first) == 0 || bytes.IndexByte([]byte("[\"<-0123456789 "), first[0]) >= 0 ||
		bytes.IndexByte(first, '{') >= 0 || bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	return whole && n > 0 && bytes.Count(second, []byte{separator}) == n
}

// isWide tells UTF-16 from its mark, or from the zero byte beside a bracket
// that JSON begins with.
func isWide(head []byte) bool {
	for _, begin := range []string{"\xff\xfe", "\xfe\xff", "{\x00", "[\x00", "\x00{", "\x00["} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return len(head) < 4 || head[2] != 0 || head[3] != 0 // else it is UTF-32
		}
	}
	return false
}

// hasComment reports whether a comment stands in the beginning, where all before
// it could be JSON: a log line that holds an address is none.
func hasComment(head []byte) bool {
	text := false
	for i := 0; i+1 < len(head); i++ {
		b := head[i]
		switch {
		case text && b == '\\':
			i++
		case b == '"':
			text = !text
		case text:
		case b == '/':
			return head[i+1] == '/' || head[i+1] == '*'
		case bytes.IndexByte([]byte(" \t\r\n{}[]:,.+-0123456789eEtrufalsn"), b) < 0:
			return false
		}
	}
	return false
}

// mapped reads what another reader gives, each byte as next has it.
type mapped struct {
	in   io.Reader
	next func(byte) byte
}

// Read implements io.Reader.
func (m mapped) Read(b []byte) (int, error) {
	n, err := m.in.Read(b)
	for i := range n {
		b[i] = m.next(b[i])
	}
	return n, err
}

// comments makes blanks of comments, so that every byte keeps its place.
type comments uint8

const (
	outside comments = iota
	inText
	escaped
	slashed // a slash may begin a comment
	inLine
	inBlock
	starred // a star may end the block
)

// blank takes a byte and gives what stands in its place. JSON has no slash
// outside of texts: one is always the beginning of a comment.
func (c *comments) blank(b byte) byte {
	was := *c
	switch {
	case was == outside && b == '"', was == escaped:
		*c = inText
	case was == inText && b == '\\':
		*c = escaped
	case was == inText && b == '"':
		*c = outside
		return b
	case was == outside && b == '/':
		*c = slashed
	case was == slashed:
		*c = map[byte]comments{'/': inLine, '*': inBlock}[b]
	case was == inLine && b == '\n':
		*c = outside
	case was == inBlock && b == '*', was == starred && b == '*':
		*c = starred
	case was == starred && b == '/':
		*c = outside
	case was == starred:
		*c = inBlock
	}
	if b == '\n' || *c <= escaped && was <= escaped {
		return b
	}
	return ' '
}

// separator begins each value of a JSON text sequence.
const separator = 0x1e
