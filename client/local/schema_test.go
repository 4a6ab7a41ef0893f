package local

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"patchbay/catalog"
	"patchbay/client"
)

func schemaOf(t *testing.T, kind string) *ast.Schema {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "graphql", kind+".graphql"))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: kind, Input: string(data)})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// graphQLCall is the body of a request.
type graphQLCall struct {
	Query     string
	Variables map[string]any
}

// check parses a call and holds it against a schema, the values of its variables too.
func (c graphQLCall) check(schema *ast.Schema) (*ast.QueryDocument, error) {
	doc, wrong := gqlparser.LoadQueryWithRules(schema, c.Query, nil)
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%w in %s", wrong, c.Query)
	}
	if _, err := validator.VariableValues(schema, doc.Operations[0], c.Variables); err != nil {
		return nil, fmt.Errorf("%w in %s with %v", err, c.Query, c.Variables)
	}
	return doc, nil
}

// asked is the call that an operation makes.
func (up *upstream) asked(t *testing.T, cat *catalog.Catalog, entity, action string, params []byte) graphQLCall {
	t.Helper()
	s := always(200, nil, `{"data":{}}`)
	op := client.Operation{Entity: entity, Action: action, Params: params}
	_, err := up.client(cat, s).Execute(t.Context(), client.Target{Kind: up.Kind, Local: true, Name: "mine"}, op)
	if len(s.bodies) != 1 {
		t.Fatalf("%s.%s %s made %d calls: %v", entity, action, params, len(s.bodies), err)
	}
	var call graphQLCall
	if err := json.Unmarshal([]byte(s.bodies[0]), &call); err != nil {
		t.Fatal(err)
	}
	return call
}

// TestDocumentsFitTheSchema writes the documents of every recorded call, and those for
// each field that can be chosen, alone and through all its types.
func TestDocumentsFitTheSchema(t *testing.T) {
	cat := catalog.New()
	for _, name := range speakers(t, cat) {
		kind, err := cat.Kind(name)
		if err != nil {
			t.Fatal(err)
		}
		up, schema, checked := readUpstream(t, name), schemaOf(t, name), 0
		for _, call := range up.Calls {
			if call.Request.GraphQL == nil {
				continue
			}
			params := [][]byte{call.Params}
			g := kind.Entity(call.Entity).Action(call.Action).Binding.GraphQL
			if len(g.DefaultFields) > 0 {
				params = append(params, choices(t, call.Params, g)...)
			}
			for _, p := range params {
				if _, err := up.asked(t, cat, call.Entity, call.Action, p).check(schema); err != nil {
					t.Errorf("%s.%s %s: %v", call.Entity, call.Action, p, err)
				}
				checked++
			}
		}
		t.Logf("%s: %d documents", name, checked)
	}
}

// speakers are the kinds with a GraphQL document.
func speakers(t *testing.T, cat *catalog.Catalog) (out []string) {
	for _, summary := range cat.Kinds() {
		kind, err := cat.Kind(summary.Name)
		if err != nil {
			t.Fatal(err)
		}
		speaks := false
		for i := range kind.Entities {
			for _, a := range kind.Entities[i].Actions {
				speaks = speaks || a.Binding != nil && a.Binding.GraphQL != nil
			}
		}
		if speaks {
			out = append(out, summary.Name)
		}
	}
	if len(out) == 0 {
		t.Fatal("no kind speaks GraphQL")
	}
	return out
}

// choices are params that choose each default field, with its types and without.
func choices(t *testing.T, params []byte, g *catalog.GraphQL) (out [][]byte) {
	for _, d := range g.DefaultFields {
		for _, name := range d.Fields {
			path := strings.TrimPrefix(d.Path+"."+name, ".")
			out = append(out, choose(t, params, path), choose(t, params, untyped(path)))
		}
	}
	return out
}

func untyped(path string) string {
	var out []string
	for _, step := range steps(path) {
		if !strings.HasPrefix(step, fragment) {
			out = append(out, step)
		}
	}
	return strings.Join(out, ".")
}

func choose(t *testing.T, params []byte, fields ...string) []byte {
	t.Helper()
	all := map[string]any{}
	if err := json.Unmarshal(params, &all); err != nil {
		t.Fatal(err)
	}
	all["fields"] = fields
	out, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSchemasAreStrict holds the test above against documents that are wrong in ways
// that servers refuse.
func TestSchemasAreStrict(t *testing.T) {
	const items = `query($n: Int!) { organization(login: "o") { projectV2(number: $n) { items(first: 1) { nodes { %s } } } } }`
	types := `content { ... on Issue { %s } ... on PullRequest { %s } }`
	for _, c := range []struct {
		query     string
		variables map[string]any
		wrong     string
	}{
		{fmt.Sprintf(types, "state", "state"), map[string]any{"n": 1}, "conflict"},
		{fmt.Sprintf(types, "titleHTML", "titleHTML"), map[string]any{"n": 1}, "conflict"},
		{fmt.Sprintf(types, "nothing", "id"), map[string]any{"n": 1}, "Cannot query field"},
		{"content", map[string]any{"n": 1}, "must have a selection"},
		{"id", map[string]any{"n": "one"}, "Int"},
		{"id", map[string]any{}, "must be defined"},
		{"id", map[string]any{"n": 1}, ""},
	} {
		_, err := graphQLCall{fmt.Sprintf(items, c.query), c.variables}.check(schemaOf(t, "code_hosting"))
		if told := fmt.Sprint(err); c.wrong == "" && err != nil || !strings.Contains(told, c.wrong) && c.wrong != "" {
			t.Errorf("%s with %v is wrong as %q, want %q", c.query, c.variables, told, c.wrong)
		}
	}
}
