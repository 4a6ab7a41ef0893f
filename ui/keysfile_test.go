package ui

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"patchbay/ui/action"
)

func TestParseKeys(t *testing.T) {
	keys, problems := action.ParseKeys("keys.yaml", []byte("run: [f9, Ctrl+X]\nhelp: F1\npage.next: []\nwindow.left: ctrl+w a\nbad: {a: b}\n"))
	want := map[string][]string{"run": {"f9", "ctrl+x"}, "help": {"f1"}, "page.next": {}, "window.left": {"ctrl+w a"}}
	if !reflect.DeepEqual(keys, want) {
		t.Errorf("keys %v", keys)
	}
	if len(problems) != 1 || !strings.Contains(problems[0], "keys.yaml:5: bad") {
		t.Errorf("problems %q", problems)
	}
	if _, problems := action.ParseKeys("keys.yaml", []byte("- a\n")); len(problems) != 1 {
		t.Errorf("a list is no mapping: %q", problems)
	}
	if _, problems := action.ParseKeys("keys.yaml", []byte("a: [")); len(problems) != 1 {
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
	for _, c := range []struct {
		own  map[string][]string
		want []string
	}{
		{map[string][]string{"docs": {"P"}}, []string{`"P" in any pane stands for docs now; give preview another key`}},
		{map[string][]string{"docs": {"P"}, "preview": {"ctrl+g"}}, nil},
		{map[string][]string{"docs": {"f9"}, "log": {"f9"}}, []string{`stands for docs and for log`}},
		{map[string][]string{"log": {"s"}}, []string{`"s" stands for log, but in file for file.save`, `"s" stands for log, but in table for table.summary`}},
		{map[string][]string{"log": {"contrl+x"}}, []string{`no key "contrl+x"`}},
		{map[string][]string{"log": {"ctrl+c"}}, []string{"ctrl+c always cancels"}},
		{map[string][]string{"run.typing": {"j"}}, []string{"could not be typed any more"}},
		{map[string][]string{"nothing": {"f9"}}, []string{`no action "nothing"`}},
	} {
		k := New(Deps{Keys: c.own}).actions
		if len(k.Problems) != len(c.want) {
			t.Errorf("%v: problems %q, want %q", c.own, k.Problems, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(k.Problems[i], want) {
				t.Errorf("%v: problem %q lacks %q", c.own, k.Problems[i], want)
			}
		}
	}
}

// Terminals with a newer keyboard protocol tell ctrl+[ from esc; hands do not.
func TestOldControlKeysWork(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("?", "ctrl+[")
	if p.m.stack.Top() != nil {
		t.Error("ctrl+[ is no esc")
	}
	p.keys("3", "ctrl+m")
	p.wants("[Record]")
	own := play(t, Deps{Fresh: true, Keys: map[string][]string{"log": {"ctrl+m"}}}, 120, 36)
	own.keys("ctrl+m")
	own.wants("╭─ Log")
}

// A person's own key wins over the built-in ones, wherever these stand in the table.
func TestOwnKeysWin(t *testing.T) {
	p := play(t, Deps{Fresh: true, Keys: map[string][]string{"log": {"y"}}}, 120, 36)
	p.wants(`! keys: "y" in any pane stands for log now`)
	p.keys("y")
	p.wants("╭─ Log")
	if keys := p.m.actions.Keys("copy"); len(keys) != 0 {
		t.Errorf("copy is still offered with %q", keys)
	}
}

// What is wrong at the start is on the screen until a key is pressed, although
// the first call runs meanwhile.
func TestNoticesStay(t *testing.T) {
	p := play(t, Deps{Fresh: true, Notices: []string{"settings: one", "settings: two"}}, 120, 36)
	p.wants("2 notices at the start, L lists them: settings: one", "page 1, more")
	p.keys("L")
	if n := strings.Count(p.screen(), "settings: one"); n != 1 {
		t.Errorf("the log tells the notice %d times:\n%s", n, p.screen())
	}
}

// The schema of the keys file names every action, so that editors complete them.
func TestKeysSchema(t *testing.T) {
	const file = "keys.schema.json"
	key := map[string]any{"type": []any{"string", "integer"}, "minLength": 1, "minimum": 0, "maximum": 9}
	keys := map[string]any{"oneOf": []any{key, map[string]any{"type": "array", "items": key}}}
	props := map[string]any{"$schema": map[string]any{"type": "string"}}
	for _, a := range New(Deps{}).actions.Rows {
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
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != string(want) {
		t.Fatalf("%s differs from the table of actions; go test ./ui -update rewrites it (%v)", file, err)
	}
	schema, err := jsonschema.NewCompiler().Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	for doc, good := range map[string]bool{`{"run":["r","f9"],"help":"f1","focus.tree":1,"quit":[]}`: true, `{"runn":"r"}`: false, `{"run":{}}`: false, `{"run":""}`: false, `{"run":12}`: false} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != good {
			t.Errorf("%s: %v", doc, err)
		}
	}
}
