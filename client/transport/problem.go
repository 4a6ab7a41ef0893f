package transport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
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
		return Problem{HTML: true, Message: Clip(pageTitle(body))}
	}
	var value any
	if json.Unmarshal(body, &value) != nil {
		return Problem{Message: Clip(string(body))}
	}
	r := &problemReader{}
	r.value(value, 0)
	r.p.Message = Clip(strings.Join(r.texts, "; "))
	return r.p
}

func isHTML(contentType string, body []byte) bool {
	if strings.Contains(strings.ToLower(contentType), "html") {
		return len(body) == 0 || body[0] == '<'
	}
	head := strings.ToLower(string(body[:min(len(body), 64)]))
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html")
}

// pageTitles find what a web page is called.
var pageTitles = []*regexp.Regexp{
	regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`), regexp.MustCompile(`(?is)<h1[^>]*>(.*?)</h1`),
}

func pageTitle(body []byte) string {
	for _, title := range pageTitles {
		if found := title.FindSubmatch(body); found != nil {
			return html.UnescapeString(strings.TrimSpace(string(found[1])))
		}
	}
	return ""
}

// Clip makes one short line of valid text.
func Clip(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) <= longestText {
		return s
	}
	return strings.ToValidUTF8(s[:longestText], "") + "..."
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
	for i, said := range r.texts {
		switch {
		case strings.Contains(said, text):
			return
		case strings.Contains(text, said): // the same with its place: say it once
			r.texts[i] = text
			return
		}
	}
	if text != "" {
		r.texts = append(r.texts, text)
	}
}

// messageKeys hold a text for people, the best first; partKeys hold more of the same kind.
var (
	messageKeys = []string{"userPresentableMessage", "message", "msg", "error_message", "errorMessage",
		"external_message", "error_description", "description", "reason"}
	partKeys = []string{"error", "errors", "detail", "details", "errorMessages", "faults", "failure_reason"}
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
	text, isText := v.(string)
	fields, isObject := v.(map[string]any)
	switch {
	case isText && said && !strings.Contains(text, " "):
		r.p.Code = cmp.Or(r.p.Code, Clip(text))
	case isObject && key == "errors" && isFieldMap(fields):
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			r.say(fmt.Sprintf("%s: %v", name, fields[name]))
			r.p.Field = Clip(name)
		}
	case isObject && key == "details" && said:
		r.marks(fields)
	default:
		r.value(v, depth+1)
	}
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
	param, _ := o["param"].(string)
	field = cmp.Or(field, location(o["loc"]), param)
	if field == "" || field == "body" {
		return text
	}
	r.p.Field = cmp.Or(r.p.Field, Clip(field))
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
			r.p.Code = Clip(text)
			r.p.ThirdParty = r.p.ThirdParty || Mentions(strings.ToLower(text), upstreamWords...)
		}
	}
	if origin, ok := o["failure_origin"].(string); ok && (origin == "source" || origin == "destination") {
		r.p.ThirdParty = true
	}
	for _, key := range []string{"upstream_status", "upstream_status_code", "source_status", "third_party_status",
		"vendor_status"} {
		if n, ok := o[key].(float64); ok && n >= 100 && n < 600 {
			r.p.UpstreamStatus, r.p.ThirdParty = int(n), true
		}
	}
}

// upstreamWords stand in the codes of errors that the system behind the service made.
var upstreamWords = []string{"upstream", "third_party", "thirdparty", "vendor", "source_api", "connector_api",
	"source_error", "connector_error"}

// Mentions reports whether any of the words stands in a text.
func Mentions(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}
