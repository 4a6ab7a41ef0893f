package definition

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"patchbay/catalog"
)

// The keys of our own say what a connector file can say and neither OpenAPI nor the
// service's family have a word for:
//
//   - x-patchbay-NAME on a schema or param is the attribute NAME of a field, with
//     dashes for underscores: x-patchbay-wire, x-patchbay-send, x-patchbay-ref.
//   - x-patchbay-action on an operation, x-patchbay-kind and x-patchbay-entities on the
//     document hold attributes of the action, the kind and its entities by the names of
//     their JSON form. What stands there wins over what was concluded. http in an action
//     holds attributes of its request, order the order of its params; order in an entity
//     is that of its actions, more those that are no request.

// own takes the attributes of a field that stand under keys of our own.
func own(f *catalog.Field, ext extensions) {
	if ext.any(ours) {
		ownBy(f, ext.node)
	}
}

// ownBy is own of keys that find looks up.
func ownBy(f *catalog.Field, find func(key string) node) {
	v := reflect.ValueOf(f).Elem()
	for i := range v.NumField() {
		name := jsonName(v.Type().Field(i))
		if n := find(ours + strings.ReplaceAll(name, "_", "-")); name != "" && name != "source" && n.exists() {
			take(v.Field(i), n.json())
		}
	}
}

// sourceOf reads the word for a source; none inherits it.
func sourceOf(n node, inherited catalog.Source) catalog.Source {
	switch word := n.text(); word {
	case "":
		return inherited
	case "spec":
		return catalog.Documented
	default:
		return catalog.Source(word)
	}
}

// take sets a value from JSON; one that does not fit stays as it is.
func take(v reflect.Value, data json.RawMessage) {
	if data == nil {
		return
	}
	fresh := reflect.New(v.Type())
	if raw, ok := fresh.Interface().(*json.RawMessage); ok {
		if string(data) != "null" {
			*raw = data
		}
	} else if json.Unmarshal(data, fresh.Interface()) != nil {
		return
	}
	v.Set(fresh.Elem())
}

// attributes takes those of a struct that a mapping gives, by their JSON names.
func attributes(target any, n node) {
	v := reflect.ValueOf(target).Elem()
	n.each(func(key string, value node) {
		for i := range v.NumField() {
			if jsonName(v.Type().Field(i)) == key {
				take(v.Field(i), value.json())
			}
		}
	})
}

// ours takes what the keys of our own say of the kind and its entities.
func (b *builder) ours() {
	attributes(b.kind(), b.doc.ext.node(ours+"kind"))
	if b.o.Name != "" {
		b.kind().Name = b.o.Name
	}
	all := b.doc.ext.node(ours + "entities")
	if !all.exists() {
		return
	}
	var sorted []catalog.Entity
	all.each(func(name string, n node) {
		e := b.entity(name)
		attributes(e, n)
		e.Name = name
		for _, more := range n.child("more").items() {
			a := catalog.Action{}
			attributes(&a, more)
			put(e, a)
		}
		if names := n.child("order").texts(); len(names) > 0 {
			slices.SortStableFunc(e.Actions, func(x, y catalog.Action) int {
				return slices.Index(names, x.Name) - slices.Index(names, y.Name)
			})
		}
	})
	all.each(func(name string, _ node) {
		sorted = append(sorted, *b.entity(name))
		delete(b.entities, name)
	})
	for _, e := range b.kind().Entities {
		if _, rest := b.entities[e.Name]; rest {
			sorted = append(sorted, e)
		}
	}
	b.kind().Entities = sorted
	b.entities = map[string]int{}
	for i, e := range sorted {
		b.entities[e.Name] = i
	}
}
