package cli

import (
	"context"
	"flag"

	"patchbay/ui"
)

func keysCommand() command {
	return command{name: "keys", summary: "List the keys of the explorer.", setup: func(fs *flag.FlagSet) runner {
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
			for _, r := range ui.KeyTable(nil) {
				list = append(list, keyJSON{r[0], r[1], r[2], r[3]})
				l.rows = append(l.rows, r[:])
			}
			l.value = list
			return a.print(l, *format)
		}
	}}
}
