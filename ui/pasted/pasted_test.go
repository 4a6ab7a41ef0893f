package pasted

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// through is what comes of an input that arrives in pieces of a size.
func through(t *testing.T, input string, size int) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		defer w.Close()
		_, _ = w.WriteString(input)
	}()
	var out bytes.Buffer
	f := New(r)
	for p := make([]byte, size); ; {
		n, err := f.Read(p)
		out.Write(p[:n])
		if err != nil {
			return out.String()
		}
	}
}

func TestPastedTextIsHarmless(t *testing.T) {
	for name, c := range map[string]struct{ input, want string }{
		"keys":                 {"a\x1b[A\x1b\x03\xff", "a\x1b[A\x1b\x03\xff"},
		"text":                 {"\x1b[200~a b\tc\r\nd é 日本 👩‍👧\x1b[201~x", "\x1b[200~a b\tc\r\nd é 日本 👩‍👧\x1b[201~x"},
		"title":                {"\x1b[200~a\x1b]0;owned\ab\x1b[201~\x03", "\x1b[200~a]0;ownedb\x1b[201~\x03"},
		"open string":          {"\x1b[200~a\x1b]0;x\x1bPy\x1b_z\x1b[201~\x03", "\x1b[200~a]0;xPy_z\x1b[201~\x03"},
		"no characters":        {"\x1b[200~a\xff\x9b31m\xc2\x9b\x00b\xe6\x1b[201~q", "\x1b[200~a31mb\x1b[201~q"},
		"a mark that broke":    {"\x1b[200~a\x1b[20\x1b[201\x1b\x1b[201~q", "\x1b[200~a[20[201\x1b[201~q"},
		"a beginning within":   {"\x1b[200~a\x1b[200~b\x1b[201~q\x1b[201~", "\x1b[200~a[200~b\x1b[201~q\x1b[201~"},
		"one paste after":      {"\x1b[200~a\x1b[201~\x1b[200~\x1bb\x1b[201~", "\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~"},
		"a replaced character": {"\x1b[200~\ufffd\x1b[201~", "\x1b[200~\ufffd\x1b[201~"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{16, 17, 21, 4096} {
				if got := through(t, c.input, size); got != c.want {
					t.Errorf("in pieces of %d: %q, want %q", size, got, c.want)
				}
			}
		})
	}
}

// Whatever comes, in whatever pieces: within a paste is only text, and its end ends it.
func FuzzPaste(f *testing.F) {
	f.Add([]byte("a\x1b]0;x\x1b[201~b"), uint8(3))
	f.Add([]byte("\x1b[20\xe6\x97\xff\x9b"), uint8(1))
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		var filter filter
		var out []byte
		whole := append(append([]byte(begin), input...), end...)
		for piece := int(size) + 1; len(whole) > 0; {
			n := min(piece, len(whole))
			p := make([]byte, n+len(end)+utf8.UTFMax)
			copy(p, whole[:n])
			out = append(out, p[:filter.pass(p, n)]...)
			whole = whole[n:]
		}
		if filter.inside {
			t.Fatalf("%q: the end does not end the paste", input)
		}
		pasted, _, closed := strings.Cut(strings.TrimPrefix(string(out), begin), end)
		if !closed || !utf8.ValidString(pasted) {
			t.Fatalf("%q becomes %q", input, out)
		}
		for _, r := range pasted {
			if unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) {
				t.Fatalf("%q becomes %q", input, out)
			}
		}
	})
}

func BenchmarkPaste(b *testing.B) {
	text := strings.Repeat("wide 長い text\n", 1<<16)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f := filter{inside: true}
		p := []byte(text)
		f.pass(p, len(p))
	}
}
