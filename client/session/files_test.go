package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/client/doctor"
	"patchbay/client/profile"
	small "patchbay/testdata/catalog"
)

func TestTheFilesReadAreListed(t *testing.T) {
	dir := t.TempDir()
	e := Examination{Opener: &Opener{Env: map[string]string{"TERM": "xterm-256color"}, Kinds: small.Catalog,
		Folders: profile.Folders{Config: dir, State: filepath.Join(dir, "state"), Cache: dir}}}
	if err := os.Mkdir(filepath.Join(dir, "themes"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"keys.yaml", "themes/mine.yaml", "themes/yours.yaml"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]string{}
	e.Emit = func(f doctor.Finding) { got[strings.TrimSpace(f.Step+" "+f.Subject)] = f.Detail }
	e.files()
	for what, want := range map[string]string{
		"files settings": "settings.yaml (not there)", "files keys": "keys.yaml",
		"files themes": "themes: mine.yaml, yours.yaml", "files kinds": "catalog (none)",
		"terminal": "TERM=xterm-256color",
	} {
		if !strings.HasSuffix(got[what], want) {
			t.Errorf("%s: %q, want %q at the end", what, got[what], want)
		}
	}
}
