package download

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// Head is what a server said of a file.
type Head = client.FileHead

// Store takes the bytes of a file.
type Store interface {
	io.Writer
	// Size is how many bytes are there.
	Size() int64
	// Reset forgets them.
	Reset() error
	// Keep remembers what the server said of the file, beside the bytes.
	Keep(Head) error
}

// File is a file that is fetched, in one try or several, and as much of it as came.
type File struct {
	Store Store
	// Head is what the server said of it; Begun is set once it said something.
	Head  Head
	Begun bool
	// Strict fetches all anew where the server says nothing by which the file of today
	// could be told from that of an earlier try.
	Strict bool
	// Notes say what a person should know of how it came.
	Notes []string
	// Stopped says why it is not whole; nil where it is.
	Stopped *client.Error

	asked       client.FilePart
	have, total atomic.Int64
}

var (
	errOther  = errors.New("the file is another one by now")
	errNoPart = errors.New("the answer holds another part than was asked for")
)

// Progress is how much came, of how much in all; -1 while that is not known. It may
// be called while the file is fetched.
func (f *File) Progress() (have, total int64) {
	if f.total.Load() == 0 {
		return f.have.Load(), -1
	}
	return f.have.Load(), f.total.Load()
}

// Whole reports whether nothing is missing.
func (f *File) Whole() bool { return f.Begun && f.Stopped == nil }

// Fetch asks for the file, or for what is missing of it. Where the server has another
// file by now it is fetched from its beginning.
func (f *File) Fetch(ctx context.Context, ex client.Executor, t client.Target, op client.Operation) (
	*client.Envelope, error,
) {
	f.Notes, f.Stopped = nil, nil
	f.asked = f.part(op)
	env, err := ex.Download(ctx, t, op, f)
	if why := f.again(err); why != "" {
		f.note(why)
		if err := f.restart(); err != nil {
			return env, err
		}
		before := attempts(env, err)
		env, err = ex.Download(ctx, t, op, f)
		if env != nil {
			env.Attempts = append(before, env.Attempts...)
		}
	}
	if err == nil && f.asked.From > 0 && f.Head.Total > f.Store.Size() {
		err = client.Failf(client.ClassBadResponse, "the server sent less than was asked for")
	}
	if err != nil && f.Begun && f.Store.Size() > 0 {
		f.Stopped = client.AsError(err)
	}
	return env, err
}

func attempts(env *client.Envelope, err error) []client.Attempt {
	if env != nil {
		return env.Attempts
	}
	if e := client.AsError(err); e != nil {
		return e.Attempts
	}
	return nil
}

// part is what to ask for: what is missing, unless the params ask for a part themselves.
func (f *File) part(op client.Operation) client.FilePart {
	size := f.Store.Size()
	if size == 0 || OwnRange(op) || f.Strict && f.Head.Validator() == "" {
		if size > 0 && f.Strict {
			f.note("the server gave nothing by which the file could be known again: it was fetched from its beginning")
		}
		_ = f.restart() // a store that cannot forget refuses to be written to
		return client.FilePart{}
	}
	return client.FilePart{From: size, Validator: f.Head.Validator()}
}

// OwnRange reports whether the params of a download ask for a part of the file.
func OwnRange(op client.Operation) bool {
	v, ok := rawjson.Parse(op.Params).Get("range_header")
	return ok && v.Text() != ""
}

// again says why the file is to be fetched from its beginning after all; "" where it is not.
func (f *File) again(err error) string {
	if err == nil || f.asked.From == 0 {
		return ""
	}
	switch e := client.AsError(err); {
	case errors.Is(err, errOther):
		return "the file changed meanwhile: it was fetched from its beginning"
	case errors.Is(err, errNoPart):
		return "the server sent another part than was asked for: the file was fetched from its beginning"
	case e.Status == http.StatusRequestedRangeNotSatisfiable:
		return "the server has no such part: the file was fetched from its beginning"
	}
	return ""
}

