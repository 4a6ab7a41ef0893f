package local

import (
	"strings"
	"testing"

	"patchbay/client"
)

func TestMethodIsChosenByWhatIsThere(t *testing.T) {
	const path = "users"
	cases := []struct {
		env  map[string]string
		want string
	}{
		{env("NOTES_WORKSPACE_TOKEN", "tok-1"), "Bearer tok-1"},
		{env("NOTES_WORKSPACE_ACCESS_TOKEN", "oauth-1"), "Bearer oauth-1"},
		{env("NOTES_WORKSPACE_ACCESS_TOKEN", "oauth-1", "NOTES_WORKSPACE_TOKEN", "tok-1"), "Bearer tok-1"},
	}
	for _, c := range cases {
		s := always(200, nil, `{"results":[]}`)
		if _, e := execute(t, testClient(s, c.env), "notes_workspace", path, "list", `{}`); e != nil || s.seen[0].Header.Get("Authorization") != c.want {
			t.Errorf("%v: %v, %s", c.env, e, s.seen[0].Header.Get("Authorization"))
		}
	}
	s := always(200, nil, `{"users":[]}`)
	c := testClient(s, env("CALL_RECORDING_ACCESS_KEY", "only half", "CALL_RECORDING_ACCESS_TOKEN", "oauth-2"))
	if _, e := execute(t, c, "call_recording", path, "list", `{}`); e != nil || s.seen[0].Header.Get("Authorization") != "Bearer oauth-2" {
		t.Errorf("%v", e)
	}
}

func TestCredentialsTellPlacesAndNoValues(t *testing.T) {
	c := testClient(nil, env("SHOP_API_KEY", "sk_live_hidden"))
	found, err := c.Credentials(client.Target{Kind: "payments", Name: "shop"})
	if err != nil || len(found) != 1 || found["api_key"] != "environment variable PATCHBAY_SHOP_API_KEY" {
		t.Errorf("%v, %v", found, err)
	}
	if _, err = c.Credentials(client.Target{Kind: "payments", Name: "other"}); client.AsError(err).Class != client.ClassAuth {
		t.Errorf("got %v", err)
	}
}

// What is missing is told apart from what can be left out, and from what is there.
func TestMissingCredentialsAreNamed(t *testing.T) {
	for _, test := range []struct {
		kind, entity string
		env          map[string]string
		wants        []string
	}{
		{"crm", "accounts", env(), []string{"no credentials are configured: refresh_token is missing",
			"Set PATCHBAY_CRM_REFRESH_TOKEN (optional beside: PATCHBAY_CRM_CLIENT_ID and PATCHBAY_CRM_CLIENT_SECRET)"}},
		{"crm", "accounts", env("CRM_CLIENT_ID", "x"), []string{"the credentials are not complete: refresh_token is missing",
			"(optional beside: PATCHBAY_CRM_CLIENT_SECRET)"}},
	} {
		s := always(200, nil, `{}`)
		_, err := execute(t, testClient(s, test.env), test.kind, test.entity, "list", `{"q":"SELECT Id FROM Account"}`)
		e := client.AsError(err)
		if e == nil || e.Class != client.ClassAuth || len(s.seen) > 0 {
			t.Fatalf("%v: %v", test.env, err)
		}
		for _, want := range test.wants {
			if !strings.Contains(e.Error()+" "+e.Next, want) {
				t.Errorf("%v lacks %q: %s. %s", test.env, want, e.Error(), e.Next)
			}
		}
	}
	s := always(401, nil, `{}`)
	_, err := execute(t, testClient(s, env("CALL_RECORDING_ACCESS_TOKEN", "old")), "call_recording", "users", "list", `{}`)
	if e := client.AsError(err); e == nil || !strings.Contains(e.Next, "refresh_token is missing: set PATCHBAY_CALL_RECORDING_REFRESH_TOKEN") {
		t.Errorf("an access token at its end: %v", err)
	}
}
