package cli

import (
	"context"
	"flag"
	"fmt"
	"strconv"

	"patchbay/catalog"
)

func catalogCommand() command {
	return command{
		name: "catalog", usage: "[KIND [ENTITY [ACTION]]] [--format text|json]", most: 3,
		summary: "Show the kinds of connectors and what they can do.",
		help:    "Without a name it lists the kinds. A kind is found by its name, connector type, system or title.",
		setup: func(fs *flag.FlagSet) runner {
			format := choose(fs, "format", "text", "how to print", "text", "table", "json")
			asJSON := fs.Bool("json", false, "the same as --format json")
			return func(_ context.Context, a *app, args []string) error {
				part := append(args, "", "", "")[:3]
				if *asJSON || *format == "json" {
					return a.kinds().WriteJSON(a.stdout, part[0], part[1], part[2])
				}
				return a.printCatalog(part[0], part[1], part[2])
			}
		},
	}
}

func (a *app) printCatalog(kind, entity, action string) error {
	c := a.kinds()
	if kind == "" {
		return a.print(kindsListing(c), "table")
	}
	k, e, act, err := c.Resolve(kind, entity, action)
	if err != nil {
		return err
	}
	if e != nil {
		entity = e.Name
	}
	if act != nil {
		action = act.Name
	}
	for _, line := range k.Describe(entity, action) {
		if line.Role == catalog.DocSection {
			fmt.Fprintln(a.stdout)
		}
		if _, err := fmt.Fprintln(a.stdout, shown(line.String())); err != nil {
			return err
		}
	}
	return nil
}

func kindsListing(c *catalog.Catalog) listing {
	l := listing{head: []string{"KIND", "TITLE", "SYSTEM", "TYPE", "ENTITIES", "ACTIONS"}}
	for _, k := range c.Kinds() {
		l.rows = append(l.rows, []string{k.Name, k.Title, k.System, k.ConnectorType, strconv.Itoa(k.Entities), strconv.Itoa(k.Actions)})
	}
	return l
}
