package form

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// rightValue makes a value that a field takes.
func rightValue(f *catalog.Field) string {
	if len(f.Const) > 0 {
		return string(f.Const)
	}
	if len(f.Enum) > 0 {
		return string(f.Enum[len(f.Enum)-1])
	}
	switch kind, _, _ := strings.Cut(f.Type, "|"); kind {
	case "integer", "number":
		return rightNumber(f)
	case "boolean":
		return "true"
	case "array":
		if f.Items == nil {
			return `["x"]`
		}
		return "[" + rightValue(f.Items) + "]"
	case "object":
		return rightObject(f)
	}
	texts := map[string]string{"date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "time": "15:04", "uuid": "0b8f1f7e-7a0e-4d52-8d3f-1c8c2f1d9f11",
		"email": "a@b.example", "uri": "https://h.example/x", "jql": "project = A",
		"digits-3-7-7": "123-1234567-1234567"}
	if s := texts[f.Format]; s != "" {
		return strconv.Quote(s)
	}
	return `"x"`
}

func rightNumber(f *catalog.Field) string {
	switch {
	case f.Min != nil:
		return plain(*f.Min)
	case f.Max != nil:
		return plain(*f.Max)
	}
	return "1767225600"
}

func rightObject(f *catalog.Field) string {
	if f.Format == "document" {
		return string(Document("text"))
	}
	members := f.Members
	if f.OneOf {
		members = members[:1]
	}
	parts := []string{}
	for i := range members {
		parts = append(parts, string(rawjson.AppendQuoted(nil, members[i].Name))+":"+rightValue(&members[i]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// The form finds nothing wrong where the catalog's checks find nothing, and a
// scalar typed as text is the same value as one that came as JSON.
func TestAgreesWithTheCatalog(t *testing.T) {
	typed := 0
	eachAction(t, func(k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
		name := k.Name + "." + e.Name + "." + a.Name
		text := rightObject(&catalog.Field{Members: a.Params})
		f := ForAction(a, options())
		if err := f.SetJSON([]byte(text)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wrong := map[string]bool{}
		for _, v := range catalog.CheckParams(a, []byte(text), nil) {
			wrong[v.Path] = true
		}
		for _, p := range f.Problems() {
			if !wrong[p.Path.String()] {
				t.Errorf("%s: %s %s, in %s", name, p.Path, p.Text, text)
			}
		}
		g := ForAction(a, options())
		for i := range a.Params {
			typed += typeIt(t, name, g, &a.Params[i])
		}
	})
	if typed < 1000 {
		t.Fatalf("only %d values were typed", typed)
	}
}

func typeIt(t *testing.T, name string, g *Form, p *catalog.Field) int {
	t.Helper()
	value := rightValue(p)
	if value[0] == '{' || value[0] == '[' {
		return 0
	}
	at := Path("").Child(p.Name)
	text := decodeText(json.RawMessage(value))
	if err := g.SetText(at, text); err != nil {
		t.Errorf("%s: typing %s into %s: %v", name, value, at, err)
		return 0
	}
	if got := string(g.ValueJSON(at)); got != value {
		t.Errorf("%s: typing %s into %s gave %s", name, text, at, got)
	}
	return 1
}
