package learned

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// rows are records for Look.
type rows []string

func (r rows) Len() int                  { return len(r) }
func (r rows) Record(i int) rawjson.Node { return rawjson.Parse([]byte(r[i])) }

var parcels = rows{
	`{"id":1,"title":"Ada's box","status":"sent","weight":2.5,"to":{"city":"Rome","zip":"00100"},"tags":["a","b"],"shelf_id":"s1","email":"ada@example.test"}`,
	`{"id":2,"title":"x","status":"packed","weight":null,"to":{"city":"Oslo"},"tags":[],"shelf_id":"s1","gone":true}`,
}

func boxes() *catalog.Kind {
	list := []catalog.Action{{Name: "list", Source: catalog.Live}}
	return &catalog.Kind{Name: "boxes", Source: catalog.Live, Entities: []catalog.Entity{{Name: "parcels", Actions: list},
		{Name: "shelves", Actions: list}}}
}

func names(fields []catalog.Field) string {
	var out []string
	for i := range fields {
		f := &fields[i]
		text := f.Name + ":" + f.Type
		if f.Nullable {
			text += "|null"
		}
		if f.Items != nil {
			text += " of " + f.Items.Type
		}
		if len(f.Members) > 0 {
			text += "{" + names(f.Members) + "}"
		}
		if f.Values != nil {
			text += "{*}"
		}
		for _, v := range f.Enum {
			text += " " + string(v)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// Answers give an entity that nobody documented its fields, key and references.
func TestApply(t *testing.T) {
	k := boxes()
	Kind{"parcels": Look(parcels)}.Apply(k)
	e := k.Entity("parcels")
	want := `id:integer title:string status:string "sent" "packed" weight:number|null to:object{city:string zip:string} ` +
		`tags:array of string shelf_id:string email:string gone:boolean`
	if got := names(e.Record); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if e.Key != "id" || !e.RecordPartial || len(e.Notes) != 1 || e.Notes[0].Text != "Its fields were seen in 2 records." {
		t.Errorf("%+v", e)
	}
	if f := catalog.FieldByName(e.Record, "shelf_id"); f.Ref != "shelves" || len(k.Relations) != 1 {
		t.Errorf("%+v %+v", f, k.Relations)
	}
	if f := catalog.FieldByName(e.Record, "gone"); f.Note != "seen in 1 of 2" || f.Source != catalog.Seen {
		t.Errorf("%+v", f)
	}
	if len(k.Entity("shelves").Record) != 0 {
		t.Error("another entity has learned")
	}
}

// No value is kept but the plain words of states: no name, address, number, key or text.
func TestNoValuesAreKept(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	seen := Look(rows{
		`{"name":"Ada","owner_name":"Ada","first_name":"Ada","email_status":"sent","type":"ada@example.test","state":"Ada Byron 3",` +
			`"kind":"sk_live_4242","status":"a","secret":"open","token":"open","mode":12,"level":"tjk4hAqw5ZbbbQm","gender":"female",` +
			`"by_mail":{"ada@example.test":1,"bob@example.test":2},"by_id":{"550e8400e29b41d4":{"x":1}},"ids":{"u1":1,"550e8400":2}}`,
		`{"level":"high","by_mail":{"plain":1}}`,
	})
	if err := s.Add("boxes", "parcels", seen); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(s.Dir, "boxes.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"Ada", "example.test", "Byron", "sk_live", "open", "12\"", "tjk4", "female", "550e", "plain", "u1\""} {
		if strings.Contains(string(data), value) {
			t.Errorf("%s is kept:\n%s", value, data)
		}
	}
	if !strings.Contains(string(data), `"words":["sent"]`) {
		t.Errorf("no word of a state is kept:\n%s", data)
	}
	if info, err := os.Stat(filepath.Join(s.Dir, "boxes.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

// A field whose words turn out to be too many, or no words, has none any more.
func TestTooManyWords(t *testing.T) {
	e := Look(rows{`{"status":"a"}`})
	for _, w := range "bcdefghijklmnop" {
		e.Add(Look(rows{`{"status":"` + string(w) + `"}`}))
	}
	if f := e.Fields["status"]; !f.Many || f.Words != nil {
		t.Errorf("%+v", f)
	}
}

// What is kept adds up, comes back, and tells when it is more than before.
func TestStore(t *testing.T) {
	s := Store{Dir: filepath.Join(t.TempDir(), "learned")}
	for range 2 {
		if err := s.Add("boxes", "parcels", Look(parcels)); err != nil {
			t.Fatal(err)
		}
	}
	got := s.Load("boxes")["parcels"]
	once := Look(parcels)
	if got.Records != 4 || got.Fields["id"].Seen != 4 || !reflect.DeepEqual(got.Order, once.Order) {
		t.Errorf("%+v", got)
	}
	if once.Add(Look(parcels)) {
		t.Error("the same answer again is more than counts")
	}
	if !once.Add(Look(rows{`{"id":"x"}`})) || once.Fields["id"].Types["string"] != 1 {
		t.Error("another type is nothing new")
	}
	for _, damaged := range []string{"", "[]", `{"parcels":null}`, `{"parcels":{"records":1,"order":["x"]}}`,
		`{"parcels":{"records":1,"fields":{"y":null},"order":["y"]}}`} {
		if err := os.WriteFile(filepath.Join(s.Dir, "boxes.json"), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		k := boxes()
		if s.Load("boxes").Apply(k); len(k.Entity("parcels").Record) > 0 {
			t.Errorf("%s tells something", damaged)
		}
	}
}

func TestUndocumented(t *testing.T) {
	list := &catalog.Action{Name: "list"}
	for name, c := range map[string]struct {
		e    *catalog.Entity
		a    *catalog.Action
		want bool
	}{
		"nothing known":  {&catalog.Entity{}, list, true},
		"learned before": {&catalog.Entity{Record: []catalog.Field{{Source: catalog.Seen}}}, list, true},
		"documented":     {&catalog.Entity{Record: []catalog.Field{{Name: "id"}}}, list, false},
		"of the action":  {&catalog.Entity{}, &catalog.Action{Name: "list", Record: []catalog.Field{{Name: "id"}}}, false},
		"a write":        {&catalog.Entity{}, &catalog.Action{Name: "create"}, false},
		"a file":         {&catalog.Entity{}, &catalog.Action{Name: "download"}, false},
		"no entity":      {nil, list, false},
	} {
		if Undocumented(c.e, c.a) != c.want {
			t.Error(name)
		}
	}
}

func FuzzLook(f *testing.F) {
	f.Add(parcels[0], `{"a":{"b":[{"c":[[1]]}]}}`)
	f.Add(`{"id":`, `[1]`)
	f.Fuzz(func(_ *testing.T, a, b string) {
		e := Look(rows{a, b})
		e.Add(Look(rows{b}))
		Kind{"parcels": e}.Apply(boxes())
	})
}
