package history

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// ofFormat makes the file that a program of an earlier format left.
func ofFormat(t *testing.T, format int) string {
	t.Helper()
	statements, err := os.ReadFile(fmt.Sprintf("testdata/format-%d.sql", format))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), FileName)
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.Exec(string(statements))
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// The files of all formats there ever were are read whole, and gone on with.
func TestFilesOfEveryFormat(t *testing.T) {
	for format := 1; format <= version; format++ {
		s := New(ofFormat(t, format), Options{})
		list, err := s.Find(ctx, Query{})
		if err != nil || len(list) != 4 {
			t.Fatalf("format %d: %d runs, %v", format, len(list), err)
		}
		for i, want := range []Entry{{Kept: KeptNot, Rows: 5}, {Kept: KeptStart, Rows: 50}, {Kept: KeptNone, Status: 429},
			{Kept: KeptWhole, Rows: 3}} {
			e, env, err := s.Get(ctx, list[i].ID)
			if err != nil || e.Kept != want.Kept || e.Rows != want.Rows || e.Target != run(1).Target ||
				want.Status != 0 && e.Status != want.Status || (env != nil && env.Body != nil) != (i == 1 || i == 3) {
				t.Errorf("format %d: %+v, %v", format, e, err)
			}
		}
		if id, err := s.Add(ctx, run(1)); err != nil || id != 5 {
			t.Errorf("format %d: run %d, %v", format, id, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

var harm = flag.Int("damages", 20, "how many damaged files are tried")

// damages are what may happen to a file: bytes that change, an end that is missing,
// pages of zeros, something else altogether.
var damages = []func(r *rand.Rand, data []byte) []byte{
	func(r *rand.Rand, data []byte) []byte {
		for range 1 + r.IntN(200) {
			data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
		}
		return data
	},
	func(r *rand.Rand, data []byte) []byte { return data[:r.IntN(len(data))] },
	func(r *rand.Rand, data []byte) []byte {
		at := r.IntN(len(data))
		clear(data[at:min(at+4096, len(data))])
		return data
	},
	func(r *rand.Rand, data []byte) []byte { return bytes.Repeat([]byte{byte(r.IntN(256))}, r.IntN(9000)) },
	func(r *rand.Rand, data []byte) []byte { return data[100*r.IntN(2) : min(r.IntN(200)+100, len(data))] },
}

// Whatever happens to the file or to its log, the next run is kept, and what was there
// is there still: in its place, or under another name that is told.
func TestDamagesLoseNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range *harm {
		path := filepath.Join(t.TempDir(), FileName)
		first := New(path, Options{})
		for range 10 {
			add(t, first, run(200))
		}
		end := companions[i%2]
		data, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		if end == "" { // else it stays as a killed program leaves it
			if err := first.Close(); err != nil {
				t.Fatal(err)
			}
			data, _ = os.ReadFile(path)
		}
		data = damages[i/2%len(damages)](r, data)
		elsewhere := filepath.Join(t.TempDir(), FileName)
		for _, name := range companions {
			if was, err := os.ReadFile(path + name); err == nil && name != end {
				err = os.WriteFile(elsewhere+name, was, 0o600)
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := errors.Join(os.WriteFile(elsewhere+end, data, 0o600), first.Close()); err != nil {
			t.Fatal(err)
		}
		goesOn(t, elsewhere, end, data, fmt.Sprintf("damage %d of %q", i, end))
	}
}

// goesOn keeps a run in a damaged file, and looks what became of it.
func goesOn(t *testing.T, path, end string, broken []byte, what string) {
	t.Helper()
	var told []string
	s := New(path, Options{Tell: func(t string) { told = append(told, t) }})
	id, err := s.Add(ctx, run(1))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if _, env, err := s.Get(ctx, id); err != nil || env.Body.Len() == 0 {
		t.Errorf("%s: %v", what, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	kept, err := os.ReadFile(path + ".unreadable-1" + end)
	if (err == nil) != (len(told) == 1) {
		t.Errorf("%s: told %q, %v", what, told, err)
	}
	if err == nil && end == "" && !bytes.Equal(kept, broken) {
		t.Errorf("%s: what was there is not kept: %d bytes of %d", what, len(kept), len(broken))
	}
}

// A clock that was set back changes no order and makes nothing old.
func TestClockThatIsSetBack(t *testing.T) {
	s := newStore(t, Options{})
	now := time.Now()
	var ids []int64
	for i := range 3 {
		r := run(1)
		r.Env.Started = now.AddDate(-i, 0, 0)
		ids = append(ids, add(t, s, r))
	}
	if n, err := s.Prune(ctx, DefaultBounds(now.AddDate(-20, 0, 0))); err != nil || n != 0 {
		t.Errorf("%d were too old, %v", n, err)
	}
	list, err := s.Find(ctx, Query{})
	if err != nil || len(list) != 3 || list[0].ID != ids[2] || list[2].ID != ids[0] {
		t.Errorf("%+v, %v", list, err)
	}
}
