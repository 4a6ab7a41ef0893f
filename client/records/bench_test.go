package records

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"patchbay/client/rawjson"
)

// million is a set of 1,000,000 rows of about 1 KB: 1,000 different records,
// 1,000 times over, so that the benchmark needs no gigabyte.
var million = sync.OnceValue(func() *Set {
	var b strings.Builder
	b.WriteByte('[')
	for i := range 1000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b,
			`{"id":"cus_%08d","object":"customer","name":"Zoë Müller `+
				`%d","email":"user%d@example.test","phone":null,"description":"%s",`, i, i*7919%1000, i,
			strings.Repeat("renewal priority ", 12))
		fmt.Fprintf(&b,
			`"created":%d,"updated_at":"2024-01-02T10:%02d:00Z","balance":%d,"address":{"city":"Kraków","postal_code":"%05d"},"tags":["vip","eu"],`, 1704067200+i*37, i%60, i*7919%200000-50000, i)
		fmt.Fprintf(&b, `"metadata":{"plan":"team","segment":"eu","score":"%d","more":"%s"},"notes":"%s"}`, i%100,
			strings.Repeat("x", 200), strings.Repeat("pilot ", 20))
	}
	b.WriteByte(']')
	x := rawjson.IndexSpan(rawjson.Bytes(b.String()), 0, b.Len(), nil)
	s := &Set{}
	for range 1000 {
		s.Add(Page{Index: x})
	}
	return s
})

func BenchmarkRow(b *testing.B) {
	s := many(1000)
	table := NewTable(s, Columns(s, ColumnOptions{}))
	var cells []Cell
	for i := 0; b.Loop(); i++ {
		cells = table.Row(i%1000, cells)
	}
	if len(cells) != 4 {
		b.Fatal("no cells")
	}
}

func BenchmarkColumns(b *testing.B) {
	s := million()
	for b.Loop() {
		if len(Columns(s, ColumnOptions{})) == 0 {
			b.Fatal("no columns")
		}
	}
}

func BenchmarkSort1M(b *testing.B) {
	s := million()
	for _, path := range []string{"balance", "name", "updated_at", "notes"} {
		c, err := FromPath(path)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				if rows, err := Sorted(context.Background(), s, nil, []SortKey{{Column: &c}}, nil); err != nil ||
					len(rows) != 1_000_000 {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFilter1M(b *testing.B) {
	s := million()
	email, err := FromPath("email")
	if err != nil {
		b.Fatal(err)
	}
	for name, f := range map[string]Filter{
		"all":    {Text: "user77@"},
		"column": {Text: "user77@", Column: &email},
		"regexp": {Text: `user7\d@`, Mode: Regexp, Column: &email},
		"fuzzy":  {Text: "u77ex", Mode: Fuzzy, Column: &email},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if rows, err := Filtered(context.Background(), s, nil, []Filter{f}, nil); err != nil || len(rows) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSummary1M(b *testing.B) {
	s := million()
	c, err := FromPath("name")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if sum, err := Summarize(context.Background(), s, nil, &c, nil); err != nil || sum.Distinct != 1000 {
			b.Fatal(err)
		}
	}
}
