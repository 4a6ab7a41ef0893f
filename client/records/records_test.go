package records

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// setOf returns a set of one page per body, each an array of records.
func setOf(bodies ...string) *Set {
	s := &Set{}
	for _, body := range bodies {
		s.Add(Page{Index: rawjson.IndexSpan(rawjson.Bytes(body), 0, len(body), nil)})
	}
	return s
}

func column(t *testing.T, path string) *Column {
	t.Helper()
	c, err := FromPath(path)
	if err != nil {
		t.Fatal(err)
	}
	return &c
}

func TestSetJoinsPages(t *testing.T) {
	s := setOf(`[{"id":1},{"id":2}]`, `[]`, `[{"id":3}]`)
	if s.Len() != 3 || s.Pages() != 3 {
		t.Fatalf("%d records in %d pages", s.Len(), s.Pages())
	}
	for row, want := range [][2]int{{0, 0}, {0, 1}, {2, 0}} {
		if p, i := s.PageOf(row); p != want[0] || i != want[1] {
			t.Errorf("row %d is record %d of page %d", row, i, p)
		}
	}
	for _, row := range []int{-1, 3} {
		if p, _ := s.PageOf(row); p != -1 || s.Record(row).Exists() {
			t.Errorf("row %d exists", row)
		}
	}
	if got := string(s.Record(2).Raw()); got != `{"id":3}` {
		t.Errorf("row 2 is %s", got)
	}
	if got := s.PathOf(1).Dotted(); got != ".[1]" {
		t.Errorf("row 1 lies at %s", got)
	}
	var none Set
	if none.Len() != 0 || none.Record(0).Exists() {
		t.Error("the empty set holds something")
	}
}

func TestSetFollowsTheLastPageAndFreezesOthers(t *testing.T) {
	var b rawjson.Buffer
	_, _ = b.Write([]byte("{\"a\":1}\n{\"a\":2}\n"))
	x := rawjson.NewIndex(&b)
	done := make(chan error)
	go func() { done <- x.Run(context.Background()) }()
	for n := 0; n < 2; n, _, _ = x.Wait(context.Background(), n) {
	}
	var s Set
	s.Add(Page{Index: x})
	_, _ = b.Write([]byte("{\"a\":3}\n"))
	b.Close(nil)
	if err := <-done; err != nil || s.Len() != 3 {
		t.Fatalf("%d records, error %v", s.Len(), err)
	}
	s.Add(Page{Index: x})
	if s.Len() != 6 {
		t.Errorf("%d records", s.Len())
	}
}

func TestIndexEnvelope(t *testing.T) {
	body := client.Bytes(`{"status":"success","result":{"data":[{"id":1},{"id":2}]}}`)
	from := strings.Index(string(body), "[")
	env := &client.Envelope{Body: body, Records: client.Span{From: from, To: len(body) - 2}, RecordsPath: "result.data"}
	x := IndexEnvelope(env)
	if x.Len() != 2 || x.PathOf(1).String() != "result.data[1]" {
		t.Errorf("%d records, the second at %s", x.Len(), x.PathOf(1))
	}
	env.Records, env.RecordsPath = client.Span{From: 0, To: len(body)}, "result.data[*].id"
	if x := IndexEnvelope(env); x.Len() != 2 || string(x.Record(1).Raw()) != "2" ||
		x.PathOf(1).String() != "result.data[1].id" {
		t.Errorf("%d values, the second at %s", x.Len(), x.PathOf(1))
	}
	if x := IndexEnvelope(&client.Envelope{}); x.Len() != 0 {
		t.Errorf("%d records in nothing", x.Len())
	}
}

// The last record of a body that is cut off may end in the middle of a name.
func TestHalfANameIsNoColumn(t *testing.T) {
	var names []string
	for _, c := range Columns(setOf(`[{"id":1,"note":"x"},{"id":2,"no`), ColumnOptions{}) {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"id", "note"}) {
		t.Errorf("columns %q", names)
	}
}

