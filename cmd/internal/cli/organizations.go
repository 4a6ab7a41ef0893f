package cli

import (
	"context"
	"errors"
	"flag"
	"strings"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
)

func organizationsCommand() command {
	return command{name: "organizations", summary: "List organizations, or choose the one to work in.", subs: func() []command {
		return []command{organizationsList(), organizationsUse()}
	}}
}

func organizationsList() command {
	return command{name: "list", service: true, summary: "List the organizations that the credentials reach.", setup: func(fs *flag.FlagSet) runner {
		format := listFormat(fs)
		return func(ctx context.Context, a *app, _ []string) error {
			s, err := a.service(ctx)
			if err != nil {
				return err
			}
			list, err := s.hosted.Organizations(ctx)
			if err != nil {
				return err
			}
			l := listing{head: []string{"ID", "NAME", ""}, value: list, empty: "There are no organizations."}
			for _, o := range list {
				mark := ""
				if o.ID == s.hosted.Organization() {
					mark = "in use"
				}
				l.rows = append(l.rows, []string{o.ID, o.Name, mark})
			}
			return a.print(l, *format)
		}
	}}
}

func organizationsUse() command {
	return command{name: "use", usage: "ID", service: true, least: 1, most: 1, summary: "Choose the organization that a profile works in.", setup: func(*flag.FlagSet) runner {
		return func(ctx context.Context, a *app, args []string) error { return a.useOrganization(ctx, args[0]) }
	}}
}

func (a *app) useOrganization(ctx context.Context, wanted string) error {
	s, err := a.service(ctx)
	if err != nil {
		return err
	}
	switch s.name {
	case profile.EnvName:
		return config("the profile %s is made of environment variables", s.name).next("Set PLATFORM_ORGANIZATION_ID=%s.", wanted)
	case sandboxName:
		return config("the sandbox keeps no settings").next("Set PLATFORM_ORGANIZATION_ID where a client of patchbay sandbox runs.")
	}
	chosen := client.Organization{ID: wanted}
	list, err := s.hosted.Organizations(ctx)
	if err == nil {
		chosen, err = findOrganization(list, wanted)
	}
	if err != nil && !errors.Is(err, hosted.ErrListingUnsupported) {
		return err
	}
	err = a.changeProfile(s, func(p *profileOf) bool {
		p.OrganizationID = chosen.ID
		return true
	})
	if err == nil {
		a.say("The profile %s works in the organization %s.", s.name, strings.TrimSpace(chosen.Name+" "+chosen.ID))
	}
	return err
}

// findOrganization finds one by id or by name, in any case.
func findOrganization(list []client.Organization, wanted string) (client.Organization, error) {
	var names []string
	var found []client.Organization
	for _, o := range list {
		if strings.EqualFold(o.ID, wanted) {
			return o, nil
		}
		if strings.EqualFold(o.Name, wanted) {
			found = append(found, o)
		}
		names = append(names, o.Name+" ("+o.ID+")")
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		return client.Organization{}, usage("%d organizations are called %q", len(found), wanted).next("Give the id of one: %s.", orNone(names))
	}
	return client.Organization{}, fail(client.ClassNotFound, "no organization is called %q", wanted).next("There are: %s.", orNone(names))
}

func workspacesCommand() command {
	return command{name: "workspaces", summary: "List workspaces.", subs: func() []command {
		return []command{{name: "list", service: true, summary: "List the workspaces of the organization.", setup: func(fs *flag.FlagSet) runner {
			format := listFormat(fs)
			return func(ctx context.Context, a *app, _ []string) error { return a.listWorkspaces(ctx, *format) }
		}}}
	}}
}

func (a *app) listWorkspaces(ctx context.Context, format string) error {
	s, err := a.service(ctx)
	if err != nil {
		return err
	}
	list, err := s.Workspaces(ctx)
	if err != nil {
		return err
	}
	l := listing{head: []string{"NAME", "STATUS", "ID"}, value: list, empty: "There are no workspaces."}
	for _, w := range list {
		l.rows = append(l.rows, []string{w.Name, w.Status, w.ID})
	}
	return a.print(l, format)
}
