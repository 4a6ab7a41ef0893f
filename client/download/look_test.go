package download

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

func spoolOf(t testing.TB, b []byte) *Spool {
	s := &Spool{}
	if _, err := s.Write(b); err != nil {
		t.Fatal(err)
	}
	return s
}

func zipOf(files ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, _ := z.Create(f)
		_, _ = w.Write(bytes.Repeat([]byte("x"), 1000))
	}
	_ = z.Close()
	return b.Bytes()
}

func tarOf(files ...string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		_ = w.WriteHeader(&tar.Header{Name: f, Size: 3, Mode: 0o644})
		_, _ = w.Write([]byte("abc"))
	}
	_ = w.Close()
	return b.Bytes()
}

func gzipOf(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

func dots(w, h int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		m.SetRGBA(i%w, i/w, color.RGBA{255, uint8(i), 0, 255})
	}
	return m
}

func imageOf(encode func(*bytes.Buffer) error) []byte {
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// hugePNG says that it has as many pixels as it likes.
func hugePNG(w, h uint32) []byte {
	b := imageOf(func(b *bytes.Buffer) error { return png.Encode(b, dots(1, 1)) })
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	binary.BigEndian.PutUint32(b[29:], crc(b[12:29]))
	return b
}

func crc(b []byte) uint32 {
	c := ^uint32(0)
	for _, x := range b {
		c ^= uint32(x)
		for range 8 {
			c = c>>1 ^ 0xedb88320&-(c&1)
		}
	}
	return ^c
}

func TestWhatAFileIs(t *testing.T) {
	wide, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("wide text")
	for _, c := range []struct {
		name, declared, body string
		kind                 Kind
		is, about, line      string
	}{
		{"a.txt", "text/plain; charset=utf-8", "one\ntwo\n", Text, "text/plain", "UTF-8, 2 lines", "one"},
		{"a.txt", "text/plain; charset=iso-8859-1", "d\xe9j\xe0", Text, "text/plain", "ISO-8859-1", "déjà"},
		{"a.txt", "text/plain; charset=shift_jis", "\x93\xfa\x96{", Text, "text/plain", "SHIFT_JIS", "日本"},
		{"a.txt", "text/plain", wide, Text, "text/plain", "UTF-16", "wide text"},
		{"a.txt", "text/plain", "d\xe9j\xe0", Text, "text/plain", "no UTF-8", ""},
		{"a.txt", "text/plain; charset=unheard-of", "x", Text, "text/plain", "UTF-8", "x"},
		{"a.txt", "text/plain", "a\x00b", Other, "text/plain", "is none", ""},
		{"a.txt", "text/plain", strings.Repeat("a line\n", 90_000), Text, "text/plain", "the first 4,000 lines", "a line"},
		{"a.bin", "application/octet-stream", "plain words", Text, "text/plain", "UTF-8", "plain words"},
		{"a.csv", "", "a,b\n1,2\n", Table, "text/csv", "2 lines", "a,b"},
		{"a", "text/csv", "a,b\n1,2\n", Table, "text/csv", "2 lines", "a,b"},
		{"a.json", "application/octet-stream", `{"a":1}`, Records, "application/json", "1 line", `{"a":1}`},
		{"a", "application/vnd.api+json", `[1]`, Records, "application/vnd.api+json", "1 line", "[1]"},
		{"a.txt", "text/plain", ` [{"a":1}]`, Records, "text/plain", "1 line", ` [{"a":1}]`},
		{"a.ini", "text/plain", "[section]\na=1", Text, "text/plain", "2 lines", "[section]"},
		{"a.zip", "application/zip", string(zipOf("a.txt", "../../etc/passwd")), Archive, "application/zip", "2 entries, 2.0 KB unpacked", ""},
		{"a.docx", "application/octet-stream", string(zipOf("word/document.xml")), Archive, byName[".docx"], "1 entry", ""},
		{"a.tar", "application/x-tar", string(tarOf("a", "b")), Archive, "application/x-tar", "2 entries, 6 B", ""},
		{"a.tgz", "", string(gzipOf(tarOf("a", "b"))), Archive, "application/x-gzip", "2 entries", ""},
		{"a.txt.gz", "application/gzip", string(gzipOf([]byte("packed text"))), Text, "application/gzip", "unpacked by gzip: text", "packed text"},
		{"a.bin.gz", "application/gzip", string(gzipOf([]byte("\x00\x01\x02"))), Other, "application/gzip", "cannot be shown", ""},
		{"a.gz", "application/gzip", "\x1f\x8b\x08nothing of the kind", Other, "application/gzip", "cannot be unpacked", ""},
		{"a.zip", "application/zip", string(zipOf("a")[:60]), Archive, "application/zip", "ends early", ""},
		{"a.png", "application/octet-stream", string(imageOf(func(b *bytes.Buffer) error { return png.Encode(b, dots(30, 20)) })), Image, "image/png", "30 x 20 pixels", ""},
		{"a.jpg", "image/jpeg", string(imageOf(func(b *bytes.Buffer) error { return jpeg.Encode(b, dots(30, 20), nil) })), Image, "image/jpeg", "30 x 20 pixels", ""},
		{"a.gif", "image/gif", string(imageOf(func(b *bytes.Buffer) error { return gif.Encode(b, dots(30, 20), nil) })), Image, "image/gif", "30 x 20 pixels", ""},
		{"a.png", "image/png", string(hugePNG(100_000, 100_000)), Image, "image/png", "more than 268.4 MB", ""},
		{"a.png", "image/png", string(hugePNG(3000, 3000)), Image, "image/png", "could not be drawn", ""},
		{"a.png", "image/png", "\x89PNG\r\n\x1a\nbroken", Other, "image/png", "cannot be read", ""},
		{"a.pdf", "application/pdf", "%PDF-1.4\n\x00", Other, "application/pdf", "save it", ""},
		{"a", "", "", Other, "text/plain", "is empty", ""},
	} {
		t.Run(fmt.Sprint(c.name, " ", c.declared), func(t *testing.T) {
			got := Look(t.Context(), spoolOf(t, []byte(c.body)), Head{Name: c.name, ContentType: c.declared}, true)
			if got.Kind != c.kind || got.Type != c.is || !strings.Contains(got.About, c.about) || len(got.Sum) != 64 {
				t.Errorf("kind %d, %s, %q, sum %s", got.Kind, got.Type, got.About, got.Sum)
			}
			if c.line != "" && (len(got.Lines) == 0 || got.Lines[0] != c.line) {
				t.Errorf("lines %.100q", got.Lines)
			}
		})
	}
}

func TestArchivesAreBounded(t *testing.T) {
	names := make([]string, entriesMax+5)
	for i := range names {
		names[i] = fmt.Sprint("f", i)
	}
	for _, body := range [][]byte{zipOf(names...), tarOf(names...)} {
		c := Look(t.Context(), spoolOf(t, body), Head{Name: "a"}, false)
		if len(c.Entries) != entriesMax || !strings.Contains(c.About, "2,005 entries") || !strings.Contains(c.About, "the first 2,000") {
			t.Errorf("%d entries, %s", len(c.Entries), c.About)
		}
	}
	z := zipOf("a")
	binary.LittleEndian.PutUint32(z[len(z)-22+12:], 1<<30)
	if c := Look(t.Context(), spoolOf(t, z), Head{}, false); !strings.Contains(c.About, "takes 1.07 GB") {
		t.Error(c.About)
	}
	if n, err := io.Copy(io.Discard, &bounded{bytes.NewReader(make([]byte, 100)), 40}); n != 40 || !errors.Is(err, errUnpacked) {
		t.Errorf("%d bytes, %v", n, err)
	}
	l := &lister{}
	l.add(Entry{Size: 1 << 30})
	if about := l.about(errUnpacked, 1000); !strings.Contains(about, "times its size") || !strings.Contains(about, "ends early") {
		t.Error(about)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if c := Look(ctx, spoolOf(t, tarOf("a")), Head{}, true); !strings.Contains(c.About, "ends early") || c.Sum != "" {
		t.Error(c.About)
	}
}

func TestPicturesKeepTheirShape(t *testing.T) {
	body := imageOf(func(b *bytes.Buffer) error { return png.Encode(b, dots(1000, 500)) })
	p := Look(t.Context(), spoolOf(t, body), Head{}, false).Picture
	if !p.Drawable() || p.thumb.Bounds().Dx() != thumbMax || p.thumb.Bounds().Dy() != thumbMax/2 {
		t.Fatalf("%+v", p)
	}
	for _, c := range [][4]int{{100, 100, 100, 50}, {100, 20, 40, 20}, {5000, 5000, 1000, 500}, {1, 1, 1, 1}} {
		if w, h := p.Fit(c[0], c[1]); w != c[2] || h != c[3] {
			t.Errorf("in %dx%d: %dx%d, want %dx%d", c[0], c[1], w, h, c[2], c[3])
		}
	}
	if m := p.Scaled(10, 5); m.RGBAAt(3, 3).R != 255 || m.RGBAAt(3, 3).A != 255 {
		t.Errorf("%v", m.RGBAAt(3, 3))
	}
	if (*Picture)(nil).Drawable() {
		t.Error("no picture can be drawn")
	}
}

func TestWhatMayRunIsAskedAbout(t *testing.T) {
	for name, body := range map[string]string{"a.exe": "", "a.SH": "", "report.txt": "#!/bin/sh\n", "b": "\x7fELF", "c.pdf": "MZ\x90", "d.html": "<html>", "e.docm": "PK"} {
		if Runs(name, spoolOf(t, []byte(body))) == "" {
			t.Errorf("%s is opened without a question", name)
		}
	}
	for name, body := range map[string]string{"a.pdf": "%PDF", "b.txt": "words", "c.png": "\x89PNG", "d": ""} {
		if why := Runs(name, spoolOf(t, []byte(body))); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

func TestNamesOfFiles(t *testing.T) {
	if got := SafeName(Head{Name: "given.pdf"}, "calls", "image/png"); got != "given.pdf" {
		t.Error(got)
	}
	if got := SafeName(Head{}, "../calls", "image/png"); got != "calls.png" {
		t.Error(got)
	}
}

// FuzzLook holds that nothing in a file stops the look at it.
func FuzzLook(f *testing.F) {
	f.Add([]byte("text"), "text/plain; charset=utf-16")
	f.Add(zipOf("a", "b"), "application/zip")
	f.Add(gzipOf(tarOf("a")), "")
	f.Add(hugePNG(10, 10), "image/png")
	f.Fuzz(func(t *testing.T, body []byte, declared string) {
		c := Look(t.Context(), spoolOf(t, body), Head{ContentType: declared, Name: "a.txt"}, true)
		if c.Picture.Drawable() {
			c.Picture.Scaled(c.Picture.Fit(20, 10))
		}
	})
}
