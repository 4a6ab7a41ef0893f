package local

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// styles has one kind per way to sign a call, with a list and its variables.
var styles = []struct {
	name, kind, entity, params string
	env                        map[string]string
	secret, field              string
}{
	{"bearer", "payments", "customers", `{}`, env("PAYMENTS_API_KEY", "sk_live_hidden"), "sk_live_hidden", "api_key"},
	{"basic", "recruiting", "candidates", `{}`, env("RECRUITING_API_KEY", "gh-hidden-key"), "gh-hidden-key", "api_key"},
	{"basic pair", "call_recording", "users", `{}`, env("CALL_RECORDING_ACCESS_KEY", "AKHIDDEN", "CALL_RECORDING_ACCESS_KEY_SECRET", "deep-hidden"), "deep-hidden", "access_key"},
	{"key header", "ecommerce_marketing", "profiles", `{}`, env("ECOMMERCE_MARKETING_API_KEY", "pk_hidden_key"), "pk_hidden_key", "api_key"},
	{"bare header", "task_management", "teams", `{}`, env("TASK_MANAGEMENT_API_KEY", "pk_9_HIDDEN"), "pk_9_HIDDEN", "api_key"},
	{"oauth", "crm", "accounts", crmQuery, env("CRM_ACCESS_TOKEN", "00D-hidden-token"), "00D-hidden-token", "access_token"},
	{"graphql", "work_board", "boards", `{}`, env("WORK_BOARD_API_KEY", "monday-hidden"), "monday-hidden", "api_key"},
}

func TestRefusedCredentials(t *testing.T) {
	for _, style := range styles {
		t.Run(style.name, func(t *testing.T) {
			s := always(401, nil, `{"error":{"message":"Invalid API Key provided: `+style.secret+`"}}`)
			_, e := execute(t, testClient(s, style.env), style.kind, style.entity, "list", style.params)
			if e == nil || e.Class != client.ClassAuth || e.Layer != client.LayerThirdParty || e.Field != style.field {
				t.Fatalf("got %+v", e)
			}
			if !strings.Contains(e.Next, "environment variable PATCHBAY_") {
				t.Errorf("the next step does not say where the credential came from: %q", e.Next)
			}
			hasNo(t, e, style.secret)
			if len(s.seen) != 1 {
				t.Errorf("asked %d times", len(s.seen))
			}
		})
	}
}

