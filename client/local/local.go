package local

import (
	"strings"
	"sync"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// CredentialSource finds a credential field of a connector. from tells for
// people where it was found ("environment variable PATCHBAY_PAYMENTS_API_KEY").
// ok is false when there is none; err means that a place could not be read.
// Where tokens are renewed it is asked for access_token, too: one that is at hand
// is used until it is refused.
type CredentialSource func(kind, connector, field string) (value secret.Secret, from string, ok bool, err error)

// ConfigSource finds a configuration value of a connector, such as a subdomain.
// An array is told as JSON or as texts joined by commas. Beside the catalog's
// own names it is asked for base_url and token_url, which replace the
// addresses of the API and of its token endpoint.
type ConfigSource func(kind, connector, name string) (value string, ok bool)

// Config says what a Client works with.
type Config struct {
	// Catalog holds the bindings; required.
	Catalog *catalog.Catalog
	// Transport makes the calls; nil for one with default options.
	Transport *transport.Client
	// Credentials and Values may be nil: nothing is configured then.
	Credentials CredentialSource
	Values      ConfigSource
	// Keep shares what token endpoints gave in place of a refresh token that can be used
	// once only; nil keeps it for the life of the Client only.
	Keep Keeper
	// ReadOnly refuses writes before anything is sent.
	ReadOnly bool
}

// Client runs operations of local targets. It implements client.Executor and is
// safe for concurrent use.
type Client struct {
	cfg Config
	t   *transport.Client

	mu       sync.Mutex
	sessions map[string]*session
}

var _ client.Executor = (*Client)(nil)

// New returns a Client.
func New(cfg Config) *Client {
	if cfg.Credentials == nil {
		cfg.Credentials = func(string, string, string) (secret.Secret, string, bool, error) {
			return secret.Secret{}, "", false, nil
		}
	}
	if cfg.Values == nil {
		cfg.Values = func(string, string, string) (string, bool) { return "", false }
	}
	if cfg.Transport == nil {
		cfg.Transport = transport.New(transport.Options{})
	}
	return &Client{cfg: cfg, sessions: map[string]*session{}, t: cfg.Transport}
}

// FromEnv reads credentials and configuration from an environment: the variable
// of the named connector first, then the one of its kind.
func FromEnv(env map[string]string) (CredentialSource, ConfigSource) {
	find := func(kind, connector, field string) (value, name string) {
		for _, owner := range [...]string{connector, kind} {
			name := client.EnvName(owner, field)
			if value := strings.TrimSpace(env[name]); owner != "" && value != "" {
				return value, name
			}
		}
		return "", ""
	}
	credentials := func(kind, connector, field string) (secret.Secret, string, bool, error) {
		value, name := find(kind, connector, field)
		if name == "" {
			return secret.Secret{}, "", false, nil
		}
		return secret.New(value), "environment variable " + name, true, nil
	}
	values := func(kind, connector, name string) (string, bool) {
		value, found := find(kind, connector, name)
		return value, found != ""
	}
	return credentials, values
}
