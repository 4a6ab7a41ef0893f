package payload

import (
	"slices"
	"strings"

	"patchbay/client"
)

// Preset are the names that a service gives its own tools.
type Preset struct {
	// Program is the service's CLI, Module the Python module of its SDK.
	Program, Module string
	// AuthConfig is the class of the SDK's explicit auth config; its fields for client id
	// and secret start with FieldPrefix ("platform_"). Without one the SDK's factory
	// takes what would stand in it.
	AuthConfig, FieldPrefix string
	// ClientID, ClientSecret and Organization are the environment variables that its tools read.
	ClientID, ClientSecret, Organization string
	// ProgramHost and SDKHost are the variables with the address of another service.
	ProgramHost, SDKHost string
	// Wire is set where its tools speak the names of the connector definitions.
	Wire bool
}

// Neutral returns the names that the product specification uses.
func Neutral() Preset {
	return Preset{Program: "platform-agent", Module: "platform_agent_sdk", AuthConfig: "PlatformAuthConfig",
		FieldPrefix: "platform_", ClientID: "PLATFORM_CLIENT_ID", ClientSecret: "PLATFORM_CLIENT_SECRET",
		Organization: "PLATFORM_ORGANIZATION_ID", ProgramHost: "PLATFORM_BASE_URL", SDKHost: "PLATFORM_BASE_URL"}
}

// Public returns the names of the public service (source: its SDK and CLI
// documentation).
func Public() Preset {
	return Preset{Program: "airbyte-agent", Module: "airbyte_agent_sdk", ClientID: "AIRBYTE_CLIENT_ID",
		ClientSecret: "AIRBYTE_CLIENT_SECRET", Organization: "AIRBYTE_ORGANIZATION_ID",
		ProgramHost: "AIRBYTE_API_HOST", SDKHost: "SDK_DEV_ADP_API_HOST", Wire: true}
}

// PresetFor returns the names of a service by those of its definitions: only the public
// one speaks wire names, at whatever address it is reached.
func PresetFor(names client.Names) Preset {
	if names == client.Wire {
		return Public()
	}
	return Neutral()
}

// constant is a text of the source code: outside of this package only a constant
// expression becomes one. Whatever was read while the program runs is a string, or a
// secret, and does not fit.
type constant string

// Known are credentials that everybody knows, as those of the sandbox.
type Known struct{ token, clientID, clientSecret, organization constant }

// KnownCredentials are credentials that stand in the source code, and so are no secret.
func KnownCredentials(token, clientID, clientSecret, organizationID constant) *Known {
	return &Known{token, clientID, clientSecret, organizationID}
}

// tokenReference is how a preview names the bearer token of the service.
const tokenReference = "${PLATFORM_TOKEN}"

// sign writes the token into a copy of a request, where it names the variable.
func (k *Known) sign(r *client.Request) *client.Request {
	signed := *r
	signed.Headers = slices.Clone(r.Headers)
	for i, h := range signed.Headers {
		if h.Template {
			signed.Headers[i].Value = strings.ReplaceAll(h.Value, tokenReference, string(k.token))
		}
	}
	signed.Env = slices.DeleteFunc(slices.Clone(r.Env), func(e client.EnvVar) bool {
		return "${"+e.Name+"}" == tokenReference
	})
	return &signed
}

// environment are the variables with which the service's tools reach it: its address in
// that of the name host, and known credentials.
func (in Input) environment(host string, credentials bool) [][2]string {
	var out [][2]string
	if in.BaseURL != "" && (in.Preset.Wire || in.Known != nil) {
		out = append(out, [2]string{host, in.BaseURL})
	}
	if in.Known != nil && credentials {
		out = append(out, [2]string{in.Preset.ClientID, string(in.Known.clientID)},
			[2]string{in.Preset.ClientSecret, string(in.Known.clientSecret)},
			[2]string{in.Preset.Organization, in.organization()})
	}
	return out
}

// organization is the one that is chosen, or that known credentials reach.
func (in Input) organization() string {
	if in.OrganizationID == "" && in.Known != nil {
		return string(in.Known.organization)
	}
	return in.OrganizationID
}
