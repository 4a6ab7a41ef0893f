package hosted_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/hosted"
)

// Actions that are not known to read are refused by a read-only client before
// anything is sent, and are sent once otherwise.
func TestWhatIsNotKnownToReadIsAWrite(t *testing.T) {
	elsewhere := client.Target{Kind: "something else", ConnectorID: "c-1"}
	for _, action := range []string{"delete", "Delete", "archive", "send", "search", "create"} {
		for _, target := range []client.Target{orders, elsewhere} {
			op := client.Operation{Entity: "orders", Action: action}
			only := hosted.Config{BaseURL: "http://127.0.0.1:1", Token: newService(t).config().Token, ReadOnly: true,
				Transport: quick(), Catalog: kinds{}}
			_, err := hosted.New(only).Execute(t.Context(), target, op)
			_, failed := hosted.New(only).Download(t.Context(), target, op, &bytes.Buffer{})
			for _, err := range []error{err, failed} {
				if e := asError(t, err); e.Class != client.ClassRefused || len(e.Attempts) > 0 {
					t.Errorf("%s on a read-only profile: %+v", action, e)
				}
			}
			s := newService(t)
			s.on(execute, answer{status: 503, body: `{"message":"later"}`})
			c := hosted.New(s.config())
			_, err = c.Execute(t.Context(), target, op)
			asError(t, err)
			if _, err = c.Download(t.Context(), target, op, &bytes.Buffer{}); s.used(execute) != 2 {
				t.Errorf("%s was sent %d times, %v", action, s.used(execute), err)
			}
		}
	}
}

// untrue are answers with a good status that are not those of the service.
var untrue = []string{"null", `"ok"`, "12", "true", "{}", `{"status":"error","message":"it broke"}`, `{"message":"it broke"}`,
	`{"status":"failed"}`, `{"data":null}`, `{"data":{}}`, `{"data":[null]}`, `{"data":["a"]}`, `{"data":[{}]}`, `[]`}

// calls are all that a person may ask a service for.
func calls(c *hosted.Client) map[string]func(*testing.T) error {
	op := func(action string) func(*testing.T) error {
		return func(t *testing.T) error {
			_, err := c.Execute(t.Context(), orders, client.Operation{Entity: "orders", Action: action})
			return err
		}
	}
	return map[string]func(*testing.T) error{
		"organizations": func(t *testing.T) error { _, err := c.Organizations(t.Context()); return err },
		"workspaces":    func(t *testing.T) error { _, err := c.Workspaces(t.Context()); return err },
		"connectors":    func(t *testing.T) error { _, err := c.Connectors(t.Context(), "demo"); return err },
		"describe":      func(t *testing.T) error { _, err := c.Connector(t.Context(), "c-1"); return err },
		"check":         func(t *testing.T) error { _, err := c.CheckConnector(t.Context(), "c-1"); return err },
		"list":          op("list"), "get": op("get"), "search": op("context_store_search"),
	}
}

func TestOnlyWhatHasTheShapeIsBelieved(t *testing.T) {
	for _, body := range untrue {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(body))
		}))
		c := hosted.New(hosted.Config{BaseURL: server.URL, Token: newService(t).config().Token, Transport: quick(), Catalog: kinds{}})
		for name, call := range calls(c) {
			array, data := strings.HasPrefix(body, "["), strings.HasPrefix(body, `{"data":[`)
			switch name { // what is an answer of theirs
			case "list", "search":
				if array || data { // whatever the records hold
					continue
				}
			case "get":
				if array {
					continue
				}
			case "check":
				if strings.Contains(body, "failed") {
					continue
				}
			}
			e := client.AsError(call(t))
			if e == nil || e.Class != client.ClassBadResponse && e.Class != client.ClassUpstream || client.ExitCode(e) == 0 || e.Next == "" {
				t.Errorf("%s believes %s: %v", name, body, e)
			}
			if e != nil && strings.Contains(body, `"status":"error"`) && e.Class != client.ClassUpstream {
				t.Errorf("%s takes %s for no error of the service: %v", name, body, e)
			}
			if e != nil && strings.Contains(body, "it broke") && !strings.Contains(e.Error(), "it broke") {
				t.Errorf("%s does not pass on what %s says: %v", name, body, e)
			}
		}
		server.Close()
	}
}

// A redirect to another host is followed by nothing, and what answers there is not believed.
func TestNothingFollowsARedirectToAnotherHost(t *testing.T) {
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("another host was asked for %s", r.URL)
		_, _ = w.Write([]byte(`{"data":[],"access_token":"t"}`))
	}))
	defer far.Close()
	near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, far.URL, http.StatusFound) }))
	defer near.Close()
	given := newService(t).config()
	for _, cfg := range []hosted.Config{{Token: given.Token}, {ClientID: given.Token, ClientSecret: given.Token}} {
		cfg.BaseURL, cfg.Transport, cfg.Catalog = near.URL, quick(), kinds{}
		for name, call := range calls(hosted.New(cfg)) {
			if e := client.AsError(call(t)); e == nil || !strings.Contains(e.Message, "redirects") {
				t.Errorf("%s: %v", name, e)
			}
		}
	}
}

