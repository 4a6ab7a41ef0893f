package rawjson

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// The cache of a File: blocks kept, and bytes of one.
const (
	fileBlock  = 256 << 10
	fileBlocks = 48
)

// File is a Source over something that can be read at an offset. It keeps only
// a few blocks in memory (12 MiB), so that a file of any size can be explored;
// the system's page cache does the rest. Unlike a memory map it survives a file
// that is cut short by somebody else: missing bytes read as spaces and Err tells.
type File struct {
	r    io.ReaderAt
	size int

	mu    sync.Mutex
	cache map[int]*fileEntry
	ring  [fileBlocks]*fileEntry
	hand  int
	err   error
}

type fileEntry struct {
	number int
	data   []byte
	used   bool
}

// NewFile returns a source over the first size bytes of r. The caller closes r after use.
func NewFile(r io.ReaderAt, size int64) *File {
	return &File{r: r, size: int(size), cache: map[int]*fileEntry{}}
}

// Len implements Source.
func (f *File) Len() int { return f.size }

// Err returns the first error met while reading; nil when all reads were whole.
func (f *File) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Slice implements Source.
func (f *File) Slice(from, to int) []byte {
	if from == to {
		return nil
	}
	k := from / fileBlock
	if (to-1)/fileBlock == k {
		base := k * fileBlock
		return f.block(k)[from-base : to-base : to-base]
	}
	out := make([]byte, to-from)
	f.readAt(out, from)
	return out
}

// view reads past the cache: whoever passes over everything must not push out what the screen needs.
func (f *File) view(from, to int, buf *[]byte) []byte {
	out := grown(buf, to-from)
	f.readAt(out, from)
	return out
}

func (f *File) block(k int) []byte {
	f.mu.Lock()
	if e := f.cache[k]; e != nil {
		e.used = true
		f.mu.Unlock()
		return e.data
	}
	f.mu.Unlock()
	e := &fileEntry{number: k, data: make([]byte, min(fileBlock, f.size-k*fileBlock)), used: true}
	f.readAt(e.data, k*fileBlock)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.insert(e)
	return e.data
}

// insert puts e where the hand of the clock finds an entry not used since its last round.
func (f *File) insert(e *fileEntry) {
	if f.cache[e.number] != nil {
		return
	}
	for f.ring[f.hand] != nil && f.ring[f.hand].used {
		f.ring[f.hand].used = false
		f.hand = (f.hand + 1) % fileBlocks
	}
	if old := f.ring[f.hand]; old != nil {
		delete(f.cache, old.number)
	}
	f.ring[f.hand] = e
	f.cache[e.number] = e
	f.hand = (f.hand + 1) % fileBlocks
}

func (f *File) readAt(p []byte, off int) {
	n, err := f.r.ReadAt(p, int64(off))
	if n == len(p) {
		return
	}
	for i := n; i < len(p); i++ {
		p[i] = ' '
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = fmt.Errorf("the file ended at byte %d although it had %d when opened; open it again", off+n, f.size)
	}
	f.mu.Lock()
	if f.err == nil {
		f.err = err
	}
	f.mu.Unlock()
}
