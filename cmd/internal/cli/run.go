package cli

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"patchbay/client"
	"patchbay/client/saved"
	"patchbay/client/search"
)

// variables collects --var NAME=VALUE.
type variables map[string]string

// String implements flag.Value.
func (v variables) String() string { return "" }

// Set implements flag.Value. The value is not told in errors: it may be one
// that nobody should see.
func (v variables) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("it wants NAME=VALUE")
	}
	v[name] = value
	return nil
}

func savedCommand() command {
	return command{
		name: "run", usage: "[NAME] [--var NAME=VALUE]... [--all | --max N | --until CONDITION] [--format F] [-o FILE] [--yes]", most: 1, service: true,
		summary: "Run a saved call, or list them.",
		help: "Saved calls are YAML files in " + saved.Folder + "/ of the working folder and of the config folder.\n" +
			"--workspace and --name say where it runs when the call does not.\n" +
			unfinishedHelp,
		setup: func(fs *flag.FlagSet) runner {
			vars := variables{}
			fs.Var(vars, "var", "a variable of the call, as `name=value`; may be given again")
			workspace := fs.String("workspace", "", "the `workspace` to run it in")
			name := fs.String("name", "", "the `name` of the connector to run it on")
			flags := bindExecute(fs)
			return func(ctx context.Context, a *app, args []string) error {
				calls, err := a.savedCalls()
				if err != nil {
					a.say("%v", err)
				}
				if len(args) == 0 {
					return a.print(savedListing(calls), "")
				}
				return a.runSaved(ctx, calls, args[0], vars, request{Workspace: *workspace, Name: *name}, flags)
			}
		},
	}
}

// savedCalls reads the calls of the working folder, then the person's own.
func (a *app) savedCalls() ([]saved.Call, error) {
	folders := []string{saved.Folder}
	if a.foldersErr == nil {
		folders = append(folders, filepath.Join(a.folders.Config, saved.Folder))
	}
	return saved.Load(folders...)
}

// savedJSON is how a saved call is listed.
type savedJSON struct {
	Name      string   `json:"name"`
	Note      string   `json:"note,omitempty"`
	Kind      string   `json:"kind,omitempty"`
	Connector string   `json:"connector,omitempty"`
	Workspace string   `json:"workspace,omitempty"`
	Entity    string   `json:"entity"`
	Action    string   `json:"action"`
	Needs     []string `json:"variables,omitempty"`
	Path      string   `json:"path"`
}

func savedListing(calls []saved.Call) listing {
	list := []savedJSON{}
	l := listing{head: []string{"NAME", "OPERATION", "CONNECTOR", "VARIABLES", "NOTE"}, empty: "There are no saved calls. ctrl+s in the explorer saves one."}
	for i := range calls {
		c := &calls[i]
		var needs []string
		for _, v := range c.Needs() {
			needs = append(needs, v.Name)
		}
		list = append(list, savedJSON{c.Name, c.Note, c.Kind, c.Connector, c.Workspace, c.Entity, c.Action, needs, c.Path})
		l.rows = append(l.rows, []string{c.Name, c.Entity + " " + c.Action, first(c.Connector, c.Kind), strings.Join(needs, " "), c.Note})
	}
	l.value = list
	return l
}

// runSaved runs a saved call with its variables filled in.
func (a *app) runSaved(ctx context.Context, calls []saved.Call, name string, vars variables, where request, f *executeFlags) error {
	c, err := saved.Find(calls, name)
	if err != nil {
		return fail(client.ClassNotFound, "%v", err)
	}
	_, _, action, err := a.kinds().Resolve(c.Kind, c.Entity, c.Action)
	if c.Kind == "" || err != nil {
		action = nil
	}
	op, err := c.Substitute(vars, action)
	if err != nil {
		return usage("%v", err).next("Give each variable with --var NAME=VALUE.")
	}
	op.Params = search.Sent(op.Params)
	r := request{Workspace: first(where.Workspace, c.Workspace), Name: first(where.Name, c.Connector), Operation: op}
	if c.Local && *f.local == "" {
		*f.local = c.Kind
	}
	if *f.local != "" {
		r.Workspace = ""
	} else if r.Name == "" {
		r.Name = c.Kind
	}
	return a.execute(ctx, r, f)
}
