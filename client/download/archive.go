package download

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"patchbay/client/quantity"
)

// Entry is a file or folder in an archive. Its name is untrusted.
type Entry struct {
	Name     string
	Size     int64
	Modified time.Time
	Folder   bool
	// Link is where a link leads.
	Link string
}

// Bounds of what is read of an archive: entries that are kept, bytes of the list of a
// ZIP, bytes of a tar that is unpacked for its list.
const (
	entriesMax  = 2_000
	zipListMax  = 16 << 20
	unpackedMax = 256 << 20
)

var errUnpacked = errors.New("it unpacks to more than is read for a list")

// list reads what an archive holds; gzip of anything but a tar is shown as the text that it packs.
func (c *Content) list(ctx context.Context, s *Spool, head []byte, name string) {
	var l lister
	var err error
	switch {
	case bytes.HasPrefix(head, []byte("PK")):
		c.Type = cmp.Or(zipped(c.Type), "application/zip")
		err = l.zip(s)
	case isTar(head):
		err = l.tar(ctx, s.Reader())
	default:
		z, wrong := gzip.NewReader(&contextReader{ctx, s.Reader()})
		if wrong != nil {
			c.Kind, c.About = Other, "It looks like gzip and cannot be unpacked: "+wrong.Error()
			return
		}
		in := bufio.NewReaderSize(&bounded{z, unpackedMax}, sniffed)
		if first, _ := in.Peek(sniffed); !isTar(first) {
			c.packed(in, first, cmp.Or(z.Name, strings.TrimSuffix(name, path.Ext(name))))
			return
		}
		err = l.tar(ctx, in)
	}
	c.Entries = l.entries
	c.About = l.about(err, s.Size())
}

// zipped is the type of what is a ZIP under a name of its own, such as a document.
func zipped(is string) string {
	if strings.HasPrefix(is, "application/") && !generic[is] {
		return is
	}
	return ""
}

// packed shows what gzip packs, where that is a text.
func (c *Content) packed(in io.Reader, first []byte, name string) {
	inner, _ := mediaType(Head{Name: name}, first)
	if c.Kind = kindOf(inner, name, first); c.Kind != Text && c.Kind != Records && c.Kind != Table {
		c.Kind, c.About = Other, "gzip of a "+Described(inner)+", which cannot be shown here."
		return
	}
	c.Kind = Text
	c.read(in, Head{Name: name}, -1)
	c.About = "unpacked by gzip: " + c.About
}

// lister reads the list of an archive.
type lister struct {
	entries []Entry
	n       int
	total   int64
}

func (l *lister) add(e Entry) {
	l.n++
	l.total += max(e.Size, 0)
	if len(l.entries) < entriesMax {
		l.entries = append(l.entries, e)
	}
}

// about says what is in an archive of size bytes, and what is wrong with it.
func (l *lister) about(err error, size int64) string {
	t := quantity.Count(l.n, "entry", "entries") + ", " + quantity.Size(l.total) + " unpacked"
	if l.total > 100*max(size, 1) && l.total > 64<<20 {
		t += fmt.Sprintf(", %d times its size: mind the room before unpacking it", l.total/max(size, 1))
	}
	if l.n > len(l.entries) {
		t += "; the first " + quantity.Digits(len(l.entries)) + " are listed"
	}
	if err != nil {
		t += "; the list ends early: " + err.Error()
	}
	return t
}

func (l *lister) zip(s *Spool) error {
	if n := zipList(s); n > zipListMax {
		return fmt.Errorf("it takes %s", quantity.Size(n))
	}
	z, err := zip.NewReader(s, s.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	for _, f := range z.File {
		l.add(Entry{Name: f.Name, Size: int64(min(f.UncompressedSize64, 1<<62)), Modified: f.Modified,
			Folder: strings.HasSuffix(f.Name, "/")})
	}
	return nil
}

// zipList is how many bytes the list of a ZIP takes, as its end says; 0 where it says nothing.
func zipList(s *Spool) int64 {
	const end, comment = 22, 64 << 10
	tail := make([]byte, min(s.Size(), end+comment))
	n, _ := s.ReadAt(tail, s.Size()-int64(len(tail))) // what is missing is told when it is listed
	tail = tail[:n]
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || at+end > len(tail) {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(tail[at+12:]))
}

// isTar reports whether bytes begin as a tar archive does.
func isTar(head []byte) bool { return len(head) > 262 && string(head[257:262]) == "ustar" }

func (l *lister) tar(ctx context.Context, in io.Reader) error {
	t := tar.NewReader(&contextReader{ctx, in})
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return err
		}
		l.add(Entry{Name: h.Name, Size: h.Size, Modified: h.ModTime, Folder: h.Typeflag == tar.TypeDir,
			Link: h.Linkname})
	}
}

// bounded fails where more is unpacked than is read for a list.
type bounded struct {
	in   io.Reader
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errUnpacked
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// contextReader stops reading when its context ends.
type contextReader struct {
	ctx context.Context
	in  io.Reader
}

// Read implements io.Reader.
func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.in.Read(p)
}
