package form

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

var noon = time.Date(2026, 3, 10, 12, 30, 0, 0, time.UTC)

func options() Options { return Options{Now: func() time.Time { return noon }} }

type generator struct{ r *rand.Rand }

// value makes a value of the field's type, with nulls and unknown members strewn in.
func (g generator) value(f *catalog.Field, depth int) string {
	types := strings.Split(f.Type, "|")
	switch types[g.r.IntN(len(types))] {
	case "integer":
		return fmt.Sprint(g.r.Int64N(1000) - 10)
	case "number":
		return []string{"1.50", "-0.0", "1e3", "12345678901234567890"}[g.r.IntN(4)]
	case "boolean":
		return "true"
	case "array":
		if depth > 4 {
			return "[]"
		}
		item := f.Items
		if item == nil {
			item = &anyField
		}
		return "[" + g.value(item, depth+1) + "," + g.value(item, depth+1) + ",null]"
	case "object":
		return g.object(f.Members, depth+1)
	case "any":
		return []string{`"x"`, "1", "[1,{}]", `{"a":null}`, "false"}[g.r.IntN(5)]
	}
	return []string{`""`, `"a,b,,c"`, `"é \u0041 \/ \ud83d\ude42"`, `"2026-01-02"`, `"$x 'y' \"z\""`}[g.r.IntN(5)]
}

func (g generator) object(fields []catalog.Field, depth int) string {
	parts := []string{}
	for _, i := range g.r.Perm(len(fields)) {
		switch g.r.IntN(5) {
		case 0:
		case 1:
			parts = append(parts, string(rawjson.AppendQuoted(nil, fields[i].Name))+":null")
		default:
			parts = append(parts, string(rawjson.AppendQuoted(nil, fields[i].Name))+":"+g.value(&fields[i], depth))
		}
	}
	if depth < 5 && g.r.IntN(3) == 0 {
		parts = append(parts, `"un/known~ .[0]":{"deep":[1.0,"é"]}`)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func eachAction(t testing.TB, f func(k *catalog.Kind, e *catalog.Entity, a *catalog.Action)) {
	t.Helper()
	c := catalog.New()
	count := 0
	for _, s := range c.Kinds() {
		k, err := c.Kind(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			for j := range k.Entities[i].Actions {
				f(k, &k.Entities[i], &k.Entities[i].Actions[j])
				count++
			}
		}
	}
	if count < 558 {
		t.Fatalf("only %d actions were walked", count)
	}
}

func TestEveryActionKeepsItsValue(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	eachAction(t, func(k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
		name := k.Name + "." + e.Name + "." + a.Name
		f := ForAction(a, options())
		if got := string(f.JSON()); got != "{}" {
			t.Fatalf("%s: an empty form is %s", name, got)
		}
		for range 3 {
			want := g.object(a.Params, 0)
			if err := f.SetJSON([]byte(want)); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, want)
			}
			if got := string(f.JSON()); got != want {
				t.Fatalf("%s changed\nwant %s\ngot  %s", name, want, got)
			}
			unfold(f)
			if got := string(f.JSON()); got != want {
				t.Fatalf("%s: looking at it changed %s to %s", name, want, got)
			}
			f.Problems()
			copyRows(t, name, f, want)
		}
	})
}

func unfold(f *Form) {
	f.Fold(FoldRest, true)
	for i := 0; i < len(f.Rows()); i++ {
		if r := f.Rows()[i]; r.Expandable && !r.Expanded {
			f.Fold(r.Path, true)
		}
	}
}

// copyRows checks that every row can be found by its path, and that setting a
// value to itself changes nothing.
func copyRows(t *testing.T, name string, f *Form, want string) {
	t.Helper()
	for _, r := range slices.Clone(f.Rows()) {
		if r.Path == FoldRest {
			continue
		}
		got, ok := f.Row(r.Path)
		if !ok || got.State != r.State || got.Label != r.Label {
			t.Fatalf("%s: %s is %+v in the rows and %+v by itself", name, r.Path, r, got)
		}
		if raw := f.ValueJSON(r.Path); raw != nil {
			if err := f.SetValue(r.Path, raw); err != nil {
				t.Fatalf("%s: %s: %v", name, r.Path, err)
			}
		}
	}
	// A row of a joined text is written again, which may spell its escapes anew.
	if got := string(f.JSON()); !sameJSON([]byte(got), []byte(want)) {
		t.Fatalf("%s: setting the values again changed %s to %s", name, want, got)
	}
}

