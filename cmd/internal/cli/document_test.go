package cli

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"patchbay/ui/result"
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
		got, err := io.ReadAll(&plainReader{in: iotest.OneByteReader(strings.NewReader(in))})
		if err != nil || string(got) != want {
			t.Errorf("%q is %q, want %q, %v", in, got, want, err)
		}
	}
}

func TestUTF16IsReadInAnyPieces(t *testing.T) {
	want := strings.Repeat("aü語🚀", 3000)
	got, err := io.ReadAll(fromUTF16(iotest.OneByteReader(strings.NewReader(utf16Of("\ufeff"+want, true))), true))
	if err != nil || string(got) != want {
		t.Errorf("%d bytes, want %d, %v", len(got), len(want), err)
	}
	odd, err := io.ReadAll(fromUTF16(strings.NewReader("a\x00\x00\xd8b"), false))
	if err != nil || string(odd) != "a\ufffd\ufffd" {
		t.Errorf("%q, %v", odd, err)
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
		d := stream(t.Context(), strings.NewReader(c.in), result.Reading{Name: c.name})
		d.WaitWhole(t.Context())
		if n := d.Index.Len(); n != c.want && c.in != "" {
			t.Errorf("%s: %d records, want %d", c.name, n, c.want)
		}
		if got := string(d.Index.Record(0).Raw()); c.want > 0 && got != c.first {
			t.Errorf("%s: the first record is %s", c.name, got)
		}
	}
	d := stream(t.Context(), strings.NewReader("\x1f\x8b broken"), result.Reading{Name: "stdin"})
	if d.WaitWhole(t.Context()); d.Index.Err() == nil {
		t.Error("what cannot be unpacked is taken")
	}
}

// A stream is shown while it still comes: nothing waits for more than is there.
func TestStreamIsNotHeldBack(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	d := stream(t.Context(), r, result.Reading{Name: "stdin"})
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
	a := newApp(nil, []string{"HOME=" + t.TempDir()}, strings.NewReader(""), io.Discard, io.Discard)
	for as, want := range map[string]string{"": "", "payments/customers": "list", "payments/customers/get": "get", "payments customers": "list"} {
		q, err := a.recordsAs(as)
		if err != nil || (q.Action == nil) != (want == "") || want != "" && q.Action.Name != want {
			t.Errorf("%q is %+v, %v", as, q.Action, err)
		}
	}
	for _, bad := range []string{"payments", "payments/custmers", "nonsense/x", "a/b/c/d", "payments/customers/lst"} {
		if _, err := a.recordsAs(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
