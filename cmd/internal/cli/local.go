package cli

import (
	"context"
	"strings"

	"patchbay/client"
	"patchbay/client/local"
	"patchbay/client/profile"
	"patchbay/client/secret"
)

// localExecutor runs operations straight against third parties. Credentials and
// configuration come from the environment first, then from the local
// connectors of the session's profile.
func (a *app) localExecutor(s *session) (client.Executor, error) {
	base, err := a.base(nil)
	if err != nil {
		return nil, err
	}
	credentials, values := local.FromEnv(a.env)
	return local.New(local.Config{
		Catalog: s.catalog, Transport: base, Now: a.now, Version: version(), ReadOnly: s.readOnly, Redactor: a.redactor,
		Credentials: func(kind, connector, field string) (secret.Secret, string, bool, error) {
			value, from, ok, err := credentials(kind, connector, field)
			if !ok && err == nil {
				value, from, ok, err = a.localCredential(s.profile, kind, connector, field)
			}
			a.redactor.Add(value)
			return value, from, ok, err
		},
		Values: func(kind, connector, name string) (string, bool) {
			if value, ok := values(kind, connector, name); ok {
				return value, ok
			}
			return localValue(s.profile, kind, connector, name)
		},
		SaveToken: func(kind, connector, field string, value secret.Secret) error {
			return a.saveLocal(s, kind, connector, field, value)
		},
	}), nil
}

// localOf finds the profile's local connector of a name; without one, the only
// connector of the kind.
func localOf(p profile.Profile, kind, name string) *profile.LocalConnector {
	var found *profile.LocalConnector
	for i, c := range p.Local {
		switch {
		case name != "" && strings.EqualFold(c.Name, name):
			return &p.Local[i]
		case name == "" && strings.EqualFold(c.Kind, kind):
			if found != nil {
				return nil
			}
			found = &p.Local[i]
		}
	}
	return found
}

func (a *app) localCredential(p profile.Profile, kind, connector, field string) (secret.Secret, string, bool, error) {
	c := localOf(p, kind, connector)
	if c == nil || c.Credentials[field].Empty() {
		return secret.Secret{}, "", false, nil
	}
	found, err := a.sources().Resolve(context.Background(), c.Credentials[field])
	if err != nil {
		return secret.Secret{}, "", false, err
	}
	return found.Value, found.Place, true, nil
}

func localValue(p profile.Profile, kind, connector, name string) (string, bool) {
	c := localOf(p, kind, connector)
	if c == nil {
		return "", false
	}
	if name == "base_url" && c.BaseURL != "" {
		return c.BaseURL, true
	}
	value, ok := c.Config[name]
	return value, ok
}

// saveLocal keeps a credential that the third party replaced, where it came
// from a place of ours; one from the environment cannot be kept.
func (a *app) saveLocal(s *session, kind, connector, field string, value secret.Secret) error {
	c := localOf(s.profile, kind, connector)
	if c == nil {
		return nil
	}
	key := strings.Join([]string{s.name, "local", c.Name, field}, ".")
	found, err := a.store().Set(context.Background(), key, value)
	if err != nil {
		return err
	}
	return a.changeProfile(s, func(p *profileOf) bool {
		at := localOf(*p, kind, c.Name)
		if at == nil {
			return false
		}
		if at.Credentials == nil {
			at.Credentials = map[string]secret.Ref{}
		}
		at.Credentials[field] = secret.RefTo(found, key)
		return true
	})
}
