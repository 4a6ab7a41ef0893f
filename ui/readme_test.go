package ui

import (
	"os"
	"strings"
	"testing"
)

// The key list of the README lies between these lines.
const (
	keysBegin = "<!-- keys: written by go test ./ui -update -->\n"
	keysEnd   = "<!-- end of keys -->"
)

func TestReadmeListsTheKeys(t *testing.T) {
	const file = "../README.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), keysBegin)
	have, after, ok2 := strings.Cut(rest, keysEnd)
	if !ok || !ok2 {
		t.Fatalf("%s lacks the lines around the key list", file)
	}
	want := KeyMarkdown()
	if have == want {
		return
	}
	if !*update {
		t.Fatal("the key list of the README differs from the table of actions; go test ./ui -update rewrites it")
	}
	if err := os.WriteFile(file, []byte(before+keysBegin+want+keysEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
