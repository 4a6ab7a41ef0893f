package hosted

import (
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/transport"
)

// errorBody reads a failure that came as the whole body, or the whole result,
// with a good status: {"error": ...} where records were asked for.
func (c *Client) errorBody(r request, res *transport.Result, env *client.Envelope, s *scan, entity *catalog.Entity) error {
	if !env.Single || !tellsOnlyError(s, env, entity) {
		return nil
	}
	body := env.Body.Slice(env.Records.From, min(env.Records.To, env.Records.From+1<<20))
	p := transport.ReadProblem("application/json", body)
	e := &client.Error{
		Class: client.ClassUpstream, Layer: client.LayerThirdParty, Status: res.Status, Doing: r.doing, Attempts: res.Attempts, Envelope: env,
		Message: "an error came instead of records, with a status that says all is well", Server: c.t.Redactor().Text(p.Message), Field: p.Field,
		Next: "The Raw view shows the whole answer.", RequestID: transport.RequestID(res.Header),
	}
	if p.UpstreamStatus != 0 {
		e.Class = transport.ClassOf(p.UpstreamStatus)
	}
	return c.sure(r, e)
}

// mostInError is how many members an object has that only tells of an error.
const mostInError = 8

// tellsOnlyError tells whether an object where a record should be holds an
// error and is no record: its key is not there, and no field of the record goes
// by the error's name.
func tellsOnlyError(s *scan, env *client.Envelope, entity *catalog.Entity) bool {
	children := s.children(env.RecordsPath)
	if len(children) > mostInError {
		return false
	}
	key, record := "id", []catalog.Field(nil)
	if entity != nil {
		key, record = entity.Key, entity.Record
	}
	found := false
	for _, m := range children {
		name := m.path[strings.LastIndexByte(m.path, '.')+1:]
		switch {
		case name == key || name == "id":
			return false
		case (name == "error" || name == "errors") && catalog.FieldAt(record, name) == nil:
			text := string(env.Body.Slice(m.span.From, min(m.span.To, m.span.From+5)))
			found = found || text != "null" && text != "false" && text != `""` && text != "[]" && text != "{}"
		case name == "status" && catalog.FieldAt(record, name) == nil:
			text := string(env.Body.Slice(m.span.From, min(m.span.To, m.span.From+10)))
			found = found || slices.Contains([]string{`"error"`, `"failed"`, `"failure"`}, strings.ToLower(text))
		}
	}
	return found
}
