package rules

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// codeOfKinds holds what data cannot say of a kind.
const codeOfKinds = "client/sandbox/kinds.go"

// A kind that code names is a fact that stands in two places, or an example that a
// change of the catalog makes wrong: its file says it, and Catalog.First is the one for examples.
func TestNoCodeNamesAKind(t *testing.T) {
	named := kindNames(t)
	for _, f := range program(t) {
		if f.name == codeOfKinds {
			continue
		}
		for i, line := range strings.Split(f.text, "\n") {
			if kind := named.FindString(line); kind != "" {
				t.Errorf("%s:%d names the kind %s", f.name, i+1, kind)
			}
		}
	}
}

// kindNames finds the name of a kind where it is a word.
func kindNames(t *testing.T) *regexp.Regexp {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(top, "catalog", "connectors", "*.yaml"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d connector files were found, %v", len(files), err)
	}
	for i, name := range files {
		files[i] = regexp.QuoteMeta(strings.TrimSuffix(filepath.Base(name), ".yaml"))
	}
	return regexp.MustCompile(`\b(` + strings.Join(files, "|") + `)\b`)
}

func TestKindNamesFindsWords(t *testing.T) {
	named := kindNames(t)
	for line, want := range map[string]bool{`Kind: "payments",`: true, `"--name payments \\"`: true, "// as crm does": true,
		`"payments/customers"`: true, "paymentsOf(x)": false, `"client/sandbox/kinds"`: false, "a_crm_of": false} {
		if got := named.MatchString(line); got != want {
			t.Errorf("%s names a kind: %v, want %v", line, got, want)
		}
	}
}
