package definition

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"

	"patchbay/catalog"
)

// Options say how a definition becomes a kind.
type Options struct {
	// Name of the kind; empty takes the definition's own.
	Name string
	// From is where the definition came from, a path or an address.
	From string
	// Files opens what the definition refers to beside it; nil for nothing.
	Files fs.FS
	// Choices of a person for operations, by Row.Operation or Row.ID.
	Choices map[string]Choice
}

// Choice says what a person wants of an operation.
type Choice struct {
	// Entity and Action are taken in place of those that were found; empty keeps them.
	Entity string `yaml:"entity"`
	Action string `yaml:"action"`
	// Out leaves the operation out; In takes one that is left out otherwise.
	Out bool `yaml:"out"`
	In  bool `yaml:"in"`
}

// Row says what an operation became, and why.
type Row struct {
	// Operation is its method and path, which no two operations share.
	Operation string `json:"operation"`
	ID        string `json:"operation_id,omitempty"`
	Entity    string `json:"entity"`
	Action    string `json:"action"`
	Why       string `json:"why"`
	// Confidence is sure, high, medium or low.
	Confidence string `json:"confidence"`
	// Out is set when the operation is not taken; Why says the reason.
	Out  bool `json:"out,omitempty"`
	Line int  `json:"line,omitempty"`
}

// Result is what a definition became.
type Result struct {
	Kind *catalog.Kind `json:"-"`
	// Version is that of OpenAPI; Family is set for definitions with the service's keys.
	Version string `json:"version"`
	Family  bool   `json:"family"`
	Rows    []Row  `json:"operations"`
	// Left lists what was left out or is not known, one sentence each.
	Left []string `json:"left_out"`
}

// Import reads a definition. The error says where it cannot be read.
func Import(data []byte, o Options) (*Result, error) {
	doc, err := load(o.From, data, o.Files)
	if err != nil {
		return nil, err
	}
	b := &builder{doc: doc, o: o, shapes: &shapes{left: most, known: map[shapeKey]catalog.Field{}},
		entities: map[string]int{}, told: map[string]bool{}, chosen: map[string]bool{}}
	b.result = &Result{Version: doc.version, Kind: &catalog.Kind{}}
	b.result.Family = doc.isFamily()
	for _, p := range doc.problems {
		b.leave("the definition refers to what is not there: %s", p)
	}
	b.levels = recordLevels
	if doc.ext.any(ours) { // our own definitions are read whole
		b.levels = deepest
		doc.ext.node(ours + "entities").each(func(name string, n node) {
			b.entity(name).Source = sourceOf(n.child("source"), "")
		})
	}
	b.about()
	b.servers()
	b.credentials()
	if b.result.Family {
		b.familyOperations()
		b.family()
	} else {
		b.plainOperations()
	}
	for _, name := range slices.Sorted(maps.Keys(o.Choices)) {
		if !b.chosen[name] {
			b.leave("the choice for %s: no operation is called that", name)
		}
	}
	b.sources()
	b.ours()
	b.tidy()
	if len(b.kind().Entities) == 0 {
		return b.result, &Problem{Name: o.From,
			Reason: "the definition has no operation that can be taken" + b.reasons()}
	}
	return b.result, nil
}

// builder makes a kind of a document.
type builder struct {
	doc      *document
	o        Options
	result   *Result
	shapes   *shapes
	entities map[string]int
	told     map[string]bool
	// levels is how deep records are read.
	levels int
	// chosen are the choices that an operation was found for.
	chosen map[string]bool
	// current is the entity whose operation is read.
	current string
	// byEntity are the schemas of records, methods what stands at each path.
	byEntity map[string]*base.SchemaProxy
	methods  map[string]bool
}

// choice is what the person wants of an operation.
func (b *builder) choice(row Row) Choice {
	for _, name := range []string{row.Operation, row.ID} {
		if c, ok := b.o.Choices[name]; ok && name != "" {
			b.chosen[name] = true
			return c
		}
	}
	return Choice{}
}

func (b *builder) kind() *catalog.Kind { return b.result.Kind }

// leave notes once what is left out.
func (b *builder) leave(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !b.told[text] {
		b.told[text] = true
		b.result.Left = append(b.result.Left, text)
	}
}

func (b *builder) reasons() string {
	if len(b.result.Left) == 0 {
		return ""
	}
	return ": " + b.result.Left[0]
}

// isFamily reports whether the definition says itself what its operations are.
func (d *document) isFamily() bool {
	return slices.ContainsFunc(d.operations, func(o *operation) bool { return o.ext.node(family + "entity").exists() })
}

var notSnake = regexp.MustCompile(`[^a-z0-9]+`)