// What the catalog's own checks take as right, the form takes too.
func TestRequiredTellsOnEveryAction(t *testing.T) {
	eachAction(t, func(k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
		f := ForAction(a, options())
		required := 0
		for _, p := range a.Params {
			if p.Required && !p.Injected && !(p.Send && p.In != "query") {
				required++
			}
		}
		marked := 0
		for _, r := range f.Rows() {
			if r.Required && strings.HasSuffix(r.Error, "is required") {
				marked++
			}
		}
		if marked != required {
			t.Errorf("%s.%s.%s: %d of %d required inputs are marked", k.Name, e.Name, a.Name, marked, required)
		}
	})
}

// A default that is sent is told where it is left out, and not asked for.
func TestSentDefaultsAreTold(t *testing.T) {
	a := &catalog.Action{Params: []catalog.Field{
		{Name: "q", Type: "string", Required: true, Send: true, In: "query", Default: json.RawMessage(`"all of it"`)},
		{Name: "sort", Type: "string", Default: json.RawMessage(`"asc"`)}}}
	o := options()
	o.Filled = func(f *catalog.Field) bool { return f.Send }
	local, hosted := ForAction(a, o), ForAction(a, options())
	row, _ := local.Row(Path("/q"))
	if row.Display != "sent as all of it" || row.Required || len(local.Problems()) > 0 {
		t.Errorf("a local call: %+v, %v", row, local.Problems())
	}
	if row, _ = local.Row(Path("/sort")); row.Display != "" || row.Hint != "default asc" {
		t.Errorf("a default that is only described: %+v", row)
	}
	if row, _ = hosted.Row(Path("/q")); row.Display != "" || !row.Required || len(hosted.Problems()) != 1 {
		t.Errorf("a hosted call: %+v, %v", row, hosted.Problems())
	}
}

func fl(n float64) *float64 { return &n }

func fields() []catalog.Field {
	return []catalog.Field{
		{Name: "id", Type: "string", Required: true},
		{Name: "limit", Type: "integer", Min: fl(1), Max: fl(100), Default: json.RawMessage("10")},
		{Name: "ratio", Type: "number", Nullable: true},
		{Name: "flag", Type: "boolean"},
		{Name: "state", Type: "string", Enum: []json.RawMessage{[]byte(`"open"`), []byte(`"closed"`)}},
		{Name: "states", Type: "string", Separator: ",", Enum: []json.RawMessage{[]byte(`"open"`), []byte(`"closed"`)}},
		{Name: "created", Type: "object", Members: []catalog.Field{{Name: "gt", Type: "integer", Format: "unix"}, {Name: "lt", Type: "integer", Format: "unix-ms"}}},
		{Name: "since", Type: "string", Format: "date-time"},
		{Name: "day", Type: "string", Format: "date"},
		{Name: "parent", Type: "object", OneOf: true, Members: []catalog.Field{{Name: "page_id", Type: "string"}, {Name: "database_id", Type: "string"}}},
		{Name: "items", Type: "array", MaxItems: 3, Items: &catalog.Field{Type: "object", Members: []catalog.Field{{Name: "n", Type: "integer"}}}},
		{Name: "tags", Type: "array", Items: &catalog.Field{Type: "string"}},
		{Name: "meta", Type: "object", Values: &catalog.Field{Type: "string"}},
		{Name: "ref", Type: "integer|string"},
		{Name: "free", Type: "any"},
		{Name: "doc", Type: "object", Format: "document", Members: []catalog.Field{{Name: "type", Type: "string"}, {Name: "version", Type: "integer"}, {Name: "content", Type: "array"}}},
		{Name: "market", Type: "string", Required: true, Injected: true},
		{Name: "password", Type: "string", Secret: true},
	}
}

