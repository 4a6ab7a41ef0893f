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
	return Target{Profile: profile, Kind: c.Kind, Workspace: c.Workspace, ConnectorID: c.ID, Name: c.Name, Local: c.Local}
}

// NewConnector is what a connector is created from.
type NewConnector struct {
	Workspace     string
	ConnectorType string
	Name          string
	// Credentials and ReplicationConfig are JSON objects; Credentials is secret.
	Credentials       json.RawMessage
	ReplicationConfig json.RawMessage
}

// Check is the result of testing a connector's credentials.
type Check struct {
	// Status is succeeded, failed, pending, running, inconclusive, skipped or cancelled.
	Status  string
	Message string
	// Entities are results per entity, when the service tells them.
	Entities []EntityCheck
}

// EntityCheck is the result for one entity.
type EntityCheck struct {
	Entity     string
	Status     string
	HTTPStatus int
	Message    string
	Next       string
}

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
