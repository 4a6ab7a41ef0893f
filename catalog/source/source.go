// Package source reads the connector files: YAML that people write, one file per
// kind. It checks them, reports every problem of a file with its line, fills in
// what a file may leave to the reader, and adds the user's own files to a
// catalog. The package catalog says in its words how the files are written; what
// the program opens every day is their compiled form, which catalog reads
// without this package.
//
// It imports catalog and the leaves ownfile, rawjson and strictyaml, nothing else of patchbay.
package source

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"

	"patchbay/catalog"
	"patchbay/client/ownfile"
	"patchbay/client/strictyaml"
)

// Parse reads one kind from the text of a connector file. It returns every
// problem of the file; the kind is usable only when there is none.
func Parse(name string, data []byte) (*catalog.Kind, strictyaml.Problems) {
	r, kind := newReader(name, data), &catalog.Kind{}
	r.read(kind)
	return kind, r.file.Problems()
}

// Read reads connector files, one kind each, with all their problems.
func Read(files []string) (kinds []*catalog.Kind, problems strictyaml.Problems) {
	problems = each(files, func(file string, data []byte) strictyaml.Problems {
		kind, wrong := Parse(file, data)
		kinds = append(kinds, kind)
		return wrong
	})
	return kinds, problems
}

// each reads files one after the other, and gathers what is wrong with them.
func each(files []string, take func(file string, data []byte) strictyaml.Problems) (problems strictyaml.Problems) {
	for _, file := range files {
		if data, err := ownfile.Read(file, ownfile.Large); err != nil {
			problems = append(problems, strictyaml.Problem{File: file, Reason: "cannot be read: " + err.Error()})
		} else {
			problems = append(problems, take(file, data)...)
		}
	}
	return problems
}

// Load adds the user's own connector files (*.yaml) of a folder to a catalog: a
// file whose kind is known extends it, any other adds one. A broken file is left
// out and its problems returned; a folder that does not exist is no problem.
func Load(c *catalog.Catalog, dir string) strictyaml.Problems {
	// Folders with [ or * in their names are meant literally.
	dir = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
	files, _ := filepath.Glob(filepath.Join(dir, "*.yaml")) // the pattern cannot be wrong; files come sorted
	return each(files, func(file string, data []byte) strictyaml.Problems {
		kind, problems := Extend(c, file, data)
		if len(problems) == 0 {
			c.Put(kind)
		}
		return problems
	})
}

// Extend reads a file of the user's own: a kind that the catalog has not, or an addition
// to one that it has. The catalog stays as it is. It returns every problem of the file;
// the kind is usable only when there is none.
func Extend(c *catalog.Catalog, name string, data []byte) (*catalog.Kind, strictyaml.Problems) {
	r := newReader(name, data)
	r.force = catalog.User
	kind, err := c.Copy(r.file.Root().Child("kind").Value())
	if err != nil {
		return nil, strictyaml.Problems{{File: name, Reason: err.Error()}}
	}
	r.read(kind)
	return kind, r.file.Problems()
}

// reader turns one file into a Kind. The context of its nodes is the source
// that they inherit.
type reader struct {
	file *strictyaml.File
	// force is the source of everything in the file, whatever it says; used for
	// the user's own files.
	force catalog.Source
}

