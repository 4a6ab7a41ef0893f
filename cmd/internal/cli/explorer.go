package cli

import "context"

// explore opens the explorer.
func explore(_ context.Context, _ *app, _ explorerFlags) error {
	return config("the explorer needs a terminal").next("Run patchbay help to see what works without one.")
}

// exploreFile opens the explorer on a saved response, an export, any JSON or NDJSON; "-" is stdin.
func exploreFile(_ context.Context, _ *app, _ explorerFlags, _ string) error {
	return config("the explorer needs a terminal").next("Run patchbay help to see what works without one.")
}