func TestSetText(t *testing.T) {
	cases := []struct{ path, text, want, err string }{
		{"/id", "a\"b", `{"id":"a\"b"}`, ""},
		{"/limit", "50", `{"limit":50}`, ""},
		{"/limit", "500", `{"limit":500}`, "outside 1 to 100"},
		{"/limit", "5.5", `{"limit":"5.5"}`, "whole"},
		{"/limit", "x", `{"limit":"x"}`, "wants a whole number"},
		{"/ratio", "1.50", `{"ratio":1.50}`, ""},
		{"/flag", "yes", `{"flag":true}`, ""},
		{"/flag", "maybe", `{"flag":"maybe"}`, "true or false"},
		{"/state", "open", `{"state":"open"}`, ""},
		{"/state", "opne", `{"state":"opne"}`, "open, closed"},
		{"/states", "open,closed", `{"states":"open,closed"}`, ""},
		{"/states", "open,x", `{"states":"open,x"}`, "open, closed"},
		{"/created/gt", "2026-01-01", `{"created":{"gt":1767225600}}`, ""},
		{"/created/gt", "-7d", `{"created":{"gt":1772541000}}`, ""},
		{"/created/gt", "123", `{"created":{"gt":123}}`, ""},
		{"/created/lt", "today", `{"created":{"lt":1773100800000}}`, ""},
		{"/since", "now", `{"since":"2026-03-10T12:30:00Z"}`, ""},
		{"/since", "+2h", `{"since":"2026-03-10T14:30:00Z"}`, ""},
		{"/since", "2026-03-10T12:30:00.250+02:00", `{"since":"2026-03-10T12:30:00.250+02:00"}`, ""},
		{"/since", "soon", `{"since":"soon"}`, "not a date"},
		{"/day", "-1mo", `{"day":"2026-02-10"}`, ""},
		{"/ref", "5", `{"ref":5}`, ""},
		{"/ref", "5a", `{"ref":"5a"}`, ""},
		{"/free", `{"a": [1]}`, `{"free":{"a":[1]}}`, ""},
		{"/free", "plain", `{"free":"plain"}`, ""},
		{"/doc", "hello", `{"doc":{"type":"doc","version":1,"content":[{"type":"paragraph","content":[{"type":"text","text":"hello"}]}]}}`, ""},
		{"/tags", `["a"]`, `{"tags":["a"]}`, ""},
		{"/tags", `["a"`, `{"tags":"[\"a\""}`, "line 1"},
		{"/none", "x", `{}`, "no input none"},
		{"/id", "", `{}`, ""},
	}
	for _, c := range cases {
		f := New(fields(), options())
		err := f.SetText(Path(c.path), c.text)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s = %q: error %v, want %q", c.path, c.text, err, c.err)
		}
		if got := string(f.JSON()); got != c.want {
			t.Errorf("%s = %q: %s, want %s", c.path, c.text, got, c.want)
		}
		if r, ok := f.Row(Path(c.path)); ok && c.err != "" && (r.Error == "" || r.Edit != c.text) {
			t.Errorf("%s = %q: the row is %+v", c.path, c.text, r)
		}
	}
}