func TestMissingCredentials(t *testing.T) {
	s := always(200, nil, `{}`)
	_, e := execute(t, testClient(s, nil), "call_recording", "users", "list", `{}`)
	if e == nil || e.Class != client.ClassAuth || e.Layer != client.LayerProgram || len(s.seen) > 0 {
		t.Fatalf("got %+v after %d requests", e, len(s.seen))
	}
	for _, want := range []string{"PATCHBAY_CALL_RECORDING_ACCESS_KEY", "PATCHBAY_CALL_RECORDING_ACCESS_KEY_SECRET"} {
		if !strings.Contains(e.Next, want) {
			t.Errorf("the next step does not name %s: %q", want, e.Next)
		}
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	cases := []struct {
		name, body  string
		status      int
		contentType string
		cut         bool
		class       client.Class
		layer       client.Layer
	}{
		{"web page with 200", "<html><title>Sign in</title></html>", 200, "text/html", false, client.ClassBadResponse, client.LayerProxy},
		{"web page with 502", "<!doctype html><title>Bad gateway</title>", 502, "text/html", false, client.ClassUpstream, client.LayerProxy},
		{"cut JSON", `{"data":[{"id":"a"},{"i`, 200, "application/json", false, client.ClassBadResponse, client.LayerThirdParty},
		{"not JSON", `oops`, 200, "application/json", false, client.ClassBadResponse, client.LayerThirdParty},
		{"broken connection", `{"data":[{"id":"a"}]}`, 200, "application/json", true, client.ClassNetwork, client.LayerNetwork},
		{"failure", `{"message":"boom"}`, 500, "application/json", false, client.ClassUpstream, client.LayerThirdParty},
	}
	for _, style := range styles {
		for _, c := range cases {
			t.Run(style.name+"/"+c.name, func(t *testing.T) {
				s := always(c.status, map[string]string{"Content-Type": c.contentType}, c.body)
				s.cut = c.cut
				_, e := execute(t, testClient(s, style.env), style.kind, style.entity, "list", style.params)
				if e == nil || e.Class != c.class || e.Layer != c.layer || len(e.Attempts) != 1 {
					t.Fatalf("got %+v", e)
				}
				if e.Envelope == nil || e.Envelope.Body.Len() == 0 {
					t.Error("what arrived cannot be looked at")
				}
				hasNo(t, e, style.secret)
			})
		}
	}
}

// An error in a body with a good status is one where the records should be, and
// none beside them.
func TestErrorBodyWithAGoodStatus(t *testing.T) {
	_, e := execute(t, testClient(always(200, nil, `{"error":{"message":"the index is rebuilding"}}`), styles[0].env), "payments", "customers", "list", `{}`)
	if e == nil || e.Class != client.ClassUpstream || !strings.Contains(e.Server, "the index is rebuilding") || e.Envelope == nil {
		t.Errorf("got %+v", e)
	}
	for _, body := range []string{`{"data":[],"error":"some were left out"}`, `{"data":null,"error":null}`} {
		if _, e := execute(t, testClient(always(200, nil, body), styles[0].env), "payments", "customers", "list", `{}`); e != nil {
			t.Errorf("%s: %v", body, e)
		}
	}
}

// An answer without the place of the records is not taken for one without records.
func TestAnAnswerOfUnknownShapeIsNotNoRecords(t *testing.T) {
	for body, has := range map[string]string{
		`{"templates":[{"id":1}],"count":1}`: "it holds templates, count", `{}`: "an empty object",
		`[{"id":1}]`: "it is a list", `{"` + styles[0].secret + `":1}`: "it holds ",
	} {
		_, e := execute(t, testClient(always(200, nil, body), styles[0].env), "payments", "customers", "list", `{}`)
		if e == nil || e.Class != client.ClassBadResponse || !strings.Contains(e.Message, `no "data"`) ||
			!strings.Contains(e.Message, has) || e.Envelope == nil {
			t.Errorf("%s: %v", body, e)
			continue
		}
		hasNo(t, e, styles[0].secret)
	}
}

func TestLimitHeaders(t *testing.T) {
	now := newClock().now
	cases := []struct {
		status      int
		name, value string
		want        time.Duration
	}{
		{429, "Retry-After", "7", 7 * time.Second},
		{429, "Retry-After", "1.5", 1500 * time.Millisecond},
		{429, "Retry-After", now.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second},
		{429, "X-RateLimit-Reset", fmt.Sprint(now.Add(time.Minute).Unix()), time.Minute},
		{429, "X-RateLimit-Reset", "30", 30 * time.Second},
		{429, "X-RateLimit-Reset", fmt.Sprint(now.Add(2 * time.Second).UnixMilli()), 2 * time.Second},
		{429, "X-RateLimit-Reset", now.Add(time.Hour).Format(time.RFC3339), time.Hour},
		{429, "RateLimit-Reset", "12", 12 * time.Second},
		{429, "RateLimit", `limit=100, remaining=0, reset=20`, 20 * time.Second},
		{429, "RateLimit", `"default";r=0;t=9`, 9 * time.Second},
		{429, "X-Sentry-Rate-Limit-Reset", fmt.Sprint(now.Add(5 * time.Second).Unix()), 5 * time.Second},
		{429, "X-RateLimit-Reset", "yesterday", 0},
		{429, "X-RateLimit-Reset", "-5", 0},
		{429, "X-RateLimit-Reset", "1e300", 0},
		{429, "X-RateLimit-Reset", "NaN", 0},
		{403, "X-RateLimit-Reset", fmt.Sprint(now.Add(3 * time.Minute).Unix()), 3 * time.Minute},
	}
	for _, style := range styles {
		for _, c := range cases {
			t.Run(style.name+"/"+c.name+" "+c.value, func(t *testing.T) {
				header := map[string]string{c.name: c.value, "X-RateLimit-Remaining": "0"}
				s := always(c.status, header, `{"message":"slow down"}`)
				_, e := execute(t, testClient(s, style.env), style.kind, style.entity, "list", style.params)
				if e == nil || e.Class != client.ClassRateLimited || e.RetryAfter != c.want {
					t.Fatalf("got %+v", e)
				}
			})
		}
	}
}

func TestWrongRegion(t *testing.T) {
	cases := []struct {
		kind, entity, params, want string
		env                        map[string]string
	}{
		{"messaging_automation", "campaigns", `{}`, "https://api-eu.customer.io", env("MESSAGING_AUTOMATION_APP_API_KEY", "app-key-1")},
		{"marketplace_seller", "orders", `{"CreatedAfter":"2026-01-01T00:00:00Z"}`, "PATCHBAY_MARKETPLACE_SELLER_REGION",
			env("MARKETPLACE_SELLER_ACCESS_TOKEN", "Atza|1", "MARKETPLACE_SELLER_LWA_APP_ID", "app", "MARKETPLACE_SELLER_REGION", "JP")},
		{"issue_tracker", "users", `{}`, "PATCHBAY_ISSUE_TRACKER_SUBDOMAIN", env("ISSUE_TRACKER_USERNAME", "a@b.c", "ISSUE_TRACKER_PASSWORD", "pw-123", "ISSUE_TRACKER_SUBDOMAIN", "other")},
	}
	for _, c := range cases {
		for _, status := range []int{401, 403} {
			_, e := execute(t, testClient(always(status, nil, `{"message":"no such account"}`), c.env), c.kind, c.entity, "list", c.params)
			if e == nil || !strings.Contains(e.Next, c.want) {
				t.Errorf("%s %d: got %+v", c.kind, status, e)
			}
		}
	}
}

// oauth answers token calls with numbered tokens and API calls when they carry the newest.
type oauth struct {
	server
	issued  int
	expires string
	reject  bool // refuses every API call
	revoked bool
	once    bool   // takes each refresh token once only
	newest  string // refresh token
}

func newOAuth() *oauth {
	o := &oauth{}
	o.answer = func(r *http.Request, body string) (int, map[string]string, string) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if strings.Contains(r.URL.Path, "/token") || strings.Contains(r.URL.Path, "/o2/") {
			if o.revoked {
				return 400, nil, `{"error":"invalid_grant","error_description":"token revoked"}`
			}
			if form, _ := url.ParseQuery(body); o.once && o.newest != "" && form.Get("refresh_token") != o.newest {
				return 400, nil, `{"error":"invalid_grant","error_description":"token revoked"}`
			}
			o.issued++
			o.newest = fmt.Sprintf("refresh-%d", o.issued)
			return 200, nil, fmt.Sprintf(`{"access_token":"access-%d","refresh_token":"refresh-%d","instance_url":"https://eu9.my.salesforce.com","expires_in":%s}`, o.issued, o.issued, orNull(o.expires))
		}
		if o.reject || r.Header.Get("Authorization") != fmt.Sprintf("Bearer access-%d", o.issued) {
			return 401, nil, `[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]`
		}
		return 200, nil, `{"records":[{"Id":"1"}],"done":true}`
	}
	return o
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return s
}

