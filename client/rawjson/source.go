package rawjson

import (
	"bytes"
	"context"
	"io"
	"math/bits"
	"sync"
	"sync/atomic"
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

// The chunks of a Buffer double from firstChunk to chunkSize, so that a small
// body costs little and a large one is never copied to grow.
const (
	firstChunk = 4 << 10
	chunkSize  = 1 << 20
	rampChunks = 8                                // 4K .. 512K
	rampBytes  = (1<<rampChunks - 1) * firstChunk // what the doubling chunks hold together
)

// Buffer is an append-only store of bytes in chunks: one writer, any number of
// concurrent readers of what has been written. The zero Buffer is ready to use.
type Buffer struct {
	n   atomic.Int64
	dir atomic.Pointer[[][]byte]
	news
	closed bool
	err    error
}

// news is a lock, and wakes those who wait for something to change under it.
type news struct {
	mu   sync.Mutex
	wake chan struct{}
}

// wakeAll wakes all who wait; the lock is held.
func (n *news) wakeAll() {
	if n.wake != nil {
		close(n.wake)
		n.wake = nil
	}
}

// await gives the lock up and returns when there is something new, or with the error of ctx.
func (n *news) await(ctx context.Context) error {
	if n.wake == nil {
		n.wake = make(chan struct{})
	}
	wake := n.wake
	n.mu.Unlock()
	select {
	case <-wake:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// chunkAt returns the number of the chunk that holds an offset and where that chunk starts.
func chunkAt(off int) (k, start int) {
	if off < rampBytes {
		k = bits.Len(uint(off/firstChunk+1)) - 1
		return k, (1<<k - 1) * firstChunk
	}
	k = (off - rampBytes) / chunkSize
	return rampChunks + k, rampBytes + k*chunkSize
}

func chunkLen(k int) int {
	if k < rampChunks {
		return firstChunk << k
	}
	return chunkSize
}

// Len returns the number of bytes written so far.
func (b *Buffer) Len() int { return int(b.n.Load()) }

// room returns the free tail of the last chunk, adding a chunk when there is none.
func (b *Buffer) room() []byte {
	k, start := chunkAt(b.Len())
	var dir [][]byte
	if p := b.dir.Load(); p != nil {
		dir = *p
	}
	if k == len(dir) {
		dir = append(dir, make([]byte, chunkLen(k)))
		b.dir.Store(&dir)
	}
	return dir[k][b.Len()-start:]
}

func (b *Buffer) publish(n int) {
	b.n.Add(int64(n))
	b.mu.Lock()
	b.wakeAll()
	b.mu.Unlock()
}

// Write appends p. It never fails. One goroutine at a time may write.
func (b *Buffer) Write(p []byte) (int, error) {
	total := len(p)
	for len(p) > 0 {
		n := copy(b.room(), p)
		b.publish(n)
		p = p[n:]
	}
	return total, nil
}

// ReadFrom appends all of r without an extra copy; readers see bytes as they come.
func (b *Buffer) ReadFrom(r io.Reader) (int64, error) {
	var total int64
	for empty := 0; ; {
		n, err := r.Read(b.room())
		if n > 0 {
			b.publish(n)
			total, empty = total+int64(n), 0
		} else if empty++; empty > 100 && err == nil {
			err = io.ErrNoProgress
		}
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// Close tells readers that no more bytes come; err is why the body ended early, nil when it is complete.
func (b *Buffer) Close(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed, b.err = true, err
	b.wakeAll()
}

// Err returns the error that Close was given.
func (b *Buffer) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// Wait implements Growing.
func (b *Buffer) Wait(ctx context.Context, have int) (int, bool, error) {
	for {
		b.mu.Lock()
		n, done := b.Len(), b.closed
		if n > have || done {
			b.mu.Unlock()
			return n, done, nil
		}
		if err := b.await(ctx); err != nil {
			return n, false, err
		}
	}
}

// Slice returns bytes [from, to): zero copy inside a chunk, a copy when they straddle chunks.
func (b *Buffer) Slice(from, to int) []byte {
	var buf []byte
	return b.view(from, to, &buf)
}

func (b *Buffer) view(from, to int, buf *[]byte) []byte {
	if from == to {
		return nil
	}
	dir := *b.dir.Load()
	k, start := chunkAt(from)
	if to <= start+chunkLen(k) {
		return dir[k][from-start : to-start : to-start]
	}
	out := grown(buf, to-from)
	for n := 0; n < len(out); k++ {
		n += copy(out[n:], dir[k][from+n-start:])
		start += chunkLen(k)
	}
	return out
}

// grown returns a slice of n bytes that lies in buf, which is enlarged when too small.
func grown(buf *[]byte, n int) []byte {
	if cap(*buf) < n {
		*buf = make([]byte, n)
	}
	return (*buf)[:n:n]
}

func (b *Buffer) step(from int) int {
	k, start := chunkAt(from)
	return start + chunkLen(k)
}

// WriteRange writes bytes [from, to) of a source to w, piece by piece.
func WriteRange(w io.Writer, src Source, from, to int) (int64, error) {
	var buf []byte
	start := from
	for from < to {
		n, err := w.Write(window(src, from, to, &buf))
		from += n
		if err != nil {
			return int64(from - start), err
		}
	}
	return int64(from - start), nil
}
