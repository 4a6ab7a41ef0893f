package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
)

// platformWords are the first words of the lines about the platform.
var platformWords = strings.Fields(`action-kind hosted-only resource workspace-name create credential unavailable config
	refused envelope states endpoint header execute sdk-names search-param operator cli cli-payload sdk-environment
	sdk-auth sdk-tool error limit version note unknown`)

func TestPlatformLines(t *testing.T) {
	known := catalog.New()
	seen := map[string]string{}
	for _, l := range readSpec(t, "platform") {
		if !slices.Contains(platformWords, l.words[0]) {
			t.Errorf("%s: unknown kind of line %q", l.where(), l.words[0])
		}
		text := strings.Join(l.words, " ")
		if first := seen[text]; first != "" {
			t.Errorf("%s: stands already in %s", l.where(), first)
		}
		seen[text] = l.where()
		if name := kindNamed(l); name != "" {
			if _, err := known.Kind(name); err != nil {
				t.Errorf("%s: %v", l.where(), err)
			}
		}
	}
}

// kindNamed is the kind that a line of the platform document speaks of.
func kindNamed(l specLine) string {
	switch l.words[0] {
	case "credential", "unavailable", "config", "states", "error", "note":
		return l.word(1)
	case "limit":
		if l.word(1) != catalog.ActionContextStoreSearch {
			return l.word(1)
		}
	case "unknown":
		return l.word(2)
	}
	return ""
}

// TestActionKinds holds the names of actions against those of the platform document.
func TestActionKinds(t *testing.T) {
	var want, got []string
	for _, l := range having(readSpec(t, "platform"), "action-kind") {
		want = append(want, l.word(1))
	}
	known := catalog.New()
	for _, name := range specKinds(t) {
		kind, err := known.Kind(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range kind.Entities {
			for _, a := range e.Actions {
				if a.Source == catalog.Documented && !slices.Contains(got, a.Name) {
					got = append(got, a.Name)
				}
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("the catalog documents the actions %v, the platform document %v", got, want)
	}
}