var crmEnv = env("CRM_REFRESH_TOKEN", "refresh-0", "CRM_CLIENT_ID", "app", "CRM_CLIENT_SECRET", "crm-hidden")

const crmQuery = `{"q":"SELECT Id FROM Account"}`

func TestRefresh(t *testing.T) {
	o := newOAuth()
	shelf := &shelf{}
	c := testClient(o, crmEnv, func(cfg *Config) { cfg.Keep = shelf.keep })
	env, e := execute(t, c, "crm", "accounts", "list", crmQuery)
	if e != nil {
		t.Fatal(e)
	}
	if got := shelf.kept[Origin("crm", secret.New("refresh-0"))]; got.RefreshToken.Reveal() != "refresh-1" ||
		got.AccessToken.Reveal() != "access-1" || got.Sets["instance_url"] == "" {
		t.Errorf("kept %+v", shelf.kept)
	}
	if want := "the new one is kept in the shelf"; !strings.Contains(env.Warning, want) {
		t.Errorf("told %q", env.Warning)
	}
	o.mu.Lock()
	o.issued++ // the first access token is no longer the newest
	o.mu.Unlock()
	env, e = execute(t, c, "crm", "accounts", "list", crmQuery)
	if e != nil {
		t.Fatal(e)
	}
	want := "POST login.salesforce.com/services/oauth2/token\nGET eu9.my.salesforce.com/services/data/v59.0/query\n" +
		"GET eu9.my.salesforce.com/services/data/v59.0/query\nPOST login.salesforce.com/services/oauth2/token\nGET eu9.my.salesforce.com/services/data/v59.0/query"
	if o.paths() != want {
		t.Errorf("called\n%s\nwant\n%s", o.paths(), want)
	}
	if !strings.Contains(o.bodies[3], "refresh_token=refresh-1") {
		t.Errorf("the replaced refresh token was not used: %s", o.bodies[3])
	}
	if len(env.Attempts) != 3 || env.Attempts[1].Purpose != "token" {
		t.Errorf("attempts: %+v", env.Attempts)
	}
	for i, r := range o.seen {
		if strings.Contains(r.URL.Path, "oauth2") != (r.Header.Get("Authorization") == "") {
			t.Errorf("request %d: the access token went to the wrong host", i)
		}
	}
}

