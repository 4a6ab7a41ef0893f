package lang

import (
	"errors"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// one is a record that the queries of the tests are run over.
func one(t testing.TB) *data.Record {
	t.Helper()
	v, err := data.Parse([]byte(`{"key":"A-7","title":"Fix the login","state":"OPEN","stars":120,"private":false,
		"labels":["red","blue"],"owner":{"login":"ada"},"created":"2026-03-10T08:00:00Z","rank":"High","due":null,
		"metadata":{"plan":"team"}}`))
	if err != nil {
		t.Fatal(err)
	}
	return &data.Record{Obj: v.(*rawjson.Map), Hidden: rawjson.NewMap("repo", "web")}
}

var names = &catalog.SandboxQuery{
	Fields: map[string][]string{"key": {"key"}, "summary": {"title"}, "label": {"labels"}, "created": {"created"},
		"priority": {"rank"}, "due": {"due"}, "stars": {"stars"}, "user": {"owner.login"},
		"repo": {"owner.login/repo"}},
	Ranks:  map[string][]string{"priority": {"Low", "Medium", "High"}},
	States: map[string][]string{"public": {"!private"}, "open": {"state=OPEN"}}, State: "state",
	Empty: map[string]string{"label": "labels", "due": "due"}, Sorts: map[string]string{"stars": "stars"},
}

func holds(q *Query, r *data.Record) bool {
	for _, test := range q.Tests {
		if !test(r) {
			return false
		}
	}
	return true
}

func fieldedQuery(query string) (*Query, error) {
	return Fielded(query, func(name string) bool { return one(&testing.T{}).Obj.Has(name) })
}

func qualifiedQuery(query string) (*Query, error) { return Qualified(query, names, nil) }

func jqlQuery(query string) (*Query, error) { return JQL(query, names, noon, "ada") }

func soqlQuery(query string) (*Query, error) {
	s, err := SOQL("SELECT key FROM Thing WHERE "+query, noon, func(string) ([]string, bool) {
		return []string{"key", "title", "stars", "created", "due"}, true
	})
	if err != nil {
		return nil, err
	}
	return &s.Query, nil
}

func TestLanguages(t *testing.T) {
	r := one(t)
	for _, test := range []struct {
		read      func(string) (*Query, error)
		good, bad []string
	}{
		{jqlQuery, []string{`key = a-7`, `summary ~ login AND label in (red, green)`, `due is EMPTY`, `created >= -7d`,
			`priority > Medium`, `NOT (key = A-8 OR priority < High)`, `created < startOfDay()`,
			`label = blue ORDER BY key DESC`,
			`key != A-9 && due = null`, `created >= endOfMonth("-2M")`},
			[]string{`key = A-8`, `summary !~ "login"`, `created > now()`, `due is not empty`, `label not in (red)`}},
		{fieldedQuery, []string{`title:"fix the login"`, `metadata["plan"]:"team" stars>100`,
			`title~"login" OR stars<3`,
			`-key:"x"`, `due:null`, `stars>=120`},
			[]string{`stars<120`, `-title~"log"`, `key:"A-7" AND stars<=119`}},
		{qualifiedQuery, []string{`is:open login`, `label:red -label:green`, `stars:100..200 stars:>=120`, `no:due`,
			`"fix the" in:title`, `user:ada is:public`, `repo:ada/web`, `created:2026-03-10`, `sort:stars-asc`},
			[]string{`is:closed`, `-is:open`, `no:label`, `stars:<3`, `logout`}},
		{soqlQuery, []string{`key = 'a-7'`, `title LIKE 'fix%login' AND stars > 100`, `key IN ('A-7', 'x')`,
			`due = null`,
			`created >= LAST_N_DAYS:30 LIMIT 3`, `NOT stars = 1 ORDER BY stars DESC NULLS LAST OFFSET 1`},
			[]string{`title LIKE 'x%'`, `stars != 120`, `created > TODAY`, `key NOT IN ('A-7')`}},
	} {
		for i, query := range append(test.good, test.bad...) {
			q, err := test.read(query)
			if err != nil {
				t.Errorf("%s: %v", query, err)
			} else if want := i < len(test.good); holds(q, r) != want {
				t.Errorf("%s holds: %v", query, !want)
			}
		}
	}
}

func TestLanguagesRefuse(t *testing.T) {
	for _, test := range []struct {
		read         func(string) (*Query, error)
		query, words string
	}{
		{jqlQuery, `color = red`, `"color" does not exist`}, {jqlQuery, `key =`, "ends where a value"},
		{jqlQuery, `key = "A`, "character 7"}, {jqlQuery, `key = A order of`, "from character 9 on"},
		{jqlQuery, `key = soon()`, "soon()"}, {jqlQuery, `key is full`, "EMPTY"},
		{jqlQuery, `key = A A`, "character 9"},
		{fieldedQuery, `a:"b" AND c:"d" OR e:"f"`, "not with both"}, {fieldedQuery, `nope:"x"`, "cannot be searched"},
		{fieldedQuery, `title~"ab"`, "three characters"}, {fieldedQuery, `stars>many`, "needs a number"},
		{qualifiedQuery, `colour:red`, "qualifier colour:"}, {soqlQuery, `nope = 1`, "No such column"},
		{soqlQuery, `key = 'a' LIMIT x`, "LIMIT needs a number"}, {soqlQuery, `(key = 'a'`, "never closes"},
		{soqlQuery, `key = 'a' key`, "character"},
	} {
		_, err := test.read(test.query)
		if _, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s: %v, want %s", test.query, err, test.words)
		}
	}
}

