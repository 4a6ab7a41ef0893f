// Package learned keeps what answers showed of records that nobody documented: the
// names of fields, their types, where null stood, which identify a record or refer to
// others, and how pages go on. It keeps no values, but the words of fields that hold
// states: a field counts as one by its name and by how few and how plain its words are,
// so that no name, address, number or key of a person or an account is among them.
//
// It asks nobody and imports nothing of the screen.
package learned

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
)

// Kind is what answers showed of the entities of a kind.
type Kind map[string]*Entity

// Entity is what answers showed of the records of an entity.
type Entity struct {
	// Records is how many were looked at.
	Records int `json:"records"`
	// Fields are by their path: dotted, [] for the elements of an array.
	Fields map[string]*Field `json:"fields"`
	// Order are the paths as they were met.
	Order []string `json:"order"`
	// Pages are how the pages of actions go on.
	Pages map[string]*catalog.Page `json:"pages,omitempty"`
}

// Field is what answers showed of one field.
type Field struct {
	// Seen is how often it was there, Of how often it could have been.
	Seen int `json:"seen"`
	// Types counts what stood there by JSON type, null among them.
	Types map[string]int `json:"types"`
	// Words are those of a state, Many is set once there are too many or other values.
	Words []string `json:"words,omitempty"`
	Many  bool     `json:"many,omitempty"`
	// Map is set where the names of members are values themselves: none of them is kept.
	Map bool `json:"map,omitempty"`
	// Repeats is set once a value stood in two records of one answer.
	Repeats bool `json:"repeats,omitempty"`
}

// What is looked at and kept at most.
const (
	mostRecords = 1000
	mostFields  = 400
	mostMembers = 60
	mostDepth   = 5
	mostWords   = 12
)

// Records is what is looked at of an answer.
type Records interface {
	Len() int
	Record(i int) rawjson.Node
}

// Look finds what the records of one answer show.
func Look(set Records) *Entity {
	e := &Entity{Fields: map[string]*Field{}}
	values := map[string]map[string]bool{}
	for i := range min(set.Len(), mostRecords) {
		record := set.Record(i)
		if record.Kind() != rawjson.Object || record.Cut() {
			continue
		}
		e.Records++
		e.object(record, "", 0, values)
	}
	return e
}