func TestRefreshOnceForMany(t *testing.T) {
	o := newOAuth()
	c := testClient(o, crmEnv)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := c.Execute(t.Context(), client.Target{Kind: "crm"}, client.Operation{Entity: "accounts", Action: "list", Params: []byte(crmQuery)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if o.issued != 1 {
		t.Errorf("%d renewals for 20 calls", o.issued)
	}
}

func TestRefreshBeforeTheEnd(t *testing.T) {
	o, now := newOAuth(), newClock()
	o.expires = "3600"
	c := testClient(o, crmEnv, func(cfg *Config) { cfg.Transport = wire(o, transport.Options{Now: now.Now, MaxAttempts: 1}) })
	for i, step := range []struct {
		wait   time.Duration
		tokens int
	}{{0, 1}, {58 * time.Minute, 1}, {90 * time.Second, 2}, {30 * time.Minute, 2}} {
		now.pass(step.wait)
		if _, e := execute(t, c, "crm", "accounts", "list", crmQuery); e != nil || o.issued != step.tokens {
			t.Fatalf("step %d: %d tokens, %v", i, o.issued, e)
		}
	}
}

// A third party that answers 403 to a token that has ended says so in words of its own;
// any other 403 renews nothing.
func TestRefreshOnTheVendorsOwnSign(t *testing.T) {
	variables := env("MARKETPLACE_SELLER_REFRESH_TOKEN", "refresh-0", "MARKETPLACE_SELLER_LWA_APP_ID", "app", "MARKETPLACE_SELLER_LWA_CLIENT_SECRET", "hidden", "MARKETPLACE_SELLER_ACCESS_TOKEN", "old")
	for said, renewals := range map[string]int{"The access token you provided has expired.": 1, "Access to requested resource is denied.": 0} {
		o := newOAuth()
		answer := o.answer
		o.answer = func(r *http.Request, body string) (int, map[string]string, string) {
			switch {
			case strings.Contains(r.URL.Path, "/o2/"):
				return answer(r, body)
			case r.Header.Get("X-Amz-Access-Token") == "access-1":
				return 200, nil, `{"payload":{"Orders":[]}}`
			}
			return 403, nil, `{"errors":[{"code":"Unauthorized","message":"Access to requested resource is denied.","details":"` + said + `"}]}`
		}
		_, e := execute(t, testClient(o, variables), "marketplace_seller", "orders", "list", `{"MarketplaceIds":"A1","CreatedAfter":"2026-01-01T00:00:00Z"}`)
		if o.issued != renewals || (e == nil) != (renewals == 1) {
			t.Errorf("%s: %d renewals, %v", said, o.issued, e)
		}
	}
}

func TestRefreshIsTriedOnce(t *testing.T) {
	o := newOAuth()
	o.reject = true
	_, e := execute(t, testClient(o, crmEnv), "crm", "accounts", "list", crmQuery)
	if e == nil || e.Class != client.ClassAuth || o.issued != 2 || len(o.seen) != 4 {
		t.Fatalf("%d tokens, %d requests, %+v", o.issued, len(o.seen), e)
	}
	hasNo(t, e, "crm-hidden", "refresh-0", "access-1", "access-2")
}

func TestRevokedRefreshToken(t *testing.T) {
	o := newOAuth()
	o.revoked = true
	for _, kind := range []struct {
		name, entity, params string
		env                  map[string]string
	}{
		{"crm", "accounts", crmQuery, crmEnv},
		{"marketplace_advertising", "profiles", `{}`, env("MARKETPLACE_ADVERTISING_REFRESH_TOKEN", "refresh-0", "MARKETPLACE_ADVERTISING_CLIENT_SECRET", "crm-hidden")},
		{"call_recording", "users", `{}`, env("CALL_RECORDING_REFRESH_TOKEN", "refresh-0", "CALL_RECORDING_CLIENT_SECRET", "crm-hidden")},
	} {
		before := len(o.seen)
		envelope, e := execute(t, testClient(o, kind.env), kind.name, kind.entity, "list", kind.params)
		if e == nil || e.Class != client.ClassAuth || e.Field != "refresh_token" || envelope != nil || len(e.Attempts) != 1 {
			t.Fatalf("%s: got %+v", kind.name, e)
		}
		if !strings.Contains(e.Next, "environment variable PATCHBAY_") || len(o.seen) != before+1 {
			t.Errorf("%s: %q after %d requests", kind.name, e.Next, len(o.seen)-before)
		}
		hasNo(t, e, "crm-hidden", "refresh-0")
	}
}

func TestAccessTokenThatWasGiven(t *testing.T) {
	o := newOAuth()
	variables := env("CRM_ACCESS_TOKEN", "access-0", "CRM_INSTANCE_URL", "https://acme.my.salesforce.com")
	if _, e := execute(t, testClient(o, variables), "crm", "accounts", "list", crmQuery); e != nil || o.issued != 0 {
		t.Fatalf("%d renewals, %v", o.issued, e)
	}
	variables = env("CRM_ACCESS_TOKEN", "stale", "CRM_REFRESH_TOKEN", "refresh-0", "CRM_TOKEN_URL", "https://login.example.com/token")
	o = newOAuth()
	if _, e := execute(t, testClient(o, variables), "crm", "accounts", "list", crmQuery); e != nil || o.issued != 1 {
		t.Fatalf("%d renewals, %v", o.issued, e)
	}
	if o.seen[1].URL.Host != "login.example.com" {
		t.Errorf("renewed at %s", o.seen[1].URL)
	}
}

func TestUnsavedTokenIsTold(t *testing.T) {
	c := testClient(newOAuth(), crmEnv, func(cfg *Config) {
		cfg.Keep = func(_ context.Context, _ string, renew func(Renewed) Renewed) (string, error) {
			return "", fmt.Errorf("disk full, wanted to write %s", renew(Renewed{}).RefreshToken.Reveal())
		}
	})
	envelope, e := execute(t, c, "crm", "accounts", "list", crmQuery)
	if e != nil || !strings.Contains(envelope.Warning, "disk full") || strings.Contains(envelope.Warning, "refresh-1") {
		t.Fatalf("%q, %v", envelope.Warning, e)
	}
}

func TestFailuresToldAsInvalid(t *testing.T) {
	for said, want := range map[string]client.Class{
		"Error validating access token: Session has expired on Friday": client.ClassAuth,
		"(#17) User request limit reached":                             client.ClassRateLimited,
		"(#200) Ad account owner does not have permission ads_read":    client.ClassScope,
		"(#100) Invalid parameter":                                     client.ClassInvalid,
	} {
		s := always(400, nil, `{"error":{"message":"`+said+`","type":"OAuthException","code":1}}`)
		_, e := execute(t, testClient(s, env("SOCIAL_ADVERTISING_ACCESS_TOKEN", "EAAB-hidden")), "social_advertising", "ad_accounts", "list", `{}`)
		if e == nil || e.Class != want {
			t.Errorf("%s: got %+v", said, e)
		}
	}
}

func TestUnchangedRefreshTokenIsNotStored(t *testing.T) {
	o := newOAuth()
	o.issued = -1 // the next answer repeats refresh-0
	shelf := &shelf{}
	c := testClient(o, crmEnv, func(cfg *Config) { cfg.Keep = shelf.keep })
	if env, e := execute(t, c, "crm", "accounts", "list", crmQuery); e != nil || env.Warning != "" || shelf.kept != nil {
		t.Fatal(e, env, shelf.kept)
	}
}

// shelf keeps what was renewed for several clients, one at a time.
type shelf struct {
	mu   sync.Mutex
	kept map[string]Renewed
}

func (s *shelf) keep(_ context.Context, origin string, renew func(Renewed) Renewed) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if after := renew(s.kept[origin]); !after.RefreshToken.Empty() {
		s.kept = map[string]Renewed{origin: after}
	} else {
		delete(s.kept, origin)
	}
	return "the shelf", nil
}

// Several programs with one configured refresh token, which can be used once only,
// renew once, also where it came from the environment.
func TestProgramsShareWhatWasRenewed(t *testing.T) {
	o, shelf := newOAuth(), &shelf{}
	o.once, o.newest = true, "refresh-0"
	program := func() *Client { return testClient(o, crmEnv, func(cfg *Config) { cfg.Keep = shelf.keep }) }
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, e := execute(t, program(), "crm", "accounts", "list", crmQuery); e != nil {
				t.Error(e)
			}
		})
	}
	wg.Wait()
	if o.issued != 1 {
		t.Fatalf("%d renewals for 8 programs", o.issued)
	}
	if _, e := execute(t, program(), "crm", "accounts", "list", crmQuery); e != nil {
		t.Fatal(e)
	}
	o.mu.Lock()
	o.issued++ // what is kept is refused from now on
	o.mu.Unlock()
	for range 2 {
		if _, e := execute(t, program(), "crm", "accounts", "list", crmQuery); e != nil || o.issued != 3 {
			t.Fatalf("%d renewals, %v", o.issued, e)
		}
	}
	o.mu.Lock()
	o.revoked, o.reject = true, true
	o.mu.Unlock()
	if _, e := execute(t, program(), "crm", "accounts", "list", crmQuery); e == nil || e.Class != client.ClassAuth || len(shelf.kept) > 0 {
		t.Errorf("%v, kept %v", e, shelf.kept)
	}
}

