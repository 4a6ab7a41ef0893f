package local

import (
	"strings"
	"testing"

	"patchbay/client"
)

func TestOnlyWhatHasTheShapeIsBelieved(t *testing.T) {
	variables := env("PAYMENTS_API_KEY", "sk_live_hidden")
	for _, body := range []string{"", "null", `"ok"`, "12", "false", "hello", `{"status":"error","message":"it broke"}`, `{"error":"it broke"}`,
		`{"data":"none"}`, `{"data":7}`, `{"data":[`, "<html>sign in</html>"} {
		for _, action := range []string{"list", "get"} {
			if action == "get" && strings.HasPrefix(body, `{"data":`) && !strings.HasSuffix(body, "[") {
				continue // a record, whatever it holds
			}
			for _, contentType := range []string{"application/json", "text/plain"} {
				s := always(200, map[string]string{"Content-Type": contentType}, body)
				_, e := execute(t, testClient(s, variables), "payments", "customers", action, `{"id":"cus_1"}`)
				if e == nil || e.Class != client.ClassBadResponse && e.Class != client.ClassUpstream || e.Fate != "" {
					t.Errorf("%s believes %q: %+v", action, body, e)
				}
			}
		}
	}
	if env, e := execute(t, testClient(always(200, nil, `{"data":null}`), variables), "payments", "customers", "list", `{}`); e != nil || !env.Records.Empty() {
		t.Errorf("a list without records: %v", e)
	}
	if _, e := execute(t, testClient(always(204, nil, ""), variables), "payments", "customers", "delete", `{"id":"cus_1"}`); e != nil {
		t.Errorf("a write without an answer: %v", e)
	}
}

func TestWritesSayWhatBecameOfThem(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		fate   client.Fate
	}{
		{500, "{}", client.FateUnknown}, {502, "<html>x</html>", client.FateUnknown}, {503, "", client.FateUnknown}, {504, "", client.FateUnknown},
		{200, "null", client.FateUnknown}, {200, `{"id":"cus`, client.FateUnknown}, {200, `{"status":"error"}`, client.FateUnknown},
		{400, `{"error":{"message":"no"}}`, ""}, {402, "{}", ""}, {429, "{}", ""},
	} {
		s := always(tt.status, nil, tt.body)
		_, e := execute(t, testClient(s, env("PAYMENTS_API_KEY", "sk_live_hidden")), "payments", "customers", "update", `{"id":"cus_1","name":"A"}`)
		if e == nil || e.Fate != tt.fate || len(s.seen) != 1 {
			t.Errorf("%d %s: %+v", tt.status, tt.body, e)
			continue
		}
		if tt.fate == client.FateUnknown && (e.Next != `Look before you repeat it: customers get {"id":"cus_1"} shows it.` || !e.Look.Target.Local ||
			strings.Count(e.Message, "not known whether the change was made") != 1) {
			t.Errorf("%d %s: %s %s", tt.status, tt.body, e.Message, e.Next)
		}
	}
}
