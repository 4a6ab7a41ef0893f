package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

// millionRecords is a body of a million records, made once.
var millionRecords = sync.OnceValue(func() rawjson.Bytes {
	var b strings.Builder
	b.WriteByte('[')
	for i := range 1_000_000 {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"id":"cus_%07d","email":"user%d@example.test","balance":%d,"address":{"city":"Lyon","line1":null}}`, i, i, i*7919%100000)
	}
	b.WriteByte(']')
	return rawjson.Bytes(b.String())
})

// playBody shows a body that has been read to its end.
func playBody(name string, src rawjson.Bytes) *player {
	d := answer.OpenDocument(context.Background(), src, answer.Reading{Name: name, Size: int64(len(src))})
	d.WaitWhole(context.Background())
	p := &player{m: New(Deps{Catalog: testCatalog, Document: d, Now: now})}
	p.m.later = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	p.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	p.run(p.m.Init())
	p.send(tickMsg{})
	return p
}

// BenchmarkKeyOfMillion is a key and the drawing of its screen, with a million
// records loaded, in each view. p99-ms is what the budget of 8 ms is for.
func BenchmarkKeyOfMillion(b *testing.B) {
	for _, view := range []string{"Table", "Record", "JSON", "Raw"} {
		b.Run(view, func(b *testing.B) {
			p := playBody("million", millionRecords())
			p.m.res.ShowView(view)
			keys := []string{"j", "pgdown", "j", "k", "G", "pgup", "l", "g", "j", "h"}
			times := make([]time.Duration, 0, b.N)
			b.ResetTimer()
			for i := range b.N {
				began := time.Now()
				p.m.Update(keyMsg(keys[i%len(keys)]))
				if len(p.m.View().Content) == 0 {
					b.Fatal("nothing is drawn")
				}
				times = append(times, time.Since(began))
			}
			b.StopTimer()
			slices.Sort(times)
			b.ReportMetric(times[len(times)*99/100].Seconds()*1e3, "p99-ms")
		})
	}
}
