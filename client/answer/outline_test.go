package answer

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"patchbay/client/rawjson"
)

func TestALargeObjectIsLaidOutBeforeItIsShown(t *testing.T) {
	var b strings.Builder
	b.WriteByte('{')
	for i := range 40_000 {
		fmt.Fprintf(&b, `"key_%06d":{"name":"user %d"},`, i, i)
	}
	b.WriteString(`"last":null}`)
	src := rawjson.Bytes(b.String())
	d := OpenDocument(context.Background(), src, Reading{Name: "map.json", Size: int64(src.Len())})
	d.WaitWhole(context.Background())
	e := d.ended.Load()
	if e == nil || e.outlines.Whole == nil || e.outlines.Record == nil {
		t.Fatalf("nothing is laid out: %+v", e)
	}
	if whole, record := e.outlines.Whole.Len(), e.outlines.Record.Len(); whole != 40_003 || record != 40_003 {
		t.Errorf("%d lines of the body and %d of the record, want 40003 of each", whole, record)
	}
	p := d.Page()
	if p.Grow() != AllRead || p.Outlines != e.outlines {
		t.Fatal("the page has no outlines")
	}
	if Take(&p.Outlines.Whole) != e.outlines.Whole || p.Outlines.Whole != nil || p.Outlines.Record == nil {
		t.Error("a tree is taken twice, or the wrong one")
	}
}

func TestOnlyWhatIsLargeAndNoListIsLaidOut(t *testing.T) {
	rows := strings.Repeat(`{"name":"`+strings.Repeat("x", 1000)+`"},`, 2000)
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"a small object":          {`{"a":1}`, false},
		"a list":                  {"[" + rows + `{}]`, false},
		"a list in an envelope":   {`{"data":[` + rows + `{}],"meta":{}}`, false},
		"lines":                   {strings.ReplaceAll(rows, "},", "}\n"), false},
		"much beside the records": {`{"data":[{}],"other":[` + rows + `{}]}`, true},
	} {
		src := rawjson.Bytes(c.body)
		d := OpenDocument(context.Background(), src, Reading{Name: name, Size: int64(src.Len())})
		d.WaitWhole(context.Background())
		if got := d.ended.Load().outlines.Whole != nil; got != c.want {
			t.Errorf("%s: laid out %v, want %v", name, got, c.want)
		}
	}
}
