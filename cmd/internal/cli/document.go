package cli

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/result"
)

// recordsAs reads the value of --as: KIND/ENTITY or KIND/ENTITY/ACTION.
func (a *app) recordsAs(as string) (result.Question, error) {
	if as == "" {
		return result.Question{}, nil
	}
	words := strings.FieldsFunc(as, func(r rune) bool { return r == '/' || r == ' ' })
	if len(words) < 2 || len(words) > 3 {
		return result.Question{}, usage("--as %q names no entity", as).next("Say KIND/ENTITY or KIND/ENTITY/ACTION, such as payments/customers; patchbay catalog lists them.")
	}
	action := ""
	if len(words) == 3 {
		action = words[2]
	}
	c, _ := a.catalog()
	k, e, act, err := c.Resolve(words[0], words[1], action)
	if err != nil {
		return result.Question{}, usage("--as %s: %v", as, err).next("patchbay catalog lists kinds and entities.")
	}
	if act == nil {
		act = result.UsualAction(e)
	}
	return result.Question{Kind: k, Entity: e, Action: act}, nil
}

// openDocument begins to read a file, or what a stream brings.
func (a *app) openDocument(ctx context.Context, name string, as result.Question) (*result.Document, error) {
	if name == "-" {
		if isTerminal(a.stdin) {
			return nil, usage("- reads stdin, which is the terminal").next("Pipe data into it: ... | patchbay open -")
		}
		return stream(ctx, a.stdin, result.Reading{Name: "stdin", As: as}), nil
	}
	if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		return stream(ctx, &pipe{name: name}, result.Reading{Name: filepath.Base(name), As: as}), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usage("%s could not be opened: %v", name, whyNot(err)).next("Check the path; - reads stdin.")
	}
	a.closers = append(a.closers, f.Close)
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, usage("%s could not be read: %v", name, err).next("Check the path; - reads stdin.")
	case info.IsDir():
		return nil, usage("%s is a folder", name).next("Name a file in it.")
	}
	r := result.Reading{Name: filepath.Base(name), Size: info.Size(), As: as}
	if info.Mode().IsRegular() {
		head := make([]byte, sniffed)
		n, _ := f.ReadAt(head, 0) // a file that cannot be read is told of by what shows it
		how := formOf(head[:n], name)
		if how == asItIs {
			return result.OpenDocument(ctx, rawjson.NewFile(f, info.Size()), r), nil
		}
		r.Note, r.Own, r.Table = how.note(), info.Size(), how.table()
	}
	return stream(ctx, f, r), nil
}

// whyNot is an error about a file without the file, which the sentence names.
func whyNot(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
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

// stream keeps what r brings while it is shown, unpacked and made JSON where needed.
func stream(ctx context.Context, in io.Reader, r result.Reading) *result.Document {
	buffer := &rawjson.Buffer{}
	r.Size = -1
	var remark atomic.Pointer[string]
	r.Remark = remark.Load
	go func() {
		told, err := fill(buffer, in, r.Name)
		remark.Store(&told)
		buffer.Close(err)
	}()
	return result.OpenDocument(ctx, buffer, r)
}

// fill reads in to its end, through what makes it JSON. The beginning is looked
// at as it is there: a slow stream is not held back. The remark says what a
// person should know of the bytes, though nothing failed.
func fill(out *rawjson.Buffer, in io.Reader, name string) (remark string, err error) {
	r := bufio.NewReaderSize(in, 64<<10)
	if _, err := r.Peek(2); err != nil && err != io.EOF {
		return "", err
	}
	head, _ := r.Peek(min(r.Buffered(), sniffed))
	switch how := formOf(head, name); how {
	case gzipped:
		z, err := gzip.NewReader(r)
		if err != nil {
			return "", fmt.Errorf("it looks like gzip and cannot be unpacked: %w", err)
		}
		return fill(out, z, strings.TrimSuffix(strings.ToLower(name), ".gz"))
	case wide:
		return fill(out, fromUTF16(r, bigEnded(head)), name)
	case commented:
		_, err = out.ReadFrom(&plainReader{in: r})
		return "", err
	case sequence:
		_, err = out.ReadFrom(&linesReader{in: r})
		return "", err
	case commas, tabs:
		return fillRows(out, r, map[form]rune{commas: ',', tabs: '\t'}[how])
	}
	_, err = out.ReadFrom(r)
	return "", err
}

// fillRows reads the rows of a table.
func fillRows(out *rawjson.Buffer, in io.Reader, comma rune) (remark string, err error) {
	pr, pw := io.Pipe()
	wider := 0
	go func() {
		var err error
		wider, err = records.LinesOfCSV(pw, in, comma)
		pw.CloseWithError(err)
	}()
	_, err = out.ReadFrom(pr)
	pr.CloseWithError(err)
	switch {
	case err != nil || wider == 0:
		return "", err
	case wider == 1:
		return "1 row has more cells than the head of the table names: these are in columns by number", nil
	}
	return fmt.Sprintf("%d rows have more cells than the head of the table names: these are in columns by number", wider), nil
}
