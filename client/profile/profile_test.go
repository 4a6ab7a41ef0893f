package profile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
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
	if known := p.Known("", func(string) string { return "payments" }); len(known) != 1 || !known[0].Known || known[0].Kind != "payments" {
		t.Errorf("%+v", known)
	}
	if other, _ := s.Profile("other"); !other.KeepsHistory() || strings.Join(s.Names(), " ") != "prod other" {
		t.Errorf("%+v", other)
	}
}

func TestWrongSettingsAreToldWithTheirLine(t *testing.T) {
	tests := []struct{ yaml, want string }{
		{"defalt: x", `f.yaml:1: unknown key "defalt"; did you mean "default"?`},
		{"default: x", `f.yaml:1: default: names the profile "x"`},
		{"profiles:\n  a:\n    names: both", `f.yaml:3: profiles.a.names: "both" is neither`},
		{"profiles:\n  a:\n    read_only: maybe", "f.yaml:3: profiles.a.read_only: expected true or false"},
		{"profiles:\n  a:\n    base_url: nowhere", "f.yaml:3: profiles.a.base_url: base_url must be"},
		{"profiles:\n  a:\n    credentials:\n      token: hush-hush", "f.yaml:4: profiles.a.credentials.token: name a place"},
		{"profiles:\n  a:\n    credentials:\n      token: {env: A, file: b}", "f.yaml:4: profiles.a.credentials.token: name exactly one place"},
		{"profiles:\n  a:\n    connectors: [{name: x}]", "f.yaml:3: profiles.a.connectors[0]: a connector needs an id"},
		{"profiles:\n  a:\n    local: [{name: x}]", "f.yaml:3: profiles.a.local[0]: a local connector needs"},
		{"profiles:\n  a: 1\n  a: 2", "f.yaml:3: profiles.a: the key stands twice, first in line 2"},
		{"profiles:\n  env: {}", `cannot be called "env"`},
		{"profiles: [", "not valid YAML"},
		{"profiles:\n  a:\n    credentials: hush-hush", "f.yaml:3: profiles.a.credentials: expected keys and values"},
		{"- a", "expected keys and values"},
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
	s.Remove("other")
	if _, there := s.Profile("other"); there {
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
	schema, err := c.Compile("schema.json")
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
	if err != nil || found["token"].Value.Reveal() != "hush-hush" || found["token"].Place != "environment variable PLATFORM_TOKEN" {
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
	f, _, err := OpenState(path)
	if err != nil {
		t.Error(err)
	}
	want := State{Theme: "dark", TreeWidth: 30, Columns: map[string][]string{"payments/customers": {"id"}}}
	if err := f.Save(want); err != nil {
		t.Fatal(err)
	}
	_, got, err := OpenState(path)
	if err != nil || got.Theme != "dark" || got.TreeWidth != 30 || got.Columns["payments/customers"][0] != "id" {
		t.Errorf("%+v %v", got, err)
	}
	_ = os.WriteFile(path, []byte("{"), 0o600)
	f, s, err := OpenState(path)
	if err == nil || s.Theme != "" {
		t.Error("a damaged file is told and ignored")
	}
	if kept, _ := os.ReadFile(path + ".unreadable-1"); string(kept) != "{" || f.Save(want) != nil {
		t.Errorf("the damaged file is kept as %q", kept)
	}
}

// Two programs, one of them newer, keep what they remember in one file: neither
// takes away what only the other one changed or knows.
func TestStatesOfTwoProgramsMeet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ui.json")
	begun := `{"theme":"nord","hologram":{"depth":3},"request_height":{"share":0.5},"commands":[{"line":":q"}],"places":{"a":{"entity":"x"}},"queries":["."]}`
	if err := os.WriteFile(path, []byte(begun), 0o644); err != nil {
		t.Fatal(err)
	}
	one, first, err := OpenState(path)
	two, second, unread := OpenState(path)
	if err != nil || unread != nil {
		t.Fatal(err, unread)
	}
	first.Theme, first.Places = "", map[string]Place{"a": {Entity: "x"}, "b": {Entity: "y"}}
	second.TreeWidth, second.Places = 30, map[string]Place{"a": {Entity: "z"}}
	if err := errors.Join(one.Save(first), two.Save(second), one.Save(first)); err != nil {
		t.Fatal(err)
	}
	_, got, err := OpenState(path)
	if err != nil || got.Theme != "" || got.TreeWidth != 30 || got.Places["a"].Entity != "z" ||
		got.Places["b"].Entity != "y" || len(got.Queries) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	data, _ := os.ReadFile(path)
	info, err := os.Stat(path)
	if !strings.Contains(string(data), `"depth": 3`) || !strings.Contains(string(data), `"share": 0.5`) ||
		!strings.Contains(string(data), `"line": ":q"`) || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s\n%v %v", data, info.Mode(), err)
	}
}

// A settings file is changed as it is now, and one that is not understood stays.
func TestSettingsOfTwoProgramsMeet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.yaml")
	one, two := &Settings{Path: path}, &Settings{Path: path}
	put := func(name string) func(*Settings) error {
		return func(s *Settings) error { s.Put(Profile{Name: name, BaseURL: "https://x.example"}); return nil }
	}
	if err := errors.Join(one.Change(put("a")), two.Change(put("b")), one.Change(put("c"))); err != nil {
		t.Fatal(err)
	}
	if got := one.Names(); len(got) != 3 {
		t.Errorf("there are %v", got)
	}
	newer := "profiles:\n  a: {base_url: https://x.example, hologram: 3}\n"
	if err := os.WriteFile(path, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := one.Change(put("d")); err == nil {
		t.Error("a file that is not understood is changed")
	}
	if data, _ := os.ReadFile(path); string(data) != newer {
		t.Errorf("it became %s", data)
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
		again, err := Parse("f", out)
		if err != nil {
			t.Fatalf("%s\nbecame\n%s\n%v", data, out, err)
		}
		if twice, err := again.Encode(); err != nil || !bytes.Equal(out, twice) || again.Default != s.Default ||
			!slices.Equal(s.Names(), again.Names()) {
			t.Fatalf("%s\nbecame\n%s\nand then\n%s\n%v", data, out, twice, err)
		}
	})
}
