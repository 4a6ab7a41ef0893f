package jq

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"patchbay/client/rawjson"
	"patchbay/client/records"
)

var ctx = context.Background()

func inputs(texts ...string) iter.Seq[rawjson.Node] {
	return func(yield func(rawjson.Node) bool) {
		for _, s := range texts {
			if !yield(rawjson.Parse([]byte(s))) {
				return
			}
		}
	}
}

func play(t *testing.T, query string, o Options, texts ...string) (string, Stats) {
	t.Helper()
	p, err := Compile(query)
	if err != nil {
		t.Fatal(err)
	}
	var out Results
	stats, err := p.Run(ctx, inputs(texts...), &out, o)
	if err != nil {
		t.Fatal(err)
	}
	src := out.Source()
	return strings.ReplaceAll(string(src.Slice(0, src.Len())), "\n", " "), stats
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		query string
		o     Options
		in    []string
		want  string
	}{
		{"", Options{}, []string{`{"b":1,"a":"x"}`}, `{"a":"x","b":1} `},
		{".a", Options{}, []string{`{"a":1}`, `{"a":null}`}, "1 null "},
		{".[]", Options{}, []string{`[1.50,12345678901234567890,1e2,0.1]`}, "1.50 12345678901234567890 1e2 0.1 "},
		{".a + 1", Options{}, []string{`{"a":12345678901234567890}`}, "12345678901234567891 "},
		{"[., inputs] | length", Options{}, []string{`1`, `2`, `3`}, "3 "},
		{"[., inputs] | map(.x) | add", Options{}, []string{`{"x":1}`, `{"x":2}`}, "3 "},
		{"[., input]", Options{}, []string{`1`, `2`, `3`, `4`}, "[1,2] [3,4] "},
		{"env | length", Options{}, []string{`1`}, "0 "},
		{"$ENV | length", Options{}, []string{`1`}, "0 "},
		{"\"<a&b>\"", Options{}, []string{`1`}, `"<a&b>" `},
		{"range(10)", Options{MaxResults: 3}, []string{`1`, `2`}, "0 1 2 "},
		{".", Options{}, nil, ""},
		{"select(.a)", Options{}, []string{`{"a":false}`}, ""},
		{"nan", Options{}, []string{`1`}, "null "},
	} {
		if got, _ := play(t, c.query, c.o, c.in...); got != c.want {
			t.Errorf("%s: %q, want %q", c.query, got, c.want)
		}
	}
}

func TestFailuresLeaveTheRest(t *testing.T) {
	got, stats := play(t, ".a | tonumber", Options{}, `{"a":"1"}`, `{"a":[]}`, `{"a":"x"}`, `{"a":4}`)
	if got != "1 4 " || stats.Failed != 2 || stats.FirstFailed != 1 || stats.FirstError == "" || stats.Inputs != 4 {
		t.Errorf("%q %+v", got, stats)
	}
	if got, stats := play(t, "1, halt", Options{}, `0`, `0`); got != "1 " || stats.Failed != 0 {
		t.Errorf("%q %+v", got, stats)
	}
	p, err := Compile(".")
	if err != nil {
		t.Fatal(err)
	}
	var out Results
	if _, err := p.Run(ctx, inputs(`1`, `{"a":`), &out, Options{}); err == nil || !strings.Contains(err.Error(), "input 2") || out.Len() != 1 {
		t.Error(err)
	}
}

func TestCompileErrors(t *testing.T) {
	for _, c := range []struct {
		query  string
		offset int
	}{
		{".a | foo", 5},
		{".foo | $x", 7},
		{".a | .foo | foo", 12},
		{".a |", 4},
		{".a | ]", 5},
		{"{a: \"x", 6},
	} {
		_, err := Compile(c.query)
		var e *Error
		if !errors.As(err, &e) || e.Offset != c.offset || e.Error() == "" {
			t.Errorf("%s: %+v", c.query, e)
		}
	}
}