func TestWritesAreSentOnce(t *testing.T) {
	s := always(503, nil, `{"error":{"message":"later"}}`)
	c := testClient(s, env("PAYMENTS_API_KEY", "sk_live_hidden"), func(cfg *Config) { cfg.Transport = wire(s, transport.Options{MaxAttempts: 3}) })
	_, e := execute(t, c, "payments", "customers", "create", `{"email":"a@b.c"}`)
	if e == nil || len(s.seen) != 1 || e.Fate != client.FateUnknown || !strings.Contains(e.Next, "customers list shows it") {
		t.Errorf("%d requests, %+v", len(s.seen), e)
	}
	read := testClient(s, env("PAYMENTS_API_KEY", "sk_live_hidden"), func(cfg *Config) {
		cfg.Transport = wire(s, transport.Options{MaxAttempts: 3, Random: func() float64 { return 0 }})
	})
	if _, e = execute(t, read, "payments", "customers", "list", `{}`); e == nil || len(s.seen) != 4 {
		t.Errorf("a read was sent %d times", len(s.seen)-1)
	}
	only := testClient(s, env("PAYMENTS_API_KEY", "sk_live_hidden"), func(cfg *Config) { cfg.ReadOnly = true })
	file, err := only.Download(t.Context(), client.Target{Kind: "payments", Local: true},
		client.Operation{Entity: "customers", Action: "delete", Params: []byte(`{"id":"1"}`)}, io.Discard)
	if e := client.AsError(err); err == nil || file != nil || e.Class != client.ClassRefused {
		t.Errorf("a download that writes on a read-only profile: %v", err)
	}
	for _, action := range []string{"create", "update", "delete"} {
		if _, e = execute(t, only, "payments", "customers", action, `{"id":"1"}`); e == nil || e.Class != client.ClassRefused || len(s.seen) != 4 {
			t.Errorf("%s on a read-only profile: %+v", action, e)
		}
	}
}

