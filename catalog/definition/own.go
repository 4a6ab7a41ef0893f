package definition

import (
	"encoding/json"
	"reflect"
	"strings"

	"patchbay/catalog"
	"patchbay/client/strictyaml"
)

// The keys of our own say what a connector file can say and neither OpenAPI nor the
// service's family have a word for:
//
//   - x-patchbay-NAME on a schema or param is the attribute NAME of a field, with
//     dashes for underscores: x-patchbay-wire, x-patchbay-send, x-patchbay-ref.
//   - x-patchbay-action on an operation, x-patchbay-kind and x-patchbay-entities on the
//     document hold attributes of the action, the kind and its entities by the names
//     that they have in a connector file. What stands there wins over what was concluded.

// own takes the attributes of a field that stand under keys of our own.
func own(f *catalog.Field, ext extensions) {
	if !ext.any(ours) {
		return
	}
	v := reflect.ValueOf(f).Elem()
	for i, key := range strictyaml.Keys(v.Type()) {
		if key == "" {
			continue
		}
		if n := ext.node(ours + strings.ReplaceAll(key, "_", "-")); n.exists() {
			take(v.Field(i), n.json())
		}
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
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if name == key {
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
