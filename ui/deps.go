package ui

import (
	"context"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/payload"
)

// Service is the hosted service as the explorer uses it.
type Service interface {
	client.Executor
	// Workspaces lists all workspaces.
	Workspaces(ctx context.Context) ([]client.Workspace, error)
	// Connectors lists the connectors of a workspace, those known only from the profile included.
	Connectors(ctx context.Context, workspace string) ([]client.Connector, error)
}

// Session is one service with one set of credentials.
type Session struct {
	// Name of the profile; "sandbox" for the built-in one.
	Name string
	// BaseURL and Organization are shown in the header.
	BaseURL, Organization string
	// Sandbox is set when nothing leaves the machine.
	Sandbox bool
	// ReadOnly refuses writes.
	ReadOnly bool
	Service  Service
	// Preset are the names that the service gives its own tools.
	Preset payload.Preset
	// Local are connectors that are called directly, shown beside the workspaces.
	Local []client.Connector
}

// Place is where the explorer was: what a later start reopens.
type Place struct {
	Connector client.Connector `yaml:"connector" json:"connector"`
	Entity    string           `yaml:"entity" json:"entity"`
	Action    string           `yaml:"action" json:"action"`
}

func (p Place) same(o Place) bool {
	return p.Entity == o.Entity && p.Action == o.Action && p.Connector.ID == o.Connector.ID && p.Connector.Name == o.Connector.Name
}

// Settings are what is kept between starts.
type Settings struct {
	Theme         string `json:"theme,omitempty" yaml:"theme,omitempty"`
	TreeWidth     int    `json:"tree_width,omitempty" yaml:"tree_width,omitempty"`
	RequestHeight int    `json:"request_height,omitempty" yaml:"request_height,omitempty"`
	// CardDone is set once the first-run card was dismissed.
	CardDone bool `json:"card_done,omitempty" yaml:"card_done,omitempty"`
	// Places holds the last place per profile.
	Places map[string]Place `json:"places,omitempty" yaml:"places,omitempty"`
	// Columns holds the chosen columns per "kind.entity".
	Columns map[string][]string `json:"columns,omitempty" yaml:"columns,omitempty"`
}

// Deps is everything the explorer gets from outside. Functions that do I/O are
// called from commands only, never from Update.
type Deps struct {
	Catalog *catalog.Catalog
	Session Session
	// Profiles lists the names that Open takes.
	Profiles func() []string
	// Open makes the session of a profile.
	Open func(ctx context.Context, profile string) (Session, error)
	// Clipboard writes to the native clipboard; nil when there is none.
	Clipboard func(string) error
	Now       func() time.Time
	Settings  Settings
	// SaveSettings stores the settings; it may be nil.
	SaveSettings func(Settings) error
	// ThemeDir holds the user's own themes; may be empty.
	ThemeDir string
	// Keys maps action ids to keys that replace the built-in ones.
	Keys map[string][]string
	// ASCII, NoColor and Still change how the screen is drawn.
	ASCII, Still bool
	// Version is shown in the help.
	Version string
	// Editor runs the person's editor on a file; empty when there is none.
	Editor []string
	// Listen makes the built-in sandbox reachable on a loopback address and
	// returns its base URL; it starts the listener when first called.
	Listen func() (string, error)
	// Notices are shown at the start: problems of settings, of the user's catalog files.
	Notices []string
	// Fresh is set when nothing is configured yet: the sandbox shows something at once.
	Fresh bool
}