func TestGraphQLErrors(t *testing.T) {
	variables := env("CODE_HOSTING_TOKEN", "ghp_hidden", "CODE_HOSTING_REPOSITORIES", "octo/hello")
	cases := []struct {
		body    string
		class   client.Class
		warning string
	}{
		{`{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","message":"Could not resolve to a Repository"}]}`, client.ClassNotFound, ""},
		{`{"errors":[{"type":"INSUFFICIENT_SCOPES","message":"needs read:org"}]}`, client.ClassScope, ""},
		{`{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`, client.ClassRateLimited, ""},
		{`{"errors":[{"extensions":{"code":"undefinedField"},"message":"Field 'x' doesn't exist"}]}`, client.ClassInvalid, ""},
		{`{"error_code":"UserUnauthorizedException","error_message":"User unauthorized","status_code":403}`, client.ClassScope, ""},
		{`{"data":{"repository":{"id":"1"}},"errors":[{"message":"one field failed"}]}`, "", "one field failed"},
	}
	for _, c := range cases {
		envelope, e := execute(t, testClient(always(200, nil, c.body), variables), "code_hosting", "repositories", "get", `{}`)
		if c.class == "" {
			if e != nil || envelope.Warning != c.warning || !envelope.Single {
				t.Errorf("%s: %v, %+v", c.body, e, envelope)
			}
			continue
		}
		if e == nil || e.Class != c.class || e.Server == "" || e.Envelope == nil || e.Layer != client.LayerThirdParty {
			t.Errorf("%s: got %+v", c.body, e)
		}
	}
}

