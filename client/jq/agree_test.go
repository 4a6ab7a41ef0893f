package jq

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
	"pgregory.net/rapid"

	"patchbay/client/rawjson/jsongen"
)

// programs are what people write, and what the language has in odd corners.
var programs = []string{
	".", ".a", ".a.b?", `."a b"`, ".[0]", ".[-1]", ".[1:3]", ".[:-1]", ".[]?", "..", ".a?", ".a // \"none\"", "keys?", "length?",
	"map(.a?)", "map(select(.a? != null))?", "to_entries?", "with_entries(.value |= tostring)?", "[.[]?] | sort", "sort_by(.a?)?",
	"group_by(.a?)?", "unique?", "[paths]", "[leaf_paths]", "[.. | numbers]", "[.. | strings]", "tostream", "[tostream] | fromstream(.[])",
	"tojson", "tojson | fromjson", "type", "@text", "@json", "@html", "@uri", "@csv?", "@tsv?", "@base64", "@sh?",
	"\"a\\(.)b\"", "{a: .}", "{\"x\": 1, (\"a\",\"b\"): .}", "[.,.]", "., .", "empty", "try error(\"x\") catch .", "try error catch .",
	".a = 1", ".a |= 2", ".[0] = 3", "del(.a?)", "to_entries?", "reduce .[]? as $x (0; . + 1)", "foreach range(5) as $i (0; . + $i; [$i, .])",
	"limit(3; repeat(1))", "first(.[]?)", "[range(0; 10; 3)]", "any", "all", "flatten?", "add?", "join(\",\")?", "ascii_downcase?",
	"split(\",\")?", "test(\"a\")?", "[match(\"[a-z]+\"; \"g\")?]", "gsub(\"a\"; \"b\")?", "ltrimstr(\"a\")", "explode?", "tonumber?",
	"(1, 2) * (3, 4)", "[(1, 2) * (3, 4) * (5, 6)]", "(1, 2) - (3, 4)", "(3, 4) / (1, 2)", "2 * 3 + 4 * 5", "1 - 2 * 3 - 4", "2 * 3 % 4 * 5",
	"\"ab\" * (0, 1, 3)", "(0.5, 1) * \"ab\"", "\"ab\" * -1", "{a: {b: 1}} * {a: {c: 2}}", "[] * 2", "null * 2", ". * 2", "1 * empty",
	".a *= 2", ".n *= (2, 3)", ".. |= .", "-(1 * 2)", "[.[]? * 2]", "def f(x): x * x; f(1, 2)", "def f: . * 2; 3 | f", "2 as $x | $x * $x",
	"1e1000 * 1", "12345678901234567890 * 10", "0.1 * 3", "1 * 0 / 1", "try (1 * \"a\" * {}) catch .", "reduce (1, 2, 3) as $x (1; . * $x)",
	"[limit(5; 1 | recurse(. * 2))]", "if . * 0? == 0 then 1 else 2 end", "{a: (2 * 3)}", "[1, 2 * 3]", "\"\\(2 * 3)\"", ".[2 * 1]?", "label $out | 1 * 2, break $out",
	"input_line_number", "$__loc__", "ltrimstr(1)", "splits(\", *\")?", "env | length", "getpath([\"a\", \"b\"])?", "now | type",
	"todate?", "fromdate?", "strptime(\"%Y\")?", "infinite", "nan | isnan", "-0", "[nan] | sort", "min?", "max_by(.a?)?", "transpose?", "@base64d?",
	"input", "[inputs]", "[., input?]", "first(inputs)", "limit(1; inputs)", "indices(1)?", "inside([1])?", "contains(\"a\")?", "walk(.)", "getpath(paths)", "error", "error(null)", "halt_error?", "a", ".[", "1 as [$a] | $a",
}

var agreedInputs = []string{
	"null", "true", "0", "-1.50", "1e400", "12345678901234567890", `""`, `"a,b \u0000 日本"`, "[]", "[1,[2,null],\"x\"]", "{}",
	`{"a":1,"n":2.5}`, `{"a":{"b":[1,2]},"a b":"x"}`, `[{"a":2,"b":"x"},{"a":1},{"c":null}]`, `"2026-03-01T00:00:00Z"`, `{"b":1,"a":2,"b":3}`,
}

