// Package profile keeps the settings: services and organizations side by side,
// where their credentials are found (never the credentials themselves), known
// and local connectors; and, apart from them, what the screen remembers.
//
// It may import client, ownfile, records, secret, strictyaml and wholefile; it opens no connection.
package profile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"patchbay/client"
	"patchbay/client/secret"
)

// EnvName is the name of the profile that the environment forms.
const EnvName = "env"

// Profile is one service and organization to work with.
type Profile struct {
	// Name is the profile's key in the settings.
	Name string `yaml:"-"`
	// BaseURL of the service.
	BaseURL string `yaml:"base_url,omitempty"`
	// OrganizationID goes into X-Organization-Id; empty until one is chosen.
	OrganizationID string `yaml:"organization_id,omitempty"`
	// Workspace is used where a call names none.
	Workspace string `yaml:"workspace,omitempty"`
	// Names that the service speaks: neutral or wire.
	Names client.Names `yaml:"names,omitempty"`
	// TokenPath of the token endpoint, below the base URL.
	TokenPath string `yaml:"token_path,omitempty"`
	// ReadOnly refuses everything that changes data.
	ReadOnly bool `yaml:"read_only,omitempty"`
	// Insecure lets credentials go to other machines over plain http.
	Insecure bool `yaml:"insecure,omitempty"`
	// History is nil or true when runs are kept, false when not.
	History *bool `yaml:"history,omitempty"`
	// Credentials says where the token, or client id and secret, are found.
	Credentials Credentials `yaml:"credentials,omitempty"`
	// Connectors are kept here for services that do not list them.
	Connectors []Connector `yaml:"connectors,omitempty"`
	// Local connectors call third parties directly.
	Local []LocalConnector `yaml:"local,omitempty"`
}

// Credentials are the places of a profile's credentials.
type Credentials struct {
	Token        secret.Ref `yaml:"token,omitempty"`
	ClientID     secret.Ref `yaml:"client_id,omitempty"`
	ClientSecret secret.Ref `yaml:"client_secret,omitempty"`
}

// Empty reports whether no place is named.
func (c Credentials) Empty() bool { return c == Credentials{} }

// Each are the places by the names that the secrets are stored under.
func (c *Credentials) Each() iter.Seq2[string, *secret.Ref] {
	return func(yield func(string, *secret.Ref) bool) {
		_ = yield("token", &c.Token) && yield("client_id", &c.ClientID) && yield("client_secret", &c.ClientSecret)
	}
}

// Connector is a hosted connector that the profile knows by id.
type Connector struct {
	ID   string `yaml:"id"`
	Name string `yaml:"name,omitempty"`
	// Type is its connector type or catalog kind.
	Type      string `yaml:"type,omitempty"`
	Workspace string `yaml:"workspace,omitempty"`
}

// LocalConnector is a third party that is called without the service.
type LocalConnector struct {
	Name string `yaml:"name"`
	Kind string `yaml:"kind"`
	// BaseURL overrides the catalog's.
	BaseURL string `yaml:"base_url,omitempty"`
	// Method of the credentials, where the kind has several.
	Method string `yaml:"method,omitempty"`
	// Config are configuration values by name.
	Config map[string]string `yaml:"config,omitempty"`
	// Credentials are the places of credential fields by name.
	Credentials map[string]secret.Ref `yaml:"credentials,omitempty"`
}

// KeepsHistory reports whether runs are kept.
func (p Profile) KeepsHistory() bool { return p.History == nil || *p.History }

// Known lists the connectors that the profile keeps for a workspace, all when it is
// empty, as the client speaks of them. kindOf finds the catalog kind of a type.
func (p Profile) Known(workspace string, kindOf func(connectorType string) string) []client.Connector {
	var out []client.Connector
	for _, c := range p.Connectors {
		if workspace == "" || c.Workspace == "" || c.Workspace == workspace {
			out = append(out, client.Connector{ID: c.ID, Name: cmp.Or(c.Name, c.ID), Type: c.Type, Kind: kindOf(c.Type),
				Workspace: c.Workspace, Known: true})
		}
	}
	return out
}

// Preset is a service that patchbay knows by itself.
type Preset struct {
	Name, BaseURL string
	Names         client.Names
	// Realm is where people sign in with a browser, Program what its own program is
	// called there.
	Realm, Program string
}

