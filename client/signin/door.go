package signin

import (
	"context"
	"crypto/subtle"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"patchbay/client/crew"
	"patchbay/client/transport"
)

// door is where the browser comes back: once, with the state that it was sent away with.
type door struct {
	state string
	came  chan url.Values
}

// open lets the browser in until what it returns is called; who is there then still gets
// their page.
func (d *door) open(l net.Listener) (shut func()) {
	var served crew.Crew
	server := &http.Server{Handler: d, ReadHeaderTimeout: slow, ReadTimeout: slow, WriteTimeout: slow}
	served.Go(func() { _ = server.Serve(l) })
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(ctx)
		_ = server.Close()
		served.Wait()
	}
}

// slow is how long a browser may take to ask and to listen.
const slow = 10 * time.Second

// ServeHTTP implements http.Handler. What does not know the state is not the browser, and
// ends nothing.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	q := r.URL.Query()
	switch {
	case err != nil || !transport.Loopback(host), r.URL.Path != callback || r.Method != http.MethodGet:
		answer(w, http.StatusNotFound, "There is nothing here.")
	case subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(d.state)) != 1:
		answer(w, http.StatusForbidden, "This is not the sign-in that patchbay began.")
	case q.Get("code") == "" && q.Get("error") == "":
		answer(w, http.StatusBadRequest, "The service sent no code.")
	default:
		select {
		case d.came <- q:
		default: // it came before
		}
		said := "You are signed in. Close this page and go back to patchbay."
		if q.Get("error") != "" {
			said = "You are not signed in. Close this page; patchbay says more."
		}
		answer(w, http.StatusOK, said)
	}
}

// answer writes a page that shows nothing of what was sent.
func answer(w http.ResponseWriter, status int, text string) {
	for name, value := range map[string]string{"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "no-referrer", "Connection": "close"} {
		w.Header().Set(name, value)
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<!doctype html><html lang=\"en\"><title>patchbay</title><p>"+text+"</p></html>\n")
}
