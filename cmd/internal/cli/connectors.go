package cli

import (
	"context"
	"flag"
	"strconv"

	"patchbay/client"
	"patchbay/client/hosted"
)

func connectorsCommand() command {
	return command{name: "connectors", summary: "List, create, describe, run, check and delete connectors.", subs: func() []command {
		return []command{connectorsList(), connectorsCreate(), connectorsDescribe(), executeCommand("execute"), connectorsCheck(), connectorsDelete()}
	}}
}

const payloadHelp = "The payload is JSON, @FILE, or - for stdin. It names the connector by workspace and name, or by id."

func connectorsList() command {
	return command{name: "list", usage: "[--workspace W]", service: true, summary: "List the connectors of a workspace, or of all.", setup: func(fs *flag.FlagSet) runner {
		workspace := fs.String("workspace", "", "list this `workspace` only")
		payload, format := bindPayload(fs), listFormat(fs)
		return func(ctx context.Context, a *app, _ []string) error {
			name := *workspace
			if payload.text != "" {
				r, err := payload.read(a, "connectors list", "workspace")
				if err != nil {
					return err
				}
				name = r.Workspace
			}
			return a.listConnectors(ctx, name, *format)
		}
	}}
}

func (a *app) listConnectors(ctx context.Context, workspace, format string) error {
	s, err := a.service(ctx)
	if err != nil {
		return err
	}
	var list []client.Connector
	if workspace == "" {
		workspace = s.profile.Workspace
	}
	if workspace != "" {
		list, _, err = s.connectorsOf(ctx, workspace)
	} else {
		list, err = s.allConnectors(ctx)
	}
	if err != nil {
		return err
	}
	return a.print(connectorsListing(list), format)
}

// allConnectors lists the connectors of every workspace, and the local ones.
func (s *session) allConnectors(ctx context.Context) ([]client.Connector, error) {
	spaces, err := s.Workspaces(ctx)
	if err != nil {
		return nil, err
	}
	list := []client.Connector{}
	for _, w := range spaces {
		part, err := s.Connectors(ctx, w.Name)
		if err != nil {
			return nil, err
		}
		list = append(list, part...)
	}
	return append(list, s.localConnectors()...), nil
}

func connectorsListing(list []client.Connector) listing {
	l := listing{head: []string{"NAME", "TYPE", "KIND", "WORKSPACE", "ID"}, value: list, empty: "There are no connectors."}
	for _, c := range list {
		where := c.Workspace
		if c.Local {
			where = "(local)"
		}
		l.rows = append(l.rows, []string{c.Name, c.Type, c.Kind, where, c.ID})
	}
	if list == nil {
		l.value = []client.Connector{}
	}
	return l
}

// onConnector is a command about one connector that a payload names.
func onConnector(name, summary string, run func(ctx context.Context, a *app, s *session, c client.Connector, o connectorOptions) error, writes bool) command {
	return command{name: name, usage: "--json PAYLOAD", service: true, summary: summary, help: payloadHelp, setup: func(fs *flag.FlagSet) runner {
		payload, format := bindPayload(fs), listFormat(fs)
		o := connectorOptions{format: format, yes: new(bool)}
		if writes {
			o.yes = bindYes(fs)
		}
		return func(ctx context.Context, a *app, _ []string) error {
			r, err := payload.read(a, "connectors "+name, "workspace", "name", "id")
			if err != nil {
				return err
			}
			s, err := a.service(ctx)
			if err != nil {
				return err
			}
			c, err := s.connector(ctx, r)
			if err != nil {
				return err
			}
			return run(ctx, a, s, c, o)
		}
	}}
}

type connectorOptions struct {
	format *string
	yes    *bool
}

func bindYes(fs *flag.FlagSet) *bool {
	return fs.Bool("yes", false, "yes, change data")
}

// needYes refuses what changes data unless --yes is given.
func needYes(yes bool, what string) error {
	if yes {
		return nil
	}
	return fail(client.ClassRefused, "%s changes data", what).next("Add --yes to do it. Nothing was sent.")
}

func connectorsDescribe() command {
	return onConnector("describe", "Show what a connector supports.", describeConnector, false)
}

