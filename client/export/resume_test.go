package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// whole is what six records are in each format.
var whole = map[Format]string{
	JSON:     "[\n{\"id\":0},\n{\"id\":1},\n{\"id\":2},\n{\"id\":3},\n{\"id\":4},\n{\"id\":5}\n]\n",
	NDJSON:   "{\"id\":0}\n{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n{\"id\":4}\n{\"id\":5}\n",
	CSV:      "id\n0\n1\n2\n3\n4\n5\n",
	Markdown: "| id |\n| --- |\n| 0 |\n| 1 |\n| 2 |\n| 3 |\n| 4 |\n| 5 |\n",
}

// begin opens an export of records with an id and makes it ready.
func begin(t *testing.T, path string, f Format) *Resumable {
	t.Helper()
	r, err := Resume(path, f, "call")
	if err == nil {
		err = r.Begin(Options{Columns: columns(t, "id")})
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// put writes records and passes them on to the file.
func (r *Resumable) put(t *testing.T, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := r.Record(rawjson.Parse(fmt.Appendf(nil, `{"id":%d}`, i)), client.Neutral); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.enc.Flush(); err != nil {
		t.Fatal(err)
	}
}

func (r *Resumable) saved(t *testing.T) *Resumable {
	t.Helper()
	if err := r.Save(json.RawMessage(`"next"`)); err != nil {
		t.Fatal(err)
	}
	return r
}

// unfinished leaves an export of three records behind.
func unfinished(t *testing.T, path string, f Format) {
	t.Helper()
	r := begin(t, path, f)
	r.put(t, 0, 3)
	if err := r.saved(t).Stop(); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if data, err := os.ReadFile(path); err != nil || string(data) != want {
		t.Errorf("%s holds %q, want %q; %v", filepath.Base(path), data, want, err)
	}
}

// TestResumeAfterAnyBreak stops an export at each record, in order and by a
// crash, with records written after the last checkpoint, and continues it.
func TestResumeAfterAnyBreak(t *testing.T) {
	for _, f := range Formats {
		for stop := range 7 {
			for _, crash := range []bool{false, true} {
				path := filepath.Join(t.TempDir(), "all"+Extension(f))
				r := begin(t, path, f)
				r.put(t, 0, stop)
				r.saved(t).put(t, 100, 103)
				if crash {
					_ = r.file.Close() // as the system does it
				} else if err := r.Stop(); err != nil {
					t.Fatal(err)
				}
				cp, err := Look(path, f, "call")
				if err != nil || stop > 0 && (cp == nil || cp.Records != stop || crash != (cp.Behind > 0)) ||
					stop == 0 && cp != nil {
					t.Fatalf("%s after %d: %+v, %v", f, stop, cp, err)
				}
				r = begin(t, path, f)
				if r.Start().Records != stop || stop > 0 && string(r.Start().Next) != `"next"` {
					t.Fatalf("start %+v", r.Start())
				}
				r.put(t, stop, 6)
				if err := r.Finish(); err != nil || r.Records() != 6 {
					t.Fatalf("%d records, error %v", r.Records(), err)
				}
				holds(t, path, whole[f])
				alone(t, path)
			}
		}
	}
}

// alone looks for files that are left beside path.
func alone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}

// An unfinished array says what it is: it has no end.
func TestAnUnfinishedArrayHasNoEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.json")
	unfinished(t, path, JSON)
	holds(t, path+".part", "[\n{\"id\":0},\n{\"id\":1},\n{\"id\":2}")
}

// What is not as it was left is neither continued nor touched.
func TestAnUnfinishedFileInTheWay(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(path string) error
		format Format
		call   string
		want   error
	}{
		{"shorter", func(path string) error { return os.Truncate(path+".part", 5) }, JSON, "call", ErrChanged},
		{"changed", func(path string) error {
			return os.WriteFile(path+".part", []byte(strings.Repeat("x", 100)),
				0o600)
		}, JSON, "call", ErrChanged},
		{"without a checkpoint", func(path string) error { return os.Remove(path + ".part.json") }, JSON, "call",
			ErrNotOurs},
		{"damaged checkpoint", func(path string) error { return os.WriteFile(path+".part.json", []byte("{"), 0o600) },
			JSON, "call", ErrDamaged},
		{"nothing to continue with", func(path string) error {
			return os.WriteFile(path+".part.json", []byte(`{"format":"json","call":"call","records":3,"bytes":9}`),
				0o600)
		}, JSON, "call", ErrDamaged},
		{"another call", func(string) error { return nil }, JSON, "other", ErrOtherCall},
		{"another format", func(string) error { return nil }, NDJSON, "call", ErrOtherCall},
	} {
		path := filepath.Join(t.TempDir(), "x")
		unfinished(t, path, JSON)
		if err := c.change(path); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(path + ".part")
		var conflict *Conflict
		if _, err := Look(path, c.format, c.call); !errors.Is(err, c.want) || !errors.As(err, &conflict) {
			t.Errorf("%s: a look says %v", c.name, err)
		}
		if _, err := Resume(path, c.format, c.call); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		holds(t, path+".part", string(before))
		if err := Discard(path); err != nil || Begun(path) {
			t.Errorf("%s: not discarded: %v", c.name, err)
		}
	}
}

