package cli

import (
	"context"
	"os"

	"patchbay/ui"
)

// defectEnv makes the test program an explorer with a defect.
const defectEnv = "PATCHBAY_TEST_DEFECT"

// exploreWithDefect is that explorer: it panics when the profiles are asked
// for, in the loop or in a command beside it.
func exploreWithDefect(where string) int {
	a := newApp(os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	a.flags.Theme = "nord"
	s, err := a.Start(context.Background())
	if err != nil {
		return a.report(err)
	}
	deps, err := a.explorerDeps(s)
	if err != nil {
		return a.report(err)
	}
	if where == "loop" {
		deps.Profiles = func() []string { panic("the profiles are gone") }
	}
	deps.Open = func(context.Context, string) (ui.Session, error) { panic("the profiles are gone") }
	return a.report(a.runExplorer(context.Background(), deps))
}
