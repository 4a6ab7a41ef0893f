package drift

import (
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
)

// Findings come kind by kind, in each the grave before the mild, and fields as
// the catalog has them.
func TestFindingsComeInOrder(t *testing.T) {
	e := &catalog.Entity{Name: "things", Key: "id", Record: []catalog.Field{
		{Name: "id", Type: "integer"}, {Name: "gone", Type: "string"},
		{Name: "state", Type: "string", Enum: raw(`"open"`)},
		{Name: "a", Type: "string"}, {Name: "b", Type: "string", Inferred: true}, {Name: "c", Type: "string"}}}
	r, err := Examine(ctx, set(`[{"id":"x","state":"new","a":null,"b":1,"c":true,"more":1,"other":2}]`),
		Question{Entity: e}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Findings {
		got = append(got, string(f.Kind)+": "+f.Path)
	}
	want := []string{"not in the catalog: more", "not in the catalog: other", "other type: id", "other type: c",
		"other type: b",
		"null where none is documented: a", "new value: state", "never seen: gone"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	var many []catalog.Field
	kinds := [][]string{nil, nil, nil} // by i%3: null, other type, mild other type
	members := []string{}
	for i := range 60 {
		name := string(rune('A'+i%26)) + string(rune('a'+i/26))
		many = append(many, catalog.Field{Name: name, Type: "string", Inferred: i%3 == 2})
		members = append(members, `"`+name+`":`+[]string{"null", "1", "1"}[i%3])
		kinds[i%3] = append(kinds[i%3], name)
	}
	one := set(`[{` + strings.Join(members, ",") + `}]`)
	if r, err = Examine(ctx, one, Question{Entity: &catalog.Entity{Record: many}}, nil); err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, f := range r.Findings {
		got = append(got, f.Path)
	}
	if want := slices.Concat(kinds[1], kinds[2], kinds[0]); !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	if !slices.Equal(Kinds(), []Kind{NotInCatalog, OtherType, NullSeen, NewValue, NeverSeen}) {
		t.Errorf("%v", Kinds())
	}
}
