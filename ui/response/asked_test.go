package response

import "testing"

func TestParamsInWords(t *testing.T) {
	for params, want := range map[string]string{
		`{"limit":20,"created":{"gte":1767225600,"lt":1767312061}}`: "limit 20, created from 2026-01-01, created before 2026-01-02 00:01:01",
		`{"amount":{"gt":5},"customer":"cus_1","empty":""}`:         `amount above 5, customer cus_1, empty ""`,
		`{"metadata":{"team":"blue"},"ids":["a","b"]}`:              `metadata.team blue, ids ["a","b"]`,
		`{}`: "", ``: "",
	} {
		if got := inWords([]byte(params)); got != want {
			t.Errorf("%s reads %q, want %q", params, got, want)
		}
	}
}
