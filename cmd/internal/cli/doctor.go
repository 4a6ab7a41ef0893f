package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/session"
	"patchbay/client/transport"
)

func (a *app) doctorCommand(c *cobra.Command) {
	a.bindCommand(c)
	format := choose(c, "format", "text", "how to print", "text", "json")
	workspace := c.Flags().String("workspace", "", "look into this `WORKSPACE` only")
	c.RunE = runs(func(ctx context.Context, args []string) error {
		return a.examine(ctx, *workspace, cmp.Or(args...), *format == "json")
	})
}

// stepClasses give the exit code of a failed step.
var stepClasses = map[string]client.Class{"settings": client.ClassConfig, "network": client.ClassNetwork,
	"credentials": client.ClassAuth, "token": client.ClassAuth, "organization": client.ClassNotFound,
	"workspaces": client.ClassNotFound, "connector": client.ClassNotFound}

// examine tells the findings as they come, or all as JSON. The worst failure decides
// the exit code.
func (a *app) examine(ctx context.Context, workspace, connector string, asJSON bool) error {
	var found doctor.Report
	_, problems := a.catalog()
	of := session.Examination{Opener: a.Opener, Problems: problems, Workspace: workspace, Connector: connector}
	told, far := 0, a.newTrying()
	of.Emit = func(f doctor.Finding) {
		f.Detail = a.Redactor.Text(f.Detail)
		found.Add(f)
		switch {
		case f.Status == doctor.Trying:
			far.tell(f)
		case f.Step != "entity" && !asJSON: // those of a connector are put together below it
			far.end()
			lines := found.Lines()
			for _, line := range lines[told:] {
				a.tellFinding(line)
			}
			told = len(lines)
		}
	}
	err := of.Run(ctx)
	far.end()
	if err == nil && asJSON {
		err = a.printJSON(found.Findings())
	}
	failed := found.Worst()
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return canceled("find out what works")
	case failed == nil:
		return nil
	}
	class := cmp.Or(failed.Class, stepClasses[failed.Step], client.ClassOther)
	if failed.Class == "" && failed.HTTPStatus != 0 {
		class = transport.ClassOf(failed.HTTPStatus)
	}
	e := client.Failf(class, "something does not work: %s: %s", titleOf(failed), failed.Detail)
	e.Next, e.Status = failed.Next, failed.HTTPStatus
	return e
}

func titleOf(f *doctor.Finding) string { return strings.TrimSpace(f.Step + " " + f.Subject) }

func (a *app) tellFinding(f doctor.Finding) {
	text := fmt.Sprintf("%-7s  %s", f.Status, titleOf(&f))
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	if f.Next != "" && f.Status != doctor.OK {
		text += "\n         " + f.Next
	}
	fmt.Fprintln(a.stdout, shown(text))
}

// trying tells on a terminal, in a line of its own, how far the check of a connector is.
type trying struct {
	a         *app
	on, there bool
}

func (a *app) newTrying() *trying { return &trying{a: a, on: isTerminal(a.stderr)} }

func (t *trying) tell(f doctor.Finding) {
	if t.on {
		fmt.Fprintf(t.a.stderr, "\r%s\x1b[K\r", shown(f.Subject+": "+f.Detail))
		t.there = true
	}
}

// end takes the line away.
func (t *trying) end() {
	if t.there {
		fmt.Fprint(t.a.stderr, "\x1b[K")
		t.there = false
	}
}
