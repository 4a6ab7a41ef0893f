package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// top is the folder of the module.
var top = filepath.Join("..", "..", "..")

// file is one Go file that is not a test.
type file struct {
	// name is the path below the top, with slashes; folder that of its package.
	name, folder string
	text         string
	tree         *ast.File
	set          *token.FileSet
}

// at is the place of a node in words.
func (f file) at(n ast.Node) string { return f.set.Position(n.Pos()).String() }

// lines is how many lines a node covers.
func (f file) lines(n ast.Node) int {
	return f.set.Position(n.End()).Line - f.set.Position(n.Pos()).Line + 1
}

// source is all of the program, read once.
var source = sync.OnceValues(func() (files []file, err error) {
	set := token.NewFileSet()
	err = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != top && (base == "testdata" || strings.HasPrefix(base, ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		below = filepath.ToSlash(below)
		tree, err := parser.ParseFile(set, below, text, parser.ParseComments|parser.SkipObjectResolution)
		files = append(files, file{name: below, folder: path.Dir(below), text: string(text), tree: tree, set: set})
		return err
	})
	return files, err
})

// program returns all files; there are enough of them for the walk to be right.
func program(t *testing.T) []file {
	t.Helper()
	files, err := source()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 300 {
		t.Fatalf("only %d files were found below %s", len(files), top)
	}
	return files
}