// What a program gives within our bounds is what it gives in gojq alone.
func TestAgreesWithGojq(t *testing.T) {
	for _, program := range programs {
		for i := range agreedInputs {
			agrees(t, program, agreedInputs[i:min(i+3, len(agreedInputs))])
		}
	}
}

// The same of programs that are put together, over any JSON.
func TestComposedProgramsAgreeWithGojq(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(jsongen.Value(2), 1, 3).Draw(t, "inputs")
		agrees(t, drawProgram(t, 3), texts)
	})
}

// drawProgram joins short programs by what the language joins with.
func drawProgram(t *rapid.T, depth int) string {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "join") == 0 {
		return rapid.SampledFrom([]string{".", ".a?", ".[]?", "1", "2.5", "\"ab\"", "null", "[1, 2]", "{a: 1}", "(.a?, 3)", "length?",
			"empty", "12345678901234567890"}).Draw(t, "program")
	}
	form := rapid.SampledFrom([]string{"(%s) * (%s)", "(%s) + (%s)", "(%s) - (%s)", "(%s) / (%s)", "(%s) | (%s)", "(%s), (%s)", "[%s] | map(%s)",
		"if %s then %s else 0 end", "try (%s) catch (%s)", "(%s) as $x | $x * (%s)", "reduce (%s) as $x (1; . * (%s))", "(%s) // (%s)",
		"{a: (%s)} | .a *= (%s)", "(%s) %% (%s)", "(%s) == (%s)", "def f(x): x * x; f(%s), (%s)", "first(%s) * (%s)"}).Draw(t, "form")
	return fmt.Sprintf(form, drawProgram(t, depth-1), drawProgram(t, depth-1))
}

// failing is what both kinds of tests are.
type failing interface {
	Helper()
	Fatalf(format string, args ...any)
}

func agrees(t failing, program string, texts []string) {
	t.Helper()
	want, wantFailed, known := plainly(program, texts)
	p, err := Compile(program)
	if (err == nil) != known {
		t.Fatalf("%s: ours compiles with %v, gojq alone: %v", program, err, known)
	}
	if err != nil {
		return
	}
	var out Results
	stats, err := p.Run(ctx, inputs(texts...), &out, Options{MaxResults: 2000})
	if err != nil {
		t.Fatalf("%s over %q: %v", program, texts, err)
	}
	if stats.Stopped != "" {
		return
	}
	var got []string
	for i := range out.Len() {
		got = append(got, string(out.Node(i).Raw()))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || (stats.Failed > 0) != wantFailed {
		t.Fatalf("%s over %q\ngives  %q (%d failed, %s)\nnot as %q (failed: %v)", program, texts, got, stats.Failed, stats.FirstError, want, wantFailed)
	}
}

// plainly runs a program in gojq without anything of ours; known is false for no program.
func plainly(program string, texts []string) (results []string, failed, known bool) {
	q, err := gojq.Parse(program)
	if err != nil {
		return nil, false, false
	}
	values := make([]any, len(texts))
	for i, text := range texts {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&values[i]); err != nil {
			panic(err) // what is drawn is JSON
		}
	}
	more := &queue{values}
	code, err := gojq.Compile(q, gojq.WithEnvironLoader(func() []string { return nil }), gojq.WithInputIter(more))
	if err != nil {
		return nil, false, false
	}
	for {
		v, ok := more.Next()
		if !ok {
			return results, failed, true
		}
		for it := code.RunWithContext(ctx, v); ; {
			v, ok := it.Next()
			if !ok {
				break
			}
			if err, bad := v.(error); bad {
				if halt, halted := errors.AsType[*gojq.HaltError](err); halted && halt.Value() == nil {
					return results, failed, true
				}
				failed = true
				break
			}
			results = append(results, written(v))
		}
	}
}

// queue are inputs for a program that takes them itself.
type queue struct{ left []any }

// Next implements gojq.Iter.
func (q *queue) Next() (any, bool) {
	if len(q.left) == 0 {
		return nil, false
	}
	v := q.left[0]
	q.left = q.left[1:]
	return v, true
}

// written is a result as gojq itself writes it.
func written(v any) string {
	text, err := gojq.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
