package sandbox

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// refuseUnknown refuses a selection that names fields which no record has. Inside, names
// are those of the members of a member of the record; a wildcard or a leading minus is
// none, and each account has custom fields of its own.
func (d *dataset) refuseUnknown(e *catalog.Entity, a *catalog.Action, t *data.Table, inside string, names []any) {
	fields := slices.Concat(d.fields(e), e.RecordOf(a), e.Search)
	if inside != "" {
		fields = catalog.FieldByName(fields, inside).Below()
	}
	selected := []any(nil)
	if f := catalog.FieldByName(a.Params, "fields"); f != nil {
		selected = data.List(constant(f.Default))
	}
	if e.Semantic != nil {
		for _, name := range e.Semantic.EntityFields {
			selected = append(selected, name)
		}
	}
	has := func(name string) bool {
		o := (*rawjson.Map)(nil)
		if len(t.Rows) > 0 {
			o = t.Rows[0].Whole()
		}
		if inside != "" {
			o = objectIn(o, inside)
		}
		return catalog.FieldByName(fields, name) != nil || o.Has(name) || slices.Contains(selected, any(name)) ||
			slices.ContainsFunc(e.Search, func(f catalog.Field) bool { return strings.HasPrefix(f.Name, name+".") })
	}
	for _, n := range names {
		name := strings.TrimPrefix(rawjson.TextOf(n), "-")
		first, _, _ := strings.Cut(name, ".")
		first, _, _ = strings.Cut(strings.TrimSuffix(first, "[]"), "{")
		free := inside != "" && (strings.HasPrefix(name, "*") || customField.MatchString(name))
		if !free && !has(name) && !has(strings.TrimSpace(first)) {
			panic(refuseParam(http.StatusBadRequest, "fields", "unknown_field", "%s has no field %q.", e.Name, name))
		}
	}
}

var customField = regexp.MustCompile(`^customfield_\d+$`)
