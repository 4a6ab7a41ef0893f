package rawjson

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

// customers writes n records of about 1.1 KB with nested objects and lists.
func customers(n int) []byte {
	r := rand.New(rand.NewPCG(1, 7))
	words := []string{"renewal", "priority", "Überweisung", "churn-risk", "señal", "🚀 launch", "net-30", "pilot"}
	out := []byte("[\n")
	for i := range n {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"id":"cus_%08d","object":"customer","name":"Zoë Müller %d","email":"user%d.%04x@example.test",`, i, r.IntN(99), i%9973, r.IntN(1<<16))
		out = fmt.Appendf(out, `"phone":null,"description":"%s %s %s","created":%d,"updated_at":"2024-0%d-02T10:00:00Z","currency":"eur","balance":%d,"lifetime_value":%d.%02d,`,
			words[r.IntN(8)], words[r.IntN(8)], words[r.IntN(8)], 1704067200+i*37, 1+r.IntN(9), r.IntN(200000)-50000, r.IntN(100000), r.IntN(100))
		out = fmt.Appendf(out, `"delinquent":%t,"address":{"line1":"%d Rossi Street","line2":null,"city":"Kraków","state":"CA","postal_code":"%05d","country":"PL"},`, r.IntN(20) == 0, r.IntN(999), r.IntN(100000))
		out = fmt.Appendf(out, `"metadata":{"plan":"team","segment":"eu","source":"webinar","score":"%d"},"tags":["vip","agency"],"preferred_locales":["en-US"],`, r.IntN(100))
		for k := range 4 {
			out = fmt.Appendf(out, `"subscription_%d":{"plan":"business","status":"active","seats":%d,"amount":%d},`, k, r.IntN(50), r.IntN(100000))
		}
		out = fmt.Appendf(out, `"owner":{"id":%d,"name":"Marie Okafor","email":"owner%d@example.test"},"discount":null,"notes":"%s"}`+"\n", r.IntN(500), r.IntN(500), words[r.IntN(8)])
	}
	return append(out, "]\n"...)
}

// bigBody is the body of the measures: 115 MB, 100,000 records or more.
var bigBody = sync.OnceValue(func() []byte {
	out := customers(100_000)
	out = out[:len(out)-2]
	for i := 100_000; len(out) < 115_000_000; i++ {
		out = fmt.Appendf(out, `,{"id":"cus_%08d","name":"Mei Larsen","notes":"%0*d"}`+"\n", i, 900, i)
	}
	return append(out, "]\n"...)
})

// chunked is a source that gives a body in tiny pieces, so that every token meets a border.
type chunked struct {
	data []byte
	size int
}

func (c chunked) Len() int                  { return len(c.data) }
func (c chunked) Slice(from, to int) []byte { return c.data[from:to] }
func (c chunked) step(from int) int         { return (from/c.size + 1) * c.size }
