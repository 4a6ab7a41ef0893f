package sandbox

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
)

func post(b *testing.B, s *Service, id, body string) int {
	req, err := http.NewRequest("POST", BaseURL+"/api/v1/integrations/connectors/"+id+"/execute",
		strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+Token)
	req.Header.Set("Content-Type", "application/json")
	w := &recorder{header: http.Header{}}
	s.ServeHTTP(w, req)
	if w.status != 200 {
		b.Fatalf("%d %.200s", w.status, w.body.String())
	}
	return w.body.Len()
}

// Two cores must answer 2,000 lists a second: 1 ms each.
func BenchmarkList(b *testing.B) {
	r := newRig(b, Options{})
	for _, c := range []struct{ name, kind, body string }{
		{"plain", "payments", `{"entity":"customers","action":"list","params":{"limit":10}}`},
		{"filtered", "payments",
			`{"entity":"customers","action":"list","params":{"limit":10,"created":{"gte":1767225600}}}`},
		{"jql", "issue_tracker",
			`{"entity":"issues","action":"api_search","params":{"jql":"project = PROJ AND status = Done ORDER BY ` +
				`created DESC","maxResults":10}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			id := r.connector("demo", c.kind)
			post(b, r.s, id, c.body)
			b.ReportAllocs()
			for b.Loop() {
				post(b, r.s, id, c.body)
			}
		})
	}
}

// A search over 100,000 records must take less than 100 ms.
func BenchmarkSearch100k(b *testing.B) {
	r := newRig(b, Options{Records: 12500})
	id := r.connector("demo", "payments")
	for _, c := range []struct{ name, query string }{
		{"eq", `{"filter":{"eq":{"email":"nobody@example.com"}}}`},
		{"like", `{"filter":{"and":[{"like":{"email":"%ada%"}},{"gt":{"balance":1000}}]}}`},
		{"sorted", `{"filter":{"gt":{"balance":0}},"sort":[{"created":"asc"}]}`},
	} {
		body := `{"entity":"customers","action":"context_store_search","params":{"limit":100,"query":` + c.query + `}}`
		b.Run(c.name, func(b *testing.B) {
			post(b, r.s, id, body)
			for b.Loop() {
				post(b, r.s, id, body)
			}
		})
	}
}

// Making a service costs nothing; the first list of connectors opens the catalog.
func BenchmarkNew(b *testing.B) {
	cat := catalog.New()
	for b.Loop() {
		New(Options{Catalog: cat, Now: func() time.Time { return noon }})
	}
}

func BenchmarkFirstConnectors(b *testing.B) {
	for b.Loop() {
		r := newRig(b, Options{Catalog: catalog.New()})
		r.connector("demo", "payments")
	}
}

func BenchmarkFirstTable(b *testing.B) {
	cat := catalog.New()
	for b.Loop() {
		r := newRig(b, Options{Catalog: cat})
		r.good("payments", "customers", "list", "")
	}
}
