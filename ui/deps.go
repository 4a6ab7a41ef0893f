package ui

import (
	"context"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/payload"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/ui/result"
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
	// Platform is what the service offers beside calls; nil takes Service for it where it can.
	Platform Platform
	// Examine finds out what does not work; nil when that is not offered.
	Examine Examine
	// CheckLocal tries the credentials of a connector that is called directly; it may be nil.
	CheckLocal func(ctx context.Context, t client.Target) (client.Check, error)
	// NoHistory keeps no run of this session.
	NoHistory bool
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
	// Clipboard writes to a clipboard beside the terminal's; nil when there is
	// none. ClipboardName says which in words.
	Clipboard     func(string) error
	ClipboardName string
	// Notification is what makes the terminal show a text on the desktop; nil
	// where it cannot.
	Notification func(text string) string
	Now          func() time.Time
	// Settings are what is kept between starts.
	Settings profile.State
	// SaveSettings stores the settings; it may be nil.
	SaveSettings func(profile.State) error
	// ThemeDir holds the user's own themes; may be empty.
	ThemeDir string
	// Keys maps action ids to keys that replace the built-in ones.
	Keys map[string][]string
	// ASCII, NoColor and Still change how the screen is drawn.
	ASCII, Still, NoColor bool
	// Version is shown in the help.
	Version string
	// Editor runs the person's editor on a file; empty when there is none.
	Editor []string
	// Listen makes the built-in sandbox reachable on a loopback address and
	// returns its base URL; it starts the listener when first called.
	Listen func() (string, error)
	// Notices are shown at the start: problems of settings, of the user's catalog files.
	Notices []string
	// Document is explored instead of a service; nil without one.
	Document *result.Document
	// Fresh is set when nothing is configured yet: the sandbox shows something at once.
	Fresh bool
	// History keeps runs; nil keeps none.
	History History
	// Saved are the calls kept as files.
	Saved SavedCalls
	// Accounts changes profiles.
	Accounts Accounts
	// Redactor knows the secrets that must not be written out; nil knows none.
	Redactor *secret.Redactor
}
