package export

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"patchbay/client"
)

// Whatever lies beside an unfinished file: looking changes nothing, and what is gone on
// with is a part of the file that was there.
func FuzzCheckpoint(f *testing.F) {
	f.Add([]byte(`{"format":"ndjson","call":"c","records":1,"bytes":3,"sha256":"x","next":{}}`), []byte("{}\n"))
	f.Add([]byte(`{"format":"ndjson","call":"c","records":0,"bytes":99}`), []byte("{}\n"))
	f.Add([]byte(`{"format":"ndjson","call":"c","records":9223372036854775807,"bytes":9223372036854775807,"next":null}`), []byte(""))
	f.Add([]byte(`null`), []byte("x"))
	f.Fuzz(func(t *testing.T, note, part []byte) {
		path := filepath.Join(t.TempDir(), "x.ndjson")
		for name, data := range map[string][]byte{Part(path): part, checkpointName(path): note} {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cp, err := Look(path, NDJSON, "c")
		if now := bothOf(t, path); !bytes.Equal(now[0], part) || !bytes.Equal(now[1], note) {
			t.Fatalf("looking at %q made it %q", note, now)
		}
		if err == nil && cp != nil && (cp.Bytes > int64(len(part)) || cp.Bytes < 0 || cp.Records < 1) {
			t.Fatalf("%q over %d bytes goes on at %+v", note, len(part), cp)
		}
		p, head, err := OpenPartial(path, "c")
		if err != nil {
			if now := bothOf(t, path); !bytes.Equal(now[0], part) || !bytes.Equal(now[1], note) {
				t.Fatalf("to refuse %q made it %q", note, now)
			}
			return
		}
		if p.Size() != int64(len(part)) {
			t.Fatalf("%d bytes of %d are taken", p.Size(), len(part))
		}
		if err := p.Keep(head); err != nil {
			t.Fatal(err)
		}
		if err := p.Stop(); err != nil {
			t.Fatal(err)
		}
		again, was, err := OpenPartial(path, "c")
		if err != nil || mustJSON(t, was) != mustJSON(t, head) && len(part) > 0 {
			t.Fatalf("%q: %+v became %+v: %v", note, head, was, err)
		}
		if err := again.Stop(); err != nil {
			t.Fatal(err)
		}
	})
}

// bothOf are the unfinished file and its checkpoint.
func bothOf(t *testing.T, path string) (out [2][]byte) {
	t.Helper()
	for i, name := range []string{Part(path), checkpointName(path)} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = data
	}
	return out
}

func mustJSON(t *testing.T, h client.FileHead) string {
	t.Helper()
	out, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
