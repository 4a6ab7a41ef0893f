package rules

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// A package says in its own comment what it is for.
func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	said := map[string]int{}
	for _, f := range program(t) {
		if f.tree.Doc == nil {
			said[f.folder] += 0
			continue
		}
		said[f.folder]++
		kind := "Package " + f.tree.Name.Name
		if f.tree.Name.Name == "main" {
			kind = "Command " + f.folder[strings.LastIndex(f.folder, "/")+1:]
		}
		if !strings.HasPrefix(f.tree.Doc.Text(), kind+" ") {
			t.Errorf("%s: the package comment begins with %q", f.name, kind)
		}
	}
	for folder, n := range said {
		if n != 1 {
			t.Errorf("%s has %d package comments instead of one", folder, n)
		}
	}
}

// stilted are phrases that plain English has a shorter word for.
var stilted = regexp.MustCompile(`tells whether|(gone|goes|go|went) on with|is to know|whereabouts|thereof|[Ff]orthwith`)

func TestWordsArePlain(t *testing.T) {
	for _, f := range program(t) {
		for i, line := range strings.Split(f.text, "\n") {
			if phrase := stilted.FindString(line); phrase != "" {
				t.Errorf("%s:%d says %q: reports whether, continues, must know", f.name, i+1, phrase)
			}
		}
	}
}

// The comment of a function or type begins with its name; exported ones have one.
func TestCommentsBeginWithTheName(t *testing.T) {
	for _, f := range program(t) {
		for _, d := range f.tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				f.documented(t, d.Name, d.Doc, d.Name.IsExported() && public(d))
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						f.typeDocumented(t, d, s)
					}
				}
			}
		}
	}
}

// typeDocumented looks at a type; the comment of a group may speak of each of its types.
func (f file) typeDocumented(t *testing.T, d *ast.GenDecl, s *ast.TypeSpec) {
	switch told := d.Doc.Text(); {
	case s.Doc == nil && !d.Lparen.IsValid():
		f.documented(t, s.Name, d.Doc, s.Name.IsExported())
	case s.Doc != nil || !regexp.MustCompile(`\b`+s.Name.Name+`\b`).MatchString(told):
		f.documented(t, s.Name, s.Doc, s.Name.IsExported() && !s.Assign.IsValid())
	}
}

// public reports whether a function is one that other packages need words for: no
// method of an unexported type, and none that everybody knows.
func public(d *ast.FuncDecl) bool {
	return d.Recv == nil || ast.IsExported(receiver(d)) && !known.MatchString(d.Name.Name)
}

// receiver is the name of the type that a method is of.
func receiver(d *ast.FuncDecl) string {
	recv := d.Recv.List[0].Type
	if s, ok := recv.(*ast.StarExpr); ok {
		recv = s.X
	}
	if g, ok := recv.(*ast.IndexExpr); ok {
		recv = g.X
	}
	id, ok := recv.(*ast.Ident)
	if !ok {
		return ""
	}
	return id.Name
}

// known are methods of interfaces of the standard library.
var known = regexp.MustCompile(`^(Error|String|Unwrap|Is|As|Read|Write|Close|Len|Less|Swap|Format|GoString|RoundTrip|ServeHTTP|` +
	`(Unm|M)arshal(JSON|YAML|Text))$`)

func (f file) documented(t *testing.T, name *ast.Ident, doc *ast.CommentGroup, must bool) {
	t.Helper()
	switch {
	case doc == nil && must:
		t.Errorf("%s: %s has no comment", f.at(name), name.Name)
		return
	case doc == nil, name.Name == "init":
		return
	}
	words := strings.Fields(doc.Text())
	if len(words) == 0 || !regexp.MustCompile(`\b`+name.Name+`\b`).MatchString(strings.Join(words[:min(2, len(words))], " ")) {
		t.Errorf("%s: the comment of %s begins with %q", f.at(name), name.Name, strings.SplitN(doc.Text(), "\n", 2)[0])
	}
}
