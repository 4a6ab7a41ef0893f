package sandbox

import (
	"net/http"
	"strings"
	"testing"

	"patchbay/client/rawjson"
)

// ask makes a request that must succeed.
func (r *rig) ask(method, path, body string) *rawjson.Map {
	r.t.Helper()
	status, _, raw := r.send(method, path, body)
	if status != http.StatusOK {
		r.t.Fatalf("%s %s %s: %d %.300s", method, path, body, status, raw)
	}
	return parse(r.t, raw)
}

// TestConnectorsOfOwnTemplates: a template of an organization gives its configuration to
// the connectors that are made from it, and shows in them.
func TestConnectorsOfOwnTemplates(t *testing.T) {
	r := newRig(t, Options{})
	k, err := r.s.opts.Catalog.Kind("payments")
	if err != nil {
		t.Fatal(err)
	}
	own := r.ask("POST", "/api/v1/integrations/templates/sources", `{"actor_definition_id":"`+
		definitionID(k.Summary())+`","name":"Shop","partial_default_config":{"account_id":"acct_1"}}`)
	made := r.ask("POST", "/api/v1/integrations/connectors", `{"workspace_name":"demo","source_template_id":"`+
		own.Text("id")+`","connector_type":"Shop","replication_config":{"api_key":"sk-hidden"}}`)
	if strings.Contains(string(made.JSON()), "sk-hidden") {
		t.Errorf("the secret is shown: %s", made.JSON())
	}
	if config := objectIn(made, "replication_config"); config.Text("account_id") != "acct_1" ||
		config.Text("api_key") != mask || objectIn(made, "source_template").Text("name") != "Shop" {
		t.Errorf("made %s", made.JSON())
	}
	listed := listIn(r.ask("GET", "/api/v1/integrations/connectors?workspace_name=demo", ""))
	last, _ := listed[len(listed)-1].(*rawjson.Map)
	if got := objectIn(last, "summarized_source_template").Text("organization_id"); got != OrganizationID {
		t.Errorf("the template belongs to %q", got)
	}
	if gone := r.ask("DELETE", "/api/v1/integrations/templates/sources/"+own.Text("id"), ""); !gone.Has("deleted_at") {
		t.Errorf("deleted: %s", gone.JSON())
	}
}
