package sandbox

import (
	"strings"
	"testing"

	"patchbay/client/rawjson"
)

// A token that goes alone keeps what the first page was asked with, and is refused beside
// anything else.
func TestATokenGoesAlone(t *testing.T) {
	r := newRig(t, Options{})
	const first = `{"pageSize":2,"processingStatuses":"DONE,IN_QUEUE,IN_PROGRESS"}`
	page, meta := r.good("marketplace_seller", "reports", "list", first)
	seen := map[string]bool{}
	for pages := 1; ; pages++ {
		rows := page.([]any)
		for _, v := range rows {
			o := v.(*rawjson.Map)
			if seen[o.Text("reportId")] || o.Text("processingStatus") == "FATAL" {
				t.Fatalf("page %d holds %s", pages, rawjson.Encode(o))
			}
			seen[o.Text("reportId")] = true
		}
		token := meta.Text("next_token")
		if token == "" {
			break
		}
		if len(rows) != 2 || pages > 100 {
			t.Fatalf("page %d has %d rows", pages, len(rows))
		}
		beside := `{"nextToken":"` + token + `","pageSize":2}`
		if status, raw := r.execute("marketplace_seller", "reports", "list", beside); status != 400 ||
			!strings.Contains(string(raw), "pageSize") {
			t.Fatalf("beside another param: %d %s", status, raw)
		}
		page, meta = r.good("marketplace_seller", "reports", "list", `{"nextToken":"`+token+`"}`)
	}
	if len(seen) < 5 {
		t.Errorf("only %d reports", len(seen))
	}
	if status, _ := r.execute("marketplace_seller", "reports", "list", `{"nextToken":"bm9uZQ"}`); status != 400 {
		t.Errorf("a token that nobody gave: %d", status)
	}
}
