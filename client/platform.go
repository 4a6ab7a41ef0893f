package client

import (
	"encoding/json"
	"strings"
	"time"
)

// Organization groups workspaces.
type Organization struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Workspace is a named container of connectors.
type Workspace struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	OrganizationID string `json:"organization_id,omitempty"`
	Status         string `json:"status,omitempty"`
}

// Connector is one configured link to a third-party system.
type Connector struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Type is the connector type as the service tells it ("stripe"); Kind the
	// catalog's name for it, empty when the catalog does not know the type.
	Type      string    `json:"connector_type,omitempty"`
	Kind      string    `json:"kind,omitempty"`
	Workspace string    `json:"workspace,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	// Local is set for connectors that patchbay calls directly.
	Local bool `json:"local,omitempty"`
	// Known is set for connectors kept in the profile because the server does not list them.
	Known bool `json:"known,omitempty"`
	// Raw is the service's own record of the connector; nil for local ones.
	Raw json.RawMessage `json:"-"`
}

// Target returns the target of operations on the connector.
func (c Connector) Target(profile string) Target {
	return Target{Profile: profile, Kind: c.Kind, Workspace: c.Workspace, ConnectorID: c.ID, Name: c.Name,
		Local: c.Local}
}

// NewConnector is what a connector is created from.
type NewConnector struct {
	Workspace     string
	ConnectorType string
	Name          string
	// Credentials and ReplicationConfig are JSON objects; Credentials is secret.
	Credentials       json.RawMessage
	ReplicationConfig json.RawMessage
	// Unchecked sends it although its names are not those that the catalog knows.
	Unchecked bool
}

// Verdict says how a connector, or an entity of it, does in a check.
type Verdict string

// The verdicts of a check.
const (
	VerdictOK          Verdict = "ok"           // what was read is allowed
	VerdictPartly      Verdict = "partly"       // of a connector: some entities are refused
	VerdictRefused     Verdict = "refused"      // known, but not allowed: a scope is missing
	VerdictCredentials Verdict = "credentials"  // the credentials are expired or wrong
	VerdictRateLimited Verdict = "rate_limited" // too many requests
	VerdictFailing     Verdict = "failing"      // it is allowed, and fails
	VerdictUnreachable Verdict = "unreachable"  // there is no connection
	VerdictNotTried    Verdict = "not_tried"    // nothing could be read
	VerdictCanceled    Verdict = "canceled"     // stopped by the person
)

// Check is the result of testing a connector.
type Check struct {
	// Status is what the service calls it: succeeded, failed, pending, running,
	// inconclusive, skipped or cancelled.
	Status string `json:"status"`
	// Verdict is empty where only the service was asked, which does not tell it.
	Verdict Verdict `json:"verdict,omitempty"`
	Message string  `json:"message,omitempty"`
	Next    string  `json:"next,omitempty"`
	// Class is that of the worst failure; empty when nothing failed.
	Class Class `json:"class,omitempty"`
	// HTTPStatus is the one that the failure came with; 0 for none.
	HTTPStatus int `json:"status_code,omitempty"`
	// Entities are the results per entity.
	Entities []EntityCheck `json:"entities"`
}

// EntityCheck is the result for one entity.
type EntityCheck struct {
	Entity  string  `json:"entity"`
	Status  string  `json:"status"`
	Verdict Verdict `json:"verdict,omitempty"`
	// Action is the one that was tried; empty where none was.
	Action     string `json:"action,omitempty"`
	HTTPStatus int    `json:"status_code,omitempty"`
	Class      Class  `json:"class,omitempty"`
	Message    string `json:"message,omitempty"`
	Next       string `json:"next,omitempty"`
	// Place is that of the entity in its kind, Took how long the answer took.
	Place int           `json:"-"`
	Took  time.Duration `json:"-"`
}

// EnvName is the environment variable that holds a field of a kind or of one
// connector that is called directly: PATCHBAY_PAYMENTS_API_KEY.
func EnvName(owner, field string) string { return "PATCHBAY_" + EnvWord(owner) + "_" + EnvWord(field) }

// EnvWord makes a part of an environment variable's name from any text:
// capital letters and digits, everything else as "_".
func EnvWord(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, text)
}