func TestBounds(t *testing.T) {
	if _, stats := play(t, "def f: f; f", Options{MaxTime: time.Millisecond}, `1`); stats.Stopped != "time" {
		t.Errorf("%+v", stats)
	}
	if got, stats := play(t, "range(1000000)", Options{MaxBytes: 20}, `1`); stats.Stopped != "bytes" || len(got) > 20 {
		t.Errorf("%q %+v", got, stats)
	}
	stopped, cancel := context.WithCancel(ctx)
	p, err := Compile("range(1e9)")
	if err != nil {
		t.Fatal(err)
	}
	var out Results
	_, err = p.Run(stopped, func(yield func(rawjson.Node) bool) { cancel(); yield(rawjson.Parse([]byte("1"))) }, &out, Options{})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What a program makes must not take the machine's memory, however it is made.
func TestMemoryIsBounded(t *testing.T) {
	for _, c := range []struct {
		query string
		o     Options
		want  string
	}{
		{"[range(1e12)]", Options{MaxMemory: 8 << 20}, "it held more than 8 MB beside its input and results"},
		{"[range(1e12) | \"text\\(.)\"]", Options{MaxMemory: 8 << 20}, "it held more than 8 MB"},
		{"reduce range(1e12) as $i (\"ab\"; . + .)", Options{MaxMemory: 8 << 20}, "it held more than 8 MB"},
		{"range(1e12)", Options{MaxBytes: 3 << 20}, "more than 3 MB of results are not kept"},
		{"range(1e12)", Options{MaxResults: 40}, "more than 40 results are not kept"},
	} {
		p, err := Compile(c.query)
		if err != nil {
			t.Fatal(err)
		}
		var out Results
		stats, err := p.Run(ctx, inputs(`1`, `2`), &out, c.o)
		if err != nil || stats.Stopped == "" || !strings.HasPrefix(stats.Bound, c.want) {
			t.Errorf("%s: %+v, %v", c.query, stats, err)
		}
	}
}

func TestOneResultIsBounded(t *testing.T) {
	for query, want := range map[string]string{
		`"a" * 3e6`:                                "a result is larger than 1 MB",
		`reduce range(64) as $i (1; [., .])`:       "a result is larger than 1 MB",
		`reduce range(64) as $i (1; {a: ., b: .})`: "a result is larger than 1 MB",
		`reduce range(20000) as $i (1; [.])`:       "a result is nested more than 10000 levels deep",
	} {
		// The input after the one that fails is taken all the same.
		got, stats := play(t, "if . == 1 then ("+query+") else . end", Options{MaxResult: 1 << 20}, `1`, `2`)
		if got != "2 " || stats.Failed != 1 || !strings.HasPrefix(stats.FirstError, want) {
			t.Errorf("%s: %.60q %+v", query, got, stats)
		}
	}
}

// Programs multiply as they always do, but for texts of any size.
func TestProducts(t *testing.T) {
	for query, want := range map[string]string{
		`2 * 3`:                           "6 ",
		`[(1, 2) * (3, 4)]`:               "[3,6,4,8] ",
		`.a * 2 + 1`:                      "7 ",
		`def f(x): x * x; f(.a) * 2`:      "18 ",
		`"ab" * 3`:                        `"ababab" `,
		`3 * "ab"`:                        `"ababab" `,
		`{a: {b: 1}} * {a: {c: 2}}`:       `{"a":{"b":1,"c":2}} `,
		`123456789012 * 123456789012`:     "15241578753153483936144 ",
		`[.a] | map(. * 2 | "\(. * 10)")`: `["60"] `,
		`if .a * 1 == 3 then (reduce range(3) as $i (1; . * 2)) else {x: (2 * 2)} end`: "8 ",
		`try ("a" * {}) catch "no"`:                                 `"no" `,
		`try ("a" * 1e9) catch .`:                                   `"a repeated text would be larger than 64 MB" `,
		`try (.b = "a" | .b *= 1e9) catch .`:                        `"a repeated text would be larger than 64 MB" `,
		`[.a *= (2, 3) | .a]`:                                       "[6,9] ",
		`.b = [1] | .b[0] *= .a | .b`:                               "[3] ",
		`[limit(3; repeat(1) * 2)]`:                                 "[2,2,2] ",
		`.a as $x | [$x * $x, (-$x) * 2] | . as [$p, $q] | $p * $q`: "-54 ",
	} {
		if got, stats := play(t, query, Options{}, `{"a":3}`); got != want {
			t.Errorf("%s: %q, want %q (%s)", query, got, want, stats.FirstError)
		}
	}
}

// A value that holds another one many times over is small, and endless as text: no step
// of a program writes it.
func TestSharedPartsAreNotWritten(t *testing.T) {
	for _, step := range []string{"tojson", "tostring", "@json", "@text", "@html", `"\(.)"`, `@json "\(.)"`, "flatten", "flatten(99)",
		`{"\(.)": 1}`, `.["\(.)"]?`, "map(tojson)", "tojson[1:2]", "[limit(1; tojson)]", "add", `join("")`} {
		if p, err := Compile(step); err != nil || !strings.Contains(p.query.String(), looked) {
			t.Errorf("%s does not look first: %v", step, err)
		}
	}
	for _, program := range []string{"reduce range(60) as $i (1; [., .]) | tojson", `"x" * 60000000 | [., ., ., ., .] | add`} {
		if got, stats := play(t, program, Options{}, "1"); stats.FirstError != "a value written as text would be larger than 256 MB" {
			t.Errorf("%s gives %.100s (%s)", program, got, stats.FirstError)
		}
	}
	for _, step := range []string{"error", "halt_error", "error({a: .})", ". + 1", "1 / .", "ascii_downcase", "test(.)", ".a", "error(.) as $x | 1"} {
		if got, stats := play(t, "reduce range(60) as $i (1; [., .]) | "+step, Options{}, "1"); stats.Failed != 1 || len(stats.FirstError) > 1000 {
			t.Errorf("%s gives %.100s (%.100s)", step, got, stats.FirstError)
		}
	}
}

func TestResultsAreBrowsed(t *testing.T) {
	body := `[{"id":1,"v":{"data":[1]}},{"id":2,"v":{"data":[2]}}]`
	set := &records.Set{}
	set.Add(records.Page{Index: rawjson.IndexSpan(rawjson.Bytes(body), 0, len(body), nil)})
	p, err := Compile(".v")
	if err != nil {
		t.Fatal(err)
	}
	var out Results
	if _, err := p.Run(ctx, Records(set, nil), &out, Options{}); err != nil {
		t.Fatal(err)
	}
	if path := rawjson.PathAt(out.Index().Record(1), out.Len()*10).Dotted(); path != ".data" {
		t.Errorf("a value of the second result stands at %s", path)
	}
	if x := out.Index(); x.Len() != 2 || string(x.Record(1).Raw()) != `{"data":[2]}` || out.Node(5).Exists() {
		t.Errorf("%d records, %s", x.Len(), x.Record(1).Raw())
	}
	var some Results
	if _, err := p.Run(ctx, Records(set, []int32{1}), &some, Options{}); err != nil || some.Len() != 1 {
		t.Errorf("%d results, %v", some.Len(), err)
	}
	var whole Results
	all, err := Compile("map(.id)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all.Run(ctx, Bodies(rawjson.Bytes(body), nil), &whole, Options{}); err != nil || whole.Index().Len() != 2 {
		t.Errorf("%d records in the one array, %v", whole.Index().Len(), err)
	}
	first, err := p.First(ctx, set.Record(0))
	if err != nil || string(first) != `{"data":[1]}` {
		t.Errorf("%s %v", first, err)
	}
	if _, err := p.First(ctx, rawjson.Parse([]byte(`1`))); err == nil {
		t.Error("a failing column gives no error")
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{".", ".a[0] | map(.b)", "def f(x): x; f(.)", "$__loc__", "@base64 \"\\(.)\"", "try error(.) catch ."} {
		f.Add(s, `{"a":[{"b":1}]}`)
	}
	f.Fuzz(func(t *testing.T, query, input string) {
		p, err := Compile(query)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset > len(query)+1 {
				t.Errorf("%q: %+v", query, e)
			}
			return
		}
		short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		var out Results
		_, _ = p.Run(short, inputs(input), &out, Options{MaxResults: 5, MaxBytes: 1 << 16})
		for i := range out.Len() {
			if !rawjson.Valid(out.Node(i).Raw()) {
				t.Errorf("%q gives %q", query, out.Node(i).Raw())
			}
		}
	})
}

func BenchmarkRun(b *testing.B) {
	p, err := Compile(".id")
	if err != nil {
		b.Fatal(err)
	}
	row := `{"id":1,"name":"x","address":{"city":"Kraków"}}`
	body := "[" + strings.Repeat(row+",", 9999) + row + "]"
	set := &records.Set{}
	set.Add(records.Page{Index: rawjson.IndexSpan(rawjson.Bytes(body), 0, len(body), nil)})
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		var out Results
		if _, err := p.Run(ctx, Records(set, nil), &out, Options{}); err != nil || out.Len() != 10000 {
			b.Fatal(err)
		}
	}
}

