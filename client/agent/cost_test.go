package agent

import (
	"slices"
	"testing"

	"patchbay/client/rawjson"
)

const someRecords = `[{"id":"a1","object":"charge","note":null,"owner":{"name":"Ada","age":36},"tags":["x","y"]},
	{"id":"b2","object":"charge","note":"a long text that takes many tokens of what a model reads","owner":{"name":"Bo",
	"age":7},"tags":[],"extra":{}}]`

func TestCost(t *testing.T) {
	c, err := CostOf(t.Context(), rawjson.Parse([]byte(someRecords)).Elems())
	if err != nil {
		t.Fatal(err)
	}
	by, sum := map[string]FieldCost{}, c.Structure
	for _, f := range c.Fields {
		by[f.Path] = f
		sum += f.Tokens
	}
	if c.Records != 2 || sum != c.Tokens || c.Fields[0].Path != "note" {
		t.Errorf("%+v", c)
	}
	if f := by["note"]; f.Nulls != 1 || f.Records != 2 || f.Constant {
		t.Errorf("note: %+v", f)
	}
	if !by["object"].Constant || by["id"].Constant || by["extra"].Constant || by["owner.age"].Records != 2 {
		t.Errorf("%+v", by)
	}
	for _, s := range []struct{ keep, selects, excludes []string }{
		{[]string{"id", "owner.name"}, []string{"id", "owner.name"},
			[]string{"extra", "note", "object", "owner.age", "tags"}},
		{[]string{"owner.name", "owner.age"}, []string{"owner"}, []string{"extra", "id", "note", "object", "tags"}},
		{[]string{"owner"}, []string{"owner"}, []string{"extra", "id", "note", "object", "tags"}},
		{[]string{"nope"}, nil, []string{"extra", "id", "note", "object", "owner", "tags"}},
	} {
		if got := c.Select(s.keep); !slices.Equal(got, s.selects) {
			t.Errorf("keep %v: select %v, want %v", s.keep, got, s.selects)
		}
		if got := c.Exclude(s.keep); !slices.Equal(got, s.excludes) {
			t.Errorf("keep %v: exclude %v, want %v", s.keep, got, s.excludes)
		}
	}
}

func TestSelected(t *testing.T) {
	record := rawjson.Parse([]byte(`{"id":7,"owner":{"name":"Ada","age":36},"tags":[{"a":1}],"x.y":1,"x":{"y":2,"z":3}}`))
	for _, s := range []struct {
		paths []string
		want  string
	}{
		{[]string{"id", "owner.name"}, `{"id":7,"owner":{"name":"Ada"}}`},
		{[]string{"tags.a", "nope", "owner.nope"}, `{}`},
		{[]string{"x.y"}, `{"x.y":1}`},
		{[]string{"tags", "owner"}, `{"owner":{"name":"Ada","age":36},"tags":[{"a":1}]}`},
	} {
		if got := string(Selected(record, s.paths).JSON()); got != s.want {
			t.Errorf("%v: %s, want %s", s.paths, got, s.want)
		}
	}
}