// Presets lists the known services: the public one, whose host the reference
// tables give (hosted_api.json, observed.host), and whose sign-in its own program does.
func Presets() []Preset {
	return []Preset{{Name: "public", BaseURL: "https://api.airbyte.ai", Names: client.Wire,
		Realm: "https://cloud.airbyte.com/auth/realms/_airbyte-cloud-users", Program: "sonar-webapp"}}
}

// PresetOf knows a service by its address; nil when it does not.
func PresetOf(baseURL string) *Preset {
	for _, p := range Presets() {
		if strings.TrimRight(baseURL, "/") == p.BaseURL {
			return &p
		}
	}
	return nil
}

// FromEnv forms the profile of the environment from PLATFORM_* variables. found
// is false where none is set. The error names the variable that is missing.
func FromEnv(env map[string]string) (p Profile, found bool, err error) {
	p = Profile{
		Name: EnvName, BaseURL: env["PLATFORM_BASE_URL"], OrganizationID: env["PLATFORM_ORGANIZATION_ID"],
		Workspace: env["PLATFORM_WORKSPACE"], TokenPath: env["PLATFORM_TOKEN_PATH"],
		Names: client.Names(env["PLATFORM_NAMES"]),
	}
	c := &p.Credentials
	for name, ref := range c.Each() {
		if name = "PLATFORM_" + strings.ToUpper(name); env[name] != "" {
			ref.Env = name
		}
	}
	if p.BaseURL == "" && p.OrganizationID == "" && c.Empty() {
		return Profile{}, false, nil
	}
	if preset := PresetOf(p.BaseURL); preset != nil {
		p.Names = cmp.Or(p.Names, preset.Names)
	}
	p.Names = cmp.Or(p.Names, client.Neutral)
	switch {
	case p.BaseURL == "":
		err = client.Misconfigured("PLATFORM_BASE_URL is not set, but other PLATFORM_ variables are").
			Advise("Set PLATFORM_BASE_URL to the address of the service, or unset the others.")
	case c.ClientID.Empty() != c.ClientSecret.Empty():
		err = client.Misconfigured("only one of PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET is set").
			Advise("Set both, or PLATFORM_TOKEN alone.")
	case c.Empty():
		err = client.Misconfigured("PLATFORM_BASE_URL is set, but no credentials are").
			Advise("Set PLATFORM_TOKEN, or PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET.")
	case p.Names != client.Neutral && p.Names != client.Wire:
		err = client.Misconfigured("PLATFORM_NAMES is neither neutral nor wire").Advise("Correct or unset it.")
	}
	return p, true, err
}

// Choose picks the profile to work with: the wanted one, else that of the
// environment, else the settings' default. ok is false when there is none.
func Choose(s *Settings, env map[string]string, want string) (p Profile, ok bool, err error) {
	fromEnv, found, err := FromEnv(env)
	if want == "" && found || want == EnvName {
		if !found {
			err = client.Misconfigured("no profile %s: no PLATFORM_ variable is set", EnvName).
				Advise("Set PLATFORM_BASE_URL and credentials.")
		}
		return fromEnv, err == nil, err
	}
	if want = cmp.Or(want, s.Default); want == "" {
		return Profile{}, false, nil
	}
	if p, ok = s.Profile(want); !ok {
		return p, false, client.Misconfigured("no profile is called %q", want).
			Advise("There are: %s. patchbay login makes one.", OrNone(s.Names()))
	}
	return p, true, nil
}

// OrNone joins words for a sentence: "none" when there are none.
func OrNone(words []string) string { return cmp.Or(strings.Join(words, ", "), "none") }

// Resolved are a profile's credentials, and where each came from, by the names of
// Credentials.Each.
type Resolved map[string]secret.Found

// Resolve reads the credentials that the profile names. It continues after a
// place that cannot be read; the error then names all of them.
func Resolve(ctx context.Context, p Profile, from secret.Sources) (Resolved, error) {
	r := Resolved{}
	var problems []error
	for name, ref := range p.Credentials.Each() {
		if ref.Empty() {
			continue
		}
		var err error
		if r[name], err = from.Resolve(ctx, *ref); err != nil {
			name = strings.ReplaceAll(name, "_", " ")
			problems = append(problems, fmt.Errorf("the %s of profile %s: %w", name, p.Name, err))
		}
	}
	if err := errors.Join(problems...); err != nil {
		e := client.Misconfigured("%s", err).
			Advise("Sign in again with patchbay login, or correct the place in the settings.")
		e.Err = err
		return r, e
	}
	return r, nil
}

// SecretKey is the key under which a profile's credential is stored.
func SecretKey(profile, name string) string { return profile + "." + name }
