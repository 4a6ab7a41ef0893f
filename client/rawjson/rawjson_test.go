package rawjson

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

func TestBufferKeepsWhatIsWritten(t *testing.T) {
	want := customers(3000)
	var b Buffer
	if _, err := b.ReadFrom(iotest.HalfReader(bytes.NewReader(want))); err != nil {
		t.Fatal(err)
	}
	if b.Len() != len(want) {
		t.Fatalf("length %d, want %d", b.Len(), len(want))
	}
	for _, span := range [][2]int{{0, 0}, {0, 10}, {4090, 4100}, {0, len(want)}, {rampBytes - 1, rampBytes + 1}, {rampBytes + chunkSize - 5, rampBytes + chunkSize + 5}} {
		if got := b.Slice(span[0], span[1]); !bytes.Equal(got, want[span[0]:span[1]]) {
			t.Errorf("bytes %v differ", span)
		}
	}
	var out bytes.Buffer
	if n, err := WriteRange(&out, &b, 0, b.Len()); err != nil || int(n) != len(want) || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("WriteTo wrote %d bytes, error %v", n, err)
	}
}

func TestFileReadsBlocksAndTellsOfMissingBytes(t *testing.T) {
	data := customers(2000)
	f := NewFile(bytes.NewReader(data), int64(len(data)))
	for from := 0; from < len(data); from += 100_003 {
		to := min(from+fileBlock+7, len(data))
		if !bytes.Equal(f.Slice(from, to), data[from:to]) {
			t.Fatalf("bytes %d to %d differ", from, to)
		}
	}
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	cut := NewFile(bytes.NewReader(data[:100]), 200)
	if got := cut.Slice(90, 110); string(got) != string(data[90:100])+"          " {
		t.Errorf("got %q", got)
	}
	if cut.Err() == nil {
		t.Error("no error although the file is shorter than it was")
	}
}

func TestFileKeepsFewBlocks(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef"), (fileBlocks+20)*fileBlock/16)
	f := NewFile(bytes.NewReader(data), int64(len(data)))
	for round := range 2 {
		for k := range len(data) / fileBlock {
			if f.Slice(k*fileBlock+round, k*fileBlock+round+1)[0] != data[round] {
				t.Fatal("wrong byte")
			}
		}
	}
	if len(f.cache.blocks) > fileBlocks {
		t.Errorf("%d blocks kept, want at most %d", len(f.cache.blocks), fileBlocks)
	}
}

