package catalog

import (
	"reflect"
	"testing"
)

func TestReplica(t *testing.T) {
	e := Entity{
		Record: []Field{{Name: "id", Type: "integer"}, {Name: "owner", Type: "object"},
			{Name: "people", Type: "array", Items: &Field{Type: "object", Members: []Field{{Name: "id", Type: "string"}}}}},
		Search: []Field{{Name: "id", Type: "string"}, {Name: "owner.name", Type: "string"},
			{Name: "people[].email", Type: "string"}, {Name: "account.plan", Type: "string"}, {Name: "at", Type: "integer"}},
	}
	null := func(name, kind string) Field { return Field{Name: name, Type: kind, Nullable: true} }
	want := []Field{null("id", "string"), {Name: "owner", Type: "object", Members: []Field{null("name", "string")}},
		{Name: "people", Type: "array", Items: &Field{Type: "object", Members: []Field{{Name: "id", Type: "string"},
			null("email", "string")}}},
		{Name: "account", Type: "object", Members: []Field{null("plan", "string")}}, null("at", "integer")}
	if got := e.Replica(); !reflect.DeepEqual(got, want) {
		t.Errorf("the replica has %+v, want %+v", got, want)
	}
	if len(e.Record[1].Members) != 0 || len(e.Record[2].Items.Members) != 1 {
		t.Errorf("the record of the entity changed: %+v", e.Record)
	}
}
