package cli

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/local"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// probePatience bounds each step of a look at the network.
const probePatience = 10 * time.Second

// network looks at the way to the service: name, connection and encryption apart.
func (d *doctor) network(ctx context.Context, baseURL string) bool {
	u, err := url.Parse(baseURL)
	if err != nil || u.Hostname() == "" {
		d.wrong("network", config("the base URL %q is not an address", baseURL).next("Correct it in the profile, or in PLATFORM_BASE_URL."))
		return false
	}
	if proxy := d.proxy(u.Scheme); proxy != "" {
		d.tell(noted, "network", "calls go through the proxy of "+proxy, "")
		return true
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	ctx, stop := context.WithTimeout(ctx, probePatience)
	defer stop()
	addresses, err := net.DefaultResolver.LookupHost(ctx, u.Hostname())
	if err != nil {
		d.wrong("name", transport.Classify(err, u.Host))
		return false
	}
	d.tell(fine, "name", u.Hostname()+" is "+strings.Join(addresses, ", "), "")
	return d.reach(ctx, u, net.JoinHostPort(u.Hostname(), port))
}

// reach connects to the service, and speaks TLS where the address says so.
func (d *doctor) reach(ctx context.Context, u *url.URL, address string) bool {
	started := d.a.now()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		d.wrong("connection", transport.Classify(err, u.Host))
		return false
	}
	defer conn.Close()
	d.tell(fine, "connection", conn.RemoteAddr().String()+" in "+d.a.now().Sub(started).Round(time.Millisecond).String(), "")
	if u.Scheme != "https" {
		d.tell(noted, "encryption", "none: the token travels readable", "Use an https address outside of this machine.")
		return true
	}
	secure := tls.Client(conn, &tls.Config{ServerName: u.Hostname()})
	if err := secure.HandshakeContext(ctx); err != nil {
		d.wrong("encryption", transport.Classify(err, u.Host))
		return false
	}
	state := secure.ConnectionState()
	detail := tls.VersionName(state.Version)
	if len(state.PeerCertificates) > 0 {
		detail += ", certificate valid until " + state.PeerCertificates[0].NotAfter.UTC().Format(time.DateOnly)
	}
	d.tell(fine, "encryption", detail, "")
	return true
}

// proxy names the variable that sends calls of a scheme through a proxy.
func (d *doctor) proxy(scheme string) string {
	for _, name := range []string{strings.ToUpper(scheme) + "_PROXY", scheme + "_proxy"} {
		if d.a.env[name] != "" {
			return name
		}
	}
	return ""
}

// locals looks at what is called directly: the profile's local connectors, and
// the kinds that the environment has credentials for.
func (d *doctor) locals(ctx context.Context, s *session) {
	for _, l := range s.profile.Local {
		if d.connector == "" || strings.EqualFold(l.Name, d.connector) {
			d.local(ctx, s, client.Target{Profile: s.name, Kind: l.Kind, Name: l.Name, Local: true, BaseURL: l.BaseURL})
		}
	}
	for _, name := range kindNames(d.a) {
		if d.connector != "" && d.connector != name || !d.environment(s, name) {
			continue
		}
		d.local(ctx, s, client.Target{Profile: s.name, Kind: name, Local: true})
	}
}

// environment tells which credentials of a kind are in the environment.
func (d *doctor) environment(s *session, name string) bool {
	if !d.hasVariables(name) {
		return false
	}
	k, err := s.catalog.Kind(name)
	if err != nil {
		return false
	}
	found := false
	for _, m := range k.Credentials {
		for _, f := range m.Fields {
			variable := local.EnvName(name, f.Name)
			if value := secret.New(d.a.env[variable]); !value.Empty() {
				d.a.redactor.Add(value)
				d.tell(fine, variable, "hash "+value.Hash()+" (from environment)", "")
				found = true
			}
		}
	}
	return found
}

// hasVariables tells whether any variable is meant for a kind, so that not every
// kind has to be opened.
func (d *doctor) hasVariables(kind string) bool {
	prefix := local.EnvName(kind, "")
	for name := range d.a.env {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// local runs the action that shows best whether credentials work.
func (d *doctor) local(ctx context.Context, s *session, t client.Target) {
	name := "local/" + first(t.Name, t.Kind)
	k, err := s.catalog.Kind(t.Kind)
	if err != nil {
		d.wrong(name, err)
		return
	}
	for i := range k.Entities {
		for j := range k.Entities[i].Actions {
			b := k.Entities[i].Actions[j].Binding
			if b == nil || !b.Probe {
				continue
			}
			op := client.Operation{Entity: k.Entities[i].Name, Action: k.Entities[i].Actions[j].Name, Params: b.ProbeParams}
			if _, err := s.Execute(ctx, t, op); err != nil {
				d.wrong(name, err)
				return
			}
			d.tell(fine, name, op.Action+" "+op.Entity+" works", "")
			return
		}
	}
	d.tell(noted, name, "the catalog knows no action to try its credentials with", "")
}
