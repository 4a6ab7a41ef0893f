package cli

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/text/encoding/unicode"
)

// sniffed is how much of the beginning tells what bytes are.
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

func (f form) note() string {
	return [...]string{"", "unpacked by gzip", "a CSV table: each row is shown as a record", "a table with tabs: each row is shown as a record",
		"UTF-16, shown as UTF-8", "JSON with comments: they are left out", "a sequence of JSON values"}[f]
}

// table tells whether what is shown are the rows of a table.
func (f form) table() bool { return f == commas || f == tabs }

// formOf tells what bytes are from their beginning and the name of their file.
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

// sameCount tells whether the first two lines are no JSON and hold the same
// number of separators. A brace in the first makes it no head of a table, but
// JSON behind something else.
func sameCount(head []byte, separator byte) bool {
	first, rest, _ := bytes.Cut(head, []byte("\n"))
	second, _, whole := bytes.Cut(rest, []byte("\n"))
	n := bytes.Count(first, []byte{separator})
	if len(first) == 0 || bytes.IndexByte([]byte("[\"<-0123456789 "), first[0]) >= 0 || bytes.IndexByte(first, '{') >= 0 || bytes.IndexByte(head, 0) >= 0 {
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

// bigEnded tells whether the first byte of a pair is the higher one.
func bigEnded(head []byte) bool {
	return len(head) > 1 && (head[0] == 0xfe || head[0] == 0)
}

// fromUTF16 gives UTF-16 as UTF-8, without its mark.
func fromUTF16(in io.Reader, bigEnded bool) io.Reader {
	order := unicode.LittleEndian
	if bigEnded {
		order = unicode.BigEndian
	}
	return unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(in)
}

// hasComment tells whether a comment stands in the beginning, where all before
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

// plainReader makes blanks of comments, so that every byte keeps its place.
type plainReader struct {
	in    io.Reader
	state commentState
}

type commentState uint8

const (
	outside commentState = iota
	inText
	escaped
	slashed // a slash may begin a comment
	inLine
	inBlock
	starred // a star may end the block
)

// Read implements io.Reader.
func (p *plainReader) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	for i := range n {
		b[i] = p.next(b[i])
	}
	return n, err
}

// next takes a byte and gives what stands in its place. JSON has no slash
// outside of texts: one is always the beginning of a comment.
func (p *plainReader) next(b byte) byte {
	was := p.state
	switch {
	case was == outside && b == '"', was == escaped:
		p.state = inText
	case was == inText && b == '\\':
		p.state = escaped
	case was == inText && b == '"':
		p.state = outside
		return b
	case was == outside && b == '/':
		p.state = slashed
	case was == slashed:
		p.state = map[byte]commentState{'/': inLine, '*': inBlock}[b]
	case was == inLine && b == '\n':
		p.state = outside
	case was == inBlock && b == '*', was == starred && b == '*':
		p.state = starred
	case was == starred && b == '/':
		p.state = outside
	case was == starred:
		p.state = inBlock
	}
	if b == '\n' || p.state <= escaped && was <= escaped {
		return b
	}
	return ' '
}

// separator begins each value of a JSON text sequence.
const separator = 0x1e

// linesReader makes NDJSON of a JSON text sequence.
type linesReader struct{ in io.Reader }

// Read implements io.Reader.
func (l *linesReader) Read(b []byte) (int, error) {
	n, err := l.in.Read(b)
	for i := range n {
		if b[i] == separator {
			b[i] = '\n'
		}
	}
	return n, err
}
