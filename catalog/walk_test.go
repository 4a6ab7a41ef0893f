package catalog

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

func connectorFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("connectors/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no connector files: %v", err)
	}
	return files
}

// walk visits every action of the compiled catalog.
func walk(t testing.TB, visit func(k *Kind, e *Entity, a *Action)) {
	t.Helper()
	c := New()
	for _, s := range c.Kinds() {
		k, err := c.Kind(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			for j := range k.Entities[i].Actions {
				visit(k, &k.Entities[i], &k.Entities[i].Actions[j])
			}
		}
	}
}

func TestConnectorFilesAreValidAndCompiled(t *testing.T) {
	var kinds []*Kind
	for _, file := range connectorFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		k, problems := ParseFile(file, data)
		for _, p := range problems {
			t.Error(p.Error())
		}
		if k == nil {
			continue
		}
		if want := strings.TrimSuffix(filepath.Base(file), ".yaml"); k.Name != want {
			t.Errorf("%s holds the kind %s", file, k.Name)
		}
		kinds = append(kinds, k)
	}
	if !t.Failed() && string(Compile(kinds)) != compiled {
		t.Error("the embedded catalog is older than the connector files: run go generate ./catalog")
	}
}

func TestConnectorFilesFitTheSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range connectorFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(plain(t, data)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// plain reads YAML into the values that JSON has.
func plain(t *testing.T, data []byte) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	value, err = jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestCounts(t *testing.T) {
	var kinds, entities, actions, outside, outsideEntities, outsideActions int
	for _, s := range New().Kinds() {
		kinds++
		entities += s.Entities
		actions += s.Actions
		if s.Name == "crm" || s.Name == "meeting_notes" {
			outside++
			outsideEntities += s.Entities
			outsideActions += s.Actions
		}
	}
	if kinds != 22 || entities != 235 || actions != 609 {
		t.Errorf("%d kinds, %d entities, %d actions, want 22, 235, 609", kinds, entities, actions)
	}
	if kinds-outside != 20 || entities-outsideEntities != 218 || actions-outsideActions != 558 {
		t.Errorf("parts A and B: %d kinds, %d entities, %d actions, want 20, 218, 558",
			kinds-outside, entities-outsideEntities, actions-outsideActions)
	}
}

func TestEveryThingHasADocSentence(t *testing.T) {
	missing := func(where, doc string) {
		if strings.TrimSpace(doc) == "" {
			t.Errorf("%s has no doc", where)
		}
	}
	seen := map[*Entity]bool{}
	walk(t, func(k *Kind, e *Entity, a *Action) {
		missing(k.Name+" "+e.Name+" "+a.Name, a.Doc)
		if !seen[e] {
			seen[e] = true
			missing(k.Name+" "+e.Name, e.Doc)
		}
	})
	for _, s := range New().Kinds() {
		missing(s.Name, s.Doc)
	}
}

func TestEveryActionCanBeRunSomewhere(t *testing.T) {
	walk(t, func(k *Kind, e *Entity, a *Action) {
		if !a.HostedOnly && a.Binding == nil && !a.ParamsUnknown && a.SentAs == "" {
			t.Errorf("%s %s %s has neither an http binding nor hosted_only", k.Name, e.Name, a.Name)
		}
	})
}
