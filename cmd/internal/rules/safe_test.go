package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"testing"
)

// screenText is the package whose type Safe is text for the screen.
const screenText = module + "/ui/text"

// makers may call a text safe: one makes it harmless, the other writes styles.
var makers = names{"ui/text", "ui/style"}

// What is called safe without a look at it reaches the terminal as it came.
func TestOnlyTwoPackagesCallTextSafe(t *testing.T) {
	for _, f := range program(t) {
		if matches(f.folder, makers) {
			continue
		}
		for _, c := range unchecked(f.tree) {
			t.Errorf("%s: text.Safe(x) calls a text safe that nobody looked at: text.Sanitize(x) or text.Sprintf makes it so, "+
				"a constant needs neither; only ui/text and ui/style may convert", f.at(c))
		}
	}
}

// unchecked are the conversions of a file to text.Safe but those of a literal.
func unchecked(tree *ast.File) []ast.Node {
	var found []ast.Node
	local := importedAs(tree, screenText)
	if local == "" {
		return nil
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !isSafe(call.Fun, local) {
			return true
		}
		if _, literal := ast.Unparen(call.Args[0]).(*ast.BasicLit); !literal {
			found = append(found, call)
		}
		return true
	})
	return found
}

// importedAs is the name that a file knows a package by; empty where it does not import it.
func importedAs(tree *ast.File, imported string) string {
	for _, spec := range tree.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err != nil || p != imported {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(imported)
	}
	return ""
}

// isSafe reports whether an expression names the type Safe of the package that is known as local.
func isSafe(e ast.Expr, local string) bool {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok {
		return local == "." && id.Name == "Safe"
	}
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Safe" {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && of.Name == local
}

func TestUncheckedFindsConversions(t *testing.T) {
	for _, c := range []struct {
		as, does string
		want     int
	}{
		{"", "text.Safe(name)", 1}, {"", `text.Safe("a" + name)`, 1}, {"", "(text.Safe)((name))", 1},
		{"", "text.Safe(text.Safe(name))", 2}, {"words", "words.Safe(name)", 1}, {".", "Safe(name)", 1},
		{"", `text.Safe("  ")`, 0}, {"", "text.Safe(('x'))", 0}, {"", "text.Sanitize(name)", 0},
		{"words", "text.Safe(name)", 0}, {"", "Safe(name)", 0}, {"", "other.Safe(name)", 0},
	} {
		from := "package p\n\nimport " + c.as + ` "patchbay/ui/text"` + "\n\nvar name string\n\nvar _ = " + c.does + "\n"
		tree, err := parser.ParseFile(token.NewFileSet(), "p.go", from, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(unchecked(tree)); got != c.want {
			t.Errorf("%s with the import named %q: %d conversions are found, want %d", c.does, c.as, got, c.want)
		}
	}
}
