package cli

import (
	"context"
	"flag"

	"patchbay/ui"
)

func keysCommand() command {
	return command{name: "keys", summary: "List the keys of the explorer, your own among them.",
		help: "Own keys stand in keys.yaml beside the settings: actions by the id of the last column, such as page.next: [n, f9].\n" +
			"What is wrong in that file is told on stderr, with exit code 4.",
		setup: func(fs *flag.FlagSet) runner {
			format := choose(fs, "format", "table", "how to print", "table", "json")
			return func(_ context.Context, a *app, _ []string) error {
				type keyJSON struct {
					Where  string `json:"where"`
					Keys   string `json:"keys"`
					Help   string `json:"help"`
					Action string `json:"action"`
				}
				var list []keyJSON
				l := listing{head: []string{"WHERE", "KEYS", "WHAT IT DOES", "ACTION"}}
				own, problems := a.readKeys()
				rows, more := ui.KeyTable(own)
				for _, r := range rows {
					list = append(list, keyJSON{r[0], r[1], r[2], r[3]})
					l.rows = append(l.rows, r[:])
				}
				l.value = list
				if err := a.print(l, *format); err != nil {
					return err
				}
				return a.keyProblems(append(problems, more...))
			}
		}}
}
