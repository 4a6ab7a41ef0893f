package definition

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"patchbay/catalog/source"
)

func TestWhatIsNoDefinition(t *testing.T) {
	bomb := "openapi: 3.0.0\ninfo: {title: x, version: '1'}\npaths: {}\nx-a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n"
	for i := range 12 {
		alias := fmt.Sprintf("*a%d,", i)
		bomb += fmt.Sprintf("x-a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(alias, 10), ","))
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty":      {"", "the file is empty"},
		"web page":   {"<!DOCTYPE html><html></html>", "web page"},
		"other YAML": {"kind: widgets\n", "no definition of an API"},
		"wrong YAML": {"openapi: 3.0.0\ninfo: [\npaths: {}\n", "bad.yaml:"},
		"no paths":   {"openapi: 3.1.0\ninfo: {title: Empty, version: '1'}\n", "no operation that can be taken"},
		"too large":  {strings.Repeat(" ", MaxSize+1), "larger than"},
		"bomb":       {bomb, ""},
		"a list":     {"- 1\n- 2\n", "no definition of an API"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Import([]byte(c.text), Options{From: "bad.yaml"})
			if _, told := errors.AsType[*Problem](err); !told || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// odd is a definition in which much is missing, twice, or leads to itself.
const odd = `openapi: 3.0.0
info: {title: Odd, version: "1"}
paths:
  /loops:
    get:
      operationId: same
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}}
  /loops/{id}:
    get:
      operationId: same
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Gone"}}}}}
    delete: {}
  /trees:
    get:
      parameters: [{name: session, in: cookie, schema: {type: string}}, {name: deep, in: query, schema: {$ref: "#/components/schemas/C"}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/C"}}}}}}
components:
  schemas:
    A: {$ref: "#/components/schemas/B"}
    B: {$ref: "#/components/schemas/A"}
    C: {type: object, properties: {c: {$ref: "#/components/schemas/C"}, all: {allOf: [{$ref: "#/components/schemas/C"}]}, id: {type: integer}}}
`

func TestOddDefinitionsBecomeWhatTheyCan(t *testing.T) {
	r, err := Import([]byte(odd), Options{From: "odd.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	readable(t, r)
	want := "GET /loops: list loops\nGET /loops/{id}: get loops\nDELETE /loops/{id}: delete loops\nGET /trees: list trees\n"
	if got := table(r); got != want {
		t.Errorf("%s", got)
	}
	left := strings.Join(r.Left, "\n")
	for _, want := range []string{"names no server", "cookie", "refers to what is not there",
		"leads back to itself"} {
		if !strings.Contains(left, want) {
			t.Errorf("nothing is told of %q: %s", want, left)
		}
	}
	if r.Kind.Local.BaseURL != "{base_url}" || r.Kind.ConfigField("base_url") == nil {
		t.Errorf("the address is not asked for: %+v", r.Kind.Local)
	}
}

// many is a definition of n operations.
func many(n int) []byte {
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: Many, version: '1'}\nservers: [{url: 'https://many.example'}]\npaths:\n")
	for i := range n / 2 {
		fmt.Fprintf(&b, "  /group%d/things%d:\n    get:\n      operationId: list%d\n      parameters:\n"+
			"        - {name: page, in: query, schema: {type: integer}}\n        - {name: limit, in: query, schema: {type: integer}}\n"+
			"      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/T%d'}}}}}}\n"+
			"    post:\n      operationId: add%d\n      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/T%d'}}}}\n"+
			"      responses: {'201': {description: made}}\n", i%40, i, i, i, i, i)
	}
	b.WriteString("components:\n  schemas:\n")
	for i := range n / 2 {
		fmt.Fprintf(&b, "    T%d:\n      type: object\n      properties:\n", i)
		for j := range 12 {
			fmt.Fprintf(&b, "        field%d: {type: string, description: 'What field %d holds.', nullable: true}\n", j, j)
		}
		fmt.Fprintf(&b, "        next: {$ref: '#/components/schemas/T%d'}\n", (i+1)%(n/2))
	}
	return []byte(b.String())
}

func TestManyOperations(t *testing.T) {
	r, err := Import(many(2000), Options{From: "many.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2000 || r.Kind.ActionCount() != 2000 {
		t.Errorf("%d operations became %d actions", len(r.Rows), r.Kind.ActionCount())
	}
	readable(t, r)
}

func BenchmarkImport1000(b *testing.B) {
	data := many(1000)
	for b.Loop() {
		if _, err := Import(data, Options{From: "many.yaml"}); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(odd))
	f.Add(many(4))
	f.Add([]byte("swagger: '2.0'\ninfo: {title: x}\npaths: {/a: {get: {parameters: [{in: body}]}}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Import(data, Options{From: "fuzz.yaml"})
		if err != nil {
			return
		}
		if _, problems := source.Parse("kind.yaml", source.Write(r.Kind)); len(problems) > 0 {
			t.Errorf("the kind cannot be read back: %v", problems[0])
		}
	})
}
