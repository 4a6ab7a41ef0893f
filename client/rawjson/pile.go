package rawjson

import (
	"io"
	"os"
	"sync"
)

// Pile keeps bodies in one file, one behind the other. All of them together have as
// many blocks in memory as a File.
type Pile struct {
	mu    sync.Mutex
	file  *os.File
	n     int64
	cache *cache
}

// NewPile returns a pile in a file that nothing else writes to. The file is closed once
// neither the pile nor a body of it is in use.
func NewPile(file *os.File) *Pile { return &Pile{file: file, cache: newCache()} }

// Add writes a body to the end of the file and returns it as a source.
func (p *Pile) Add(body Source) (*File, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var buf []byte
	for at := 0; at < body.Len(); {
		w := window(body, at, body.Len(), &buf)
		if _, err := p.file.WriteAt(w, p.n+int64(at)); err != nil {
			return nil, err
		}
		at += len(w)
	}
	size := int64(body.Len())
	f := newFile(io.NewSectionReader(p.file, p.n, size), size, p.cache)
	p.n += size
	return f, nil
}