func TestCellsTellTheirStates(t *testing.T) {
	s := setOf(`[{"a":null,"b":"","c":0,"d":{"e":"x","e":"y"},"f":[],"g":"cut of`)
	var columns []Column
	for _, path := range []string{"a", "b", "c", "d.e", "f", "g", "h", "d"} {
		columns = append(columns, *column(t, path))
	}
	table := NewTable(s, columns)
	want := []State{Null, Empty, Value, Value, Empty, Cut, Cut, Value}
	for i, c := range table.Row(0, nil) {
		if c.State != want[i] {
			t.Errorf("%s is %s, want %s", columns[i].Name, c.State, want[i])
		}
		if single := table.Cell(0, i); single.State != c.State {
			t.Errorf("%s alone is %s", columns[i].Name, single.State)
		}
	}
	if text, _ := table.Cell(0, 3).Text(10); text != "x" {
		t.Errorf("of two members the table shows %q", text)
	}
	if text, more := table.Cell(0, 7).Text(5); !more || text != `{"e":` {
		t.Errorf("got %q, more %v", text, more)
	}
	if c := NewTable(setOf(`[{}]`), columns).Cell(0, 0); c.State != Absent {
		t.Errorf("a missing field is %s", c.State)
	}
}

func TestColumnsComeByUse(t *testing.T) {
	fields := []catalog.Field{
		{Name: "object", Type: "string", Const: json.RawMessage(`"customer"`)},
		{Name: "notes", Type: "string"}, {Name: "created", Type: "integer", Format: "unix"},
		{Name: "never", Type: "string"}, {Name: "market_id", Alias: "AmazonId", Wire: "amazon-id", Type: "string"},
		{Name: "email", Type: "string"}, {Name: "id", Type: "string"},
	}
	body := `[{"id":"a","object":"customer","AmazonId":"z","notes":"n","created":1700000000,"email":"e","extra":1,"tags":["x"],"address":{"city":"c"},"status":"on","name":"N"}]`
	s := &Set{}
	s.Add(Page{Index: rawjson.IndexSpan(rawjson.Bytes(body), 0, len(body), nil), Names: client.Wire})
	columns := Columns(s, ColumnOptions{Fields: fields, Key: "id"})
	var got []string
	for _, c := range columns {
		got = append(got, c.Name)
	}
	want := []string{"id", "name", "status", "created", "email", "notes", "extra", "address.city", "market_id",
		"tags", "address", "object", "never"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if !columns[0].Key || columns[6].Field != nil || columns[6].Type != "number" {
		t.Errorf("key %v, extra %+v", columns[0].Key, columns[6])
	}
	if text, _ := NewTable(s, columns).Cell(0, 8).Text(9); text != "z" {
		t.Errorf("the wire name is not resolved: %q", text)
	}
}

func TestColumnsOfHostileMapsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`[{"map":{`)
	for i := range 5000 {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	b.WriteString(`"z":1}}`)
	for i := range 1000 {
		fmt.Fprintf(&b, `,{"f%d":1}`, i)
	}
	b.WriteString("]")
	if n := len(Columns(setOf(b.String()), ColumnOptions{})); n > columnsMax {
		t.Errorf("%d columns", n)
	}
}

