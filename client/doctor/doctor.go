// Package doctor finds out why things do not work: it walks from the settings
// over the network to each entity of a connector and says what it finds, step
// by step, for the command line and the screen alike.
//
// Of a connector it gives the one verdict that all use: Subject.Check asks for the
// service's own check and reads a little of each entity. Findings are values, which
// others draw or print; a Report puts those together that say the same.
package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/client/transport"
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
	// Trying tells how far a connector is; what is found in the end takes its place.
	Trying Status = "trying"
)

// Finding is the result of one step.
type Finding struct {
	// Step is what was looked at: settings, credentials, network, token,
	// organization, workspaces, connector, entity.
	Step string `json:"step"`
	// Subject is the thing within the step: a host, a connector, an entity.
	Subject string `json:"subject,omitempty"`
	Status  Status `json:"status"`
	// Verdict is that of a check, where the step is a connector or an entity.
	Verdict client.Verdict `json:"verdict,omitempty"`
	// Detail says what was found, Next what to do about it.
	Detail string `json:"detail"`
	Next   string `json:"next,omitempty"`
	// HTTPStatus that an answer had; 0 when none came.
	HTTPStatus int           `json:"http_status,omitempty"`
	Took       time.Duration `json:"took,omitempty"`
	// Class is that of the error behind a failure; empty where there was none.
	Class client.Class `json:"class,omitempty"`
	// Count is how many things a line of a Report stands for: none for a connector whose
	// entities are below it.
	Count int `json:"-"`

	// entity and place are the entity's name and place in its kind.
	entity string
	place  int
}

// Failed is the finding of an error.
func Failed(step, subject string, err error) Finding {
	e := client.AsError(err)
	f := Finding{Step: step, Subject: subject, Status: Fail, Detail: e.Error(), Next: e.Next, HTTPStatus: e.Status,
		Class: e.Class}
	if e.Class == client.ClassCanceled {
		f.Status = Skip
	}
	return f
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
	// Catalog says which entities can be read; nil reads none. Reads runs the reads,
	// Client where it is nil.
	Catalog hosted.Kinds
	Reads   client.Executor
	// Network examines the way to the server; nil skips it (the embedded sandbox).
	Network *Network
	// Workspace to examine; all when empty. Connector is a name or id; all when empty.
	Workspace, Connector string
	// Now is the clock.
	Now func() time.Time
}

// Network is how the way to a server is tried out. The zero value uses the
// system's resolver and dialer.
type Network struct {
	Lookup func(ctx context.Context, host string) ([]string, error)
	Dial   func(ctx context.Context, network, address string) (net.Conn, error)
	// TLS is the configuration of the handshake; its ServerName is set for each host.
	TLS *tls.Config
	// Proxy is set when a proxy stands between; the way is then its business.
	Proxy string
}

// run is an examination on its way.
type run struct {
	Input
	emit func(Finding)
}

func (r *run) tell(status Status, step, subject, detail, next string, took ...time.Duration) {
	r.emit(Finding{Step: step, Subject: subject, Status: status, Detail: detail, Next: next, Took: cmp.Or(took...)})
}

// Run examines everything and emits findings as they come. It ends early when ctx does.
func Run(ctx context.Context, in Input, emit func(Finding)) {
	if in.Now == nil {
		in.Now = time.Now
	}
	if in.Reads == nil && in.Client != nil {
		in.Reads = in.Client
	}
	r := &run{in, emit}
	if !r.settings() {
		return
	}
	if r.FoundErr != nil {
		emit(Failed("credentials", "", r.FoundErr))
	}
	for name := range new(profile.Credentials).Each() {
		if found := r.Found[name]; !found.Value.Empty() {
			r.tell(OK, "credentials", strings.ReplaceAll(name, "_", " "),
				fmt.Sprintf("from %s, hash %s", found.Place, found.Value.Hash()), "")
		}
	}
	if (in.Network == nil || r.network(ctx)) && r.token(ctx) && r.organization(ctx) && ctx.Err() == nil {
		r.workspaces(ctx)
	}
}

// settings says what is configured, and whether it makes sense to continue.
func (r *run) settings() bool {
	p, from := r.Profile, r.SettingsPath
	switch {
	case r.ProfileErr != nil:
		r.emit(Failed("settings", r.SettingsPath, r.ProfileErr))
		return false
	case p == nil:
		r.tell(Warn, "settings", r.SettingsPath, "no profile is configured",
			"Sign in with patchbay login, or set PLATFORM_BASE_URL and PLATFORM_TOKEN; without either "+
				"patchbay opens the built-in sandbox.")
		// What there is to begin with.
		if i := r.Import; i != nil {
			r.tell(Info, "credentials", "client id", fmt.Sprintf("the service's own program keeps some in %s, hash %s",
				i.Path, secret.New(i.ClientID).Hash()), "patchbay login takes them over.")
		} else {
			r.tell(Info, "credentials", "", "none in PLATFORM_TOKEN, nor in PLATFORM_CLIENT_ID and "+
				"PLATFORM_CLIENT_SECRET, nor with the service's own program", "")
		}
		for _, p := range profile.Presets() {
			r.tell(Skip, "network", p.BaseURL, "the public service; it is not asked before somebody signs in", "")
		}
		return r.Client != nil
	case p.Name == profile.EnvName:
		from = "environment variables PLATFORM_*"
	case r.Network == nil:
		from = "this program, which holds the service itself"
	}
	detail := fmt.Sprintf("profile %s from %s: %s, names %s", p.Name, from, cmp.Or(p.BaseURL, "no base URL"),
		cmp.Or(p.Names, client.Neutral))
	if p.ReadOnly {
		detail += ", read-only"
	}
	r.tell(OK, "settings", p.Name, detail, "")
	if p.OrganizationID != "" {
		r.tell(Info, "settings", "organization", p.OrganizationID, "")
	}
	return true
}

