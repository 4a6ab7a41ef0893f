package ui

import (
	"context"
	"encoding/json"

	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/history"
	"patchbay/client/profile"
	"patchbay/client/saved"
	"patchbay/client/secret"
)

// Platform is what a hosted service offers beside executing operations.
type Platform interface {
	CreateConnector(ctx context.Context, n client.NewConnector) (client.Connector, error)
	PreviewCreate(n client.NewConnector) (*client.Request, error)
	DeleteConnector(ctx context.Context, id string) (job string, err error)
	CheckConnector(ctx context.Context, id string) (client.Check, error)
	Organizations(ctx context.Context) ([]client.Organization, error)
	SetOrganization(id string)
}

// Examine looks for what does not work: at everything when connector is nil,
// else at that one. It tells each finding as it comes.
type Examine func(ctx context.Context, connector *client.Connector, emit func(doctor.Finding)) doctor.Status

// History keeps runs; *history.Store is one.
type History interface {
	Add(ctx context.Context, r history.Run) (int64, error)
	Find(ctx context.Context, q history.Query) ([]history.Entry, error)
	Get(ctx context.Context, id int64) (*history.Entry, *client.Envelope, error)
	Delete(ctx context.Context, ids ...int64) (int, error)
	Prune(ctx context.Context, b history.Bounds) (int, error)
}

// SavedCalls are the calls kept as files.
type SavedCalls struct {
	// Load reads them all; the error tells files that are wrong.
	Load func() ([]saved.Call, error)
	// Save keeps a call: in the working folder for the team, else in the user's own.
	Save func(c *saved.Call, team bool) (path string, err error)
}

// LocalSetup is a connector to add that is called without the service.
type LocalSetup struct {
	Name, Kind, Method string
	// BaseURL is where calls go in place of the catalog's address; may be empty.
	BaseURL string
	// Config and Credentials are by field name.
	Config      map[string]string
	Credentials map[string]secret.Secret
}

// Login is what signing in to a service takes.
type Login struct {
	Profile, BaseURL       string
	ClientID, ClientSecret secret.Secret
	// Organization and Workspace are set once they are chosen.
	Organization, Workspace string
}

// Accounts changes the profiles. Functions that are nil are not offered.
type Accounts struct {
	// Try asks the service for a token and lists the organizations it reaches.
	Try func(ctx context.Context, l Login) ([]client.Organization, error)
	// Keep stores profile and credentials, and says where.
	Keep func(ctx context.Context, l Login) (where string, err error)
	// FindImport finds the settings of the service's own program; nil when there are none.
	FindImport func() (*profile.Import, error)
	// Presets are the services that are known by themselves.
	Presets []profile.Preset
	// KeepOrganization remembers the organization of a profile.
	KeepOrganization func(profile, id string) error
	// KeepConnector remembers a connector that the service does not list.
	KeepConnector func(profile string, c client.Connector) error
	// KeepLocal stores a connector that is called directly and its credentials.
	KeepLocal func(ctx context.Context, profile string, l LocalSetup) (client.Connector, error)
}

// platform is what the present service offers; nil when it offers nothing but calls.
func (m *Model) platform() Platform {
	if m.deps.Session.Platform != nil {
		return m.deps.Session.Platform
	}
	p, _ := m.deps.Session.Service.(Platform)
	return p
}

func values(raw json.RawMessage) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	_ = json.Unmarshal(raw, &out) // a form's value is an object or nothing
	return out
}

// str is a text value of a form; "" when it is absent.
func str(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) != nil {
		return string(v)
	}
	return s
}

// troubled is what an error says, and what to do about it.
func troubled(err error) string {
	e := client.AsError(err)
	if e.Next == "" {
		return e.Error()
	}
	return e.Error() + ". " + e.Next
}
