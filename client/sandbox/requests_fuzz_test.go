package sandbox

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"patchbay/catalog"
)

// Whatever a client sends, the service answers: JSON below its interface, with a status
// of the protocol, and never a fault of its own.
func FuzzRequests(f *testing.F) {
	f.Add("GET", "/api/v1/integrations/connectors?workspace_name=demo&limit=1", "X-Organization-Id: "+OrganizationID, "")
	f.Add("POST", "/api/v1/integrations/connectors/x/execute", "Content-Type: application/json", `{"entity":"customers","action":"list","params":{"limit":1}}`)
	f.Add("POST", "/api/v1/account/applications/token", "Content-Type: application/x-www-form-urlencoded", "client_id="+ClientID)
	f.Add("DELETE", "/api/v1/integrations/connectors/%2e%2e%2f", "Range: bytes=0-", `[`)
	f.Add("PATCH", "/api/v1//?%zz", "Host: evil.example\nOrigin: http://evil.example", "\x00")
	r := newRig(f, Options{Records: 3, Catalog: catalog.New()})
	id := r.connector("demo", "payments")
	f.Fuzz(func(t *testing.T, method, path, headers, body string) {
		rig := &rig{t: t, s: r.s, http: r.http, ids: r.ids, data: r.data}
		req, err := http.NewRequest(method, BaseURL+strings.Replace(path, "/x/", "/"+id+"/", 1), strings.NewReader(body))
		if err != nil || req.URL.Scheme+"://"+req.URL.Host != BaseURL {
			return
		}
		req.Header.Set("Authorization", "Bearer "+Token)
		for line := range strings.Lines(headers) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && token(name) {
				req.Header.Set(name, strings.TrimSpace(value))
			}
		}
		status, header, raw := rig.do(req)
		if status < 200 || status > 599 || status == 500 {
			t.Fatalf("%s %s: %d %.200s", method, path, status, raw)
		}
		if strings.HasPrefix(header.Get("Content-Type"), "application/json") && method != "HEAD" && len(raw) > 0 && !json.Valid(raw) {
			t.Fatalf("%s %s: %d, no JSON: %.200s", method, path, status, raw)
		}
	})
}

// token reports whether a text may be the name of a header.
func token(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) })
}
