package drift

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

var ctx = context.Background()

func set(rows string) *records.Set {
	s := &records.Set{}
	body := `{"data":` + rows + `}`
	s.Add(records.Page{Index: rawjson.IndexSpan(rawjson.Bytes(body), 8, 8+len(rows), rawjson.MustPath("data"))})
	return s
}

func text(name string) catalog.Field { return catalog.Field{Name: name, Type: "string"} }

func raw(values ...string) []json.RawMessage {
	var out []json.RawMessage
	for _, v := range values {
		out = append(out, json.RawMessage(v))
	}
	return out
}

func entity() *catalog.Entity {
	return &catalog.Entity{Name: "things", Key: "id", Record: []catalog.Field{
		{Name: "id", Type: "integer"},
		{Name: "name", Type: "string", Nullable: true},
		{Name: "chat_id", Alias: "slack_id", Type: "string"},
		{Name: "state", Type: "string", Enum: raw(`"open"`, `"sms"`), WireValues: map[string]string{"sms": "twilio"}},
		{Name: "object", Type: "string", Const: json.RawMessage(`"thing"`)},
		{Name: "body", Type: "string", Omitted: []string{"list"}},
		{Name: "owner", Type: "object", Members: []catalog.Field{text("login"), {Name: "age", Type: "integer|string"}}},
		{Name: "tags", Type: "array", Items: &catalog.Field{Type: "string", Enum: raw(`"a"`)}},
		{Name: "rooms", Type: "object", Values: &catalog.Field{Type: "object", Members: []catalog.Field{text("x")}}},
		{Name: "free", Type: "any"},
		{Name: "amount", Type: "number"},
	}}
}

const good = `{"id":1,"name":null,"chat_id":"c","state":"open","object":"thing","owner":{"login":"l","age":3},"tags":["a"],"rooms":{"k":{"x":"1"}},"free":null,"amount":1}`

func examine(t *testing.T, e *catalog.Entity, op client.Operation, rows ...string) *Report {
	t.Helper()
	q := Question{Kind: "k", Entity: e, Op: op, Action: &catalog.Action{Name: "list"}}
	r, err := Examine(ctx, set("["+strings.Join(rows, ",")+"]"), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func words(r *Report) string {
	var out []string
	for _, f := range r.Findings {
		mild := ""
		if f.Mild {
			mild = " (mild)"
		}
		out = append(out, fmt.Sprintf("%s: %s %d/%d %s%s", f.Kind, f.Path, f.Count, f.Of, f.Found, mild))
	}
	return strings.Join(out, "; ")
}

// Records as the catalog tells them, in neutral or wire names, are no drift.
func TestNoFindings(t *testing.T) {
	wire := strings.NewReplacer("chat_id", "slack_id", `"open"`, `"twilio"`, `"amount":1`, `"amount":1.5`, `"id":1`,
		`"id":1.0`).Replace(good)
	r := examine(t, entity(), client.Operation{}, good, wire)
	if len(r.Findings) != 0 || r.Records != 2 {
		t.Error(words(r))
	}
	for _, f := range r.Fields {
		if f.Path == "chat_id" && (f.Wire != "slack_id" || f.Count != 2) {
			t.Errorf("%+v", f)
		}
	}
}

func TestFindings(t *testing.T) {
	with := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%s is not there", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, c := range []struct{ row, want string }{
		{with(`"id":1`, `"id":1,"extra":[1]`), "not in the catalog: extra 1/2 array"},
		{with(`"login":"l"`, `"login":"l","more":1`), "not in the catalog: owner.more 1/2 integer"},
		{with(`"id":1`, `"id":1.5`), "other type: id 1/2 number"},
		{with(`"id":1`, `"id":"x"`), "other type: id 1/2 string"},
		{with(`"id":1`, `"id":null`), "null where none is documented: id 1/2 null"},
		{with(`"login":"l"`, `"login":{}`), "other type: owner.login 1/2 object"},
		{with(`"age":3`, `"age":true`), "other type: owner.age 1/2 boolean"},
		{with(`"open"`, `"closed"`), `new value: state 1/2 "closed"`},
		{with(`"object":"thing"`, `"object":"other"`), `new value: object 1/2 "other"`},
		{with(`["a"]`, `["b","a",7]`),
			`other type: tags[] 1/4 integer; new value: tags[] 1/4 "b"; new value: tags[] 1/4 7`},
		{with(`{"x":"1"}`, `{"x":"1","y":2}`), "not in the catalog: rooms.*.y 1/2 integer"},
	} {
		if got := words(examine(t, entity(), client.Operation{}, good, c.row)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.row, got, c.want)
		}
	}
}

func TestNeverSeen(t *testing.T) {
	e := entity()
	if got := words(examine(t, e, client.Operation{},
		`{"id":1,"owner":{},"tags":[],"rooms":{},"free":1,"amount":1,"name":"n","state":"open","object":"thing"}`)); got !=
		"never seen: chat_id 0/1  (mild); never seen: owner.login 0/1  (mild); never seen: owner.age 0/1  (mild)" {
		t.Error(got)
	}
	only := client.Operation{SelectFields: []string{"id", "owner.login"}}
	if got := words(examine(t, e, only, `{"id":1}`)); got != "never seen: owner 0/1  (mild)" {
		t.Error(got)
	}
	if got := words(examine(t, e, client.Operation{ExcludeFields: []string{"owner", "tags", "rooms", "free", "amount",
		"state", "object"}}, `{"id":1,"name":"n"}`)); got != "never seen: chat_id 0/1  (mild)" {
		t.Error(got)
	}
	if got := words(examine(t, e, client.Operation{Params: json.RawMessage(`{"fields":["id"]}`)},
		`{"id":1}`)); got != "" {
		t.Error(got)
	}
	if got := words(examine(t, e, client.Operation{})); got != "" {
		t.Errorf("without records: %s", got)
	}
}

