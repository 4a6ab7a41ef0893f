package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// pkg is what go list tells of a package.
type pkg struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "patchbay/...")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var list []pkg
	for dec := json.NewDecoder(out); ; {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return list
}

// layer is the part of the program that a package belongs to.
func layer(path string) string {
	rest, ours := strings.CutPrefix(path, "patchbay/")
	if !ours {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

// allowed says which layers a layer may use.
var allowed = map[string][]string{
	"cmd":     {"cmd", "ui", "client", "catalog", "themes"},
	"ui":      {"ui", "client", "catalog", "themes"},
	"client":  {"client", "catalog"},
	"catalog": {"catalog"},
	"themes":  {"themes"},
}

// alone are packages that use nothing else of ours.
var alone = []string{"patchbay/catalog", "patchbay/themes", "patchbay/client/rawjson", "patchbay/client/secret"}

func TestImportsPointOneWay(t *testing.T) {
	list := packages(t)
	if len(list) < 20 {
		t.Fatalf("go list found only %d packages", len(list))
	}
	for _, p := range list {
		from := layer(p.ImportPath)
		for _, imp := range p.Imports {
			to := layer(imp)
			switch {
			case to != "" && !slices.Contains(allowed[from], to):
				t.Errorf("%s imports %s: %s may use %v only", p.ImportPath, imp, from, allowed[from])
			case to != "" && slices.Contains(alone, p.ImportPath):
				t.Errorf("%s imports %s: it stands alone", p.ImportPath, imp)
			case p.ImportPath == "patchbay/client" && strings.HasPrefix(imp, "patchbay/client/"):
				t.Errorf("package client imports its child %s", imp)
			case charm(imp) && from != "ui" && from != "cmd":
				t.Errorf("%s imports %s: only ui and cmd use Charm's packages", p.ImportPath, imp)
			}
		}
	}
}

func charm(path string) bool {
	return strings.HasPrefix(path, "charm.land/") || strings.HasPrefix(path, "github.com/charmbracelet/")
}