func TestNodeKeepsOrderDuplicatesAndNumberText(t *testing.T) {
	n := Parse([]byte(` {"b":1.50,"a":[true,null,"x\n"],"b":10000000000000000000001,"":{}} `))
	var got []string
	for m := range n.Members() {
		got = append(got, m.Key()+"="+string(m.Value.Raw()))
	}
	want := []string{"b=1.50", `a=[true,null,"x\n"]`, "b=10000000000000000000001", "={}"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if v, ok := n.Lookup(MustPath("a[2]")); !ok || v.Text() != "x\n" {
		t.Errorf("a[2] is %q", v.Text())
	}
	if v, ok := n.Lookup(MustPath("a.1")); !ok || v.Kind() != Null {
		t.Error("a.1 is not found by its digits")
	}
	if _, ok := n.Get("c"); ok {
		t.Error("c is found")
	}
	if n.Len() != 4 {
		t.Errorf("%d members", n.Len())
	}
	var scalars []string
	for v := range n.Scalars() {
		scalars = append(scalars, v.Text())
	}
	if want := []string{"1.50", "true", "null", "x\n", "10000000000000000000001"}; !slices.Equal(scalars, want) {
		t.Errorf("scalars %q", scalars)
	}
}

func TestTextIsTolerantAndVisible(t *testing.T) {
	for raw, want := range map[string]string{
		`"a\u00e9\ud83d\ude80"`: "aé🚀",
		`"\ud83d"`:              "\ufffd",
		`"\ud83dx"`:             "\ufffdx",
		"\"\xff\"":              "\ufffd",
		`"\q"`:                  `\q`,
		`"cut`:                  "cut",
		`"cut\u00`:              "cut",
		`"\\"`:                  `\`,
		`"\"`:                   `"`,
		`12`:                    "12",
	} {
		if got := Parse([]byte(raw)).Text(); got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
}

// Members of an object end with any byte in any place: also a zero byte, as
// UTF-16 has one beside every letter.
func TestMembersEndWhateverStandsInThem(t *testing.T) {
	for b := range 256 {
		for _, text := range []string{`{"a"?}`, `{"a"?,"b":1}`, `{"a":?}`, `{"a":?,"b":1}`, `{?"a":1}`, `{"a"??"b"`} {
			raw, seen := bytes.ReplaceAll([]byte(text), []byte("?"), []byte{byte(b)}), 0
			for range Parse(raw).Members() {
				if seen++; seen > len(raw) {
					t.Fatalf("%q has no end of members", raw)
				}
			}
		}
	}
}

func TestAppendTextStopsAtALimit(t *testing.T) {
	long := Parse([]byte(`"` + strings.Repeat("é", 1000) + `"`))
	for limit := range 20 {
		got, more := long.AppendText(nil, limit)
		if !more || len(got) > limit || !strings.HasPrefix(strings.Repeat("é", 10), string(got)) {
			t.Errorf("limit %d gives %q, more %v", limit, got, more)
		}
	}
	if got, more := Parse([]byte(`"abc"`)).AppendText(nil, 3); more || string(got) != "abc" {
		t.Errorf("got %q, more %v", got, more)
	}
}

func TestCutValuesAreMarked(t *testing.T) {
	n := Parse([]byte(`{"a":"x","b":{"c":[1,"fgh`))
	if !n.Cut() {
		t.Error("the root is not cut")
	}
	a, _ := n.Get("a")
	b, _ := n.Get("b")
	if a.Cut() || !b.Cut() {
		t.Errorf("a cut %v, b cut %v", a.Cut(), b.Cut())
	}
	if v, ok := n.Lookup(MustPath("b.c[1]")); !ok || !v.Cut() || v.Text() != "fgh" {
		t.Errorf("the cut string is %q, %v", v.Text(), v.Cut())
	}
	if v, _ := Parse([]byte(`[tru`)).At(0); !v.Cut() || v.Kind() != Invalid {
		t.Error("a cut literal passes for one")
	}
}

func TestPathForms(t *testing.T) {
	p := MustPath(`data[0].b["x.y"].c`)
	for got, want := range map[string]string{
		p.Dotted():                   `.data[0].b["x.y"].c`,
		p.String():                   `data[0].b["x.y"].c`,
		p.Brackets():                 `["data"][0]["b"]["x.y"]["c"]`,
		p.JQ():                       `.data[0].b["x.y"].c`,
		p.Pointer():                  `/data/0/b/x.y/c`,
		MustPath("[3]").JQ():         `.[3]`,
		MustPath("a-b").JQ():         `.["a-b"]`,
		MustPath("").Dotted():        `.`,
		Path{Name("a/b~")}.Pointer(): "/a~1b~0",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for _, wrong := range []string{"a..b", "a.", "a[", "a[x]", `a["x]`, "[-1]", "a[01]"} {
		if _, err := ParsePath(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

func TestSelectBranches(t *testing.T) {
	n := Parse([]byte(`{"d":[{"i":[1,2]},{"x":0},{"i":[3]}]}`))
	var got []string
	for v := range n.Select(MustPath("d[*].i[*]")) {
		got = append(got, v.Text())
	}
	if !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("got %q", got)
	}
}

func TestPositionsOfErrors(t *testing.T) {
	for _, c := range []struct {
		text, expected string
		offset, line   int
		column         int
		cut            bool
	}{
		{"{\n \"a\": x}", "a value", 8, 2, 7, false},
		{`[1,]`, "a value", 3, 1, 4, false},
		{`{"a" 1}`, "a colon", 5, 1, 6, false},
		{`[1 2]`, "a comma or ]", 3, 1, 4, false},
		{`{"a":1`, "a comma or }", 6, 1, 7, true},
		{`"abc`, "the end of a string", 4, 1, 5, true},
		{`1 2`, "the end of the body", 2, 1, 3, false},
		{`[01]`, "a comma or ]", 2, 1, 3, false},
	} {
		err := Validate(context.Background(), Bytes(c.text), 0, len(c.text))
		var e *SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v", c.text, err)
			continue
		}
		if e.Expected != c.expected || e.Offset != c.offset || e.Line != c.line || e.Column != c.column || e.Cut != c.cut {
			t.Errorf("%s: %+v", c.text, *e)
		}
	}
}

func TestDeepNestingIsSafe(t *testing.T) {
	deep := []byte(strings.Repeat("[", 300_000))
	n := Parse(deep)
	if !n.Cut() || Valid(deep) {
		t.Error("deep nesting passes for valid")
	}
	if got := len(PathAt(n, len(deep)-1)); got != pathMax {
		t.Errorf("path of %d steps", got)
	}
	out, more := n.AppendIndent(nil, 1000)
	if !more || len(out) > 2000 {
		t.Errorf("%d bytes, more %v", len(out), more)
	}
	tree := NewTree(n, nil, 3)
	if tree.Len() != 7 {
		t.Errorf("%d lines", tree.Len())
	}
	if _, err := BuildIndex(context.Background(), Bytes(deep)); err == nil {
		t.Error("no error for a cut body")
	}
	just := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	if !Valid([]byte(just)) || Valid([]byte("["+just+"]")) {
		t.Error("the limit of depth is not that of encoding/json")
	}
}

// What is laid out piece by piece is what is laid out at once, also of a value that
// is cut off; an error of the writer ends it.
func TestWriteIndent(t *testing.T) {
	long := `{"a": ["` + strings.Repeat("x", 3*heldBytes) + `", {"b": [1, {}, []]}, ` + strings.Repeat("123456, ", 40_000) + `0]`
	for _, in := range []string{`{"a":[1,{"b":null}]}`, long, long + "}"} {
		var b bytes.Buffer
		if err := Parse([]byte(in)).WriteIndent(&b); err != nil {
			t.Fatal(err)
		}
		want, _ := Parse([]byte(in)).AppendIndent(nil, 0)
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%d bytes of %.20s are laid out otherwise: %d bytes, not %d", len(in), in, b.Len(), len(want))
		}
	}
	full := errors.New("full")
	if err := Parse([]byte(long)).WriteIndent(failing{full}); err != full {
		t.Errorf("the error is %v", err)
	}
}

// failing is a writer that takes nothing.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestAppendIndentAndCompact(t *testing.T) {
	in := `{"a":[1,{}, [] ,"x y"],"b" : {"c":null}}`
	out, more := Parse([]byte(in)).AppendIndent(nil, 0)
	var want bytes.Buffer
	if err := json.Indent(&want, []byte(in), "", "  "); err != nil {
		t.Fatal(err)
	}
	if more || string(out) != want.String() {
		t.Errorf("got\n%s\nwant\n%s", out, want.String())
	}
	out, _ = Parse([]byte(in)).AppendCompact(nil, 0)
	if string(out) != `{"a":[1,{},[],"x y"],"b":{"c":null}}` {
		t.Errorf("got %s", out)
	}
	if out, more = Parse([]byte(in)).AppendCompact(nil, 5); !more || string(out) != `{"a":` {
		t.Errorf("got %s, more %v", out, more)
	}
}

// TestReadersMayFollowAWriter has an index built and records read while the body still grows.
func TestReadersMayFollowAWriter(t *testing.T) {
	data := customers(2000)
	var b Buffer
	x := NewIndex(&b)
	var wg sync.WaitGroup
	wg.Go(func() {
		for part := range slices.Chunk(data, 7001) {
			_, _ = b.Write(part)
		}
		b.Close(nil)
	})
	wg.Go(func() {
		if err := x.Run(context.Background()); err != nil {
			t.Error(err)
		}
	})
	wg.Go(func() {
		for n, done := 0, false; !done; {
			n, done, _ = x.Wait(context.Background(), n)
			if n > 0 {
				if id, ok := x.Record(n - 1).Get("id"); !ok || id.Kind() != String {
					t.Errorf("record %d has no id", n-1)
				}
			}
		}
	})
	wg.Wait()
	if x.Len() != 2000 || !x.Done() {
		t.Errorf("%d records", x.Len())
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var b Buffer
	if err := NewIndex(&b).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestABrokenStreamIsToldAsItsError(t *testing.T) {
	var b Buffer
	_, _ = b.Write([]byte(`[{"id":1},{"id":2`))
	b.Close(io.ErrUnexpectedEOF)
	x, err := BuildIndex(context.Background(), &b)
	if !errors.Is(err, io.ErrUnexpectedEOF) || x.Len() != 2 || !x.CutRecord() || !x.Record(1).Cut() {
		t.Errorf("error %v, %d records, cut %v", err, x.Len(), x.CutRecord())
	}
}

func TestTwinTreesAreIndependent(t *testing.T) {
	var b strings.Builder
	b.WriteByte('{')
	for i := range 3000 {
		fmt.Fprintf(&b, `"k%d":{"n":[%d]},`, i, i)
	}
	b.WriteString(`"last":[]}`)
	root := Root(Bytes(b.String()))
	whole := NewTree(root, nil, 1)
	twin := whole.Twin(2)
	if whole.Len() != 3003 || twin.Len() != 3003+2*3000 {
		t.Fatalf("%d and %d lines", whole.Len(), twin.Len())
	}
	twin.SetOpen(1, false)
	twin.SetOpen(0, false)
	if whole.Len() != 3003 || twin.Len() != 1 {
		t.Errorf("folding the twin left %d and %d lines", whole.Len(), twin.Len())
	}
	if folded := whole.Twin(0); folded.Len() != 1 || folded.SetOpen(0, true) != 0 || folded.Len() != 3003 {
		t.Errorf("a folded twin opens to %d lines", folded.Len())
	}
}

func TestTreeKnowsEmptyContainers(t *testing.T) {
	for body, want := range map[string]LineKind{
		`[]`: LineValue, `{}`: LineValue, "[ \n]": LineValue, `[`: LineValue, `{ `: LineValue,
		`[0]`: LineFolded, `{"a":1}`: LineFolded, `[[`: LineFolded, `{"a`: LineFolded,
	} {
		if got := NewTree(Root(Bytes(body)), nil, 0).Line(0).Kind; got != want {
			t.Errorf("%s is line kind %d, want %d", body, got, want)
		}
	}
}