// network tries name, connection and TLS of the server one after the other.
func (r *run) network(ctx context.Context) bool {
	if r.Client == nil || r.Client.BaseURL() == "" {
		return true // the token step says what is missing
	}
	u, err := url.Parse(r.Client.BaseURL())
	if err != nil {
		r.emit(Failed("network", "base URL", err))
		return false
	}
	if r.Network.Proxy != "" {
		r.tell(Info, "network", "proxy", "calls go through a proxy, so that name and connection are its business", "")
		if u.Scheme != "https" {
			r.plain(u)
		}
		return true
	}
	return r.name(ctx, u) && r.connection(ctx, u)
}

func (r *run) name(ctx context.Context, u *url.URL) bool {
	host, lookup := u.Hostname(), r.Network.Lookup
	if net.ParseIP(host) != nil {
		return true
	}
	if lookup == nil {
		lookup = net.DefaultResolver.LookupHost
	}
	begun := r.Now()
	addresses, err := lookup(ctx, host)
	if err != nil {
		r.emit(Failed("network", "DNS", transport.Classify(err, u.String())))
		return false
	}
	const shown = 4
	list := strings.Join(addresses[:min(len(addresses), shown)], ", ")
	r.tell(OK, "network", "DNS", host+" is "+list, "", r.Now().Sub(begun))
	return true
}

func (r *run) connection(ctx context.Context, u *url.URL) bool {
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	address, dial := net.JoinHostPort(u.Hostname(), port), r.Network.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	begun := r.Now()
	conn, err := dial(ctx, "tcp", address)
	if err != nil {
		r.emit(Failed("network", "TCP", transport.Classify(err, u.String())))
		return false
	}
	defer conn.Close()
	r.tell(OK, "network", "TCP", address+" accepts connections", "", r.Now().Sub(begun))
	if u.Scheme != "https" {
		r.plain(u)
		return true
	}
	cfg := r.Network.TLS.Clone() // of nil it is nil
	if cfg == nil {
		cfg = &tls.Config{}
	}
	cfg.ServerName = u.Hostname()
	begun = r.Now()
	secure := tls.Client(conn, cfg)
	if err := secure.HandshakeContext(ctx); err != nil {
		r.emit(Failed("network", "TLS", transport.Classify(err, u.String())))
		return false
	}
	state := secure.ConnectionState()
	detail := tls.VersionName(state.Version)
	if len(state.PeerCertificates) > 0 {
		detail += ", certificate valid until " + state.PeerCertificates[0].NotAfter.UTC().Format(time.DateOnly)
	}
	r.tell(OK, "network", "TLS", detail, "", r.Now().Sub(begun))
	return true
}

// plain warns of an address without encryption that is not on this machine.
func (r *run) plain(u *url.URL) {
	status, next := Warn, "Use https, or the token travels readable."
	if transport.Loopback(u.Hostname()) {
		status, next = Info, ""
	}
	r.tell(status, "network", "TLS", "the base URL is http: nothing is encrypted", next)
}

// token reports whether there is one, until when.
func (r *run) token(ctx context.Context) bool {
	if r.Client == nil {
		r.tell(Skip, "token", "", "there is no service to ask", "")
		return false
	}
	info, err := r.Client.TokenInfo(ctx)
	if err != nil {
		r.emit(Failed("token", "", err))
		return false
	}
	status, detail, next := OK, "handed over as it is", ""
	if info.Fetched {
		detail = "fetched with the client id and secret"
	}
	left := info.Ends.Sub(r.Now()).Round(time.Second)
	switch {
	case info.Ends.IsZero():
		detail += "; it does not tell when it ends"
	case left > 0:
		detail += fmt.Sprintf("; valid for %s more", left)
	case info.Renewable:
		status, detail = Warn, fmt.Sprintf("expired %s ago", -left)
		next = "It is replaced with the client id and secret at the next call."
	default:
		status, detail = Fail, fmt.Sprintf("expired %s ago", -left)
		next = "Set a new token, or use a client id and secret, which renew it."
	}
	r.tell(status, "token", "hash "+info.Hash, detail, next)
	return status != Fail
}

// organization says which organizations the credentials reach.
func (r *run) organization(ctx context.Context) bool {
	begun, chosen := r.Now(), r.Client.Organization()
	all, err := r.Client.Organizations(ctx)
	took := r.Now().Sub(begun)
	switch {
	case errors.Is(err, hosted.ErrListingUnsupported):
		r.tell(Info, "organization", "", "the service does not list organizations; in use: "+
			cmp.Or(chosen, "the default one"), "", took)
		return true
	case err != nil:
		r.emit(Failed("organization", "", err))
		return client.AsError(err).Class != client.ClassAuth
	}
	found := chosen == ""
	for _, o := range all {
		mark := ""
		if o.ID == chosen {
			mark, found = " (in use)", true
		}
		r.tell(OK, "organization", o.Name, o.ID+mark, "", took)
	}
	if !found {
		r.tell(Fail, "organization", chosen, "the credentials do not reach the chosen organization",
			"Choose one of those above: patchbay organizations use ID.")
	}
	if chosen == "" && len(all) > 1 {
		r.tell(Warn, "organization", "", fmt.Sprintf("%d organizations are reachable, and none is chosen", len(all)),
			"patchbay organizations use ID")
	}
	return true
}
