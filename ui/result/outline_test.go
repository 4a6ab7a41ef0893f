package result

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
	if e == nil || e.outlines.whole == nil || e.outlines.record == nil {
		t.Fatalf("nothing is laid out: %+v", e)
	}
	if whole, record := e.outlines.whole.Len(), e.outlines.record.Len(); whole != 40_003 || record != 40_003 {
		t.Errorf("%d lines of the body and %d of the record, want 40003 of each", whole, record)
	}
	p := d.Page()
	p.complete, p.outlines = true, e.outlines
	v := &jsonView{}
	pane := &Pane{pages: []*Page{p}}
	v.load(pane)
	if v.tree.t != e.outlines.whole || p.outlines.whole != nil || p.outlines.record == nil {
		t.Error("the view made a tree of its own, or took the wrong one")
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
		if got := d.ended.Load().outlines.whole != nil; got != c.want {
			t.Errorf("%s: laid out %v, want %v", name, got, c.want)
		}
	}
}
