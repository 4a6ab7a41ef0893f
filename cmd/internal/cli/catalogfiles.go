package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"patchbay/catalog/definition"
	"patchbay/catalog/source"
	"patchbay/client"
	"patchbay/client/ownfile"
	"patchbay/client/quantity"
	"patchbay/client/strictyaml"
)

// validateCommand tells every problem of a connector file.
func (a *app) validateCommand(c *cobra.Command) {
	format := choose(c, "format", "text", "how to print", "text", "json")
	c.RunE = runs(func(_ context.Context, args []string) error {
		data, err := a.fileOrStdin(args[0])
		if err != nil {
			return err
		}
		known, _ := a.catalog()
		kind, problems := source.Extend(known, args[0], data)
		switch {
		case *format == "json":
			err = a.printJSON(problemsJSON(problems))
		case len(problems) == 0:
			_, err = fmt.Fprintf(a.stdout, "ok: %s, %s, %s\n", kind.Name,
				quantity.Count(len(kind.Entities), "entity", "entities"), quantity.Plain(kind.ActionCount(), "action"))
		default:
			err = a.data(func(w io.Writer) error {
				_, err := fmt.Fprintln(w, problems.Error())
				return err
			})
		}
		if err != nil || len(problems) == 0 {
			return err
		}
		return client.Invalid("the file has %s", quantity.Plain(len(problems), "problem"))
	})
}

// problemJSON is a problem as JSON shows it.
type problemJSON struct {
	Line   int    `json:"line,omitempty"`
	Path   string `json:"path,omitempty"`
	Reason string `json:"reason"`
}

func problemsJSON(problems strictyaml.Problems) any {
	list := []problemJSON{}
	for _, p := range problems {
		list = append(list, problemJSON{p.Line, p.Path, p.Reason})
	}
	return map[string]any{"ok": len(list) == 0, "problems": list}
}

// fileOrStdin reads a file that is named on the command line; - is stdin.
func (a *app) fileOrStdin(name string) ([]byte, error) {
	if name != "-" {
		data, err := ownfile.Read(name, ownfile.Large)
		if err != nil {
			return nil, client.Invalid("the file cannot be read: %v", err)
		}
		return data, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.stdin, ownfile.Large+1))
	if err == nil && len(data) > ownfile.Large {
		err = fmt.Errorf("it is larger than %d MiB", ownfile.Large>>20)
	}
	if err != nil {
		return nil, client.Invalid("stdin cannot be read: %v", err)
	}
	return data, nil
}

// showCommand prints a kind as the file that it could be.
func (a *app) showCommand(c *cobra.Command) {
	format := choose(c, "format", "yaml", "how to print", "yaml", "openapi")
	c.RunE = runs(func(_ context.Context, args []string) error {
		k, err := a.Kinds().Kind(args[0])
		if err != nil {
			return err
		}
		text := source.Write(k)
		if *format == "openapi" {
			if text, err = definition.Export(k); err != nil {
				return err
			}
		}
		return a.data(func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	})
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return a.kindNames(), cobra.ShellCompDirectiveNoFileComp
	}
}
