// Package client holds the types that every part of patchbay speaks: an
// Operation, where it goes (Target), what came back (Envelope), what happened
// on the wire (Attempt) and what went wrong (Error). It holds no I/O and imports
// none of the packages below it, which do the work.
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"time"
)

// Operation is entity + action + params: the unit everything else takes or gives.
type Operation struct {
	Entity string `json:"entity"`
	Action string `json:"action"`
	// Params is a JSON object in the catalog's (neutral) names, key order kept; nil or empty for none.
	Params json.RawMessage `json:"params,omitempty"`
	// SelectFields and ExcludeFields are dot paths of record fields (hosted only).
	SelectFields  []string `json:"select_fields,omitempty"`
	ExcludeFields []string `json:"exclude_fields,omitempty"`
	// Truncate asks the service to cut long texts of lists and searches (hosted only):
	// "skip_truncation": false. It leaves them whole by itself.
	Truncate bool `json:"truncate,omitempty"`
	// NextURL asks for the page at an address that an answer gave, where no param
	// can carry it: Envelope.NextURL of the page before. Local calls only.
	NextURL string `json:"next_url,omitempty"`
	// Unchecked is set where somebody wants it sent although the checks say that it
	// will be refused.
	Unchecked bool `json:"-"`
}

// AddShape adds the members of a hosted call that shape its answer, where they are set.
func (op Operation) AddShape(add func(name string, value any)) {
	if len(op.SelectFields) > 0 {
		add("select_fields", op.SelectFields)
	}
	if len(op.ExcludeFields) > 0 {
		add("exclude_fields", op.ExcludeFields)
	}
	if op.Truncate {
		add("skip_truncation", false)
	}
}

// Target is the connector an Operation runs against.
type Target struct {
	// Profile is the name of the profile the connector belongs to; informational.
	Profile string `json:"profile,omitempty"`
	// Kind is the catalog kind; empty when the connector's type is not in the catalog.
	Kind string `json:"kind,omitempty"`
	// Workspace is the name of the workspace; empty for local connectors.
	Workspace string `json:"workspace,omitempty"`
	// ConnectorID is the hosted id; empty for local connectors.
	ConnectorID string `json:"connector_id,omitempty"`
	// Name is the display name of the connector.
	Name string `json:"name,omitempty"`
	// Local is set when the call goes straight to the third-party API.
	Local bool `json:"local,omitempty"`
	// BaseURL overrides the third-party base URL of a local target.
	BaseURL string `json:"base_url,omitempty"`
}

// Executor runs operations. It is implemented by hosted and local.
type Executor interface {
	// Execute sends the operation and returns the answer. A failure is an *Error
	// (with the attempts); the Envelope may be non-nil beside it when a body arrived.
	Execute(ctx context.Context, t Target, op Operation) (*Envelope, error)
	// Preview returns the exact request that Execute would send, secrets replaced
	// by references to environment variables. It sends nothing.
	Preview(t Target, op Operation) (*Request, error)
	// Download runs an operation whose answer is a file and streams it to w, which may
	// be a FileWriter. The Envelope holds no body.
	Download(ctx context.Context, t Target, op Operation, w io.Writer) (*Envelope, error)
}

// Body gives access to a received body without requiring it in one piece.
type Body interface {
	// Len is the number of bytes present.
	Len() int
	// Slice returns bytes [from, to); the caller must not change them.
	Slice(from, to int) []byte
}

// Bytes is a Body in one piece.
type Bytes []byte

// Len implements Body.
func (b Bytes) Len() int { return len(b) }

// Slice implements Body.
func (b Bytes) Slice(from, to int) []byte { return b[from:to:to] }

// Span is a half-open range of byte offsets in a Body. The zero Span is "nowhere".
type Span struct{ From, To int }

// Empty reports whether the span holds no byte.
func (s Span) Empty() bool { return s.To <= s.From }

// Shape names the wrapping that a body came in.
type Shape string

// The shapes that are told apart.
const (
	ShapeService  Shape = "service"  // {status, result, connector_metadata, execution_metadata}
	ShapeDataMeta Shape = "data"     // {data, meta}
	ShapeArray    Shape = "array"    // [...]
	ShapeObject   Shape = "object"   // one record
	ShapeUpstream Shape = "upstream" // a third party's whole body, records located by the catalog
	ShapeOther    Shape = "other"    // a bare scalar, or not JSON
)