func TestSortedIsTypedAndStable(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []string
		want   []string
	}{
		{"numbers", []string{"10", "9", "-1.5", "1e2", "-0", "0"}, []string{"-1.5", "-0", "0", "9", "10", "1e2"}},
		{"long numbers", []string{"9007199254740993", "9007199254740992", "9007199254740993.5",
			"123456789012345678901234567890", "1e29"},
			[]string{"9007199254740992", "9007199254740993", "9007199254740993.5", "1e29",
				"123456789012345678901234567890"}},
		{"short beside long", []string{"1.0000000000000000001", "1", "0.99999999999999999999"},
			[]string{"0.99999999999999999999", "1", "1.0000000000000000001"}},
		{"beyond floats", []string{"1e400", "-1e400", "2e400", "1e-400", "0"},
			[]string{"-1e400", "0", "1e-400", "1e400", "2e400"}},
		{"natural texts", []string{`"b10"`, `"B9"`, `"a"`, `"b009"`, `""`},
			[]string{`""`, `"a"`, `"B9"`, `"b009"`, `"b10"`}},
		{"beyond ASCII", []string{`"Östen"`, `"zoo"`, `"öl"`, `"Oslo"`},
			[]string{`"Oslo"`, `"zoo"`, `"öl"`, `"Östen"`}},
		{"times", []string{`"2024-01-01T10:00:00+02:00"`, `"2024-01-01T09:00:00Z"`, `"2023-12-31"`,
			`"2024-01-01T09:00:00.5Z"`},
			[]string{`"2023-12-31"`, `"2024-01-01T10:00:00+02:00"`, `"2024-01-01T09:00:00Z"`,
				`"2024-01-01T09:00:00.5Z"`}},
		{"mixed", []string{"null", "true", `"x"`, "[1]", "3", "false"},
			[]string{"3", `"x"`, "false", "true", "[1]", "null"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var body []string
			for _, v := range c.values {
				body = append(body, `{"v":`+v+`}`)
			}
			s := setOf("[" + strings.Join(append(body, `{}`), ",") + "]")
			v := column(t, "v")
			got := sortedTexts(t, s, v, false)
			if !slices.Equal(got, append(slices.Clone(c.want), "")) {
				t.Errorf("got %v", got)
			}
			desc := sortedTexts(t, s, v, true)
			if desc[len(desc)-1] != "" || slices.Contains(c.values, "null") && desc[len(desc)-2] != "null" {
				t.Errorf("null and absent are not last: %v", desc)
			}
		})
	}
}

