package session

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/hosted"
	"patchbay/client/local"
	"patchbay/client/profile"
	"patchbay/client/quantity"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/strictyaml"
	"patchbay/client/transport"
)

// Choice says which service a person asks for.
type Choice struct {
	// Profile names the profile; Sandbox asks for the built-in service instead.
	Profile string
	Sandbox bool
	// SandboxNames are those that the built-in service speaks; empty for neutral ones.
	SandboxNames client.Names
	// ReadOnly refuses everything that changes data.
	ReadOnly bool
	// Insecure lets credentials go to other machines over plain http.
	Insecure bool
}

// sandbox reports whether the built-in service is asked for.
func (c Choice) sandbox() bool { return c.Sandbox || c.Profile == SandboxName }

// Opener opens sessions, and changes the profiles they are made of.
type Opener struct {
	Choice
	Env     map[string]string
	Folders profile.Folders
	// FoldersErr says why there are no folders, so that nothing can be kept.
	FoldersErr error
	// Settings reads the settings file, Kinds opens the catalog.
	Settings func() (*profile.Settings, error)
	Kinds    func() *catalog.Catalog
	// Redactor learns every secret that is read.
	Redactor *secret.Redactor
	Now      func() time.Time
	Version  string
	// Watch wraps what makes the exchanges.
	Watch func(http.RoundTripper) (http.RoundTripper, error)
	// Trace is told of every exchange when it is over, with what a failed one answered;
	// it may be nil.
	Trace func(client.Attempt, client.Body)
	// World gives the built-in service, so that opening it again loses nothing; nil makes one each time.
	World func() *sandbox.Service
}

// Chosen picks the profile that flags, environment and settings ask for; ok is
// false when nothing is configured, or the sandbox was asked for.
func (o *Opener) Chosen() (p profile.Profile, ok bool, err error) {
	if o.Sandbox && o.Profile != "" && o.Profile != SandboxName {
		return p, false, client.Invalid("--profile and --sandbox exclude each other").Advise("Leave one of them out.")
	}
	if o.sandbox() {
		return p, false, nil
	}
	settings, err := o.Settings()
	if err != nil {
		return p, false, err
	}
	p, ok, err = profile.Choose(settings, o.Env, o.Profile)
	if ok && err == nil && o.SandboxNames != "" {
		return p, false, client.Invalid("--names belongs to the built-in service, and the profile %s is another",
			p.Name).
			Advise("Add --sandbox, or leave --names out: a profile says which names its service speaks.")
	}
	return p, ok, err
}

// Speaks are the names that the built-in service speaks.
func (c Choice) Speaks() client.Names { return cmp.Or(c.SandboxNames, client.Neutral) }

// Service opens the session that is asked for. It never falls back to the
// sandbox: that must be asked for.
func (o *Opener) Service(ctx context.Context) (*Session, error) {
	p, ok, err := o.Chosen()
	switch {
	case err != nil:
		return nil, err
	case ok:
		return o.open(ctx, p)
	case o.sandbox():
		return o.openSandbox()
	}
	return nil, client.Misconfigured("no service is configured").
		Advise("Set PLATFORM_BASE_URL and PLATFORM_TOKEN, run patchbay login, " +
			"or add --sandbox to use the built-in service with generated data.")
}

// Start opens the session that the explorer starts with: the sandbox where nothing is
// configured.
func (o *Opener) Start(ctx context.Context) (*Session, error) {
	if _, ok, err := o.Chosen(); err == nil && !ok {
		return o.openSandbox()
	}
	return o.Service(ctx)
}

// Open opens the session of a profile by name: one of Names.
func (o *Opener) Open(ctx context.Context, name string) (*Session, error) {
	other := *o
	other.Choice = Choice{Profile: name, ReadOnly: o.ReadOnly, Insecure: o.Insecure}
	if name == SandboxName {
		other.SandboxNames = o.SandboxNames
	}
	return other.Service(ctx)
}

// Names lists what Open takes.
func (o *Opener) Names() []string {
	var out []string
	if _, found, err := profile.FromEnv(o.Env); found && err == nil {
		out = append(out, profile.EnvName)
	}
	if settings, err := o.Settings(); err == nil {
		out = append(out, settings.Names()...)
	}
	return append(out, SandboxName)
}

// LocalOnly is a session for local calls: no service is needed. The local
// connectors of the chosen profile give their credentials where there is one.
func (o *Opener) LocalOnly() (*Session, error) {
	p, _, err := o.Chosen()
	if err != nil && o.Profile != "" {
		return nil, err
	}
	return o.session(p)
}

// open makes the session of a profile.
func (o *Opener) open(ctx context.Context, p profile.Profile) (*Session, error) {
	found, err := profile.Resolve(ctx, p, o.Sources())
	if err != nil {
		return nil, err
	}
	s, err := o.session(p)
	if err != nil {
		return nil, err
	}
	s.Hosted, err = o.hosted(p, found["token"].Value, found["client_id"].Value, found["client_secret"].Value,
		nil)
	return s, err
}

