// Package doctor finds out why things do not work: it walks from the settings
// over the network to each entity of a connector and tells what it finds, step
// by step, for the command line and the screen alike.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/secret"
)

// Status of a finding.
type Status string

// The statuses, from good to bad.
const (
	OK   Status = "ok"
	Info Status = "info"
	Skip Status = "skipped"
	Warn Status = "warning"
	Fail Status = "failed"
)

// Finding is the result of one step.
type Finding struct {
	// Step is what was looked at: settings, credentials, network, token,
	// organization, workspaces, connector, entity.
	Step string `json:"step"`
	// Subject is the thing within the step: a host, a connector, an entity.
	Subject string `json:"subject,omitempty"`
	Status  Status `json:"status"`
	// Detail says what was found, Next what to do about it.
	Detail string `json:"detail"`
	Next   string `json:"next,omitempty"`
	// HTTPStatus that an answer had; 0 when none came.
	HTTPStatus int           `json:"http_status,omitempty"`
	Took       time.Duration `json:"took,omitempty"`
}

// Input is what there is to examine. Only what is set is looked at.
type Input struct {
	// Profile in use; nil when none is configured.
	Profile *profile.Profile
	// ProfileErr is what was wrong with settings or environment.
	ProfileErr error
	// Import is what the service's own program has; nil when it has nothing.
	Import *profile.Import
	// SettingsPath is where settings are read from.
	SettingsPath string
	// Found are the credentials; FoundErr is what kept some from being read.
	Found    profile.Resolved
	FoundErr error
	// Client of the service; nil when none can be made.
	Client *hosted.Client
	// Catalog tells which entities can be probed; nil probes none.
	Catalog hosted.Kinds
	// Network examines the way to the server; nil skips it (the embedded sandbox).
	Network *Network
	// Workspace to examine; all when empty. Connector is a name or id; all when empty.
	Workspace, Connector string
	// Now is the clock.
	Now func() time.Time
}

type run struct {
	in    Input
	emit  func(Finding)
	worst Status
}

var badness = map[Status]int{OK: 0, Info: 0, Skip: 0, Warn: 1, Fail: 2}

func (r *run) tell(f Finding) {
	if badness[f.Status] > badness[r.worst] {
		r.worst = f.Status
	}
	r.emit(f)
}

// Run examines everything and emits findings as they come. It returns the
// worst status: OK, Warn or Fail. It ends early when ctx does.
func Run(ctx context.Context, in Input, emit func(Finding)) Status {
	if in.Now == nil {
		in.Now = time.Now
	}
	r := &run{in: in, emit: emit, worst: OK}
	if !r.settings() {
		return r.worst
	}
	r.credentials()
	if in.Network != nil && !r.network(ctx) {
		return r.worst
	}
	if r.token(ctx) && r.organization(ctx) && ctx.Err() == nil {
		r.workspaces(ctx)
	}
	return r.worst
}

// settings tells what is configured, and whether it makes sense to go on.
func (r *run) settings() bool {
	if r.in.ProfileErr != nil {
		r.fail("settings", r.in.SettingsPath, r.in.ProfileErr)
		return false
	}
	if r.in.Profile == nil {
		r.tell(Finding{
			Step: "settings", Subject: r.in.SettingsPath, Status: Warn, Detail: "no profile is configured",
			Next: "Sign in with patchbay login, or set PLATFORM_BASE_URL and PLATFORM_TOKEN; without either patchbay opens the built-in sandbox.",
		})
		r.offers()
		return r.in.Client != nil
	}
	p := r.in.Profile
	from := r.in.SettingsPath
	switch {
	case p.Name == profile.EnvName:
		from = "environment variables PLATFORM_*"
	case r.in.Network == nil:
		from = "this program, which holds the service itself"
	}
	r.tell(Finding{Step: "settings", Subject: p.Name, Status: OK, Detail: fmt.Sprintf("profile %s from %s: %s, names %s%s", p.Name, from, or(p.BaseURL, "no base URL"), or(string(p.Names), "neutral"), readOnly(p))})
	if p.OrganizationID != "" {
		r.tell(Finding{Step: "settings", Subject: "organization", Status: Info, Detail: p.OrganizationID})
	}
	return true
}