func (f *File) restart() error {
	f.asked = client.FilePart{}
	f.have.Store(0)
	return f.Store.Reset()
}

func (f *File) note(t string) { f.Notes = append(f.Notes, t) }

// Missing implements client.FileWriter.
func (f *File) Missing() client.FilePart { return f.asked }

// Begin implements client.FileWriter.
func (f *File) Begin(h Head) error {
	if f.asked.From > 0 {
		if err := f.goOn(h); err != nil {
			return err
		}
	}
	if f.Store.Size() > 0 && f.asked.From == 0 { // a try before broke off without a byte counted
		if err := f.Store.Reset(); err != nil {
			return err
		}
	}
	if f.asked.From > 0 { // an answer for a part may say less of the whole
		h.ContentType, h.Name = cmp.Or(h.ContentType, f.Head.ContentType), cmp.Or(h.Name, f.Head.Name)
		h.ETag, h.Modified = cmp.Or(h.ETag, f.Head.ETag), cmp.Or(h.Modified, f.Head.Modified)
		h.Total = max(h.Total, f.Head.Total)
	}
	f.Head, f.Begun = h, true
	f.have.Store(f.Store.Size())
	f.total.Store(0)
	if h.Status == http.StatusOK || f.asked.From > 0 {
		f.total.Store(max(h.Total, 0))
	}
	return f.Store.Keep(h)
}

// goOn takes an answer to a question for the rest of a file.
func (f *File) goOn(h Head) error {
	switch {
	case h.Status == http.StatusPartialContent && h.From != f.asked.From:
		return errNoPart
	case h.Status == http.StatusPartialContent && !f.Head.Same(h):
		return errOther
	case h.Status == http.StatusPartialContent:
		if h.Validator() == "" {
			f.note("nothing but its size says that this is still the same file")
		}
		return nil
	case f.Head.Total < 0 || h.Total < 0 || h.Total == f.Head.Total-f.asked.From:
		return errNoPart // it may be a part that does not say so
	case !f.Head.Same(h):
		f.note("the file changed meanwhile: it was fetched from its beginning")
	default:
		f.note("the server sends no parts of it: the file was fetched from its beginning")
	}
	return f.restart()
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.Store.Write(p)
	f.have.Add(int64(n))
	return n, err
}

// Result is a file as it was after a try, looked at. It changes no more: what is
// missing is fetched into File, which the next Result tells of.
type Result struct {
	File    *File
	Spool   *Spool
	Head    Head
	Content *Content
	// Name is what to save it as.
	Name    string
	Notes   []string
	Stopped *client.Error
}

// Spooled is a file that is to be fetched for the screen.
func Spooled() *File { return &File{Store: &Spool{}} }

// Result looks at what came of a spooled file; entity names it where nobody else does.
func (f *File) Result(ctx context.Context, entity string) *Result {
	s := f.Store.(*Spool).snapshot()
	r := &Result{File: f, Spool: s, Head: f.Head, Notes: f.Notes, Stopped: f.Stopped,
		Content: Look(ctx, s, f.Head, f.Whole())}
	r.Name = SafeName(f.Head, entity, r.Content.Type)
	return r
}

// Whole reports whether nothing is missing.
func (r *Result) Whole() bool { return r.Stopped == nil }

// Total is the size of the whole file; -1 where that is not known.
func (r *Result) Total() int64 { return r.Head.Total }

// ChangedAt is when the server says that the file was changed last; zero where it does not.
func (r *Result) ChangedAt() time.Time {
	t, _ := http.ParseTime(r.Head.Modified)
	return t
}

// NoResume says why what is missing cannot be asked for; "" when it can.
func (r *Result) NoResume(op client.Operation) string {
	switch {
	case r.Whole():
		return "all of the file is here"
	case OwnRange(op):
		return "the params ask for a part themselves: r runs it again"
	}
	return ""
}
