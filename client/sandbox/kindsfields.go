package sandbox

import (
	"slices"

	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// applyOperations changes single fields of an issue: {"labels": [{"add": "urgent"}]} adds to
// a list, remove takes from it, and set and edit replace the field. What is no field of the
// issue, such as a comment, is passed over.
func applyOperations(f, update *rawjson.Map) {
	for i := range update.Len() {
		name := update.Keys[i]
		for _, one := range data.List(update.Vals[i]) {
			step, isObject := one.(*rawjson.Map)
			if !isObject || !f.Has(name) {
				continue
			}
			list, _ := f.Value(name).([]any)
			for j, verb := range step.Keys {
				switch v := step.Vals[j]; verb {
				case "set", "edit":
					f.Set(name, rawjson.CloneValue(v))
				case "add":
					f.Set(name, append(slices.Clone(list), rawjson.CloneValue(v)))
				case "remove":
					f.Set(name, slices.DeleteFunc(slices.Clone(list), func(e any) bool { return data.Equal(e, v) }))
				}
			}
		}
	}
}
