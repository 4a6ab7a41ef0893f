package cli

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/described"
	"patchbay/client/doctor"
	"patchbay/client/hosted"
	"patchbay/client/session"
)

func (a *app) connectorsCommand(c *cobra.Command) {
	a.connectorsList(below(c, "list"))
	a.connectorsCreate(below(c, "create"))
	a.onConnector(below(c, "describe"), false, a.describeConnector)
	a.executeCommand(below(c, "execute"))
	a.onConnector(below(c, "check"), false, a.checkConnector)
	a.onConnector(below(c, "delete"), true, a.deleteConnector)
}

func (a *app) connectorsList(c *cobra.Command) {
	workspace := c.Flags().String("workspace", "", "list this `WORKSPACE` only")
	payload := bindPayload(c)
	a.bindCommand(c)
	format := listFormat(c)
	c.RunE = runs(func(ctx context.Context, _ []string) error {
		name := *workspace
		if *payload != "" {
			r, err := a.payload(ctx, *payload, "connectors list", "workspace")
			if err != nil {
				return err
			}
			name = r.Workspace
		}
		s, err := a.Service(ctx)
		if err != nil {
			return err
		}
		var list []client.Connector
		if name = cmp.Or(name, s.Profile.Workspace); name != "" {
			list, _, err = s.ConnectorsOf(ctx, name)
		} else {
			list, err = s.AllConnectors(ctx)
		}
		if err != nil {
			return err
		}
		return a.print(connectorsListing(list), *format)
	})
}

func connectorsListing(list []client.Connector) listing {
	head := []string{"NAME", "TYPE", "KIND", "WORKSPACE", "ID"}
	return table(head, list, "There are no connectors.", func(c client.Connector) (client.Connector, []string) {
		where := c.Workspace
		if c.Local {
			where = "(local)"
		}
		return c, []string{c.Name, c.Type, c.Kind, where, c.ID}
	})
}

// takes makes c a command of the service that a payload with some fields goes to.
func (a *app) takes(c *cobra.Command, do func(context.Context, *session.Session, request) error, fields ...string) {
	a.bindCommand(c)
	payload := bindPayload(c)
	c.RunE = runs(func(ctx context.Context, _ []string) error {
		r, err := a.payload(ctx, *payload, pathOf(c), fields...)
		if err != nil {
			return err
		}
		s, err := a.Service(ctx)
		if err != nil {
			return err
		}
		return do(ctx, s, r)
	})
}

type connectorOptions struct {
	format *string
	yes    bool
	// diff asks for what service and catalog say differently.
	diff bool
}

// onConnector makes c a command about one connector that a payload names.
func (a *app) onConnector(c *cobra.Command, writes bool,
	do func(context.Context, *session.Session, client.Connector, connectorOptions) error) {
	o := connectorOptions{format: listFormat(c)}
	if writes {
		bindYes(c, &o.yes)
	}
	if c.Name() == "describe" {
		c.Flags().BoolVar(&o.diff, "diff", false, "only what the service or the catalog alone names")
	}
	a.takes(c, func(ctx context.Context, s *session.Session, r request) error {
		on, err := s.Connector(ctx, r.Ref)
		if err != nil {
			return err
		}
		return do(ctx, s, on, o)
	}, "workspace", "name", "id")
}

func bindYes(c *cobra.Command, yes *bool) {
	c.Flags().BoolVar(yes, "yes", false, "yes, change data")
}

// needYes refuses what changes data unless --yes is given. A session that is read-only
// refuses it by itself: there it would be no use to say yes.
func needYes(yes bool, s *session.Session, changes string) error {
	if yes || s.ReadOnly {
		return nil
	}
	return client.Failf(client.ClassRefused, "%s", changes).Advise("Add --yes to do it. Nothing was sent.")
}

func (a *app) describeConnector(ctx context.Context, s *session.Session, c client.Connector, o connectorOptions) error {
	if c.Local {
		return a.Kinds().WriteJSON(a.stdout, c.Kind, "", "")
	}
	d, err := s.Describe(ctx, c.ID)
	if err != nil {
		return err
	}
	d.Workspace, d.Type = cmp.Or(d.Workspace, c.Workspace), cmp.Or(c.Type, d.Type)
	for _, w := range d.Warnings {
		a.say("Note: %s", w)
	}
	if o.diff {
		return a.printDifferences(s, d, o)
	}
	k, err := a.Kinds().Kind(cmp.Or(d.Kind, c.Kind))
	if d.Kind == "" && c.Kind == "" || err == nil && k.Source == catalog.Live {
		a.describeStranger(ctx, s, d)
	}
	l := listing{head: []string{"ENTITY", "ACTION", "KNOWN TO", "SEARCHABLE COPY"}, value: d}
	for _, e := range d.Entities {
		if len(e.Actions) == 0 {
			l.rows = append(l.rows, []string{e.Name, "", string(e.Presence), d.Store[e.Name]})
		}
		for _, act := range e.Actions {
			l.rows = append(l.rows, []string{e.Name, act.Name, string(act.Presence), d.Store[e.Name]})
		}
	}
	return a.print(l, *o.format)
}

