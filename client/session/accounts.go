package session

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/local"
	"patchbay/client/profile"
	"patchbay/client/secret"
)

// Login is what signing in to a service takes.
type Login struct {
	Profile, BaseURL       string
	ClientID, ClientSecret secret.Secret
	// Token of a person who came from their browser, in place of id and secret.
	Token secret.Secret
	// Organization and Workspace are set once they are chosen.
	Organization, Workspace string
}

// SignIn is a login on its way: a profile to be, and its credentials.
type SignIn struct {
	Profile                       profile.Profile
	Token, ClientID, ClientSecret secret.Secret
}

// NewSignIn begins to sign in to the profile of a name, which may be there.
func (o *Opener) NewSignIn(name string) (*SignIn, error) {
	if name == profile.EnvName || name == SandboxName {
		return nil, client.Invalid("a profile cannot be called %q: the name is taken", name)
	}
	settings, err := o.Settings()
	if err != nil {
		return nil, err
	}
	old, _ := settings.Profile(name)
	old.Name = name
	return &SignIn{Profile: old}, nil
}

// signInOf is the login that was filled in.
func (o *Opener) signInOf(l Login) (*SignIn, error) {
	if l.Profile == "" {
		return nil, client.Invalid("a profile cannot be called %q: the name is taken", l.Profile)
	}
	in, err := o.NewSignIn(l.Profile)
	if err != nil {
		return nil, err
	}
	in.ClientID, in.ClientSecret, in.Token = l.ClientID, l.ClientSecret, l.Token
	in.Profile.OrganizationID = l.Organization
	in.Profile.Workspace = cmp.Or(l.Workspace, in.Profile.Workspace)
	in.At(l.BaseURL)
	return in, nil
}

// At sets the address of the service, and the names that a known one speaks.
func (in *SignIn) At(baseURL string) {
	in.Profile.BaseURL = strings.TrimRight(baseURL, "/")
	if preset := profile.PresetOf(in.Profile.BaseURL); preset != nil {
		in.Profile.Names = cmp.Or(in.Profile.Names, preset.Names)
		in.Profile.Name = cmp.Or(in.Profile.Name, preset.Name)
	}
	in.Profile.Name = cmp.Or(in.Profile.Name, "default")
}

// FindImport finds the settings of the service's own program; nil when there are none.
func (o *Opener) FindImport() (*profile.Import, error) {
	found, err := profile.FindImport(o.Env["HOME"])
	if found != nil {
		o.Redactor.Add(found.ClientSecret)
	}
	return found, err
}

// Connect asks the service for a token.
func (o *Opener) Connect(ctx context.Context, in *SignIn) (*hosted.Client, error) {
	service, err := o.hosted(in.Profile, in.Token, in.ClientID, in.ClientSecret, nil)
	if err != nil {
		return nil, err
	}
	_, err = service.BearerToken(ctx)
	return service, err
}

// Try asks the service of a login for a token and lists the organizations it reaches.
func (o *Opener) Try(ctx context.Context, l Login) ([]client.Organization, error) {
	in, err := o.signInOf(l)
	if err != nil {
		return nil, err
	}
	service, err := o.Connect(ctx, in)
	if err != nil {
		return nil, err
	}
	list, err := service.Organizations(ctx)
	if errors.Is(err, hosted.ErrListingUnsupported) {
		return nil, nil
	}
	return list, err
}

// KeepLogin stores the profile and the credentials of a login, and says where these are.
func (o *Opener) KeepLogin(ctx context.Context, l Login) (where string, err error) {
	in, err := o.signInOf(l)
	if err != nil {
		return "", err
	}
	if !in.Token.Empty() {
		service, err := o.Connect(ctx, in)
		if err == nil {
			_, err = o.Settle(ctx, in, service)
		}
		if err != nil {
			return "", err
		}
	}
	return o.Keep(ctx, in)
}

// Keep stores credentials and profile; where says in words the place of the credentials.
func (o *Opener) Keep(ctx context.Context, in *SignIn) (where string, err error) {
	settings, err := o.Settings()
	if err != nil {
		return "", err
	}
	where, in.Profile.Insecure = "the keyring", in.Profile.Insecure || o.Insecure
	values := map[string]secret.Secret{"token": in.Token, "client_id": in.ClientID, "client_secret": in.ClientSecret}
	for what, ref := range in.Profile.Credentials.Each() {
		if *ref = (secret.Ref{}); values[what].Empty() {
			continue
		}
		if *ref, err = o.keepSecret(ctx, in.Profile.Name, what, values[what]); err != nil {
			return "", client.Misconfigured("the %s cannot be kept: %v", what, err)
		}
		if ref.File != "" {
			where = o.Folders.Secrets() + " (only you can read it)"
		}
	}
	return where, settings.Change(func(now *profile.Settings) error {
		now.Put(in.Profile)
		now.Default = cmp.Or(now.Default, in.Profile.Name)
		return nil
	})
}