// openSandbox makes the session of the built-in service. It lives in this
// process and opens no socket.
func (o *Opener) openSandbox() (*Session, error) {
	p := profile.Profile{Name: SandboxName, BaseURL: sandbox.BaseURL, OrganizationID: sandbox.OrganizationID,
		Names: o.Speaks()}
	s, err := o.session(p)
	if err != nil {
		return nil, err
	}
	if o.World != nil {
		s.Sandbox = o.World()
	} else {
		s.Sandbox = sandbox.New(sandbox.Options{Catalog: s.Catalog, Now: o.Now, Names: string(p.Names)})
	}
	s.Hosted, err = o.hosted(p, secret.New(sandbox.Token), secret.Secret{}, secret.Secret{}, s.Sandbox.RoundTripper())
	return s, err
}

// session makes a session of a profile, without a service yet. Connectors that are
// called directly and belong to no profile are there with each.
func (o *Opener) session(p profile.Profile) (*Session, error) {
	if settings, err := o.Settings(); err == nil { // the sandbox needs none, and who chose a profile was told
		p.Local = slices.Concat(p.Local, settings.Local)
	}
	s := &Session{Name: p.Name, Profile: p, Catalog: o.Kinds(), ReadOnly: p.ReadOnly || o.ReadOnly, opener: o}
	wire, err := o.transport(p, nil)
	if err != nil {
		return nil, err
	}
	s.Local = local.New(local.Config{
		Catalog: s.Catalog, Transport: wire, ReadOnly: s.ReadOnly,
		Credentials: s.localCredential, Values: s.localValue, Keep: o.keepRenewed,
	})
	return s, nil
}

// hosted makes the client of a profile's service; base nil is the network.
func (o *Opener) hosted(
	p profile.Profile, token, id, clientSecret secret.Secret, base http.RoundTripper,
) (*hosted.Client, error) {
	wire, err := o.transport(p, base)
	if err != nil {
		return nil, err
	}
	o.Redactor.Add(token)
	o.Redactor.Add(clientSecret)
	reveal := ""
	if p.Name == SandboxName {
		reveal = "patchbay token --reveal --sandbox"
	}
	return hosted.New(hosted.Config{Reveal: reveal,
		Profile: p.Name, BaseURL: p.BaseURL, Token: token, ClientID: id, ClientSecret: clientSecret,
		TokenPath: p.TokenPath, OrganizationID: p.OrganizationID, Names: p.Names,
		ReadOnly: p.ReadOnly || o.ReadOnly, Catalog: o.Kinds(), Transport: wire,
	}), nil
}

// transport is the way to the wire; base nil is the network.
func (o *Opener) transport(p profile.Profile, base http.RoundTripper) (*transport.Client, error) {
	if base == nil {
		base = transport.NewBase()
	}
	base, err := o.Watch(base)
	if err != nil {
		return nil, err
	}
	most := int64(0)
	if text := o.Env["PATCHBAY_MAX_ANSWER"]; text != "" {
		if most, err = quantity.ParseSize(text); err != nil {
			return nil, client.Misconfigured("PATCHBAY_MAX_ANSWER: %v", err)
		}
	}
	return transport.New(transport.Options{Base: base, Now: o.Now, Version: o.Version, Redactor: o.Redactor,
		MaxBody: most, Insecure: p.Insecure || o.Insecure, Trace: o.Trace}), nil
}

// Sources resolves references to secrets. PATCHBAY_NO_KEYRING leaves the keyring out.
func (o *Opener) Sources() secret.Sources {
	s := secret.Sources{Env: o.Env, File: &secret.File{Path: o.Folders.Secrets()}}
	if o.Env["PATCHBAY_NO_KEYRING"] == "" {
		s.Keyring = secret.Keyring{}
	}
	return s
}

// store is where secrets are kept: the OS keyring, else a file that only its
// owner reads.
func (o *Opener) store() secret.Store {
	s := o.Sources()
	if s.Keyring == nil {
		return s.File
	}
	return secret.Fallback{s.Keyring, s.File}
}

// Examination finds out what does not work, from the files to the connectors.
type Examination struct {
	*Opener
	// Problems are what is wrong in the person's own catalog files.
	Problems strictyaml.Problems
	// Workspace is the one to look into, Connector a name or id; all when empty.
	Workspace, Connector string
	// Emit takes the findings as they are made.
	Emit func(doctor.Finding)
}

// Run examines everything. Its error says why it could not, not what it found.
func (e *Examination) Run(ctx context.Context) error {
	e.files()
	in := doctor.Input{SettingsPath: e.Folders.Settings(), Workspace: e.Workspace, Connector: e.Connector, Now: e.Now}
	in.Import, _ = profile.FindImport(e.Env["HOME"]) // what cannot be read is nothing to begin with
	s, err := e.open(ctx, &in)
	if err != nil && in.ProfileErr == nil {
		return err
	}
	if s != nil {
		if e.locals(ctx, s) {
			return nil
		}
		in.Client, in.Catalog, in.Reads = s.Hosted, s.Catalog, s
		if in.Connector != "" && in.Workspace == "" && s.Hosted != nil {
			in.Workspace = e.home(ctx, s)
		}
	}
	doctor.Run(ctx, in, e.Emit)
	return nil
}

