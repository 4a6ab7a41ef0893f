package preflight

import (
	"encoding/json"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
)

func TestCreateIsJudgedByNames(t *testing.T) {
	secret := func(name string) catalog.Field { return catalog.Field{Name: name, Type: "string", Required: true} }
	k := &catalog.Kind{Name: "shop", Title: "Shop", Config: []catalog.Field{secret("account_id"),
		{Name: "since", Required: true, Format: "date"}, {Name: "region"}},
		Credentials: []catalog.Method{{Fields: []catalog.Field{secret("api_key")}},
			{Fields: []catalog.Field{secret("refresh_token"), {Name: "client_id"}}},
			{Unavailable: true, Fields: []catalog.Field{secret("password")}}}}
	for _, test := range []struct{ credentials, config, told string }{
		{`{"api_key":"s3cr3t"}`, `{"account_id":"a"}`, ""},
		{`{"refresh_token":"s3cr3t","client_id":"c"}`, `{"account_id":"a","region":"eu","start_date":"2026"}`, ""},
		{``, `{"account_id":"a"}`, ""},
		{`{"apikey":"s3cr3t"}`, `{"account_id":"a"}`, `no credential "apikey"; did you mean "api_key"?`},
		{`{"password":"s3cr3t"}`, `{"account_id":"a"}`, `no credential "password"`},
		{`{"client_id":"s3cr3t"}`, `{"account_id":"a"}`, "it takes api_key, or refresh_token + [client_id]"},
		{`{"api_key":"s3cr3t","client_id":"c"}`, `{"account_id":"a"}`, "fit no method"},
		{`{"api_key":"s3cr3t"}`, ``, "replication_config lacks account_id"},
		{`{"api_key":"s3cr3t"}`, `{"account_id":"a","api_key":"s3cr3t"}`, `no replication_config "api_key"`},
	} {
		n := client.NewConnector{Credentials: json.RawMessage(test.credentials),
			ReplicationConfig: json.RawMessage(test.config)}
		e := Create(k, n)
		switch {
		case test.told == "" && e != nil, test.told != "" && (e == nil || !strings.Contains(e.Error(), test.told)):
			t.Errorf("%s %s: %v", test.credentials, test.config, e)
		case e != nil && (client.ExitCode(e) != 4 || strings.Contains(e.Error()+e.Next, "s3cr3t")):
			t.Errorf("%s %s: exit code %d: %v", test.credentials, test.config, client.ExitCode(e), e)
		}
		if e := Create(nil, n); e != nil {
			t.Errorf("of no kind: %v", e)
		}
	}
}
