// Package profile keeps the settings: services and organizations side by side,
// where their credentials are found (never the credentials themselves), known
// and local connectors; and, apart from them, what the screen remembers.
package profile

import (
	"fmt"
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
	// History is nil or true when runs are kept, false when not.
	History *bool `yaml:"history,omitempty"`
	// Credentials tells where the token, or client id and secret, are found.
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

// Empty tells whether no place is named.
func (c Credentials) Empty() bool { return c == Credentials{} }

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

// KeepsHistory tells whether runs are kept.
func (p Profile) KeepsHistory() bool { return p.History == nil || *p.History }

// Known lists the profile's connectors as the client speaks of them. kindOf
// finds the catalog kind of a type; nil leaves kinds empty.
func (p Profile) Known(kindOf func(connectorType string) string) []client.Connector {
	var out []client.Connector
	for _, c := range p.Connectors {
		one := client.Connector{ID: c.ID, Name: c.Name, Type: c.Type, Workspace: c.Workspace, Known: true}
		if one.Name == "" {
			one.Name = c.ID
		}
		if kindOf != nil {
			one.Kind = kindOf(c.Type)
		}
		out = append(out, one)
	}
	return out
}

// Preset is a service that patchbay knows by itself.
type Preset struct {
	Name, Title, BaseURL string
	Names                client.Names
	TokenPath            string
}

// Presets lists the known services: the public one, whose host the reference
// tables give (hosted_api.json, observed.host).
func Presets() []Preset {
	return []Preset{{
		Name: "public", Title: "Public service", BaseURL: "https://api.airbyte.ai",
		Names: client.Wire, TokenPath: "/api/v1/account/applications/token",
	}}
}

// Profile makes a profile of a preset; its credentials are not known yet.
func (p Preset) Profile() Profile {
	return Profile{Name: p.Name, BaseURL: p.BaseURL, Names: p.Names}
}

// FromEnv forms the profile of the environment from PLATFORM_* variables. found
// is false where none is set. The error names the variable that is missing.
func FromEnv(env map[string]string) (p Profile, found bool, err error) {
	names := []string{"PLATFORM_BASE_URL", "PLATFORM_TOKEN", "PLATFORM_CLIENT_ID", "PLATFORM_CLIENT_SECRET", "PLATFORM_ORGANIZATION_ID"}
	for _, name := range names {
		found = found || env[name] != ""
	}
	if !found {
		return Profile{}, false, nil
	}
	p = Profile{
		Name: EnvName, BaseURL: env["PLATFORM_BASE_URL"], OrganizationID: env["PLATFORM_ORGANIZATION_ID"],
		Workspace: env["PLATFORM_WORKSPACE"], TokenPath: env["PLATFORM_TOKEN_PATH"], Names: client.Names(env["PLATFORM_NAMES"]),
	}
	if env["PLATFORM_TOKEN"] != "" {
		p.Credentials.Token = secret.Ref{Env: "PLATFORM_TOKEN"}
	}
	if env["PLATFORM_CLIENT_ID"] != "" {
		p.Credentials.ClientID = secret.Ref{Env: "PLATFORM_CLIENT_ID"}
	}
	if env["PLATFORM_CLIENT_SECRET"] != "" {
		p.Credentials.ClientSecret = secret.Ref{Env: "PLATFORM_CLIENT_SECRET"}
	}
	if p.Names == "" {
		p.Names = namesOf(p.BaseURL)
	}
	return p, true, checkEnv(p)
}

// namesOf knows what the known services speak.
func namesOf(baseURL string) client.Names {
	for _, preset := range Presets() {
		if strings.TrimRight(baseURL, "/") == preset.BaseURL {
			return preset.Names
		}
	}
	return client.Neutral
}

func checkEnv(p Profile) error {
	c := p.Credentials
	message, next := "", ""
	switch {
	case p.BaseURL == "":
		message, next = "PLATFORM_BASE_URL is not set, but other PLATFORM_ variables are", "Set PLATFORM_BASE_URL to the address of the service, or unset the others."
	case c.ClientID.Empty() != c.ClientSecret.Empty():
		message, next = "only one of PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET is set", "Set both, or PLATFORM_TOKEN alone."
	case c.Empty():
		message, next = "PLATFORM_BASE_URL is set, but no credentials are", "Set PLATFORM_TOKEN, or PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET."
	case p.Names != client.Neutral && p.Names != client.Wire:
		message, next = "PLATFORM_NAMES is neither neutral nor wire", "Correct or unset it."
	default:
		return nil
	}
	return &client.Error{Class: client.ClassConfig, Layer: client.LayerProgram, Message: message, Next: next}
}

// Choose picks the profile to work with: the wanted one, else that of the
// environment, else the settings' default. ok is false when there is none.
func Choose(s *Settings, env map[string]string, want string) (p Profile, ok bool, err error) {
	fromEnv, found, err := FromEnv(env)
	if want == "" && found || want == EnvName {
		if !found {
			err = missing(fmt.Sprintf("no profile %s: no PLATFORM_ variable is set", EnvName), "Set PLATFORM_BASE_URL and credentials.")
		}
		return fromEnv, err == nil, err
	}
	if want == "" {
		want = s.Default
	}
	if want == "" {
		return Profile{}, false, nil
	}
	p, ok = s.Profile(want)
	if !ok {
		return p, false, missing(fmt.Sprintf("no profile is called %q", want), "There are: "+orNone(s.Names())+". patchbay login makes one.")
	}
	return p, true, nil
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func missing(message, next string) error {
	return &client.Error{Class: client.ClassConfig, Layer: client.LayerProgram, Message: message, Next: next}
}