func describeConnector(ctx context.Context, a *app, s *session, c client.Connector, o connectorOptions) error {
	if c.Local {
		return a.kinds().WriteJSON(a.stdout, c.Kind, "", "")
	}
	d, err := s.hosted.Connector(ctx, c.ID)
	if err != nil {
		return err
	}
	if d.Workspace == "" {
		d.Workspace = c.Workspace
	}
	for _, w := range d.Warnings {
		a.say("Note: %s", w)
	}
	return a.print(describeListing(d), *o.format)
}

func describeListing(d *hosted.Detail) listing {
	l := listing{head: []string{"ENTITY", "ACTION", "KNOWN TO", "SEARCHABLE COPY"}, value: d}
	for _, e := range d.Entities {
		for _, act := range e.Actions {
			l.rows = append(l.rows, []string{e.Name, act.Name, string(act.Presence), d.Store[e.Name]})
		}
	}
	return l
}

func connectorsCheck() command {
	return onConnector("check", "Let the service try a connector's credentials.", checkConnector, false)
}

// checkJSON is how a check is printed.
type checkJSON struct {
	ID       string            `json:"id"`
	Name     string            `json:"name,omitempty"`
	Status   string            `json:"status"`
	Message  string            `json:"message,omitempty"`
	Entities []entityCheckJSON `json:"entities"`
}

type entityCheckJSON struct {
	Entity     string `json:"entity"`
	Status     string `json:"status"`
	StatusCode int    `json:"status_code,omitempty"`
	Message    string `json:"message,omitempty"`
	Next       string `json:"next,omitempty"`
}

func checkConnector(ctx context.Context, a *app, s *session, c client.Connector, o connectorOptions) error {
	if c.Local {
		return fail(client.ClassRefused, "%s is called directly: the service cannot check it", c.Name).next("Run: patchbay doctor %s", c.Name)
	}
	check, err := s.hosted.CheckConnector(ctx, c.ID)
	if err != nil {
		return err
	}
	if err := a.print(checkListing(c, check), *o.format); err != nil {
		return err
	}
	if check.Status == "failed" {
		f := fail(client.ClassAuth, "the check of %s failed: %s", c.Name, check.Message).next("Renew the connector's credentials, or look at the entities above.")
		f.cause.Layer = client.LayerThirdParty
		return f
	}
	return nil
}

func checkListing(c client.Connector, check client.Check) listing {
	v := checkJSON{ID: c.ID, Name: c.Name, Status: check.Status, Message: check.Message, Entities: []entityCheckJSON{}}
	l := listing{head: []string{"ENTITY", "STATUS", "CODE", "MESSAGE", "NEXT"}}
	l.rows = append(l.rows, []string{"(connector)", check.Status, "", check.Message, ""})
	for _, e := range check.Entities {
		v.Entities = append(v.Entities, entityCheckJSON{e.Entity, e.Status, e.HTTPStatus, e.Message, e.Next})
		l.rows = append(l.rows, []string{e.Entity, e.Status, number(e.HTTPStatus), e.Message, e.Next})
	}
	l.value = v
	return l
}

// number writes n; nothing for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func connectorsDelete() command {
	return onConnector("delete", "Delete a connector from the service.", deleteConnector, true)
}

func deleteConnector(ctx context.Context, a *app, s *session, c client.Connector, o connectorOptions) error {
	if c.Local {
		return fail(client.ClassRefused, "%s is a local connector of the settings", c.Name).next("Remove it from %s.", a.folders.Settings())
	}
	if err := needYes(*o.yes, "deleting the connector "+c.Name+" ("+c.ID+")"); err != nil {
		return err
	}
	job, err := s.hosted.DeleteConnector(ctx, c.ID)
	if err != nil {
		return err
	}
	if err := a.forgetConnector(s, c.ID); err != nil {
		return err
	}
	out := struct {
		ID    string `json:"id"`
		JobID string `json:"job_id,omitempty"`
	}{c.ID, job}
	return a.print(listing{head: []string{"DELETED", "JOB"}, rows: [][]string{{c.ID, job}}, value: out}, *o.format)
}

// forgetConnector removes a connector from those that the profile keeps.
func (a *app) forgetConnector(s *session, id string) error {
	return a.changeProfile(s, func(p *profileOf) bool {
		for i, c := range p.Connectors {
			if c.ID == id {
				p.Connectors = append(p.Connectors[:i:i], p.Connectors[i+1:]...)
				return true
			}
		}
		return false
	})
}
