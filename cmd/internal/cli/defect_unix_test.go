//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/cmd/internal/ptytest"
)

// A defect is told, reported without ending anything, and the session goes on.
func TestDefectEndsNothing(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"loop", "command"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			state := t.TempDir()
			s := ptytest.Start(t, own, ptytest.Options{W: 100, H: 40,
				Env: []string{defectEnv + "=" + where, "XDG_STATE_HOME=" + state}})
			s.Until("customers / list") // what is opened at the start takes the focus
			s.Type("1p")
			if where == "command" {
				s.Until("Profile")
				s.Type("\r")
			}
			s.Until("A defect in patchbay")
			s.Until("the profiles are gone")
			s.Type("s")
			s.Until("The report is ")
			reports, err := filepath.Glob(filepath.Join(state, "patchbay", "reports", "*.txt"))
			if err != nil || len(reports) != 1 {
				t.Fatalf("reports %v, %v", reports, err)
			}
			text, err := os.ReadFile(reports[0])
			if err != nil || !strings.Contains(string(text), "last keys: 1 p") ||
				!strings.Contains(string(text), "terminal 100x40") {
				t.Errorf("%v\n%s", err, text)
			}
			s.Type("\x1b")
			s.Gone("A defect in patchbay")
			s.Type("q")
			s.Until("Leave patchbay?")
			s.Answer("y", "Leave patchbay?")
			if code := s.End(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			s.Restored()
		})
	}
}
