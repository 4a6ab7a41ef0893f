package local

import (
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
)

func fieldNames(fields []catalog.Field) string {
	var out []string
	for _, f := range fields {
		name := f.Name
		if f.Required {
			name += "!"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestSetups(t *testing.T) {
	want := map[string][]string{
		"payments":                {"api_key! | "},
		"notes_workspace":         {"token! | ", "access_token! | "},
		"call_recording":          {"access_key! access_key_secret! | ", "access_token refresh_token! client_id client_secret | "},
		"crm":                     {"refresh_token! client_id client_secret | instance_url"},
		"code_hosting":            {"token! | repositories!", "access_token! | repositories!"},
		"email_campaign":          {"api_key! | data_center"},
		"issue_tracker":           {"username! password! | subdomain!"},
		"error_tracking":          {"auth_token! | hostname organization!"},
		"marketplace_seller":      {"lwa_app_id! lwa_client_secret! refresh_token! access_token | region"},
		"marketplace_advertising": {"client_id client_secret refresh_token! | region"},
	}
	cat := catalog.New()
	for _, summary := range cat.Kinds() {
		kind, err := cat.Kind(summary.Name)
		if err != nil {
			t.Fatal(err)
		}
		setups := Setups(kind)
		if len(setups) == 0 {
			t.Errorf("%s cannot be set up", kind.Name)
		}
		for i, wanted := range want[kind.Name] {
			if i >= len(setups) || fieldNames(setups[i].Credentials)+" | "+fieldNames(setups[i].Config) != wanted {
				t.Errorf("%s: method %d of %+v, want %s", kind.Name, i, setups, wanted)
			}
		}
	}
}

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
