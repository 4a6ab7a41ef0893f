// Package local calls third-party APIs directly. One engine reads the
// catalog's bindings: how a request is built, how it is signed, where records,
// paging and errors stand in the answer. It knows no single connector.
// Credentials go to the third party's own servers and nowhere else.
package local

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// Kinds is where catalog kinds come from; *catalog.Catalog is one.
type Kinds interface {
	Kind(name string) (*catalog.Kind, error)
}

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
	Catalog Kinds
	// Transport makes the exchanges; nil for a pooled one. It must not follow
	// redirects by itself.
	Transport http.RoundTripper
	// Now, Random (in [0,1)) and Sleep stand for clock, chance and waiting; nil for the real ones.
	Now    func() time.Time
	Random func() float64
	Sleep  func(ctx context.Context, d time.Duration) error
	// Version goes into the User-Agent.
	Version string
	// Credentials and Values may be nil: nothing is configured then.
	Credentials CredentialSource
	Values      ConfigSource
	// SaveToken keeps a credential field that the third party replaced (a refresh
	// token that rotates); nil keeps it for the life of the Client only.
	SaveToken func(kind, connector, field string, value secret.Secret) error
	// ReadOnly refuses writes before anything is sent.
	ReadOnly bool
	// Redactor learns the credentials; nil for one of its own.
	Redactor *secret.Redactor
	// MaxAttempts bounds how often a read is sent; 0 for the transport's default.
	MaxAttempts int
	// FirstByte and Idle bound the waits for an answer; 0 for the transport's defaults.
	FirstByte, Idle time.Duration
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
	return &Client{cfg: cfg, sessions: map[string]*session{}, t: transport.New(transport.Options{
		Base: cfg.Transport, Now: cfg.Now, Random: cfg.Random, Sleep: cfg.Sleep, Version: cfg.Version,
		Redactor: cfg.Redactor, MaxAttempts: cfg.MaxAttempts, FirstByte: cfg.FirstByte, Idle: cfg.Idle,
	})}
}

// ReadOnly tells whether writes are refused.
func (c *Client) ReadOnly() bool { return c.cfg.ReadOnly }

// EnvName is the environment variable that holds a field of a kind or of one
// named connector: PATCHBAY_PAYMENTS_API_KEY.
func EnvName(owner, field string) string {
	return "PATCHBAY_" + client.EnvWord(owner) + "_" + client.EnvWord(field)
}

// FromEnv reads credentials and configuration from an environment: the variable
// of the named connector first, then the one of its kind.
func FromEnv(env map[string]string) (CredentialSource, ConfigSource) {
	find := func(kind, connector, field string) (value, name string) {
		for _, owner := range [...]string{connector, kind} {
			name := EnvName(owner, field)
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
