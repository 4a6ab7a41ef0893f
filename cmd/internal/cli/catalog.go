package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"patchbay/catalog"
)

func (a *app) catalogCommand(c *cobra.Command) {
	format := choose(c, "format", "text", "how to print", "text", "table", "json")
	asJSON := c.Flags().Bool("json", false, "the same as --format json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		part := append(args, "", "", "")[:3]
		if *asJSON || *format == "json" {
			return a.Kinds().WriteJSON(a.stdout, part[0], part[1], part[2])
		}
		return a.printCatalog(part[0], part[1], part[2])
	}
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) (out []string, _ cobra.ShellCompDirective) {
		c, _ := a.catalog()
		part := append(args, "", "")
		switch k, e, _, err := c.Resolve(part[0], part[1], ""); {
		case len(args) == 0:
			out = a.kindNames()
		case err != nil:
		case len(args) == 1:
			out = k.EntityNames()
		case len(args) == 2:
			out = e.ActionNames()
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	a.importCommand(below(c, "import"))
	a.learnCommand(below(c, "learn"))
	a.validateCommand(below(c, "validate"))
	a.showCommand(below(c, "show"))
}

func (a *app) kindNames() []string {
	c, _ := a.catalog()
	return texts(c.Kinds(), func(k catalog.Summary) string { return k.Name })
}

func (a *app) printCatalog(kind, entity, action string) error {
	c := a.Kinds()
	if kind == "" {
		head := []string{"KIND", "TITLE", "SYSTEM", "TYPE", "ENTITIES", "ACTIONS"}
		return a.print(table(head, c.Kinds(), "", func(k catalog.Summary) (catalog.Summary, []string) {
			return k, []string{k.Name, k.Title, k.System, k.ConnectorType, strconv.Itoa(k.Entities),
				strconv.Itoa(k.Actions)}
		}), "table")
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
	for _, line := range catalog.Footnoted(k.Describe(entity, action)) {
		if line.Role == catalog.DocSection {
			fmt.Fprintln(a.stdout)
		}
		if _, err := fmt.Fprintln(a.stdout, shown(line.String())); err != nil {
			return err
		}
	}
	return nil
}
