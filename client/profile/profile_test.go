package profile

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"patchbay/client"
	"patchbay/client/secret"
)

const example = `# mine
default: prod # the usual one
profiles:
  # careful
  prod:
    base_url: https://svc.example/base
    organization_id: o-1
    names: wire
    read_only: true
    history: false
    credentials:
      client_id: {env: MY_ID}
      client_secret: {keyring: prod.client_secret} # kept by login
    connectors:
      - {id: c-1, name: Shop, type: stripe, workspace: w}
    local:
      - name: direct
        kind: payments
        config: {region: eu, shard: 2}
        credentials: {api_key: {command: pass show key}}
  other:
    base_url: http://127.0.0.1:1
`

func TestSettingsAreRead(t *testing.T) {
	s, err := Parse("f.yaml", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	p, ok := s.Profile("prod")
	if !ok || p.BaseURL != "https://svc.example/base" || p.Names != client.Wire || !p.ReadOnly || p.KeepsHistory() ||
		p.Credentials.ClientSecret.Keyring != "prod.client_secret" || p.Local[0].Config["shard"] != "2" || p.Local[0].Credentials["api_key"].Command != "pass show key" {
		t.Errorf("%+v", p)
	}
	if known := p.Known(func(string) string { return "payments" }); len(known) != 1 || !known[0].Known || known[0].Kind != "payments" {
		t.Errorf("%+v", known)
	}
	if other, _ := s.Profile("other"); !other.KeepsHistory() || strings.Join(s.Names(), " ") != "prod other" {
		t.Errorf("%+v", other)
	}
}

func TestWrongSettingsAreToldWithTheirLine(t *testing.T) {
	tests := []struct{ yaml, want string }{
		{"defalt: x", `f.yaml:1: the settings has no key "defalt"`},
		{"default: x", `f.yaml:1: default names the profile "x"`},
		{"profiles:\n  a:\n    names: both", "f.yaml:3: names is"},
		{"profiles:\n  a:\n    read_only: maybe", "f.yaml:3: read_only must be true or false"},
		{"profiles:\n  a:\n    base_url: nowhere", "f.yaml:3: base_url must be"},
		{"profiles:\n  a:\n    credentials:\n      token: hush-hush", "f.yaml:4: token must name a place"},
		{"profiles:\n  a:\n    credentials:\n      token: {env: A, file: b}", "f.yaml:4: token must name exactly one place"},
		{"profiles:\n  a:\n    connectors: [{name: x}]", "f.yaml:3: a connector needs an id"},
		{"profiles:\n  a:\n    local: [{name: x}]", "f.yaml:3: a local connector needs"},
		{"profiles:\n  a: 1\n  a: 2", "f.yaml"},
		{"profiles:\n  env: {}", `cannot be called "env"`},
		{"profiles: [", "not valid YAML"},
		{"- a", "must hold keys"},
	}
	for _, tt := range tests {
		_, err := Parse("f.yaml", []byte(tt.yaml))
		e := client.AsError(err)
		if err == nil || e.Class != client.ClassConfig || !strings.Contains(e.Error(), tt.want) || strings.Contains(e.Error(), "hush") {
			t.Errorf("%q: %v", tt.yaml, err)
		}
	}
}

func TestSavingKeepsComments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "settings.yaml")
	if s, err := Load(path); err != nil || len(s.Names()) != 0 {
		t.Fatal(err)
	}
	s, err := Parse(path, []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	p, _ := s.Profile("prod")
	p.Workspace, p.ReadOnly = "w2", false
	s.Put(p)
	s.Put(Profile{Name: "third", BaseURL: "http://x", Credentials: Credentials{Token: secret.Ref{Env: "T"}}})
	if !s.Remove("other") || s.Remove("other") {
		t.Error("remove")
	}
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	for _, want := range []string{"# mine", "# the usual one", "# careful", "# kept by login", "workspace: w2", "third:"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%q is gone:\n%s", want, data)
		}
	}
	if strings.Contains(string(data), "read_only") || strings.Contains(string(data), "other") {
		t.Errorf("what was removed is still there:\n%s", data)
	}
	again, err := Load(path)
	if q, _ := again.Profile("prod"); err != nil || q.Workspace != "w2" || q.Local[0].Kind != "payments" || again.Default != "prod" {
		t.Errorf("%+v %v", q, err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v", info.Mode())
	}
	left, _ := os.ReadDir(filepath.Dir(path))
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNewSettings(t *testing.T) {
	s := &Settings{Path: "x", Default: "a"}
	s.Put(Profile{Name: "a", BaseURL: "http://x", Names: client.Neutral})
	data, err := s.Encode()
	if err != nil || !strings.HasPrefix(string(data), "# Settings") {
		t.Fatalf("%s %v", data, err)
	}
	if again, err := Parse("x", data); err != nil || again.Default != "a" {
		t.Errorf("%+v %v", again, err)
	}
}

func TestSchemaAndReaderAgree(t *testing.T) {
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(Schema)))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("settings.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("settings.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		example, "profiles: {a: {token_path: /t}}", "unknown: 1", "profiles: {a: {names: both}}", "profiles: {env: {}}",
		"profiles: {a: {credentials: {token: x}}}", "profiles: {a: {credentials: {token: {env: A, file: B}}}}", "profiles: {a: {local: [{name: x}]}}", "profiles: {a: {base_url: nowhere}}",
	} {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		plain, _ := json.Marshal(v)
		v, _ = jsonschema.UnmarshalJSON(strings.NewReader(string(plain)))
		_, read := Parse("f", []byte(text))
		if valid := schema.Validate(v); (valid == nil) != (read == nil) {
			t.Errorf("%s: schema says %v, reader says %v", text, valid, read)
		}
	}
}

