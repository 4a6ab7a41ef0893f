package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"patchbay/client"
)

// A state that is read and written again is the same state.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"theme":"x","places":{"p":{"connector":{"id":"1"},"entity":"e","action":"a","params":{"n":1.50}}},"widths":{"k.e":{"id":9}}}`))
	f.Add([]byte(`{"columns":{"k.e":["a",null]},"queries":["."],"tree_width":-9,"new":[1]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s State
		if json.Unmarshal(data, &s) != nil {
			return
		}
		never := func(string) bool { return false }
		once := encoded(t, s.Without(never, func([]byte) bool { return false }))
		var again State
		if err := json.Unmarshal(once, &again); err != nil || !bytes.Equal(encoded(t, again), once) {
			t.Fatalf("%s became %s: %v", once, encoded(t, again), err)
		}
		if wiped := s.Without(func(string) bool { return true }, func([]byte) bool { return true }); len(wiped.Queries)+
			len(wiped.Commands)+len(wiped.Places) > 0 || bytes.Contains(encoded(t, wiped), []byte(`"params"`)) {
			t.Fatalf("of %s stays %s", once, encoded(t, wiped))
		}
	})
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Where one side changed nothing, the merge is what the other one wrote, member by member.
func FuzzMerge(f *testing.F) {
	f.Add([]byte(`{"a":1,"m":{"x":1,"y":2}}`), []byte(`{"a":2,"m":{"y":2}}`), []byte(`{"a":1,"m":{"x":1,"y":3},"new":[1]}`))
	f.Add([]byte(`{}`), []byte(`{"a":null}`), []byte(`[]`))
	f.Add([]byte(`{"m":1}`), []byte(`{"m":{"x":1}}`), []byte(`{"m":{"y":1}}`))
	f.Fuzz(func(t *testing.T, was, ours, theirs []byte) {
		if !json.Valid(was) || !json.Valid(ours) || !json.Valid(theirs) {
			return
		}
		is := func(of string, got, want []byte) {
			t.Helper()
			if !reflect.DeepEqual(valueOf(t, got), valueOf(t, want)) {
				t.Fatalf("%s of %s, %s and %s: got %s, want %s", of, was, ours, theirs, got, want)
			}
		}
		is("theirs alone", merge3(was, was, theirs, mergedDeep), theirs)
		is("ours alone", merge3(was, ours, was, mergedDeep), ours)
		got := merge3(was, ours, theirs, mergedDeep)
		is("again", merge3(ours, got, ours, mergedDeep), got)
		w, o, x, m := members(was), members(ours), members(theirs), members(got)
		if w == nil || o == nil || x == nil {
			return
		}
		for name := range x {
			if sameJSON(w[name], o[name]) {
				is(fmt.Sprintf("member %q, theirs,", name), m[name], x[name])
			}
		}
		for name := range o {
			if sameJSON(w[name], x[name]) && !sameJSON(w[name], o[name]) {
				is(fmt.Sprintf("member %q, ours,", name), m[name], o[name])
			}
		}
	})
}

// valueOf reads JSON with its numbers as they are written; nothing is nil.
func valueOf(t *testing.T, data []byte) (v any) {
	t.Helper()
	if data == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

// What was learned is learned once, and is bounded whatever stood in the file.
func FuzzSeen(f *testing.F) {
	f.Add([]byte(`{"https://x":{"1":{"id":"1","kind":"k"}}}`), []byte(`[{"id":"1","name":"n","kind":"k"},{"id":"2","kind":"k"}]`), "https://x")
	f.Add([]byte(`{"https://x":null}`), []byte(`[{"id":"1","kind":"k"},{"id":"1","name":"other","kind":"k"}]`), "https://x")
	f.Fuzz(func(t *testing.T, file, list []byte, service string) {
		var s Seen
		var came []client.Connector
		if json.Unmarshal(file, &s) != nil || json.Unmarshal(list, &came) != nil {
			return
		}
		if next := s.with(service, came); next != nil && next.with(service, came) != nil {
			t.Errorf("%s is news twice to %s", list, file)
		}
	})
}