func TestPartialAndUnknown(t *testing.T) {
	e := entity()
	e.RecordPartial = true
	if got := words(examine(t, e, client.Operation{}, strings.Replace(good, `"id":1`, `"id":1,"extra":1`,
		1))); got != "not in the catalog: extra 1/1 integer (mild)" {
		t.Error(got)
	}
	r := examine(t, &catalog.Entity{Name: "mystery"}, client.Operation{}, good)
	if !r.Unknown || len(r.Findings) != 0 || len(r.Fields) != 10 || len(r.Notes) == 0 {
		t.Errorf("%s, %d fields", words(r), len(r.Fields))
	}
	if r, err := Examine(ctx, set(`[1,"x",null]`), Question{}, nil); err != nil || len(r.Findings) != 0 {
		t.Error(words(r), err)
	}
}

func TestExamplesLeadToTheData(t *testing.T) {
	r := examine(t, entity(), client.Operation{}, good, strings.Replace(good, `["a"]`,
		`["a","`+strings.Repeat("z", 200)+`"]`, 1))
	if len(r.Findings) != 1 {
		t.Fatal(words(r))
	}
	x := r.Findings[0].Examples[0]
	if x.Row != 1 || x.Path != ".data[1].tags[1]" || len(x.Value) > 90 || !strings.HasPrefix(x.Value, `"zzz`) {
		t.Errorf("%+v", x)
	}
}

func TestExport(t *testing.T) {
	r := examine(t, entity(), client.Operation{}, strings.Replace(good, `"id":1`, `"id":1,"a|b\n# <x>":"\u001b[2J"`, 1))
	var md, js bytes.Buffer
	if err := r.WriteMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteJSON(&js); err != nil {
		t.Fatal(err)
	}
	if s := md.String(); !strings.Contains(s, `a\|bU+000A# &lt;x>`) || strings.Contains(s, "\x1b") ||
		!strings.Contains(s, "1 record looked at, 1 finding,") {
		t.Error(s)
	}
	var back Report
	if err := json.Unmarshal(js.Bytes(), &back); err != nil || len(back.Findings) != 1 ||
		back.Findings[0].Path != r.Findings[0].Path {
		t.Errorf("%v %s", err, js.String())
	}
}

func TestCanceled(t *testing.T) {
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Examine(stopped, set(`[{}]`), Question{}, nil); err == nil {
		t.Error("a stopped report seems whole")
	}
}

// Several workers find what one does, with the same examples.
func TestWorkersAgree(t *testing.T) {
	var rows []string
	for i := range 5000 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"x%d":1,"state":"s%d","owner":{"login":%s,"n%d":1}}`, i, i%7, i%5,
			[]string{"null", "1", `"a"`}[i%3], i%2))
	}
	s := set("[" + strings.Join(rows, ",") + "]")
	var got [2][]byte
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i, workers := range []int{1, 4} {
		runtime.GOMAXPROCS(workers)
		r, err := Examine(ctx, s, Question{Entity: entity()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		// Fields that the catalog does not have come in the order they are met.
		var lines []string
		for _, f := range r.Findings {
			line, _ := json.Marshal(f)
			lines = append(lines, string(line))
		}
		got[i], _ = json.Marshal(sorted(lines))
	}
	if !bytes.Equal(got[0], got[1]) {
		t.Errorf("%s\n%s", got[0], got[1])
	}
}

func sorted(lines []string) map[string]bool {
	out := map[string]bool{}
	for _, l := range lines {
		out[l] = true
	}
	return out
}

func FuzzExamine(f *testing.F) {
	f.Add("[" + good + "]")
	f.Add(`[{"":00,"":{}}]`)
	f.Add("A") // no JSON at all
	f.Add(`[{"tags":{"a":1},"owner":[],"rooms":{"":null}},3,{"id":`)
	f.Fuzz(func(t *testing.T, rows string) {
		r, err := Examine(ctx, set(rows), Question{Entity: entity()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if f.Count > f.Of && f.Kind != NewValue {
				t.Errorf("%+v", f)
			}
		}
		var b bytes.Buffer
		if err := r.WriteMarkdown(&b); err != nil || bytes.ContainsAny(b.Bytes(), "\x1b\x00") {
			t.Errorf("%q %v", b.String(), err)
		}
	})
}

// big is 100,000 records of about 1.1 KB.
var big = sync.OnceValue(func() *records.Set {
	var b strings.Builder
	b.WriteByte('[')
	for i := range 1000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b,
			`{"id":%d,"name":"Zoë `+
				`%d","slack_id":"C%06d","state":"open","object":"thing","extra":%d,"owner":{"login":"u%d","age":%d,"bio":"%s"},`, i, i, i, i, i, i, strings.Repeat("renewal ", 40))
		fmt.Fprintf(&b,
			`"tags":["a","a","b"],"rooms":{"r%d":{"x":"1"}},"free":{"k":"%s"},"amount":%d.25,"notes":"%s"}`, i%9,
			strings.Repeat("y", 200), i, strings.Repeat("pilot ", 50))
	}
	b.WriteByte(']')
	x := rawjson.IndexSpan(rawjson.Bytes(b.String()), 0, b.Len(), nil)
	s := &records.Set{}
	for range 100 {
		s.Add(records.Page{Index: x})
	}
	return s
})

func BenchmarkExamine100k(b *testing.B) {
	s := big()
	q := Question{Entity: entity(), Action: &catalog.Action{Name: "list"}}
	for b.Loop() {
		if r, err := Examine(ctx, s, q, nil); err != nil || r.Records != 100_000 || r.Count(NotInCatalog) == 0 {
			b.Fatal(err)
		}
	}
}