func TestLinesTogetherAreAnArray(t *testing.T) {
	body := rawjson.Bytes("{\"n\":1}\n{\"n\" 2}\n{\"n\":3}\n")
	x := rawjson.NewIndex(body)
	if err := x.Run(ctx); err != nil {
		t.Fatal(err)
	}
	p, err := Compile("map(.n), .[2].n")
	if err != nil {
		t.Fatal(err)
	}
	var out Results
	if _, err := p.Run(ctx, Together(x), &out, Options{}); err != nil || out.Len() != 2 {
		t.Fatalf("%d results, %v", out.Len(), err)
	}
	if got := string(out.Node(0).Raw()) + " " + string(out.Node(1).Raw()); got != "[1,null,3] 3" {
		t.Error(got)
	}
}

// What the copied path of a value names is that value, whatever its key.
func TestPathsAreProgramsThatFindTheirValue(t *testing.T) {
	for _, key := range []string{"a", "x.y", `q"uo`, "sl/ash", "til~de", "sp ace", "", "ünï日", `back\s`, "n\nl", "$d", "-m", "9n", "if", "and", "def",
		"__loc__", "reduce", `\(x)`, "'s", "[0]", "a[]", "?", "..", "\x7f", "\u200b", "@base64"} {
		path := rawjson.Path{rawjson.At(1), rawjson.Name(key), rawjson.Name(key), rawjson.At(0)}
		quoted := string(rawjson.AppendQuoted(nil, key))
		got, stats := play(t, path.JQ(), Options{}, `[0,{"other":1,`+quoted+`:{`+quoted+`:[7]}}]`)
		if strings.TrimSpace(got) != "7" {
			t.Errorf("%s gives %q (%s)", path.JQ(), got, stats.FirstError)
		}
	}
}