func TestStates(t *testing.T) {
	f := New(fields(), options())
	steps := []struct {
		do   func() error
		want string
	}{
		{func() error { return f.SetEmpty("/id") }, `{"id":""}`},
		{func() error { return f.SetNull("/ratio") }, `{"id":"","ratio":null}`},
		{func() error { return f.SetEmpty("/tags") }, `{"id":"","ratio":null,"tags":[]}`},
		{func() error { return f.SetEmpty("/created") }, `{"id":"","ratio":null,"tags":[],"created":{}}`},
		{func() error { return f.Unset("/id") }, `{"ratio":null,"tags":[],"created":{}}`},
		{func() error { return f.SetText("/created/gt", "5") }, `{"ratio":null,"tags":[],"created":{"gt":5}}`},
		{func() error { return f.Unset("/created/gt") }, `{"ratio":null,"tags":[],"created":{}}`},
		{func() error { return f.Unset("/created") }, `{"ratio":null,"tags":[]}`},
		{func() error { return f.SetText("/created/gt", "5") }, `{"ratio":null,"tags":[],"created":{"gt":5}}`},
		{func() error { return f.Unset("/created/gt") }, `{"ratio":null,"tags":[]}`},
		{func() error { return f.Unset("/ratio") }, `{"tags":[]}`},
		{func() error { return f.Unset("") }, `{}`},
	}
	for i, s := range steps {
		if err := s.do(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		if got := string(f.JSON()); got != s.want {
			t.Fatalf("step %d: %s, want %s", i, got, s.want)
		}
	}
	if err := f.SetEmpty("/limit"); err == nil {
		t.Error("a number has no empty value")
	}
}

func TestLists(t *testing.T) {
	f := New(fields(), options())
	p, err := f.AddRow("/items")
	if err != nil || p != "/items/0" {
		t.Fatal(p, err)
	}
	must(t, f.SetText("/items/0/n", "1"))
	_, _ = f.AddRow("/items")
	must(t, f.SetText("/items/1/n", "2"))
	if p, _ = f.MoveRow("/items/1", -1); p != "/items/0" {
		t.Fatal(p)
	}
	if p, err = f.MoveRow("/items/1", 1); p != "/items/1" || err != nil {
		t.Fatal(p, err)
	}
	if got := string(f.JSON()); got != `{"items":[{"n":2},{"n":1}]}` {
		t.Fatal(got)
	}
	must(t, f.RemoveRow("/items/0"))
	must(t, f.SetRows("/tags", []string{"a", "", "b,c"}))
	must(t, f.SetText("/states", "open"))
	q, err := f.AddRow("/states")
	must(t, err)
	must(t, f.SetText(q, "closed"))
	if got := string(f.JSON()); got != `{"items":[{"n":1}],"tags":["a","","b,c"],"states":"open,closed"}` {
		t.Fatal(got)
	}
	must(t, f.RemoveRow("/states/0"))
	if got := string(f.ValueJSON("/states")); got != `"closed"` {
		t.Fatal(got)
	}
	must(t, f.SetJSON([]byte(`{"items":[{},{},{},{}]}`)))
	if r, _ := f.Row("/items"); !strings.Contains(r.Error, "allowed 3") {
		t.Fatalf("%+v", r)
	}
}

func TestMapsUnionsAndMembers(t *testing.T) {
	f := New(fields(), options())
	p, err := f.AddKey("/meta", "a/b~.c")
	must(t, err)
	must(t, f.SetText(p, "v"))
	if _, err := f.AddKey("/meta", "a/b~.c"); err == nil {
		t.Error("a key cannot stand twice")
	}
	must(t, f.ChooseMember("/parent", "page_id"))
	must(t, f.SetText("/parent/page_id", "p"))
	must(t, f.ChooseMember("/parent", "database_id"))
	must(t, f.SetText("/parent/database_id", "d"))
	must(t, f.SetText("/ref", "5"))
	must(t, f.SetType("/ref", "string"))
	if got := string(f.JSON()); got != `{"meta":{"a/b~.c":"v"},"parent":{"database_id":"d"},"ref":"5"}` {
		t.Fatal(got)
	}
	must(t, f.SetJSON([]byte(`{"parent":{"page_id":"p","more":1},"free":"x","items":[null]}`)))
	must(t, f.ChooseMember("/parent", "database_id"))
	must(t, f.SetType("/free", "array"))
	must(t, f.SetText("/items/0/n", "1"))
	must(t, f.Unset("/items/0/n")) // the row stays
	if got := string(f.JSON()); got != `{"parent":{"more":1,"database_id":""},"free":[],"items":[{}]}` {
		t.Error(got)
	}
	must(t, f.SetJSON([]byte(`{"parent":{"database_id":"d","page_id":"p"}}`)))
	if r, _ := f.Row("/parent"); !strings.Contains(r.Error, "exactly one") {
		t.Fatalf("%+v", r)
	}
}

func TestSetJSONErrors(t *testing.T) {
	f := New(fields(), options())
	must(t, f.SetText("/id", "x"))
	var syntax *rawjson.SyntaxError
	if err := f.SetJSON([]byte("{\n  \"id\": }")); !errors.As(err, &syntax) || syntax.Line != 2 {
		t.Fatal(err)
	}
	for _, text := range []string{`[1]`, `{"id":1,"id":2}`, `{"a":[{"b":1,"b":2}]}`, `{"a":`} {
		if err := f.SetJSON([]byte(text)); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
	if got := string(f.JSON()); got != `{"id":"x"}` {
		t.Fatalf("a refused text changed the form to %s", got)
	}
	must(t, f.SetJSON([]byte(`{"limit":"a","flag":3,"odd":1}`)))
	for _, p := range []Path{"/limit", "/flag"} {
		if r, _ := f.Row(p); r.Error == "" {
			t.Errorf("%s has a wrong type and no error", p)
		}
	}
	if r, _ := f.Row("/odd"); !r.Unknown {
		t.Errorf("%+v is not marked as unknown", r)
	}
}

func TestRows(t *testing.T) {
	f := New(fields(), options())
	rows := f.Rows()
	if rows[0].Label != "id" || !rows[0].Required || rows[len(rows)-1].Path != FoldRest {
		t.Fatalf("first %+v, last %+v", rows[0], rows[len(rows)-1])
	}
	must(t, f.SetText("/password", "hunter2"))
	r, _ := f.Row("/password")
	if strings.Contains(r.Display, "hunter2") {
		t.Fatal("a secret is shown")
	}
	if r, _ := f.Row("/market"); r.Display != "filled by the service" || r.Error != "" || !r.Injected {
		t.Fatalf("%+v", r)
	}
	must(t, f.SetText("/since", "today"))
	if r, _ := f.Row("/since"); r.Sends != `"2026-03-10T00:00:00Z"` {
		t.Fatalf("%+v", r)
	}
	if r, _ := f.Row("/limit"); r.Hint != "1 to 100; default 10" {
		t.Fatal(r.Hint)
	}
}

func TestRules(t *testing.T) {
	a := catalog.Action{Name: "list", Params: []catalog.Field{{Name: "a", Type: "string"}, {Name: "b", Type: "string"}},
		Rules: []catalog.Rule{{Rule: "at_least_one", Params: []string{"a", "b"}, Text: "Give a or b."}}}
	f := ForAction(&a, options())
	if p := f.Problems(); len(p) != 1 || p[0].Path != "" || !strings.Contains(p[0].Text, "a") {
		t.Fatalf("%+v", p)
	}
	must(t, f.SetText("/b", "x"))
	if p := f.Problems(); len(p) != 0 {
		t.Fatalf("%+v", p)
	}
}

func TestDocuments(t *testing.T) {
	for _, text := range []string{"one", "one\ntwo\n\nthree", "", "\n", "a \"quote\" \\ 🙂"} {
		got, plain := DocumentText(Document(text))
		if got != text || !plain {
			t.Errorf("%q came back as %q (plain %v)", text, got, plain)
		}
	}
	if _, plain := DocumentText([]byte(`{"type":"doc","version":1,"content":[{"type":"paragraph","content":[{"type":"text","text":"x","marks":[{"type":"strong"}]}]}]}`)); plain {
		t.Error("marks would be lost")
	}
}

func FuzzSetJSON(f *testing.F) {
	g := generator{rand.New(rand.NewPCG(5, 6))}
	for range 20 {
		f.Add([]byte(g.object(fields(), 0)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fm := New(fields(), options())
		if fm.SetJSON(data) != nil {
			return
		}
		unfold(fm)
		fm.Problems()
		once := string(fm.JSON())
		if err := fm.SetJSON([]byte(once)); err != nil || string(fm.JSON()) != once {
			t.Fatalf("%s became %s (%v)", once, fm.JSON(), err)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func BenchmarkTypeIn100Fields(b *testing.B) {
	var many []catalog.Field
	for i := range 100 {
		f := fields()[i%len(fields())]
		f.Name = fmt.Sprint(f.Name, i)
		many = append(many, f)
	}
	f := New(many, options())
	f.Fold(FoldRest, true)
	for i := range 100 {
		_ = f.SetText(Path("").Child(many[i].Name), "5")
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_ = f.SetText("/id0", "typed"[:1+i%5])
		f.Rows()
		f.Problems()
	}
}
