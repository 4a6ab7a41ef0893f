package document

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"io"

	"patchbay/client/crew"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
)

const (
	// usualMost is how much of a stream is kept unless somebody asks for more.
	usualMost = 500_000_000
	// maxRatio is how many times their size packed bytes may become, once they are
	// more than freely: data that somebody wants to read does not come near.
	maxRatio = 200
	freely   = 64_000_000
	// maxLayers is how many times over a file may be packed.
	maxLayers = 4
)

// filler reads a stream into a buffer, up to most bytes; 0 for what is usual.
type filler struct {
	out  *rawjson.Buffer
	most int64
	// beside makes records of the rows of a table.
	beside crew.Crew
}

// bounded reads what in brings until it is too much to be kept.
func (f *filler) bounded(in io.Reader) io.Reader {
	most := cmp.Or(f.most, usualMost)
	return &limited{in: in, check: func(n int64) error {
		if n <= most {
			return nil
		}
		return fmt.Errorf("it is longer than %s and not read further; patchbay open --max-size SIZE reads more, and a "+
			"file of plain JSON of any size needs no memory", quantity.Size(most))
	}}
}

// unpacked reads what was packed by gzip in, until it becomes too much of too little.
// Whoever says how much is to be read gets that.
func (f *filler) unpacked(in io.Reader) (io.Reader, error) {
	packed := &limited{in: in}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return &limited{in: z, check: func(n int64) error {
		if f.most > 0 || n <= freely || n/maxRatio <= packed.n {
			return nil
		}
		return fmt.Errorf("it unpacks to more than %d times its size, as files do that are made to fill the memory: "+
			"not read further; patchbay open --max-size SIZE reads on", maxRatio)
	}}, nil
}

// limited counts what it reads, and fails once check does.
type limited struct {
	in    io.Reader
	n     int64
	check func(n int64) error
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	l.n += int64(n)
	if l.check != nil {
		if wrong := l.check(l.n); wrong != nil {
			return 0, wrong
		}
	}
	return n, err
}
