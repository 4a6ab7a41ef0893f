package transport

import (
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// mostInError is how many members an object has that only tells of an error.
const mostInError = 8

// Expected is what is known of the record that should stand where an object does.
type Expected struct {
	Entity *catalog.Entity
	Action *catalog.Action
	// Selected is set where not all fields were asked for.
	Selected bool
}

func (x Expected) fields() (key string, record []catalog.Field) {
	if x.Entity == nil {
		return "id", nil
	}
	return x.Entity.Key, x.Entity.RecordOf(x.Action)
}

// OnlyError reports whether an object where a record should be holds an error and is
// no record: its key is not there, and no field of the record goes by the error's
// name.
func (x Expected) OnlyError(object rawjson.Node) bool {
	if object.Kind() != rawjson.Object || object.Len() > mostInError {
		return false
	}
	key, record := x.fields()
	found, state := false, false
	for m := range object.Members() {
		documented := catalog.FieldAt(record, m.Key()) != nil
		switch name := m.Key(); {
		case name == key || name == "id":
			return false
		case name == "status" && Failed(m.Value):
			found, state = found || !documented, true
		case (name == "error" || name == "errors") && !documented:
			said := strings.ToLower(string(m.Value.AppendRaw(nil, 10)))
			found = found || !slices.Contains([]string{"null", "false", `""`, "[]", "{}"}, said)
		}
	}
	return found || state && key != "" && !x.Selected
}

// Failed reports whether the status that an answer tells in its body is that of a failure.
func Failed(status rawjson.Node) bool {
	return status.Kind() == rawjson.String &&
		slices.Contains([]string{"error", "failed", "failure"}, strings.ToLower(status.Text()))
}

// Scalars reports whether a list holds no objects where the catalog knows that records
// have fields.
func (x Expected) Scalars(list rawjson.Node) bool {
	_, record := x.fields()
	if list.Kind() != rawjson.Array || len(record) == 0 {
		return false
	}
	for e := range list.Elems() {
		return e.Kind() < rawjson.Array
	}
	return false
}

// Foreign reports whether an object has nothing of what the catalog knows of a record,
// so that another server seems to have answered.
func (x Expected) Foreign(object rawjson.Node) bool {
	key, record := x.fields()
	if object.Kind() != rawjson.Object || len(record) == 0 || x.Selected {
		return false
	}
	for m := range object.Members() {
		if name := m.Key(); name == key || name == "id" || catalog.FieldAt(record, name) != nil {
			return false
		}
	}
	return true
}