// A step that makes much of little fails where it would be too much, and takes no memory;
// a small one gives what it always gives.
func TestStepsAreBounded(t *testing.T) {
	const double = "reduce range(40) as $i (\"x\"; [.,.]) | "
	for _, query := range []string{double + "tojson", double + "tostring", double + "@json", double + "\"a\\(.)b\"", double + "flatten",
		double + "@base64", `"x"*1000000 as $x | [limit(1000; repeat($x))] | add`, `"x"*1000000 as $x | [limit(1000; repeat($x))] | join("")`,
		`[range(100000)] | join("x"*100000)`, `[range(100000) | tostring] | join("x"*100000, "")`, `"x"*60000000 | explode`,
		`"x"*60000000 / ""`, `"x"*60000000 | split("")`, `"ab"*30000000 | indices("a")`, `"a"*1000000 | gsub("a"; "b")`,
		`"a"*1000000 | [scan("a")]`, `"a"*1000000 | [splits("a")]`, `"a"*1000000 | [match("a"; "g")]`} {
		out, stats := play(t, query+" | length", Options{MaxTime: 20 * time.Second}, "null")
		if stats.Failed != 1 || stats.Stopped != "" {
			t.Errorf("%s: %s, %+v", query, out, stats)
		}
	}
	for query, want := range map[string]string{
		`"a\(1+1)b\([1,"x"])"`: `"a2b[1,\"x\"]" `, `@csv "\([1,"a,b"])!"`: `"1,\"a,b\"!" `, `[1,2]|@csv`: `"1,2" `, `[1,2]|tojson[0:2]`: `"[1" `,
		`["a","b"]|join("-","+")`: `"a-b" "a+b" `, `def join(x): "own"; [1]|join(",")`: `"own" `, `["a","b"]|add`: `"ab" `,
		`"a,b"/","|length`: "2 ", `8/2`: "4 ", `"a,b,a"|split(",")|.[0]`: `"a" `, `[[1],[[2]]]|flatten(1)`: "[1,[2]] ",
		`[.a,.b]|join(";")`: `"1;2" `, `"aXbX"|gsub("X";"-")`: `"a-b-" `, `"\("x" as $y | $y)"`: `"x" `, `[1,[2]]|tostring|fromjson|.[1][0]`: "2 ",
		`"abab"|indices("b")`: "[1,3] ", `try ([1]|implode|error) catch "no"`: `"no" `, `add(.a,.b)`: "3 ",
	} {
		if out, stats := play(t, query, Options{}, `{"a":1,"b":2}`); out != want || stats.Failed > 0 {
			t.Errorf("%s: %s, want %s; %+v", query, out, want, stats)
		}
	}
}
