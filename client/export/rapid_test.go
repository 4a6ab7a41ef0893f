package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"patchbay/client/rawjson"
	"patchbay/client/rawjson/jsongen"
	"patchbay/client/records"
)

// A CSV file holds what its records hold, as the reader of the standard library finds it
// and as it is read to be shown; JSON and NDJSON hold the records themselves.
func TestFilesReadBack(t *testing.T) {
	names := []string{"a", "b", "c"}
	rapid.Check(t, func(rt *rapid.T) {
		list := make([]string, rapid.IntRange(1, 4).Draw(rt, "records"))
		for i := range list {
			var members []string
			for _, name := range names {
				if rapid.IntRange(0, 4).Draw(rt, "has") > 0 {
					members = append(members, `"`+name+`":`+jsongen.Value(2).Draw(rt, name))
				}
			}
			list[i] = "{" + strings.Join(members, ", ") + "}"
		}
		set, cols := setOf("["+strings.Join(list, ",")+"]"), columns(t, names...)
		file := written(rt, CSV, set, Options{Columns: cols})
		rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
		if err != nil || len(rows) != len(list)+1 {
			rt.Fatalf("%d rows of %d records: %v\n%s", len(rows), len(list), err, file)
		}
		var lines bytes.Buffer
		if _, err := records.LinesOfCSV(&lines, strings.NewReader(file), ','); err != nil {
			rt.Fatal(err)
		}
		shown := rawjson.NewLines(rawjson.Bytes(lines.String()))
		if err := shown.Run(context.Background()); err != nil || shown.Len() != len(list) {
			rt.Fatalf("%d records are shown of %d: %v\n%s", shown.Len(), len(list), err, lines.String())
		}
		for i := range list {
			for c := range cols {
				cell := records.CellOf(set, i, &cols[c])
				want := string(cellText(cell))
				if !strings.ContainsFunc(want, unsafe) && rows[i+1][c] != want {
					rt.Fatalf("%s of %s is %q, want %q", names[c], list[i], rows[i+1][c], want)
				}
				readsAs(rt, shown.Record(i), names[c], rows[i+1][c])
			}
		}
		holdRecords(rt, set)
	})
}

// readsAs holds that a cell is shown as a value of the same text; an empty one is left out.
func readsAs(t *rapid.T, record rawjson.Node, name, cell string) {
	t.Helper()
	n, ok := record.Get(name)
	if ok != (cell != "") {
		t.Fatalf("the cell %q is shown: %v", cell, ok)
	}
	if text := string(cellText(records.Cell{Node: n})); ok && text != cell && !sameValue(text, cell) && n.Kind() != rawjson.Null {
		t.Fatalf("the cell %q is shown as %q", cell, text)
	}
}

// sameValue reports whether two texts are one JSON value.
func sameValue(a, b string) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, []byte(a)) == nil && json.Compact(&y, []byte(b)) == nil && x.String() == y.String()
}

// holdRecords compares the files of records with the records: signs that a terminal
// would act on are written as escapes.
func holdRecords(t *rapid.T, set *records.Set) {
	t.Helper()
	var want []string
	for i := range set.Len() {
		want = append(want, plain(t, set.Record(i).Raw()))
	}
	var got []string
	for line := range strings.Lines(written(t, NDJSON, set, Options{})) {
		got = append(got, plain(t, []byte(line)))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%q\nis not %q", got, want)
	}
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(written(t, JSON, set, Options{})), &list); err != nil || len(list) != len(want) {
		t.Fatalf("%s\nis not %q: %v", list, want, err)
	}
	for i := range list {
		if is := plain(t, list[i]); is != want[i] {
			t.Fatalf("%q\nis not %q", is, want[i])
		}
	}
}

// plain writes JSON in one way, its numbers as they are.
func plain(t *rapid.T, text []byte) string {
	t.Helper()
	v, err := rawjson.Decode(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return string(rawjson.Encode(v))
}

func written(t *rapid.T, f Format, set *records.Set, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := Write(context.Background(), &out, f, set, nil, o, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
