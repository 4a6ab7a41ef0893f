package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
)

func onPath(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// pagerOf is how the person's pager is run on its standard input: PAGER, unless that only
// writes through, else less or more, whichever there is.
func pagerOf(env map[string]string, has func(program string) bool) []string {
	p := strings.Fields(env["PAGER"])
	switch {
	case len(p) > 0 && filepath.Base(p[0]) != "cat":
	case has("less"):
		p = []string{"less", "-R"}
	case has("more"):
		p = []string{"more"}
	default:
		return nil
	}
	// With F less ends at once where the text fits the screen, which is ours again then.
	if filepath.Base(p[0]) == "less" && strings.Contains(env["LESS"]+strings.Join(p[1:], " "), "F") {
		p = append(p, "-+F")
	}
	return p
}
