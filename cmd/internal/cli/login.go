package cli

import (
	"context"
	"errors"
	"flag"
	"strings"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/secret"
)

// loginFlags say what needs not be asked.
type loginFlags struct {
	name, baseURL, organization, names *string
	token                              *bool
	noImport                           *bool
}

func loginCommand() command {
	return command{
		name: "login", usage: "[--profile P] [--base-url URL] [--organization ID] [--token]", summary: "Sign in to a service and keep the credentials.",
		help: "It asks for client id and secret without showing them, tries them, lets you choose the organization,\n" +
			"and keeps them in the keyring, or where there is none in a file that only you can read.\n" +
			"Without a terminal the answers are read from stdin, one per line.",
		setup: func(fs *flag.FlagSet) runner {
			f := loginFlags{
				name:         fs.String("profile", "", "the `profile` to make or to change"),
				baseURL:      fs.String("base-url", "", "the `url` of the service"),
				organization: fs.String("organization", "", "the `id` or name of the organization"),
				names:        choose(fs, "names", "", "the names that the service speaks", "neutral", "wire"),
				token:        fs.Bool("token", false, "ask for a bearer token in place of client id and secret"),
				noImport:     fs.Bool("no-import", false, "leave the settings of the service's own program alone"),
			}
			return func(ctx context.Context, a *app, _ []string) error { return a.login(ctx, f) }
		},
	}
}

// signIn is a login on its way.
type signIn struct {
	profile      profile.Profile
	token        secret.Secret
	clientID     secret.Secret
	clientSecret secret.Secret
}

func (a *app) login(ctx context.Context, f loginFlags) error {
	if a.foldersErr != nil {
		return config("there is no place to keep settings: %v", a.foldersErr)
	}
	settings, err := a.settings()
	if err != nil {
		return err
	}
	in, err := a.startLogin(ctx, settings, f)
	if err != nil {
		return err
	}
	if err := a.askCredentials(ctx, in, *f.token); err != nil {
		return err
	}
	service, err := a.tryLogin(ctx, in)
	if err != nil {
		return err
	}
	if err := a.chooseOrganization(ctx, in, service, *f.organization); err != nil {
		return err
	}
	if err := a.showReach(ctx, service); err != nil {
		return err
	}
	return a.keepLogin(ctx, settings, in)
}

// startLogin finds the profile to fill: an import, the one named, or a new one.
func (a *app) startLogin(ctx context.Context, settings *profile.Settings, f loginFlags) (*signIn, error) {
	in := &signIn{}
	name := *f.name
	if name == profile.EnvName || name == sandboxName {
		return nil, usage("a profile cannot be called %q: the name is taken", name)
	}
	if old, ok := settings.Profile(name); ok {
		in.profile = old
	}
	if err := a.offerImport(ctx, in, f); err != nil {
		return nil, err
	}
	if *f.baseURL != "" {
		in.profile.BaseURL = *f.baseURL
	}
	if in.profile.BaseURL == "" {
		address, err := a.ask(ctx, "Address of the service", profile.Presets()[0].BaseURL)
		if err != nil {
			return nil, err
		}
		in.profile.BaseURL = address
	}
	in.profile.BaseURL = strings.TrimRight(in.profile.BaseURL, "/")
	if *f.names != "" {
		in.profile.Names = client.Names(*f.names)
	}
	preset := presetOf(in.profile.BaseURL)
	if in.profile.Names == "" && preset != nil {
		in.profile.Names = preset.Names
	}
	if name == "" {
		name = "default"
		if preset != nil {
			name = preset.Name
		}
	}
	in.profile.Name = name
	return in, nil
}

// presetOf knows a service by its address; nil when it does not.
func presetOf(baseURL string) *profile.Preset {
	for _, p := range profile.Presets() {
		if strings.TrimRight(baseURL, "/") == p.BaseURL {
			return &p
		}
	}
	return nil
}

// offerImport takes over what the service's own program has, when wanted.
func (a *app) offerImport(ctx context.Context, in *signIn, f loginFlags) error {
	if *f.noImport || *f.token || *f.baseURL != "" {
		return nil
	}
	found, err := profile.FindImport(a.env["HOME"])
	if err != nil {
		a.say("%v", err)
		return nil
	}
	if found == nil {
		return nil
	}
	a.redactor.Add(found.ClientSecret)
	yes, err := a.confirm(ctx, "Take the credentials of the service's own program from "+found.Path+"?")
	if err != nil || !yes {
		return err
	}
	name := in.profile.Name
	in.profile = profile.Presets()[0].Profile()
	in.profile.Name, in.profile.OrganizationID, in.profile.Workspace = name, found.OrganizationID, found.Workspace
	in.clientID, in.clientSecret = secret.New(found.ClientID), found.ClientSecret
	return nil
}

func (a *app) askCredentials(ctx context.Context, in *signIn, token bool) error {
	var err error
	if token {
		in.token, err = a.askSecret(ctx, "Bearer token")
		return err
	}
	if !in.clientID.Empty() {
		return nil
	}
	if in.clientID, err = a.askSecret(ctx, "Client id"); err != nil {
		return err
	}
	in.clientSecret, err = a.askSecret(ctx, "Client secret")
	return err
}

