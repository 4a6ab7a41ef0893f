package signin

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/transport"
)

func wire() *transport.Client { return transport.New(transport.Options{}) }

// served is a service with one answer for everything.
func served(t *testing.T, status int, body string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestDiscover(t *testing.T) {
	good := `{"authorization_endpoint":"https://id.example/auth","token_endpoint":"http://127.0.0.1:9/token"}`
	s, err := Discover(t.Context(), wire(), served(t, 200, good)+"/")
	if err != nil || s.Authorize != "https://id.example/auth" || s.Token != "http://127.0.0.1:9/token" || s.ClientID == "" {
		t.Errorf("%+v %v", s, err)
	}
	for _, bad := range []string{`{}`, `[]`, `not JSON`, `{"authorization_endpoint":"https://a.example","token_endpoint":"http://a.example"}`,
		`{"authorization_endpoint":"file:///etc/passwd","token_endpoint":"https://a.example"}`,
		`{"authorization_endpoint":"javascript:alert(1)","token_endpoint":"https://a.example"}`,
		`{"authorization_endpoint":"https://u:p@a.example","token_endpoint":"https://a.example"}`} {
		if s, err := Discover(t.Context(), wire(), served(t, 200, bad)); err == nil {
			t.Errorf("%s: %+v", bad, s)
		}
	}
	if _, err := Discover(t.Context(), wire(), served(t, 404, good)); err == nil || client.AsError(err).Class != client.ClassConfig {
		t.Errorf("not there: %v", err)
	}
}

// flow is a sign-in whose browser does what come says with the address that it came for.
func flow(token string, come func(redirect, state string)) *Flow {
	return &Flow{Service: Service{Authorize: "https://id.example/auth?a=b", Token: token, ClientID: "me"}, Transport: wire(),
		Show: func(address string) {
			u, _ := url.Parse(address)
			go come(u.Query().Get("redirect_uri"), u.Query().Get("state"))
		}}
}

func get(t *testing.T, address string, change func(*http.Request)) int {
	req, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Error(err)
		return 0
	}
	if change != nil {
		change(req)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer res.Body.Close()
	return res.StatusCode
}

// TestStrangersAtTheDoorEndNothing: only the browser that was sent away comes in.
func TestStrangersAtTheDoorEndNothing(t *testing.T) {
	f := flow(served(t, 200, `{"access_token":"the-token"}`), func(redirect, state string) {
		host := func(r *http.Request) { r.Host = "evil.example:80" }
		for address, want := range map[string]int{redirect: 403, redirect + "?code=x&state=guess": 403,
			redirect + "?state=" + state: 400, strings.TrimSuffix(redirect, callback) + "/?code=x&state=" + state: 404} {
			if got := get(t, address, nil); got != want {
				t.Errorf("%s: %d, want %d", address, got, want)
			}
		}
		if got := get(t, redirect+"?code=x&state="+state, host); got != 404 {
			t.Errorf("another host: %d", got)
		}
		if got := get(t, redirect+"?code=x&state="+state, nil); got != 200 {
			t.Errorf("the browser: %d", got)
		}
	})
	if token, err := f.Run(t.Context()); err != nil || token.Reveal() != "the-token" {
		t.Errorf("%v", err)
	}
}

func TestSignInsThatFail(t *testing.T) {
	come := func(query string) func(redirect, state string) {
		return func(redirect, state string) { get(t, redirect+"?state="+state+"&"+query, nil) }
	}
	for _, tt := range []struct {
		name, token string
		come        func(redirect, state string)
		class       client.Class
	}{
		{"refused", served(t, 200, `{}`), come("error=access_denied"), client.ClassAuth},
		{"wrong", served(t, 200, `{}`), come("error=server_error&error_description=x"), client.ClassAuth},
		{"code refused", served(t, 400, `{"error":"invalid_grant"}`), come("code=x"), client.ClassAuth},
		{"no token", served(t, 200, `{}`), come("code=x"), client.ClassBadResponse},
		{"nobody comes", served(t, 200, `{}`), func(string, string) {}, client.ClassAuth},
		{"no address", "ftp://a.example", func(string, string) {}, client.ClassConfig},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		if _, err := flow(tt.token, tt.come).Run(ctx); err == nil || client.AsError(err).Class != tt.class {
			t.Errorf("%s: %v", tt.name, err)
		}
		cancel()
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := flow(served(t, 200, `{}`), func(string, string) { cancel() }).Run(ctx); err == nil ||
		client.AsError(err).Class != client.ClassCanceled {
		t.Errorf("stopped: %v", err)
	}
}
