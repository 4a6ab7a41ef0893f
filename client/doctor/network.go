package doctor

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"strings"

	"patchbay/client/transport"
)

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

func (n *Network) lookup(ctx context.Context, host string) ([]string, error) {
	if n.Lookup != nil {
		return n.Lookup(ctx, host)
	}
	return net.DefaultResolver.LookupHost(ctx, host)
}

func (n *Network) dial(ctx context.Context, address string) (net.Conn, error) {
	if n.Dial != nil {
		return n.Dial(ctx, "tcp", address)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", address)
}

// network tries name, connection and TLS of the server one after the other.
func (r *run) network(ctx context.Context) bool {
	if r.in.Client == nil || r.in.Client.BaseURL() == "" {
		return true // the token step says what is missing
	}
	if r.in.Network.Proxy != "" {
		r.tell(Finding{Step: "network", Subject: "proxy", Status: Info, Detail: "calls go through a proxy, so that name and connection are its business"})
		return true
	}
	u, err := url.Parse(r.in.Client.BaseURL())
	if err != nil {
		r.fail("network", "base URL", err)
		return false
	}
	return r.name(ctx, u) && r.connection(ctx, u)
}

func (r *run) name(ctx context.Context, u *url.URL) bool {
	host := u.Hostname()
	if net.ParseIP(host) != nil {
		return true
	}
	begun := r.in.Now()
	addresses, err := r.in.Network.lookup(ctx, host)
	if err != nil {
		r.fail("network", "DNS", transport.Classify(err, u.String()))
		return false
	}
	const shown = 4
	list := strings.Join(addresses[:min(len(addresses), shown)], ", ")
	r.tell(Finding{Step: "network", Subject: "DNS", Status: OK, Detail: host + " is " + list, Took: r.in.Now().Sub(begun)})
	return true
}

func (r *run) connection(ctx context.Context, u *url.URL) bool {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	address := net.JoinHostPort(u.Hostname(), port)
	begun := r.in.Now()
	conn, err := r.in.Network.dial(ctx, address)
	if err != nil {
		r.fail("network", "TCP", transport.Classify(err, u.String()))
		return false
	}
	defer conn.Close()
	r.tell(Finding{Step: "network", Subject: "TCP", Status: OK, Detail: address + " accepts connections", Took: r.in.Now().Sub(begun)})
	if u.Scheme != "https" {
		r.tell(Finding{Step: "network", Subject: "TLS", Status: plainStatus(u), Detail: "the base URL is http: nothing is encrypted", Next: plainNext(u)})
		return true
	}
	return r.handshake(ctx, u, conn)
}

func loopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

func plainStatus(u *url.URL) Status {
	if loopback(u) {
		return Info
	}
	return Warn
}

func plainNext(u *url.URL) string {
	if loopback(u) {
		return ""
	}
	return "Use https, or the token travels readable."
}

func (r *run) handshake(ctx context.Context, u *url.URL, conn net.Conn) bool {
	cfg := &tls.Config{}
	if r.in.Network.TLS != nil {
		cfg = r.in.Network.TLS.Clone()
	}
	cfg.ServerName = u.Hostname()
	begun := r.in.Now()
	secure := tls.Client(conn, cfg)
	if err := secure.HandshakeContext(ctx); err != nil {
		r.fail("network", "TLS", transport.Classify(err, u.String()))
		return false
	}
	state := secure.ConnectionState()
	detail := tls.VersionName(state.Version)
	if len(state.PeerCertificates) > 0 {
		detail = fmt.Sprintf("%s, certificate valid until %s", detail, state.PeerCertificates[0].NotAfter.UTC().Format("2006-01-02"))
	}
	r.tell(Finding{Step: "network", Subject: "TLS", Status: OK, Detail: detail, Took: r.in.Now().Sub(begun)})
	return true
}
