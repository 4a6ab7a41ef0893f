package rawjson

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestIndexFindsTheRecords(t *testing.T) {
	many := `{"rows":[` + strings.Repeat(`{"a":1},`, 300) + `{"a":1}]}`
	for _, c := range []struct {
		name, body string
		paths      []string
		shape      Shape
		path       string
		records    []string
	}{
		{"bare array", `[{"a":1}, {"a":2}]`, nil, List, "", []string{`{"a":1}`, `{"a":2}`}},
		{"service with search", `{"status":"success","result":{"data":[{"a":1}],"meta":{}}}`, nil, List, "result.data", []string{`{"a":1}`}},
		{"service with list", `{"result":[1,2],"x":[{}]}`, nil, List, "result", []string{"1", "2"}},
		{"data and meta", `{"meta":{"has_more":true},"data":[{"a":[]}]}`, nil, List, "data", []string{`{"a":[]}`}},
		{"empty list", `{"data":[],"errors":[{"e":1}]}`, nil, List, "data", nil},
		{"errors before data", `{"errors":[{"e":1}],"data":[{"a":1}]}`, nil, List, "data", []string{`{"a":1}`}},
		{"unnamed array", `{"total":1,"customers":[{"a":1}]}`, nil, List, "customers", []string{`{"a":1}`}},
		{"nested unnamed array", `{"response":{"page":{"rows":[{"a":1}]}}}`, nil, List, "response.page.rows", []string{`{"a":1}`}},
		{"array of scalars is no list", `{"a":1,"tags":["x"]}`, nil, Single, "", []string{`{"a":1,"tags":["x"]}`}},
		{"one record with a list inside", `{"id":"x","lines":[{"a":1}]}`, nil, Single, "", []string{`{"id":"x","lines":[{"a":1}]}`}},
		{"service with one record", `{"status":"ok","result":{"id":1,"lines":[{"a":1}]}}`, nil, Single, "result", []string{`{"id":1,"lines":[{"a":1}]}`}},
		{"catalog path", `{"items":[{"no":1}],"x":{"issues":[{"a":1}]}}`, []string{"x.issues"}, List, "items", []string{`{"no":1}`}},
		{"catalog path first", `{"x":{"issues":[{"a":1}]},"items":[{"no":1}]}`, []string{"x.issues"}, List, "x.issues", []string{`{"a":1}`}},
		{"catalog path with branches", `{"data":{"boards":[{"p":{"items":[{"a":1}]}},{"p":{"items":[{"a":2}]}}]}}`, []string{"data.boards[*].p.items"}, List, "data.boards[0].p.items", []string{`{"a":1}`, `{"a":2}`}},
		{"ndjson", "{\"a\":1}\n{\"data\":[1]}\r\n\n{\"a\":3}", nil, Lines, "", []string{`{"a":1}`, `{"data":[1]}`, `{"a":3}`}},
		{"ndjson of documents", "{\n\"a\":1}\n{\n\"a\":2\n}\n", nil, Lines, "", []string{"{\n\"a\":1}", "{\n\"a\":2\n}"}},
		{"ndjson without breaks", `{"a":1} {"a":2}`, nil, Lines, "", []string{`{"a":1}`, `{"a":2}`}},
		{"scalars in lines", "1\n2\n", nil, Lines, "", []string{"1", "2"}},
		{"scalar", ` "x" `, nil, Single, "", []string{`"x"`}},
		{"byte order mark", "\xef\xbb\xbf[1]", nil, List, "", []string{"1"}},
		{"strings with brackets", `[{"a":"}]\"[{"},{"b":"\\"}]`, nil, List, "", []string{`{"a":"}]\"[{"}`, `{"b":"\\"}`}},
		{"many unnamed", many, nil, List, "rows", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var paths []Path
			for _, p := range c.paths {
				paths = append(paths, MustPath(p))
			}
			for _, size := range []int{1, 3, 1 << 20} {
				x, err := BuildIndex(context.Background(), chunked{[]byte(c.body), size}, paths...)
				if err != nil {
					t.Fatal(err)
				}
				if x.Shape() != c.shape || x.Path().String() != c.path {
					t.Errorf("shape %d at %q", x.Shape(), x.Path())
				}
				if c.records == nil {
					continue
				}
				var got []string
				for i := range x.Len() {
					got = append(got, string(x.Record(i).Raw()))
				}
				if !slices.Equal(got, c.records) {
					t.Errorf("pieces of %d: got %q", size, got)
				}
			}
		})
	}
}

