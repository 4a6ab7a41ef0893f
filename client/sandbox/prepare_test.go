package sandbox

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"patchbay/client/rawjson"
)

// prepared asks for the bundle of an operation.
func (r *rig) prepared(kind, body string) (int, *rawjson.Map) {
	status, _, raw := r.send("POST", "/api/v1/integrations/connectors/"+r.connector("demo", kind)+"/execute/prepare", body)
	return status, parse(r.t, raw)
}

// What a bundle holds is enough to make the call that the catalog knows, and no secret.
func TestPreparedOperation(t *testing.T) {
	r := newRig(t, Options{})
	status, o := r.prepared("payments", `{"entity":"customers","action":"list","params":{"limit":3},`+
		`"select_fields":["id"],"skip_truncation":false}`)
	bundle := objectIn(o, "bundle")
	if status != 200 || o.Text("status") != "success" || o.Value("result") != nil || bundle == nil {
		t.Fatalf("%d %s", status, rawjson.Encode(o))
	}
	if bundle.Value("skip_truncation") != false || objectIn(bundle, "params").Text("limit") != "3" ||
		!strings.Contains(string(rawjson.Encode(bundle.Value("select_fields"))), "id") {
		t.Errorf("%s", rawjson.Encode(bundle))
	}
	secret := objectIn(objectIn(bundle, "source_config"), "credentials").Text("api_key")
	if !strings.HasPrefix(secret, "secret_coordinate::") {
		t.Errorf("the secret is %q", secret)
	}
	var def struct {
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			Entity     string `yaml:"x-airbyte-entity"`
			Action     string `yaml:"x-airbyte-action"`
			Records    string `yaml:"x-airbyte-record-extractor"`
			Parameters []struct{ Name, In string }
		}
		Components struct {
			Schemes map[string]struct {
				Scheme string
				Config struct {
					Mapping map[string]string `yaml:"auth_mapping"`
				} `yaml:"x-airbyte-auth-config"`
			} `yaml:"securitySchemes"`
		}
	}
	if err := yaml.Unmarshal([]byte(bundle.Text("definition_yaml")), &def); err != nil {
		t.Fatal(err)
	}
	one, known := def.Paths["/v1/customers"]["get"]
	if !known || one.Entity != "customers" || one.Action != "list" || one.Records != "$.data" || len(one.Parameters) == 0 ||
		def.Servers[0].URL != "https://api.stripe.com" {
		t.Errorf("%+v", def)
	}
	for _, s := range def.Components.Schemes {
		if s.Scheme != "bearer" || s.Config.Mapping["token"] != "${api_key}" {
			t.Errorf("%+v", s)
		}
	}
}

// Only what a caller can run is prepared; the rest is refused as a wrong call is.
func TestWhatIsNotPrepared(t *testing.T) {
	r := newRig(t, Options{})
	for _, c := range []struct {
		kind, body, code string
		status           int
	}{
		{"payments", `{"entity":"customers","action":"context_store_search","params":{"query":{}}}`,
			"local_execution_unsupported", 422},
		{"payments", `{"entity":"","action":"describe"}`, "local_execution_unsupported", 422},
		{"crm", `{"entity":"accounts","action":"get","params":{"id":"001xx0000000001"}}`, "local_execution_unsupported", 422},
		{"recruiting", `{"entity":"application_attachment","action":"download","params":{"id":1,"attachment_index":0}}`,
			"local_execution_unsupported", 422},
		{"payments", `{"entity":"customers","action":"get"}`, "required", 422},
		{"payments", `{"entity":"nothing","action":"list"}`, "", 404},
	} {
		status, o := r.prepared(c.kind, c.body)
		if status != c.status || !strings.Contains(string(rawjson.Encode(o)), c.code) || o.Has("bundle") {
			t.Errorf("%s %s: %d %s", c.kind, c.body, status, rawjson.Encode(o))
		}
	}
}

// Each action with a request of the third party has a definition that YAML reads back.
func TestEveryActionHasADefinition(t *testing.T) {
	r := newRig(t, Options{})
	written := 0
	for _, known := range r.s.opts.Catalog.Kinds() {
		k, err := r.s.opts.Catalog.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			for j := range k.Entities[i].Actions {
				a := &k.Entities[i].Actions[j]
				if a.Binding == nil {
					continue
				}
				d := &document{op: &operation{d: &dataset{kind: k}, e: &k.Entities[i], a: a, params: &rawjson.Map{}},
					method: &k.Credentials[0]}
				text, err := d.yaml()
				var def map[string]any
				if err != nil || yaml.Unmarshal([]byte(text), &def) != nil || len(text) > 512<<10 {
					t.Errorf("%s %s.%s: %v %s", k.Name, k.Entities[i].Name, a.Name, err, text)
				}
				if a.Binding.GraphQL != nil && strings.Count(text, "{") != strings.Count(text, "}") {
					t.Errorf("%s.%s: %s", k.Entities[i].Name, a.Name, text)
				}
				written++
			}
		}
	}
	if written < 400 {
		t.Errorf("only %d definitions", written)
	}
}
