package rules

import (
	"go/ast"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	longestFunction = 60
	longestFile     = 500
	widestLine      = 120
	tab             = 4
)

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	small := func(what string, lines, most int) {
		if lines > most {
			t.Errorf("%s has %d lines, %d are allowed", what, lines, most)
		}
	}
	for _, f := range program(t) {
		small(f.name, strings.Count(f.text, "\n"), longestFile)
		for _, d := range f.tree.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				small(f.name+" "+d.Name.Name, f.lines(d), longestFunction)
			}
		}
	}
}

func TestLinesFitTheScreen(t *testing.T) {
	for _, f := range program(t) {
		for i, line := range strings.Split(f.text, "\n") {
			if w := utf8.RuneCountInString(line) + (tab-1)*strings.Count(line, "\t"); w > widestLine {
				t.Errorf("%s:%d has %d columns, %d are allowed", f.name, i+1, w, widestLine)
			}
		}
	}
}

// The root of the explorer stays thin: what a feature does stands in its package.
func TestTheRootOfTheScreenStaysThin(t *testing.T) {
	files, methods := 0, 0
	for _, f := range program(t) {
		if f.folder != "ui" {
			continue
		}
		files++
		for _, d := range f.tree.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv != nil && receiver(d) == "Model" {
				methods++
			}
		}
	}
	if files > 25 || methods == 0 || methods > 90 {
		t.Errorf("package ui has %d files and its Model %d methods: at most 25 and 90", files, methods)
	}
}
