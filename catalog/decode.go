package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Bounds that keep a hostile or mistaken file (aliases of aliases, endless
// nesting) from eating the machine; the largest real file stays below a tenth.
const (
	maxNodes = 400_000
	maxDepth = 64
)

// ParseFile reads one kind from the YAML text of a connector file. It returns
// every problem of the file, in the order of its lines; the kind is usable only
// when there is none.
func ParseFile(name string, data []byte) (*Kind, []Problem) {
	d := newDecoder(name)
	root := d.document(data)
	if root == nil {
		return nil, d.problems
	}
	kind := &Kind{}
	d.fill(kind, root)
	normalize(kind)
	d.validate(kind)
	sortProblems(d.problems)
	return kind, d.problems
}

// decoder turns one YAML document into a Kind, remembering the line of every
// path for the checks that come later.
type decoder struct {
	file     string
	problems []Problem
	lines    map[string]int
	nodes    int
	hooks    map[reflect.Type]hook
	// force is the source of everything in the file, whatever it says; used for
	// the user's own files.
	force Source
}

func newDecoder(file string) *decoder {
	return &decoder{file: file, lines: map[string]int{}, hooks: hookTable()}
}

// place is where a value is being decoded: its path, the source it inherits and
// how deep it sits.
type place struct {
	path   string
	source Source
	depth  int
}

func (p place) to(key string) place {
	if p.path != "" {
		key = p.path + "." + key
	}
	return place{path: key, source: p.source, depth: p.depth + 1}
}

func (p place) at(index int) place {
	return place{path: fmt.Sprintf("%s[%d]", p.path, index), source: p.source, depth: p.depth + 1}
}

func (d *decoder) problem(line int, path, format string, args ...any) {
	d.problems = append(d.problems, Problem{File: d.file, Line: line, Path: path, Reason: fmt.Sprintf(format, args...)})
}

// document parses the YAML text; nil after a problem.
func (d *decoder) document(data []byte) *yaml.Node {
	var root yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&root); err != nil {
		d.syntax(err)
		return nil
	}
	var second yaml.Node
	if err := dec.Decode(&second); err == nil {
		d.problem(second.Line, "", "a file holds one kind: remove the second YAML document")
		return nil
	} else if !errors.Is(err, io.EOF) {
		d.syntax(err)
		return nil
	}
	if len(root.Content) != 1 {
		d.problem(0, "", "the file is empty: it must hold a kind")
		return nil
	}
	return root.Content[0]
}

// fill decodes into a kind. What the kind already holds stays unless the file
// gives it: entities, actions, fields and pairs meet by name, anything else is
// replaced.
func (d *decoder) fill(kind *Kind, root *yaml.Node) {
	d.value(root, reflect.ValueOf(kind).Elem(), place{source: d.force})
}

// syntax reports what the YAML parser says, with the line taken out of its text.
func (d *decoder) syntax(err error) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if errors.Is(err, io.EOF) {
		text = "the file is empty: it must hold a kind"
	}
	line := 0
	if m := regexp.MustCompile(`^line (\d+): `).FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	d.problem(line, "", "%s", text)
}

// value decodes n into v by the type of v.
func (d *decoder) value(n *yaml.Node, v reflect.Value, at place) {
	if n = d.enter(n, at); n == nil {
		return
	}
	if hook := d.hooks[v.Type()]; hook != nil {
		hook(d, n, v, at)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		d.pointer(n, v, at)
	case reflect.Struct:
		d.structure(n, v, at)
	case reflect.Slice:
		d.sequence(n, v, at)
	case reflect.Map:
		d.table(n, v, at)
	default:
		d.scalar(n, v, at)
	}
}

// enter follows an alias, notes the line and enforces the bounds; nil stops.
func (d *decoder) enter(n *yaml.Node, at place) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if _, known := d.lines[at.path]; !known {
		d.lines[at.path] = n.Line
	}
	d.nodes++
	if d.nodes == maxNodes || (at.depth > maxDepth && d.nodes < maxNodes) {
		d.nodes = maxNodes
		d.problem(n.Line, at.path, "the file nests or repeats too much: aliases may be expanding without end")
	}
	if d.nodes >= maxNodes {
		return nil
	}
	return n
}

func (d *decoder) pointer(n *yaml.Node, v reflect.Value, at place) {
	if isNull(n) {
		return
	}
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	d.value(n, v.Elem(), at)
}

func (d *decoder) sequence(n *yaml.Node, v reflect.Value, at place) {
	if n.Kind != yaml.SequenceNode {
		d.problem(n.Line, at.path, "expected a list, found %s", describe(n))
		return
	}
	out := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, child := range n.Content {
		d.value(child, out.Index(i), at.at(i))
	}
	v.Set(out)
}

func (d *decoder) table(n *yaml.Node, v reflect.Value, at place) {
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	d.mapping(n, at, func(key string, child *yaml.Node) {
		element := reflect.New(v.Type().Elem()).Elem()
		d.value(child, element, at.to(key))
		v.SetMapIndex(reflect.ValueOf(key), element)
	})
}

