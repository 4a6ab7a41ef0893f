package pull

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/pages"
	"patchbay/client/records"
)

var errDown = errors.New("the service is down")

// service answers pages of two records, and fails once at the page with this cursor.
type service struct {
	failAt string
	asked  []string
}

func (s *service) ask(_ context.Context, op client.Operation) (*client.Envelope, error) {
	at := string(op.Params)
	s.asked = append(s.asked, at)
	if s.failAt != "" && strings.Contains(at, s.failAt) {
		s.failAt = ""
		return nil, errDown
	}
	n := 0
	_, _ = fmt.Sscanf(at, `{"after":"%d"}`, &n)
	rows, meta := fmt.Sprintf(`[{"id":%d,"x":{"y":1}},{"id":%d}]`, n, n+1), fmt.Sprintf(`{"next":"%d","more":%t}`, n+2, n < 6)
	body := fmt.Sprintf(`{"data":%s,"meta":%s}`, rows, meta)
	from := strings.Index(body, rows)
	m := strings.Index(body, meta)
	return &client.Envelope{Body: client.Bytes(body), Records: client.Span{From: from, To: from + len(rows)}, RecordsPath: "data", Meta: client.Span{From: m, To: m + len(meta)}}, nil
}

var action = &catalog.Action{Name: "list", Params: []catalog.Field{{Name: "after"}}, Page: &catalog.Page{Style: "cursor", Send: "after", Meta: "next", More: "more"}}

func (s *service) fetch(start client.Operation, p *Pages) error {
	f := pages.Fetcher{Ask: s.ask, Ledger: pages.NewLedger(&catalog.Entity{Key: "id"}, action), Start: start, OnPage: p.Page, DropBodies: true}
	_, err := f.Fetch(context.Background(), pages.Limits{})
	return err
}

func options(f export.Format) Options {
	return func(_ *client.Envelope, columns []string) (export.Options, error) {
		if !f.Tabular() {
			return export.Options{}, nil
		}
		if columns == nil {
			columns = []string{"id", "x.y"}
		}
		var o export.Options
		for _, name := range columns {
			c, err := records.FromPath(name)
			if err != nil {
				return o, err
			}
			o.Columns = append(o.Columns, c)
		}
		return o, nil
	}
}

func TestAFileIsGoneOnWith(t *testing.T) {
	op := client.Operation{Entity: "e", Action: "list"}
	for format, want := range map[export.Format]string{
		export.NDJSON: "{\"id\":0,\"x\":{\"y\":1}}\n{\"id\":1}\n{\"id\":2,\"x\":{\"y\":1}}\n{\"id\":3}\n{\"id\":4,\"x\":{\"y\":1}}\n{\"id\":5}\n{\"id\":6,\"x\":{\"y\":1}}\n{\"id\":7}\n",
		export.CSV:    "id,x.y\n0,1\n1,\n2,1\n3,\n4,1\n5,\n6,1\n7,\n",
	} {
		path := filepath.Join(t.TempDir(), "out")
		f := File{Path: path, Format: format, Call: CallID(client.Target{}, op, string(format), nil), Options: options(format)}
		s := &service{failAt: `"4"`}
		kept, err := f.Write(op, s.fetch)
		if !kept || !errors.Is(err, errDown) {
			t.Fatalf("%v %v", kept, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("half a file has the name that was asked for")
		}
		cp, err := f.Unfinished()
		if err != nil || cp == nil || cp.Records != 4 {
			t.Fatalf("%+v, %v", cp, err)
		}
		other := f
		other.Call = "other"
		if kept, err := other.Write(op, s.fetch); kept || !errors.Is(err, export.ErrOtherCall) {
			t.Errorf("another call goes on with it: %v", err)
		}
		// Another program, later.
		s = &service{}
		again := File{Path: path, Format: format, Call: f.Call, Options: options(format)}
		var had int
		kept, err = again.Write(op, func(start client.Operation, p *Pages) error { had = p.Have; return s.fetch(start, p) })
		if kept || err != nil || had != 4 || s.asked[0] != `{"after":"4"}` {
			t.Fatalf("%v %v, had %d, asked %v", kept, err, had, s.asked)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != want {
			t.Errorf("%s holds %q, %v", format, data, err)
		}
		if left, _ := filepath.Glob(path + ".part*"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestAnUnfinishedFileIsDiscarded(t *testing.T) {
	op := client.Operation{Entity: "e", Action: "list"}
	f := File{Path: filepath.Join(t.TempDir(), "out"), Format: export.NDJSON, Call: "c", Options: options(export.NDJSON)}
	s := &service{failAt: `"4"`}
	if kept, _ := f.Write(op, s.fetch); !kept {
		t.Fatal("nothing was kept")
	}
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

// What came before a failure can be read, whatever the format.
func TestAStreamIsEndedInOrder(t *testing.T) {
	var b strings.Builder
	s := &service{failAt: `"2"`}
	err := To(&b, export.JSON, options(export.JSON), func(p *Pages) error { return s.fetch(client.Operation{}, p) })
	if !errors.Is(err, errDown) || b.String() != "[\n{\"id\":0,\"x\":{\"y\":1}},\n{\"id\":1}\n]\n" {
		t.Errorf("%v %q", err, b.String())
	}
}