// offers tells what there is to begin with where nothing is configured.
func (r *run) offers() {
	if i := r.in.Import; i != nil {
		r.tell(Finding{
			Step: "credentials", Subject: "client id", Status: Info, Next: "patchbay login takes them over.",
			Detail: fmt.Sprintf("the service's own program keeps some in %s, hash %s", i.Path, secret.New(i.ClientID).Hash()),
		})
	} else {
		r.tell(Finding{Step: "credentials", Status: Info, Detail: "none in PLATFORM_TOKEN, nor in PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET, nor with the service's own program"})
	}
	for _, p := range profile.Presets() {
		r.tell(Finding{Step: "network", Subject: p.BaseURL, Status: Skip, Detail: "the public service; it is not asked before somebody signs in"})
	}
}

func readOnly(p *profile.Profile) string {
	if p.ReadOnly {
		return ", read-only"
	}
	return ""
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// credentials tells each credential's place and short hash.
func (r *run) credentials() {
	if r.in.FoundErr != nil {
		r.fail("credentials", "", r.in.FoundErr)
	}
	for _, c := range []struct {
		name  string
		found secret.Found
	}{{"token", r.in.Found.Token}, {"client id", r.in.Found.ClientID}, {"client secret", r.in.Found.ClientSecret}} {
		if !c.found.Value.Empty() {
			r.tell(Finding{Step: "credentials", Subject: c.name, Status: OK, Detail: fmt.Sprintf("from %s, hash %s", c.found.Place, c.found.Value.Hash())})
		}
	}
}

func (r *run) fail(step, subject string, err error) {
	e := client.AsError(err)
	f := Finding{Step: step, Subject: subject, Status: Fail, Detail: e.Error(), Next: e.Next, HTTPStatus: e.Status}
	if e.Class == client.ClassCanceled {
		f.Status = Skip
	}
	r.tell(f)
}

// token tells whether there is one, until when.
func (r *run) token(ctx context.Context) bool {
	if r.in.Client == nil {
		r.tell(Finding{Step: "token", Status: Skip, Detail: "there is no service to ask"})
		return false
	}
	info, err := r.in.Client.TokenInfo(ctx)
	if err != nil {
		r.fail("token", "", err)
		return false
	}
	f := Finding{Step: "token", Subject: "hash " + info.Hash, Status: OK, Detail: "handed over as it is"}
	if info.Fetched {
		f.Detail = "fetched with the client id and secret"
	}
	left := info.Ends.Sub(r.in.Now()).Round(time.Second)
	switch {
	case info.Ends.IsZero():
		f.Detail += "; it does not tell when it ends"
	case left <= 0:
		f.Status, f.Detail = Fail, fmt.Sprintf("expired %s ago", -left)
		f.Next = "Set a new token, or use a client id and secret, which renew it."
	default:
		f.Detail += fmt.Sprintf("; valid for %s more", left)
	}
	if f.Status == Fail && info.Renewable {
		f.Status, f.Next = Warn, "It is replaced with the client id and secret at the next call."
	}
	r.tell(f)
	return f.Status != Fail
}

// organization tells which organizations the credentials reach.
func (r *run) organization(ctx context.Context) bool {
	begun := r.in.Now()
	all, err := r.in.Client.Organizations(ctx)
	took := r.in.Now().Sub(begun)
	chosen := r.in.Client.Organization()
	switch {
	case errors.Is(err, hosted.ErrListingUnsupported):
		r.tell(Finding{Step: "organization", Status: Info, Took: took, Detail: "the service does not list organizations; in use: " + or(chosen, "the default one")})
		return true
	case err != nil:
		r.fail("organization", "", err)
		return client.AsError(err).Class != client.ClassAuth
	}
	found := chosen == ""
	for _, o := range all {
		mark := ""
		if o.ID == chosen {
			mark, found = " (in use)", true
		}
		r.tell(Finding{Step: "organization", Subject: o.Name, Status: OK, Took: took, Detail: o.ID + mark})
	}
	if !found {
		r.tell(Finding{Step: "organization", Subject: chosen, Status: Fail, Detail: "the credentials do not reach the chosen organization", Next: "Choose one of those above: patchbay organizations use ID."})
	}
	if chosen == "" && len(all) > 1 {
		r.tell(Finding{Step: "organization", Status: Warn, Detail: fmt.Sprintf("%d organizations are reachable, and none is chosen", len(all)), Next: "patchbay organizations use ID"})
	}
	return true
}
