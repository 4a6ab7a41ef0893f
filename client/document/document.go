// Package document opens files and streams to explore: JSON as it is, and what
// can be made JSON of: tables of CSV, comments, UTF-16, gzip and sequences. It
// speaks of bytes and their form; it knows no service and no screen.
package document

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"golang.org/x/text/encoding/unicode"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/export"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// As reads of which entity records are: KIND/ENTITY or KIND/ENTITY/ACTION.
func As(c *catalog.Catalog, text string) (answer.Question, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == ' ' })
	if len(words) < 2 || len(words) > 3 {
		kind, first := c.First()
		return answer.Question{}, client.Invalid("--as %q names no entity", text).
			Advise("Say KIND/ENTITY or KIND/ENTITY/ACTION, such as %s/%s; patchbay catalog lists them.", kind,
				first.Entity)
	}
	k, e, action, err := c.Resolve(words[0], words[1], append(words, "")[2])
	if err != nil {
		return answer.Question{}, client.Invalid("--as %s: %v", text, err).
			Advise("patchbay catalog lists kinds and entities.")
	}
	if action == nil {
		action = answer.UsualAction(e)
	}
	return answer.Question{Kind: k, Entity: e, Action: action}, nil
}

// Open begins to read a file; most bounds what is kept of it in memory, as in Stream.
// What is returned beside the document closes the file.
func Open(
	ctx context.Context, name string, as answer.Question, most int64,
) (*answer.Document, func() error, error) {
	r := answer.Reading{Name: filepath.Base(name), As: as}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, nil, client.Invalid("%s could not be opened: %v", name, export.Cause(err)).
			Advise("Check the path; - reads stdin.")
	case info.IsDir():
		return nil, nil, client.Invalid("%s is a folder", name).Advise("Name a file in it.")
	case info.Mode()&os.ModeNamedPipe != 0:
		return Stream(ctx, &pipe{name: name}, r, most), func() error { return nil }, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, client.Invalid("%s could not be opened: %v", name, export.Cause(err)).
			Advise("Check the path; - reads stdin.")
	}
	if !info.Mode().IsRegular() {
		return Stream(ctx, f, r, most), f.Close, nil
	}
	r.Size = info.Size()
	head := make([]byte, sniffed)
	n, _ := f.ReadAt(head, 0) // a file that cannot be read is told of by what shows it
	how := formOf(head[:n], name)
	if how == asItIs {
		return answer.OpenDocument(ctx, rawjson.NewFile(f, r.Size), r), f.Close, nil
	}
	r.Note, r.Own, r.Table = notes[how], r.Size, how == commas || how == tabs
	return Stream(ctx, f, r, most), f.Close, nil
}

// pipe is a named pipe, opened when it is first read: that waits for whoever
// writes into it, and the screen must not.
type pipe struct {
	name string
	in   *os.File
}

// Read implements io.Reader.
func (p *pipe) Read(b []byte) (n int, err error) {
	if p.in == nil {
		if p.in, err = os.Open(p.name); err != nil {
			return 0, err
		}
	}
	return p.in.Read(b)
}

// Stream keeps what in brings while it is shown, unpacked and made JSON where needed:
// up to most bytes, or what is usual where most is 0. Beyond that it stops and says so.
func Stream(ctx context.Context, in io.Reader, r answer.Reading, most int64) *answer.Document {
	buffer := &rawjson.Buffer{}
	r.Size = -1
	var remark atomic.Pointer[string]
	r.Remark = remark.Load
	return answer.OpenStream(ctx, buffer, r, func() {
		f := filler{out: buffer, most: most}
		f.all(in, r.Name, &remark)
		f.beside.Wait()
	})
}

var errDefect = errors.New("a defect ended the reading")

// all reads in to its end, and ends what it fills, after a panic too.
func (f *filler) all(in io.Reader, name string, remark *atomic.Pointer[string]) {
	told, err := "", errDefect
	defer func() {
		remark.Store(&told)
		f.out.Close(err)
	}()
	told, err = f.fill(in, name, 0)
}

// fill reads in to its end, through what makes it JSON; layers is how often it was
// unpacked before. The beginning is looked at as it is there: a slow stream is not held
// back. The remark says what a person should know of the bytes, though nothing failed.
func (f *filler) fill(in io.Reader, name string, layers int) (remark string, err error) {
	r := bufio.NewReaderSize(f.bounded(in), 64<<10)
	if _, err := r.Peek(2); err != nil && err != io.EOF {
		return "", err
	}
	head, _ := r.Peek(min(r.Buffered(), sniffed))
	switch how := formOf(head, name); how {
	case gzipped:
		if layers == maxLayers {
			return "", fmt.Errorf("it is packed more than %d times over", maxLayers)
		}
		z, err := f.unpacked(r)
		if err != nil {
			return "", fmt.Errorf("it looks like gzip and cannot be unpacked: %w", err)
		}
		return f.fill(z, strings.TrimSuffix(strings.ToLower(name), ".gz"), layers+1)
	case wide:
		order := unicode.LittleEndian
		if head[0] == 0xfe || head[0] == 0 { // the first byte of a pair is the higher one
			order = unicode.BigEndian
		}
		return f.fill(unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(r), name, layers)
	case commented:
		_, err = f.out.ReadFrom(mapped{r, new(comments).blank})
	case sequence: // a line each
		_, err = f.out.ReadFrom(mapped{r, func(b byte) byte {
			if b == separator {
				return '\n'
			}
			return b
		}})
	case commas:
		return f.fillRows(r, ',')
	case tabs:
		return f.fillRows(r, '\t')
	default:
		_, err = f.out.ReadFrom(r)
	}
	return "", err
}

// fillRows reads the rows of a table.
func (f *filler) fillRows(in io.Reader, comma rune) (remark string, err error) {
	pr, pw := io.Pipe()
	wider := 0
	f.beside.Go(func() {
		err := errDefect // of a panic
		defer func() { pw.CloseWithError(err) }()
		wider, err = records.LinesOfCSV(pw, in, comma)
	})
	_, err = f.out.ReadFrom(f.bounded(pr))
	pr.CloseWithError(err)
	switch {
	case err != nil || wider == 0:
		return "", err
	case wider == 1:
		return "1 row has more cells than the head of the table names: these are in columns by number", nil
	}
	return fmt.Sprintf("%d rows have more cells than the head of the table names: these are in columns by number",
		wider), nil
}