// keepSecret stores a secret of a profile, and says where it is.
func (o *Opener) keepSecret(ctx context.Context, name, what string, value secret.Secret) (secret.Ref, error) {
	return o.store().Set(ctx, profile.SecretKey(name, what), value)
}

// SignOut forgets the credentials of the chosen profile, and says which it was.
func (o *Opener) SignOut(ctx context.Context) (name string, err error) {
	settings, err := o.Settings()
	if err != nil {
		return "", err
	}
	name = cmp.Or(o.Profile, settings.Default)
	p, ok := settings.Profile(name)
	switch {
	case name == profile.EnvName || name == "" && o.Env["PLATFORM_BASE_URL"] != "":
		return name, client.Misconfigured("the profile %s is made of environment variables", profile.EnvName).
			Advise("Unset the PLATFORM_ variables.")
	case !ok:
		return name, client.Misconfigured("no profile is called %q", name).
			Advise("There are: %s.", profile.OrNone(settings.Names()))
	}
	if err := o.forgetSecrets(ctx, &p); err != nil {
		return name, err
	}
	return name, o.change(name, func(p *profile.Profile) { p.Credentials = profile.Credentials{} })
}

// forgetSecrets removes the credentials of a profile, and others that are kept for it.
func (o *Opener) forgetSecrets(ctx context.Context, p *profile.Profile, more ...string) error {
	for what := range p.Credentials.Each() {
		more = append(more, what)
	}
	for _, what := range more {
		if err := o.store().Delete(ctx, profile.SecretKey(p.Name, what)); err != nil {
			return client.Misconfigured("the %s cannot be forgotten: %v", what, err)
		}
	}
	return nil
}

// ForgetProfile removes a profile of the settings file, and the credentials that were
// kept for it.
func (o *Opener) ForgetProfile(ctx context.Context, name string) error {
	settings, err := o.Settings()
	if err != nil {
		return err
	}
	p, ok := settings.Profile(name)
	if !ok {
		return client.Misconfigured("profile %s is in no file, so there is nothing to forget", name)
	}
	var secrets []string
	for _, l := range p.Local {
		for field, ref := range l.Credentials {
			secrets = append(secrets, localSecret(l.Name, field))
			o.forgetRenewed(ctx, l.Kind, ref)
		}
	}
	if err := o.forgetSecrets(ctx, &p, secrets...); err != nil {
		return err
	}
	return settings.Change(func(now *profile.Settings) error { now.Remove(name); return nil })
}

// KeepOrganization remembers the organization of a profile.
func (o *Opener) KeepOrganization(name, id string) error {
	return o.change(name, func(p *profile.Profile) { p.OrganizationID = id })
}

// KeepConnector remembers a connector that the service does not list.
func (o *Opener) KeepConnector(name string, c client.Connector) error {
	return o.change(name, keeping(c))
}

// keeping is the change that puts a connector into a profile.
func keeping(c client.Connector) func(p *profile.Profile) {
	made := profile.Connector{ID: c.ID, Name: c.Name, Type: c.Type, Workspace: c.Workspace}
	return func(p *profile.Profile) {
		p.Connectors = put(p.Connectors, made, func(have profile.Connector) bool { return have.ID == c.ID })
	}
}

// put adds one to a list, or replaces the one that is the same.
func put[T any](list []T, made T, same func(T) bool) []T {
	if i := slices.IndexFunc(list, same); i >= 0 {
		list[i] = made
		return list
	}
	return append(list, made)
}

// change changes a profile of the settings file.
func (o *Opener) change(name string, change func(p *profile.Profile)) error {
	settings, err := o.Settings()
	if err != nil {
		return err
	}
	return settings.Change(func(now *profile.Settings) error {
		p, ok := now.Profile(name)
		if !ok {
			return client.Misconfigured("profile %s is in no file, so nothing can be kept in it", name).
				Advise("Sign in to make a profile.")
		}
		change(&p)
		now.Put(p)
		return nil
	})
}

