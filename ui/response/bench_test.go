package response

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/themes"
	"patchbay/ui/style"
)

// million is a document of 1,000,000 records, made once.
var million = sync.OnceValue(func() *answer.Document {
	var b bytes.Buffer
	b.WriteByte('[')
	for i := range 1_000_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"cus_%07d","email":"user%d@example.test","balance":%d,"live":true}`, i, i,
			(i*7919)%100_000)
	}
	b.WriteByte(']')
	src := rawjson.Bytes(b.Bytes())
	d := answer.OpenDocument(context.Background(), src, answer.Reading{Name: "million", Size: int64(len(src))})
	d.WaitWhole(context.Background())
	return d
})

func millionPane(tb testing.TB) (*Pane, *style.Styles) {
	tb.Helper()
	t, err := themes.Load("patchbay-dark", "")
	if err != nil {
		tb.Fatal(err)
	}
	p := New(time.Now)
	p.Open(million().Page())
	p.Grow()
	return p, style.New(t, style.Options{})
}

func benchmarkView(b *testing.B, view string) {
	p, s := millionPane(b)
	p.ShowView(view)
	p.Fit(120, 36)
	times := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for i := range b.N {
		began := time.Now()
		p.Move(0, 1+i%7919)
		if i%100 == 99 {
			p.Move(0, -1<<40)
		}
		p.Fit(120, 36)
		if lines, _ := p.Lines(120, 36, s, true); len(lines) == 0 {
			b.Fatal("nothing is drawn")
		}
		times = append(times, time.Since(began))
	}
	b.StopTimer()
	slices.Sort(times)
	b.ReportMetric(times[len(times)*99/100].Seconds()*1e3, "p99-ms")
}

func BenchmarkTableOfMillion(b *testing.B)  { benchmarkView(b, "Table") }
func BenchmarkRecordOfMillion(b *testing.B) { benchmarkView(b, "Record") }
func BenchmarkJSONOfMillion(b *testing.B)   { benchmarkView(b, "JSON") }
func BenchmarkRawOfMillion(b *testing.B)    { benchmarkView(b, "Raw") }
