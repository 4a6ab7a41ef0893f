package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/sandbox"
)

// person is somebody at a browser.
type person struct {
	t testing.TB
	// at is the address of the page that is open, body what it shows.
	at   *url.URL
	body string
	// to is where the browser was sent.
	to *url.URL
}

func newPerson(t testing.TB) *person { return &person{t: t} }

// follow takes an answer; redirects are kept, not followed.
func (p *person) follow(req *http.Request) *person {
	p.t.Helper()
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := browser.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	p.at, p.body = req.URL, string(raw)
	if p.to, err = res.Location(); err != nil {
		p.page(res)
	}
	return p
}

// page wants a page that a browser lets do nothing but ask.
func (p *person) page(res *http.Response) {
	p.t.Helper()
	csp := res.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
		if !strings.Contains(csp, want) {
			p.t.Errorf("%s: the policy %q lacks %s", p.at.Path, csp, want)
		}
	}
	style := p.body[strings.Index(p.body, "<style>")+7 : strings.Index(p.body, "</style>")]
	sum := sha256.Sum256([]byte(style))
	if !strings.Contains(csp, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
		p.t.Errorf("%s: the policy %q lets no style", p.at.Path, csp)
	}
	if res.Header.Get("Content-Type") != "text/html; charset=utf-8" || res.Header.Get("Cache-Control") != "no-store" ||
		strings.Contains(p.body, "<script") {
		p.t.Errorf("%s: %v", p.at.Path, res.Header)
	}
}

