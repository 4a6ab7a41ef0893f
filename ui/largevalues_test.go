package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"patchbay/client/rawjson"
)

// largeValues are bodies of tens of megabytes that are no plain list of records.
func largeValues() map[string]string {
	long := strings.Repeat("lorem ipsum ", 4_000_000)
	numbers := "[" + strings.Repeat("1234567,", 5_000_000) + "0]"
	var members strings.Builder
	for i := range 500_000 {
		fmt.Fprintf(&members, `"key%d":{"n":%d},`, i, i)
	}
	return map[string]string{
		"Text":      `{"text":"` + long + `","n":1}`,
		"Map":       "{" + members.String() + `"last":1}`,
		"Nested":    `{"a":{"b":{"c":` + numbers + `}},"d":[{"x":1}]}`,
		"Beside":    `{"other":` + numbers + `,"data":[{"id":1},{"id":2}]}`,
		"OneRecord": `[{"id":1},{"id":2,"text":"` + long + `"},{"id":3}]`,
	}
}

// BenchmarkKeyOfLargeValues is a key and the drawing of its screen in all views
// of such bodies. max-ms is the slowest of all keys.
func BenchmarkKeyOfLargeValues(b *testing.B) {
	for name, body := range largeValues() {
		b.Run(name, func(b *testing.B) {
			p := playBody(name, rawjson.Bytes(body))
			keys := []string{"j", "G", "g", "l", "h", "enter", "i", "esc", "pgdown", "]"}
			var slowest time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				_, cmd := p.m.Update(keyMsg(keys[i%len(keys)]))
				p.m.View()
				slowest = max(slowest, time.Since(began))
				b.StopTimer()
				p.run(cmd)
				b.StartTimer()
			}
			b.ReportMetric(slowest.Seconds()*1e3, "max-ms")
		})
	}
}
