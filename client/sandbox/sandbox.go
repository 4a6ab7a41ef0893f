// Package sandbox is the documented connector service over generated data: an
// http.Handler that a client cannot tell from the real one. Everything it
// serves follows from the catalog and a seed; writes stick while it runs.
//
// It speaks the specification's own (neutral) names. A few behaviours leave the
// documented schema on purpose, see drifts.
package sandbox

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"patchbay/catalog"
)

// What the service answers to, fixed so that a copied call runs again.
const (
	// BaseURL is where the service is reached when it listens on its usual port.
	BaseURL = "http://127.0.0.1:8642"
	// ClientID and ClientSecret fetch tokens that reach both organizations.
	ClientID     = "5a3c1f0e-7d42-4b8e-9c61-2f0b8d5e4a17"
	ClientSecret = "sandbox-client-secret-7f2d91"
	// Token is a bearer token that never ends and belongs to the first
	// organization, so that nothing has to be chosen.
	Token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJwYXRjaGJheS1zYW5kYm94Iiwic3ViIjoic2FuZGJveCJ9.c2FuZGJveC1maXhlZC10b2tlbg"
	// OrganizationID is the first organization; its workspaces are demo, staging and faults.
	OrganizationID = "3f6d2c58-90ab-4c1d-8e2f-6b7a5c4d3e21"
	// SecondOrganizationID is another organization that the client reaches.
	SecondOrganizationID = "b1e0a7d4-52c3-4f69-a8b7-1d2e3f405162"
)

// Shapes of the answer to context_store_search.
const (
	// ShapeDocumented answers the documented bare {data, meta}.
	ShapeDocumented = "documented"
	// ShapeAPI nests it under result, as the public API definition does.
	ShapeAPI = "api"
)

// Options say what the service serves. The zero value of each has a default.
type Options struct {
	// Catalog gives the kinds; without one the service has no connectors.
	Catalog *catalog.Catalog
	// Seed of the generated data. The same seed gives the same data on the same day.
	Seed int64
	// Records per ordinary entity (250 when 0); crowded entities have eight times as many.
	Records int
	// Shape of search answers: ShapeDocumented or ShapeAPI.
	Shape string
	// Faults that every execute call shows.
	Faults []Fault
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log receives one line per request; nil for none.
	Log func(line string)
}

// Service is the sandbox. Its methods are safe for several goroutines.
type Service struct {
	opts  Options
	start func() *account

	mu sync.Mutex
	// serial counts what the service gave names to.
	serial int
}

// New returns a service. Nothing is generated until it is asked for.
func New(opts Options) *Service {
	if opts.Records <= 0 {
		opts.Records = 250
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Shape == "" {
		opts.Shape = ShapeDocumented
	}
	s := &Service{opts: opts}
	s.start = sync.OnceValue(func() *account { return newAccount(s) })
	return s
}

// Env lists the environment variables with which a client reaches the service.
// PLATFORM_TOKEN wins over the client id and secret and needs no organization.
func (s *Service) Env() [][2]string { return EnvAt(BaseURL) }

// EnvAt is Env for a service that listens at another address.
func EnvAt(baseURL string) [][2]string {
	return [][2]string{
		{"PLATFORM_BASE_URL", baseURL},
		{"PLATFORM_TOKEN", Token},
		{"PLATFORM_CLIENT_ID", ClientID},
		{"PLATFORM_CLIENT_SECRET", ClientSecret},
		{"PLATFORM_ORGANIZATION_ID", OrganizationID},
	}
}

// next is a number that the service has not given to anything yet.
func (s *Service) next() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	return strconv.Itoa(s.serial)
}

// RoundTripper serves requests in memory, without sockets.
func (s *Service) RoundTripper() http.RoundTripper { return roundTripper{s} }
