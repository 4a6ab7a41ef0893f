package rules

import (
	"go/ast"
	"strings"
	"testing"
)

// An intent that nobody performs is a key that does nothing.
func TestEveryIntentIsPerformed(t *testing.T) {
	intents, cases := map[string]bool{}, map[string]bool{}
	for _, f := range program(t) {
		switch f.folder {
		case "ui/intent":
			for _, d := range f.tree.Decls {
				if m, ok := d.(*ast.FuncDecl); ok && m.Name.Name == "sealed" {
					intents[m.Recv.List[0].Type.(*ast.Ident).Name] = true
				}
			}
		case "ui":
			noteCases(f.tree, cases)
		}
	}
	if len(intents) < 20 {
		t.Fatalf("only %d intents were found", len(intents))
	}
	for name := range intents {
		if !cases[name] {
			t.Errorf("no type switch of package ui has a case for intent.%s: perform does it", name)
		}
	}
}

// noteCases notes the types of package intent that a file's perform functions tell apart.
func noteCases(tree *ast.File, cases map[string]bool) {
	ast.Inspect(tree, func(n ast.Node) bool {
		d, ok := n.(*ast.FuncDecl)
		if ok && !strings.HasPrefix(d.Name.Name, "perform") {
			return false
		}
		if c, ok := n.(*ast.CaseClause); ok {
			for _, e := range c.List {
				if s, ok := e.(*ast.SelectorExpr); ok {
					cases[s.Sel.Name] = true
				}
			}
		}
		return true
	})
}