// plainName is the name of a field, not a key that is a value itself.
var plainName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z_$-]*[A-Za-z0-9_$-]{0,40}$`)

// isName reports whether a member's name is one that every record may have.
func isName(name string) bool {
	digits := 0
	for _, r := range name {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	return len(name) <= 64 && plainName.MatchString(name) && digits <= 3
}

// object looks at the members of an object at a path.
func (e *Entity) object(n rawjson.Node, path string, depth int, values map[string]map[string]bool) {
	if own := e.Fields[path]; own != nil && (own.Map || n.Len() > mostMembers) {
		own.Map = true
		return
	}
	for m := range n.Members() {
		name := m.Key()
		if m.Name.Cut() || !isName(name) {
			if own := e.Fields[path]; own != nil { // what is below is no structure
				own.Map = true
				e.forget(path + ".")
				return
			}
			continue
		}
		e.value(m.Value, joined(path, name), name, depth, values)
	}
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// forget drops what is known below a path.
func (e *Entity) forget(prefix string) {
	maps.DeleteFunc(e.Fields, func(path string, _ *Field) bool { return strings.HasPrefix(path, prefix) })
	e.Order = slices.DeleteFunc(e.Order, func(path string) bool { return strings.HasPrefix(path, prefix) })
}

// value looks at what stands at a path.
func (e *Entity) value(v rawjson.Node, path, name string, depth int, values map[string]map[string]bool) {
	f := e.Fields[path]
	if f == nil {
		if len(e.Fields) >= mostFields {
			return
		}
		f = &Field{Types: map[string]int{}}
		e.Fields[path] = f
		e.Order = append(e.Order, path)
	}
	f.Seen++
	f.Types[typeOf(v)]++
	f.note(v, name)
	if !strings.ContainsAny(path, ".[") && (v.Kind() == rawjson.String || v.Kind() == rawjson.Number) {
		if values[path] == nil {
			values[path] = map[string]bool{}
		}
		text := v.Text()
		f.Repeats = f.Repeats || values[path][text]
		values[path][text] = true
	}
	if depth >= mostDepth {
		return
	}
	switch v.Kind() {
	case rawjson.Object:
		e.object(v, path, depth+1, values)
	case rawjson.Array:
		n := 0
		for item := range v.Elems() {
			if n++; n > mostMembers {
				break
			}
			e.value(item, path+"[]", name, depth+1, values)
		}
	}
}

func typeOf(v rawjson.Node) string {
	switch v.Kind() {
	case rawjson.Null:
		return "null"
	case rawjson.Bool:
		return "boolean"
	case rawjson.Number:
		if strings.ContainsAny(string(v.Raw()), ".eE") {
			return "number"
		}
		return "integer"
	case rawjson.String:
		return "string"
	case rawjson.Array:
		return "array"
	case rawjson.Object:
		return "object"
	}
	return "any"
}

// stateNames end the names of fields whose words are states of things, never of a person.
var stateNames = []string{"status", "state", "type", "kind", "priority", "severity", "visibility", "currency", "mode",
	"stage", "phase", "level", "direction", "format", "object", "resource_type", "method"}

// plainWord is a word of a state: short, of letters, without what an address, a key or a
// sentence has.
var plainWord = regexp.MustCompile(`^[A-Za-z]+([_-][A-Za-z]+){0,4}$`)

// note keeps the word of a state.
func (f *Field) note(v rawjson.Node, name string) {
	if v.Kind() != rawjson.String || f.Many {
		f.Many = f.Many || v.Kind() != rawjson.Null
		return
	}
	word := v.Text()
	switch {
	case !isState(name) || len(word) > 24 || !plainWord.MatchString(word):
		f.Many, f.Words = true, nil
	case slices.Contains(f.Words, word):
	case len(f.Words) >= mostWords:
		f.Many, f.Words = true, nil
	default:
		f.Words = append(f.Words, word)
	}
}

func isState(name string) bool {
	lower := strings.ToLower(name)
	return !secret.SensitiveName(name) && slices.ContainsFunc(stateNames, func(s string) bool {
		return lower == s || strings.HasSuffix(lower, "_"+s) || len(name) > len(s) && strings.HasSuffix(name,
			strings.ToUpper(s[:1])+s[1:])
	})
}

// Add takes over what another answer showed. It reports whether that is more than counts.
func (e *Entity) Add(o *Entity) (more bool) {
	e.Records += o.Records
	for _, path := range o.Order {
		f, got := e.Fields[path], o.Fields[path]
		switch {
		case e.below(path):
			continue
		case f == nil && len(e.Fields) < mostFields:
			e.Fields[path], more = got, true
			e.Order = append(e.Order, path)
			continue
		case f == nil:
			continue
		}
		more = f.add(got) || more
		if f.Map {
			e.forget(path + ".")
		}
	}
	for action, page := range o.Pages {
		if was := e.Pages[action]; was == nil || !samePage(was, page) {
			if e.Pages == nil {
				e.Pages = map[string]*catalog.Page{}
			}
			e.Pages[action], more = page, true
		}
	}
	return more
}

// samePage compares the parts of pages that answers show.
func samePage(a, b *catalog.Page) bool {
	return a.Style == b.Style && a.Send == b.Send && a.Meta == b.Meta && a.More == b.More && a.Size == b.Size
}

// below reports whether a path lies below one whose members are values.
func (e *Entity) below(path string) bool {
	for at := strings.LastIndexByte(path, '.'); at > 0; at = strings.LastIndexByte(path[:at], '.') {
		if f := e.Fields[path[:at]]; f != nil && f.Map {
			return true
		}
	}
	return false
}

func (f *Field) add(o *Field) (more bool) {
	f.Seen += o.Seen
	for t, n := range o.Types {
		more = more || f.Types[t] == 0
		f.Types[t] += n
	}
	more = more || o.Map && !f.Map || o.Repeats && !f.Repeats
	f.Map, f.Repeats = f.Map || o.Map, f.Repeats || o.Repeats
	for _, w := range o.Words {
		if !f.Many && !slices.Contains(f.Words, w) {
			f.Words, more = append(f.Words, w), true
		}
	}
	if f.Many = f.Many || o.Many || len(f.Words) > mostWords; f.Many {
		f.Words = nil
	}
	return more
}

// typeWords are the types of a field in the catalog's words.
func (f *Field) typeWords() (words string, nullable bool) {
	var types []string
	for t := range f.Types {
		switch {
		case t == "null":
			nullable = true
		case t == "integer" && f.Types["number"] > 0:
		default:
			types = append(types, t)
		}
	}
	slices.SortFunc(types, func(a, b string) int { return cmp.Or(f.Types[b]-f.Types[a], strings.Compare(a, b)) })
	return cmp.Or(strings.Join(types, "|"), "any"), nullable
}
