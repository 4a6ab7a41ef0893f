package sandbox

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// maxBody bounds a request; the real service takes no more than a few megabytes.
const maxBody = 16 << 20

// refusal is an answer that is not 200, with the service's error body.
type refusal struct {
	status  int
	message string
	field   string
	code    string
	header  [][2]string
}

// Error implements error.
func (r *refusal) Error() string { return r.message }

func refuse(status int, format string, args ...any) *refusal {
	return &refusal{status: status, message: fmt.Sprintf(format, args...)}
}

// invalid refuses a field of the request with status 422.
func invalid(field, format string, args ...any) *refusal {
	return &refusal{status: http.StatusUnprocessableEntity, message: fmt.Sprintf(format, args...), field: field, code: "value_error"}
}

// answer is what a handler returns: a body and, unless it is JSON, its type.
type answer struct {
	status int
	body   []byte
	header [][2]string
}

func ok(o *object) *answer { return &answer{status: http.StatusOK, body: appendObject(nil, o)} }

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	started := s.opts.Now()
	c := &call{s: s, r: r, w: w, started: started}
	a, err := c.route()
	if err != nil {
		a = errorAnswer(err)
	}
	if a != nil {
		c.send(a)
	}
	if s.opts.Log != nil {
		s.opts.Log(c.line(started, a))
	}
	if c.abort {
		panic(http.ErrAbortHandler)
	}
}

// call is one request on its way through the service.
type call struct {
	s *Service
	r *http.Request
	w http.ResponseWriter
	// started is when the request arrived.
	started time.Time
	// org is the organization that the request speaks for; empty when it has yet to be chosen.
	org string
	// workspace is the only one that a token for one workspace speaks for.
	workspace string
	// what is the operation, for the log.
	what   string
	faults []Fault
	// abort breaks the connection after the answer.
	abort bool
}

func (c *call) send(a *answer) {
	h := c.w.Header()
	h.Set("Content-Type", "application/json")
	for _, p := range a.header {
		h.Set(p[0], p[1])
	}
	c.writeFaulty(a)
}

// line is the log line: no header and no body, so no secret.
func (c *call) line(started time.Time, a *answer) string {
	status, size := 0, 0
	if a != nil {
		status, size = a.status, len(a.body)
	}
	text := fmt.Sprintf("%s %s %s -> %d, %d bytes, %d ms", started.UTC().Format(time.RFC3339), c.r.Method, c.r.URL.EscapedPath(), status, size, c.s.opts.Now().Sub(started).Milliseconds())
	if c.what != "" {
		text += " " + c.what
	}
	return text
}

func errorAnswer(err error) *answer {
	var r *refusal
	if !errors.As(err, &r) {
		r = refuse(http.StatusInternalServerError, "The sandbox failed: %v", err)
	}
	var field, code any
	if r.field != "" {
		field = r.field
	}
	if r.code != "" {
		code = r.code
	}
	body := newObject("message", r.message, "errors", []any{newObject("field", field, "message", r.message, "error_code", code, "details", nil)})
	return &answer{status: r.status, body: appendObject(nil, body), header: r.header}
}

// route finds the handler of a request.
func (c *call) route() (*answer, error) {
	path := strings.Trim(c.r.URL.Path, "/")
	rest, isAPI := strings.CutPrefix(path, "api/v1/")
	if !isAPI {
		return c.outside(path)
	}
	if rest == "account/applications/token" {
		return c.only(http.MethodPost, c.token)
	}
	if err := c.authenticate(); err != nil {
		return nil, err
	}
	parts := strings.Split(rest, "/")
	if rest == "internal/account/organizations" || rest == "organizations" {
		return c.only(http.MethodGet, c.organizations)
	}
	if c.org == "" {
		return nil, refuse(http.StatusBadRequest, "Several organizations are reachable with these credentials: specify target organization with the X-Organization-Id header.")
	}
	switch {
	case parts[0] == "workspaces":
		return c.workspaces(parts[1:])
	case parts[0] == "skills":
		return c.skills(parts[1:])
	case below(rest, "integrations/connectors"):
		return c.connectors(parts[2:])
	case below(rest, "integrations/definitions/sources"):
		return c.definitions(parts[3:])
	case below(rest, "integrations/templates/sources"):
		return c.templates(parts[3:])
	case below(rest, "internal/mcp_oauth/sessions"):
		return c.sessions(parts[3:])
	case parts[0] == "organizations" && len(parts) == 3 && parts[2] == "credentials":
		return c.only(http.MethodGet, func() (*answer, error) { return c.stores(parts[1]) })
	case rest == "account/applications/scoped-token":
		return c.only(http.MethodPost, c.scopedToken)
	case rest == "account/applications/scoped-token/info":
		return c.only(http.MethodGet, c.scopedTokenInfo)
	case rest == "account/applications/widget-token":
		return c.only(http.MethodPost, c.widgetToken)
	}
	return nil, refuse(http.StatusNotFound, "The service has no endpoint %s.", c.r.URL.Path)
}

// below tells whether a path is another one or lies below it.
func below(path, parent string) bool {
	rest, found := strings.CutPrefix(path, parent)
	return found && (rest == "" || rest[0] == '/')
}

// outside answers what lies beside the API.
func (c *call) outside(path string) (*answer, error) {
	if path == "" || path == "health" {
		return ok(newObject("status", "ok", "service", "patchbay sandbox")), nil
	}
	if path == "consent" {
		return c.only(http.MethodGet, c.consented)
	}
	return nil, refuse(http.StatusNotFound, "The service has no endpoint %s; its paths begin with /api/v1.", c.r.URL.Path)
}

func (c *call) only(method string, handle func() (*answer, error)) (*answer, error) {
	if c.r.Method != method {
		return nil, c.wrongMethod(method)
	}
	return handle()
}

func (c *call) wrongMethod(allowed string) *refusal {
	r := refuse(http.StatusMethodNotAllowed, "%s is not allowed here; use %s.", c.r.Method, allowed)
	r.header = [][2]string{{"Allow", allowed}}
	return r
}

// body reads the JSON object of a request.
func (c *call) body() (*object, error) {
	data, err := io.ReadAll(io.LimitReader(c.r.Body, maxBody+1))
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "The request body could not be read: %v", err)
	}
	if len(data) > maxBody {
		return nil, refuse(http.StatusRequestEntityTooLarge, "The request body is larger than %d bytes.", maxBody)
	}
	if len(data) == 0 {
		return nil, invalid("body", "A JSON body is required.")
	}
	if t := c.r.Header.Get("Content-Type"); !strings.HasPrefix(strings.ToLower(t), "application/json") {
		return nil, refuse(http.StatusUnsupportedMediaType, "The Content-Type is %q; it must be application/json.", t)
	}
	v, err := parseJSON(data)
	if err != nil {
		return nil, invalid("body", "The body is not valid JSON: %v", err)
	}
	o, isObject := v.(*object)
	if !isObject {
		return nil, invalid("body", "The body must be a JSON object.")
	}
	return o, nil
}
