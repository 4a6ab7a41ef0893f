package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

func setOf(body string) *records.Set {
	s := &records.Set{}
	s.Add(records.Page{Index: rawjson.IndexSpan(rawjson.Bytes(body), 0, len(body), nil)})
	return s
}

func columns(t *testing.T, paths ...string) []records.Column {
	t.Helper()
	var out []records.Column
	for _, path := range paths {
		c, err := records.FromPath(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

const body = "[{\"id\":1.50,\"n\":{\"a\":\"x|y\",\"b\":null},\n \"t\":[1, " +
	"2]},{\"id\":10000000000000000000001,\"n\":{\"a\":\"=1+1, \\\"q\\\"\\u001b[31m\\nz\"}},{\"id\":3,\"n\":\"cut"

func TestFormats(t *testing.T) {
	all := columns(t, "id", "n.a", "n.b", "t")
	for _, c := range []struct {
		format  Format
		columns []records.Column
		want    string
	}{
		{JSON, nil, "[\n" + `{"id":1.50,"n":{"a":"x|y","b":null},"t":[1,2]}` + ",\n" +
			`{"id":10000000000000000000001,"n":{"a":"=1+1, \"q\"\u001b[31m\nz"}}` + "\n]\n"},
		{NDJSON, nil, `{"id":1.50,"n":{"a":"x|y","b":null},"t":[1,2]}` + "\n" +
			`{"id":10000000000000000000001,"n":{"a":"=1+1, \"q\"\u001b[31m\nz"}}` + "\n"},
		{NDJSON, all[1:3], `{"n.a":"x|y","n.b":null}` + "\n" + `{"n.a":"=1+1, \"q\"\u001b[31m\nz"}` + "\n"},
		{CSV, all, "id,n.a,n.b,t\n1.50,x|y,,\"[1,2]\"\n10000000000000000000001,\"'=1+1, \"\"q\"\"\\u001b[31m\nz\",,\n"},
		{CSV, all[2:3], "n.b\n\"\"\n\"\"\n"},
		{Markdown, all[:2],
			"| id | n.a |\n| --- | --- |\n| 1.50 | x\\|y |\n| 10000000000000000000001 | =1+1, " +
				"\"q\"\\\\u001b\\[31m<br>z |\n"},
	} {
		var out bytes.Buffer
		n, err := Write(context.Background(), &out, c.format, setOf(body), nil,
			Options{Columns: c.columns, SafeFormulas: true}, nil)
		if err != nil || n != 2 {
			t.Errorf("%s: %d records, error %v", c.format, n, err)
		}
		if out.String() != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.format, out.String(), c.want)
		}
	}
}

func TestNothingIsStillAFile(t *testing.T) {
	for f, want := range map[Format]string{JSON: "[]\n", NDJSON: "", CSV: "id\n", Markdown: "| id |\n| --- |\n"} {
		var o Options
		if f.Tabular() {
			o.Columns = columns(t, "id")
		}
		var out bytes.Buffer
		if _, err := Write(context.Background(), &out, f, setOf(`[]`), nil, o, nil); err != nil ||
			out.String() != want {
			t.Errorf("%s: %q, error %v", f, out.String(), err)
		}
	}
	if _, err := NewEncoder(io.Discard, CSV, Options{}); err == nil {
		t.Error("CSV without columns is taken")
	}
}

func TestParseFormat(t *testing.T) {
	for name, want := range map[string]Format{"JSON": JSON, ".jsonl": NDJSON, "md": Markdown, "csv": CSV} {
		if got, err := ParseFormat(name); err != nil || got != want {
			t.Errorf("%s is %s, error %v", name, got, err)
		}
	}
	if _, err := ParseFormat("xml"); err == nil {
		t.Error("xml is taken")
	}
	for _, f := range Formats {
		if got, err := ParseFormat(Extension(f)); err != nil || got != f {
			t.Errorf("%s has the extension %s", f, Extension(f))
		}
	}
}

func TestWriteStopsOnCancelAndOnABrokenPipe(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Write(ctx, io.Discard, NDJSON, setOf(`[{}]`), nil, Options{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := Write(context.Background(), brokenPipe{}, NDJSON, setOf(`[{}]`), nil, Options{},
		nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestToFileIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.json")
	write := func(text string, err error) error {
		return ToFile(path, func(w io.Writer) error {
			_, _ = io.WriteString(w, text)
			return err
		})
	}
	if err := write("first", nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write("half of the sec", io.ErrUnexpectedEOF); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "first" {
		t.Errorf("the file holds %q", got)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err == nil {
		if err := ToFile(link, func(w io.Writer) error {
			_, err := io.WriteString(w,
				"linked")
			return err
		}); err != nil {
			t.Error(err)
		}
		if info, _ := os.Lstat(link); info.Mode().IsRegular() {
			t.Error("the link was replaced")
		}
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v", info.Mode())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := ToFile(filepath.Join(dir, "no", "such", "folder"), func(io.Writer) error { return nil }); err == nil {
		t.Error("a file in a missing folder is taken")
	}
	if err := ToFile(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("a folder is taken for a file")
	}
}

func FuzzCSV(f *testing.F) {
	f.Add("a,b", " =x", "\"")
	f.Add("line\nbreak", "\x1b[0m\r", "")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		record := rawjson.AppendQuoted([]byte(`{"a":`), a)
		record = rawjson.AppendQuoted(append(record, `,"b":`...), b)
		record = append(rawjson.AppendQuoted(append(record, `,"c":`...), c), '}')
		var out bytes.Buffer
		if _, err := Write(context.Background(), &out, CSV, setOf("["+string(record)+"]"), nil,
			Options{Columns: columns(t, "a", "b", "c")}, nil); err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsFunc(out.Bytes(), func(r rune) bool { return unsafe(r) && r != '\n' && r != '\t' }) {
			t.Fatalf("control characters in %q", out.String())
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != 3 {
			t.Fatalf("%d rows, error %v", len(rows), err)
		}
		for i, text := range []string{a, b, c} {
			// What stands in the file is what was received, but for what was escaped.
			if !strings.ContainsFunc(text, unsafe) && rows[1][i] != strings.ToValidUTF8(text, "\ufffd") &&
				!strings.Contains(rows[1][i], "\ufffd") {
				t.Fatalf("%q became %q", text, rows[1][i])
			}
		}
	})
}

func FuzzNDJSON(f *testing.F) {
	f.Add([]byte("{\"a\":\"line\nbreak\",\n\"b\":[1 , 2]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := rawjson.Parse(data)
		if n.Kind() != rawjson.Object || n.Cut() {
			t.Skip()
		}
		var out bytes.Buffer
		e, err := NewEncoder(&out, NDJSON, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(e.Record(n, client.Neutral), e.Close()); err != nil {
			t.Fatal(err)
		}
		if strings.Count(out.String(), "\n") != 1 || !strings.HasSuffix(out.String(), "\n") {
			t.Fatalf("%q is not one line", out.String())
		}
		if json.Valid(data) && !json.Valid(out.Bytes()) {
			t.Fatalf("%q is no JSON", out.String())
		}
	})
}

// FuzzAfter breaks a file anywhere and continues it: the outcome is the file
// that was never broken.
// Names of columns come from a server too: none of them is a formula either.
func TestNamesAreNoFormulas(t *testing.T) {
	var out bytes.Buffer
	for _, safe := range []bool{true, false} {
		o := Options{Columns: columns(t, "=1+1", "id"), SafeFormulas: safe}
		if _, err := Write(context.Background(), &out, CSV, setOf(`[]`), nil, o, nil); err != nil {
			t.Fatal(err)
		}
	}
	if out.String() != "'=1+1,id\n=1+1,id\n" {
		t.Errorf("%q", out.String())
	}
}

func FuzzAfter(f *testing.F) {
	f.Add(`{"a":"x|y\n"},{"a":null},{"b":[1, 2]}`, uint8(1), uint8(0))
	f.Add(`1,"two",{"a":"=1"}`, uint8(2), uint8(2))
	f.Add(``, uint8(0), uint8(3))
	f.Add("{\"a\"\x00}", uint8(4), uint8(2))
	f.Fuzz(func(t *testing.T, list string, at, format uint8) {
		set := setOf("[" + list + "]")
		o := Options{SafeFormulas: true}
		form := Formats[int(format)%len(Formats)]
		if form.Tabular() {
			o.Columns = columns(t, "a", "b")
		}
		var whole, parts bytes.Buffer
		if _, err := Write(context.Background(), &whole, form, set, nil, o, nil); err != nil {
			t.Fatal(err)
		}
		first, err := NewEncoder(&parts, form, o)
		if err != nil {
			t.Fatal(err)
		}
		row := 0
		for ; row < min(int(at), set.Len()); row++ {
			_ = first.Record(set.RecordNames(row)) // a buffer takes everything
		}
		_ = first.Flush()
		if o.After = first.Records(); o.After == 0 {
			parts.Reset()
		}
		second, err := NewEncoder(&parts, form, o)
		if err != nil {
			t.Fatal(err)
		}
		for ; row < set.Len(); row++ {
			_ = second.Record(set.RecordNames(row))
		}
		_ = second.Close()
		if parts.String() != whole.String() {
			t.Fatalf("%s: got %q, want %q", form, parts.String(), whole.String())
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, `,{"id":"cus_%08d","name":"Zoë Müller","email":"user%d@example.test","notes":"%s"}`, i, i,
			strings.Repeat("pilot ", 100))
	}
	set := setOf("[" + text.String()[1:] + "]")
	cols := records.Columns(set, records.ColumnOptions{})
	for _, f := range Formats {
		b.Run(f.String(), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				o := Options{}
				if f.Tabular() {
					o.Columns = cols
				}
				if n, err := Write(context.Background(), io.Discard, f, set, nil, o, nil); err != nil || n != 10_000 {
					b.Fatal(err)
				}
			}
		})
	}
}
