package cli

import (
	"context"
	"errors"
	"io"
	"net/http"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// sandboxName is the name of the session on the built-in service.
const sandboxName = "sandbox"

// session is one service with one set of credentials, and the local connectors
// of its profile. It implements client.Executor: local targets go straight to
// the third party, everything else to the service.
type session struct {
	name    string
	profile profile.Profile
	catalog *catalog.Catalog
	hosted  *hosted.Client
	// local runs operations of local targets.
	local client.Executor
	// sandbox is set when the service is the built-in one, in this process.
	sandbox  *sandbox.Service
	readOnly bool
}

var _ client.Executor = (*session)(nil)

// serviceURL is the address of the service; empty for a session of local calls only.
func (s *session) serviceURL() string {
	if s.hosted == nil {
		return ""
	}
	return s.hosted.BaseURL()
}

func (s *session) executor(t client.Target) client.Executor {
	if t.Local {
		return s.local
	}
	return s.hosted
}

// Execute implements client.Executor.
func (s *session) Execute(ctx context.Context, t client.Target, op client.Operation) (*client.Envelope, error) {
	return s.executor(t).Execute(ctx, t, op)
}

// Preview implements client.Executor.
func (s *session) Preview(t client.Target, op client.Operation) (*client.Request, error) {
	return s.executor(t).Preview(t, op)
}

// Download implements client.Executor.
func (s *session) Download(ctx context.Context, t client.Target, op client.Operation, w io.Writer) (*client.Envelope, error) {
	return s.executor(t).Download(ctx, t, op, w)
}

// Workspaces lists the workspaces; where the service does not, those of the
// profile's own list of connectors.
func (s *session) Workspaces(ctx context.Context) ([]client.Workspace, error) {
	list, err := s.hosted.Workspaces(ctx)
	if err == nil || !errors.Is(err, hosted.ErrListingUnsupported) {
		return list, err
	}
	seen := map[string]bool{}
	if s.profile.Workspace != "" {
		seen[s.profile.Workspace] = true
		list = append(list, client.Workspace{Name: s.profile.Workspace})
	}
	for _, c := range s.known("") {
		if c.Workspace != "" && !seen[c.Workspace] {
			seen[c.Workspace] = true
			list = append(list, client.Workspace{Name: c.Workspace})
		}
	}
	if len(list) == 0 {
		return nil, err
	}
	return list, nil
}

// Connectors lists the connectors of a workspace (all when empty): what the
// service lists, and what the profile knows besides.
func (s *session) Connectors(ctx context.Context, workspace string) ([]client.Connector, error) {
	known := s.known(workspace)
	list, err := s.hosted.Connectors(ctx, workspace)
	if err != nil {
		if errors.Is(err, hosted.ErrListingUnsupported) && len(known) > 0 {
			return known, nil
		}
		return nil, err
	}
	have := map[string]bool{}
	for _, c := range list {
		have[c.ID] = true
	}
	for _, c := range known {
		if !have[c.ID] {
			list = append(list, c)
		}
	}
	return list, nil
}

// known are the connectors that the profile keeps for a workspace.
func (s *session) known(workspace string) []client.Connector {
	var out []client.Connector
	for _, c := range s.profile.Known(s.kindOf) {
		if workspace == "" || c.Workspace == "" || c.Workspace == workspace {
			out = append(out, c)
		}
	}
	return out
}

// kindOf is the catalog's name for a connector type; empty when it has none.
func (s *session) kindOf(connectorType string) string {
	k, err := s.catalog.Kind(connectorType)
	if err != nil {
		return ""
	}
	return k.Name
}

// localConnectors are the connectors of the profile that are called directly.
func (s *session) localConnectors() []client.Connector {
	var out []client.Connector
	for _, c := range s.profile.Local {
		out = append(out, client.Connector{ID: "local:" + c.Name, Name: c.Name, Type: c.Kind, Kind: s.kindOf(c.Kind), Local: true})
	}
	return out
}

// chosen picks the profile that flags, environment and settings ask for; ok is
// false when nothing is configured, or the sandbox was asked for.
func (a *app) chosen() (p profile.Profile, ok bool, err error) {
	if a.flags.Sandbox && a.flags.Profile != "" && a.flags.Profile != sandboxName {
		return p, false, usage("--profile and --sandbox exclude each other").next("Leave one of them out.")
	}
	if a.flags.Sandbox || a.flags.Profile == sandboxName {
		return p, false, nil
	}
	settings, err := a.settings()
	if err != nil {
		return p, false, err
	}
	return profile.Choose(settings, a.env, a.flags.Profile)
}

// service opens the session of a subcommand. It never falls back to the
// sandbox: that must be asked for.
func (a *app) service(ctx context.Context) (*session, error) {
	p, ok, err := a.chosen()
	switch {
	case err != nil:
		return nil, err
	case ok:
		return a.openProfile(ctx, p)
	case a.flags.Sandbox || a.flags.Profile == sandboxName:
		return a.openSandbox(sandbox.Options{})
	}
	return nil, config("no service is configured").
		next("Set PLATFORM_BASE_URL and PLATFORM_TOKEN, run patchbay login, or add --sandbox to use the built-in service with generated data.")
}

// openStart opens the session that the explorer starts with; fresh tells that
// nothing is configured, so that it is the sandbox.
func (a *app) openStart(ctx context.Context) (s *session, fresh bool, err error) {
	p, ok, err := a.chosen()
	switch {
	case err != nil:
		return nil, false, err
	case ok:
		s, err = a.openProfile(ctx, p)
		return s, false, err
	}
	s, err = a.openSandbox(sandbox.Options{})
	return s, !a.flags.Sandbox, err
}

// openSession opens the session of a profile by name: one of profileNames.
func (a *app) openSession(ctx context.Context, name string) (*session, error) {
	if name == sandboxName {
		return a.openSandbox(sandbox.Options{})
	}
	settings, err := a.settings()
	if err != nil {
		return nil, err
	}
	p, _, err := profile.Choose(settings, a.env, name)
	if err != nil {
		return nil, err
	}
	return a.openProfile(ctx, p)
}

// profileNames lists what openSession takes.
func (a *app) profileNames() []string {
	var out []string
	if _, found, err := profile.FromEnv(a.env); found && err == nil {
		out = append(out, profile.EnvName)
	}
	if settings, err := a.settings(); err == nil {
		out = append(out, settings.Names()...)
	}
	return append(out, sandboxName)
}

// openProfile makes the session of a profile.
func (a *app) openProfile(ctx context.Context, p profile.Profile) (*session, error) {
	token, err := a.credential(ctx, p, "token", p.Credentials.Token)
	if err != nil {
		return nil, err
	}
	id, err := a.credential(ctx, p, "client_id", p.Credentials.ClientID)
	if err != nil {
		return nil, err
	}
	clientSecret, err := a.credential(ctx, p, "client_secret", p.Credentials.ClientSecret)
	if err != nil {
		return nil, err
	}
	wire, err := a.transport(nil)
	if err != nil {
		return nil, err
	}
	s := &session{name: p.Name, profile: p, catalog: a.kinds(), readOnly: p.ReadOnly || a.flags.ReadOnly}
	s.hosted = hosted.New(hosted.Config{
		Profile: p.Name, BaseURL: p.BaseURL, Token: token, ClientID: id, ClientSecret: clientSecret, TokenPath: p.TokenPath,
		OrganizationID: p.OrganizationID, Names: p.Names, ReadOnly: s.readOnly, Catalog: s.catalog, Transport: wire,
	})
	s.local, err = a.localExecutor(s)
	return s, err
}

// credential reads one credential of a profile; none where none is named.
func (a *app) credential(ctx context.Context, p profile.Profile, what string, ref secret.Ref) (secret.Secret, error) {
	if ref.Empty() {
		return secret.Secret{}, nil
	}
	found, err := a.sources().Resolve(ctx, ref)
	if err != nil {
		return secret.Secret{}, config("profile %s: the %s cannot be read from %s: %v", p.Name, what, ref, err).
			next("Run: patchbay login --profile %s", p.Name)
	}
	if what != "client_id" {
		a.redactor.Add(found.Value)
	}
	return found.Value, nil
}

// openSandbox makes the session of the built-in service. It lives in this
// process and opens no socket.
func (a *app) openSandbox(o sandbox.Options) (*session, error) {
	c := a.kinds()
	o.Catalog, o.Now = c, a.now
	service := sandbox.New(o)
	wire, err := a.transport(service.RoundTripper())
	if err != nil {
		return nil, err
	}
	s := &session{name: sandboxName, profile: profile.Profile{Name: sandboxName, BaseURL: sandbox.BaseURL, OrganizationID: sandbox.OrganizationID, Names: client.Neutral},
		catalog: c, sandbox: service, readOnly: a.flags.ReadOnly}
	s.hosted = hosted.New(hosted.Config{
		Profile: sandboxName, BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID,
		Names: client.Neutral, ReadOnly: s.readOnly, Catalog: c, Transport: wire,
	})
	s.local, err = a.localExecutor(s)
	return s, err
}

// transport makes the way to the wire; base nil is the network.
func (a *app) transport(base http.RoundTripper) (*transport.Client, error) {
	base, err := a.base(base)
	if err != nil {
		return nil, err
	}
	return transport.New(transport.Options{Base: base, Now: a.now, Version: version(), Redactor: a.redactor}), nil
}

// base makes exchanges and logs them where that is asked for; nil is the network.
func (a *app) base(base http.RoundTripper) (http.RoundTripper, error) {
	if base == nil {
		base = transport.NewBase()
	}
	if err := a.openLog(); err != nil {
		return nil, err
	}
	if a.log != nil {
		base = logged{base, a.log}
	}
	return base, nil
}

// localSession is a session for local calls only: no service is needed. The
// local connectors of the chosen profile give their credentials where there is one.
func (a *app) localSession(context.Context) (*session, error) {
	p, _, err := a.chosen()
	if err != nil && a.flags.Profile != "" {
		return nil, err
	}
	s := &session{name: p.Name, profile: p, catalog: a.kinds(), readOnly: p.ReadOnly || a.flags.ReadOnly}
	s.local, err = a.localExecutor(s)
	return s, err
}
