package rawjson

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"patchbay/client/rawjson/jsongen"
)

// The index and the standard library find the same records in every shape of a body,
// read in pieces of any size; of a list that was cut the index finds those before the cut.
func TestIndexAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body, records := drawBody(t)
		size := rapid.SampledFrom([]int{1, 2, 7, 1 << 20}).Draw(t, "piece")
		x, err := BuildIndex(context.Background(), chunked{[]byte(body), size}, MustPath("data"))
		if err != nil || x.Len() != len(records) {
			t.Fatalf("%q: %d records, want %d: %v", body, x.Len(), len(records), err)
		}
		for i, want := range records {
			n := x.Record(i)
			compact, _ := n.AppendCompact(nil, 0)
			if string(compact) != want || n.Cut() {
				t.Fatalf("%q: record %d is %q, want %q", body, i, compact, want)
			}
		}
		at := rapid.IntRange(0, len(body)).Draw(t, "cut")
		cut, _ := BuildIndex(context.Background(), chunked{[]byte(body[:at]), size}, MustPath("data"))
		for i := range cut.Len() {
			n := cut.Record(i)
			if compact, _ := n.AppendCompact(nil, 0); body[0] == '[' && !n.Cut() && string(compact) != records[i] {
				t.Fatalf("%q: record %d is %q, want %q", body[:at], i, compact, records[i])
			}
		}
		tree := NewTree(Root(Bytes(body[:at])), cut, 3)
		if got := len(tree.Lines(0, tree.Len(), nil)); got > tree.Len() {
			t.Fatalf("%q: %d lines of %d", body[:at], got, tree.Len())
		}
	})
}

// drawBody draws a list, a list within an object, or lines, and its records as the
// standard library reads them.
func drawBody(t *rapid.T) (body string, records []string) {
	list := rapid.SliceOfN(jsongen.Object(3), 1, 6).Draw(t, "records")
	switch rapid.IntRange(0, 2).Draw(t, "shape") {
	case 0:
		body = "[" + strings.Join(list, jsongen.Blank(t)+","+jsongen.Blank(t)) + jsongen.Blank(t) + "]"
	case 1:
		body = `{"meta":` + jsongen.Value(2).Draw(t, "meta") + `,"data" :[` + strings.Join(list, ",") + `]}`
	default: // a single line could be an answer with a list in it
		list = append(list, "{}")
		for i := range list {
			list[i] = strings.NewReplacer("\n", " ", "\r", " ").Replace(list[i])
		}
		body = strings.Join(list, "\n") + "\n"
	}
	d := json.NewDecoder(strings.NewReader(body))
	if body[0] == '{' && strings.HasPrefix(body, `{"meta":`) {
		var whole struct{ Data []json.RawMessage }
		must(t, d.Decode(&whole))
		return body, compacted(t, whole.Data)
	}
	var whole []json.RawMessage
	if body[0] == '[' {
		must(t, d.Decode(&whole))
	}
	for body[0] != '[' && d.More() {
		var one json.RawMessage
		must(t, d.Decode(&one))
		whole = append(whole, one)
	}
	return body, compacted(t, whole)
}

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func compacted(t *rapid.T, list []json.RawMessage) []string {
	out := make([]string, len(list))
	for i, one := range list {
		var b bytes.Buffer
		must(t, json.Compact(&b, one))
		out[i] = b.String()
	}
	return out
}

// What is decoded is what the standard library decodes, and is written as it was.
func TestValuesAgreeWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(jsongen.Value(4).Draw(t, "value"))
		if !json.Valid(data) {
			t.Fatalf("%q was drawn", data)
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var want any
		must(t, d.Decode(&want))
		if wrong := differs(Parse(data), data, want); wrong != "" {
			t.Fatal(wrong)
		}
	})
}