func sortedTexts(t *testing.T, s *Set, c *Column, desc bool) []string {
	t.Helper()
	rows, err := Sorted(context.Background(), s, nil, []SortKey{{Column: c, Desc: desc}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, row := range rows {
		out = append(out, string(CellOf(s, int(row), c).Node.Raw()))
	}
	return out
}

// many returns n records with few different values, on two pages.
func many(n int) *Set {
	var parts [2]strings.Builder
	for i := range n {
		p := &parts[i*2/n]
		if p.Len() > 0 {
			p.WriteByte(',')
		}
		fmt.Fprintf(p, `{"id":%d,"group":"g%d","n":%d,"s":"Name %d"}`, i, i*7%5, i*31%101, i*17%n)
	}
	return setOf("["+parts[0].String()+"]", "["+parts[1].String()+"]")
}

func TestSortedByManyKeysOverManyRuns(t *testing.T) {
	const n = 3*sortRun + 100
	s := many(n)
	group, num := column(t, "group"), column(t, "n")
	rows, err := Sorted(context.Background(), s, nil, []SortKey{{Column: group}, {Column: num, Desc: true}}, nil)
	if err != nil || len(rows) != n {
		t.Fatalf("%d rows, error %v", len(rows), err)
	}
	want := AllRows(n)
	slices.SortStableFunc(want, func(a, b int32) int {
		i, j := int(a), int(b)
		if c := (i * 7 % 5) - (j * 7 % 5); c != 0 {
			return c
		}
		return (j * 31 % 101) - (i * 31 % 101)
	})
	if !slices.Equal(rows, want) {
		t.Error("the order differs from that of a plain stable sort")
	}
}

func TestFilteredByModes(t *testing.T) {
	s := setOf(`[{"name":"Ada ` +
		`Smith","n":12},{"name":"Zo\u00eb","tags":["smithy"]},{"name":null,"smith":1},{"x":"A.B"}]`)
	name := column(t, "name")
	for _, c := range []struct {
		filter Filter
		want   []int32
	}{
		{Filter{Text: "smith"}, []int32{0, 1}},
		{Filter{Text: "smith", Invert: true}, []int32{2, 3}},
		{Filter{Text: "smith", Column: name}, []int32{0}},
		{Filter{Text: "zoë"}, []int32{1}},
		{Filter{Text: "a.b"}, []int32{3}},
		{Filter{Text: "^a.*h$", Mode: Regexp, Column: name}, []int32{0}},
		{Filter{Text: "asm", Mode: Fuzzy, Column: name}, []int32{0}},
		{Filter{Text: "12", Mode: Equals}, []int32{0}},
		{Filter{Text: "null", Mode: Equals, Column: name}, []int32{2}},
		{Filter{Text: "null", Mode: InState, Column: name}, []int32{2}},
		{Filter{Text: "absent", Mode: InState, Column: name}, []int32{3}},
		{Filter{Text: "absent", Mode: InState, Column: name, Invert: true}, []int32{0, 1, 2}},
		{Filter{Text: "", Column: name}, []int32{0, 1, 2}},
	} {
		got, err := Filtered(context.Background(), s, nil, []Filter{c.filter}, nil)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v keeps %v, error %v, want %v", c.filter, got, err, c.want)
		}
	}
	some := setOf(`[{"name":""},{"name":"x"},{"name":null},{"name":[]}]`)
	empty := []Filter{{Text: "empty", Mode: InState, Column: name}}
	if got, err := Filtered(context.Background(), some, nil, empty, nil); err != nil ||
		!slices.Equal(got, []int32{0, 3}) {
		t.Errorf("empty are %v, %v", got, err)
	}
	if none, err := Filtered(context.Background(), s, nil, []Filter{{Text: "nowhere"}}, nil); err != nil ||
		none == nil || len(none) > 0 { // nil would be all rows
		t.Errorf("%#v stay where nothing passes, %v", none, err)
	}
	both, err := Filtered(context.Background(), s, []int32{1, 0}, []Filter{{Text: "smith"}, {Text: "ada"}}, nil)
	if err != nil || !slices.Equal(both, []int32{0}) {
		t.Errorf("two filters keep %v, error %v", both, err)
	}
	if err := (&Filter{Text: "(", Mode: Regexp}).Check(); err == nil {
		t.Error("a broken expression is taken")
	}
	if err := (&Filter{Text: "none", Mode: InState, Column: name}).Check(); err == nil {
		t.Error("a state that there is not is taken")
	}
}

func TestLongWorkStopsAndTellsItsProgress(t *testing.T) {
	s := many(5000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := column(t, "s")
	if _, err := Sorted(ctx, s, nil, []SortKey{{Column: c}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("sort: %v", err)
	}
	if _, err := Filtered(ctx, s, nil, []Filter{{Text: "x"}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("filter: %v", err)
	}
	if _, err := Summarize(ctx, s, nil, c, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("summary: %v", err)
	}
	calls := make(chan int, 100)
	if _, err := Filtered(context.Background(), s, nil, []Filter{{Text: "x"}},
		func(done, total int) { calls <- done }); err != nil {
		t.Fatal(err)
	}
	close(calls)
	last := 0
	for n := range calls {
		last = max(last, n)
	}
	if last != 5000 {
		t.Errorf("progress ended at %d", last)
	}
}

func TestSummaryCounts(t *testing.T) {
	s := setOf(`[{"v":"b"},{"v":"a"},{"v":"b"},{"v":null},{},{"v":""},{"v":3},{"v":10},{"v":"2024-01-01"}]`)
	c := column(t, "v")
	got, err := Summarize(context.Background(), s, nil, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows != 9 || got.Values != 6 || got.Empty != 1 || got.Nulls != 1 || got.Absent != 1 || got.Distinct != 6 ||
		got.More {
		t.Errorf("%+v", *got)
	}
	if got.Min.Text() != "3" || got.Max.Text() != "b" {
		t.Errorf("from %s to %s", got.Min.Text(), got.Max.Text())
	}
	if len(got.Common) != 6 || got.Common[0].N != 2 || got.Common[0].Value.Text() != "b" ||
		got.Common[1].Value.Text() != "a" {
		t.Errorf("common %+v", got.Common)
	}
	if got.Kinds[rawjson.Number] != 2 || got.Kinds[rawjson.String] != 5 {
		t.Errorf("kinds %v", got.Kinds)
	}
}

func TestDerivedColumnsSortFilterAndShow(t *testing.T) {
	s := setOf(`[{"a":[1,2,3]},{"a":[1]},{}]`)
	c := Column{Name: "length", Derive: func(record rawjson.Node) rawjson.Node {
		a, ok := record.Get("a")
		if !ok {
			return rawjson.Node{}
		}
		return rawjson.Parse(fmt.Append(nil, a.Len()))
	}}
	if got := sortedTexts(t, s, &c, false); !slices.Equal(got, []string{"1", "3", ""}) {
		t.Errorf("sorted %q", got)
	}
	rows, err := Filtered(context.Background(), s, nil, []Filter{{Text: "3", Column: &c}}, nil)
	if err != nil || !slices.Equal(rows, []int32{0}) {
		t.Errorf("kept %v, error %v", rows, err)
	}
	row := NewTable(s, []Column{*column(t, "a"), c}).Row(0, nil)
	if text, _ := row[1].Text(9); text != "3" {
		t.Errorf("shows %q", text)
	}
}

func TestSummaryOfManyBlocks(t *testing.T) {
	got, err := Summarize(context.Background(), many(5000), nil, column(t, "n"), nil)
	if err != nil || got.Distinct != 101 || got.Values != 5000 || len(got.Common) != commonMax ||
		got.Min.Text() != "0" || got.Max.Text() != "100" {
		t.Errorf("%+v, error %v", *got, err)
	}
}

func TestMarks(t *testing.T) {
	var m Marks
	for _, row := range []int{5, 200, 64, 5} {
		m.Set(row, true)
	}
	m.Set(64, false)
	if m.Len() != 2 || m.Has(64) || !m.Has(200) || m.Has(-1) || m.Has(9999) {
		t.Errorf("%d marks", m.Len())
	}
	if !slices.Equal(m.Rows(), []int32{5, 200}) {
		t.Errorf("rows %v", m.Rows())
	}
	if m.Clear(); m.Len() != 0 || m.Has(5) {
		t.Error("marks are left")
	}
}

func TestTimes(t *testing.T) {
	created := *column(t, "created_at")
	amount := *column(t, "amount")
	for body, want := range map[string]string{
		`1700000000`: "2023-11-14T22:13:20Z", `1700000000000`: "2023-11-14T22:13:20Z",
		`"2023-11-14T22:13:20+01:00"`: "2023-11-14T22:13:20+01:00",
		`"2023-11-14"`:                "2023-11-14T00:00:00Z", `12`: "", `"soon"`: "", `1e300`: "",
	} {
		got, ok := created.Time(cellOf(rawjson.Parse([]byte(body))))
		if ok != (want != "") || ok && got.Format("2006-01-02T15:04:05Z07:00") != want {
			t.Errorf("%s is %v, %v", body, got, ok)
		}
	}
	if _, ok := amount.Time(cellOf(rawjson.Parse([]byte(`1700000000`)))); ok {
		t.Error("an amount passes for a time")
	}
}

func FuzzCompareDecimal(f *testing.F) {
	f.Add("1.50", "1.5")
	f.Add("-0", "1e-400")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !isNumber(a) || !isNumber(b) {
			t.Skip()
		}
		l, r := ParseDecimal(a), ParseDecimal(b)
		c := l.compare(r)
		if c != -r.compare(l) || l.compare(l) != 0 || (c == 0) != (l == r) {
			t.Fatalf("%s and %s compare as %d, the other way as %d", a, b, c, r.compare(l))
		}
		x, errX := json.Number(a).Float64()
		y, errY := json.Number(b).Float64()
		if errX == nil && errY == nil && (x < y && c >= 0 || x > y && c <= 0) {
			t.Fatalf("%s and %s compare as %d", a, b, c)
		}
	})
}

func isNumber(s string) bool {
	return rawjson.Valid([]byte(s)) && rawjson.Parse([]byte(s)).Kind() == rawjson.Number &&
		!strings.ContainsAny(s, " \t\r\n")
}

func FuzzTable(f *testing.F) {
	f.Add([]byte(`[{"a":1,"b":{"c":"x"}},{"a":null},{"b":[1`), "x")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		x := rawjson.NewIndex(rawjson.Bytes(data))
		_ = x.Run(context.Background())
		s := &Set{}
		s.Add(Page{Index: x})
		columns := Columns(s, ColumnOptions{})
		table := NewTable(s, columns)
		for row := range s.Len() {
			for _, c := range table.Row(row, nil) {
				if shown, _ := c.Text(20); len(shown) > 20 {
					t.Fatalf("%d bytes for a limit of 20", len(shown))
				}
			}
		}
		if len(columns) == 0 {
			return
		}
		rows, err := Sorted(context.Background(), s, nil, []SortKey{{Column: &columns[0]}}, nil)
		if err != nil || len(rows) != s.Len() {
			t.Fatalf("%d rows of %d, error %v", len(rows), s.Len(), err)
		}
		if _, err := Filtered(context.Background(), s, rows, []Filter{{Text: text}}, nil); err != nil {
			t.Fatal(err)
		}
		if sum, err := Summarize(context.Background(), s, rows, &columns[0], nil); err != nil || sum.Rows != s.Len() {
			t.Fatal(err)
		}
	})
}

// Records that are scalars or arrays have a column of their own, beside those
// of the objects among them.
func TestRecordsWithoutMembers(t *testing.T) {
	s := setOf(`[3,"two",null,[1,2],{"id":"x","value":9},1]`)
	columns := Columns(s, ColumnOptions{})
	var names []string
	for _, c := range columns {
		names = append(names, c.Name+" "+c.Title)
	}
	if got := strings.Join(names, ", "); got != ". value, id id, value value" {
		t.Fatalf("the columns are %s", got)
	}
	var got []string
	var cells []Cell
	plan := NewPlan(columns)
	for i := range s.Len() {
		cells = plan.Cells(s.Record(i), client.Neutral, cells)
		text, _ := cells[0].Text(100)
		got = append(got, cells[0].State.String()+" "+text)
	}
	if want := "value 3, value two, null null, value [1,2], absent , value 1"; strings.Join(got, ", ") != want {
		t.Errorf("the cells are %s, want %s", strings.Join(got, ", "), want)
	}
	rows, err := Sorted(context.Background(), s, nil, []SortKey{{Column: &columns[0]}}, nil)
	if err != nil || rows[0] != 5 {
		t.Errorf("sorted as %v, %v", rows, err)
	}
	sum, err := Summarize(context.Background(), s, nil, &columns[0], nil)
	if err != nil || sum.Values != 4 || sum.Nulls != 1 || sum.Absent != 1 {
		t.Errorf("the summary is %+v, %v", sum, err)
	}
}

func TestTitlesAreTheNamesThemselves(t *testing.T) {
	columns := Columns(setOf(`[{"a b.c":{"d-e":1}}]`), ColumnOptions{})
	var titles []string
	for _, c := range columns {
		titles = append(titles, c.Title)
	}
	slices.Sort(titles)
	if strings.Join(titles, ", ") != "a b.c, a b.c.d-e" {
		t.Errorf("the titles are %q", titles)
	}
}

// A member without a name is none of the fields that have but one name.
func TestAnEmptyNameIsNoField(t *testing.T) {
	fields := []catalog.Field{{Name: "id", Type: "string"}, {Name: "name", Type: "string"}}
	if f := fieldOf(fields, ""); f != nil {
		t.Errorf("it is taken for %s", f.Name)
	}
}

func TestAColumnSaysWhereItLiesInARecord(t *testing.T) {
	c := Column{Name: "order.id", Path: rawjson.MustPath("order.id"), Wire: rawjson.MustPath("order.OrderId")}
	for _, x := range []struct {
		record string
		names  client.Names
		want   string
	}{
		{`{"order":{"id":1}}`, client.Neutral, "order.id"},
		{`{"order":{"OrderId":1}}`, client.Wire, "order.OrderId"},
		{`{"order":{"OrderId":1}}`, client.Neutral, "order.OrderId"},
		{`{"order":{"id":1}}`, client.Wire, "order.id"},
		{`{}`, client.Neutral, "order.id"},
		{`{}`, client.Wire, "order.OrderId"},
	} {
		if got := c.In(rawjson.Parse([]byte(x.record)), x.names).String(); got != x.want {
			t.Errorf("%s in %s names: %s, want %s", x.record, x.names, got, x.want)
		}
	}
}
