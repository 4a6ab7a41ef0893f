package client

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Class says what kind of failure an Error is.
type Class string

// The classes. Exit codes and hints depend on them.
const (
	ClassAuth        Class = "auth"         // credentials missing, wrong or expired
	ClassScope       Class = "scope"        // known, but not allowed
	ClassNotFound    Class = "not_found"    // no such connector, record, path
	ClassInvalid     Class = "invalid"      // the request is wrong
	ClassRefused     Class = "refused"      // a rule of patchbay or the service forbids it
	ClassRateLimited Class = "rate_limited" // too many requests
	ClassUpstream    Class = "upstream"     // the service or third party failed
	ClassNetwork     Class = "network"      // no connection
	ClassTLS         Class = "tls"          // no trusted connection
	ClassTimeout     Class = "timeout"      // no answer in time
	ClassCanceled    Class = "canceled"     // stopped by the person
	ClassBadResponse Class = "bad_response" // an answer that cannot be read
	ClassConfig      Class = "config"       // settings or environment are missing or wrong
	ClassOther       Class = "other"
)

// Refused reports whether somebody said no: the person, this program, or a server that
// works. Behind any other class is something that should work and did not.
func (c Class) Refused() bool {
	switch c {
	case ClassAuth, ClassScope, ClassNotFound, ClassInvalid, ClassRefused, ClassRateLimited, ClassCanceled:
		return true
	}
	return false
}

// Layer tells who failed.
type Layer string

// The layers from here outwards.
const (
	LayerProgram    Layer = "patchbay"
	LayerNetwork    Layer = "network"
	LayerProxy      Layer = "proxy"
	LayerHosted     Layer = "hosted service"
	LayerThirdParty Layer = "third party"
)

// Fate says what is known of the change that a failed write asked for; empty for
// reads, and where the server refused it.
type Fate string

const (
	// FateUnknown: it was sent, and no answer says whether it was carried out.
	FateUnknown Fate = "unknown"
	// FateUnsent: it never left this machine, so nothing was changed.
	FateUnsent Fate = "unsent"
)

// Look is the call that shows whether a write was carried out.
type Look struct {
	Target Target
	Op     Operation
	// Missing are params that must still be given.
	Missing []string
}

// Error is the one error type of calls. Every text in it is free of secrets;
// Server is untrusted text that views must sanitise.
type Error struct {
	Class Class
	Layer Layer
	// Status is the HTTP status; 0 when none arrived.
	Status int
	// Doing says what was tried: "list workspaces".
	Doing string
	// Message says what went wrong, in our words.
	Message string
	// Server is what the answer said, as found in its body.
	Server string
	// Next is the next step for the person.
	Next string
	// More says where the screen shows more of the answer that came, in a sentence;
	// elsewhere it is looked up in the history.
	More string
	// Field names the param that is wrong, when known.
	Field string
	// RetryAfter is how long the server asked to wait; 0 when it did not.
	RetryAfter time.Duration
	// RequestID is the server's name for the request, for a support ticket.
	RequestID string
	Attempts  []Attempt
	// Fate is what became of a write; Look shows it where that is unknown, nil
	// where no call does.
	Fate Fate
	Look *Look
	// Envelope holds the body of the failed answer when one arrived.
	Envelope *Envelope
	Err      error
}

// Error implements error: what failed, on what, what the server said.
func (e *Error) Error() string {
	text := e.Message
	if e.Doing != "" {
		text = e.Doing + ": " + text
	}
	if e.Server != "" && !strings.Contains(e.Message, e.Server) {
		text += " (the server said: " + e.Server + ")"
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Failf makes an error of this program, not of a service.
func Failf(class Class, format string, args ...any) *Error {
	return &Error{Class: class, Layer: LayerProgram, Message: fmt.Sprintf(format, args...)}
}

// Invalid is the error of what cannot be carried out as it was asked for.
func Invalid(format string, args ...any) *Error { return Failf(ClassInvalid, format, args...) }

// Misconfigured is the error of missing or wrong settings.
func Misconfigured(format string, args ...any) *Error { return Failf(ClassConfig, format, args...) }

// Advise sets the next step for the person, and returns the error.
func (e *Error) Advise(format string, args ...any) *Error {
	e.Next = strings.TrimSpace(fmt.Sprintf(format, args...))
	return e
}

// Settle says what became of the change that a write asked for. Where that is not
// known, the next step is to look, and never to send it again; without a call that
// shows it, elsewhere says where.
func (e *Error) Settle(look *Look, elsewhere string) *Error {
	switch e.Fate {
	case FateUnsent:
		e.Message += "; nothing was sent, so nothing was changed"
	case FateUnknown:
		e.Message += "; it is not known whether the change was made"
		e.Look, e.RetryAfter = look, 0
		if look != nil {
			elsewhere = strings.TrimSpace(look.Op.Entity+" "+look.Op.Action+" "+string(look.Op.Params)) + " shows it" +
				look.Lacks()
		}
		e.Next = "Look before you repeat it: " + elsewhere + "."
	}
	return e
}

// Doubtful reports whether the class leaves open what the other side did.
func (e *Error) Doubtful() bool {
	return e.Class == ClassUpstream || e.Class == ClassTimeout || e.Class == ClassBadResponse
}

// Lacks names the params that must still be given, in words that follow a call.
func (l *Look) Lacks() string {
	if len(l.Missing) == 0 {
		return ""
	}
	return ", with " + strings.Join(l.Missing, ", ")
}

// Retryable reports whether the same call may work later. It does not of a write
// that may have been carried out.
func (e *Error) Retryable() bool {
	switch e.Class {
	case ClassRateLimited, ClassNetwork, ClassTimeout:
		return e.Fate != FateUnknown
	case ClassUpstream:
		return e.Fate != FateUnknown && (e.Status == 0 || e.Status >= 500)
	}
	return false
}

// Advice is the next step on the screen.
func (e *Error) Advice() string { return strings.TrimSpace(e.Next + " " + e.More) }

// AsError returns err as *Error, wrapping foreign errors in class other.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Class: ClassOther, Layer: LayerProgram, Message: err.Error(), Err: err}
}

// ExitCode maps the class to the exit code of the command line:
// 0 ok; 1 other, upstream, bad response; 2 auth or scope; 3 not found;
// 4 usage, configuration, invalid input or refused; 5 rate limited;
// 6 network, TLS, timeout; 130 canceled.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	return cmp.Or(exitCodes[AsError(err).Class], 1)
}

var exitCodes = map[Class]int{
	ClassAuth: 2, ClassScope: 2, ClassNotFound: 3, ClassInvalid: 4, ClassRefused: 4, ClassConfig: 4,
	ClassRateLimited: 5, ClassNetwork: 6, ClassTLS: 6, ClassTimeout: 6, ClassCanceled: 130,
}
