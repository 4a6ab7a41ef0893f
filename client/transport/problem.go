package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// readBody is how much of an error body is read, longestText how much of what it says is kept.
	readBody    = 1 << 20
	longestText = 500
)

// Problem is what the body of a failed answer says. All of it is untrusted text.
type Problem struct {
	// Message is the text for people; several are joined by "; ".
	Message string
	// Field and Code name the param that is wrong and the server's own code.
	Field, Code string
	// HTML is set when the body is a web page: a proxy or a sign-in page answered.
	HTML bool
	// ThirdParty is set when the body says that the system behind the service failed.
	ThirdParty bool
	// UpstreamStatus is the status of the system behind the service; 0 when not told.
	UpstreamStatus int
}

// ReadProblem reads an error body of any shape: message, error (text or
// object), errors[] of texts or objects, detail (text or a list of places and
// messages), error_description, title and detail of a problem document, a web
// page's title, plain text.
func ReadProblem(contentType string, body []byte) Problem {
	body = bytes.TrimSpace(body[:min(len(body), readBody)])
	if isHTML(contentType, body) {
		return Problem{HTML: true, Message: clip(pageTitle(body))}
	}
	var value any
	if json.Unmarshal(body, &value) != nil {
		return Problem{Message: clip(string(body))}
	}
	r := &problemReader{}
	r.value(value, 0)
	r.p.Message = clip(strings.Join(r.texts, "; "))
	return r.p
}

func isHTML(contentType string, body []byte) bool {
	if strings.Contains(strings.ToLower(contentType), "html") {
		return len(body) == 0 || body[0] == '<'
	}
	head := strings.ToLower(string(body[:min(len(body), 64)]))
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html")
}

func pageTitle(body []byte) string {
	lower := bytes.ToLower(body)
	for _, tag := range []string{"title", "h1"} {
		from := bytes.Index(lower, []byte("<"+tag))
		if from < 0 {
			continue
		}
		open := bytes.IndexByte(body[from:], '>')
		if open < 0 || len(lower) != len(body) {
			continue
		}
		rest := body[from+open+1:]
		if to := bytes.Index(lower[from+open+1:], []byte("</"+tag)); to >= 0 {
			return html.UnescapeString(strings.TrimSpace(string(rest[:to])))
		}
	}
	return ""
}

// clip makes one short line of valid text.
func clip(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) <= longestText {
		return s
	}
	cut := longestText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

type problemReader struct {
	p     Problem
	texts []string
}

const deepest = 6

func (r *problemReader) value(v any, depth int) {
	if depth > deepest {
		return
	}
	switch v := v.(type) {
	case string:
		r.say(v)
	case []any:
		for _, item := range v[:min(len(v), 5)] {
			r.value(item, depth+1)
		}
	case map[string]any:
		r.object(v, depth)
	}
}

func (r *problemReader) say(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	for i, said := range r.texts {
		switch {
		case strings.Contains(said, text):
			return
		case strings.Contains(text, said): // the same with its place: say it once
			r.texts[i] = text
			return
		}
	}
	r.texts = append(r.texts, text)
}

// messageKeys hold a text for people, the best first; partKeys hold more of the same kind.
var (
	messageKeys = []string{"userPresentableMessage", "message", "msg", "error_message", "errorMessage", "external_message", "error_description", "description", "reason"}
	partKeys    = []string{"error", "errors", "detail", "details", "errorMessages", "faults", "failure_reason"}
)

func (r *problemReader) object(o map[string]any, depth int) {
	r.marks(o)
	said := len(r.texts)
	if _, problem := o["title"].(string); problem {
		r.value(o["title"], depth+1)
	}
	for _, key := range messageKeys {
		if text, ok := o[key].(string); ok && strings.TrimSpace(text) != "" {
			r.say(r.placed(o, text))
			break
		}
	}
	for _, key := range partKeys {
		r.part(key, o[key], depth, len(r.texts) > said)
	}
}

// part reads a nested member. A bare word beside a message is a code ("invalid_grant").
func (r *problemReader) part(key string, v any, depth int, said bool) {
	if text, ok := v.(string); ok && said && !strings.Contains(text, " ") {
		if r.p.Code == "" {
			r.p.Code = clip(text)
		}
		return
	}
	if fields, ok := v.(map[string]any); ok && key == "errors" && isFieldMap(fields) {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			r.say(fmt.Sprintf("%s: %v", name, fields[name]))
			r.p.Field = clip(name)
		}
		return
	}
	if _, object := v.(map[string]any); object && key == "details" && said {
		r.marks(v.(map[string]any))
		return
	}
	r.value(v, depth+1)
}

// isFieldMap tells {"limit": "is too large"} from an error object.
func isFieldMap(o map[string]any) bool {
	for key, v := range o {
		if _, ok := v.(string); !ok || key == "message" || key == "detail" {
			return false
		}
	}
	return len(o) > 0
}

// placed puts the name of the param before its message.
func (r *problemReader) placed(o map[string]any, text string) string {
	field, _ := o["field"].(string)
	if field == "" {
		field = location(o["loc"])
	}
	if field == "" {
		field, _ = o["param"].(string)
	}
	if field == "" || field == "body" {
		return text
	}
	if r.p.Field == "" {
		r.p.Field = clip(field)
	}
	if strings.Contains(text, field) {
		return text
	}
	return field + ": " + text
}

// location joins ["body", "params", "limit"] without its first word.
func location(v any) string {
	list, _ := v.([]any)
	var parts []string
	for i, item := range list {
		text, ok := item.(string)
		if ok && !(i == 0 && (text == "body" || text == "query" || text == "path" || text == "header")) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ".")
}

// marks reads codes and who failed.
func (r *problemReader) marks(o map[string]any) {
	for _, key := range []string{"error_code", "code", "type", "error_type"} {
		if text, ok := o[key].(string); ok && r.p.Code == "" {
			r.p.Code = clip(text)
			r.p.ThirdParty = r.p.ThirdParty || speaksOfUpstream(text)
		}
	}
	if origin, ok := o["failure_origin"].(string); ok && (origin == "source" || origin == "destination") {
		r.p.ThirdParty = true
	}
	for _, key := range []string{"upstream_status", "upstream_status_code", "source_status", "third_party_status", "vendor_status"} {
		if n, ok := o[key].(float64); ok && n >= 100 && n < 600 {
			r.p.UpstreamStatus, r.p.ThirdParty = int(n), true
		}
	}
}

func speaksOfUpstream(code string) bool {
	code = strings.ToLower(code)
	for _, word := range []string{"upstream", "third_party", "thirdparty", "vendor", "source_api", "connector_api", "source_error", "connector_error"} {
		if strings.Contains(code, word) {
			return true
		}
	}
	return false
}

// RequestID is the server's name for a request, for a support ticket; empty when it tells none.
func RequestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Correlation-Id", "X-Amzn-Requestid", "X-Trace-Id", "Cf-Ray"} {
		if id := h.Get(name); id != "" {
			return clip(id)
		}
	}
	return ""
}