func TestIndexOfCutAndBrokenBodies(t *testing.T) {
	for _, c := range []struct {
		body    string
		records int
		cut     bool
	}{
		{``, 0, true},
		{`[{"a":1},{"a":2},{"a`, 3, true},
		{`[{"a":1},`, 1, true},
		{`{"data":[{"a":1}],"meta":{"x`, 1, true},
		{`{"rows":[{"a":1},{"b`, 2, true},
		{`[{"a":1}}]`, 1, false},
		{`[1] x`, 1, false},
		{`<html>`, 1, false},
	} {
		x, err := BuildIndex(context.Background(), Bytes(c.body))
		var e *SyntaxError
		isSyntax := errors.As(err, &e)
		if x.Len() != c.records || isSyntax && e.Cut != c.cut || !isSyntax && c.cut {
			t.Errorf("%s: %d records, error %v", c.body, x.Len(), err)
		}
	}
}

func TestIndexMapsOffsetsToRecordsAndPaths(t *testing.T) {
	body := `{"meta":{"n":2},"data":[{"a":{"b":"needle"}}, {"c":[1,"x"]}]}`
	x, err := BuildIndex(context.Background(), Bytes(body))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"needle": "data[0].a.b", `"c"`: "data[1].c", `"x"`: "data[1].c[1]", "2}": "meta.n"} {
		if got := PathAt(Root(x.src), strings.Index(body, text)).String(); got != want {
			t.Errorf("%s lies at %s, want %s", text, got, want)
		}
	}
	if i, ok := x.RecordAt(strings.Index(body, "}, {") + 2); ok || i != 0 {
		t.Errorf("between records: %d, %v", i, ok)
	}
	from, to := x.Bounds()
	if !strings.HasPrefix(body[from:to], `[{"a"`) || body[to-1] != ']' {
		t.Errorf("bounds %q", body[from:to])
	}
}

func TestIndexSpanAndRecordsOverTheSizeField(t *testing.T) {
	big := `{"x":"` + strings.Repeat("y", sizeMax) + `"}`
	body := "[" + big + `,{"z":1}]`
	x := IndexSpan(Bytes(body), 0, len(body), nil)
	if from, to := x.Span(0); to-from != len(big) {
		t.Errorf("record of %d bytes, want %d", to-from, len(big))
	}
	if again, to := x.Span(0); again != 1 || to != 1+len(big) {
		t.Errorf("the long record is at %d to %d", again, to)
	}
	if got := string(x.Record(1).Raw()); got != `{"z":1}` {
		t.Errorf("got %s", got)
	}
	if one := IndexSpan(Bytes(body), 1, 1+len(big), nil); one.Len() != 1 || one.Shape() != Single {
		t.Errorf("%d records", one.Len())
	}
}

func TestSearch(t *testing.T) {
	data := customers(3000)
	ctx := context.Background()
	for _, c := range []struct {
		query Query
		want  int
	}{
		{Query{Text: "cus_00002990"}, 1},
		{Query{Text: "CUS_00002990"}, 0},
		{Query{Text: "CUS_00002990", Fold: true}, 1},
		{Query{Text: "MÜLLER", Fold: true}, 3000},
		{Query{Text: "müller"}, 0},
		{Query{Text: `cus_0000299\d`, Regexp: true}, 10},
		{Query{Text: `CUS_0000299\d`, Regexp: true, Fold: true}, 10},
		{Query{Text: "no such text"}, 0},
	} {
		p, err := c.query.Compile()
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range []Source{Bytes(data), chunked{data, 1000}} {
			last := -1
			n, err := p.Search(ctx, src, SearchOptions{Found: func(found []Match) {
				for _, m := range found {
					if m.From <= last {
						t.Errorf("%v: match at %d after one at %d", c.query, m.From, last)
					}
					last = m.From
				}
			}})
			if err != nil || n != c.want {
				t.Errorf("%v: %d matches, error %v, want %d", c.query, n, err, c.want)
			}
		}
	}
}