func TestEnvironmentWins(t *testing.T) {
	s, _ := Parse("f", []byte(example))
	env := map[string]string{"PLATFORM_BASE_URL": "https://api.airbyte.ai/", "PLATFORM_TOKEN": "hush-hush", "PLATFORM_ORGANIZATION_ID": "o"}
	p, ok, err := Choose(s, env, "")
	if err != nil || !ok || p.Name != EnvName || p.Names != client.Wire || p.Credentials.Token.Env != "PLATFORM_TOKEN" || p.OrganizationID != "o" {
		t.Errorf("%+v %v", p, err)
	}
	found, err := Resolve(context.Background(), p, secret.Sources{Env: env})
	if err != nil || found.Token.Value.Reveal() != "hush-hush" || found.Token.Place != "environment variable PLATFORM_TOKEN" {
		t.Errorf("%+v %v", found, err)
	}
	if p, ok, err = Choose(s, env, "prod"); err != nil || !ok || p.Name != "prod" {
		t.Errorf("asked for by name: %+v %v", p, err)
	}
	if p, ok, err = Choose(s, nil, ""); err != nil || !ok || p.Name != "prod" {
		t.Errorf("default: %+v %v", p, err)
	}
	if _, ok, err = Choose(&Settings{}, nil, ""); ok || err != nil {
		t.Errorf("nothing configured: %v %v", ok, err)
	}
	for _, want := range []string{"none", EnvName} {
		if _, ok, err = Choose(s, nil, want); ok || client.AsError(err).Class != client.ClassConfig {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, env := range []map[string]string{{"PLATFORM_TOKEN": "x"}, {"PLATFORM_BASE_URL": "http://x"}, {"PLATFORM_BASE_URL": "http://x", "PLATFORM_CLIENT_ID": "a"}} {
		if _, _, err := Choose(s, env, ""); client.AsError(err) == nil || client.AsError(err).Next == "" {
			t.Errorf("%v: %v", env, err)
		}
	}
	if _, err := Resolve(context.Background(), Profile{Name: "p", Credentials: Credentials{Token: secret.Ref{Env: "T"}}}, secret.Sources{}); client.AsError(err).Class != client.ClassConfig {
		t.Error(err)
	}
}

func TestFolders(t *testing.T) {
	f, err := FoldersFrom(map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "relative"}, "linux")
	if err != nil || f.Settings() != filepath.FromSlash("/h/.config/patchbay/settings.yaml") || f.UIState() != filepath.FromSlash("/s/patchbay/ui.json") || f.Cache != filepath.FromSlash("/h/.cache/patchbay") {
		t.Errorf("%+v %v", f, err)
	}
	if _, err := FoldersFrom(nil, "linux"); err == nil {
		t.Error("no home is an error")
	}
}

func TestImport(t *testing.T) {
	home := t.TempDir()
	if found, err := FindImport(home); found != nil || err != nil {
		t.Errorf("%v %v", found, err)
	}
	dir := filepath.Join(home, ".airbyte-agent")
	_ = os.Mkdir(dir, 0o700)
	file := filepath.Join(dir, "settings.json")
	_ = os.WriteFile(file, []byte(`{"settings":{"credentials":{"client_id":"i","client_secret":"hush"},"organization_id":"o","workspace":"w"}}`), 0o600)
	found, err := FindImport(home)
	if err != nil || found.ClientID != "i" || found.ClientSecret.Reveal() != "hush" || found.OrganizationID != "o" || found.Workspace != "w" {
		t.Errorf("%+v %v", found, err)
	}
	_ = os.WriteFile(file, []byte(`{"settings":{"credentials":"hush`), 0o600)
	if _, err := FindImport(home); err == nil || strings.Contains(err.Error(), "hush") {
		t.Error(err)
	}
}

func TestState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s", "ui.json")
	if _, err := LoadState(path); err != nil {
		t.Error(err)
	}
	want := State{Theme: "dark", TreeWidth: 30, Columns: map[string][]string{"payments/customers": {"id"}}}
	if err := SaveState(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := LoadState(path)
	if err != nil || got.Theme != "dark" || got.TreeWidth != 30 || got.Columns["payments/customers"][0] != "id" {
		t.Errorf("%+v %v", got, err)
	}
	_ = os.WriteFile(path, []byte("{"), 0o600)
	if s, err := LoadState(path); err == nil || s.Theme != "" {
		t.Error("a damaged file is told and ignored")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("profiles: #0\n  {}\n"))
	f.Add([]byte("profiles: {a: &x {local: [{name: n, kind: k, config: {a: *x}}]}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f", data)
		if err != nil {
			return
		}
		out, err := s.Encode()
		if err != nil {
			t.Skip()
		}
		if _, err := Parse("f", out); err != nil {
			t.Fatalf("%s\nbecame\n%s\n%v", data, out, err)
		}
	})
}
