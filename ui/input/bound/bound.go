// Package bound is for tests: it names the keys that the widgets of the library bind,
// read from the library itself, so that a further version brings its further keys along.
//
// Of patchbay it imports nothing.
package bound

import (
	"reflect"
	"slices"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	"charm.land/bubbles/v2/viewport"
)

// Keys are the names of all keys that a text field, a text of lines or a scrolled text binds.
func Keys() []string {
	var names []string
	for _, keyMap := range []any{textinput.DefaultKeyMap(), textarea.DefaultKeyMap(), viewport.DefaultKeyMap()} {
		m := reflect.ValueOf(keyMap)
		for i := range m.NumField() {
			if b, ok := m.Field(i).Interface().(key.Binding); ok {
				names = append(names, b.Keys()...)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
