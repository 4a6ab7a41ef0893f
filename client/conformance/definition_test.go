package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// definition is the public definition of the hosted API. What it does not
// declare but clients are known to use is marked x-declared: false.
type definition struct {
	Paths    map[string]map[string]*operation `json:"paths"`
	compiler *jsonschema.Compiler
}

// operation is a method of a path.
type operation struct {
	Declared   *bool   `json:"x-declared"`
	Parameters []param `json:"parameters"`
	Body       *struct {
		Content map[string]media `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]media `json:"content"`
	} `json:"responses"`
	Security []json.RawMessage `json:"security"`
}

type media struct {
	Schema struct {
		Ref string `json:"$ref"`
	} `json:"schema"`
}

type param struct {
	Name     string          `json:"name"`
	In       string          `json:"in"`
	Required bool            `json:"required"`
	Schema   json.RawMessage `json:"schema"`
}

const definitionFile = "../../testdata/platform/definition.json"

var readDefinition = sync.OnceValues(func() ([]byte, error) { return os.ReadFile(definitionFile) })

var theDefinition = sync.OnceValues(func() (*definition, error) {
	raw, err := readDefinition()
	if err != nil {
		return nil, err
	}
	d := &definition{compiler: jsonschema.NewCompiler()}
	if err := json.Unmarshal(raw, d); err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	d.compiler.AssertFormat()
	return d, d.compiler.AddResource("definition.json", document)
})

func load(t testing.TB) *definition {
	t.Helper()
	d, err := theDefinition()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// find returns the operation of a request and the values of its path params.
// A fixed segment wins over a param.
func (d *definition) find(method, path string) (*operation, map[string]string) {
	var best *operation
	var values map[string]string
	for template, methods := range d.Paths {
		op := methods[strings.ToLower(method)]
		got, fits := matchPath(template, path)
		if op != nil && fits && (best == nil || len(got) < len(values)) {
			best, values = op, got
		}
	}
	return best, values
}

func matchPath(template, path string) (map[string]string, bool) {
	want, have := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return nil, false
	}
	values := map[string]string{}
	for i, segment := range want {
		if name, isParam := strings.CutPrefix(segment, "{"); isParam {
			values[strings.TrimSuffix(name, "}")] = have[i]
		} else if segment != have[i] {
			return nil, false
		}
	}
	return values, true
}

var schemaMu sync.Mutex

// check holds a JSON text against a named type.
func (d *definition) check(ref string, body []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	schemaMu.Lock()
	defer schemaMu.Unlock()
	schema, err := d.compiler.Compile("definition.json" + ref)
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// checkValue holds one param's text against its schema.
func (d *definition) checkValue(p param, text string) error {
	var s struct {
		Type any `json:"type"`
	}
	_ = json.Unmarshal(p.Schema, &s)
	var v any = text
	switch types := fmt.Sprint(s.Type); {
	case strings.Contains(types, "integer"):
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%s %q is no integer", p.Name, text)
		}
		v = n
	case strings.Contains(types, "boolean"):
		v = text == "true"
		if text != "true" && text != "false" {
			return fmt.Errorf("%s %q is no boolean", p.Name, text)
		}
	case strings.Contains(types, "array"):
		v = []any{text}
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(p.Schema))
	if err == nil {
		err = compiler.AddResource("param.json", document)
	}
	if err != nil {
		return err
	}
	schema, err := compiler.Compile("param.json")
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// request checks everything that a client sent: path, query, headers, body.
func (d *definition) request(r *http.Request, path string, body []byte) (*operation, []string) {
	op, values := d.find(r.Method, path)
	if op == nil {
		return nil, []string{"the definition has no " + r.Method + " " + path}
	}
	var wrong []string
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if len(op.Security) > 0 && !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
		say("no bearer token")
	}
	if len(op.Security) == 0 && r.Header.Get("Authorization") != "" {
		say("a token where none is wanted")
	}
	wrong = append(wrong, d.params(op, r, values)...)
	switch {
	case op.Body == nil && len(body) > 0:
		say("a body where none is wanted: %s", body)
	case op.Body != nil && r.Header.Get("Content-Type") != "application/json":
		say("content type %q", r.Header.Get("Content-Type"))
	case op.Body != nil:
		if err := d.check(op.Body.Content["application/json"].Schema.Ref, body); err != nil {
			say("body %s: %v", body, err)
		}
	}
	return op, wrong
}

func (d *definition) params(op *operation, r *http.Request, values map[string]string) []string {
	var wrong []string
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		say("query: %v", err)
	}
	for _, p := range op.Parameters {
		var given []string
		switch p.In {
		case "query":
			given = query[p.Name]
			delete(query, p.Name)
		case "header":
			given = r.Header.Values(p.Name)
		case "path":
			given = []string{values[p.Name]}
		}
		if p.Required && len(given) == 0 {
			say("%s is missing", p.Name)
		}
		for _, text := range given {
			if err := d.checkValue(p, text); err != nil {
				say("%s %s: %v", p.In, p.Name, err)
			}
		}
	}
	for name := range query {
		say("unknown query param %s", name)
	}
	return wrong
}

// alsoSeen are statuses of no operation in particular: a method that a path has not,
// and a range that a file has not. Both carry the declared error body.
var alsoSeen = []int{405, 416}

// response checks an answer: a declared status, its content type and its body.
func (d *definition) response(op *operation, status int, header http.Header, body []byte) error {
	told, ok := op.Responses[strconv.Itoa(status)]
	if ok && told.Content == nil {
		if len(body) > 0 || header.Get("Content-Type") != "" {
			return fmt.Errorf("a body where none is declared: %.200s", body)
		}
		return nil
	}
	if header.Get("Content-Type") != "application/json" {
		return fmt.Errorf("content type %q", header.Get("Content-Type"))
	}
	if ok {
		return d.check(told.Content["application/json"].Schema.Ref, body)
	}
	for _, seen := range alsoSeen {
		if status == seen {
			return d.check("#/components/schemas/ApiErrorResponse", body)
		}
	}
	return fmt.Errorf("status %d is not declared: %.200s", status, body)
}
