// Package dialog is what the features of the explorer share: what a feature is,
// and what it sees of the program around it. Each feature is a package below this
// one. A feature changes nothing outside itself: it returns intents, which the
// root performs. No feature imports another, and none imports the root.
package dialog

import (
	"cmp"
	"context"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/doctor"
	"patchbay/client/payload"
	"patchbay/client/profile"
	"patchbay/client/session"
	"patchbay/ui/action"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/request"
	"patchbay/ui/response"
	"patchbay/ui/tree"
)

// Feature is a part of the explorer with rows of the action table of its own.
type Feature interface{ Actions() []action.Row }

// Host is what a feature sees of the program around it. Features keep it and ask
// it anew each time: what it returns changes with what the person does.
type Host interface {
	// Session is the service in use.
	Session() Session
	Catalog() *catalog.Catalog
	// Document is the file explored instead of a service; nil without one.
	Document() *answer.Document
	// Tree, Request and Response are the panes, Focus the one with the focus.
	Tree() *tree.Pane
	Request() *request.Pane
	Response() *response.Pane
	Focus() intent.Pane
	// Top is the overlay that gets the input; nil without one.
	Top() intent.Overlay
	// Table is the table of all actions, Scopes where keys are looked up in it, the most
	// specific first and any pane last.
	Scopes() []action.Scope
	Table() *action.Table
	// Settings may be changed; intent.SaveSettings then stores them.
	Settings() *profile.State
	// Size is that of the screen in cells.
	Size() (w, h int)
	Now() time.Time
}

// Service is the hosted service as the explorer uses it.
type Service interface {
	client.Executor
	// Workspaces lists all workspaces.
	Workspaces(ctx context.Context) ([]client.Workspace, error)
	// Connectors lists the connectors of a workspace, those known only from the profile included.
	Connectors(ctx context.Context, workspace string) ([]client.Connector, error)
}

// Platform is what a hosted service offers beside executing operations.
type Platform interface {
	CreateConnector(ctx context.Context, n client.NewConnector) (client.Connector, error)
	PreviewCreate(n client.NewConnector) (*client.Request, error)
	DeleteConnector(ctx context.Context, id string) (job string, err error)
	Organizations(ctx context.Context) ([]client.Organization, error)
	SetOrganization(id string)
}

// Examine looks for what does not work: at everything when connector is nil,
// else at that one. It tells each finding as it comes.
type Examine func(ctx context.Context, connector *client.Connector, emit func(doctor.Finding))

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
	// Known are the credentials of a service that everybody knows; nil for any other.
	Known *payload.Known
	// Local are connectors that are called directly, shown beside the workspaces.
	Local []client.Connector
	// Platform is what the service offers beside calls; nil takes Service for it where it can.
	Platform Platform
	// Examine finds out what does not work; nil when that is not offered.
	Examine Examine
	// First is the call to show where no earlier place is kept, of any connector of its
	// kind; it has no action where there is none.
	First profile.Place
	// NoHistory keeps no run of this session.
	NoHistory bool
}

// Offers is what the service offers beside calls; nil when it offers nothing else.
func (s Session) Offers() Platform {
	if s.Platform != nil {
		return s.Platform
	}
	p, _ := s.Service.(Platform)
	return p
}

// Text is what texts of the session's calls have in common.
func (s Session) Text() payload.Input {
	in := payload.Input{OrganizationID: s.Organization, Preset: s.Preset, Known: s.Known}
	if profile.PresetOf(s.BaseURL) == nil {
		in.BaseURL = s.BaseURL
	}
	return in
}

// Filled reports which params the configuration of a connector that is called directly
// is known to give a value; nil where nothing is known of it.
func (s Session) Filled(t client.Target) func(*catalog.Field) bool {
	if configured, ok := s.Service.(interface {
		Filled(t client.Target) func(*catalog.Field) bool
	}); ok {
		return configured.Filled(t)
	}
	return nil
}

// Written is a call as it is seen, with variables for credentials, and as it is copied,
// with those that everybody knows.
func Written(f payload.Format, in payload.Input) (seen, copied string, err error) {
	known := in.Known
	in.Known = nil
	if seen, err = f.Render(in); err != nil || known == nil {
		return seen, seen, err
	}
	in.Known = known
	copied, err = f.Render(in)
	return seen, copied, err
}

