package download

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/client"
)

// answers is a service that sends one answer after the other.
type answers struct {
	client.Executor
	list  []answer
	asked []client.FilePart
}

type answer struct {
	head Head
	body string
	// status is that of a refusal, breaks an end before the end.
	status int
	breaks bool
}

func (a *answers) Download(_ context.Context, _ client.Target, _ client.Operation, w io.Writer) (*client.Envelope, error) {
	f := w.(client.FileWriter)
	a.asked = append(a.asked, f.Missing())
	next := a.list[0]
	a.list = a.list[1:]
	env := &client.Envelope{Status: next.head.Status, Attempts: []client.Attempt{{N: 1}}}
	if next.status != 0 {
		return nil, &client.Error{Class: client.ClassInvalid, Status: next.status}
	}
	if err := f.Begin(next.head); err != nil {
		return env, &client.Error{Class: client.ClassOther, Err: err}
	}
	if _, err := io.WriteString(f, next.body); err != nil {
		return env, err
	}
	if next.breaks {
		return env, &client.Error{Class: client.ClassNetwork, Message: "broke"}
	}
	return env, nil
}

func head(status int, from, total int64, tag string) Head {
	return Head{Status: status, From: from, Total: total, ETag: tag, Ranges: true, Name: "a.txt"}
}

func TestWhatIsMissingIsFetched(t *testing.T) {
	first := answer{head: head(200, 0, 10, `"a"`), body: "01234", breaks: true}
	untold := answer{head: head(200, 0, -1, ""), body: "01234", breaks: true}
	whole := answer{head: head(200, 0, 10, `"b"`), body: "abcdefghij"}
	for _, c := range []struct {
		name, body, note string
		list             []answer
		asked            []client.FilePart
		strict           bool
	}{
		{name: "the rest", body: "0123456789", list: []answer{first, {head: head(206, 5, 10, `"a"`), body: "56789"}},
			asked: []client.FilePart{{}, {From: 5, Validator: `"a"`}}},
		{name: "all of another file", body: "abcdefghij", note: "changed", list: []answer{first, whole}, asked: []client.FilePart{{}, {From: 5, Validator: `"a"`}}},
		{name: "the rest of another file", body: "abcdefghij", note: "changed", list: []answer{first, {head: head(206, 5, 10, `"b"`), body: "fghij"}, whole},
			asked: []client.FilePart{{}, {From: 5, Validator: `"a"`}, {}}},
		{name: "no parts", body: "0123456789", note: "sends no parts", list: []answer{first, {head: head(200, 0, 10, `"a"`), body: "0123456789"}},
			asked: []client.FilePart{{}, {From: 5, Validator: `"a"`}}},
		{name: "a part that does not say so", body: "abcdefghij", note: "another part", list: []answer{first, {head: head(200, 0, 5, ""), body: "56789"}, whole},
			asked: []client.FilePart{{}, {From: 5, Validator: `"a"`}, {}}},
		{name: "another part", body: "abcdefghij", note: "another part", list: []answer{first, {head: head(206, 3, 10, `"a"`), body: "3456789"}, whole},
			asked: []client.FilePart{{}, {From: 5, Validator: `"a"`}, {}}},
		{name: "no such part", body: "abcdefghij", note: "no such part", list: []answer{first, {status: http.StatusRequestedRangeNotSatisfiable}, whole},
			asked: []client.FilePart{{}, {From: 5, Validator: `"a"`}, {}}},
		{name: "nothing to know it by", body: "0123456789", note: "nothing but its size", list: []answer{untold, {head: head(206, 5, 10, ""), body: "56789"}},
			asked: []client.FilePart{{}, {From: 5}}},
		{name: "nothing to know it by, later", body: "abcdefghij", note: "from its beginning", strict: true, list: []answer{untold, whole}, asked: []client.FilePart{{}, {}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, f := &answers{list: c.list}, Spooled()
			f.Strict = c.strict
			if _, err := f.Fetch(t.Context(), a, client.Target{}, client.Operation{}); err == nil || f.Whole() || f.Stopped == nil {
				t.Fatalf("the first try is whole: %v", err)
			}
			if have, _ := f.Progress(); have != 5 {
				t.Errorf("%d bytes of progress, want 5", have)
			}
			if _, err := f.Fetch(t.Context(), a, client.Target{}, client.Operation{}); err != nil || !f.Whole() {
				t.Fatal(err)
			}
			r := f.Result(t.Context(), "files")
			got, _ := io.ReadAll(r.Spool.Reader())
			if string(got) != c.body || len(a.list) > 0 {
				t.Errorf("%q, want %q", got, c.body)
			}
			if notes := strings.Join(r.Notes, ";"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
			for i, want := range c.asked {
				if a.asked[i] != want {
					t.Errorf("question %d asks for %+v, want %+v", i, a.asked[i], want)
				}
			}
			if r.NoResume(client.Operation{}) == "" {
				t.Error("a whole file can be continued")
			}
		})
	}
}

func TestAPartThatTheParamsAskForIsNotContinued(t *testing.T) {
	a := &answers{list: []answer{{head: head(206, 0, 10, `"a"`), body: "01234"}, {head: head(206, 0, 10, `"a"`), body: "01234"}}}
	op := client.Operation{Params: json.RawMessage(`{"range_header":"bytes=0-4"}`)}
	f := Spooled()
	for range 2 {
		if _, err := f.Fetch(t.Context(), a, client.Target{}, op); err != nil || f.Store.Size() != 5 {
			t.Fatalf("%v, %d bytes", err, f.Store.Size())
		}
	}
	if a.asked[1] != (client.FilePart{}) {
		t.Errorf("asked for %+v", a.asked[1])
	}
}

func TestASpoolIsBounded(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := &Spool{}
	piece := []byte(strings.Repeat("0123456789", 10_000))
	var before *Spool
	for i := range 25 {
		if i == 5 {
			before = s.snapshot()
		}
		if _, err := s.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if s.mem != nil || s.file == nil || s.Size() != 2_500_000 {
		t.Errorf("%d bytes in memory of %d", len(s.mem), s.Size())
	}
	if info, err := s.file.Stat(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*")); len(left) > 0 {
		t.Errorf("the file has a name: %v", left)
	}
	for _, o := range []*Spool{s, before} {
		if got, err := io.ReadAll(o.Reader()); err != nil || int64(len(got)) != o.Size() || got[o.Size()-1] != '9' {
			t.Errorf("%d of %d bytes: %v", len(got), o.Size(), err)
		}
		if src := o.Source(); src.Len() != int(o.Size()) || string(src.Slice(10, 13)) != "012" {
			t.Errorf("a source of %d bytes", src.Len())
		}
	}
	s.n = spoolMax
	if _, err := s.Write(piece); err == nil || !strings.Contains(err.Error(), "-o FILE") {
		t.Errorf("a spool without an end: %v", err)
	}
}

func TestACopyIsPrivateAndGoes(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := &Spool{}
	_, _ = s.Write([]byte("text"))
	path, err := s.WriteCopy("a b.txt")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || filepath.Base(path) != "a b.txt" {
		t.Errorf("%v %v", info, err)
	}
	if info, _ := os.Stat(filepath.Dir(path)); info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has %v", info.Mode())
	}
	if err := RemoveTemporary(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy stays: %v", err)
	}
}
