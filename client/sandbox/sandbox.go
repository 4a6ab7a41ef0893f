// Package sandbox is the documented connector service over generated data: an
// http.Handler that a client cannot tell from the real one. Everything it
// serves follows from the catalog and a seed; writes stick while it runs.
//
// It speaks the specification's own (neutral) names, or those of the real connector
// definitions where Options say so. Only faults make it leave the
// documented schema. It must not import what calls it:
// hosted, local, transport and session.
package sandbox

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"patchbay/catalog"
	"patchbay/client/listen"
	"patchbay/client/rawjson"
)

// What the service answers to, fixed so that a copied call runs again.
const (
	// BaseURL is where the service is reached when it listens on its usual port.
	BaseURL = "http://127.0.0.1:8642"
	// ClientID and ClientSecret fetch tokens that reach both organizations.
	ClientID     = "5a3c1f0e-7d42-4b8e-9c61-2f0b8d5e4a17"
	ClientSecret = "sandbox-client-secret-7f2d91"
	// Token is a bearer token that never ends and belongs to the first
	// organization, so that nothing has to be chosen.
	Token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" +
		".eyJpc3MiOiJwYXRjaGJheS1zYW5kYm94Iiwic3ViIjoic2FuZGJveCJ9" +
		".c2FuZGJveC1maXhlZC10b2tlbg"
	// OrganizationID is the first organization; its workspaces are demo, staging and faults.
	OrganizationID = "3f6d2c58-90ab-4c1d-8e2f-6b7a5c4d3e21"
	// SecondOrganizationID is another organization that the client reaches.
	SecondOrganizationID = "b1e0a7d4-52c3-4f69-a8b7-1d2e3f405162"
)

// Shapes of the answer to context_store_search.
const (
	// ShapeDocumented answers the documented bare {data, meta}.
	ShapeDocumented = "documented"
	// ShapeAPI nests it under result, as the public API definition does.
	ShapeAPI = "api"
)

// Options say what the service serves. The zero value of each has a default.
type Options struct {
	// Catalog gives the kinds; without one the service has no connectors.
	Catalog *catalog.Catalog
	// Strangers gives kinds that its clients do not know, for a workspace of their own;
	// without one there is no such workspace.
	Strangers *catalog.Catalog
	// Seed of the generated data. The same seed gives the same data on the same day.
	Seed int64
	// Records per ordinary entity (250 when 0); crowded entities have eight times as many.
	Records int
	// Shape of search answers: ShapeDocumented or ShapeAPI.
	Shape string
	// Names that calls and answers are in: NamesNeutral or NamesWire.
	Names string
	// Faults that every execute call shows.
	Faults []Fault
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log receives one line per request; nil for none.
	Log func(line string)
}

// Service is the sandbox. Its methods are safe for several goroutines.
type Service struct {
	opts  Options
	start func() *account
	// keeper bounds the memory of all data together.
	keeper keeper
	// writes and written count what was kept of what clients sent.
	writes, written atomic.Int64
}

// usualRecords is how many records an ordinary entity has where nobody says it.
const usualRecords = 250