// change changes the profile of a session in the settings file. Profiles that are in
// no file (the environment's, the sandbox) stay as they are.
func (s *Session) change(change func(p *profile.Profile)) error {
	settings, err := s.opener.Settings()
	if err != nil {
		return err
	}
	if _, ok := settings.Profile(s.Name); !ok {
		return nil
	}
	return s.opener.change(s.Name, func(p *profile.Profile) {
		change(p)
		s.Profile = *p
	})
}

// UseOrganization chooses the organization that the profile of a session works
// in, by id or name.
func (s *Session) UseOrganization(ctx context.Context, wanted string) (client.Organization, error) {
	chosen := client.Organization{ID: wanted}
	switch s.Name {
	case profile.EnvName:
		return chosen, client.Misconfigured("the profile %s is made of environment variables", s.Name).
			Advise("Set PLATFORM_ORGANIZATION_ID=%s.", wanted)
	case SandboxName:
		return chosen, client.Misconfigured("the sandbox keeps no settings").
			Advise("Set PLATFORM_ORGANIZATION_ID where a client of patchbay sandbox runs.")
	}
	list, err := s.Hosted.Organizations(ctx)
	if err == nil {
		chosen, err = Organization(list, wanted)
	}
	if err != nil && !errors.Is(err, hosted.ErrListingUnsupported) {
		return chosen, err
	}
	return chosen, s.change(func(p *profile.Profile) { p.OrganizationID = chosen.ID })
}

// Remember keeps a new connector in the profile where the service does not list
// connectors, and reports whether it did.
func (s *Session) Remember(ctx context.Context, c client.Connector) (kept bool, err error) {
	if _, err := s.Hosted.Connectors(ctx, c.Workspace); !errors.Is(err, hosted.ErrListingUnsupported) {
		return false, nil
	}
	return true, s.change(keeping(c))
}

// Forget removes a connector from those that the profile keeps.
func (s *Session) Forget(id string) error {
	is := func(c profile.Connector) bool { return c.ID == id }
	if !slices.ContainsFunc(s.Profile.Connectors, is) {
		return nil
	}
	return s.change(func(p *profile.Profile) {
		p.Connectors = slices.DeleteFunc(slices.Clone(p.Connectors), is)
	})
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

// localCredential reads a credential of a local call: from the environment,
// else from the local connectors of the profile.
func (s *Session) localCredential(kind, connector, field string) (
	value secret.Secret, from string, ok bool, err error,
) {
	defer func() { s.opener.Redactor.Add(value) }()
	environment, _ := local.FromEnv(s.opener.Env)
	if value, from, ok, err = environment(kind, connector, field); ok || err != nil {
		return value, from, ok, err
	}
	c := localOf(s.Profile, kind, connector)
	if c == nil || c.Credentials[field].Empty() {
		return secret.Secret{}, "", false, nil
	}
	found, err := s.opener.Sources().Resolve(context.Background(), c.Credentials[field])
	if err != nil {
		return secret.Secret{}, "", false, err
	}
	return found.Value, found.Place, true, nil
}

// localValue reads a configuration value of a local call, from the same places.
func (s *Session) localValue(kind, connector, name string) (string, bool) {
	_, environment := local.FromEnv(s.opener.Env)
	if value, ok := environment(kind, connector, name); ok {
		return value, ok
	}
	c := localOf(s.Profile, kind, connector)
	switch {
	case c == nil:
		return "", false
	case name == "base_url" && c.BaseURL != "":
		return c.BaseURL, true
	}
	value, ok := c.Config[name]
	return value, ok
}

// localTargets are what is called directly: the profile's local connectors, and
// kinds that the environment has credentials for.
func (s *Session) localTargets() []client.Target {
	var out []client.Target
	for _, c := range s.LocalConnectors() {
		out = append(out, c.Target(s.Name))
	}
	for _, c := range s.EnvironmentConnectors() {
		out = append(out, c.Target(s.Name))
	}
	return out
}

// EnvironmentConnectors are connectors that are called directly and for which nothing is
// set up but variables of the environment, one for each kind at most. They are found by
// their id only: the name of a hosted connector stays its own.
func (s *Session) EnvironmentConnectors() []client.Connector {
	var out []client.Connector
	for _, k := range s.Catalog.Kinds() {
		prefix := client.EnvName(k.Name, "")
		if slices.ContainsFunc(s.Profile.Local, func(c profile.LocalConnector) bool { return c.Kind == k.Name }) {
			continue // the variables give it its values
		}
		for name, value := range s.opener.Env {
			if value != "" && strings.HasPrefix(name, prefix) {
				out = append(out, client.Connector{ID: "local:" + k.Name, Name: k.Name, Type: k.Name, Kind: k.Name,
					Local: true})
				break
			}
		}
	}
	return out
}