func TestSearchStopsOnCancel(t *testing.T) {
	data := Bytes(customers(3000))
	p, _ := Query{Text: "cus_"}.Compile()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Search(ctx, data, SearchOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestSearchFindsEscapedForms(t *testing.T) {
	p, _ := Query{Text: `Zoë "x"`}.Compile()
	for _, body := range []string{`["Zo\u00eb \"x\""]`, `["Zo\u00EB \"x\""]`, `Zoë "x"`} {
		if n, _ := p.Search(context.Background(), Bytes(body), SearchOptions{}); n != 1 {
			t.Errorf("%s: %d matches", body, n)
		}
	}
	for _, q := range []Query{{}, {Text: "(", Regexp: true}} {
		if _, err := q.Compile(); err == nil {
			t.Errorf("%v is taken", q)
		}
	}
}

func render(t *Tree) string {
	var b strings.Builder
	for _, l := range t.Lines(0, t.Len(), nil) {
		b.WriteString(strings.Repeat(" ", l.Depth))
		if l.Name.Exists() && l.Kind != LineClose {
			fmt.Fprintf(&b, "%s:", l.Name.Text())
		}
		switch l.Kind {
		case LineValue:
			b.Write(l.Node.Raw())
		case LineFolded:
			b.WriteString("…")
		case LineOpen:
			b.WriteString("(")
		case LineClose:
			b.WriteString(")")
		}
		b.WriteString("|")
	}
	return b.String()
}

func TestTreeFoldsAndFinds(t *testing.T) {
	body := `{"a":{"b":[1,{"c":2}],"d":{}},"e":3}`
	tree := NewTree(Parse([]byte(body)), nil, 1)
	if got := render(tree); got != "(| a:…| e:3|)|" {
		t.Fatal(got)
	}
	tree.Toggle(1)
	if got := render(tree); got != "(| a:(|  b:…|  d:{}| )| e:3|)|" {
		t.Fatal(got)
	}
	line := tree.Reveal(strings.Index(body, "2"))
	if got := render(tree); got != "(| a:(|  b:(|   1|   (|    c:2|   )|  )|  d:{}| )| e:3|)|" {
		t.Fatal(got)
	}
	if got := tree.Path(line).Dotted(); line != 5 || got != ".a.b[1].c" {
		t.Errorf("line %d, path %s", line, got)
	}
	if got := tree.Parent(line); got != 4 {
		t.Errorf("parent at %d", got)
	}
	if got := tree.Sibling(2, 1); got != 8 {
		t.Errorf("sibling at %d", got)
	}
	if got := tree.SetOpen(7, false); got != 2 || tree.Len() != 7 {
		t.Errorf("folded from its closing line: start %d, %d lines", got, tree.Len())
	}
	if err := tree.OpenLevels(context.Background(), 9, nil); err != nil || tree.Len() != 12 {
		t.Errorf("error %v, %d lines: %s", err, tree.Len(), render(tree))
	}
	tree.OpenFamily(0, false)
	if tree.Len() != 1 {
		t.Errorf("%d lines", tree.Len())
	}
	if tree.OpenFamily(0, true); tree.Len() != 12 {
		t.Errorf("%d lines", tree.Len())
	}
}

func TestOpeningLevelsTellsHowFarItIs(t *testing.T) {
	x, err := BuildIndex(context.Background(), Bytes(customers(5000)))
	if err != nil {
		t.Fatal(err)
	}
	last, total := 0, 0
	if err := NewTree(Root(x.Source()), x, 0).OpenLevels(context.Background(), 2, func(done, of int) { last, total = done, of }); err != nil {
		t.Fatal(err)
	}
	if last != 4096 || total != 5000 {
		t.Errorf("%d of %d was told last", last, total)
	}
}

func TestTreeOverAnIndex(t *testing.T) {
	data := customers(5000)
	for levels := 1; levels <= 3; levels++ {
		x, err := BuildIndex(context.Background(), Bytes(data))
		if err != nil {
			t.Fatal(err)
		}
		tree, plain := NewTree(Root(x.Source()), x, levels), NewTree(Root(x.Source()), nil, levels)
		if tree.Len() != plain.Len() {
			t.Fatalf("level %d: %d lines with an index, %d without", levels, tree.Len(), plain.Len())
		}
		for line := 0; line < tree.Len(); line += 997 {
			a, b := tree.Line(line), plain.Line(line)
			if a.Kind != b.Kind || a.Depth != b.Depth || a.Node.from != b.Node.from {
				t.Fatalf("level %d, line %d: %+v and %+v", levels, line, a, b)
			}
		}
	}
}

func TestTreeOfLinesGrows(t *testing.T) {
	var b Buffer
	_, _ = b.Write([]byte("{\"a\":1}\n{\"a\":2}\n"))
	x := NewIndex(&b)
	done := make(chan error)
	go func() { done <- x.Run(context.Background()) }()
	for n := 0; n < 2; n, _, _ = x.Wait(context.Background(), n) {
	}
	tree := NewTree(Node{}, x, 1)
	if got := render(tree); got != "(| …| …|)|" {
		t.Error(got)
	}
	_, _ = b.Write([]byte("{\"a\":3}\n"))
	b.Close(nil)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if tree.Grow(); tree.Len() != 5 {
		t.Errorf("%d lines", tree.Len())
	}
	if got := tree.Path(3).Dotted(); got != ".[2]" {
		t.Errorf("path %s", got)
	}
}

func TestTreeHopsOverTheRecords(t *testing.T) {
	for _, size := range []int{3, 50_000} {
		body := `{"result":{"data":[` + strings.Repeat(`{"a":"]"},`, size) + `{}],"meta":{"cursor":"x"}}}`
		src := Bytes(body)
		x, err := BuildIndex(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		tree := NewTree(Root(src), x, 2)
		if want := "(| result:(|  data:…|  meta:…| )|)|"; render(tree) != want {
			t.Errorf("got %s", render(tree))
		}
		if line := tree.Reveal(strings.Index(body, "cursor")); tree.Path(line).String() != "result.meta.cursor" {
			t.Errorf("revealed %s", tree.Path(line))
		}
	}
}

// Of several arrays that no path names the one with the most records counts,
// of equal ones the outermost, and one with many wherever it stands.
func TestTheLargestArrayIsGuessed(t *testing.T) {
	many := "[" + strings.Repeat(`{"m":1},`, 300) + `{"m":1}]`
	for _, c := range []struct {
		body, path, first string
		n                 int
		cut               bool
	}{
		{`{"authors":[{"a":1}],"packages":[{"p":1},{"p":2},{"p":3}]}`, "packages", `{"p":1}`, 3, false},
		{`{"packages":[{"p":1},{"p":2}],"authors":[{"a":1}],"z":1}`, "packages", `{"p":1}`, 2, false},
		{`{"child":{"list":[{"x":1},{"x":2}]},"list":[{"y":1},{"y":2}]}`, "list", `{"y":1}`, 2, false},
		{`{"list":[{"y":1},{"y":2}],"child":{"list":[{"x":1},{"x":2}]}}`, "list", `{"y":1}`, 2, false},
		{`{"one":[{"x":1},{"x":2}],"two":[{"y":1},{"y":2}]}`, "one", `{"x":1}`, 2, false},
		{`{"few":[{"a":1},{"a":2}],"many":` + many + `,"more":[{"b":1}]}`, "many", `{"m":1}`, 301, false},
		{`{"few":[{"a":1},{"a":2}],"cut":[{"b":1`, "few", `{"a":1}`, 2, false},
		{`{"few":[{"a":1}],"cut":[{"b":1},{"b":2},{"c"`, "cut", `{"b":1}`, 3, true},
		{`{"few":[{"a":1}],"other":[{"b":1},{"b":2}],"data":[{"d":1}]}`, "data", `{"d":1}`, 1, false},
	} {
		x, _ := BuildIndex(t.Context(), Bytes(c.body))
		if x.Path().String() != c.path || x.Len() != c.n || x.CutRecord() != c.cut {
			t.Errorf("%.60s: %d records at %q, cut %v; want %d at %q, %v", c.body, x.Len(), x.Path().String(), x.CutRecord(), c.n, c.path, c.cut)
		}
		if first := string(x.Record(0).Raw()); first != c.first {
			t.Errorf("%.60s: the first record is %s", c.body, first)
		}
	}
}

// BuildIndex indexes a source and returns when done.
func BuildIndex(ctx context.Context, src Source, paths ...Path) (*Index, error) {
	x := NewIndex(src, paths...)
	return x, x.Run(ctx)
}
