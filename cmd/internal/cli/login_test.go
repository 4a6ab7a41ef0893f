package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/profile"
)

// An import changes what it holds and leaves the rest of a profile as it is.
func TestImportKeepsWhatItDoesNotSet(t *testing.T) {
	home := t.TempDir()
	theirs := filepath.Join(home, ".airbyte-agent")
	if err := os.MkdirAll(theirs, 0o700); err != nil {
		t.Fatal(err)
	}
	held := `{"settings":{"credentials":{"client_id":"i","client_secret":"hu` + `sh"},"organization_id":"o"}}`
	if err := os.WriteFile(filepath.Join(theirs, "settings.json"), []byte(held), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := newApp([]string{"HOME=" + home}, strings.NewReader("y\n"), &out, &out)
	settings, err := a.Settings()
	if err == nil {
		err = settings.Change(func(now *profile.Settings) error {
			now.Put(profile.Profile{Name: "work", BaseURL: "https://elsewhere.test", Workspace: "sales", ReadOnly: true,
				Names: client.Neutral, Connectors: []profile.Connector{{ID: "c1"}},
				Local: []profile.LocalConnector{{Name: "direct", Kind: "payments"}}})
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	neutral := ""
	in, err := a.startLogin(t.Context(), loginFlags{name: "work", names: &neutral})
	if err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	p, known := in.Profile, profile.Presets()[0]
	if p.BaseURL != known.BaseURL || p.Names != known.Names || p.OrganizationID != "o" || in.ClientID.Reveal() != "i" {
		t.Errorf("taken over: %+v", p)
	}
	if p.Workspace != "sales" || !p.ReadOnly || len(p.Connectors) != 1 || len(p.Local) != 1 {
		t.Errorf("lost: %+v", p)
	}
}
