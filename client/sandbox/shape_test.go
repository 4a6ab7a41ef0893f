package sandbox

import (
	"strings"
	"testing"

	"patchbay/client/rawjson"
)

// Paths are names of members first, lead through objects and never into arrays.
func TestPickedFields(t *testing.T) {
	const record = `{"id":7,"owner":{"name":"Ada","age":36,"home":{"city":"Bonn"}},"tags":[{"name":"a"}],"a.b":1,"a":{"b":2},"text":"x"}`
	for _, c := range []struct{ select_, want string }{
		{"id owner.name", `{"id":7,"owner":{"name":"Ada"}}`},
		{"owner.home.city owner.age", `{"owner":{"age":36,"home":{"city":"Bonn"}}}`},
		{"owner owner.name", `{"owner":{"name":"Ada","age":36,"home":{"city":"Bonn"}}}`},
		{"tags.name nothing id.deeper owner.nothing", `{}`},
		{"tags", `{"tags":[{"name":"a"}]}`},
		{"a.b", `{"a.b":1}`},
	} {
		o := parse(t, []byte(record))
		if got := string(rawjson.Encode(pick(o, strings.Fields(c.select_)))); got != c.want {
			t.Errorf("select %s: %s, want %s", c.select_, got, c.want)
		}
	}
	o := parse(t, []byte(record))
	for _, path := range []string{"tags.name", "a.b", "owner.home", "owner.nothing", "text.deeper", "id"} {
		drop(o, path)
	}
	if got := string(rawjson.Encode(o)); got != `{"owner":{"name":"Ada","age":36},"tags":[{"name":"a"}],"a":{"b":2},"text":"x"}` {
		t.Errorf("excluded: %s", got)
	}
}

// What is shaped are the records of a list, those under data, or else the result itself.
func TestShapedResults(t *testing.T) {
	r := newRig(t, Options{})
	result := func(kind, call string) string {
		t.Helper()
		status, _, raw := r.send("POST", "/api/v1/integrations/connectors/"+r.connector("demo", kind)+"/execute", call)
		if status != 200 {
			t.Fatalf("%s %s: %d %s", kind, call, status, raw)
		}
		o := parse(t, raw)
		if o.Has("result") {
			return string(rawjson.Encode(o.Value("result")))
		}
		return string(rawjson.Encode(o.Value("data")))
	}
	for _, c := range []struct{ kind, call, begins string }{
		{"payments", `{"entity":"customers","action":"list","params":{"limit":1},"select_fields":["object"],"exclude_fields":["object"]}`,
			`[{"object":"customer"}]`},
		{"payments", `{"entity":"customers","action":"list","params":{"limit":1},"select_fields":["nothing"]}`, `[{}]`},
		{"payments", `{"entity":"balance","action":"get","select_fields":["object"]}`, `{"object":"balance"}`},
		{"payments", `{"entity":"customers","action":"context_store_search","params":{"query":{},"limit":1},"select_fields":["object"]}`,
			`[{"object":"customer"}]`},
		{"call_recording", `{"entity":"call_transcripts","action":"semantic_search","params":{"semantic":{"prompt":"price"},"limit":1},"select_fields":["metadata.score"]}`,
			`[{"metadata":{"score":`},
		{"crm", `{"entity":"accounts","action":"list","params":{"q":"SELECT Id, Name FROM Account LIMIT 1"},"select_fields":["attributes.type"]}`,
			`[{"attributes":{"type":"Account"}}]`},
		{"payments", `{"entity":"customers","action":"create","params":{"name":"Ada"},"select_fields":["name"]}`, `{"name":"Ada"}`},
	} {
		if got := result(c.kind, c.call); !strings.HasPrefix(got, c.begins) {
			t.Errorf("%s %s: %.200s, want %s", c.kind, c.call, got, c.begins)
		}
	}
	if got := result("payments", `{"entity":"customers","action":"list","params":{"limit":1},"exclude_fields":["id","metadata"]}`); strings.
		Contains(got, `"metadata"`) || !strings.Contains(got, `"object"`) {
		t.Errorf("excluded: %s", got)
	}
}
