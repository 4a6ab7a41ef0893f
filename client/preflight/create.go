package preflight

import (
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/strictyaml"
)

// Create judges what a connector is to be made from, by the names of its credentials
// and configuration alone: a credential under a wrong name would leave for nothing,
// and nobody could say how it is kept there. nil is fine, and what is known of no kind.
func Create(k *catalog.Kind, n client.NewConnector) *client.Error {
	if k == nil || k.Source == catalog.Live { // a description may leave credentials out
		return nil
	}
	refuse := func(field, format string, args ...any) *client.Error {
		e := client.Invalid(format, args...)
		e.Next = "patchbay catalog " + k.Name + " lists what it takes. Nothing was sent."
		e.Field = field
		return e
	}
	methods := slices.DeleteFunc(slices.Clone(k.Credentials), func(m catalog.Method) bool { return m.Unavailable })
	given := rawjson.ParseMap(n.Credentials)
	var known []string
	for _, m := range methods {
		known = append(known, catalog.FieldNames(m.Fields)...)
	}
	for _, name := range keys(given) {
		if len(known) > 0 && !slices.Contains(known, name) {
			return refuse("credentials."+name, "%s takes no credential %q%s", k.Title, name,
				strictyaml.DidYouMean(name, known))
		}
	}
	if given != nil && len(known) > 0 && !slices.ContainsFunc(methods, func(m catalog.Method) bool {
		return len(lacking(m.Fields, given)) == 0 && !slices.ContainsFunc(given.Keys, unknownTo(m.Fields))
	}) {
		return refuse("credentials", "the credentials fit no method of %s: it takes %s", k.Title, waysOf(methods))
	}
	config := rawjson.ParseMap(n.ReplicationConfig)
	for _, name := range keys(config) {
		if unknownTo(k.Config)(name) && !slices.Contains(replicated, name) {
			return refuse("replication_config."+name, "%s takes no replication_config %q%s", k.Title, name,
				strictyaml.DidYouMean(name, catalog.FieldNames(k.Config)))
		}
	}
	// What no person can know, such as a start date, the service fills in by itself.
	asked := slices.DeleteFunc(slices.Clone(k.Config), func(f catalog.Field) bool {
		return f.Default != nil || f.Derive != nil || f.Format == "date-time" || f.Format == "date"
	})
	if missing := lacking(asked, config); len(missing) > 0 {
		return refuse("replication_config."+missing[0], "replication_config lacks %s", strings.Join(missing, " and "))
	}
	return nil
}

// replicated are settings of the copy that a service makes, whatever the kind.
var replicated = []string{"start_date", "end_date"}

func keys(m *rawjson.Map) []string {
	if m == nil {
		return nil
	}
	return m.Keys
}

func unknownTo(fields []catalog.Field) func(string) bool {
	return func(name string) bool { return catalog.FieldByName(fields, name) == nil }
}

// lacking are the required fields that an object does not hold.
func lacking(fields []catalog.Field, given *rawjson.Map) (out []string) {
	for _, f := range fields {
		if f.Required && (given == nil || !given.Has(f.Name)) {
			out = append(out, f.Name)
		}
	}
	return out
}

// waysOf tells the methods by their fields, those that can be left out in brackets.
func waysOf(methods []catalog.Method) string {
	var out []string
	for _, m := range methods {
		var parts []string
		for _, f := range m.Fields {
			name := f.Name
			if !f.Required {
				name = fmt.Sprintf("[%s]", name)
			}
			parts = append(parts, name)
		}
		out = append(out, strings.Join(parts, " + "))
	}
	return strings.Join(out, ", or ")
}
