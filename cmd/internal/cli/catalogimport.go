package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"patchbay/catalog"
	"patchbay/catalog/definition"
	"patchbay/client"
	"patchbay/client/kindfile"
	"patchbay/client/quantity"
)

// importCommand makes a kind of a definition.
func (a *app) importCommand(c *cobra.Command) {
	name := c.Flags().String("as", "", "the `NAME` of the kind; else the definition's own")
	mapping := c.Flags().String("map", "", "a `FILE` that says what operations become")
	dry := c.Flags().Bool("dry-run", false, "show it, and write nothing")
	format := choose(c, "format", "text", "how to print", "text", "json")
	c.RunE = runs(func(ctx context.Context, args []string) error {
		plan, err := a.planImport(ctx, args[0], *name, *mapping)
		if plan == nil {
			return err
		}
		if shown := a.showImport(plan, *format); shown != nil || err != nil {
			return cmp.Or(shown, err)
		}
		if *dry {
			return nil
		}
		if err := plan.Write(); err != nil {
			return err
		}
		a.say("%s is in %s.", plan.Kind.Name, plan.Path)
		return nil
	})
}

// planImport reads a definition and works out what it would become.
func (a *app) planImport(ctx context.Context, from, name, mapping string) (*kindfile.Plan, error) {
	if a.FoldersErr != nil {
		return nil, a.FoldersErr
	}
	var choices map[string]definition.Choice
	if mapping != "" {
		var err error
		if choices, err = kindfile.ReadChoices(mapping); err != nil {
			return nil, err
		}
	}
	if name != "" && !catalog.IsName(name) {
		return nil, client.Invalid("--as takes a name in lower snake_case, such as my_widgets")
	}
	d, err := kindfile.Read(ctx, from, nil)
	if err != nil {
		return nil, err
	}
	folder := kindfile.Folder{Dir: filepath.Join(a.Folders.Config, "catalog"), Known: catalog.New()}
	return folder.Plan(d, name, choices)
}

// showImport prints the table, and what the definition says beside it.
func (a *app) showImport(p *kindfile.Plan, format string) error {
	if format == "json" {
		return a.printJSON(map[string]any{"kind": p.Kind.Name, "plan": p})
	}
	head := []string{"OPERATION", "ENTITY", "ACTION", "SURE", "WHY"}
	var rows [][]string
	for _, r := range p.Rows {
		if r.Out {
			r.Entity, r.Action, r.Confidence = "-", "-", "-"
		}
		rows = append(rows, []string{r.Operation, r.Entity, r.Action, r.Confidence, r.Why})
	}
	if err := writeTable(a.stdout, head, rows); err != nil {
		return err
	}
	return a.data(func(w io.Writer) error {
		fmt.Fprintf(w, "\n%s: %s, %s of %s\n", p.Kind.Name, quantity.Count(len(p.Kind.Entities), "entity", "entities"),
			quantity.Plain(p.Kind.ActionCount(), "action"), quantity.Plain(len(p.Rows), "operation"))
		if err := section(w, "Left out, or not known:", p.Left); err != nil || !p.Known {
			return err
		}
		changes := p.Changes
		if len(changes) == 0 {
			changes = []string{"nothing"}
		}
		if err := section(w, "Different in the definition since the last import:", changes); err != nil {
			return err
		}
		return section(w, "Your own edits, which stay:", p.Kept)
	})
}

func section(w io.Writer, title string, lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(w, "\n"+title)
	for _, line := range lines {
		if err == nil {
			_, err = fmt.Fprintln(w, "  "+line)
		}
	}
	return err
}
