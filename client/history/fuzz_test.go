package history

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// What was kept comes back as it was, and is found by each of its words, whatever they
// mean to the database.
func FuzzRuns(f *testing.F) {
	f.Add("Payments EU", "customers", `{"q":"50%_off"}`, []byte(`{"data":[{"id":1}]}`), `eu\ 50%`, "ok")
	f.Add("' OR 1=1 --", "\x00", `{}`, []byte("\xff\xfe"), `"a" NEAR b* "`, "5xx")
	f.Add("日本 É", "é", `{"a":1e400}`, []byte{}, "%_", "rate_limited")
	s := New(filepath.Join(f.TempDir(), FileName), Options{})
	f.Cleanup(func() { _ = s.Close() })
	f.Fuzz(func(t *testing.T, name, entity, params string, body []byte, text, status string) {
		if !json.Valid([]byte(params)) || rawjson.Parse([]byte(params)).Kind() != rawjson.Object {
			return
		}
		r := Run{Target: client.Target{Profile: "p", Kind: "payments", Name: name},
			Op:  client.Operation{Entity: entity, Action: "list", Params: json.RawMessage(params)},
			Env: &client.Envelope{Body: client.Bytes(body), Status: 200, ContentType: "application/x-unknown"}}
		id, err := s.Add(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := s.Delete(ctx, id); err != nil {
				t.Fatal(err)
			}
		}()
		e, env, err := s.Get(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		valid := utf8.ValidString(name) && utf8.ValidString(entity)
		if valid && (e.Target.Name != name || e.Op.Entity != entity) {
			t.Fatalf("%q and %q became %q and %q", name, entity, e.Target.Name, e.Op.Entity)
		}
		if got := env.Body.Slice(0, env.Body.Len()); !bytes.Equal(got, body) && !bytes.Contains(got, []byte("[secret]")) {
			t.Fatalf("%q became %q", body, got)
		}
		if _, err := s.Find(ctx, Query{Text: text, Kind: name, Entity: entity, Status: status}); err != nil && !strings.Contains(err.Error(), "no status is called") {
			t.Fatal(err)
		}
		found, err := s.Find(ctx, Query{Text: name, Entity: entity})
		has := slices.ContainsFunc(found, func(e Entry) bool { return e.ID == id })
		if err != nil || valid && !has && !strings.ContainsAny(name+entity, "\x00") {
			t.Fatalf("%q of %q is not found: %v", name, entity, err)
		}
	})
}
