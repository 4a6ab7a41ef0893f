package rawjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"
)

// The cache of Files: blocks kept, and bytes of one.
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

	// head and tail are what the file began and ended with, as of the time written.
	head, tail []byte

	cache *cache

	mu      sync.Mutex
	written time.Time
	err     error
}

// NewFile returns a source over the first size bytes of r. The caller closes r after use.
func NewFile(r io.ReaderAt, size int64) *File { return newFile(r, size, newCache()) }

func newFile(r io.ReaderAt, size int64, c *cache) *File {
	f := &File{r: r, size: int(size), cache: c}
	if info := f.stat(); info != nil {
		f.written = info.ModTime()
		f.head, f.tail = f.ends()
	}
	return f
}

// endSize is how much of both ends of a file reports whether it is still the same.
const endSize = 512

// ends reads the beginning and the end of the file.
func (f *File) ends() (head, tail []byte) {
	head, tail = make([]byte, min(endSize, f.size)), make([]byte, min(endSize, f.size))
	n, _ := f.r.ReadAt(head, 0)
	m, _ := f.r.ReadAt(tail, int64(f.size-len(tail)))
	return head[:n], tail[:m]
}

// stat tells of the file now; nil where that cannot be known.
func (f *File) stat() fs.FileInfo {
	s, ok := f.r.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil
	}
	info, err := s.Stat()
	if err != nil {
		return nil
	}
	return info
}

// compare looks whether the file was written to since, and whether it is then
// another one: one that only grew is still the same.
func (f *File) compare() {
	info := f.stat()
	if info == nil {
		return
	}
	f.mu.Lock()
	same := info.ModTime().Equal(f.written)
	f.written = info.ModTime()
	f.mu.Unlock()
	if same {
		return
	}
	if head, tail := f.ends(); info.Size() < int64(f.size) || !bytes.Equal(head, f.head) || !bytes.Equal(tail, f.tail) {
		f.fail(errors.New("the file was written anew while it was open; open it again"))
	}
}

// fail keeps the first error.
func (f *File) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
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
	at := blockAt{f, k}
	if data := f.cache.get(at); data != nil {
		return data
	}
	data := make([]byte, min(fileBlock, f.size-k*fileBlock))
	f.readAt(data, k*fileBlock)
	f.cache.put(at, data)
	return data
}

func (f *File) readAt(p []byte, off int) {
	n, err := f.r.ReadAt(p, int64(off))
	if n == len(p) {
		f.compare()
		return
	}
	for i := n; i < len(p); i++ {
		p[i] = ' '
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = fmt.Errorf("the file ends at byte %d although it had %d when it was opened; open it again", off+n, f.size)
	}
	f.fail(err)
}
