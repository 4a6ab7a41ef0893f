package cli

import (
	"net/http/httptest"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/kindfile"
	"patchbay/client/sandbox"
)

// A definition of one's own is a connector of the sandbox, with data from its schemas.
func TestSandboxServesADefinition(t *testing.T) {
	known := catalog.New()
	for _, name := range []string{"workshop", "clinic"} {
		k, err := kindfile.Open(t.Context(), "../../../testdata/definitions/"+name+".yaml", known)
		if err != nil {
			t.Fatal(err)
		}
		known.Put(k)
	}
	s := httptest.NewServer(sandbox.New(sandbox.Options{Catalog: known}))
	defer s.Close()
	env := (&recorded{Server: s}).person(t)
	for name, call := range map[string]string{
		"workshop":   `{"entity":"jobs","action":"list","params":{"limit":2}}`,
		"clinic_api": `{"entity":"patients","action":"list","params":{"limit":2,"X-Tenant":"a"}}`,
	} {
		code, out, said := runAs(t, env, "execute", "--force", "--workspace", "demo", "--name", name, "--format", "ndjson",
			"--json", call)
		if code != 0 || strings.Count(out, `"id":`) < 2 {
			t.Errorf("%s: %d %s%s", name, code, out, said)
		}
	}
}
