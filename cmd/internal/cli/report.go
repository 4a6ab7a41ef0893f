package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
)

// failure is a *client.Error in the making, of this program.
type failure struct{ cause *client.Error }

// Error implements error.
func (f failure) Error() string { return f.cause.Error() }

// Unwrap returns the *client.Error.
func (f failure) Unwrap() error { return f.cause }

// usage is the error of a command line that cannot be carried out.
func usage(format string, args ...any) failure { return fail(client.ClassInvalid, format, args...) }

// config is the error of missing or wrong settings.
func config(format string, args ...any) failure { return fail(client.ClassConfig, format, args...) }

func fail(class client.Class, format string, args ...any) failure {
	return failure{&client.Error{Class: class, Layer: client.LayerProgram, Message: fmt.Sprintf(format, args...)}}
}

// next says what the person can do about it.
func (f failure) next(format string, args ...any) failure {
	f.cause.Next = fmt.Sprintf(strings.TrimSpace(format), args...)
	return f
}

// report tells an error on stderr and returns the exit code.
func (a *app) report(err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, errPipeClosed) {
		return 0
	}
	var ended signaled
	if errors.As(err, &ended) {
		return ended.code()
	}
	e := asError(err)
	if a.jsonErrors {
		a.reportJSON(e)
	} else {
		a.reportText(e)
	}
	return client.ExitCode(e)
}

// asError gives errors of other packages a class.
func asError(err error) *client.Error {
	var unknown *catalog.UnknownError
	if errors.As(err, &unknown) {
		return &client.Error{Class: client.ClassNotFound, Layer: client.LayerProgram, Message: unknown.Error(), Err: err}
	}
	return client.AsError(err)
}

func (a *app) reportText(e *client.Error) {
	fmt.Fprintf(a.stderr, "patchbay: %s\n", shown(e.Error()))
	var facts []string
	if e.Status != 0 {
		facts = append(facts, fmt.Sprintf("status %d", e.Status))
	}
	if e.Layer != "" && e.Layer != client.LayerProgram {
		facts = append(facts, "from: "+string(e.Layer))
	}
	if e.RequestID != "" {
		facts = append(facts, "request id "+shown(e.RequestID))
	}
	if e.RetryAfter > 0 {
		facts = append(facts, "retry after "+e.RetryAfter.Round(time.Second).String())
	}
	if n := len(e.Attempts); n > 1 {
		facts = append(facts, fmt.Sprintf("%d attempts", n))
	}
	if len(facts) > 0 {
		fmt.Fprintf(a.stderr, "  %s\n", strings.Join(facts, ", "))
	}
	if e.Next != "" {
		fmt.Fprintf(a.stderr, "  %s\n", shown(e.Next))
	}
}

// errorJSON is what --json-errors prints, one line on stderr. Type says the
// same as Class, for programs that know errors of the service's own CLI.
type errorJSON struct {
	Type       string `json:"type"`
	Class      string `json:"class"`
	Message    string `json:"message"`
	StatusCode int    `json:"status_code,omitempty"`
	Layer      string `json:"layer,omitempty"`
	Field      string `json:"field,omitempty"`
	Server     string `json:"server,omitempty"`
	Next       string `json:"next,omitempty"`
	Retryable  bool   `json:"retryable"`
	RetryAfter int    `json:"retry_after_seconds,omitempty"`
	RequestID  string `json:"request_id,omitempty"`
	Attempts   int    `json:"attempts,omitempty"`
	ExitCode   int    `json:"exit_code"`
}

func (a *app) reportJSON(e *client.Error) {
	out := errorJSON{Type: string(e.Class), Class: string(e.Class), Message: e.Error(), StatusCode: e.Status, Layer: string(e.Layer), Field: e.Field,
		Server: e.Server, Next: e.Next, Retryable: retryable(e), RetryAfter: int(e.RetryAfter.Seconds()), RequestID: e.RequestID,
		Attempts: len(e.Attempts), ExitCode: client.ExitCode(e)}
	data, err := json.Marshal(out)
	if err != nil {
		fmt.Fprintf(a.stderr, "patchbay: %s\n", shown(e.Error()))
		return
	}
	fmt.Fprintf(a.stderr, "%s\n", data)
}

// retryable tells whether the same command may work later.
func retryable(e *client.Error) bool {
	switch e.Class {
	case client.ClassRateLimited, client.ClassNetwork, client.ClassTimeout:
		return true
	case client.ClassUpstream:
		return e.Status == 0 || e.Status >= 500
	}
	return false
}