func TestTokenEndpointThatFails(t *testing.T) {
	cases := []struct {
		name, body string
		status     int
		header     map[string]string
		class      client.Class
		layer      client.Layer
		wait       time.Duration
	}{
		{"web page", "<html><title>Sign in</title></html>", 200, map[string]string{"Content-Type": "text/html"}, client.ClassBadResponse, client.LayerThirdParty, 0},
		{"web page with 403", "<html><title>Blocked</title></html>", 403, map[string]string{"Content-Type": "text/html"}, client.ClassScope, client.LayerProxy, 0},
		{"cut body", `{"access_token":"half-hidd`, 200, nil, client.ClassBadResponse, client.LayerThirdParty, 0},
		{"no token", `{"token_type":"bearer"}`, 200, nil, client.ClassBadResponse, client.LayerThirdParty, 0},
		{"too many", `{"error":"slow_down"}`, 429, map[string]string{"RateLimit-Reset": "9"}, client.ClassRateLimited, client.LayerThirdParty, 9 * time.Second},
		{"nothing there", `{}`, 404, nil, client.ClassConfig, client.LayerThirdParty, 0},
		{"failure", `{}`, 500, nil, client.ClassUpstream, client.LayerThirdParty, 0},
	}
	for _, c := range cases {
		s := always(c.status, c.header, c.body)
		envelope, e := execute(t, testClient(s, crmEnv), "crm", "accounts", "list", crmQuery)
		if e == nil || e.Class != c.class || e.Layer != c.layer || e.RetryAfter != c.wait || len(s.seen) != 1 || len(e.Attempts) != 1 {
			t.Errorf("%s: %d requests, %+v", c.name, len(s.seen), e)
			continue
		}
		if envelope != nil {
			t.Errorf("%s: the body of the token endpoint can be looked at", c.name)
		}
		hasNo(t, e, "crm-hidden", "refresh-0", "half-hidd")
	}
}

func TestWebPagesOfVendors(t *testing.T) {
	variables := env("ISSUE_TRACKER_USERNAME", "a@b.c", "ISSUE_TRACKER_PASSWORD", "pw-hidden", "ISSUE_TRACKER_SUBDOMAIN", "nobody")
	for status, class := range map[int]client.Class{401: client.ClassAuth, 403: client.ClassScope, 404: client.ClassNotFound} {
		s := always(status, map[string]string{"Content-Type": "text/html"}, "<html><title>Your site is unavailable</title></html>")
		_, e := execute(t, testClient(s, variables), "issue_tracker", "users", "list", `{}`)
		if e == nil || e.Class != class || e.Layer != client.LayerProxy || e.Server != "Your site is unavailable" ||
			!strings.Contains(e.Next, "password from environment variable") || !strings.Contains(e.Next, "PATCHBAY_ISSUE_TRACKER_SUBDOMAIN") {
			t.Errorf("%d: %+v", status, e)
		}
		hasNo(t, e, "pw-hidden")
	}
}