func (p *person) visit(address string) *person {
	p.t.Helper()
	req, err := http.NewRequest("GET", address, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return p.follow(req)
}

var inputs = regexp.MustCompile(`<input type="\w+" name="([^"]*)" value="([^"]*)"`)

// form is what the page sends when nothing is typed.
func (p *person) form() url.Values {
	form := url.Values{}
	for _, m := range inputs.FindAllStringSubmatch(p.body, -1) {
		form.Set(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
	}
	return form
}

// decide presses a button.
func (p *person) decide(button string, typed ...string) *person {
	p.t.Helper()
	form := p.form()
	if !form.Has("ticket") {
		p.t.Fatalf("%s asks nothing: %.300s", p.at, p.body)
	}
	for i := 0; i+1 < len(typed); i += 2 {
		form.Set(typed[i], typed[i+1])
	}
	form.Set("decision", button)
	return p.send(form)
}

func (p *person) send(form url.Values) *person {
	p.t.Helper()
	req, err := http.NewRequest("POST", p.at.ResolveReference(&url.URL{Path: "/decide"}).String(), strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", p.at.Scheme+"://"+p.at.Host)
	return p.follow(req)
}

const verifier = "a-verifier-of-at-least-forty-three-characters-0123"

// question is the address that opens a sign-in, with changes to its query.
func question(host string, changes ...string) string {
	sum := sha256.Sum256([]byte(verifier))
	q := url.Values{"response_type": {"code"}, "client_id": {"any-program"}, "redirect_uri": {"http://127.0.0.1:9/callback"},
		"scope": {"openid email profile offline_access"}, "state": {"state-1"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"}}
	for i := 0; i+1 < len(changes); i += 2 {
		q.Set(changes[i], changes[i+1])
	}
	return host + sandbox.Realm + "/protocol/openid-connect/auth?" + q.Encode()
}

// trade asks the token endpoint.
func trade(t testing.TB, host string, form url.Values) (int, map[string]any) {
	t.Helper()
	res, err := http.PostForm(host+sandbox.Realm+"/protocol/openid-connect/token", form)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var v map[string]any
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, v
}

func tradeOf(code string) url.Values {
	return url.Values{"grant_type": {"authorization_code"}, "code": {code}, "client_id": {"any-program"},
		"redirect_uri": {"http://127.0.0.1:9/callback"}, "code_verifier": {verifier}}
}

// TestStrangersSignInByBrowser does what the service's own command line does at login:
// a code for a token, then the organization, then a client id and secret.
func TestStrangersSignInByBrowser(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	back := newPerson(t).visit(question(b.url)).decide("agree").to
	if back.Host != "127.0.0.1:9" || back.Path != "/callback" || back.Query().Get("state") != "state-1" {
		t.Fatalf("back to %v", back)
	}
	status, token := trade(t, b.url, tradeOf(back.Query().Get("code")))
	if status != 200 || token["token_type"] != "Bearer" || token["expires_in"] != 300.0 || token["id_token"] == nil {
		t.Fatalf("token: %d %v", status, token)
	}
	if status, again := trade(t, b.url, tradeOf(back.Query().Get("code"))); status != 400 || again["error"] != "invalid_grant" {
		t.Errorf("a code twice: %d %v", status, again)
	}
	s := &stranger{t: t, host: b.url, header: [2]string{"X-ADP-Agent-CLI", "1.2.3"}, token: token["access_token"].(string)}
	if e := s.ask("GET", "/api/v1/internal/account/enrollment-status", nil); e["is_enrolled"] != true {
		t.Errorf("enrollment: %v", e)
	}
	if n := len(s.ask("GET", "/api/v1/internal/account/organizations", nil)["organizations"].([]any)); n != 2 {
		t.Errorf("%d organizations", n)
	}
	s.organization = sandbox.SecondOrganizationID
	app := s.ask("POST", "/api/v1/internal/account/applications", map[string]any{})
	if app["client_id"] != sandbox.ClientID || app["client_secret"] != sandbox.ClientSecret {
		t.Errorf("application: %v", app)
	}
	status, renewed := trade(t, b.url, url.Values{"grant_type": {"refresh_token"}, "client_id": {"any-program"},
		"refresh_token": {token["refresh_token"].(string)}})
	if status != 200 || renewed["access_token"] == nil {
		t.Errorf("renewed: %d %v", status, renewed)
	}
	for _, name := range []string{"refresh_token", "id_token"} {
		s.token = token[name].(string)
		if status, _, _ := s.send("GET", "/api/v1/workspaces", nil); status != 401 {
			t.Errorf("%s as a bearer token: %d", name, status)
		}
	}
}

// TestSignInIsRefused: by the person, and for what is wrong with the request.
func TestSignInIsRefused(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	if q := newPerson(t).visit(question(b.url)).decide("refuse").to.Query(); q.Get("error") != "access_denied" ||
		q.Get("state") != "state-1" || q.Has("code") {
		t.Errorf("refused: %v", q)
	}
	for _, wrong := range [][]string{{"code_challenge", ""}, {"code_challenge", "short"}, {"code_challenge_method", "plain"},
		{"response_type", "token"}, {"client_id", ""}} {
		if q := newPerson(t).visit(question(b.url, wrong...)).to.Query(); q.Get("error") == "" || q.Get("state") != "state-1" {
			t.Errorf("%v: %v", wrong, q)
		}
	}
	for _, away := range []string{"https://evil.example/callback", "http://evil.example", "javascript:alert(1)", "", "http://127.0.0.1@evil.example"} {
		if p := newPerson(t).visit(question(b.url, "redirect_uri", away)); p.to != nil || strings.Contains(p.body, "<form") {
			t.Errorf("%s: sent to %v", away, p.to)
		}
	}
	for name, value := range map[string]string{"code_verifier": "another-verifier", "client_id": "another", "redirect_uri": "http://127.0.0.1:10/callback", "grant_type": "password"} {
		form := tradeOf(newPerson(t).visit(question(b.url)).decide("agree").to.Query().Get("code"))
		form.Set(name, value)
		if status, told := trade(t, b.url, form); status != 400 || told["error"] == "" {
			t.Errorf("another %s: %d %v", name, status, told)
		}
	}
}

// TestPagesAreEscapedAndCountOnce: what a request holds reaches a page as text, and a
// page is answered once.
func TestPagesAreEscapedAndCountOnce(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	hostile := `"><script>alert('x')</script>`
	p := newPerson(t).visit(question(b.url, "client_id", hostile))
	if strings.Contains(p.body, "<script>") || !strings.Contains(p.body, html.EscapeString(hostile)) {
		t.Errorf("not escaped: %s", p.body)
	}
	form := p.form()
	p.decide("agree")
	form.Set("decision", "agree")
	if p.send(form); p.to != nil || !strings.Contains(p.body, "Too late") {
		t.Errorf("a page twice: %v %s", p.to, p.body)
	}
}

// TestStrangersCreateInTheServicesFlow creates a connector of every kind as the service's
// command line does: widget token, session, and what the session holds merged into the
// configuration; then as a client does that sends it as credentials.
func TestStrangersCreateInTheServicesFlow(t *testing.T) {
	cat := catalog.New()
	b := newBench(t, sandbox.Options{Catalog: cat})
	s := strangers(t, b.url)["cli"]
	s.signIn()
	templates := s.ask("GET", templatesPath+"/global", nil)["data"].([]any)
	if len(templates) != len(cat.Kinds()) {
		t.Fatalf("%d templates for %d kinds", len(templates), len(cat.Kinds()))
	}
	for _, item := range templates {
		template := s.ask("GET", templatesPath+"/"+item.(map[string]any)["id"].(string), nil)
		session := s.setUp(template)
		opened := s.ask("GET", session, nil)
		if opened["status"] != "completed" {
			t.Errorf("%v: %v", template["name"], opened)
			continue
		}
		body := map[string]any{"workspace_name": "staging", "source_template_id": opened["source_template_id"],
			"connector_type": template["name"], "name": template["name"], "replication_config": opened["auth_payload"]}
		made := s.ask("POST", connectorsPath, body)
		s.ask("PATCH", session, map[string]any{"source_id": made["id"]})
		if got := s.ask("GET", session, nil)["source_id"]; got != made["id"] {
			t.Errorf("the session of %v holds %v", template["name"], got)
		}
		delete(body, "replication_config")
		body["credentials"] = opened["auth_payload"]
		s.ask("POST", connectorsPath, body)
	}
}

// setUp opens a session for a template and returns its path.
func (s *stranger) setUp(template map[string]any) string {
	s.t.Helper()
	workspace := s.widget()["widgetUrl"].(string)
	u, err := url.Parse(workspace)
	if err != nil {
		s.t.Fatal(err)
	}
	const path = "/api/v1/internal/mcp_oauth/sessions"
	return path + "/" + s.ask("POST", path, map[string]any{"source_definition_id": template["source_definition_id"],
		"workspace_id": u.Query().Get("workspaceId"), "source_template_id": template["id"]})["session_id"].(string)
}

// widget decodes a widget token; token is the text itself.
func (s *stranger) widget() map[string]any {
	s.t.Helper()
	text := s.ask("POST", "/api/v1/account/applications/widget-token", map[string]any{"workspace_name": "staging",
		"allowed_origin": "https://app.example"})["token"].(string)
	raw, err := base64.StdEncoding.DecodeString(text)
	var v map[string]any
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(raw)).Decode(&v)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	v["token"] = text
	return v
}

// TestPeopleDecideOnSessions: once its page is open, a session waits for its person.
func TestPeopleDecideOnSessions(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	s := strangers(t, b.url)["cli"]
	s.signIn()
	for _, name := range []string{"stripe", "salesforce"} {
		template := s.ask("GET", templatesPath+"/"+templateOf(s.ask("GET", templatesPath+"/global", nil)["data"].([]any), name), nil)
		session := s.setUp(template)
		address := b.url + "/widget-bridge?" + url.Values{"session": {session[strings.LastIndex(session, "/")+1:]},
			"widget_token": {s.widget()["token"].(string)}, "selectedTemplateId": {template["id"].(string)}}.Encode()
		p := newPerson(t).visit(address)
		if got := s.ask("GET", session, nil); got["status"] != "pending" || got["auth_payload"] != nil {
			t.Errorf("%s: an open page and %v", name, got)
		}
		p.decide("refuse")
		if got := s.ask("GET", session, nil); got["status"] != "failed" || got["error"] == nil {
			t.Errorf("%s: refused and %v", name, got)
		}
		newPerson(t).visit(address).decide("agree", "field.api_key", "typed <b>")
		got := s.ask("GET", session, nil)
		if payload := got["auth_payload"].(map[string]any); got["status"] != "completed" || name == "stripe" && payload["api_key"] != "typed <b>" {
			t.Errorf("%s: agreed and %v", name, got)
		}
	}
	if p := newPerson(t).visit(b.url + "/widget-bridge?session=x&widget_token=x"); strings.Contains(p.body, "<form") {
		t.Errorf("a wrong widget token opens %s", p.body)
	}
}