func TestOrders(t *testing.T) {
	q, err := jqlQuery("ORDER BY priority DESC, key")
	if err != nil || len(q.Orders) != 2 || !q.Orders[0].Desc || q.Orders[1].Desc {
		t.Fatalf("%+v, %v", q, err)
	}
	if rank, key := q.Orders[0].Of(one(t)), q.Orders[1].Of(one(t)); rank != int64(2) || key != "A-000000007" {
		t.Errorf("sort keys are %v and %v", rank, key)
	}
}

func TestSOSL(t *testing.T) {
	words, limit, err := SOSL("FIND {Ada lo*} IN ALL FIELDS RETURNING Contact(Id) LIMIT 4")
	if err != nil || strings.Join(words, " ") != "ada lo" || limit != 4 {
		t.Errorf("%v, %d, %v", words, limit, err)
	}
	if _, _, err := SOSL("FIND ada"); err == nil {
		t.Error("words without braces are taken")
	}
}

// No query breaks a language, and what one reads runs. What the sandbox reads as JQL, the
// check before a call takes for JQL too.
func FuzzLanguages(f *testing.F) {
	for _, s := range []string{`key = A AND (label in (a, "b") OR NOT due is empty) ORDER BY key`, `-title~"abc"`,
		`is:open -label:"a b" in:title word`, `key LIKE 'a%' ORDER BY key LIMIT 3`, `FIND {a b}`, `created >= -7d`,
		`((((`} {
		f.Add(s)
	}
	r := one(f)
	f.Fuzz(func(t *testing.T, query string) {
		for _, read := range []func(string) (*Query, error){jqlQuery, fieldedQuery, qualifiedQuery} {
			if q, err := read(query); err == nil {
				holds(q, r)
			}
		}
		if _, err := jqlQuery(query); err == nil {
			if wrong, _ := catalog.CheckJQL(query); strings.HasPrefix(wrong, "syntax") {
				t.Errorf("%q is read, and checked to be wrong: %s", query, wrong)
			}
		}
		_, _ = SOQL(query, noon, func(string) ([]string, bool) { return nil, true })
		_, _, _ = SOSL(query)
	})
}
