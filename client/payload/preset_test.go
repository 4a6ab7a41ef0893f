package payload

import (
	"reflect"
	"strings"
	"testing"

	"patchbay/client"
)

// Nothing that a program reads while it runs can become a credential in a text: the type
// of what KnownCredentials takes has no name outside, so only constants of the source
// code fit, and no field of Input holds a text for one.
func TestNoSecretBecomesKnown(t *testing.T) {
	takes := reflect.TypeOf(KnownCredentials)
	for i := range takes.NumIn() {
		in := takes.In(i)
		if reflect.TypeFor[string]().AssignableTo(in) || in.PkgPath() == "" || in.Name() != strings.ToLower(in.Name()) {
			t.Errorf("argument %d takes a %s", i, in)
		}
	}
	known := reflect.TypeFor[Known]()
	for i := range known.NumField() {
		if known.Field(i).IsExported() {
			t.Errorf("the field %s can be set", known.Field(i).Name)
		}
	}
}

func TestKnownCredentialsStandInTheText(t *testing.T) {
	in := inputs(t)[0]
	in.BaseURL, in.Known = "http://127.0.0.1:1", KnownCredentials("tok", "client", "secret", "org")
	for name, want := range map[string][]string{
		"curl": {"'Authorization: Bearer tok'"}, "go": {`"Bearer tok"`},
		"cli":    {"PLATFORM_BASE_URL=http://127.0.0.1:1 PLATFORM_CLIENT_ID=client PLATFORM_CLIENT_SECRET=secret PLATFORM_ORGANIZATION_ID=org-1 platform-agent "},
		"python": {`os.environ["PLATFORM_BASE_URL"] = "http://127.0.0.1:1"`, `platform_client_secret="secret"`},
	} {
		text, err := write(name, in)
		for _, part := range want {
			if err != nil || !strings.Contains(text, part) {
				t.Errorf("%s lacks %s: %v\n%s", name, part, err, text)
			}
		}
		if strings.Contains(text, "PLATFORM_TOKEN") && in.Operation.Params == nil {
			t.Errorf("%s names a variable:\n%s", name, text)
		}
	}
	if in.Request.Headers[0].Value != "Bearer ${PLATFORM_TOKEN}" {
		t.Error("the request was changed")
	}
}

// The classes of the SDK, as its documentation spells them.
func TestLocalClasses(t *testing.T) {
	want := map[string]string{
		"call_recording":       "gong.models import GongAccessKeyAuthenticationAuthConfig",
		"code_hosting":         "github.models import GithubPersonalAccessTokenAuthConfig",
		"notes_workspace":      "notion.models import NotionAccessTokenAuthConfig",
		"social_advertising":   "facebook_marketing.models import FacebookMarketingOauth20AuthenticationAuthConfig",
		"work_board":           "monday.models import MondayApiTokenAuthenticationAuthConfig",
		"task_management":      "clickup_api.models import ClickupApiAuthConfig",
		"incident_management":  "incident_io.models import IncidentIoAuthConfig",
		"messaging_automation": "customer_io.models import CustomerIoAuthConfig",
		"crm":                  "salesforce.models import SalesforceAuthConfig",
		"payments":             "stripe.models import StripeAuthConfig",
	}
	for _, k := range kinds(t) {
		m := k.Credentials[0]
		in := Input{Kind: k, Preset: Public(), Target: client.Target{Kind: k.Name, Local: true},
			Operation: client.Operation{Entity: k.Entities[0].Name, Action: "list"},
			Request: &client.Request{Signed: &client.Signed{Option: m.Title,
				Fields: []client.Header{{Name: m.Fields[0].Name, Value: "${KEY}"}}, Config: []client.Header{{Name: "subdomain", Value: "ours"}}}}}
		text, err := write("python", in)
		if part := want[k.Name]; err != nil || !strings.Contains(text, "from airbyte_agent_sdk.connectors."+part) {
			t.Errorf("%s: %v\n%s", k.Name, err, text)
		}
		if !strings.Contains(text, m.Fields[0].Name+`=os.environ["KEY"]`) || !strings.Contains(text, `subdomain="ours"`) {
			t.Errorf("%s is not signed:\n%s", k.Name, text)
		}
	}
}

func TestLocalDownloadIsSaved(t *testing.T) {
	in := inputs(t)[0]
	in.Preset, in.Target.Local = Public(), true
	in.Operation = client.Operation{Entity: "files", Action: "download"}
	in.Request = &client.Request{Signed: &client.Signed{Params: []byte(`{"id":"1"}`)}}
	text, err := write("python", in)
	for _, part := range []string{"from airbyte_agent_sdk import save_download\n", "result = await save_download(\n", `            await connector.execute(`, `            "files",`} {
		if err != nil || !strings.Contains(text, part) {
			t.Errorf("%q is missing: %v\n%s", part, err, text)
		}
	}
	if p, err := Parse(text); err != nil || p.Operation.Action != "download" || string(p.Operation.Params) != `{"id":"1"}` {
		t.Errorf("read back as %+v, %v", p, err)
	}
}

func TestHostedDownloadAsksWithoutTheSDK(t *testing.T) {
	in := inputs(t)[0]
	in.Operation = client.Operation{Entity: "files", Action: "download", Params: []byte(`{"id":"1"}`)}
	in.Request = &client.Request{Method: "POST",
		URL:     "https://a.example/api/v1/integrations/connectors/" + in.Target.ConnectorID + "/execute",
		Headers: []client.RequestHeader{{Name: "Authorization", Value: "Bearer ${TOKEN}", Template: true}},
		Body:    []byte(`{"entity":"files","action":"download","params":{"id":"1"}}`)}
	text, err := write("python", in)
	for _, part := range []string{"\n# The SDK reads answers as JSON only", `"Bearer " + os.environ["TOKEN"]`,
		"\nimport sys\n", "\nsys.stdout.buffer.write(response.content)\n"} {
		if err != nil || !strings.Contains(text, part) {
			t.Errorf("%q is missing: %v\n%s", part, err, text)
		}
	}
	if p, err := Parse(text); err != nil || p.Operation.Action != "download" || string(p.Operation.Params) != `{"id":"1"}` {
		t.Errorf("read back as %+v, %v", p, err)
	}
}

func TestPythonNeedsOneConnector(t *testing.T) {
	in := inputs(t)[0]
	in.Twin = true
	if _, err := write("python", in); err == nil {
		t.Error("a type that two connectors have finds neither")
	}
	in.Preset = Public()
	if text, err := write("python", in); err != nil || !strings.Contains(text, `connector_id="`+in.Target.ConnectorID) {
		t.Errorf("the public SDK takes an id: %v\n%s", err, text)
	}
	in.Kind, in.ConnectorType = nil, ""
	if _, err := write("python", in); err == nil {
		t.Error("no type is known")
	}
}
