//go:build unix

package cli

import (
	"os"
	"strings"
	"testing"

	"patchbay/cmd/internal/ptytest"
)

func TestDefectRestoresTheTerminal(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"loop", "command"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			s := ptytest.Start(t, own, ptytest.Options{W: 100, H: 40, Env: []string{defectEnv + "=" + where}})
			s.Until("customers / list") // what is opened at the start takes the focus
			s.Type("1p")
			if where == "command" {
				s.Until("Profile")
				s.Type("\r")
			}
			if code := s.End(); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			s.Restored()
			if !strings.Contains(s.Output(), "the profiles are gone") || !strings.Contains(s.Screen(), "stopped because of a defect") {
				t.Errorf("it does not tell what happened:\n%s", s.Screen())
			}
		})
	}
}
