package kindfile

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/catalog/definition"
	"patchbay/catalog/source"
)

const first = `openapi: 3.0.3
info: {title: Orchard, version: "1"}
servers: [{url: "https://orchard.example"}]
paths:
  /trees:
    get:
      parameters: [{name: limit, in: query, schema: {type: integer, default: 10}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}
  /trees/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
`

// second has one operation more, one fewer, and another default.
var second = strings.NewReplacer("default: 10", "default: 20", "  /trees/{id}:\n    get:", "  /trees/{id}:\n    delete:").
	Replace(first)

func plan(t *testing.T, dir, text, name string, choices map[string]definition.Choice) *Plan {
	t.Helper()
	p, err := Folder{dir, catalog.New()}.Plan(&Definition{From: "orchard.yaml", Data: []byte(text)}, name, choices)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOwnEditsStayWhenADefinitionChanges(t *testing.T) {
	dir := t.TempDir()
	p := plan(t, dir, first, "", nil)
	if p.Known || p.Write() != nil {
		t.Fatal("the first import is not one")
	}
	file := filepath.Join(dir, "orchard.yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(data), "title: Orchard", "title: My trees # mine", 1)
	if err := os.WriteFile(file, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	p = plan(t, dir, second, "", nil)
	if !p.Known || !slices.Equal(p.Kept, []string{"title"}) {
		t.Errorf("kept: %q", p.Kept)
	}
	for _, want := range []string{"+ entities.trees.actions.delete", "- entities.trees.actions.get",
		"~ entities.trees.actions.list.params.limit.default"} {
		if !slices.Contains(p.Changes, want) {
			t.Errorf("%q is not among %q", want, p.Changes)
		}
	}
	if err := p.Write(); err != nil {
		t.Fatal(err)
	}
	c := catalog.New()
	if problems := source.Load(c, dir); len(problems) > 0 {
		t.Fatal(problems)
	}
	k, err := c.Kind("orchard")
	if err != nil || k.Title != "My trees" || k.Entity("trees").Action("get") != nil {
		t.Errorf("%+v, %v", k, err)
	}
	if data, _ = os.ReadFile(file); !strings.Contains(string(data), "# mine") {
		t.Error("the comment is gone")
	}
	if p = plan(t, dir, second, "", nil); len(p.Changes) != 0 || !slices.Equal(p.Kept, []string{"title"}) {
		t.Errorf("the same definition again changes %q", p.Changes)
	}
}

func TestChoicesAreRemembered(t *testing.T) {
	dir := t.TempDir()
	out := map[string]definition.Choice{"GET /trees/{id}": {Entity: "plants", Action: "get"}}
	if p := plan(t, dir, first, "", out); p.Write() != nil || p.Kind.Entity("plants") == nil {
		t.Fatal("the choice is not taken")
	}
	if p := plan(t, dir, first, "", nil); p.Kind.Entity("plants") == nil || len(p.Changes) > 0 {
		t.Errorf("the choice is forgotten: %q", p.Changes)
	}
}

func TestOtherKindsAreNotReplaced(t *testing.T) {
	dir := t.TempDir()
	known := catalog.New()
	own, _ := known.First()
	d := &Definition{From: "orchard.yaml", Data: []byte(first)}
	if _, err := (Folder{dir, known}).Plan(d, own, nil); err == nil || !strings.Contains(err.Error(), "has itself") {
		t.Errorf("a kind of the catalog may be replaced: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "orchard.yaml"), []byte("kind: orchard\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Folder{dir, known}).Plan(d, "", nil); err == nil || !strings.Contains(err.Error(), "not made by an import") {
		t.Errorf("a file of the person may be replaced: %v", err)
	}
}

func TestFetchedDefinitions(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch r.URL.Path {
		case "/good":
			_, _ = w.Write([]byte(first))
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html></html>"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	if d, err := Read(t.Context(), s.URL+"/good", nil); err != nil || string(d.Data) != first {
		t.Errorf("%v", err)
	}
	host := strings.TrimPrefix(s.URL, "http://")
	for address, want := range map[string]string{s.URL + "/page": "web page", s.URL + "/none": "status 404",
		"ftp://" + host: "begins with https://", "http://u:p@" + host: "credentials"} {
		if _, err := Read(t.Context(), address, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if asked != 3 {
		t.Errorf("the server was asked %d times", asked)
	}
}
