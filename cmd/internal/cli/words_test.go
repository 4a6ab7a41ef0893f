package cli

import (
	"io"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"patchbay/client/strictyaml"
)

// Each command has words, and no words are of a command that is not there.
func TestEveryCommandHasItsWords(t *testing.T) {
	var all map[string]wording
	f := strictyaml.Read("commands.yaml", []byte(commandsFile))
	if f.Decode(&all); f.Err() != nil {
		t.Fatal(f.Err())
	}
	var paths []string
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			paths = append(paths, pathOf(sub))
			if sub.Short == "" {
				t.Errorf("%s says nothing of itself", pathOf(sub))
			}
			if w, own := all[pathOf(sub)]; own && (sub.Short != w.Short || sub.Long != w.Long || sub.Example != w.Example) {
				t.Errorf("%s has other words than its own", pathOf(sub))
			}
			look(sub)
		}
	}
	look(newApp(nil, nil, io.Discard, io.Discard).rootCommand(builders))
	for path := range all {
		if path != "help" && !slices.Contains(paths, path) {
			t.Errorf("there are words for %s, which is no command", path)
		}
	}
}
