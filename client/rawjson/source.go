// Package rawjson reads JSON without decoding it: bodies stay the bytes they
// were received as, an index says where records lie, and a Node is made only
// when somebody looks. Key order, duplicate keys and number text are kept.
// Everything in it takes hostile input: nothing recurses with the depth of the
// data, and nothing allocates more than the bytes it is asked to show.
package rawjson

import (
	"bytes"
	"context"
)

// Source gives access to the bytes of a body. Bytes, Buffer and File are
// sources; any body with these two methods is one.
type Source interface {
	// Len is the number of bytes present.
	Len() int
	// Slice returns bytes [from, to); the caller must not change them.
	Slice(from, to int) []byte
}

// Growing is a Source that is still being filled.
type Growing interface {
	Source
	// Wait blocks until more than have bytes are present or no more will come.
	// It returns the bytes present, whether that is all, and the error of ctx.
	Wait(ctx context.Context, have int) (n int, done bool, err error)
	// Err is why the source ended before its time; nil for a complete source.
	Err() error
}

// Bytes is a Source in one piece.
type Bytes []byte

// Len implements Source.
func (b Bytes) Len() int { return len(b) }

// Slice implements Source.
func (b Bytes) Slice(from, to int) []byte { return b[from:to:to] }

// viewer is a Source that can copy into a buffer of the caller's, so that a
// pass over everything leaves no garbage behind.
type viewer interface {
	// view returns bytes [from, to), zero copy where they lie in one piece and in buf where not.
	view(from, to int, buf *[]byte) []byte
}

// stepper is a Source that knows up to which offset it can give bytes in one piece.
type stepper interface {
	// step returns the end of the piece that holds offset from.
	step(from int) int
}

// windowSize is how many bytes a pass over a source takes at once.
const windowSize = 256 << 10

// view returns bytes [from, to) of src in one piece, using buf when they must be copied.
func view(src Source, from, to int, buf *[]byte) []byte {
	if v, ok := src.(viewer); ok {
		return v.view(from, to, buf)
	}
	return src.Slice(from, to)
}

// window returns bytes of src from an offset up to at most end, as many as come in one piece.
func window(src Source, from, end int, buf *[]byte) []byte {
	to := from + windowSize
	if s, ok := src.(stepper); ok {
		to = s.step(from)
	}
	return view(src, from, min(to, end), buf)
}

// Position tells line and column (both from 1, column in bytes) of an offset.
func Position(src Source, offset int) (line, column int) {
	var buf []byte
	line, last := 1, 0
	for at := 0; at < offset; {
		w := window(src, at, offset, &buf)
		if k := bytes.LastIndexByte(w, '\n'); k >= 0 {
			line, last = line+bytes.Count(w, []byte{'\n'}), at+k+1
		}
		at += len(w)
	}
	return line, offset - last + 1
}