// describeStranger lists what the service tells of a connector whose type the catalog
// does not know, from all that it tells.
func (a *app) describeStranger(ctx context.Context, s *session.Session, d *hosted.Detail) {
	of, k, notes, err := s.KindOf(ctx, d.Connector, true)
	if err != nil {
		a.say("Note: it could not be described in full: %v", err)
		return
	}
	for _, note := range notes {
		a.say("Note: of the description: %s", note)
	}
	d.Kind, d.Entities = of.Kind, nil
	for i := range k.Entities {
		e := hosted.DescribedEntity{Name: k.Entities[i].Name, Presence: hosted.OnlyLive,
			Actions: []hosted.DescribedAction{}}
		for _, name := range k.Entities[i].ActionNames() {
			e.Actions = append(e.Actions, hosted.DescribedAction{Name: name, Presence: hosted.OnlyLive})
		}
		d.Entities = append(d.Entities, e)
	}
}

// printDifferences lists what only the service or only the catalog names.
func (a *app) printDifferences(s *session.Session, d *hosted.Detail, o connectorOptions) error {
	k, err := a.Kinds().Kind(d.Kind)
	switch {
	case d.Kind == "" || err != nil || k.Source == catalog.Live:
		return client.Invalid("the catalog does not know connectors of type %s: there is nothing to compare", d.Type).
			Advise("patchbay connectors describe lists what the service tells.")
	case !d.Described:
		return client.Failf(client.ClassBadResponse, "the service does not describe %s", cmp.Or(d.Name, d.ID)).
			Advise("Without a description there is nothing to compare the catalog with.")
	}
	return a.print(table([]string{"ENTITY", "ACTION", "PARAM", "KNOWN TO"}, hosted.Differences(k, d),
		"The service and the catalog name the same.", func(one described.Difference) (described.Difference, []string) {
			return one, []string{one.Entity, one.Action, one.Param, string(one.Only)}
		}), *o.format)
}

func (a *app) checkConnector(ctx context.Context, s *session.Session, c client.Connector, o connectorOptions) error {
	of, err := s.Subject(ctx, c)
	if err != nil {
		return err
	}
	far := a.newTrying()
	check := doctor.Connector(ctx, of, func(f doctor.Finding) {
		if far.end(); f.Status == doctor.Trying {
			far.tell(f)
		}
	})
	far.end()
	l := listing{head: []string{"ENTITY", "VERDICT", "CODE", "MESSAGE", "NEXT"},
		rows: [][]string{{"(connector)", string(check.Verdict), number(check.HTTPStatus), check.Message, check.Next}}}
	for _, f := range doctor.Merged(check) {
		l.rows = append(l.rows, []string{strings.TrimPrefix(f.Subject, "/"), string(f.Verdict), number(f.HTTPStatus),
			f.Detail, f.Next})
	}
	l.value = struct {
		ID   string `json:"id"`
		Name string `json:"name,omitempty"`
		client.Check
	}{of.ID, of.Name, check}
	if err := a.print(l, *o.format); err != nil {
		return err
	}
	switch check.Verdict {
	case client.VerdictOK, client.VerdictNotTried:
		return nil
	case client.VerdictCanceled:
		return canceled("check the connector")
	}
	f := client.Failf(cmp.Or(check.Class, client.ClassUpstream), "the check of %s failed: %s", cmp.Or(of.Name, of.ID),
		doctor.Told(check)).Advise("%s", check.Next)
	f.Status = check.HTTPStatus
	return f
}

// number writes n; nothing for 0.
func number(n int) string { return strings.TrimPrefix(strconv.Itoa(n), "0") }

func (a *app) deleteConnector(ctx context.Context, s *session.Session, c client.Connector, o connectorOptions) error {
	if c.Local {
		return client.Failf(client.ClassRefused, "%s is a local connector of the settings", c.Name).
			Advise("Remove it from %s.", a.Folders.Settings())
	}
	what := "deleting the connector " + strings.TrimSpace(c.Name+" ("+c.ID+")") + " changes data"
	if err := needYes(o.yes, s, what); err != nil {
		return err
	}
	job, err := s.Hosted.DeleteConnector(ctx, c.ID)
	if err != nil {
		return err
	}
	if err := s.Forget(c.ID); err != nil {
		return err
	}
	out := struct {
		ID    string `json:"id"`
		JobID string `json:"job_id,omitempty"`
	}{c.ID, job}
	return a.print(listing{head: []string{"DELETED", "JOB"}, rows: [][]string{{c.ID, job}}, value: out}, *o.format)
}

func (a *app) connectorsCreate(c *cobra.Command) {
	yes, force, format := false, false, listFormat(c)
	bindYes(c, &yes)
	c.Flags().BoolVar(&force, "force", false, "send it although the checks say that it will be refused")
	a.takes(c, func(ctx context.Context, s *session.Session, r request) error {
		workspace, err := s.Workspace(ctx, r.Workspace)
		if err == nil {
			err = needYes(yes, s, "creating a connector changes data")
		}
		if err != nil {
			return err
		}
		made, err := s.Hosted.CreateConnector(ctx, client.NewConnector{Workspace: workspace, Name: r.Name,
			ConnectorType: r.ConnectorType, Credentials: r.Credentials, ReplicationConfig: r.ReplicationConfig,
			Unchecked: force})
		if err != nil {
			return err
		}
		kept, err := s.Remember(ctx, made)
		if kept {
			a.say("The service does not list connectors, so this one is kept in the profile %s.", s.Name)
		}
		if err != nil {
			a.say("The connector was made, but the profile could not be changed: %v", err)
		}
		a.say(`Check it with: patchbay connectors check --json '{"id":"%s"}'`, made.ID)
		l := connectorsListing([]client.Connector{made})
		l.value = made
		return a.print(l, *format)
	}, "workspace", "connector_type", "name", "credentials", "replication_config")
}
