package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func described(t *testing.T, kind, entity, action string) string {
	t.Helper()
	k, err := New().Kind(kind)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range k.Describe(entity, action) {
		b.WriteString(line.String() + "\n")
	}
	return b.String()
}

func TestDescribe(t *testing.T) {
	for _, test := range []struct{ kind, entity, action, want string }{
		{"payments", "", "", "  customers (list, create, get, update, delete, api_search, context_store_search)"},
		{"payments", "customers", "", "A record is identified by id."},
		{"payments", "customers", "list", "  limit (integer, default 10, 1 to 100)"},
		{"payments", "customers", "list", "  Next page: starting_after = id of the last record."},
		{"payments", "customers", "list", "    gte (integer"},
		{"payments", "customers", "delete", "writes, destructive"},
		{"payments", "customers", "context_store_search", "hosted only"},
		{"marketplace_seller", "orders", "list", "filled by the service"},
		{"issue_tracker", "issues", "api_search", "status 400"},
		{"team_wiki", "pages", "list", "status (array of string, each one of current, archived, trashed, draft)"},
	} {
		if text := described(t, test.kind, test.entity, test.action); !strings.Contains(text, test.want) {
			t.Errorf("%s %s %s lacks %q:\n%s", test.kind, test.entity, test.action, test.want, text)
		}
	}
}

func TestEverythingIsDescribed(t *testing.T) {
	walk(t, func(k *Kind, e *Entity, a *Action) {
		if len(k.Describe(e.Name, a.Name)) < 2 {
			t.Errorf("%s %s %s has no documentation", k.Name, e.Name, a.Name)
		}
	})
	k, _ := New().Kind("payments")
	if k.Describe("nothing", "") != nil || k.Describe("customers", "nothing") != nil {
		t.Error("an unknown thing is described")
	}
}

func TestPageWords(t *testing.T) {
	for _, test := range []struct {
		page Page
		want string
	}{
		{Page{Style: "none"}, "There is one page."},
		{Page{Style: "cursor", Send: "cursor", Next: "next", Meta: "next_cursor", Size: "limit", DefaultSize: 50},
			"Next page: cursor = meta.next_cursor of the answer. Page size: limit, 50 when left out."},
		{Page{Style: "token", Send: "t", Next: "next", Alone: true}, "Next page: t = next of the answer, and no other param."},
		{Page{Style: "offset", Send: "offset"}, "Next page: offset = number of records read so far."},
		{Page{Style: "token", Send: "t", Next: "next", More: "!isLast"}, "Next page: t = next of the answer. More pages exist while isLast is false."},
		{Page{Style: "link", Send: "cursor", Next: "@link.next", NextIs: "url"},
			"Next page: cursor = the value of the same name in the address at the Link header (next)."},
	} {
		if got := strings.Join(test.page.Words(), " "); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// A default says whether it is sent, only described, or an example for what must be given.
func TestDefaultsSayWhatBecomesOfThem(t *testing.T) {
	for want, f := range map[string]Field{
		`default "a"`:                       {Type: "string"},
		`a local call sends "a" by default`: {Type: "string", Send: true},
		`required, for example "a"`:         {Type: "string", Required: true},
	} {
		f.Default = json.RawMessage(`"a"`)
		if got := strings.Join(f.Marks(), ", "); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWriteJSON(t *testing.T) {
	var whole bytes.Buffer
	if err := New().WriteJSON(&whole, "", "", ""); err != nil {
		t.Fatal(err)
	}
	type action struct {
		Name                string
		Params, Meta, Rules []json.RawMessage
		Destructive         bool
	}
	var out struct {
		Connectors []struct {
			Kind     string
			Entities []struct {
				Name    string
				Actions []action
			}
		}
	}
	if err := json.Unmarshal(whole.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Connectors) != len(New().Kinds()) {
		t.Errorf("%d connectors are printed", len(out.Connectors))
	}
	if strings.Contains(whole.String(), ":null") {
		t.Error("a list is printed as null")
	}
	var part bytes.Buffer
	if err := New().WriteJSON(&part, "stripe", "customers", "list"); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(part.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Connectors) != 1 || len(out.Connectors[0].Entities) != 1 || len(out.Connectors[0].Entities[0].Actions) != 1 {
		t.Errorf("a part is printed as %s", part.String())
	}
}

func TestUnknownNamesGiveTheNearest(t *testing.T) {
	for _, test := range []struct{ kind, entity, action, want string }{
		{"paymnts", "", "", "payments"},
		{"strip", "", "", "payments"},
		{"payments", "customer", "", "customers"},
		{"payments", "customers", "lst", "list"},
	} {
		_, _, _, err := New().Resolve(test.kind, test.entity, test.action)
		var unknown *UnknownError
		if !errors.As(err, &unknown) || len(unknown.Near) == 0 || unknown.Near[0] != test.want {
			t.Errorf("%s %s %s: %v, want %s named first", test.kind, test.entity, test.action, err, test.want)
		}
	}
}