// A checkpoint alone is no export: its file was removed to start anew.
func TestACheckpointAloneIsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	unfinished(t, path, CSV)
	if err := os.Remove(path + ".part"); err != nil {
		t.Fatal(err)
	}
	if cp, err := Look(path, CSV, "other call"); cp != nil || err != nil {
		t.Errorf("%+v, %v", cp, err)
	}
	if r := begin(t, path, CSV); r.Start().Records != 0 {
		t.Errorf("%+v", r.Start())
	}
}

func TestABlockedFileIsNotGoneOnWith(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	r := begin(t, path, NDJSON)
	r.put(t, 0, 2)
	r.saved(t).put(t, 2, 3)
	if err := errors.Join(r.Block("the cursor did not move"), r.Stop()); err != nil {
		t.Fatal(err)
	}
	holds(t, path+".part", "{\"id\":0}\n{\"id\":1}\n{\"id\":2}\n")
	var conflict *Conflict
	if _, err := Look(path, NDJSON, "call"); !errors.As(err, &conflict) ||
		!strings.Contains(conflict.Why, "the cursor did not move") {
		t.Errorf("%v", err)
	}
}

// Without a record nothing is left behind.
func TestNothingIsKeptOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	r := begin(t, path, JSON)
	if err := r.Stop(); err != nil || Begun(path) {
		t.Errorf("left behind, error %v", err)
	}
}

// A link keeps leading where it did, and what it leads to keeps its permissions.
func TestFinishFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(real, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no links here")
	}
	r := begin(t, link, NDJSON)
	r.put(t, 0, 6)
	holds(t, real, "old")
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	holds(t, link, whole[NDJSON])
	if info, _ := os.Lstat(link); info.Mode().IsRegular() {
		t.Error("the link was replaced")
	}
	if info, _ := os.Stat(real); info.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v", info.Mode())
	}
}

// The checkpoint says how a file was begun.
func TestTheCheckpointKeepsTheOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	r, err := Resume(path, CSV, "call")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Columns: columns(t, "id", "n"), SafeFormulas: true}
	o.Columns[1].Program = ".a + .b"
	if err := r.Begin(o); err != nil {
		t.Fatal(err)
	}
	r.put(t, 0, 1)
	if err := r.saved(t).Stop(); err != nil {
		t.Fatal(err)
	}
	cp, err := Look(path, CSV, "call")
	if err != nil || !slices.Equal(cp.Columns, []string{"id", "n"}) || cp.Programs["n"] != ".a + .b" ||
		len(cp.Programs) != 1 {
		t.Fatalf("%+v, %v", cp, err)
	}
	if got := cp.Options(o.Columns); !got.SafeFormulas || len(got.Columns) != 2 {
		t.Errorf("%+v", got)
	}
}

// A link that somebody laid under the name of an unfinished file, or of its note, is not
// written through, whether it leads to a file or to a place where one could be.
func TestAnUnfinishedFileIsNoLink(t *testing.T) {
	for _, ending := range []string{".part", ".part.json"} {
		for _, there := range []bool{true, false} {
			dir := t.TempDir()
			path, victim := filepath.Join(dir, "x"), filepath.Join(dir, "victim")
			if there {
				if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(victim, path+ending); err != nil {
				t.Skip(err)
			}
			if there && ending == ".part" { // whoever lays it can also say that it is of this call
				note := `{"format":"json","call":"call","download":"call"}`
				if err := os.WriteFile(path+".part.json", []byte(note), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Resume(path, JSON, "call"); err == nil {
				t.Errorf("%s that is a link (%v) is an export of ours", ending, there)
			}
			if p, _, err := OpenPartial(path, "call"); err == nil {
				if err = p.Keep(client.FileHead{}); err == nil {
					t.Errorf("%s that is a link (%v) is a download of ours", ending, there)
				}
				_ = p.Stop()
			}
			if data, err := os.ReadFile(victim); there != (err == nil) || there && string(data) != "precious" {
				t.Errorf("through %s (%v) was written: %q, %v", ending, there, data, err)
			}
		}
	}
}
