package search

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
)

func raw(s string) json.RawMessage { return json.RawMessage(s) }

// randomTree makes a tree as decoding would: no empty groups, complete conditions.
func randomTree(r *rand.Rand, depth int) *Node {
	values := []string{`1`, `"a"`, `null`, `[1,"b"]`, `1.50`, `{"x":1}`, `"é\n\"</script>"`}
	if depth == 0 || r.IntN(3) > 0 {
		return Where([]string{"a", "b.c", "x[].y", "ä \""}[r.IntN(4)], documented[r.IntN(len(documented))], raw(values[r.IntN(len(values))]))
	}
	op := []Op{All, Any, Not}[r.IntN(3)]
	n := 1 + r.IntN(3)
	if op == Not {
		n = 1
	}
	g := Group(op)
	for range n {
		g.Children = append(g.Children, randomTree(r, depth-1))
	}
	return g
}

func TestDecodeUndoesEncode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		n := randomTree(r, 4)
		text := EncodeFilter(n)
		got, err := DecodeFilter(text)
		if err != nil || !reflect.DeepEqual(n, got) {
			t.Fatalf("%s came back as %s (%v)", text, EncodeFilter(got), err)
		}
	}
}

func TestEncode(t *testing.T) {
	off := Where("x", Eq, raw("1"))
	off.Disabled = true
	a, b := Where("a", Eq, raw(`"x"`)), Where("b", In, raw(`[1, 2]`))
	cases := []struct {
		q    Query
		want string
	}{
		{Query{}, `{"query":{}}`},
		{Query{Filter: Group(All)}, `{"query":{}}`},
		{Query{Filter: Group(Not, Group(Any, off))}, `{"query":{}}`},
		{Query{Filter: a}, `{"query":{"filter":{"eq":{"a":"x"}}}}`},
		{Query{Filter: Group(All, a, off, b)}, `{"query":{"filter":{"and":[{"eq":{"a":"x"}},{"in":{"b":[1,2]}}]}}}`},
		{Query{Filter: Group(Not, a, b)}, `{"query":{"filter":{"not":{"or":[{"eq":{"a":"x"}},{"in":{"b":[1,2]}}]}}}}`},
		{Query{Sort: []SortKey{{"a", true}, {"b", false}}, Limit: 5, Cursor: "c<", Fields: []string{"a", "b.c"}, Extra: []Member{{"z", raw("null")}}},
			`{"query":{"sort":[{"a":"desc"},{"b":"asc"}]},"limit":5,"cursor":"c<","fields":["a","b.c"],"z":null}`},
	}
	for _, c := range cases {
		if got := string(c.q.Params()); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestDecode(t *testing.T) {
	same := []string{
		`{"query":{"filter":{"any":{"lines":{"eq":{"n":1}}}},"other":[1]},"limit":"x","cursor":null,"fields":[["a","b"]],"semantic":{"prompt":"p"}}`,
		`{"query":{"filter":{"contains":{"tags":"x"}}},"limit":10}`,
	}
	for _, text := range same {
		q, err := Decode(raw(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Params(); !sameMembers(got, raw(text)) {
			t.Errorf("got  %s\nwant %s", got, text)
		}
	}
	equal := map[string]string{
		`{"eq":{"a":1,"b":2},"gt":{"c":3}}`:       `{"and":[{"eq":{"a":1}},{"eq":{"b":2}},{"gt":{"c":3}}]}`,
		`{"and":{"eq":{"a":1}}}`:                  `{"and":[{"eq":{"a":1}}]}`,
		`{"or":[{"eq":{"a":1},"lt":{"b":2}},{}]}`: `{"or":[{"and":[{"eq":{"a":1}},{"lt":{"b":2}}]}]}`,
		`{"not":{"eq":{"a":1}},"like":{"b":"x"}}`: `{"and":[{"not":{"eq":{"a":1}}},{"like":{"b":"x"}}]}`,
	}
	for text, want := range equal {
		n, err := DecodeFilter(raw(text))
		if err != nil || string(EncodeFilter(n)) != want {
			t.Errorf("%s became %s (%v)", text, EncodeFilter(n), err)
		}
	}
	wrong := map[string]string{
		`{"query":{"filter":{"a":{"eq":1}}}}`:     `no operator "a"`,
		`{"query":{"filter":{"eq":5}}}`:           `filter.eq is a number, not an object`,
		`{"query":{"filter":[]}}`:                 `filter is a list`,
		`{"query":{"sort":[{"a":"up"}]}}`:         `sort[0].a`,
		`{"query":{"sort":["a"]}}`:                `sort[0] is a text`,
		`{"query":{"filter":{"and":[{"x":{}}]}}}`: `filter.and[0].x`,
		`{"query":1}`:                             `query is a number`,
		`{`:                                       `not valid JSON`,
	}
	for text, want := range wrong {
		if _, err := Decode(raw(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	deep := strings.Repeat(`{"not":`, 5000) + `{"eq":{"a":1}}` + strings.Repeat("}", 5000)
	if _, err := DecodeFilter(raw(deep)); err == nil {
		t.Error("5,000 levels were taken")
	}
}

func sameMembers(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	s, _ := json.Marshal(x)
	u, _ := json.Marshal(y)
	return string(s) == string(u)
}

const record = `{"id":"c_1","n":10,"price":"10.50","flag":true,"none":null,"name":"Acme (Ltd) Corp","esc":"a\"b\u00e9",
 "at":"2026-03-01T10:00:00Z","day":"2026-03-01","tags":["red","blue",3],"address":{"city":"Rome","zip":"0012"},
 "lines":[{"sku":"x1","qty":2},{"sku":"x2","qty":9}],"dot.ted":"d","list":[]}`

func TestMatch(t *testing.T) {
	cases := []struct {
		filter string
		want   bool
	}{
		{`{"eq":{"id":"c_1"}}`, true}, {`{"eq":{"id":"C_1"}}`, false}, {`{"neq":{"id":"c_2"}}`, true}, {`{"neq":{"id":"c_1"}}`, false},
		{`{"eq":{"n":10.0}}`, true}, {`{"eq":{"n":"10"}}`, true}, {`{"eq":{"price":10.5}}`, true}, {`{"eq":{"price":"10.5"}}`, false},
		{`{"gt":{"n":9}}`, true}, {`{"gt":{"n":10}}`, false}, {`{"gte":{"n":10}}`, true}, {`{"lt":{"price":11}}`, true}, {`{"gt":{"price":9}}`, true},
		{`{"gt":{"name":5}}`, false}, {`{"gt":{"missing":0}}`, false}, {`{"lt":{"none":5}}`, false},
		{`{"eq":{"flag":true}}`, true}, {`{"eq":{"flag":false}}`, false}, {`{"eq":{"flag":"true"}}`, true},
		{`{"eq":{"none":null}}`, true}, {`{"eq":{"missing":null}}`, true}, {`{"neq":{"none":null}}`, false}, {`{"neq":{"id":null}}`, true},
		{`{"eq":{"esc":"a\"bé"}}`, true}, {`{"like":{"esc":"BÉ"}}`, true},
		{`{"gte":{"at":"2026-03-01"}}`, true}, {`{"lt":{"at":"2026-03-01T11:00:00+02:00"}}`, false}, {`{"eq":{"at":"2026-03-01T12:00:00+02:00"}}`, true},
		{`{"lt":{"day":"2026-03-02"}}`, true}, {`{"in":{"id":["x","c_1"]}}`, true}, {`{"in":{"id":[]}}`, false}, {`{"in":{"n":[10]}}`, true},
		{`{"like":{"name":"acme"}}`, true}, {`{"like":{"name":"acme%corp"}}`, true}, {`{"like":{"name":"%ltd%"}}`, true}, {`{"like":{"name":"ltd%"}}`, false},
		{`{"like":{"n":"1"}}`, true}, {`{"like":{"none":"n"}}`, false},
		{`{"fuzzy":{"name":"corp acm"}}`, true}, {`{"fuzzy":{"name":"corp xyz"}}`, false}, {`{"fuzzy":{"name":""}}`, false},
		{`{"keyword":{"name":"ltd zzz"}}`, true}, {`{"keyword":{"name":"lt"}}`, false},
		{`{"eq":{"tags":"red"}}`, true}, {`{"eq":{"tags":3}}`, true}, {`{"neq":{"tags":"red"}}`, false}, {`{"eq":{"tags":["red","blue",3]}}`, true}, {`{"in":{"tags":["blue"]}}`, true},
		{`{"eq":{"address.city":"Rome"}}`, true}, {`{"eq":{"address":{"zip":"0012","city":"Rome"}}}`, true}, {`{"eq":{"address.none":null}}`, true},
		{`{"eq":{"lines.sku":"x2"}}`, true}, {`{"gt":{"lines[].qty":8}}`, true}, {`{"gt":{"lines[].qty":9}}`, false}, {`{"neq":{"lines.sku":"x2"}}`, false},
		{`{"eq":{"dot.ted":"d"}}`, true}, {`{"contains":{"tags":"blue"}}`, true}, {`{"any":{"lines":{"eq":{"sku":"x1"},"gt":{"qty":5}}}}`, false}, {`{"any":{"lines":{"eq":{"sku":"x2"},"gt":{"qty":5}}}}`, true},
		{`{"not":{"eq":{"id":"c_1"}}}`, false}, {`{"or":[{"eq":{"n":1}},{"eq":{"n":10}}]}`, true}, {`{"and":[{"eq":{"n":1}},{"eq":{"n":10}}]}`, false},
		{`{}`, true}, {`{"eq":{"list":"x"}}`, false},
	}
	for _, c := range cases {
		n, err := DecodeFilter(raw(c.filter))
		if err != nil {
			t.Fatal(err)
		}
		if got := Compile(n).Match([]byte(record)); got != c.want {
			t.Errorf("%s: %v, want %v", c.filter, got, c.want)
		}
	}
}

func TestMatchHostileRecords(t *testing.T) {
	n, _ := DecodeFilter(raw(`{"eq":{"a.b":1}}`))
	for _, text := range []string{"", "{", `{"a`, `{"a":`, `{"a":{"b":1`, `[`, `{"a":[{"b":`, "null", `"x`, `{"a"}`, `{,}`, `{"a":}`} {
		if Compile(n).Match([]byte(text)) && text != `{"a":{"b":1` {
			t.Errorf("%q matched", text)
		}
	}
}

func TestExplain(t *testing.T) {
	n, _ := DecodeFilter(raw(`{"and":[{"eq":{"n":10}},{"fuzzy":{"name":"acme"}},{"or":[{"eq":{"id":"zz"}},{"keyword":{"name":"x"}}]},{"not":{"eq":{"n":10}}}]}`))
	n.Children = append(n.Children, &Node{Op: Condition, Field: "n", Operator: Eq, Value: raw("1"), Disabled: true})
	var got []string
	for _, e := range Explain([]byte(record), n) {
		got = append(got, fmt.Sprint(e.Path, e.State))
	}
	want := []string{"[]not met", "[0]met", "[1]only the server can tell", "[2]only the server can tell", "[2 0]not met", "[2 1]only the server can tell", "[3]not met", "[3 0]met", "[4]left out"}
	if !slices.Equal(got, want) {
		t.Fatalf("got  %q\nwant %q", got, want)
	}
	if e := Explain([]byte(record), n)[1]; string(e.Values[0]) != "10" {
		t.Fatalf("%q", e.Values)
	}
}

func TestLeaveOut(t *testing.T) {
	n, _ := DecodeFilter(raw(`{"and":[{"eq":{"a":1}},{"not":{"eq":{"b":2}}},{"gt":{"c":3}}]}`))
	n.Children[2].Disabled = true
	var got []string
	for _, v := range LeaveOut(Query{Filter: n, Cursor: "x"}) {
		got = append(got, fmt.Sprint(v.Path)+string(v.Query.Params()))
	}
	want := []string{`[0]{"query":{"filter":{"and":[{"not":{"eq":{"b":2}}}]}}}`, `[1 0]{"query":{"filter":{"and":[{"eq":{"a":1}}]}}}`}
	if !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	if n.Children[0].Disabled {
		t.Fatal("the query itself was changed")
	}
}

func entity() *catalog.Entity {
	return &catalog.Entity{Name: "customers", Search: []catalog.Field{{Name: "email", Type: "string"}, {Name: "created", Type: "integer"},
		{Name: "delinquent", Type: "boolean"}, {Name: "address", Type: "object"}, {Name: "cards", Type: "array"},
		{Name: "status", Type: "string", Enum: []json.RawMessage{raw(`"open"`), raw(`"done"`)}}, {Name: "lines[].qty", Type: "integer"}}}
}

func TestValidate(t *testing.T) {
	cases := map[string]string{
		`{"query":{"filter":{"eq":{"email":"x"}},"sort":[{"created":"desc"}]}}`: "",
		`{"query":{"filter":{"eq":{"emial":"x"}}}}`:                             "did you mean email",
		`{"query":{"filter":{"gt":{"delinquent":true}}}}`:                       "does not suit",
		`{"query":{"filter":{"eq":{"created":"x"}}}}`:                           "wants a whole number, not a text",
		`{"query":{"filter":{"eq":{"created":1.5}}}}`:                           "wants a whole number",
		`{"query":{"filter":{"in":{"email":[]}}}}`:                              "no values",
		`{"query":{"filter":{"in":{"email":["a",5]}}}}`:                         "value 2",
		`{"query":{"filter":{"like":{"email":" "}}}}`:                           "not empty",
		`{"query":{"filter":{"gt":{"created":null}}}}`:                          "null",
		`{"query":{"filter":{"eq":{"status":"opne"}}}}`:                         "one of open, done",
		`{"query":{"filter":{"eq":{"address.city":"x"}}}}`:                      "",
		`{"query":{"filter":{"eq":{"email.x":"x"}}}}`:                           "no searchable field",
		`{"query":{"filter":{"eq":{"lines[].qty":5}}}}`:                         "",
		`{"query":{"sort":[{"nope":"asc"}]}}`:                                   "no searchable field",
		`{"query":{},"limit":-1}`:                                               "limit",
		`{"query":{},"limit":"a"}`:                                              "limit",
	}
	for text, want := range cases {
		q, err := Decode(raw(text))
		if err != nil {
			t.Fatal(err)
		}
		problems := Validate(q, entity())
		if want == "" && len(problems) == 0 {
			continue
		}
		if want == "" || len(problems) == 0 || !strings.Contains(problems[0].Text, want) || problems[0].Severity != Wrong {
			t.Errorf("%s: %+v, want %q", text, problems, want)
		}
	}
	q, _ := Decode(raw(`{"query":{"filter":{"gt":{"whatever":true}}}}`))
	p := Validate(q, &catalog.Entity{Name: "org", SearchUnknown: true})
	if len(p) != 1 || p[0].Severity != Notice || !strings.Contains(p[0].Text, "unchecked") {
		t.Errorf("%+v", p)
	}
	empty := Query{Filter: Group(All, &Node{Op: Condition}, Where("email", Eq, nil))}
	if p := Validate(empty, entity()); len(p) != 2 || p[1].Path[0] != 1 {
		t.Errorf("%+v", p)
	}
}

// Every searchable field of the catalog takes every operator that is offered for it.
func TestEverySearchableField(t *testing.T) {
	c, count := catalog.New(), 0
	for _, s := range c.Kinds() {
		k, err := c.Kind(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			e := &k.Entities[i]
			for _, f := range e.Search {
				for _, op := range Operators(f) {
					n := Where(f.Name, op, raw(`null`))
					for _, p := range Validate(Query{Filter: n}, e) {
						if strings.Contains(p.Text, "suit") || strings.Contains(p.Text, "no searchable") {
							t.Errorf("%s.%s: %s", k.Name, e.Name, p.Text)
						}
					}
					count++
				}
			}
		}
	}
	if count < 1000 {
		t.Fatalf("only %d were walked", count)
	}
}

func TestSort(t *testing.T) {
	records := [][]byte{[]byte(`{"n":2,"s":"b"}`), []byte(`{"n":10,"s":"a"}`), []byte(`{"s":"c"}`), []byte(`{"n":2,"s":"a"}`), []byte(`{"n":"3"}`)}
	if got := CompileSort([]SortKey{{"n", true}, {"s", false}}).Order(records); !slices.Equal(got, []int{1, 4, 3, 0, 2}) {
		t.Fatal(got)
	}
	if got := CompileSort([]SortKey{{"n", false}}).Order(records); !slices.Equal(got, []int{0, 3, 4, 1, 2}) {
		t.Fatal("the comparison is wrong", got)
	}
}

func TestEdit(t *testing.T) {
	n, _ := DecodeFilter(raw(`{"and":[{"eq":{"a":1}},{"or":[{"eq":{"b":2}}]},{"eq":{"c":3}}]}`))
	show := func() string { return string(EncodeFilter(n)) }
	if p := n.Indent([]int{2}, Any); !slices.Equal(p, []int{1, 1}) {
		t.Fatal(p, show())
	}
	if p := n.Outdent([]int{1, 0}); !slices.Equal(p, []int{2}) {
		t.Fatal(p, show())
	}
	if p := n.Outdent([]int{1, 0}); !slices.Equal(p, []int{1}) {
		t.Fatal(p, show())
	}
	if p := n.Move([]int{0}, 2); !slices.Equal(p, []int{2}) {
		t.Fatal(p, show())
	}
	n.Duplicate([]int{2})
	n.Remove([]int{0})
	n.Insert([]int{0}, Where("z", Eq, raw("0")))
	n.Indent([]int{0}, Not)
	if got := show(); got != `{"and":[{"not":{"eq":{"z":0}}},{"eq":{"b":2}},{"eq":{"a":1}},{"eq":{"a":1}}]}` {
		t.Fatal(got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"query":{"filter":{"and":[{"eq":{"a":1}}]},"sort":[{"a":"asc"}]},"limit":1}`), []byte(record))
	f.Add([]byte("{\"query\":{\"sort\":[{\"\xff\":\"asc\"}]}}"), []byte("{\"\xff\":1}"))
	f.Fuzz(func(t *testing.T, data, rec []byte) {
		q, err := Decode(data)
		if err != nil {
			return
		}
		Validate(q, entity())
		m := Compile(q.Filter).Match(rec)
		p := q.Params()
		again, err := Decode(p)
		if err != nil || string(again.Params()) != string(p) || Compile(again.Filter).Match(rec) != m {
			t.Fatalf("%s became %s (%v)", p, again.Params(), err)
		}
	})
}

func benchRecords(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = fmt.Appendf(nil, `{"object":"customer","id":"cus_%06d","email":"user%d@example.com","created":%d,"address":{"city":"Rome","line1":"Via \"X\" %d","country":"IT"},"metadata":{"a":"b","plan":"gold"},"name":"Customer number %d","delinquent":%v,"balance":%d,"status":"open"}`,
			i, i, 1700000000+i, i, i, i%2 == 0, i%500)
	}
	return out
}

func BenchmarkMatch100k(b *testing.B) {
	records := benchRecords(100_000)
	for _, filter := range []string{`{"eq":{"delinquent":true}}`, `{"gt":{"created":1700050000}}`, `{"like":{"name":"99"}}`, `{"eq":{"address.city":"Rome"},"lt":{"balance":100}}`} {
		n, err := DecodeFilter(raw(filter))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filter, func(b *testing.B) {
			m := Compile(n)
			for b.Loop() {
				for _, r := range records {
					m.Match(r)
				}
			}
		})
	}
}

// A search is kept with its disabled conditions, and sent without them.
func TestDraftKeepsDisabledConditions(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 1000 {
		n := Group(All, randomTree(r, 3), randomTree(r, 3))
		n.Walk(func(_ []int, c *Node) bool {
			c.Disabled = r.IntN(3) == 0
			return true
		})
		q := Query{Filter: n, Limit: 7}
		back, err := Decode(q.Draft())
		if err != nil || !reflect.DeepEqual(back.Filter, n) {
			t.Fatalf("%s came back as %s, %v", q.Draft(), back.Draft(), err)
		}
		if sent := Sent(q.Draft()); string(sent) != string(q.Params()) {
			t.Fatalf("%s is sent as %s, want %s", q.Draft(), sent, q.Params())
		}
	}
	if other := raw(`{"disabled":true,"limit":0}`); string(Sent(other)) == "" {
		t.Error("params of another action were dropped")
	}
}

// The operators that are checked are those that the documentation lists.
func TestOperatorsAreThoseOfTheDocumentation(t *testing.T) {
	var told []string
	for _, o := range catalog.SearchOperators {
		if !slices.Contains([]string{"not", "and", "or"}, o.Name) {
			told = append(told, o.Name)
		}
	}
	if !slices.Equal(told, documented[:]) {
		t.Errorf("the documentation lists %v, the checks know %v", told, documented)
	}
}

// Times that stand as numbers are told as times, other numbers are not.
func TestMoments(t *testing.T) {
	e := &catalog.Entity{Search: []catalog.Field{{Name: "at", Type: "integer", Format: "unix"},
		{Name: "ms", Type: "integer", Format: "unix-ms"}, {Name: "n", Type: "integer"}}}
	filter := Group(All, Where("at", Gt, json.RawMessage("1769817600")), Where("n", Gt, json.RawMessage("1769817600")),
		Where("ms", Lt, json.RawMessage("1769817600000")), Where("at", In, json.RawMessage("[1]")))
	got := Moments(filter, e)
	want := []string{"at = 2026-01-31 00:00:00 UTC", "ms = 2026-01-31 00:00:00 UTC"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// None of several conditions means that not one of them holds.
func TestNoneOf(t *testing.T) {
	a, b := Where("a", Eq, json.RawMessage("1")), Where("b", Eq, json.RawMessage("2"))
	filter := Group(Not, a, b)
	for record, want := range map[string]bool{`{"a":1,"b":2}`: false, `{"a":1,"b":3}`: false, `{"a":0,"b":2}`: false,
		`{"a":0,"b":0}`: true} {
		again, err := DecodeFilter(EncodeFilter(filter))
		if err != nil {
			t.Fatal(err)
		}
		if got := Compile(filter).Match([]byte(record)); got != want || Compile(again).Match([]byte(record)) != want {
			t.Errorf("%s: %v", record, got)
		}
		if got := Explain([]byte(record), filter)[0].State; (got == Met) != want {
			t.Errorf("%s is explained as %s", record, got)
		}
	}
}
