package cli

import (
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"patchbay/client/secret"
)

// logFile gets one line for every exchange. It is safe for concurrent use.
type logFile struct {
	mu       sync.Mutex
	f        *os.File
	now      func() time.Time
	redactor *secret.Redactor
}

// openLog opens the file of --log once.
func (a *app) openLog() error {
	if a.flags.Log == "" || a.log != nil {
		return nil
	}
	f, err := os.OpenFile(a.flags.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return config("the log cannot be written: %v", err).next("Give --log a file in a folder that exists and can be written.")
	}
	a.log = &logFile{f: f, now: a.now, redactor: a.redactor}
	a.closers = append(a.closers, f.Close)
	return nil
}

func (l *logFile) line(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.redactor.Text(fmt.Sprintf(format, args...))
	fmt.Fprintf(l.f, "%s %s\n", l.now().UTC().Format(time.RFC3339Nano), shown(text))
}

// logged writes a line for each exchange of a RoundTripper: no header and no
// body, so no secret.
type logged struct {
	base http.RoundTripper
	log  *logFile
}

// RoundTrip implements http.RoundTripper.
func (l logged) RoundTrip(r *http.Request) (*http.Response, error) {
	started := l.log.now()
	resp, err := l.base.RoundTrip(r)
	address, took := l.log.redactor.URL(r.URL.String()), l.log.now().Sub(started)
	if err != nil {
		l.log.line("%s %s failed after %s: %v", r.Method, address, took, err)
		return resp, err
	}
	l.log.line("%s %s -> %d after %s", r.Method, address, resp.StatusCode, took)
	return resp, nil
}
