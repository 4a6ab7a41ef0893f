package session

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
)

// newOpener opens sessions of a person with folders of their own.
func newOpener(t *testing.T, env map[string]string) *Opener {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"HOME": dir, "PATCHBAY_NO_KEYRING": "1"}
	for name, value := range env {
		all[name] = value
	}
	folders := profile.Folders{Config: dir, State: dir, Cache: dir}
	settings, err := profile.Load(folders.Settings())
	if err != nil {
		t.Fatal(err)
	}
	kinds := catalog.New()
	return &Opener{
		Env: all, Folders: folders, Redactor: &secret.Redactor{}, Now: time.Now, Version: "test",
		Settings: func() (*profile.Settings, error) { return settings, nil },
		Kinds:    func() *catalog.Catalog { return kinds },
		Watch:    func(base http.RoundTripper) (http.RoundTripper, error) { return base, nil },
	}
}

// serve is the built-in service behind an address; a bare one lists nothing.
func serve(t *testing.T, bare bool) string {
	t.Helper()
	service := sandbox.New(sandbox.Options{Catalog: catalog.New()})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if bare && r.Method == http.MethodGet {
			http.Error(w, `{"message":"no such path"}`, http.StatusNotFound)
			return
		}
		service.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestTheServiceIsNeverTheSandboxUnasked(t *testing.T) {
	o := newOpener(t, nil)
	if _, err := o.Service(t.Context()); client.ExitCode(err) != 4 || !strings.Contains(err.Error(), "no service") {
		t.Errorf("without settings: %v", err)
	}
	if s, err := o.Start(t.Context()); err != nil || s.Sandbox == nil {
		t.Errorf("the explorer starts with %+v, %v", s, err)
	}
	o.Profile = SandboxName
	if s, err := o.Service(t.Context()); err != nil || s.Sandbox == nil {
		t.Errorf("asked for: %v", err)
	}
	o.Profile, o.Sandbox = "work", true
	if _, err := o.Service(t.Context()); err == nil || !strings.Contains(err.Error(), "exclude each other") {
		t.Errorf("both: %v", err)
	}
}

func TestEnvironmentComesFirst(t *testing.T) {
	o := newOpener(t, map[string]string{"PLATFORM_BASE_URL": serve(t, false), "PLATFORM_TOKEN": sandbox.Token})
	s, err := o.Service(t.Context())
	if err != nil || s.Name != profile.EnvName {
		t.Fatalf("%+v, %v", s, err)
	}
	if got := o.Names(); !slices.Equal(got, []string{profile.EnvName, SandboxName}) {
		t.Errorf("names %q", got)
	}
	if told := o.Redactor.Text("it is " + sandbox.Token); strings.Contains(told, sandbox.Token) {
		t.Errorf("the token is told: %s", told)
	}
	if _, err := s.UseOrganization(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "environment") {
		t.Errorf("use an organization: %v", err)
	}
}

func TestConnectorIsFoundByNameInAnyCase(t *testing.T) {
	o := newOpener(t, nil)
	o.Sandbox = true
	s, err := o.Service(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Profile.Local = []profile.LocalConnector{{Name: "direct", Kind: "payments"}}
	byName, err := s.Connector(t.Context(), Ref{Workspace: "DEMO", Name: "Payments"})
	if err != nil {
		t.Fatal(err)
	}
	if byID, err := s.Connector(t.Context(), Ref{ID: byName.ID}); err != nil || byID.Kind != "payments" {
		t.Errorf("by id: %+v, %v", byID, err)
	}
	if local, err := s.Connector(t.Context(), Ref{Name: "DIRECT"}); err != nil || !local.Local {
		t.Errorf("a local one: %+v, %v", local, err)
	}
	for want, r := range map[string]Ref{
		"both name and id":                         {Name: "a", ID: "b"},
		"names no connector":                       {Workspace: "demo"},
		"names no workspace, and there are":        {Name: "payments"},
		`no workspace "dmo"; did you mean "demo"?`: {Workspace: "dmo", Name: "payments"},
	} {
		if _, err := s.Connector(t.Context(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", r, err, want)
		}
	}
}

func TestOrganizationIsFoundByIDOrName(t *testing.T) {
	list := []client.Organization{{ID: "o1", Name: "Northwind"}, {ID: "o2", Name: "Twin"}, {ID: "o3", Name: "twin"}}
	for wanted, want := range map[string]string{"O1": "o1", "northwind": "o1", "o3": "o3"} {
		if o, err := Organization(list, wanted); err != nil || o.ID != want {
			t.Errorf("%s: %+v, %v", wanted, o, err)
		}
	}
	for wanted, code := range map[string]int{"twin": 4, "nothing": 3} {
		if _, err := Organization(list, wanted); client.ExitCode(err) != code {
			t.Errorf("%s: %v", wanted, err)
		}
	}
}

func TestLoginIsKeptAndForgotten(t *testing.T) {
	o := newOpener(t, nil)
	login := Login{Profile: "work", BaseURL: serve(t, false), ClientID: secret.New(sandbox.ClientID),
		ClientSecret: secret.New(sandbox.ClientSecret)}
	list, err := o.Try(t.Context(), login)
	if err != nil || len(list) == 0 {
		t.Fatalf("%v, %v", list, err)
	}
	login.Organization = list[0].ID
	if where, err := o.KeepLogin(t.Context(), login); err != nil || !strings.Contains(where, o.Folders.Secrets()) {
		t.Fatalf("kept in %q, %v", where, err)
	}
	s, err := o.Open(t.Context(), "work")
	if err != nil {
		t.Fatal(err)
	}
	if spaces, err := s.Workspaces(t.Context()); err != nil || !slices.Contains(WorkspaceNames(spaces), "demo") {
		t.Errorf("workspaces %v, %v", spaces, err)
	}
	if chosen, err := s.UseOrganization(t.Context(), strings.ToUpper(list[0].Name)); err != nil ||
		chosen.ID != list[0].ID {
		t.Errorf("organization %+v, %v", chosen, err)
	}
	if name, err := o.SignOut(t.Context()); name != "work" || err != nil {
		t.Errorf("signed out of %q, %v", name, err)
	}
	if p, _ := must(o.Settings()).Profile("work"); !p.Credentials.Empty() || p.OrganizationID != list[0].ID {
		t.Errorf("left %+v", p)
	}
	for _, name := range []string{profile.EnvName, SandboxName, ""} {
		if _, err := o.Try(t.Context(), Login{Profile: name}); err == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
}

// must is the value of a call that cannot fail here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestNameAndNamesComeFromAKnownService(t *testing.T) {
	known := profile.Presets()[0]
	in := &SignIn{}
	in.At(known.BaseURL + "/")
	if in.Profile.Name != known.Name || in.Profile.Names != known.Names || in.Profile.BaseURL != known.BaseURL {
		t.Errorf("%+v", in.Profile)
	}
	in = &SignIn{}
	if in.At("https://service.example"); in.Profile.Name != "default" || in.Profile.Names != "" {
		t.Errorf("%+v", in.Profile)
	}
}

func TestConnectorsOfAServiceThatListsNothing(t *testing.T) {
	o := newOpener(t, nil)
	in := &SignIn{Profile: profile.Profile{Name: "bare", BaseURL: serve(t, true)}, Token: secret.New(sandbox.Token)}
	if _, err := o.Keep(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	s := must(o.Service(t.Context()))
	if _, err := s.Connectors(t.Context(), ""); err == nil {
		t.Error("nothing is known, and it is listed")
	}
	made := client.Connector{ID: "c1", Name: "mine", Type: "stripe", Workspace: "demo"}
	if kept, err := s.Remember(t.Context(), made); !kept || err != nil {
		t.Fatalf("kept %v, %v", kept, err)
	}
	if err := o.KeepConnector("bare", made); err != nil {
		t.Error(err)
	}
	list, err := s.AllConnectors(t.Context())
	if err != nil || len(list) != 1 || list[0].Kind != "payments" {
		t.Errorf("%+v, %v", list, err)
	}
	if c, err := s.Connector(t.Context(), Ref{ID: "c1"}); err != nil || c.Name != "mine" {
		t.Errorf("%+v, %v", c, err)
	}
	if err := s.Forget("c1"); err != nil || len(s.Profile.Connectors) != 0 {
		t.Errorf("forgotten: %+v, %v", s.Profile.Connectors, err)
	}
}

func TestLocalCredentials(t *testing.T) {
	o := newOpener(t, map[string]string{"PATCHBAY_PAYMENTS_BASE_URL": "http://from.environment"})
	in := &SignIn{Profile: profile.Profile{Name: "work", BaseURL: "http://127.0.0.1:1"},
		Token: secret.New("a-token-of-it")}
	if _, err := o.Keep(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	setup := LocalSetup{Name: "direct", Kind: "payments",
		Credentials: map[string]secret.Secret{"api_key": secret.New("kept-in-a-file")}}
	if _, err := o.KeepLocal(t.Context(), "work", setup); err != nil {
		t.Fatal(err)
	}
	s := must(o.LocalOnly())
	if value, _, ok, err := s.localCredential("payments", "", "api_key"); !ok || err != nil ||
		value.Reveal() != "kept-in-a-file" {
		t.Errorf("the only one of its kind: %v, %v", ok, err)
	}
	if value, ok := s.localValue("payments", "direct", "base_url"); !ok || value != "http://from.environment" {
		t.Errorf("value %q, %v", value, ok)
	}
	o.Env["PATCHBAY_PAYMENTS_API_KEY"] = "from-the-environment"
	if value, _, _, _ := s.localCredential("payments", "direct", "api_key"); value.Reveal() != "from-the-environment" {
		t.Error("the environment does not come first")
	}
	forgetProfile(t, o)
}

// A connector that is called directly needs no profile: it is kept beside them, and there
// with each. What only the environment knows of takes no hosted connector's name.
func TestLocalConnectorsNeedNoProfile(t *testing.T) {
	o := newOpener(t, map[string]string{"PATCHBAY_CRM_ACCESS_TOKEN": "from-the-environment"})
	o.Choice = Choice{Sandbox: true}
	setup := LocalSetup{Name: "direct", Kind: "payments",
		Credentials: map[string]secret.Secret{"api_key": secret.New("kept-in-a-file")}}
	made, err := o.KeepLocal(t.Context(), SandboxName, setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Session{must(o.openSandbox()), must(o.LocalOnly())} {
		if list := s.LocalConnectors(); len(list) != 1 || list[0].ID != made.ID {
			t.Errorf("connectors %v", list)
		}
		if value, _, ok, err := s.localCredential("payments", "direct", "api_key"); !ok || err != nil ||
			value.Reveal() != "kept-in-a-file" {
			t.Errorf("credential: %v, %v", ok, err)
		}
		if list := s.EnvironmentConnectors(); len(list) != 1 || list[0].ID != "local:crm" {
			t.Errorf("of the environment: %v", list)
		}
		if c, err := s.Connector(t.Context(), Ref{ID: "local:crm"}); err != nil || !c.Local || c.Kind != "crm" {
			t.Errorf("by its id: %v, %v", c, err)
		}
	}
	c, err := must(o.openSandbox()).Connector(t.Context(), Ref{Workspace: "demo", Name: "crm"})
	if err != nil || c.Local {
		t.Errorf("by the name of a hosted one: %v, %v", c, err)
	}
	forgetLocal(t, o, profile.EnvName, made, SandboxName)
	err = o.ForgetLocal(t.Context(), SandboxName, client.Connector{Name: "crm", Kind: "crm", Local: true})
	if e := client.AsError(err); err == nil || !strings.Contains(e.Next, "PATCHBAY_CRM_") {
		t.Errorf("one of the environment: %v", err)
	}
}

// forgetLocal forgets a connector that is called directly, in a profile; its credential
// was kept in another.
func forgetLocal(t *testing.T, o *Opener, in string, c client.Connector, kept string) {
	t.Helper()
	if err := o.ForgetLocal(t.Context(), in, c); err != nil {
		t.Fatal(err)
	}
	if _, err := o.store().Get(t.Context(), profile.SecretKey(kept, localSecret(c.Name, "api_key"))); err == nil {
		t.Error("its credential is still kept")
	}
	for _, l := range must(o.LocalOnly()).LocalConnectors() {
		if l.Name == c.Name {
			t.Error("it is still there")
		}
	}
}

// A profile's own connector is forgotten there, and the others of the profile stay.
func TestForgetLocalOfAProfile(t *testing.T) {
	o := newOpener(t, nil)
	settings := must(o.Settings())
	err := settings.Change(func(now *profile.Settings) error {
		now.Put(profile.Profile{Name: "work", BaseURL: "https://service.test", Local: []profile.LocalConnector{
			{Name: "mine", Kind: "crm", Credentials: map[string]secret.Ref{"access_token": {File: "my.own"}}}}})
		now.Default = "work"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.store().Set(t.Context(), "my.own", secret.New("of-mine")); err != nil {
		t.Fatal(err)
	}
	made, err := o.KeepLocal(t.Context(), "work", LocalSetup{Name: "direct", Kind: "payments",
		Credentials: map[string]secret.Secret{"api_key": secret.New("kept-in-a-file")}})
	if err != nil {
		t.Fatal(err)
	}
	forgetLocal(t, o, "work", made, "work")
	if p, _ := must(o.Settings()).Profile("work"); len(p.Local) != 1 || p.Local[0].Name != "mine" {
		t.Errorf("left %+v", p.Local)
	}
	if err := o.ForgetLocal(t.Context(), "work", client.Connector{Name: "mine", Kind: "crm"}); err != nil {
		t.Error(err)
	}
	if _, err := o.store().Get(t.Context(), "my.own"); err != nil {
		t.Errorf("a person's own entry is gone: %v", err)
	}
}

// forgetProfile forgets the profile work with all its credentials.
func forgetProfile(t *testing.T, o *Opener) {
	t.Helper()
	if err := o.ForgetProfile(t.Context(), "work"); err != nil {
		t.Fatal(err)
	}
	if names := must(o.Settings()).Names(); len(names) != 0 {
		t.Errorf("left the profiles %q", names)
	}
	for _, what := range []string{"token", localSecret("direct", "api_key")} {
		if _, err := o.store().Get(t.Context(), profile.SecretKey("work", what)); err == nil {
			t.Errorf("the %s is still kept", what)
		}
	}
	if err := o.ForgetProfile(t.Context(), "work"); err == nil {
		t.Error("forgot a profile that is not there")
	}
}

func TestExamination(t *testing.T) {
	o := newOpener(t, nil)
	for name, c := range map[string]struct {
		sandbox   bool
		connector string
		want      doctor.Status
	}{"nothing configured": {}, "the sandbox": {sandbox: true, want: doctor.OK},
		"no such connector": {sandbox: true, connector: "nothing", want: doctor.Fail}} {
		o.Sandbox = c.sandbox
		var last doctor.Finding
		e := Examination{Opener: o, Workspace: "staging", Connector: c.connector, Emit: func(f doctor.Finding) { last = f }}
		if err := e.Run(t.Context()); err != nil || c.want != "" && last.Status != c.want {
			t.Errorf("%s: %v, last %+v", name, err, last)
		}
	}
}

func TestTheSandboxIsReachedByOtherPrograms(t *testing.T) {
	o := newOpener(t, nil)
	o.Sandbox = true
	s := must(o.Service(t.Context()))
	address := must(s.Listener()())
	resp, err := http.Get(address + "/api/v1/workspaces")
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %+v, %v", resp, err)
	}
	resp.Body.Close()
	if (&Session{}).Listener() != nil {
		t.Error("a service that is not the sandbox is listened for")
	}
}
