package conformance

import (
	"encoding/json"
	"testing"

	"patchbay/client/sandbox"
)

// TestStrangersSearch: the service's own clients read searches from under
// result, everybody else gets the documented bare answer, unless the sandbox is
// told otherwise.
func TestStrangersSearch(t *testing.T) {
	query := map[string]any{"query": map[string]any{"filter": map[string]any{"and": []any{
		map[string]any{"like": map[string]any{"email": "%@%"}}, map[string]any{"not": map[string]any{"eq": map[string]any{"delinquent": true}}},
	}}, "sort": []any{map[string]any{"created": "desc"}}}, "limit": 2}
	semantic := map[string]any{"semantic": map[string]any{"prompt": "plan", "context_size": 20, "dedup": "none"}, "limit": 2, "fields": []any{"callId"}}
	b := newBench(t, sandbox.Options{Records: 60})
	for _, s := range strangers(t, b.url) {
		s.signIn()
		id := s.idOf("demo", "payments")
		result, _ := s.execute(id, "customers", "context_store_search", query)
		checkType(t, b.d, "SearchResult", result)
		meta := result.(map[string]any)["meta"].(map[string]any)
		if len(result.(map[string]any)["data"].([]any)) != 2 || meta["has_more"] != true || meta["cursor"] == nil {
			t.Errorf("search: %v", result)
		}
		result, _ = s.execute(s.idOf("demo", "call_recording"), "call_transcripts", "context_store_search", semantic)
		checkType(t, b.d, "SemanticResult", result)
	}
	id := strangers(t, b.url)["cli"]
	id.signIn()
	path := connectorsPath + "/" + id.idOf("demo", "payments") + "/execute"
	body, _ := json.Marshal(map[string]any{"entity": "customers", "action": "context_store_search", "params": query})
	if err := b.d.check("#/components/schemas/SearchResult", b.raw("POST", path, string(body)).body); err != nil {
		t.Errorf("bare: %v", err)
	}
	nested := newBench(t, sandbox.Options{Shape: sandbox.ShapeAPI})
	nested.call(200, "POST", path, string(body))
}

// TestStrangersWriteSearchesInEveryWay: all spellings that the documents and the
// SDK's types show are understood, and mean the same.
func TestStrangersWriteSearchesInEveryWay(t *testing.T) {
	b := newBench(t, sandbox.Options{Records: 60})
	s := strangers(t, b.url)["sdk"]
	s.signIn()
	id := s.idOf("demo", "payments")
	rows := func(entity, action, params string) []any {
		t.Helper()
		var p map[string]any
		if err := json.Unmarshal([]byte(params), &p); err != nil {
			t.Fatal(err)
		}
		result, _ := s.execute(id, entity, action, p)
		return result.(map[string]any)["data"].([]any)
	}
	whole := len(rows("customers", "context_store_search", `{"query":{}}`))
	if whole < 400 {
		t.Errorf("%d customers", whole)
	}
	for _, same := range [][2]string{
		{`{"query":{"filter":{"gt":{"balance":0,"created":0}}}}`, `{"query":{"filter":{"and":[{"gt":{"balance":0}},{"gt":{"created":0}}]}}}`},
		{`{"query":{"filter":{"not":{"eq":{"delinquent":true}}}}}`, `{"query":{"filter":{"neq":{"delinquent":true}}}}`},
		{`{"query":{"filter":{"in":{"currency":["usd","eur"]}}}}`, `{"query":{"filter":{"or":[{"eq":{"currency":"usd"}},{"eq":{"currency":"eur"}}]}}}`},
		{`{"query":{"filter":{"like":{"email":"acme-robotics"}}}}`, `{"query":{"filter":{"like":{"email":"%acme-robotics%"}}}}`},
		{`{"query":{"filter":{"fuzzy":{"name":"ADA"}}}}`, `{"query":{"filter":{"keyword":{"name":"ada"}}}}`},
	} {
		one, other := rows("customers", "context_store_search", same[0]), rows("customers", "search", same[1])
		if len(one) == 0 || len(one) == whole || len(one) != len(other) {
			t.Errorf("%s finds %d, %s finds %d of %d", same[0], len(one), same[1], len(other), whole)
		}
	}
	for _, fields := range []string{`["id","address.city"]`, `[["id"],["address","city"]]`} {
		for _, r := range rows("customers", "context_store_search", `{"query":{},"limit":5,"fields":`+fields+`}`) {
			if record := r.(map[string]any); record["id"] == nil || record["email"] != nil || len(record) > 2 {
				t.Errorf("%s: %v", fields, r)
			}
		}
	}
}

// TestStrangersSearchPageByPage sees every record once.
func TestStrangersSearchPageByPage(t *testing.T) {
	b := newBench(t, sandbox.Options{Records: 60})
	s := strangers(t, b.url)["sdk"]
	s.signIn()
	id := s.idOf("demo", "payments")
	result, _ := s.execute(id, "customers", "context_store_search", map[string]any{"query": map[string]any{}})
	whole := len(result.(map[string]any)["data"].([]any))
	seen, cursor := map[any]bool{}, ""
	for range 100 {
		params := map[string]any{"query": map[string]any{"sort": []any{map[string]any{"created": "asc"}}}, "limit": 97}
		if cursor != "" {
			params["cursor"] = cursor
		}
		result, _ := s.execute(id, "customers", "context_store_search", params)
		for _, r := range result.(map[string]any)["data"].([]any) {
			seen[r.(map[string]any)["id"]] = true
		}
		meta := result.(map[string]any)["meta"].(map[string]any)
		if cursor, _ = meta["cursor"].(string); (cursor != "") != (meta["has_more"] == true) {
			t.Errorf("meta %v", meta)
		}
		if cursor == "" {
			break
		}
	}
	if len(seen) != whole {
		t.Errorf("%d of %d customers were seen page by page", len(seen), whole)
	}
}