// mapping calls each once per key in order, reporting duplicate and misread keys.
func (d *decoder) mapping(n *yaml.Node, at place, each func(key string, child *yaml.Node)) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		if !isNull(n) {
			d.problem(n.Line, at.path, "expected a mapping of names, found %s", describe(n))
		}
		return
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !d.checkKey(key, at) {
			continue
		}
		if line, again := first[key.Value]; again {
			d.problem(key.Line, at.to(key.Value).path, "the key stands twice, first in line %d", line)
			continue
		}
		first[key.Value] = key.Line
		d.lines[at.to(key.Value).path] = key.Line
		each(key.Value, n.Content[i+1])
	}
}

// checkKey refuses keys that some YAML readers take for something else than text.
func (d *decoder) checkKey(key *yaml.Node, at place) bool {
	switch {
	case key.Kind != yaml.ScalarNode:
		d.problem(key.Line, at.path, "a key must be plain text")
	case key.Tag == "!!merge":
		d.problem(key.Line, at.path, "merge keys (<<) are not YAML 1.2: repeat the entries or use an alias for the whole value")
	case key.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 && (key.ShortTag() != "!!str" || misread(key.Value)):
		d.problem(key.Line, at.path, "YAML readers may take the key %s for something else: write %q", key.Value, key.Value)
	default:
		return true
	}
	return false
}

// misread tells whether YAML 1.1 readers take an unquoted word for a boolean.
func misread(word string) bool {
	switch strings.ToLower(word) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}

func (d *decoder) structure(n *yaml.Node, v reflect.Value, at place) {
	keys := keysOf(v.Type())
	at.source = d.resolveSource(n, v, at)
	d.mapping(n, at, func(key string, child *yaml.Node) {
		index, ok := keys[key]
		switch {
		case key == "source":
		case d.special(v, key, child, at):
		case !ok:
			d.problem(d.lines[at.to(key).path], at.path, "unknown key %q%s", key, suggestion(key, keyNames(v.Type())))
		default:
			d.value(child, v.Field(index), at.to(key))
		}
	})
}

// resolveSource finds the source of a struct: its own word, else what its kind
// of fact usually is, else what it inherits.
func (d *decoder) resolveSource(n *yaml.Node, v reflect.Value, at place) Source {
	source := at.source
	switch v.Interface().(type) {
	case Relation:
		source = Derived
	case Binding, Local, Page, Semantic:
		source = Upstream
	}
	if own := child(n, "source"); own != nil {
		source = d.source(own, at.to("source"))
	}
	if d.force != "" {
		source = d.force
	}
	if field := v.FieldByName("Source"); field.IsValid() {
		if v.IsZero() || !container(v.Type()) {
			field.SetString(string(source))
		}
	} else if own := child(n, "source"); own != nil {
		d.problem(own.Line, at.path, "unknown key %q", "source")
	}
	return source
}

// container types keep their own source when a user's file changes only
// something in them.
func container(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[Kind](), reflect.TypeFor[Entity](), reflect.TypeFor[Action](), reflect.TypeFor[Local]():
		return true
	}
	return false
}

func (d *decoder) source(n *yaml.Node, at place) Source {
	switch n.Value {
	case "spec", "documented":
		return Documented
	case string(Upstream), string(Derived), string(User):
		return Source(n.Value)
	}
	d.problem(n.Line, at.path, "unknown source %q: write spec, upstream, derived or user", n.Value)
	return at.source
}

func (d *decoder) scalar(n *yaml.Node, v reflect.Value, at place) {
	if n.Kind != yaml.ScalarNode {
		d.problem(n.Line, at.path, "expected a single value, found %s", describe(n))
		return
	}
	var err error
	switch v.Kind() {
	case reflect.String:
		if tag := n.ShortTag(); tag != "!!str" && tag != "!!timestamp" {
			d.problem(n.Line, at.path, "expected text, found %s: write %q", describe(n), n.Value)
			return
		}
		v.SetString(n.Value)
	case reflect.Bool:
		if n.ShortTag() != "!!bool" {
			d.problem(n.Line, at.path, "expected true or false, found %q", n.Value)
			return
		}
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case reflect.Int:
		var i int
		if i, err = strconv.Atoi(n.Value); err == nil {
			v.SetInt(int64(i))
		}
	case reflect.Float64:
		var f float64
		if f, err = strconv.ParseFloat(n.Value, 64); err == nil {
			v.SetFloat(f)
		}
	}
	if err != nil {
		d.problem(n.Line, at.path, "expected a number, found %q", n.Value)
	}
}

var keyCache sync.Map // reflect.Type -> map[string]int

// keysOf maps the keys of a struct in a file to its field indexes. They are the
// JSON names; the binding of an action is called http.
func keysOf(t reflect.Type) map[string]int {
	if cached, ok := keyCache.Load(t); ok {
		return cached.(map[string]int)
	}
	keys := map[string]int{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "binding" {
			name = "http"
		}
		if name != "" && !hiddenKey(t, name) {
			keys[name] = i
		}
	}
	keyCache.Store(t, keys)
	return keys
}

// hiddenKey names JSON keys that a file cannot use: the name stands before the colon.
func hiddenKey(t reflect.Type, name string) bool {
	switch t {
	case reflect.TypeFor[Entity](), reflect.TypeFor[Action]():
		return name == "name"
	}
	return false
}

func keyNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "binding" {
			name = "http"
		}
		names = append(names, name)
	}
	return names
}

func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// describe names what stands at a node for an error text.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	if isNull(n) {
		return "nothing"
	}
	return strconv.Quote(n.Value)
}