func newReader(name string, data []byte) *reader {
	r := &reader{file: strictyaml.Read(name, data)}
	r.file.Portable, r.file.Begin, r.file.Key = true, r.begin, r.key
	variables := listed(func(g *catalog.GraphQLVariable) (*string, any) { return &g.Name, g })
	args := listed(func(g *catalog.GraphQLArgs) (*string, any) { return &g.Path, &g.Args })
	selects := listed(func(g *catalog.GraphQLSelect) (*string, any) { return &g.Path, &g.Fields })
	r.file.Hooks = map[reflect.Type]func(strictyaml.Node, reflect.Value){
		reflect.TypeFor[catalog.Field]():             r.field,
		reflect.TypeFor[[]catalog.Field]():           r.fields,
		reflect.TypeFor[json.RawMessage]():           func(n strictyaml.Node, v reflect.Value) { v.SetBytes(n.JSON()) },
		reflect.TypeFor[[]catalog.Pair]():            pairs,
		reflect.TypeFor[catalog.Note]():              note,
		reflect.TypeFor[[]catalog.Entity]():          r.named,
		reflect.TypeFor[[]catalog.Action]():          r.named,
		reflect.TypeFor[[]catalog.Auth]():            auths,
		reflect.TypeFor[catalog.Auth]():              auth,
		reflect.TypeFor[[]catalog.GraphQLVariable](): variables,
		reflect.TypeFor[[]catalog.GraphQLArgs]():     args,
		reflect.TypeFor[[]catalog.GraphQLSelect]():   selects,
		reflect.TypeFor[catalog.Page]():              page,
		reflect.TypeFor[catalog.Binding]():           r.binding,
	}
	return r
}

// read fills a kind and checks it. What the kind already holds stays unless the
// file gives it: entities, actions, fields and pairs meet by name, anything else
// is replaced.
func (r *reader) read(kind *catalog.Kind) {
	root := r.file.Root()
	if !root.Exists() {
		if len(r.file.Problems()) == 0 {
			r.file.Bad("", "the file is empty: it must hold a kind")
		}
		return
	}
	root.With(r.force).Decode(kind)
	Complete(kind)
	(&check{file: r.file, kind: kind}).all()
}

// begin finds the source of a struct: its own word, else what its kind of fact
// usually is, else what it inherits.
func (r *reader) begin(n strictyaml.Node, v reflect.Value) strictyaml.Node {
	source := n.Context.(catalog.Source)
	switch v.Interface().(type) {
	case catalog.Relation:
		source = catalog.Derived
	case catalog.Binding, catalog.Local, catalog.Page, catalog.Semantic:
		source = catalog.Upstream
	}
	field := v.FieldByName("Source")
	if own := n.Child("source"); own.Exists() && field.IsValid() {
		source = sourceOf(own)
	}
	if r.force != "" {
		source = r.force
	}
	keeps := false // its own source when a user's file changes only something in it
	switch v.Interface().(type) {
	case catalog.Kind, catalog.Entity, catalog.Action, catalog.Local:
		keeps = !v.IsZero()
	}
	if field.IsValid() && !keeps {
		field.SetString(string(source))
	}
	return n.With(source)
}

// sourceOf reads the word that names a source.
func sourceOf(n strictyaml.Node) catalog.Source {
	switch source := catalog.Source(n.Value()); source {
	case "spec", "documented":
		return catalog.Documented
	case catalog.Upstream, catalog.Derived, catalog.User, catalog.Live, catalog.Seen:
		return source
	}
	n.Bad("unknown source %q: write spec, upstream, derived, user, service or answers", n.Value())
	return n.Context.(catalog.Source)
}

// key reads the keys that are short forms of others.
func (r *reader) key(_ strictyaml.Node, v reflect.Value, key string, value strictyaml.Node) bool {
	if key == "source" {
		return v.FieldByName("Source").IsValid() // begin has read it
	}
	unknown := value.IsScalar() && value.Value() == "unknown"
	switch target := v.Addr().Interface().(type) {
	case *catalog.Kind:
		return key == "note" && oneNote(&target.Notes, value)
	case *catalog.Entity:
		if key == "search" {
			target.SearchUnknown = unknown
			return unknown
		}
		return key == "note" && oneNote(&target.Notes, value)
	case *catalog.Action:
		switch key {
		case "note":
			return oneNote(&target.Notes, value)
		case "params":
			target.ParamsUnknown = unknown
			return unknown
		case "destructive_source":
			target.DestructiveSource = sourceOf(value)
			return true
		}
	}
	return false
}

func oneNote(notes *[]catalog.Note, n strictyaml.Node) bool {
	var one catalog.Note
	n.Decode(&one)
	*notes = append(*notes, one)
	return true
}
