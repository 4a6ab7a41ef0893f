package cli

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "patchbay"

// Imports point one way: cmd -> ui -> client -> catalog, and ui -> themes.
func TestImportsPointOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 10 {
		t.Fatalf("only %d packages were found", len(lines))
	}
	for _, line := range lines {
		words := strings.Fields(line)
		for _, imported := range words[1:] {
			if reason := misdirected(words[0], imported); reason != "" {
				t.Errorf("%s imports %s: %s", words[0], imported, reason)
			}
		}
	}
}

// misdirected says why a package must not import another; empty when it may.
func misdirected(from, to string) string {
	screen := within(from, "ui") || within(from, "cmd")
	switch {
	case strings.HasPrefix(to, "charm.land/") || strings.HasPrefix(to, "github.com/charmbracelet/") && !strings.Contains(to, "/x/"):
		if !screen {
			return "only ui and cmd know the terminal's modules"
		}
	case to != module && !strings.HasPrefix(to, module+"/"):
		return ""
	case within(to, "cmd") && !within(from, "cmd"):
		return "nothing imports cmd"
	case within(to, "ui") && !screen:
		return "nothing but cmd imports ui"
	case leaf(from) && (within(from, "client") || !within(from, root(to))):
		return "it is a leaf and imports nothing of ours"
	case from == module+"/client" && strings.HasPrefix(to, module+"/client/"):
		return "client imports none of its children"
	case within(to, "themes") && !screen:
		return "only ui and cmd know themes"
	}
	return ""
}

func within(path, part string) bool {
	return path == module+"/"+part || strings.HasPrefix(path, module+"/"+part+"/")
}

func leaf(path string) bool {
	return within(path, "catalog") || within(path, "themes") || path == module+"/client/rawjson" || path == module+"/client/secret"
}

// root is the top folder of a package.
func root(path string) string {
	part, _, _ := strings.Cut(strings.TrimPrefix(path, module+"/"), "/")
	return part
}

func TestMisdirectedFindsWrongImports(t *testing.T) {
	for _, c := range [][2]string{
		{"client/hosted", "patchbay/ui/text"}, {"catalog", "patchbay/client"}, {"client", "patchbay/client/hosted"}, {"client/secret", "patchbay/catalog"},
		{"client/pages", "charm.land/bubbletea/v2"}, {"ui", "patchbay/cmd/internal/cli"}, {"client/export", "patchbay/themes"},
	} {
		if misdirected(module+"/"+c[0], c[1]) == "" {
			t.Errorf("%s may import %s", c[0], c[1])
		}
	}
	for _, c := range [][2]string{{"cmd/internal/cli", "patchbay/ui"}, {"ui", "charm.land/bubbletea/v2"}, {"client/hosted", "patchbay/client/secret"}, {"catalog", "os"}} {
		if reason := misdirected(module+"/"+c[0], c[1]); reason != "" {
			t.Errorf("%s must not import %s: %s", c[0], c[1], reason)
		}
	}
}