// Envelope is a received answer and where its parts lie in it. As JSON it is what is
// kept of it beside the body, in the history.
type Envelope struct {
	// Body is exactly what arrived, after removing the content encoding and the
	// credentials that a third party repeats in the addresses of its other pages.
	Body Body `json:"-"`
	// Shape is the wrapping that was recognised.
	Shape Shape `json:"shape,omitempty"`
	// Records is the JSON value that holds the records: an array, or one object.
	// Empty when the answer holds none.
	Records Span `json:"records"`
	// RecordsPath is where Records lies, as a dotted path from the body's root: "result.data"; "" is the root.
	RecordsPath string `json:"records_path,omitempty"`
	// Single is set when Records is one object instead of an array.
	Single bool `json:"single,omitempty"`
	// Kept are the records that count, in order, where the binding leaves some of
	// those in the body out (private calls); nil where all count. It may be empty.
	Kept []Span `json:"kept,omitempty"`
	// Meta is the JSON object with pagination fields; MetaPath its dotted path.
	Meta     Span   `json:"meta"`
	MetaPath string `json:"meta_path,omitempty"`
	// MetaJSON holds meta fields that do not lie in the body as one object (local
	// calls: renamed or taken from headers). It wins over Meta when not empty.
	MetaJSON json.RawMessage `json:"meta_json,omitempty"`
	// NextURL is an address of the next page that the answer gave and no param can carry.
	NextURL string `json:"next_url,omitempty"`
	// Paging is what a third party's answer says of the next page, read where the
	// catalog says; nil where nothing says it but the meta fields.
	Paging *Paging `json:"paging,omitempty"`
	// Names says whether field names in Body are neutral or wire names.
	Names Names `json:"names,omitempty"`
	// Status is the HTTP status and ContentType the media type of the answer.
	Status      int    `json:"status,omitempty"`
	ContentType string `json:"content_type,omitempty"`
	// ServerTime is what the service says it needed (execution_time_ms, took_ms); 0 when it does not say.
	ServerTime time.Duration `json:"-"`
	// ConnectorInstance is execution_metadata.connector_instance_id.
	ConnectorInstance string `json:"instance,omitempty"`
	// Warning is a note of the service about the answer; untrusted text.
	Warning  string        `json:"warning,omitempty"`
	Started  time.Time     `json:"-"`
	Took     time.Duration `json:"-"`
	Attempts []Attempt     `json:"-"`
	// FileName is what Content-Disposition suggests for a download; untrusted text.
	FileName string `json:"file_name,omitempty"`
	// HoldsSecret is set when a known secret was seen in Body, which is shown and
	// written as received all the same.
	HoldsSecret bool `json:"-"`
}

// SecretSeen is what to tell of an answer whose HoldsSecret is set.
const SecretSeen = "the answer holds one of your secrets; it is shown and written as received"

// Paging is what an answer says of the next page.
type Paging struct {
	// Next is the value or address found where the catalog's Page.Next points, as
	// JSON; nil when the answer holds none. NextFrom tells the place for people.
	Next     json.RawMessage
	NextFrom string
	// More says whether there is another page; nil when the answer does not say.
	More     *bool
	MoreFrom string
	// Total is the number of all records as the answer tells it; nil when it does not.
	Total *int
	// Elsewhere is the host that Next leads to where it is another one than that
	// of the server asked: such an address is not followed.
	Elsewhere string
}

// Names says which names a service speaks.
type Names string

// Neutral names are the specification's; wire names those of the real service and third parties.
const (
	Neutral Names = "neutral"
	Wire    Names = "wire"
)

