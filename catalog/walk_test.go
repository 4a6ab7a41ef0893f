package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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

// The specification counts its kinds: those of parts A and B, and two whose entities only their vendors tell.
func TestCounts(t *testing.T) {
	documented, others := counted{}, counted{}
	for _, s := range New().Kinds() {
		_, err := os.Stat(filepath.Join("..", "testdata", "spec", s.Name+".txt"))
		switch {
		case err == nil:
			documented.add(s)
		case s.Name == "crm" || s.Name == "meeting_notes":
			others.add(s)
		}
	}
	if want := (counted{20, 218, 558}); documented != want {
		t.Errorf("parts A and B have %+v, want %+v", documented, want)
	}
	if want := (counted{2, 17, 51}); others != want {
		t.Errorf("crm and meeting_notes have %+v, want %+v", others, want)
	}
}

type counted struct{ kinds, entities, actions int }

func (c *counted) add(s Summary) {
	c.kinds++
	c.entities += s.Entities
	c.actions += s.Actions
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
