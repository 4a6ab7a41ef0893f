package document

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

func TestFormOf(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       form
	}{
		{"x.json", `[{"a":1,"b":2},`, asItIs},
		{"x.ndjson", "{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":2}\n", asItIs},
		{"x.csv", "anything", commas},
		{"x.TSV", "anything", tabs},
		{"stdin", "id,name\n1,Ada\n", commas},
		{"stdin", "id\tname\n1\tAda\n", tabs},
		{"stdin", "id,name\n1;Ada\n", asItIs},
		{"stdin", "hello, you\nhow are you\n", asItIs},
		{"stdin", "<a,b>\n<c,d>\n", asItIs},
		{"x.json.gz", "\x1f\x8b\x08", gzipped},
		{"x", "", asItIs},
		{"x.ndjson", "\xef\xbb\xbf{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":2}\n", asItIs},
		{"stdin", "data: {\"a\":1,\"b\":2}\ndata: {\"a\":1,\"b\":2}\n", asItIs},
		{"stdin", "\xef\xbb\xbfid,name\n1,Ada\n", commas},
		{"stdin", "\x1e{\"a\":1}\n\x1e{\"a\":2}\n", sequence},
		{"stdin", "{\n // why\n \"a\":1}", commented},
		{"stdin", "/* why */ [1]", commented},
		{"stdin", `{"url":"https://example.test/*"}`, asItIs},
		{"stdin", "Listening on http://localhost\n{\"a\":1}\n", asItIs},
		{"stdin", "\xff\xfe[\x00]\x00", wide},
		{"stdin", "\x00[\x00]", wide},
		{"stdin", "\xff\xfe\x00\x00[\x00\x00\x00", asItIs},
	} {
		if got := formOf([]byte(c.head), c.name); got != c.want {
			t.Errorf("%s %q is %d, want %d", c.name, c.head, got, c.want)
		}
	}
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func utf16Of(text string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// What stands in a comment's place is as long as the comment: errors name the right line.
func TestCommentsAreBlanks(t *testing.T) {
	for in, want := range map[string]string{
		"1 // a\n2":          "1     \n2",
		"1 /* a\nb */ 2":     "1     \n     2",
		`["//", "\\", "/*"]`: `["//", "\\", "/*"]`,
		"/**/1/***/2/*/3*/":  "    1     2      ",
	} {
		got, err := io.ReadAll(mapped{iotest.OneByteReader(strings.NewReader(in)), new(comments).blank})
		if err != nil || string(got) != want {
			t.Errorf("%q is %q, want %q, %v", in, got, want, err)
		}
	}
}

func TestUTF16IsReadInAnyPieces(t *testing.T) {
	long := strings.Repeat("aü語🚀", 3000)
	for in, want := range map[string]string{
		utf16Of("\ufeff"+long, true): long,
		"[\x00\x00\xd8b":             "[\ufffd\ufffd",
	} {
		var out rawjson.Buffer
		f := filler{out: &out}
		_, err := f.fill(iotest.OneByteReader(strings.NewReader(in)), "stdin", 0)
		if got := string(out.Slice(0, out.Len())); err != nil || got != want {
			t.Errorf("%d bytes, want %d, %v", len(got), len(want), err)
		}
	}
}

func TestStreamIsMadeJSON(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     int
		first    string
	}{
		{"stdin", `{"id":1}` + "\n" + `{"id":2}`, 2, `{"id":1}`},
		{"stdin", packed(t, `[{"id":1},{"id":2},{"id":3}]`), 3, `{"id":1}`},
		{"a.csv", "id,name\n1,Ada\n", 1, `{"id":1,"name":"Ada"}`},
		{"a.csv.gz", packed(t, "id,name\n1,Ada\n"), 1, `{"id":1,"name":"Ada"}`},
		{"stdin", "x", 1, "x"},
		{"stdin", utf16Of("[{\"id\":\"ü🚀\"},{\"id\":2}]", false), 2, `{"id":"ü🚀"}`},
		{"stdin", utf16Of("\ufeff{\"id\":1}\n{\"id\":2}\n", true), 2, `{"id":1}`},
		{"stdin", utf16Of("\ufeffid,name\n1,Ada\n", false), 1, `{"id":1,"name":"Ada"}`},
		{"x.json", "// 1\n[ /* \" **/{\"id\": \"//\\\"/*\"}, {\"id\":2} // end", 2, `{"id": "//\"/*"}`},
		{"stdin", "\x1e{\"id\":1}\n\x1e{\"id\":2}\n", 2, `{"id":1}`},
		{"stdin", "", 0, ""},
	} {
		d := Stream(t.Context(), strings.NewReader(c.in), answer.Reading{Name: c.name}, 0)
		d.WaitWhole(t.Context())
		if n := d.Index.Len(); n != c.want && c.in != "" {
			t.Errorf("%s: %d records, want %d", c.name, n, c.want)
		}
		if got := string(d.Index.Record(0).Raw()); c.want > 0 && got != c.first {
			t.Errorf("%s: the first record is %s", c.name, got)
		}
	}
	d := Stream(t.Context(), strings.NewReader("\x1f\x8b broken"), answer.Reading{Name: "stdin"}, 0)
	if d.WaitWhole(t.Context()); d.Index.Err() == nil {
		t.Error("what cannot be unpacked is taken")
	}
}

