package sandbox

import (
	"strings"
	"testing"

	"patchbay/client/rawjson"
)

// Tags belong to an organization, are renamed and removed on all templates, and choose templates.
func TestTagsChooseTemplates(t *testing.T) {
	r := newRig(t, Options{})
	ask := func(want int, method, path, body string) *rawjson.Map {
		t.Helper()
		status, _, raw := r.send(method, "/api/v1/integrations/templates/"+path, body)
		if status != want {
			t.Fatalf("%s %s: %d %s", method, path, status, raw)
		}
		return parse(t, raw)
	}
	listed := func(query string) int {
		t.Helper()
		n := 0
		for _, one := range ask(200, "GET", "sources?"+query, "").Value("data").([]any) {
			if one.(*rawjson.Map).Value("organization_id") != nil {
				n++
			}
		}
		return n
	}
	global := ask(200, "GET", "sources/global", "").Value("data").([]any)[0].(*rawjson.Map).Text("id")
	clone := func(tags string) string {
		return ask(200, "POST", "sources", `{"original_source_template_id":"`+global+`","tags":`+tags+`}`).Text("id")
	}
	first := clone(`["crm","sales","crm"]`)
	clone(`["sales"]`)
	clone(`[]`)
	for query, want := range map[string]int{"": 3, "tags=sales": 2, "tags=crm&tags=sales": 1, "tags=nothing": 0,
		"tags=crm&tags=sales&tags_mode=any": 2, "tags=nothing&tags_mode=any": 0} {
		if got := listed(query); got != want {
			t.Errorf("%s: %d templates, want %d", query, got, want)
		}
	}
	if n := len(ask(200, "GET", "tags", "").Value("data").([]any)); n != 2 {
		t.Errorf("%d tags", n)
	}
	ask(422, "POST", "tags", `{"name":"crm"}`)
	ask(422, "PUT", "tags/crm", `{"name":"sales"}`)
	ask(200, "PUT", "tags/crm", `{"name":"leads"}`)
	if tags := rawjson.Encode(ask(200, "GET", "sources/"+first, "").Value("tags")); string(tags) != `["leads","sales"]` {
		t.Errorf("renamed: %s", tags)
	}
	ask(404, "DELETE", "sources/"+first+"/tags/crm", "")
	ask(200, "DELETE", "tags/sales", "")
	if got := listed("tags=sales"); got != 0 {
		t.Errorf("%d templates have a tag that is gone", got)
	}
	ask(200, "POST", "sources/"+first+"/tags", `{"tag":"`+strings.Repeat("é", 255)+`"}`)
	ask(422, "POST", "sources/"+first+"/tags", `{"tag":"`+strings.Repeat("é", 256)+`"}`)
}
