package ui

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestParseKeys(t *testing.T) {
	keys, problems := ParseKeys("keys.yaml", []byte("run: [f9, Ctrl+X]\nhelp: F1\npage.next: []\nwindow.left: ctrl+w a\nbad: {a: b}\n"))
	want := map[string][]string{"run": {"f9", "ctrl+x"}, "help": {"f1"}, "page.next": {}, "window.left": {"ctrl+w a"}}
	if !reflect.DeepEqual(keys, want) {
		t.Errorf("keys %v", keys)
	}
	if len(problems) != 1 || !strings.Contains(problems[0], "keys.yaml:5: bad") {
		t.Errorf("problems %q", problems)
	}
	if _, problems := ParseKeys("keys.yaml", []byte("- a\n")); len(problems) != 1 {
		t.Errorf("a list is no mapping: %q", problems)
	}
	if _, problems := ParseKeys("keys.yaml", []byte("a: [")); len(problems) != 1 {
		t.Errorf("broken YAML: %q", problems)
	}
}

func TestOwnKeysReplaceBuiltInOnes(t *testing.T) {
	p := play(t, Deps{Fresh: true, Keys: map[string][]string{"page.next": {"f9"}, "help": {"."}, "nothing": {"x"}}}, 120, 36)
	p.keys("esc", ".")
	p.wants("Keys and actions")
	p.keys("esc")
	p.typed("L")
	p.wants("there is no action \"nothing\"")
}

func TestConflictsAreReported(t *testing.T) {
	k := newKeymap(actionTable(), map[string][]string{"docs": {"P"}})
	if len(k.problems) != 1 || !strings.Contains(k.problems[0], "docs") {
		t.Errorf("problems %q", k.problems)
	}
}

// The schema of the keys file names every action, so that editors complete them.
func TestKeysSchema(t *testing.T) {
	const file = "keys.schema.json"
	keys := map[string]any{"oneOf": []any{map[string]any{"type": "string", "minLength": 1}, map[string]any{"type": "array", "items": map[string]any{"type": "string", "minLength": 1}}}}
	props := map[string]any{"$schema": map[string]any{"type": "string"}}
	for _, a := range actionTable() {
		p := map[string]any{"description": a.Help, "$ref": "#/$defs/keys", "default": append([]string{}, a.Keys...)}
		props[a.ID] = p
	}
	want, err := json.MarshalIndent(map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Keys of patchbay",
		"description": "Own keys for actions, in place of the built-in ones.", "type": "object", "additionalProperties": false,
		"properties": props, "$defs": map[string]any{"keys": keys}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	have, err := os.ReadFile(file)
	if err == nil && string(have) == string(want) {
		return
	}
	if !*update {
		t.Fatalf("%s differs from the table of actions; go test ./ui -update rewrites it", file)
	}
	if err := os.WriteFile(file, want, 0o644); err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if _, err := c.Compile(file); err != nil {
		t.Error(err)
	}
}
