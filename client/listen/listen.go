// Package listen serves HTTP to other programs of this machine, or of others where
// somebody wants that: slow clients are cut, and pages of browsers refused.
package listen

import (
	"cmp"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// What a listener takes from a client.
const (
	headerTime  = 10 * time.Second
	requestTime = 30 * time.Second
	answerTime  = 5 * time.Minute
	idleTime    = time.Minute
	headerBytes = 64 << 10
	// mostConnections are served at once; who comes then waits until one ends.
	mostConnections = 256
	// mostBodies are read at once of those that are larger than smallBody. Who waits
	// longer than bodyWait for one of them to end is refused.
	mostBodies = 4
	smallBody  = 64 << 10
	bodyWait   = 5 * time.Second
)

// On listens at an address for as many connections as are served at once.
func On(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return &limited{Listener: l, room: make(chan struct{}, mostConnections), closed: make(chan struct{})}, nil
}

// limited takes a connection when there is room for it.
type limited struct {
	net.Listener
	room   chan struct{}
	once   sync.Once
	closed chan struct{}
}

// Accept waits for room, then for a client.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.room <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	leave := sync.OnceFunc(func() { <-l.room })
	c, err := l.Listener.Accept()
	if err != nil {
		leave()
		return nil, err
	}
	return &guest{c, leave}, nil
}

// Close ends the listener, also one that waits for room.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// guest is a connection that makes room when it ends.
type guest struct {
	net.Conn
	leave func()
}

// Close ends the connection.
func (g *guest) Close() error {
	g.leave()
	return g.Conn.Close()
}

// Options say what is served.
type Options struct {
	// Name is what refusals call the server: "the sandbox".
	Name string
	// Address is the one it listens on, host and port.
	Address string
	Handler http.Handler
	// Log takes what the server complains of, a line at a time; nil for nobody.
	Log func(line string)
	// Endless is set where answers have no end, as streams of events have none.
	Endless bool
}

// Server serves a handler to other programs. It cuts clients that are slow, and refuses
// what a page of a browser would send: requests that name another host, as a name does
// that was made to lead here, and those of another origin. An address that other machines
// reach answers to the names of this one too.
func Server(o Options) *http.Server {
	own, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		own = o.Address
	}
	bodies := make(chan struct{}, mostBodies)
	guard := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := stranger(o.Name, own, r); why != "" {
			http.Error(w, why, http.StatusForbidden)
			return
		}
		if r.ContentLength < 0 || r.ContentLength > smallBody {
			select {
			case bodies <- struct{}{}:
				defer func() { <-bodies }()
			case <-time.After(bodyWait):
				w.Header().Set("Retry-After", "1")
				http.Error(w, o.Name+" reads other large requests.", http.StatusServiceUnavailable)
				return
			}
		}
		o.Handler.ServeHTTP(w, r)
	})
	server := &http.Server{Addr: o.Address, Handler: guard, ReadHeaderTimeout: headerTime, ReadTimeout: requestTime,
		WriteTimeout: answerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerBytes}
	if o.Endless {
		server.ReadTimeout, server.WriteTimeout = 0, 0
	}
	if o.Log != nil {
		server.ErrorLog = log.New(logged(o.Log), "", 0)
	}
	return server
}

// logged takes what the server complains of, a line at a time.
type logged func(line string)

// Write logs lines.
func (l logged) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		l(strings.TrimSuffix(line, "\n"))
	}
	return len(p), nil
}

// stranger says why a request is not one for a listener at own.
func stranger(name, own string, r *http.Request) string {
	if !answersTo(own, hostOf(r.Host)) {
		return name + " does not answer to the host " + r.Host + ": use the address that it listens on."
	}
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || !answersTo(own, u.Hostname()) {
			return name + " does not answer to pages of other sites."
		}
	}
	return ""
}

// hostOf is the host of an address, without its port.
func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
}

// answersTo reports whether a listener at own answers to a host.
func answersTo(own, host string) bool {
	if strings.EqualFold(host, "localhost") || host != "" && strings.EqualFold(host, own) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err == nil && ip.Unmap().IsLoopback() {
		return true
	}
	if at, wrong := netip.ParseAddr(cmp.Or(own, "::")); strings.EqualFold(own, "localhost") ||
		wrong == nil && at.Unmap().IsLoopback() {
		return false
	}
	// Other machines were let in on purpose. They come by a number, or by the machine's
	// name: a name that somebody else made to lead here is neither.
	name, _ := os.Hostname()
	return err == nil || name != "" && strings.EqualFold(host, name)
}
