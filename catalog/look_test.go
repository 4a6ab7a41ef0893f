package catalog

import (
	"slices"
	"strings"
	"testing"
)

// After a write of unknown outcome people look at the record that it names, else at
// the list.
func TestLookFindsWhatShowsAWrite(t *testing.T) {
	for _, tt := range []struct{ kind, entity, write, params, want string }{
		{"payments", "customers", "update", `{"id":"cus_1","name":"A"}`, `customers get {"id":"cus_1"} []`},
		{"payments", "customers", "create", `{"name":"A"}`, `customers list  []`},
		{"payments", "products", "create", `{"id":"p_1","name":"A"}`, `products get {"id":"p_1"} []`},
		{"payments", "invoice_finalizations", "create", `{"id":"in_1"}`, `invoices get {"id":"in_1"} []`},
		{"payments", "checkout_sessions", "create", `{"mode":"payment"}`, ""},
		{"code_hosting", "issues", "update", `{"owner":"o","repo":"r","issue_number":7}`, `issues get {"owner":"o","repo":"r","number":7} []`},
		{"code_hosting", "comments", "create", `{"owner":"o","repo":"r","issue_number":7,"body":"b"}`, `comments list {"owner":"o","repo":"r","number":7} []`},
		{"issue_tracker", "issues_assignee", "update", `{"issueIdOrKey":"A-1"}`, `issues get {"issueIdOrKey":"A-1"} []`},
		{"issue_tracker", "issues", "create", `{"fields":{}}`, `issues api_search  [jql]`},
		{"social_advertising", "ads", "update", `not JSON`, `ads list  [account_id]`},
	} {
		k, err := New().Kind(tt.kind)
		if err != nil {
			t.Fatal(err)
		}
		l, ok := k.Look(k.Entity(tt.entity), tt.write, []byte(tt.params))
		got := ""
		if ok {
			got = l.Entity.Name + " " + l.Action.Name + " " + string(l.Params) + " [" + strings.Join(l.Missing, ",") + "]"
		}
		if got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.entity, tt.write, got, tt.want)
		}
	}
}

// Every write of the catalog has a call to look with, or its kind is known to offer none.
func TestLooksOnlyRead(t *testing.T) {
	c := New()
	for _, s := range c.Kinds() {
		k, err := c.Kind(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			e := &k.Entities[i]
			for _, a := range e.Actions {
				if l, ok := k.Look(e, a.Name, nil); a.Writes() && ok && (l.Action.Writes() || slices.Contains(l.Missing, "")) {
					t.Errorf("%s %s %s is looked for with %+v", k.Name, e.Name, a.Name, l)
				}
			}
		}
	}
}