// A stream is shown while it still comes: nothing waits for more than is there.
func TestStreamIsNotHeldBack(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	d := Stream(t.Context(), r, answer.Reading{Name: "stdin"}, 0)
	if _, err := io.WriteString(w, "{\"id\":1}\n{\"id\":2}\n"); err != nil {
		t.Fatal(err)
	}
	for have := 0; have < 1; {
		n, done, err := d.Index.Wait(t.Context(), have)
		if done || err != nil {
			t.Fatalf("the reading ended with %d records, %v", n, err)
		}
		have = n
	}
}

func TestRecordsAs(t *testing.T) {
	c := catalog.New()
	for as, want := range map[string]string{"payments/customers": "list", "payments/customers/get": "get",
		"payments customers": "list"} {
		if q, err := As(c, as); err != nil || q.Action == nil || q.Action.Name != want {
			t.Errorf("%q is %+v, %v", as, q.Action, err)
		}
	}
	for _, bad := range []string{"", "payments", "payments/custmers", "nonsense/x", "a/b/c/d",
		"payments/customers/lst"} {
		if _, err := As(c, bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestFilesAreOpenedInTheirForm(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.json": `[{"id":1},{"id":2}]`, "b.csv": "id\n1\n2\n"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		d, closed, err := Open(t.Context(), path, answer.Question{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if d.WaitWhole(t.Context()); d.Index.Len() != 2 || d.Name != name || d.Table != (name == "b.csv") {
			t.Errorf("%s: %d records, %+v", name, d.Index.Len(), d.Reading)
		}
		if err := closed(); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{dir, filepath.Join(dir, "nothing")} {
		if _, _, err := Open(t.Context(), bad, answer.Question{}, 0); client.ExitCode(err) != 4 {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// The end waits for all that reads, but for no other program.
func TestTheEndOfADocument(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	for name, in := range map[string]io.Reader{"whole": strings.NewReader("a,b\n1,2\n"), "table": io.MultiReader(
		strings.NewReader("a,b\n1,2\n"), r), "lines": r} {
		ctx, cancel := context.WithCancel(t.Context())
		d := Stream(ctx, in, answer.Reading{Name: name}, 0)
		cancel()
		d.End()
		if !d.Index.Done() {
			t.Errorf("%s: it is still being read", name)
		}
	}
}

// The rows of a table are its records, also where there is but one and a cell of it holds a list of objects.
func TestARowIsARecord(t *testing.T) {
	name := filepath.Join(t.TempDir(), "one.csv")
	if err := os.WriteFile(name, []byte("a,b\n\"[{\"\"x\"\":1},{\"\"x\"\":2}]\",2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, end, err := Open(t.Context(), name, answer.Question{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if d.WaitWhole(t.Context()); d.Index.Len() != 1 || string(d.Index.Record(0).Raw()) != `{"a":[{"x":1},{"x":2}],"b":2}` {
		t.Errorf("%d records, the first %s", d.Index.Len(), d.Index.Record(0).Raw())
	}
}
