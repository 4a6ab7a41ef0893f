package answer

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/records"
)

var listing = client.Operation{Entity: "e", Action: "list"}

func fileOf(path string, f export.Format) *File {
	return &File{Path: path, Format: f, Call: CallID("s", client.Target{ConnectorID: "c"}, listing),
		Options: options(f)}
}

// stopped leaves a file behind that failed at its third page.
func stopped(t *testing.T, f *File) {
	t.Helper()
	s := &service{failAt: `"4"`}
	if kept, err := f.Write(listing, s.fetch); kept != 4 || !errors.Is(err, errDown) {
		t.Fatalf("%d records are kept, %v", kept, err)
	}
}

func TestAFileIsGoneOnWith(t *testing.T) {
	for _, format := range export.Formats {
		whole := filepath.Join(t.TempDir(), "whole")
		if _, err := fileOf(whole, format).Write(listing, (&service{}).fetch); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(whole)
		if err != nil || !strings.Contains(string(want), "7") {
			t.Fatalf("%q, %v", want, err)
		}
		path := filepath.Join(t.TempDir(), "out")
		f := fileOf(path, format)
		stopped(t, f)
		if _, err := os.Stat(path); err == nil {
			t.Error("half a file has the name that was asked for")
		}
		if cp, err := f.Unfinished(); err != nil || cp == nil || cp.Records != 4 {
			t.Fatalf("%+v, %v", cp, err)
		}
		// Another program, later, that would choose other columns.
		s := &service{}
		again := fileOf(path, format)
		again.Options = func(*client.Envelope) (export.Options, error) {
			return export.Options{}, errors.New("asked for options")
		}
		var had int
		kept, err := again.Write(listing, func(start client.Operation,
			p *PageWriter) error {
			had = p.Have
			return s.fetch(start, p)
		})
		if kept != 0 || err != nil || had != 4 || s.asked[0] != `{"after":"4"}` {
			t.Fatalf("%v %v, had %d, asked %v", kept, err, had, s.asked)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
			t.Errorf("%s holds %q, want %q, %v", format, got, want, err)
		}
		if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// What would become another file is refused, and the unfinished one stays.
func TestAFileThatDoesNotFitIsInTheWay(t *testing.T) {
	for name, change := range map[string]func(*File){
		"another call":   func(f *File) { f.Call = "other" },
		"another format": func(f *File) { f.Format = export.NDJSON },
		"other columns":  func(f *File) { f.Columns = []string{"id"} },
		"fewer records":  func(f *File) { f.Max = 3 },
	} {
		path := filepath.Join(t.TempDir(), "out")
		stopped(t, fileOf(path, export.CSV))
		before, _ := os.ReadFile(path + ".part")
		f := fileOf(path, export.CSV)
		change(f)
		var conflict *export.Conflict
		if _, err := f.Unfinished(); !errors.As(err, &conflict) {
			t.Errorf("%s: a look says %v", name, err)
		}
		kept, err := f.Write(listing, func(client.Operation,
			*PageWriter) error {
			t.Errorf("%s: fetched", name)
			return nil
		})
		if kept != 0 || !errors.As(err, &conflict) {
			t.Errorf("%s: %d, %v", name, kept, err)
		}
		if after, _ := os.ReadFile(path + ".part"); string(after) != string(before) {
			t.Errorf("%s: the unfinished file became %q", name, after)
		}
	}
}

// The columns that were asked for, and as many records, are no other file.
func TestAFileThatFitsIsGoneOnWith(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	stopped(t, fileOf(path, export.CSV))
	f := fileOf(path, export.CSV)
	f.Columns, f.Max = []string{"id", "x.y"}, 4
	if kept, err := f.Write(listing, func(client.Operation, *PageWriter) error { return nil }); kept != 0 ||
		err != nil {
		t.Fatalf("%d, %v", kept, err)
	}
	if got, _ := os.ReadFile(path); string(got) != "id,x.y\n0,1\n1,\n2,1\n3,\n" {
		t.Errorf("%q", got)
	}
}

// PageWriter that lead nowhere are kept, and no later run adds more of them.
func TestABlockedFileStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	f := fileOf(path, export.NDJSON)
	kept, err := f.Write(listing, func(start client.Operation, p *PageWriter) error {
		p.Blocked = "the cursor did not move"
		return errors.Join(errDown, (&service{failAt: `"4"`}).fetch(start, p))
	})
	if kept != 4 || !errors.Is(err, errDown) {
		t.Fatalf("%d, %v", kept, err)
	}
	if _, err := f.Unfinished(); err == nil || !strings.Contains(err.Error(), "the cursor did not move") {
		t.Errorf("%v", err)
	}
}

// A page that never came leaves nothing behind, and what is there untouched.
func TestNothingIsLeftOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := fileOf(path, export.JSON)
	if kept, err := f.Write(listing, func(client.Operation, *PageWriter) error { return errDown }); kept != 0 ||
		!errors.Is(err, errDown) {
		t.Fatalf("%d, %v", kept, err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" || export.Begun(path) {
		t.Errorf("%q", got)
	}
}

func TestAnUnfinishedFileIsDiscarded(t *testing.T) {
	f := fileOf(filepath.Join(t.TempDir(), "out"), export.NDJSON)
	stopped(t, f)
	if err := export.Discard(f.Path); err != nil {
		t.Fatal(err)
	}
	if cp, err := f.Unfinished(); cp != nil || err != nil {
		t.Errorf("%v %v", cp, err)
	}
	if err := export.Discard(f.Path); err != nil {
		t.Errorf("nothing to discard is no failure: %v", err)
	}
}

// One call is the same however it is written down, and wherever its profile is.
func TestCallID(t *testing.T) {
	target := client.Target{Profile: "work", Kind: "payments", Workspace: "w", ConnectorID: "c1", Name: "payments"}
	local := client.Target{Profile: "work", Kind: "payments", Name: "Mine", Local: true}
	op := client.Operation{Entity: "e", Action: "list", Params: json.RawMessage(`{"a":1.50,"b":{"x":[1,2],"y":null}}`)}
	with := func(params string) client.Operation { o := op; o.Params = json.RawMessage(params); return o }
	id, localID := CallID("https://a", target, op), CallID("", local, op)
	byID := client.Target{Profile: "env", ConnectorID: "c1"}
	named := local
	named.Name, named.ConnectorID = "mine", "local:mine"
	for name, same := range map[string]bool{
		"order of keys": CallID("https://a", target, with(` {"b": {"y": null, "x": [1, 2]}, "a": 1.50}`)) == id,
		"by id":         CallID("https://a", byID, op) == id,
		"empty lists": CallID("https://a", target, client.Operation{Entity: "e", Action: "list",
			Params: op.Params, SelectFields: []string{}}) == id,
		"no params at all": CallID("https://a", target, with(`{}`)) == CallID("https://a", target, with("")),
		"local by name":    CallID("https://a", named, op) == localID,
	} {
		if !same {
			t.Errorf("%s makes another call", name)
		}
	}
	other, address, stranger := target, local, local
	other.ConnectorID, address.BaseURL, stranger.Profile = "c2", "https://b", "home"
	for name, got := range map[string]string{
		"service": CallID("https://b", target, op), "connector": CallID("https://a", other, op),
		"local":          CallID("https://a", local, op),
		"number":         CallID("https://a", target, with(`{"a":1.5,"b":{"x":[1,2],"y":null}}`)),
		"order of items": CallID("https://a", target, with(`{"a":1.50,"b":{"x":[2,1],"y":null}}`)),
		"null left out":  CallID("https://a", target, with(`{"a":1.50,"b":{"x":[1,2]}}`)),
		"address":        CallID("", address, op), "credentials": CallID("", stranger, op),
	} {
		if got == id || got == localID && name != "local" {
			t.Errorf("another %s makes the same call", name)
		}
	}
}

// Columns come back by both names of their field, or by their program.
func TestColumnsOfACheckpoint(t *testing.T) {
	known := records.Columns(&records.Set{}, records.ColumnOptions{})
	wired, err := records.FromPath("MarketOrderId")
	if err != nil {
		t.Fatal(err)
	}
	other, _ := records.FromPath("AmazonOrderId")
	wired.Wire = other.Path
	cp := export.Checkpoint{Columns: []string{"MarketOrderId", "sum", "a.b"},
		Programs: map[string]string{"sum": ".a.b + 1"}}
	columns, err := columnsOf(cp, append(known, wired))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	e, err := export.NewEncoder(&b, export.CSV, export.Options{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	set := records.Set{}
	body := client.Bytes(`[{"AmazonOrderId":"A1","a":{"b":2}}]`)
	set.AddEnvelope(&client.Envelope{Body: body, Records: client.Span{To: body.Len()}, Names: client.Wire})
	if err := errors.Join(e.Record(set.RecordNames(0)), e.Close()); err != nil ||
		b.String() != "MarketOrderId,sum,a.b\nA1,3,2\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
	if !slices.Equal(cp.Columns, []string{columns[0].Name, columns[1].Name, columns[2].Name}) {
		t.Errorf("%+v", columns)
	}
	cp.Programs["sum"] = ".a +"
	var conflict *export.Conflict
	if _, err := columnsOf(cp, nil); !errors.As(err, &conflict) {
		t.Errorf("a program that is wrong: %v", err)
	}
}
