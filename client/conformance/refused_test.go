package conformance

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"patchbay/client/sandbox"
)

// pathParam is a param within a path.
var pathParam = regexp.MustCompile(`\{\w+\}`)

// TestEveryOperationRefuses walks all operations of the definition: without a token, with
// an identifier or a value of the query string that is none, and without each member that
// a body needs. Each is answered with a declared error.
func TestEveryOperationRefuses(t *testing.T) {
	b := newBench(t, sandbox.Options{})
	if len(b.d.Paths) < 40 {
		t.Fatalf("only %d paths", len(b.d.Paths))
	}
	for path, methods := range b.d.Paths {
		for method, op := range methods {
			b.refuses(strings.ToUpper(method), path, op)
		}
	}
}

func (b *bench) refuses(method, path string, op *operation) {
	b.t.Helper()
	at := func(value string) string {
		return pathParam.ReplaceAllString(path, value)
	}
	body := ""
	if op.Body != nil {
		body = `{}`
	}
	if len(op.Security) > 0 {
		b.wants(method, at(nobody), body, op, []int{http.StatusUnauthorized}, "Authorization", "")
	}
	for _, p := range op.Parameters {
		typed := string(p.Schema)
		switch {
		case p.In == "path" && strings.Contains(typed, "uuid"):
			b.wants(method, at("none"), body, op, []int{403, 404, 422})
		case p.In == "header":
			b.wants(method, at(nobody), body, op, []int{422}, p.Name, "none")
		case p.In == "query" && (strings.Contains(typed, "uuid") || strings.Contains(typed, "enum") ||
			strings.Contains(typed, "boolean") || strings.Contains(typed, "integer")):
			b.wants(method, at(nobody)+"?workspace_name=demo&id=x&query=x&"+p.Name+"=n%20o", body, op, []int{400, 403, 404, 422})
		}
	}
	if op.Body == nil {
		return
	}
	b.wants(method, at(nobody), "", op, []int{400, 403, 404, 422})
	b.wants(method, at(nobody), "[]", op, []int{400, 403, 404, 422})
	for _, name := range b.required(op.Body.Content["application/json"].Schema.Ref) {
		o := map[string]any{}
		for _, other := range b.required(op.Body.Content["application/json"].Schema.Ref) {
			if other != name {
				o[other] = "x"
			}
		}
		raw, err := json.Marshal(o)
		if err != nil {
			b.t.Fatal(err)
		}
		b.wants(method, at(nobody), string(raw), op, []int{403, 404, 422})
	}
}

// wants makes a call that has to be refused with one of the statuses, in the declared form.
func (b *bench) wants(method, path, body string, op *operation, statuses []int, header ...string) {
	b.t.Helper()
	r := b.raw(method, path, body, header...)
	if !slices.Contains(statuses, r.status) {
		b.t.Errorf("%s %s %s %v: %d, want %v: %.200s", method, path, body, header, r.status, statuses, r.body)
		return
	}
	if err := b.d.response(op, r.status, r.header, r.body); err != nil {
		b.t.Errorf("%s %s %s: %v", method, path, body, err)
	}
	b.error(method+" "+path, r.body)
}

// required are the members that a type cannot be without.
func (b *bench) required(ref string) []string {
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Required []string }
		}
	}
	raw, err := readDefinition()
	if err != nil || json.Unmarshal(raw, &doc) != nil {
		b.t.Fatal(err)
	}
	return doc.Components.Schemas[ref[strings.LastIndex(ref, "/")+1:]].Required
}