// New returns a service. Nothing is generated until it is asked for.
func New(opts Options) *Service {
	if opts.Records <= 0 {
		opts.Records = usualRecords
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	opts.Shape = cmp.Or(opts.Shape, ShapeDocumented)
	s := &Service{opts: opts}
	s.keeper.most = mostCells * max(opts.Records/usualRecords, 1)
	s.start = sync.OnceValue(func() *account { return newAccount(s) })
	return s
}

// EnvAt lists the environment variables with which a client reaches a service that
// listens at an address. PLATFORM_TOKEN wins over the client id and secret and needs
// no organization. One with the names of the real definitions lists those of the real
// service's own clients too, their sign-in and their page for connectors among them.
func EnvAt(baseURL, names string) [][2]string {
	out := [][2]string{
		{"PLATFORM_BASE_URL", baseURL},
		{"PLATFORM_TOKEN", Token},
		{"PLATFORM_CLIENT_ID", ClientID},
		{"PLATFORM_CLIENT_SECRET", ClientSecret},
		{"PLATFORM_ORGANIZATION_ID", OrganizationID},
	}
	if names == NamesWire {
		out = append(out, [][2]string{
			{"PLATFORM_NAMES", NamesWire},
			{"AIRBYTE_API_HOST", baseURL},
			{"AIRBYTE_CLIENT_ID", ClientID},
			{"AIRBYTE_CLIENT_SECRET", ClientSecret},
			{"AIRBYTE_ORGANIZATION_ID", OrganizationID},
			{"AIRBYTE_KEYCLOAK_URL", baseURL + Realm},
			{"AIRBYTE_WEBAPP_URL", baseURL},
			{"SDK_DEV_ADP_API_HOST", baseURL},
		}...)
	}
	return out
}

// RoundTripper serves requests in memory, without sockets.
func (s *Service) RoundTripper() http.RoundTripper { return roundTripper{s} }

// answer is what a handler returns: a body and, unless it is JSON, its type.
// Whatever finds that a request cannot be served panics with the answer that
// refuses it, however deep it stands; call.answer catches it.
type answer struct {
	status int
	body   []byte
	header [][2]string
}

func refuse(status int, format string, args ...any) *answer {
	return refuseField(status, "", "", format, args...)
}

// refuseField refuses what a field of the request holds.
func refuseField(status int, field, code, format string, args ...any) *answer {
	message := fmt.Sprintf(format, args...)
	return &answer{status: status, body: rawjson.Encode(rawjson.NewMap("message", message, "errors",
		[]any{rawjson.NewMap("field", orNull(field), "message", message, "error_code", orNull(code), "details", nil)}))}
}

// invalid refuses a field of the request with status 422.
func invalid(field, format string, args ...any) *answer {
	return refuseField(http.StatusUnprocessableEntity, field, "value_error", format, args...)
}

func ok(o *rawjson.Map) *answer {
	return &answer{status: http.StatusOK, body: rawjson.Encode(o)}
}

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{s: s, r: r, w: w, started: s.opts.Now()}
	a := c.answer()
	if a.status != http.StatusNoContent {
		w.Header().Set("Content-Type", "application/json")
	}
	for _, p := range a.header {
		w.Header().Set(p[0], p[1])
	}
	c.writeFaulty(a)
	if s.opts.Log != nil { // no header and no body, so no secret
		s.opts.Log(strings.TrimSpace(fmt.Sprintf("%s %s %s -> %d, %d bytes, %d ms %s",
			c.started.UTC().Format(time.RFC3339), shortened(r.Method), shortened(r.URL.EscapedPath()), a.status,
			len(a.body), s.opts.Now().Sub(c.started).Milliseconds(), shortened(c.what))))
	}
	if c.abort {
		panic(http.ErrAbortHandler)
	}
}

// shortened is what the log holds of a text that a client chose.
func shortened(text string) string {
	const most = 200
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}

// call is one request on its way through the service.
type call struct {
	s *Service
	r *http.Request
	w http.ResponseWriter
	// started is when the request arrived.
	started time.Time
	a       *account
	// org is the organization that the request speaks for; empty when it has yet to be chosen.
	org string
	// id is the identifier in the path, ws or target what it names, in the body, and
	// tag the name of a tag at the end of the path.
	id, tag string
	ws      *workspace
	target  *connector
	in      *rawjson.Map
	// op is the operation of an execute request, once its entity is known.
	op *operation
	// size is how many bytes in was read from.
	size int
	// workspace is the only one that a token for one workspace speaks for.
	workspace string
	// what is the operation, for the log.
	what   string
	faults []Fault
	// abort breaks the connection after the answer.
	abort bool
}

// answer routes the request, or says why it is refused.
func (c *call) answer() (a *answer) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *answer:
			a = c.refuses(p)
		default:
			panic(p)
		}
	}()
	return c.route()
}

// orNull is null for an empty text.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// roundTripper answers requests by calling the service.
type roundTripper struct{ s *Service }

// RoundTrip implements http.RoundTripper.
func (t roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	r := req.Clone(req.Context())
	if r.Body == nil {
		r.Body = http.NoBody
	}
	defer r.Body.Close()
	w := &recorder{header: http.Header{}}
	cut, err := w.serve(t.s, r)
	if err != nil {
		return nil, err
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	length, _ := strconv.ParseInt(w.header.Get("Content-Length"), 10, 64)
	var body io.Reader = &w.body
	if cut {
		body = io.MultiReader(&w.body, cutReader{})
	}
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(body), ContentLength: length, Request: req,
	}, nil
}

// recorder keeps what a handler writes.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (w *recorder) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// serve runs the handler; cut tells that it gave up in the middle of the body.
func (w *recorder) serve(s *Service, r *http.Request) (cut bool, err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			cut = true
		default:
			err = fmt.Errorf("the sandbox failed on %s %s: %v", r.Method, r.URL.Path, p)
		}
	}()
	s.ServeHTTP(w, r)
	return false, nil
}

// cutReader is the end of a connection that broke.
type cutReader struct{}

// Read implements io.Reader.
func (cutReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Server serves the service to other programs at an address.
func (s *Service) Server(address string) *http.Server {
	return listen.Server(listen.Options{Name: "The sandbox", Address: address, Handler: s, Log: s.opts.Log})
}
