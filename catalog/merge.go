package catalog

import "reflect"

// merge lays the facts of a user's file over a kind of ours: named things
// (entities, actions, fields) meet by name, notes and relations are added, any
// other value that the file gives replaces ours.
func merge(base, over *Kind) {
	mergeValue(reflect.ValueOf(base).Elem(), reflect.ValueOf(over).Elem())
}

func mergeValue(base, over reflect.Value) {
	if over.IsZero() {
		return
	}
	switch {
	case base.Kind() == reflect.Struct:
		mergeStruct(base, over)
	case base.Kind() == reflect.Pointer && !base.IsNil():
		mergeValue(base.Elem(), over.Elem())
	case base.Kind() == reflect.Slice && named(base.Type().Elem()):
		mergeNamed(base, over)
	case base.Type() == reflect.TypeFor[[]Note](), base.Type() == reflect.TypeFor[[]Relation]():
		base.Set(reflect.AppendSlice(base, over))
	case base.Kind() == reflect.Map && !base.IsNil():
		for _, key := range over.MapKeys() {
			base.SetMapIndex(key, over.MapIndex(key))
		}
	default:
		base.Set(over)
	}
}

func mergeStruct(base, over reflect.Value) {
	t := base.Type()
	for i := range t.NumField() {
		if t.Field(i).Name == "Source" && container(t) && !base.IsZero() {
			continue
		}
		mergeValue(base.Field(i), over.Field(i))
	}
}

// container types keep their own source when only something in them changes.
func container(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[Kind](), reflect.TypeFor[Entity](), reflect.TypeFor[Action](), reflect.TypeFor[Local]():
		return true
	}
	return false
}

func named(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[Entity](), reflect.TypeFor[Action](), reflect.TypeFor[Field](), reflect.TypeFor[Pair]():
		return true
	}
	return false
}

func mergeNamed(base, over reflect.Value) {
	for i := range over.Len() {
		added, found := over.Index(i), false
		for j := range base.Len() {
			if base.Index(j).FieldByName("Name").String() == added.FieldByName("Name").String() {
				mergeValue(base.Index(j), added)
				found = true
				break
			}
		}
		if !found {
			base.Set(reflect.Append(base, added))
		}
	}
}
