package cli

import (
	"context"
	"errors"
	"path/filepath"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/hosted"
	"patchbay/client/local"
	"patchbay/client/profile"
	"patchbay/client/saved"
	"patchbay/client/secret"
	"patchbay/ui"
)

// equip gives the explorer what it may change: profiles, history, saved calls.
func (a *app) equip(deps *ui.Deps) {
	if store := a.openHistory(); store != nil {
		deps.History = store
	}
	deps.Saved = ui.SavedCalls{Load: a.savedCalls, Save: a.saveCall}
	if a.foldersErr != nil {
		return
	}
	deps.Accounts = ui.Accounts{
		Try: a.tryFromScreen, Keep: a.keepFromScreen, Presets: profile.Presets(),
		FindImport:       func() (*profile.Import, error) { return a.findImport() },
		KeepOrganization: a.keepOrganization, KeepConnector: a.keepKnown, KeepLocal: a.keepLocal,
	}
}

// saveCall keeps a call in the working folder for a team, else in the person's own.
func (a *app) saveCall(c *saved.Call, team bool) (string, error) {
	folder := saved.Folder
	if !team {
		if a.foldersErr != nil {
			return "", a.foldersErr
		}
		folder = filepath.Join(a.folders.Config, saved.Folder)
	}
	return saved.Save(folder, c, false)
}

func (a *app) findImport() (*profile.Import, error) {
	found, err := profile.FindImport(a.env["HOME"])
	if found != nil {
		a.redactor.Add(found.ClientSecret)
	}
	return found, err
}

// signInOf is a login with what was given on the screen.
func (a *app) signInOf(l ui.Login) (*signIn, error) {
	if l.Profile == profile.EnvName || l.Profile == sandboxName || l.Profile == "" {
		return nil, usage("a profile cannot be called %q: the name is taken", l.Profile)
	}
	settings, err := a.settings()
	if err != nil {
		return nil, err
	}
	in := &signIn{clientID: l.ClientID, clientSecret: l.ClientSecret}
	if old, ok := settings.Profile(l.Profile); ok {
		in.profile = old
	}
	in.profile.Name, in.profile.BaseURL = l.Profile, l.BaseURL
	in.profile.OrganizationID = l.Organization
	if l.Workspace != "" {
		in.profile.Workspace = l.Workspace
	}
	if p := presetOf(l.BaseURL); p != nil && in.profile.Names == "" {
		in.profile.Names = p.Names
	}
	a.redactor.Add(l.ClientSecret)
	return in, nil
}

func (a *app) tryFromScreen(ctx context.Context, l ui.Login) ([]client.Organization, error) {
	in, err := a.signInOf(l)
	if err != nil {
		return nil, err
	}
	service, err := a.tryLogin(ctx, in)
	if err != nil {
		return nil, err
	}
	list, err := service.Organizations(ctx)
	if errors.Is(err, hosted.ErrListingUnsupported) {
		return nil, nil
	}
	return list, err
}

func (a *app) keepFromScreen(ctx context.Context, l ui.Login) (string, error) {
	in, err := a.signInOf(l)
	if err != nil {
		return "", err
	}
	settings, err := a.settings()
	if err != nil {
		return "", err
	}
	return a.storeLogin(ctx, settings, in)
}

// changeNamed changes a profile of the settings file.
func (a *app) changeNamed(name string, change func(p *profile.Profile)) error {
	settings, err := a.settings()
	if err != nil {
		return err
	}
	p, ok := settings.Profile(name)
	if !ok {
		return config("profile %s is in no file, so nothing can be kept in it", name).next("Sign in to make a profile.")
	}
	change(&p)
	settings.Put(p)
	return settings.Save()
}

func (a *app) keepOrganization(name, id string) error {
	return a.changeNamed(name, func(p *profile.Profile) { p.OrganizationID = id })
}

func (a *app) keepKnown(name string, c client.Connector) error {
	return a.changeNamed(name, func(p *profile.Profile) {
		for i, have := range p.Connectors {
			if have.ID == c.ID {
				p.Connectors[i] = profile.Connector{ID: c.ID, Name: c.Name, Type: c.Type, Workspace: c.Workspace}
				return
			}
		}
		p.Connectors = append(p.Connectors, profile.Connector{ID: c.ID, Name: c.Name, Type: c.Type, Workspace: c.Workspace})
	})
}

// keepLocal stores a local connector; its credentials go to the secret store.
func (a *app) keepLocal(ctx context.Context, name string, l ui.LocalSetup) (client.Connector, error) {
	made := profile.LocalConnector{Name: l.Name, Kind: l.Kind, Method: l.Method, BaseURL: l.BaseURL, Config: l.Config, Credentials: map[string]secret.Ref{}}
	for field, value := range l.Credentials {
		a.redactor.Add(value)
		key := profile.SecretKey(name, "local."+l.Name+"."+field)
		found, err := a.store().Set(ctx, key, value)
		if err != nil {
			return client.Connector{}, config("the credential %s cannot be kept: %v", field, err)
		}
		made.Credentials[field] = secret.RefTo(found, key)
	}
	err := a.changeNamed(name, func(p *profile.Profile) {
		for i := range p.Local {
			if p.Local[i].Name == l.Name {
				p.Local[i] = made
				return
			}
		}
		p.Local = append(p.Local, made)
	})
	return client.Connector{ID: "local:" + l.Name, Name: l.Name, Type: l.Kind, Kind: l.Kind, Local: true}, err
}

// examine finds out what does not work in a session: everywhere, or at one connector.
func (a *app) examine(s *session) ui.Examine {
	return func(ctx context.Context, c *client.Connector, emit func(doctor.Finding)) doctor.Status {
		if c != nil {
			var kind *catalog.Kind
			if k, err := s.catalog.Kind(c.Kind); err == nil {
				kind = k
			}
			worst := doctor.OK
			doctor.Connector(ctx, s.hosted, kind, *c, func(f doctor.Finding) {
				if f.Status == doctor.Fail {
					worst = doctor.Fail
				}
				emit(f)
			})
			return worst
		}
		in := doctor.Input{Profile: &s.profile, Client: s.hosted, Catalog: s.catalog, Now: a.now}
		if a.foldersErr == nil {
			in.SettingsPath = a.folders.Settings()
		}
		if s.sandbox == nil {
			in.Network = &doctor.Network{}
			in.Found, in.FoundErr = profile.Resolve(ctx, s.profile, a.sources())
		}
		return doctor.Run(ctx, in, emit)
	}
}

// checkLocal tries the credentials of a connector that is called directly.
func (s *session) checkLocal(ctx context.Context, t client.Target) (client.Check, error) {
	if c, ok := s.local.(*local.Client); ok {
		return c.Check(ctx, t)
	}
	return client.Check{Status: "skipped", Message: "local connectors cannot be checked here"}, nil
}
