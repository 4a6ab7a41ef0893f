package diff

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

var ctx = context.Background()

func words(r Result) string {
	var out []string
	for _, c := range r.Changes {
		out = append(out, fmt.Sprintf("%s %s %s->%s", c.Path.Dotted(), c.Kind, c.A.Raw(), c.B.Raw()))
	}
	return strings.Join(out, "; ")
}

func TestDiff(t *testing.T) {
	fields := []catalog.Field{{Name: "chat", Alias: "slack", Type: "object",
		Members: []catalog.Field{{Name: "id", Alias: "slack_id"}}}}
	for _, c := range []struct{ a, b, want string }{
		{`{"a":1,"b":2}`, `{"b":2.0,"a":1e0}`, ``},
		{`{"a":1}`, `{"a":2,"c":null}`, `.a changed 1->2; .c added ->null`},
		{`{"a":{"b":[1,2,3]}}`, `{"a":{"b":[1,9,2,3]}}`, `.a.b[1] added ->9`},
		{`[1,2]`, `[1]`, `.[1] removed 2->`},
		{`{"a":"x"}`, `{"a":1}`, `.a changed "x"->1`},
		{`{"a":"é"}`, `{"a":"\u00e9"}`, ``},
		{`{"slack":{"slack_id":1}}`, `{"chat":{"id":1}}`, ``},
		{`{"slack":{"slack_id":1}}`, `{"chat":{"id":2}}`, `.chat.id changed 1->2`},
		{`[{"id":1,"v":1},{"id":2}]`, `[{"id":2},{"id":1,"v":2},{"id":3}]`,
			`.[1].v changed 1->2; .[2] added ->{"id":3}`},
		{`[{"id":1},{"id":1}]`, `[{"id":1}]`, `.[1] removed {"id":1}->`},
		{`7`, `8`, `. changed 7->8`},
		{`{"a":1,"a":2}`, `{"a":1}`, ``},
	} {
		r, err := Diff(ctx, rawjson.Parse([]byte(c.a)), rawjson.Parse([]byte(c.b)), Options{Fields: fields})
		if got := words(r); err != nil || got != c.want {
			t.Errorf("%s to %s: %q, want %q (%v)", c.a, c.b, got, c.want, err)
		}
	}
}

