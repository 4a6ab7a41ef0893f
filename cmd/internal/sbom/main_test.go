package main

import (
	"bytes"
	"encoding/json"
	"os"
	"runtime/debug"
	"testing"
)

// A test is a built program as well: what is told of it is told of its own bytes.
func TestDescribesThisProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run([]string{self}, &out); err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(out.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || len(b.Metadata.Component.Hashes) != 1 || len(b.Components) != 1 ||
		b.Components[0].Licenses[0].Expression != "BSD-3-Clause" {
		t.Errorf("%+v", b)
	}
}

func TestEveryModuleHasItsLicence(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "patchbay", Version: "v1.2.3"},
		Deps: []*debug.Module{{Path: "modernc.org/sqlite", Version: "v1.0.0", Sum: "h1:x"}}}
	b, err := describe("patchbay", info, [32]byte{})
	if err != nil || len(b.Components) != 2 || b.Components[1].PURL != "pkg:golang/modernc.org/sqlite@v1.0.0" ||
		b.Components[1].Licenses[0].Expression != "BSD-3-Clause AND MIT AND blessing" {
		t.Errorf("%+v: %v", b, err)
	}
	info.Deps[0].Path = "example.com/unknown"
	if _, err := describe("patchbay", info, [32]byte{}); err == nil {
		t.Error("a module without a licence is described")
	}
}