// ToConnector shows a connector in the tree and goes there.
func ToConnector(c client.Connector) intent.Intent {
	return intent.All{intent.Focus{Pane: intent.Tree}, intent.Reveal{Connector: c}}
}

// Troubled is what an error says, and what to do about it.
func Troubled(err error) string {
	if next := client.AsError(err).Next; next != "" {
		return err.Error() + ". " + next
	}
	return err.Error()
}

// Ask is a question to the service beside calls.
func Ask(what string, do func(context.Context) (func() intent.Intent, error)) intent.Task {
	return intent.Task{Lane: intent.Asking, What: what, Limit: PlatformTimeout, Do: do}
}

// Quiet is work on this machine that nobody waits for and that cannot be stopped.
func Quiet(do func() (func() intent.Intent, error)) intent.Task {
	return intent.Task{Lane: intent.Quiet, Do: func(context.Context) (func() intent.Intent, error) { return do() }}
}

// PlatformTimeout bounds one request to the service beside calls.
const PlatformTimeout = 60 * time.Second

// Accounts changes the profiles. Functions that are nil are not offered.
type Accounts struct {
	// Try asks the service for a token and lists the organizations it reaches.
	Try func(ctx context.Context, l session.Login) ([]client.Organization, error)
	// Browse lets a person sign in with their browser, and lists the organizations they
	// belong to; show shows them the address of the page.
	Browse func(ctx context.Context, l session.Login, show func(address string)) (
		session.Login, []client.Organization, error)
	// Keep stores profile and credentials, and says where.
	Keep func(ctx context.Context, l session.Login) (where string, err error)
	// Forget removes a profile and its credentials.
	Forget func(ctx context.Context, profile string) error
	// FindImport finds the settings of the service's own program; nil when there are none.
	FindImport func() (*profile.Import, error)
	// Presets are the services that are known by themselves.
	Presets []profile.Preset
	// KeepOrganization remembers the organization of a profile.
	KeepOrganization func(profile, id string) error
	// KeepConnector remembers a connector that the service does not list.
	KeepConnector func(profile string, c client.Connector) error
	// KeepLocal stores a connector that is called directly and its credentials.
	KeepLocal func(ctx context.Context, profile string, l session.LocalSetup) (client.Connector, error)
	// ForgetLocal removes such a connector and its credentials.
	ForgetLocal func(ctx context.Context, profile string, c client.Connector) error
}

// Command is something that is typed behind ":" with what it is about: "theme
// nord". What needs nothing more is an action and typed by its id.
type Command struct {
	// Name is typed first, About names what follows, Help is one sentence.
	Name, About, Help string
	// Complete lists what may follow the name; it may be nil.
	Complete func(arg string) []string
	// Check says why arg cannot be used; "" when it can.
	Check func(arg string) string
	Do    func(arg string) intent.Intent
}

// Commander is a feature with commands of its own.
type Commander interface{ Commands() []Command }

// Like are the names that begin with what was typed, then those that hold it.
func Like(names []string, typed string) []string {
	var begin, hold []string
	typed = strings.ToLower(typed)
	for _, n := range names {
		switch at := strings.Index(strings.ToLower(n), typed); {
		case at == 0:
			begin = append(begin, n)
		case at > 0:
			hold = append(hold, n)
		}
	}
	return append(begin, hold...)
}

// ActionItem is an action as an item of a list; overlay.Chosen runs it.
func ActionItem(h Host, a *action.Row) overlay.Item {
	return overlay.Item{Title: a.Help, Key: strings.Join(h.Table().Keys(a.ID), " "), Also: a.Label + " " + a.ID,
		Disabled: a.Why(), Value: intent.Do{ID: a.ID}}
}

// UsableFirst orders items so that disabled ones come last.
func UsableFirst(a, b overlay.Item) int {
	return cmp.Compare(min(len(a.Disabled), 1), min(len(b.Disabled), 1))
}

// Fields is an empty form of fields, for overlay.Form.
func Fields(h Host, fields []catalog.Field) *request.Pane {
	r := request.New(h.Now)
	r.OpenFields(fields)
	return r
}

// Failed shows in a form why what it asked for failed, and says it; f may be nil.
func Failed(f *overlay.Form, err error) intent.Intent {
	if f != nil {
		f.Fail(Troubled(err))
	}
	return intent.Say{Text: Troubled(err), Bad: true}
}
