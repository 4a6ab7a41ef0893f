package definition

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/catalog/source"
)

const samples = "../../testdata/definitions"

// imported imports one of the samples.
func imported(t *testing.T, name string, o Options) *Result {
	t.Helper()
	path := filepath.Join(samples, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o.From = path
	o.Files, _ = Beside(data, func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(filepath.Dir(path), name))
	})
	r, err := Import(data, o)
	if err != nil {
		t.Fatal(err)
	}
	readable(t, r)
	return r
}

// readable holds that a kind can be written as a connector file and read back.
func readable(t *testing.T, r *Result) {
	t.Helper()
	if _, problems := source.Parse("kind.yaml", source.Write(r.Kind)); len(problems) > 0 {
		t.Errorf("the kind cannot be read back: %v", problems[:min(5, len(problems))])
	}
}

// table is what operations became, one line each.
func table(r *Result) string {
	var b strings.Builder
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "%s: %s %s", row.Operation, row.Action, row.Entity)
		if row.Out {
			b.WriteString(" (out)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestOperationsBecomeActions(t *testing.T) {
	for name, want := range map[string]string{
		"workshop.yaml": `GET /jobs: list jobs
POST /jobs: create jobs
GET /jobs/{id}: get jobs
DELETE /jobs/{id}: delete jobs
POST /parts:search: api_search parts
GET /parts/{id}/drawing: download drawings
POST /graphql:tools:list: list tools
`,
		"clinic.yaml": `GET /patients: list patients
POST /patients: create patients
POST /patients/search: api_search patients
GET /patients/{patient_id}: get patients
PATCH /patients/{patient_id}: update patients
GET /patients/{patient_id}/notes: list patient_notes
GET /doctors/{doctor_id}/notes: list doctor_notes
GET /old: get old (out)
GET /me: get me
`,
		"shop.yaml": `GET /items: list items
POST /items: create items
GET /items/{itemId}: get items
PUT /items/{itemId}: update items
DELETE /items/{itemId}: delete items
GET /items/{itemId}/picture: download picture
POST /items/{itemId}/reserve: create item_reserve (out)
POST /session: create session
`,
		"library/library.yaml": "GET /books: list books\nGET /loans: list loans\n",
	} {
		r := imported(t, name, Options{})
		if got := table(r); got != want {
			t.Errorf("%s became\n%s", name, got)
		}
		for _, row := range r.Rows {
			if row.Why == "" || row.Confidence == "" {
				t.Errorf("%s: %s has no reason", name, row.Operation)
			}
		}
	}
}

func action(t *testing.T, r *Result, entity, name string) *catalog.Action {
	t.Helper()
	e := r.Kind.Entity(entity)
	if e == nil || e.Action(name) == nil {
		t.Fatalf("%s has no %s %s", r.Kind.Name, name, entity)
	}
	return e.Action(name)
}

func TestPagesFollowNames(t *testing.T) {
	for _, c := range []struct{ file, entity, style, send, next, more string }{
		{"workshop.yaml", "jobs", "cursor", "cursor", "meta.next", ""},
		{"workshop.yaml", "tools", "cursor", "after", "data.tools.pageInfo.endCursor", "data.tools.pageInfo.hasNextPage"},
		{"clinic.yaml", "patients", "cursor", "cursor", "paging.next_cursor", "paging.has_more"},
		{"clinic.yaml", "patient_notes", "offset", "offset", "", ""},
		{"clinic.yaml", "doctor_notes", "none", "", "", ""},
		{"shop.yaml", "items", "cursor", "page", "next_page", ""},
		{"library/library.yaml", "books", "page", "page", "", ""},
	} {
		p := action(t, imported(t, c.file, Options{}), c.entity, "list").Page
		if p == nil || p.Style != c.style || p.Send != c.send || p.Next != c.next || p.More != c.more {
			t.Errorf("%s %s: %+v", c.file, c.entity, p)
		}
	}
}

func TestCredentials(t *testing.T) {
	headers := func(file string) (out []string) {
		for _, a := range imported(t, file, Options{}).Kind.Local.Auth {
			for _, p := range append(slices.Clone(a.Headers), a.Query...) {
				out = append(out, p.Name+": "+p.Value)
			}
			if a.Refresh != nil {
				out = append(out, a.Refresh.Method+" "+a.Refresh.URL)
			}
		}
		return out
	}
	for file, want := range map[string][]string{
		"workshop.yaml": {"X-Key: Key ${api_key}", "Authorization: Bearer ${access_token}",
			"POST https://${subdomain}.workshop.example/token"},
		"clinic.yaml":          {"Authorization: Bearer ${token}"},
		"shop.yaml":            {"api_key: ${api_key}", "Authorization: Basic base64(${username}:${password})"},
		"library/library.yaml": {"Authorization: Bearer ${token}"},
	} {
		if got := headers(file); !slices.Equal(got, want) {
			t.Errorf("%s: %q", file, got)
		}
	}
}

func TestWhatSchemasSay(t *testing.T) {
	clinic := imported(t, "clinic.yaml", Options{})
	patients := clinic.Kind.Entity("patients")
	mother := catalog.FieldByName(patients.Record, "mother")
	if mother == nil || mother.Type != "object" {
		t.Errorf("a record that holds itself: %+v", mother)
	}
	if s := catalog.FieldByName(patients.Record, "state"); len(s.Enum) != 2 || !s.Nullable {
		t.Errorf("null among the values: %+v", s)
	}
	if l := catalog.FieldByName(patients.Record, "labels"); l.Values == nil || l.Values.Type != "string" {
		t.Errorf("a map: %+v", l)
	}
	contact := action(t, clinic, "patients", "create").Param("contact")
	if contact == nil || len(contact.Members) != 2 || contact.Members[0].Required {
		t.Errorf("one of two objects: %+v", contact)
	}
	if a := action(t, clinic, "patients", "update"); len(a.Binding.Headers) != 1 {
		t.Errorf("the type of the body is not sent: %+v", a.Binding)
	}
	if got := clinic.Kind.Local; got.BaseURL != "https://{region}.clinic.example/api/v1" || len(got.Servers) != 1 {
		t.Errorf("servers: %+v", got)
	}
	shop := imported(t, "shop.yaml", Options{})
	if c := action(t, shop, "items", "list").Param("colors"); c.Style != "comma" || len(c.Items.Enum) != 2 {
		t.Errorf("a list joined by commas: %+v", c)
	}
	if a := action(t, shop, "session", "create"); a.Binding.Encoding != "form" || len(a.Params) != 2 {
		t.Errorf("a form: %+v", a)
	}
	if e := shop.Kind.Entity("items"); e.Key != "id" || catalog.FieldByName(e.Record, "name") == nil {
		t.Errorf("parts of a record: %+v", e.Record)
	}
	workshop := imported(t, "workshop.yaml", Options{}).Kind
	if e := workshop.Entity("jobs"); len(e.Search) != 3 || e.Action("context_store_search") == nil {
		t.Errorf("search: %+v", e.Search)
	}
	if len(workshop.Relations) != 1 || workshop.Entity("parts").Action("api_search").Binding.DropWhen != "hidden == true" {
		t.Errorf("relations %v", workshop.Relations)
	}
}

func TestChoices(t *testing.T) {
	r := imported(t, "shop.yaml", Options{Name: "my_shop", Choices: map[string]Choice{
		"POST /items/{itemId}/reserve": {In: true, Action: "reserve", Entity: "items"},
		"signIn":                       {Out: true},
		"GET /nothing":                 {Out: true},
	}})
	if a := action(t, r, "items", "reserve"); a.Reads == nil || *a.Reads || !a.Writes() {
		t.Errorf("an action of unknown nature is no write: %+v", a)
	}
	if r.Kind.Name != "my_shop" || r.Kind.Entity("session") != nil {
		t.Errorf("left in: %v", r.Kind.EntityNames())
	}
	if !slices.ContainsFunc(r.Left, func(s string) bool { return strings.Contains(s, "GET /nothing") }) {
		t.Errorf("a choice for nothing is not told: %q", r.Left)
	}
}