// open opens the session to examine; nil when its profile or its credentials
// cannot be read.
func (e *Examination) open(ctx context.Context, in *doctor.Input) (*Session, error) {
	p, ok, err := e.Chosen()
	in.ProfileErr = err
	switch {
	case ok:
		in.Profile, in.Network = &p, &doctor.Network{}
		// A variable may send calls through a proxy.
		scheme, _, _ := strings.Cut(p.BaseURL, ":")
		in.Network.Proxy = cmp.Or(e.Env[strings.ToUpper(scheme)+"_PROXY"], e.Env[scheme+"_proxy"])
		if in.Found, in.FoundErr = profile.Resolve(ctx, p, e.Sources()); in.FoundErr != nil {
			return nil, nil
		}
		return e.Opener.open(ctx, p)
	case e.sandbox():
		s, err := e.Service(ctx)
		if err == nil {
			in.Profile = &s.Profile
		}
		return s, err
	}
	return e.LocalOnly()
}

// home finds the workspace of the connector that is asked for; empty when there
// is none, which the examination then tells.
func (e *Examination) home(ctx context.Context, s *Session) string {
	list, err := s.AllConnectors(ctx)
	if err != nil {
		return ""
	}
	for _, c := range list {
		if !c.Local && (strings.EqualFold(c.Name, e.Connector) || c.ID == e.Connector) {
			return c.Workspace
		}
	}
	return s.Profile.Workspace
}

// locals looks at what is called directly. It reports whether that is all that
// was asked for.
func (e *Examination) locals(ctx context.Context, s *Session) (all bool) {
	asked := false
	for _, t := range s.localTargets() {
		name := cmp.Or(t.Name, t.Kind)
		if e.Connector != "" && !strings.EqualFold(name, e.Connector) {
			continue
		}
		asked = asked || e.Connector != ""
		e.local(ctx, s, t, name)
	}
	return asked && s.Hosted == nil
}

// local looks at one local connector: are its credentials there, and do they work.
func (e *Examination) local(ctx context.Context, s *Session, t client.Target, name string) {
	found, err := s.Local.Credentials(t)
	for _, field := range slices.Sorted(maps.Keys(found)) {
		e.Emit(doctor.Finding{Step: "credentials", Subject: name + " " + field, Status: doctor.OK,
			Detail: found[field]})
	}
	if err != nil {
		e.Emit(doctor.Failed("connector", "local "+name, err))
		return
	}
	of := s.local(client.Connector{Name: "local " + name, Type: t.Kind, Kind: t.Kind, Local: true})
	of.Target = t
	doctor.Connector(ctx, of, e.Emit)
}

// Examine finds out what does not work in a session: everywhere, or at one connector.
func (s *Session) Examine(ctx context.Context, c *client.Connector, emit func(doctor.Finding)) {
	if c != nil {
		of, err := s.Subject(ctx, *c)
		if err != nil {
			emit(doctor.Failed("connector", c.Name, err))
			return
		}
		doctor.Connector(ctx, of, emit)
		s.compare(ctx, of.Connector, emit)
		return
	}
	in := doctor.Input{Profile: &s.Profile, Client: s.Hosted, Catalog: s.Catalog, Reads: s, Now: s.opener.Now}
	if s.opener.FoldersErr == nil {
		in.SettingsPath = s.opener.Folders.Settings()
	}
	if s.Sandbox == nil {
		in.Network = &doctor.Network{}
		in.Found, in.FoundErr = profile.Resolve(ctx, s.Profile, s.opener.Sources())
	}
	doctor.Run(ctx, in, emit)
}

// Subject is a connector as a check takes it. It asks for the type where only the id
// is known.
func (s *Session) Subject(ctx context.Context, c client.Connector) (doctor.Subject, error) {
	if c.Local {
		return s.local(c), nil
	}
	if c.Type == "" && c.Kind == "" {
		d, err := s.Describe(ctx, c.ID)
		if err != nil {
			return doctor.Subject{}, err
		}
		c.Type, c.Kind, c.Name = d.Type, d.Kind, cmp.Or(c.Name, d.Name, c.ID)
	}
	return doctor.OfService(s.Hosted, s, s.kind(c.Kind), c), nil
}

// local is a connector that is called directly as a check takes it.
func (s *Session) local(c client.Connector) doctor.Subject {
	return doctor.Subject{Connector: c, Target: c.Target(s.Name), Kind: s.kind(c.Kind), Reads: s, Now: s.opener.Now,
		Filled: s.Filled(c.Target(s.Name))}
}

// kind is one of the catalog by its name; nil where it knows none.
func (s *Session) kind(name string) *catalog.Kind {
	k, err := s.Catalog.Kind(name)
	if name == "" || err != nil {
		return nil
	}
	return k
}