// tryLogin asks the service for a token.
func (a *app) tryLogin(ctx context.Context, in *signIn) (*hosted.Client, error) {
	wire, err := a.transport(nil)
	if err != nil {
		return nil, err
	}
	service := hosted.New(hosted.Config{
		Profile: in.profile.Name, BaseURL: in.profile.BaseURL, Token: in.token, ClientID: in.clientID, ClientSecret: in.clientSecret,
		TokenPath: in.profile.TokenPath, OrganizationID: in.profile.OrganizationID, Names: in.profile.Names, Catalog: a.kinds(), Transport: wire,
	})
	_, err = service.BearerToken(ctx)
	return service, err
}

// chooseOrganization settles which organization the profile works in.
func (a *app) chooseOrganization(ctx context.Context, in *signIn, service *hosted.Client, wanted string) error {
	list, err := service.Organizations(ctx)
	if errors.Is(err, hosted.ErrListingUnsupported) {
		if wanted != "" {
			in.profile.OrganizationID = wanted
			service.SetOrganization(wanted)
		}
		return nil
	}
	if err != nil {
		return err
	}
	chosen, err := a.pickOrganization(ctx, list, wanted)
	if err != nil || chosen.ID == "" {
		return err
	}
	in.profile.OrganizationID = chosen.ID
	service.SetOrganization(chosen.ID)
	a.say("Organization: %s (%s)", chosen.Name, chosen.ID)
	return nil
}

func (a *app) pickOrganization(ctx context.Context, list []client.Organization, wanted string) (client.Organization, error) {
	switch {
	case wanted != "":
		return findOrganization(list, wanted)
	case len(list) == 0:
		return client.Organization{}, nil
	case len(list) == 1:
		return list[0], nil
	}
	var choices []string
	for _, o := range list {
		choices = append(choices, o.Name+"  "+o.ID)
	}
	i, err := a.pick(ctx, "Organization", choices)
	if err != nil {
		return client.Organization{}, err
	}
	return list[i], nil
}

// showReach proves that the credentials work, by what they reach.
func (a *app) showReach(ctx context.Context, service *hosted.Client) error {
	list, err := service.Workspaces(ctx)
	if errors.Is(err, hosted.ErrListingUnsupported) {
		a.say("The token is accepted. The service does not list workspaces.")
		return nil
	}
	if err != nil {
		return err
	}
	a.say("Workspaces: %s", orNone(workspaceNames(list)))
	return nil
}

// keepLogin stores credentials and profile, and says where.
func (a *app) keepLogin(ctx context.Context, settings *profile.Settings, in *signIn) error {
	where, err := a.storeLogin(ctx, settings, in)
	if err != nil {
		return err
	}
	a.say("Signed in. Profile %s is in %s; its credentials are in %s.", in.profile.Name, settings.Path, where)
	if settings.Default != in.profile.Name {
		a.say("Make it the usual one with: patchbay profiles use %s", in.profile.Name)
	}
	return nil
}

// storeLogin stores credentials and profile; where says in words the place of the credentials.
func (a *app) storeLogin(ctx context.Context, settings *profile.Settings, in *signIn) (where string, err error) {
	store, places := a.store(), map[string]bool{}
	keep := func(what string, value secret.Secret, ref *secret.Ref) error {
		*ref = secret.Ref{}
		if value.Empty() {
			return nil
		}
		key := in.profile.Name + "." + what
		found, err := store.Set(ctx, key, value)
		if err != nil {
			return config("the %s cannot be kept: %v", what, err)
		}
		*ref = secret.RefTo(found, key)
		places[string(found.Source)] = true
		return nil
	}
	c := &in.profile.Credentials
	err = errors.Join(keep("token", in.token, &c.Token), keep("client_id", in.clientID, &c.ClientID), keep("client_secret", in.clientSecret, &c.ClientSecret))
	if err != nil {
		return "", err
	}
	settings.Put(in.profile)
	if settings.Default == "" {
		settings.Default = in.profile.Name
	}
	if err := settings.Save(); err != nil {
		return "", err
	}
	where = "the keyring"
	if places[string(secret.FromFile)] {
		where = a.folders.Secrets() + " (only you can read it)"
	}
	return where, nil
}

func logoutCommand() command {
	return command{name: "logout", usage: "[--profile P]", service: true, summary: "Forget the credentials of a profile.", setup: func(*flag.FlagSet) runner {
		return func(ctx context.Context, a *app, _ []string) error { return a.logout(ctx) }
	}}
}

func (a *app) logout(ctx context.Context) error {
	settings, err := a.settings()
	if err != nil {
		return err
	}
	name := a.flags.Profile
	if name == "" {
		name = settings.Default
	}
	p, ok := settings.Profile(name)
	switch {
	case name == profile.EnvName || name == "" && a.env["PLATFORM_BASE_URL"] != "":
		return config("the profile %s is made of environment variables", profile.EnvName).next("Unset the PLATFORM_ variables.")
	case !ok:
		return config("no profile is called %q", name).next("There are: %s.", orNone(settings.Names()))
	}
	for _, what := range []string{"token", "client_id", "client_secret"} {
		if err := a.store().Delete(ctx, name+"."+what); err != nil {
			return config("the %s cannot be forgotten: %v", what, err)
		}
	}
	p.Credentials = profile.Credentials{}
	settings.Put(p)
	if err := settings.Save(); err != nil {
		return err
	}
	a.say("Signed out: the credentials of the profile %s are forgotten. Its other settings stay in %s.", name, settings.Path)
	return nil
}
