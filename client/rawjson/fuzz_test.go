package rawjson

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var seeds = []string{
	`{"a":[1,2.50,-0,1e400,true,false,null,"x\u00e9\ud800\n"],"a":{}}`, `[]`, `{}`, ` "x" `, `[1,]`, `{"a"}`, `{"a":}`, `nul`, `-`, `1.`, `"`, "\"\xff\"",
	`{"status":"ok","result":{"data":[{"id":1},{"id":2}],"meta":{}}}`, "{\"a\":1}\n{\"a\":2}\n", `[[[[`, `]`, `{"a":[{"b":"]}"},{"b":"\\"}`, "\xef\xbb\xbf[1]",
	"[{\x00\"\x00a\x00\"\x00:\x00 \x001\x00}\x00]\x00", "{\"a\"\x00,\"b\":\x00}",
}

// decode builds what encoding/json would from a node.
func decode(n Node) any {
	switch n.Kind() {
	case Null:
		return nil
	case Bool:
		return n.Text() == "true"
	case Number:
		return json.Number(n.Text())
	case String:
		return n.Text()
	case Array:
		out := []any{}
		for v := range n.Elems() {
			out = append(out, decode(v))
		}
		return out
	}
	out := map[string]any{}
	for m := range n.Members() {
		out[m.Key()] = decode(m.Value)
	}
	return out
}

func FuzzDecode(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		valid := json.Valid(data)
		for _, size := range []int{1, 5, 1 << 20} {
			src := chunked{data, size}
			if got := Validate(context.Background(), src, 0, len(data)); (got == nil) != valid {
				t.Fatalf("pieces of %d: error %v, encoding/json says %v", size, got, valid)
			}
			n := Root(src)
			n.AppendText(nil, 7)
			n.AppendIndent(nil, 100)
			if !valid {
				walk(n)
				continue
			}
			compare(t, n, data)
		}
	})
}

// walk looks at everything in a node that may be broken.
func walk(n Node) {
	n.Lookup(Path{Name("a"), At(1), {Index: Any}})
	for v := range n.Scalars() {
		_ = v.Text()
	}
	for m := range n.Members() {
		_, _ = m.Key(), m.Value.Len()
	}
	from, to := n.Span()
	_ = PathAt(n, (from+to)/2)
}

func compare(t *testing.T, n Node, data []byte) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var want any
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if wrong := differs(n, data, want); wrong != "" {
		t.Fatal(wrong)
	}
}

// differs says where a value is not what encoding/json makes of its text.
func differs(n Node, data []byte, want any) string {
	if got := decode(n); !reflect.DeepEqual(got, want) {
		return fmt.Sprintf("got %#v, want %#v", got, want)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return err.Error()
	}
	if got, _ := n.AppendCompact(nil, 0); !bytes.Equal(got, compact.Bytes()) {
		return fmt.Sprintf("compact %s, want %s", got, compact.Bytes())
	}
	if n.Cut() {
		return "a whole value is called cut"
	}
	return ""
}

func FuzzIndex(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), "data.x[*].y")
	}
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		var paths []Path
		if p, err := ParsePath(path); err == nil {
			paths = []Path{p}
		}
		whole, wholeErr := BuildIndex(context.Background(), Bytes(data), paths...)
		for _, size := range []int{1, 3, 16} {
			x, err := BuildIndex(context.Background(), chunked{data, size}, paths...)
			if x.Len() != whole.Len() || x.Shape() != whole.Shape() || (err == nil) != (wholeErr == nil) {
				// A line is taken for a record only where it lies in one piece.
				if whole.Shape() != Lines {
					t.Fatalf("pieces of %d: %d records of shape %d, error %v; in one piece %d of %d, %v", size, x.Len(), x.Shape(), err, whole.Len(), whole.Shape(), wholeErr)
				}
			}
		}
		for i := range whole.Len() {
			from, to := whole.Span(i)
			if at, ok := whole.RecordAt(from); !ok || at != i || to > len(data) {
				t.Fatalf("record %d at %d to %d is found as %d", i, from, to, at)
			}
		}
		var elems []json.RawMessage
		if json.Unmarshal(data, &elems) == nil && elems != nil && path == "" && len(elems) != whole.Len() {
			t.Fatalf("%d records, want %d", whole.Len(), len(elems))
		}
	})
}

func FuzzTree(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), uint8(2), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, levels, line uint8) {
		x, _ := BuildIndex(context.Background(), Bytes(data))
		tree := NewTree(Root(Bytes(data)), x, int(levels%5))
		tree.Toggle(int(line))
		tree.Reveal(int(line))
		tree.OpenFamily(int(line)/2, true)
		n := tree.Len()
		if got := len(tree.Lines(0, n, nil)); got > n {
			t.Fatalf("%d lines of %d", got, n)
		}
		tree.Path(int(line))
		tree.Sibling(int(line), 1)
		if p := tree.Parent(int(line)); p < 0 || p >= max(tree.Len(), int(line)+1) {
			t.Fatalf("parent at %d of %d", p, tree.Len())
		}
		// Once every line was looked at, the sums tell the truth.
		settled := tree.Len()
		if json.Valid(data) && settled != n {
			t.Fatalf("%d lines became %d", n, settled)
		}
	})
}

func FuzzSearch(f *testing.F) {
	f.Add("xxAbcabcABC", "abc", true)
	f.Add("straße STRASSE Müller MÜLLER", "müller", true)
	f.Add("aaaaaaaaaaaaaaaaaaaa", "aa", false)
	f.Fuzz(func(t *testing.T, text, needle string, fold bool) {
		if needle == "" || !utf8.ValidString(needle) || !utf8.ValidString(text) {
			t.Skip()
		}
		l := newLiteral(needle, fold)
		from, to := l.find([]byte(text), 0, len(text))
		if !fold {
			if want := strings.Index(text, needle); from != want {
				t.Fatalf("found at %d, want %d", from, want)
			}
			return
		}
		expr := "(?i)" + regexp.QuoteMeta(needle)
		if utf8.RuneCountInString(needle) == len(needle) {
			// ASCII letters have no twins beyond ASCII here: the Kelvin sign is not k.
			text = strings.Map(func(r rune) rune {
				if r == 'K' || r == 'ſ' {
					return '.'
				}
				return r
			}, text)
			from, to = l.find([]byte(text), 0, len(text))
		}
		want := regexp.MustCompile(expr).FindStringIndex(text)
		if want == nil && from >= 0 || want != nil && (from != want[0] || to != want[1]) {
			t.Fatalf("found %d to %d, want %v", from, to, want)
		}
	})
}

func FuzzPath(f *testing.F) {
	f.Add(`a.b[0]["x.y"][*]`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePath(text)
		if err != nil {
			t.Skip()
		}
		for _, form := range []string{p.String(), p.Dotted(), p.Brackets(), p.JQ()} {
			back, err := ParsePath(form)
			if err != nil || len(back) != len(p) {
				t.Fatalf("%q written as %q reads back as %v, %v", text, form, back, err)
			}
			for i := range p {
				if back[i].Index != p[i].Index || strings.ToValidUTF8(back[i].Name, "\ufffd") != strings.ToValidUTF8(p[i].Name, "\ufffd") && utf8.ValidString(p[i].Name) {
					t.Fatalf("%q written as %q reads back as %v", text, form, back)
				}
			}
		}
	})
}
