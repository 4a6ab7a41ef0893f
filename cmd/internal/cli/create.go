package cli

import (
	"context"
	"errors"
	"flag"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
)

type profileOf = profile.Profile

func connectorsCreate() command {
	return command{
		name: "create", usage: "--json @FILE|- --yes", service: true, summary: "Create a connector.",
		help: "The payload has workspace, connector_type, name, credentials and, where the kind needs it, replication_config.\n" +
			"Credentials are taken from @FILE or - only. patchbay catalog KIND tells which fields a kind wants.",
		setup: func(fs *flag.FlagSet) runner {
			payload, yes, format := bindPayload(fs), bindYes(fs), listFormat(fs)
			return func(ctx context.Context, a *app, _ []string) error {
				r, err := payload.read(a, "connectors create", "workspace", "connector_type", "name", "credentials", "replication_config")
				if err != nil {
					return err
				}
				s, err := a.service(ctx)
				if err != nil {
					return err
				}
				return a.createConnector(ctx, s, r, *yes, *format)
			}
		},
	}
}

func (a *app) createConnector(ctx context.Context, s *session, r request, yes bool, format string) error {
	workspace, err := s.workspace(ctx, r.Workspace)
	if err != nil {
		return err
	}
	n := client.NewConnector{Workspace: workspace, ConnectorType: r.ConnectorType, Name: r.Name, Credentials: r.Credentials, ReplicationConfig: r.ReplicationConfig}
	if err := needYes(yes, "creating a connector"); err != nil {
		return err
	}
	made, err := s.hosted.CreateConnector(ctx, n)
	if err != nil {
		return err
	}
	if err := a.keepConnector(ctx, s, made); err != nil {
		a.say("The connector was made, but the profile could not be changed: %v", err)
	}
	a.say(`Check it with: patchbay connectors check --json '{"id":"%s"}'`, made.ID)
	return a.print(connectorsListing([]client.Connector{made}), format)
}

// keepConnector remembers a connector in the profile where the service does not
// list connectors.
func (a *app) keepConnector(ctx context.Context, s *session, c client.Connector) error {
	if _, err := s.hosted.Connectors(ctx, c.Workspace); !errors.Is(err, hosted.ErrListingUnsupported) {
		return nil
	}
	a.say("The service does not list connectors, so this one is kept in the profile %s.", s.name)
	return a.changeProfile(s, func(p *profileOf) bool {
		p.Connectors = append(p.Connectors, profile.Connector{ID: c.ID, Name: c.Name, Type: c.Type, Workspace: c.Workspace})
		return true
	})
}

// changeProfile changes the profile of a session in the settings file; change
// tells whether there is anything to save. Profiles that are in no file (the
// environment's, the sandbox) stay as they are.
func (a *app) changeProfile(s *session, change func(p *profileOf) bool) error {
	settings, err := a.settings()
	if err != nil {
		return err
	}
	p, ok := settings.Profile(s.name)
	if !ok || !change(&p) {
		return nil
	}
	settings.Put(p)
	s.profile = p
	return settings.Save()
}