var hump = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z]+)([A-Z][a-z])`)

// snake writes a name in lower snake_case; empty where nothing of it is left.
func snake(name string) string {
	name = hump.ReplaceAllString(name, "${1}${3}_${2}${4}")
	name = strings.Trim(notSnake.ReplaceAllString(strings.ToLower(name), "_"), "_")
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = "n" + name
	}
	return name
}

// about names the kind.
func (b *builder) about() {
	info, k := b.doc.info, b.kind()
	ext := extensions{info.Extensions}
	name := first(ext.node(family+"connector-name").text(), info.Title)
	k.Name = first(b.o.Name, snake(name), "imported")
	k.System = first(ext.node(family+"connector-display-name").text(), info.Title, name, k.Name)
	k.Title = k.System
	kind := first(ext.node(family+"connector-name").text(), k.Name)
	k.ConnectorType = strings.ReplaceAll(strings.ToLower(kind), " ", "-")
	k.DefinitionID = ext.node(family + "connector-definition-id").text()
	k.Doc = sentence(info.Description)
	k.Local = &catalog.Local{Source: catalog.Upstream}
}

// entity is the one of a name, added when missing.
func (b *builder) entity(name string) *catalog.Entity {
	k := b.kind()
	i, ok := b.entities[name]
	if !ok {
		i = len(k.Entities)
		b.entities[name] = i
		k.Entities = append(k.Entities, catalog.Entity{Name: name})
	}
	return &k.Entities[i]
}

// put adds an action to an entity, or takes it in place of the one of its name.
func put(e *catalog.Entity, a catalog.Action) {
	if old := e.Action(a.Name); old != nil {
		*old = a
		return
	}
	e.Actions = append(e.Actions, a)
}

// keyOf is the field that identifies a record.
func keyOf(entity string, record []catalog.Field) string {
	one := singular(entity)
	for _, name := range []string{"id", "Id", "ID", one + "_id", one + "Id", "uuid", "gid", "uid", "key", "sid", "slug",
		"name"} {
		if f := catalog.FieldByName(record, name); f != nil && (f.Accepts("string") || f.Accepts("integer")) {
			return name
		}
	}
	return ""
}

// sources are where facts come from that have one of their own.
func (b *builder) sources() {
	k := b.kind()
	for i := range k.Relations {
		k.Relations[i].Source = catalog.Derived
	}
	for i := range k.Entities {
		e := &k.Entities[i]
		if e.Semantic != nil {
			e.Semantic.Source = catalog.Upstream
		}
		for j := range e.Actions {
			a := &e.Actions[j]
			if a.Destructive && a.DestructiveSource == "" {
				a.DestructiveSource = catalog.Derived
			}
		}
	}
}

// tidy leaves out what contradicts the rest, so that the kind can be read back, and
// gives every fact its source.
func (b *builder) tidy() {
	k := b.kind()
	k.Entities = slices.DeleteFunc(k.Entities, func(e catalog.Entity) bool { return len(e.Actions) == 0 })
	for i := range k.Entities {
		e := &k.Entities[i]
		if e.Key == "" {
			e.Key = keyOf(e.Name, e.Record)
		}
	}
	k.Relations = slices.DeleteFunc(k.Relations, func(r catalog.Relation) bool {
		from, to := k.Entity(r.From), k.Entity(r.To)
		fits := from != nil && to != nil && mentions(from, r.Field) && (r.Key == "" || mentions(to, r.Key))
		if !fits {
			b.leave("the relation %s.%s to %s names what no entity has", r.From, r.Field, r.To)
		}
		return !fits
	})
	if b.shapes.cut {
		b.leave("members of records below %d levels, and fields beyond %d", recordLevels, most)
	}
}

// mentions reports whether an entity has a field of the name anywhere.
func mentions(e *catalog.Entity, path string) bool {
	head, _, _ := strings.Cut(path, ".")
	has := func(list []catalog.Field) bool {
		f := catalog.FieldAt(list, path)
		if f == nil && head != path {
			f = catalog.FieldByName(list, head)
			return f != nil && f.Members == nil && f.Accepts("object")
		}
		return f != nil
	}
	return has(e.Record) || has(e.Search) || slices.ContainsFunc(e.Actions, func(a catalog.Action) bool {
		return has(a.Params) || has(a.Record)
	})
}

// singular is the name of one of the things that a plural names.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "sses"), strings.HasSuffix(name, "xes"), strings.HasSuffix(name, "ches"),
		strings.HasSuffix(name, "shes"):
		return name[:len(name)-2]
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && !strings.HasSuffix(name, "us") &&
		!strings.HasSuffix(name, "is"):
		return name[:len(name)-1]
	}
	return name
}
