package document

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"patchbay/client/rawjson"
)

// Whatever is opened is read within its bound. JSON stays as it is; packed or in
// another width it is the same; rows of a table become lines of JSON.
func FuzzFill(f *testing.F) {
	for i, s := range []string{`[{"a":1}]`, "a,b\n1,2\n3,\"x\ny\"\n", "a\tb\n1\t2\n", "// c\n{\"a\":1}/* d */", "\x1e{}\n\x1e{}",
		"\xef\xbb\xbf{}", "\xff\xfe{\x00}\x00", "\x1f\x8b\x08", "a.b,a,a.b.c\n1,2,3,4\n"} {
		f.Add([]byte(s), uint8(i))
	}
	names := []string{"x.json", "x.csv", "x.tsv", "x"}
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		name, how := names[int(which)%len(names)], formOf(data[:min(len(data), sniffed)], names[int(which)%len(names)])
		const most = 1 << 16
		out, told := filled(data, name, most)
		switch {
		case how == asItIs && told == "" && !bytes.Equal(out, data):
			t.Fatalf("%q became %q", data, out)
		case how == asItIs && len(out) > most:
			t.Fatalf("%d bytes of %d are kept", len(out), most)
		case (how == commas || how == tabs) && told == "":
			for line := range bytes.Lines(out) {
				if !json.Valid(line) || line[0] != '{' {
					t.Fatalf("%q: the row %q", data, line)
				}
			}
		}
		if len(data) == 0 || len(data) > most/4 {
			return
		}
		if zipped, err := filled(zippedUp(data), name+".gz", most); err == "" && told == "" && !bytes.Equal(zipped, out) {
			t.Fatalf("%q unpacked became %q, not %q", data, zipped, out)
		}
		if how != asItIs || !json.Valid(data) || !utf8.Valid(data) {
			return
		}
		if wide, err := filled(inUTF16(data), name, most); err != "" || !bytes.Equal(wide, data) {
			t.Fatalf("%q in UTF-16 became %q (%s)", data, wide, err)
		}
	})
}

// filled is what is kept of data, and what went wrong.
func filled(data []byte, name string, most int64) ([]byte, string) {
	buffer := &rawjson.Buffer{}
	f := filler{out: buffer, most: most}
	_, err := f.fill(bytes.NewReader(data), name, 0)
	buffer.Close(nil)
	told := ""
	if err != nil {
		told = err.Error()
	}
	return buffer.Slice(0, buffer.Len()), told
}

func zippedUp(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	if err != nil || z.Close() != nil {
		panic(fmt.Sprint("a buffer takes everything: ", err))
	}
	return b.Bytes()
}

func inUTF16(data []byte) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(string(data))) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}
