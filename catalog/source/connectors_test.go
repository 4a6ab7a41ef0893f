package source

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"patchbay/catalog"
)

func connectorFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../connectors/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no connector files: %v", err)
	}
	return files
}

func TestConnectorFilesAreValidAndCompiled(t *testing.T) {
	compiled, err := os.ReadFile("../catalog.bin")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []*catalog.Kind
	for _, file := range connectorFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		k, problems := Parse(file, data)
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
	if !t.Failed() && string(catalog.Compile(kinds)) != string(compiled) {
		t.Error("the embedded catalog is older than the connector files: run go generate ./catalog")
	}
}

func TestConnectorFilesFitTheSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../schema.json")
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
