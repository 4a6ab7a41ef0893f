package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/preflight"
	"patchbay/client/quantity"
	"patchbay/client/session"
)

// checkCommand prints what is known of a call before it is sent.
func (a *app) checkCommand(c *cobra.Command) {
	a.bindCommand(c)
	payload, where := bindPayload(c), session.Ref{}
	bindWhere(c, &where)
	kind := c.Flags().String("kind", "", "the `KIND` of the connector; no service is asked then")
	local := c.Flags().Bool("local", false, "check it as a call to the third party of --kind")
	completeFlag(c, "kind", a.kindNames)
	format := choose(c, "format", "text", "how to print", "text", "json")
	c.RunE = runs(func(ctx context.Context, _ []string) error {
		r, err := a.payload(ctx, *payload, "check", executeFields...)
		if err == nil {
			err = fill(&r.Ref, where)
		}
		if err != nil {
			return err
		}
		list, err := a.verdicts(ctx, r, *kind, *local)
		if err != nil {
			return err
		}
		wrong := len(preflight.Errors(list))
		if *format == "json" {
			err = a.printJSON(map[string]any{"ok": wrong == 0, "verdicts": append([]preflight.Verdict{}, list...)})
		} else {
			err = a.data(func(w io.Writer) error { return printVerdicts(w, list) })
		}
		if err != nil || wrong == 0 {
			return err
		}
		return client.Failf(client.ClassInvalid, "%s", quantity.Count(wrong, "error: the call would be refused",
			"errors: the call would be refused"))
	})
}

// printVerdicts writes a line for each verdict, and one for each way out of them.
func printVerdicts(w io.Writer, list []preflight.Verdict) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "ok: the checks find nothing")
		return err
	}
	last := ""
	for i, v := range list {
		if _, err := fmt.Fprintf(w, "%s  %s  %s\n", v.Severity, v.Place, v.Text); err != nil {
			return err
		}
		if last = v.Next; last != "" && (i == len(list)-1 || list[i+1].Next != last) {
			if _, err := fmt.Fprintf(w, "         %s\n", last); err != nil {
				return err
			}
		}
	}
	return nil
}

// verdicts checks a call: as one of a kind where that is named, as one of the
// connector where a service or the sandbox knows it, else by its entity alone.
func (a *app) verdicts(ctx context.Context, r request, kind string, local bool) ([]preflight.Verdict, error) {
	switch {
	case kind == "" && local:
		return nil, client.Invalid("--local needs --kind")
	case local:
		s, target, _, err := a.localTarget(kind, r.Name, "")
		if err != nil {
			return nil, err
		}
		return s.Check(target, a.exactFor(target.Kind, r.Operation)), nil
	case kind != "":
		k, err := a.Kinds().Kind(kind)
		if err != nil {
			return nil, err
		}
		return preflight.Check(callOf(k, a.exact(r.Operation, k))), nil
	}
	if r.Ref == (session.Ref{}) {
		return a.anyKind("", r.Operation)
	}
	s, err := a.Service(ctx)
	if err != nil {
		return nil, err
	}
	c, err := s.Connector(ctx, r.Ref)
	if err != nil {
		return nil, err
	}
	c = a.known(ctx, s, c)
	return s.Check(c.Target(s.Name), a.exactFor(c.Kind, r.Operation)), nil
}

// exactFor gives an operation the names of a kind, where the catalog knows that.
func (a *app) exactFor(kind string, op client.Operation) client.Operation {
	k, err := a.Kinds().Kind(kind)
	if err != nil {
		return op
	}
	return a.exact(op, k)
}

// known is a connector with its kind, which the service is asked for where the catalog
// does not know the type. Without an answer the kind stays unknown, and a call unchecked.
func (a *app) known(ctx context.Context, s *session.Session, c client.Connector) client.Connector {
	if c.Kind != "" || c.Type == "" || c.Local {
		return c
	}
	of, _, notes, err := s.KindOf(ctx, c, false)
	if err != nil {
		a.say("Note: the catalog does not know connectors of type %s, and the service does not describe this one: %v",
			shown(c.Type), err)
		return c
	}
	for _, note := range notes {
		a.say("Note: of the description: %s", note)
	}
	return of
}

// anyKind checks a call of a connector that nobody was asked for: as one of the kind
// that has the connector's name, else of any that has the entity.
func (a *app) anyKind(name string, op client.Operation) ([]preflight.Verdict, error) {
	if k, err := a.Kinds().Kind(name); err == nil {
		return preflight.Check(callOf(k, op)), nil
	}
	var kinds []*catalog.Kind
	for _, known := range a.Kinds().Kinds() {
		k, err := a.Kinds().Kind(known.Name)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, k)
	}
	return preflight.CheckAny(kinds, callOf(nil, op)), nil
}

func callOf(k *catalog.Kind, op client.Operation) preflight.Call {
	return preflight.Call{Kind: k, Entity: op.Entity, Action: op.Action, Params: op.Params,
		Select: op.SelectFields, Exclude: op.ExcludeFields}
}
