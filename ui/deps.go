package ui

import (
	"context"
	"time"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/ui/dialog"
	"patchbay/ui/dialog/history"
	"patchbay/ui/dialog/saved"
)

// Service, Session, Platform and Examine are what the explorer is given of a service,
// Accounts what it is given to change the profiles.
type (
	Service    = dialog.Service
	Session    = dialog.Session
	Platform   = dialog.Platform
	Examine    = dialog.Examine
	Accounts   = dialog.Accounts
	SavedCalls = saved.Store
)

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
	// Views names the views of answers, the table among them; none names all. Who keeps
	// screens names them, so that a further view changes none.
	Views []string
	// Settings are what is kept between starts.
	Settings profile.State
	// Theme is drawn with in place of that of the settings, this time only; empty for none.
	Theme string
	// SaveSettings stores the settings; it may be nil.
	SaveSettings func(profile.State) error
	// SaveReport keeps the report of a defect and returns the path of its file; nil where
	// there is no place for it.
	SaveReport func(report string) (path string, err error)
	// NoSuspend says why the program cannot be suspended now; nil and empty where it can.
	NoSuspend func() string
	// ThemeDir holds the user's own themes; may be empty.
	ThemeDir string
	// Keys maps action ids to keys that replace the built-in ones.
	Keys map[string][]string
	// ASCII, NoColor and Still change how the screen is drawn.
	ASCII, Still, NoColor bool
	// Images is set in terminals that draw images by themselves at placeholders.
	Images bool
	// Version is shown in the help.
	Version string
	// Editor runs the person's editor on a file; empty when there is none.
	Editor []string
	// Pager runs the person's pager on its standard input; empty when there is none.
	Pager []string
	// Listen makes the built-in sandbox reachable on a loopback address and
	// returns its base URL; it starts the listener when first called.
	Listen func() (string, error)
	// Notices are shown at the start: problems of settings, of the user's catalog files.
	Notices []string
	// OpenFile opens a file with the program that the system has for it; nil where there
	// is none.
	OpenFile func(path string) error
	// Document is explored instead of a service; nil without one.
	Document *answer.Document
	// Fresh is set when the explorer starts on the sandbox, which shows something at once.
	Fresh bool
	// History keeps runs; nil keeps none.
	History history.Store
	// Saved are the calls kept as files.
	Saved SavedCalls
	// Accounts changes profiles.
	Accounts Accounts
	// Redactor knows the secrets that must not be written out; nil knows none.
	Redactor *secret.Redactor
}
