package catalog_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
)

// breakage is one change to a kind that the comparison has to notice, in words
// that hold want.
type breakage struct {
	name, kind, want string
	change           func(k *catalog.Kind)
}

func customers(k *catalog.Kind, action string) *catalog.Action {
	return k.Entity("customers").Action(action)
}

func fieldBreakages() []breakage {
	three := 3.0
	return []breakage{
		{"entity missing", "payments", "entity payouts", func(k *catalog.Kind) { k.Entities = k.Entities[:len(k.Entities)-1] }},
		{"action filled", "payments", "action customers list", func(k *catalog.Kind) { customers(k, "list").Source = catalog.Upstream }},
		{"record field missing", "payments", "test_clock", func(k *catalog.Kind) {
			e := k.Entity("customers")
			e.Record = slices.DeleteFunc(e.Record, func(f catalog.Field) bool { return f.Name == "test_clock" })
		}},
		{"null lost", "payments", "no null", func(k *catalog.Kind) { catalog.FieldByName(k.Entity("customers").Record, "name").Nullable = false }},
		{"type", "payments", "number", func(k *catalog.Kind) { catalog.FieldByName(k.Entity("customers").Search, "balance").Type = "number" }},
		{"field too many", "payments", "param payouts list", func(k *catalog.Kind) {
			a := k.Entity("payouts").Action("list")
			a.Params = append(a.Params, catalog.Field{Name: "x", Type: "string"})
		}},
		{"member filled", "payments", "created.gt", func(k *catalog.Kind) { customers(k, "list").Param("created.gt").Source = catalog.Upstream }},
		{"attribute too many", "payments", "no documented min", func(k *catalog.Kind) { customers(k, "list").Param("created.gt").Min = &three }},
		{"limit", "payments", "limit customers list limit", func(k *catalog.Kind) { customers(k, "list").Param("limit").Max = &three }},
		{"default filled", "payments", "filled from elsewhere", func(k *catalog.Kind) {
			customers(k, "list").Param("limit").Upstream = []string{"default"}
		}},
		{"own record", "payments", "record customers delete", func(k *catalog.Kind) { customers(k, "delete").Record = nil }},
	}
}

func otherBreakages() []breakage {
	return []breakage{
		{"note", "payments", "note customers delete", func(k *catalog.Kind) {
			customers(k, "delete").Notes, customers(k, "delete").Doc = nil, ""
			k.Entity("customers").Notes, k.Entity("customers").Doc = nil, ""
		}},
		{"note too many", "payments", "Never told.", func(k *catalog.Kind) { k.Notes = append(k.Notes, catalog.Note{Text: "Never told."}) }},
		{"field note too many", "payments", "note payouts list id", func(k *catalog.Kind) {
			k.Entity("payouts").Action("list").Params = []catalog.Field{{Name: "id", Type: "string", Note: "Never told."}}
		}},
		{"order", "payments", "order customers list", func(k *catalog.Kind) { customers(k, "list").Order = "oldest first" }},
		{"paging", "payments", "page customers list", func(k *catalog.Kind) { customers(k, "list").Page.Send = "page" }},
		{"search shape", "payments", "context_store_search query", func(k *catalog.Kind) {
			customers(k, "context_store_search").Params = customers(k, "context_store_search").Params[1:]
		}},
		{"rule", "marketplace_seller", "rule orders list", func(k *catalog.Kind) { k.Entity("orders").Action("list").Rules = nil }},
		{"region", "marketplace_seller", "resolves", func(k *catalog.Kind) { k.Entity("orders").Action("list").Param("MarketplaceIds").Inject = nil }},
		{"state", "marketplace_seller", "states orders OrderStatus", func(k *catalog.Kind) {
			e := k.Entity("orders")
			catalog.FieldByName(e.Record, "OrderStatus").Enum = []json.RawMessage{[]byte(`"Pending"`)}
			catalog.FieldByName(e.Search, "OrderStatus").Enum = nil
		}},
		{"exactly one", "notes_workspace", "one_of", func(k *catalog.Kind) {
			a := k.Entity("pages").Action("create")
			a.Rules, a.Param("parent").OneOf = nil, false
		}},
		{"omitted", "error_tracking", "omitted projects list avatar", func(k *catalog.Kind) {
			e := k.Entity("projects")
			for _, fields := range [][]catalog.Field{e.Record, e.Action("list").Record} {
				if f := catalog.FieldByName(fields, "avatar"); f != nil {
					f.Omitted = nil
				}
			}
		}},
		{"credential", "crm", "refresh_token", func(k *catalog.Kind) { k.Credentials = nil }},
		{"configuration", "crm", "instance_url", func(k *catalog.Kind) { k.Config = nil }},
		{"credential too many", "payments", "credential token", func(k *catalog.Kind) { k.Credentials[0].Fields[0].Source = catalog.Documented }},
		{"status", "issue_tracker", "error issues api_search", func(k *catalog.Kind) {
			a := k.Entity("issues").Action("api_search")
			for i := range a.Rules {
				a.Rules[i].Status = 0
			}
		}},
	}
}

// TestComparisonNotices breaks the catalog in one place at a time: a comparison
// that finds nothing would prove nothing.
func TestComparisonNotices(t *testing.T) {
	platform := readSpec(t, "platform")
	for _, test := range append(fieldBreakages(), otherBreakages()...) {
		t.Run(test.name, func(t *testing.T) {
			kind := loadKind(t, test.kind)
			test.change(kind)
			var lines []specLine
			if slices.Contains(specKinds(t), test.kind) {
				lines = readSpec(t, test.kind)
			}
			found, err := compareKind(kind, lines, platform)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(found, func(m mismatch) bool { return strings.Contains(m.String(), test.want) }) {
				t.Errorf("no difference speaks of %q: %v", test.want, found)
			}
		})
	}
}

// TestEveryLineCounts leaves out one line at a time: each must be missed, but
// for those that only allow something or say that nothing is known.
func TestEveryLineCounts(t *testing.T) {
	platform := readSpec(t, "platform")
	for _, name := range []string{"usage_billing", "team_wiki"} {
		kind, lines := loadKind(t, name), readSpec(t, name)
		for i, l := range lines {
			if !slices.Contains([]string{"entity", "action", "record", "search", "meta", "param"}, l.words[0]) {
				continue
			}
			found, err := compareKind(kind, slices.Delete(slices.Clone(lines), i, i+1), platform)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 {
				t.Errorf("%s: nothing misses the line %s", l.where(), strings.Join(l.words, " "))
			}
		}
	}
}

func TestSpecWords(t *testing.T) {
	tests := []struct {
		line string
		want []string
	}{
		{`param a list x string`, []string{"param", "a", "list", "x", "string"}},
		{`enum=24h,14d,"" text="two words"`, []string{"enum=24h,14d,", "text=two words"}},
		{"a\t b  \"\"", []string{"a", "b", ""}},
	}
	for _, test := range tests {
		if got, err := splitWords(test.line); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("splitWords(%s) = %q, %v; want %q", test.line, got, err, test.want)
		}
	}
	if _, err := splitWords(`an "open quote`); err == nil {
		t.Error("an open quote was accepted")
	}
}
