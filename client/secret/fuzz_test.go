package secret

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"testing"
	"unicode/utf8"

	"patchbay/client/secret/canary"
)

// However a server echoes a secret, and whatever stands around it: it can be read out
// of nothing that is shown or kept.
func FuzzEchoes(f *testing.F) {
	f.Add("before ", " after", uint16(0), uint8(0))
	f.Add(`{"a":"`, `","b":[1]}`, uint16(3), uint8(1))
	f.Add(`https://h/?q=`, `&token=x#`, uint16(40), uint8(3))
	f.Add("%", "=\\", uint16(77), uint8(2))
	f.Add(`<a href="`, `&#`, uint16(120), uint8(4))
	f.Fuzz(func(t *testing.T, before, after string, how uint16, which uint8) {
		value := canary.Secrets[int(which)%len(canary.Secrets)]
		echoes := canary.Echoes(value)
		names := make([]string, 0, len(echoes))
		for name := range echoes {
			names = append(names, name)
		}
		sort.Strings(names)
		name := names[int(how)%len(names)]
		text := before + echoes[name] + after
		if len(text) > 1<<12 || canary.Find(text, value) == "" {
			return // what stands around it made something else of it
		}
		var r Redactor
		r.Add(New(value))
		for as, shown := range map[string]string{"text": r.Text(text), "url": r.URL(text), "header": r.Header("X-A", text),
			"body": string(r.Body("application/json", []byte(text)))} {
			if way := canary.Find(shown, value); way != "" {
				t.Fatalf("%s of %q in %q as %s: found %s in %q", name, value, text, as, way, shown)
			}
		}
		body := r.Body("application/json", []byte(text))
		if (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)) && !json.Valid(body) {
			t.Fatalf("%q became %q", text, body)
		}
	})
}

// Whatever stands in the secrets file, a secret that was put there is there, beside all
// that was there before; a file that is not understood is left alone.
func FuzzFile(f *testing.F) {
	for _, s := range []string{`{"a":"b"}`, `null`, `{"a":null}`, `[]`, `{"a":1}`, ``, "\xff", `{"key":"old"} x`} {
		f.Add([]byte(s), "key")
	}
	f.Fuzz(func(t *testing.T, data []byte, key string) {
		path := filepath.Join(t.TempDir(), "secrets.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		store := &File{Path: path}
		var before map[string]string
		understood := json.Unmarshal(data, &before) == nil && before != nil
		if _, err := store.Set(t.Context(), key, New("kept")); (err == nil) != understood {
			t.Fatalf("%q: %v", data, err)
		}
		if !understood {
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
				t.Fatalf("%q became %q: %v", data, now, err)
			}
			return
		}
		for name, value := range before {
			if got, err := store.Get(t.Context(), name); name != key && (err != nil || got.Value.value != value) {
				t.Fatalf("%q: %q is %q: %v", data, name, got.Value.value, err)
			}
		}
		if got, err := store.Get(t.Context(), key); utf8.ValidString(key) && (err != nil || got.Value.value != "kept") {
			t.Fatalf("%q: %q is %q: %v", data, key, got.Value.value, err)
		}
	})
}
