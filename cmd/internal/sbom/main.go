// Command sbom says what a built program is made of, as CycloneDX: it reads what the
// linker wrote into the file, so the answer is about those bytes and not about a folder.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"patchbay/cmd/internal/licenses"
)

type bom struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string       `json:"type"`
	Ref        string       `json:"bom-ref"`
	Name       string       `json:"name"`
	Version    string       `json:"version"`
	Hashes     []hash       `json:"hashes,omitempty"`
	Licenses   []expression `json:"licenses,omitempty"`
	PURL       string       `json:"purl"`
	Properties []property   `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type expression struct {
	Expression string `json:"expression"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string, w io.Writer) error {
	if len(args) != 1 {
		return errors.New("give the file of the program")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	program, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	b, err := describe(filepath.Base(args[0]), info, sha256.Sum256(program))
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(b)
}

// describe tells of a program by what its build wrote down, and its checksum.
func describe(name string, info *debug.BuildInfo, sum [sha256.Size]byte) (bom, error) {
	main := module("application", info.Main.Path, info.Main.Version)
	main.Name = name
	main.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum[:])}}
	for _, s := range info.Settings {
		main.Properties = append(main.Properties, property{"build:" + s.Key, s.Value})
	}
	std := module("library", "std", strings.TrimPrefix(info.GoVersion, "go"))
	std.PURL = "pkg:golang/std@" + std.Version
	parts := []component{std}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := module("library", m.Path, m.Version)
		c.Properties = []property{{"go.sum", m.Sum}}
		parts = append(parts, c)
	}
	of := licenses.Of()
	of["std"] = of[licenses.Go]
	for i, c := range parts {
		id := of[c.Name]
		if id == "" {
			return bom{}, fmt.Errorf("%s is not in the list: run go test ./cmd/internal/licenses -update", c.Name)
		}
		parts[i].Licenses = []expression{{id}}
	}
	return bom{"CycloneDX", "1.6", 1, metadata{main}, parts}, nil
}

// module is a component by the names that scanners know a Go module by.
func module(kind, path, version string) component {
	purl := "pkg:golang/" + path + "@" + version
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
}
