package cli

import (
	"context"
	"flag"
)

func openCommand() command {
	return command{
		name: "open", usage: "[--as KIND/ENTITY] FILE|-", least: 1, most: 1, summary: "Explore a saved response, an export, any JSON or NDJSON.",
		help: "Tables of CSV, JSON with comments, UTF-16 and files packed by gzip are read too.\n" +
			"--as says of which entity the records are, so that columns, words and the schema come from the catalog:\n" +
			"  patchbay open --as payments/customers response.json",
		setup: func(fs *flag.FlagSet) runner {
			screen, as := explorerFlags{}, ""
			fs.StringVar(&as, "as", "", "the records are those of `KIND/ENTITY[/ACTION]` of the catalog")
			fs.StringVar(&screen.Theme, "theme", "", "the `theme`; patchbay themes lists them")
			fs.BoolVar(&screen.ASCII, "ascii", false, "draw with ASCII characters only")
			fs.BoolVar(&screen.NoMotion, "no-motion", false, "nothing on the screen moves by itself")
			return func(ctx context.Context, a *app, args []string) error {
				if screen.Theme == "" {
					screen.Theme = a.flags.Theme
				}
				screen.ASCII, screen.NoMotion = screen.ASCII || a.flags.ASCII, screen.NoMotion || a.flags.NoMotion
				return exploreFile(ctx, a, screen, args[0], as)
			}
		},
	}
}