// A token is one, or there is none.
func TestTokensHaveAShape(t *testing.T) {
	for _, body := range append([]string{`{"access_token":null}`, `{"access_token":12}`, `{"access_token":""}`, "<html>sign in</html>"}, untrue...) {
		s := newService(t)
		s.on("POST /api/v1/account/applications/token", answer{body: body})
		cfg := s.config()
		cfg.ClientID, cfg.ClientSecret = cfg.Token, cfg.Token
		cfg.Token = hosted.Config{}.Token
		_, err := hosted.New(cfg).Workspaces(t.Context())
		if e := asError(t, err); e.Class != client.ClassBadResponse {
			t.Errorf("%s: %+v", body, e)
		}
	}
}

// What became of a write is said, with the call that shows it in place of advice to
// send it again.
func TestWritesSayWhatBecameOfThem(t *testing.T) {
	op := client.Operation{Entity: "orders", Action: "delete", Params: []byte(`{"MarketOrderId":"o-1"}`)}
	tests := []struct {
		answer answer
		fate   client.Fate
		class  client.Class
	}{
		{answer{status: 500, body: `{"message":"oops"}`}, client.FateUnknown, client.ClassUpstream},
		{answer{status: 502, body: "<html>bad gateway</html>"}, client.FateUnknown, client.ClassUpstream},
		{answer{status: 503, header: map[string]string{"Retry-After": "2"}}, client.FateUnknown, client.ClassUpstream},
		{answer{status: 504, body: `{"details":{"upstream_status":504}}`}, client.FateUnknown, client.ClassUpstream},
		{answer{body: `{"status":"error","message":"oops","result":null}`}, client.FateUnknown, client.ClassUpstream},
		{answer{body: `{"status":"error","message":"oops"}`}, client.FateUnknown, client.ClassUpstream},
		{answer{body: `{"status":"succ`}, client.FateUnknown, client.ClassBadResponse},
		{answer{body: "null"}, client.FateUnknown, client.ClassBadResponse},
		{answer{body: `"done"`}, client.FateUnknown, client.ClassBadResponse},
		{answer{body: ""}, client.FateUnknown, client.ClassBadResponse},
		{answer{status: 422, body: `{"message":"no such field"}`}, "", client.ClassInvalid},
		{answer{body: `{"status":"error","message":"no such field","upstream_status":422,"result":null}`}, "", client.ClassInvalid},
		{answer{status: 429}, "", client.ClassRateLimited},
	}
	for _, tt := range tests {
		_, err := run(t, tt.answer, op)
		e := asError(t, err)
		if e.Fate != tt.fate || e.Class != tt.class || e.Retryable() != (tt.class == client.ClassRateLimited) {
			t.Errorf("%+v: %q %q, retryable %v", tt.answer, e.Fate, e.Class, e.Retryable())
		}
		if tt.fate != "" && e.RetryAfter != 0 {
			t.Errorf("%+v: a time to send it again is told", tt.answer)
		}
		if tt.fate == "" {
			continue
		}
		if strings.Count(e.Message, "it is not known whether the change was made") != 1 || e.Look == nil || e.Look.Op.Action != "get" ||
			string(e.Look.Op.Params) != `{"MarketOrderId":"o-1"}` || e.Next != `Look before you repeat it: orders get {"MarketOrderId":"o-1"} shows it.` {
			t.Errorf("%+v: %s %s %+v", tt.answer, e.Message, e.Next, e.Look)
		}
		for _, again := range []string{"again", "Try", "later", "Run it"} {
			if strings.Contains(e.Next, again) {
				t.Errorf("%+v: %s", tt.answer, e.Next)
			}
		}
	}
	gone := hosted.New(hosted.Config{BaseURL: "http://127.0.0.1:1", Token: newService(t).config().Token, Transport: quick(), Catalog: kinds{}})
	_, err := gone.Execute(t.Context(), orders, op)
	if e := asError(t, err); e.Fate != client.FateUnsent || !strings.Contains(e.Message, "nothing was sent, so nothing was changed") || !e.Retryable() {
		t.Errorf("%+v", e)
	}
	_, err = gone.DeleteConnector(t.Context(), "c-1")
	if e := asError(t, err); e.Fate != client.FateUnsent {
		t.Errorf("%+v", e)
	}
	s := newService(t)
	s.on("DELETE /api/v1/integrations/connectors/c-1", answer{status: 502})
	_, err = hosted.New(s.config()).DeleteConnector(t.Context(), "c-1")
	if e := asError(t, err); e.Fate != client.FateUnknown || e.Next != "Look before you repeat it: patchbay connectors list shows the connectors." {
		t.Errorf("%+v", e)
	}
	elsewhere := client.Target{ConnectorID: "c-1"}
	s.on(execute, answer{status: 500})
	_, err = hosted.New(s.config()).Execute(t.Context(), elsewhere, client.Operation{Entity: "cards", Action: "archive"})
	if e := asError(t, err); e.Look == nil || e.Look.Op.Entity != "cards" || e.Look.Op.Action != "list" {
		t.Errorf("%+v", e)
	}
}