func TestDiffIsBounded(t *testing.T) {
	var a, b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&a, "%d,", i)
		fmt.Fprintf(&b, "%d,", i+1000)
	}
	r, err := Diff(ctx, rawjson.Parse([]byte("["+a.String()+"0]")), rawjson.Parse([]byte("["+b.String()+"1]")),
		Options{Max: 10})
	if err != nil || len(r.Changes) != 10 || !r.More {
		t.Errorf("%d changes, more %v, %v", len(r.Changes), r.More, err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Diff(stopped, rawjson.Parse([]byte(`1`)), rawjson.Parse([]byte(`2`)), Options{}); err == nil {
		t.Error("a stopped comparison seems whole")
	}
	deep := func(core string) rawjson.Node {
		return rawjson.Parse([]byte(strings.Repeat(`[`, 5000) + core + strings.Repeat(`]`, 5000)))
	}
	if Equal(deep("1"), deep("2")) || !Equal(deep("1"), deep(" 1")) {
		t.Error("deep values are not told apart")
	}
}

func TestNumbersByValue(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"1", "1.000", true}, {"100", "1e2", true}, {"1E+2", "100.0", true}, {"0", "-0.0", true},
		{"0.001", "1e-3", true},
		{"12345678901234567890", "12345678901234567891", false}, {"1", "-1", false}, {"10", "1", false},
		{"1e999999999999999999999", "1", false},
	} {
		if got := Equal(rawjson.Parse([]byte(c.a)), rawjson.Parse([]byte(c.b))); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// A value never differs from itself, nor from what encoding/json makes of it,
// and what is equal has no differences.
func FuzzDiff(f *testing.F) {
	f.Add(`{"a":[1,{"id":2}]}`, `{"a":[{"id":2},1]}`)
	f.Add(`[{"id":1}]`, `[{"id":1.0}]`)
	f.Fuzz(func(t *testing.T, x, y string) {
		a, b := rawjson.Parse([]byte(x)), rawjson.Parse([]byte(y))
		r, err := Diff(ctx, a, b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid([]byte(x)) || !json.Valid([]byte(y)) || strings.Contains(x+y, `\`) || !utf8.ValidString(x+y) {
			return
		}
		if self, _ := Diff(ctx, a, a, Options{}); len(self.Changes) > 0 {
			t.Errorf("%s differs from itself: %s", x, words(self))
		}
		if again := remarshal(t, x); strings.Count(again, `"`) == strings.Count(x, `"`) &&
			!Equal(a, rawjson.Parse([]byte(again))) {
			t.Errorf("%s and %s are the same", x, again)
		}
		if Equal(a, b) && len(r.Changes) > 0 {
			t.Errorf("%s and %s are equal and differ: %s", x, y, words(r))
		}
	})
}

// remarshal writes a value again: members sorted, white space gone.
func remarshal(t *testing.T, text string) string {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func set(rows string) *records.Set {
	s := &records.Set{}
	s.Add(records.Page{Index: rawjson.IndexSpan(rawjson.Bytes(rows), 0, len(rows), nil)})
	return s
}

func TestSets(t *testing.T) {
	r, err := Sets(ctx, set(`[{"id":1},{"id":2,"v":1},{"id":3},{"x":0}]`), set(`[{"id":2,"v":2},{"id":4},{"id":1}]`),
		SetOptions{}, nil)
	if err != nil || r.Same != 1 || r.Changed != 1 || r.Removed != 1 || r.Added != 1 || r.Join.NoKey[0] != 1 {
		t.Fatalf("%+v %v", r, err)
	}
	var got []string
	for _, p := range r.Pairs {
		got = append(got, p.Key+" "+p.Kind().String())
	}
	if strings.Join(got, ", ") != "2 changed, 3 removed, 4 added" {
		t.Error(got)
	}
	r, err = Sets(ctx, set(`[{"id":1,"v":1},{"id":1,"v":2}]`), set(`[{"id":1,"v":1},{"id":1,"v":3}]`), SetOptions{},
		nil)
	if err != nil || len(r.Join.Rows) != 2 || r.Same != 1 || r.Changed != 1 {
		t.Errorf("%+v %v", r, err)
	}
	r, err = Sets(ctx, set(`[1,2]`), set(`[1,3,4]`), SetOptions{}, nil)
	if err != nil || r.Join.By != "content" || r.Same != 1 || r.Removed != 1 || r.Added != 2 {
		t.Errorf("%+v %v", r, err)
	}
	// A record that came first moves none of the others out of its pair.
	r, err = Sets(ctx, set(`[{"day":"mon","n":1},{"day":"tue","n":2}]`),
		set(`[{"day":"sun","n":2},{"day":"mon","n":1},{"day":"tue","n":3}]`), SetOptions{}, nil)
	if err != nil || r.Join.Key != "day" || r.Same != 1 || r.Changed != 1 || r.Added != 1 {
		t.Errorf("%+v %v", r, err)
	}
	r, err = Sets(ctx, set(`[{"a":1},{"a":1}]`), set(`[{"a":2},{"a":1},{"a":1}]`), SetOptions{}, nil)
	if err != nil || r.Join.By != "content" || r.Same != 2 || r.Added != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

func BenchmarkSets(b *testing.B) {
	var rows strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&rows, `{"id":%d,"name":"n%d","address":{"city":"Kraków"},"tags":["a","b"]},`, i, i)
	}
	x, y := set("["+rows.String()+"{}]"), set("["+strings.ReplaceAll(rows.String(), "n77", "m77")+"{}]")
	for b.Loop() {
		if r, err := Sets(ctx, x, y, SetOptions{}, nil); err != nil || r.Changed == 0 {
			b.Fatal(err)
		}
	}
}
