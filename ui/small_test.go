package ui

import (
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
)

// The screens show what the tests' catalog has: every shape of a kind is in it.
func TestTheSmallCatalogShowsEveryShape(t *testing.T) {
	has := map[string]bool{}
	for _, s := range testCatalog.Kinds() {
		k, err := testCatalog.Kind(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		for shape, here := range shapesOf(k) {
			has[shape] = has[shape] || here
		}
	}
	for _, shape := range []string{
		"paging last_id", "paging token", "paging offset", "paging cursor", "paging page", "paging none",
		"create", "update", "delete", "download", "api_search", "context_store_search", "semantic_search",
		"GraphQL", "hosted only", "rule", "relation", "unknown search fields",
		"object", "array", "union", "null", "enum", "required", "default", "secret", "reference",
		"wire name", "wire value", "date-time", "unix",
		"oauth", "token", "refresh",
	} {
		if !has[shape] {
			t.Errorf("no kind of the tests' catalog has %s", shape)
		}
	}
}

func shapesOf(k *catalog.Kind) map[string]bool {
	has := map[string]bool{"relation": len(k.Relations) > 0}
	for _, m := range k.Credentials {
		has[m.Method] = true
		fieldShapes(has, m.Fields)
	}
	for _, a := range k.Local.Auth {
		has["refresh"] = has["refresh"] || a.Refresh != nil
	}
	for i := range k.Entities {
		e := &k.Entities[i]
		has["unknown search fields"] = has["unknown search fields"] || e.SearchUnknown
		fieldShapes(has, slices.Concat(e.Record, e.Search))
		for j := range e.Actions {
			actionShapes(has, &e.Actions[j])
		}
	}
	return has
}

func actionShapes(has map[string]bool, a *catalog.Action) {
	has[a.Name] = true
	has["hosted only"] = has["hosted only"] || a.HostedOnly
	has["rule"] = has["rule"] || len(a.Rules) > 0
	if a.Page != nil {
		has["paging "+a.Page.Style] = true
	}
	if b := a.Binding; b != nil {
		has["GraphQL"] = has["GraphQL"] || b.GraphQL != nil
	}
	fieldShapes(has, a.Params)
}

func fieldShapes(has map[string]bool, fields []catalog.Field) {
	for i := range fields {
		f := &fields[i]
		for shape, here := range map[string]bool{
			"object": len(f.Members) > 0, "array": f.Items != nil, "union": strings.Contains(f.Type, "|"), "null": f.Nullable,
			"enum": len(f.Enum) > 0, "required": f.Required, "default": f.Default != nil, "secret": f.Secret, "reference": f.Ref != "",
			"wire name": f.Wire != "", "wire value": f.WireValues != nil, f.Format: true,
		} {
			has[shape] = has[shape] || here
		}
		fieldShapes(has, f.Members)
		if f.Items != nil {
			fieldShapes(has, []catalog.Field{*f.Items})
		}
	}
}