// Header is one request or response header, in order, as it may be shown: secrets replaced.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Attempt is one HTTP exchange on the way to an answer.
type Attempt struct {
	// N counts from 1.
	N       int       `json:"n"`
	Started time.Time `json:"started"`
	Method  string    `json:"method"`
	// URL has secrets replaced.
	URL             string   `json:"url"`
	Proto           string   `json:"proto,omitempty"`
	RequestHeaders  []Header `json:"request_headers,omitempty"`
	RequestBody     []byte   `json:"request_body,omitempty"` // redacted, capped
	RequestBytes    int64    `json:"request_bytes"`
	Status          int      `json:"status,omitempty"`
	ResponseHeaders []Header `json:"response_headers,omitempty"`
	ResponseBytes   int64    `json:"response_bytes"`
	WireBytes       int64    `json:"wire_bytes,omitempty"` // before decompression
	// Durations of the phases; zero when a phase did not happen (connection reused).
	DNS       time.Duration `json:"dns,omitempty"`
	Connect   time.Duration `json:"connect,omitempty"`
	TLS       time.Duration `json:"tls,omitempty"`
	FirstByte time.Duration `json:"first_byte,omitempty"` // from request sent to first byte
	BodyTime  time.Duration `json:"body,omitempty"`
	Total     time.Duration `json:"total"`
	// Server is how long the server says it worked on the answer; 0 when it does not say.
	Server  time.Duration `json:"server,omitempty"`
	Reused  bool          `json:"reused,omitempty"`
	Remote  string        `json:"remote,omitempty"`
	Purpose string        `json:"purpose,omitempty"` // "call", PurposeToken, "file"
	// Error is what failed, without secrets; empty on success.
	Error string `json:"error,omitempty"`
	// Retry is set when another attempt followed; Reason says why (or why not), Wait how long was waited.
	Retry  bool          `json:"retry,omitempty"`
	Reason string        `json:"reason,omitempty"`
	Wait   time.Duration `json:"wait,omitempty"`
}

// PurposeToken is the purpose of an attempt that asks for a token.
const PurposeToken = "token"

// Calls counts the attempts of a call: those that asked for its token are none of
// them, unless it never came to more.
func Calls(attempts []Attempt) int {
	n := 0
	for _, a := range attempts {
		if a.Purpose != PurposeToken {
			n++
		}
	}
	return cmp.Or(n, len(attempts))
}

// Request is a call written out before it is sent. Values marked as templates
// hold ${NAME} references to environment variables in place of secrets.
type Request struct {
	Method string
	// URL is complete but for Query.
	URL string
	// Query are secret query parameters, as templates.
	Query   []Header
	Headers []RequestHeader
	// Basic is set for HTTP Basic authentication; both are templates.
	Basic *BasicAuth
	Body  []byte
	// Env lists the variables that the templates name, with what each holds.
	Env []EnvVar
	// Signed says how a local call is signed, for texts that leave that to a client; nil
	// for hosted calls.
	Signed *Signed
	// Steps are further requests that the call needs (the file of a two-step download), in words.
	Notes []string
}

// Signed is a local call as a client of the same third party takes it, which makes the
// request by itself.
type Signed struct {
	// Option is the title of the credential method, Fields its fields as templates.
	Option string
	Fields []Header
	// Config are the values that stand in the address of the server.
	Config []Header
	// Params are those of the operation with what the configuration fills in.
	Params json.RawMessage
	// Env lists the variables that Fields name.
	Env []EnvVar
}

// RequestHeader is a header of a Request; Template marks a value with ${NAME} references.
type RequestHeader struct {
	Name, Value string
	Template    bool
}

// BasicAuth holds templates for user and password.
type BasicAuth struct{ User, Password string }

// EnvVar is an environment variable that a Request refers to.
type EnvVar struct{ Name, Meaning string }

// Event tells an observer what a running call does.
type Event struct {
	Kind EventKind
	// Attempt is the number of the attempt the event belongs to.
	Attempt int
	// Bytes received so far and Total expected (-1 unknown); EventProgress.
	Bytes, Total int64
	// Wait until the next attempt and the reason; EventRetry.
	Wait   time.Duration
	Reason string
	// Purpose is that of the attempt: a token's are not those of the call.
	Purpose string
}

// EventKind names an Event.
type EventKind string

// The events of a call.
const (
	EventSend     EventKind = "send"
	EventRetry    EventKind = "retry"
	EventProgress EventKind = "progress"
	EventToken    EventKind = "token"
)

type observerKey struct{}

// WithObserver returns a context whose calls report events to f. f is called
// from other goroutines and must not block.
func WithObserver(ctx context.Context, f func(Event)) context.Context {
	return context.WithValue(ctx, observerKey{}, f)
}

// Notify reports an event to the observer of ctx, if any.
func Notify(ctx context.Context, e Event) {
	if f, ok := ctx.Value(observerKey{}).(func(Event)); ok {
		f(e)
	}
}

type limitsKey struct{}

// HeedLimits returns a context whose calls take "too many requests" for their answer
// instead of waiting to be sent again: for questions that nobody needs answered at any
// price.
func HeedLimits(ctx context.Context) context.Context {
	return context.WithValue(ctx, limitsKey{}, true)
}

// HeedsLimits reports whether ctx is one of HeedLimits.
func HeedsLimits(ctx context.Context) bool { return ctx.Value(limitsKey{}) != nil }
