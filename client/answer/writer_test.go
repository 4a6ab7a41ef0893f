package answer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/export"
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
	rows, meta := fmt.Sprintf(`[{"id":%d,"x":{"y":1}},{"id":%d}]`, n, n+1),
		fmt.Sprintf(`{"next":"%d","more":%t}`, n+2, n < 6)
	body := fmt.Sprintf(`{"data":%s,"meta":%s}`, rows, meta)
	from := strings.Index(body, rows)
	m := strings.Index(body, meta)
	return &client.Envelope{Body: client.Bytes(body), Records: client.Span{From: from, To: from + len(rows)},
		RecordsPath: "data", Meta: client.Span{From: m, To: m + len(meta)}}, nil
}

var listAction = &catalog.Action{Name: "list", Params: []catalog.Field{{Name: "after"}},
	Page: &catalog.Page{Style: "cursor", Send: "after", Meta: "next", More: "more"}}

func (s *service) fetch(start client.Operation, p *PageWriter) error {
	f := Fetcher{Ask: s.ask, Run: NewRun(&catalog.Entity{Key: "id"}, listAction), Start: start, OnPage: p.Page,
		DropBodies: true}
	_, err := f.Fetch(context.Background(), Limits{})
	return err
}

func options(f export.Format) OptionsOf {
	return func(*client.Envelope) (o export.Options, err error) {
		if f.Tabular() {
			o.Columns, err = columnsOf(export.Checkpoint{Columns: []string{"id", "x.y"}}, nil)
		}
		return o, err
	}
}

// What came before a failure can be read where it cannot be continued.
func TestAStreamIsEndedInOrder(t *testing.T) {
	var b strings.Builder
	s := &service{failAt: `"2"`}
	err := WriteTo(&b, export.JSON, options(export.JSON),
		func(p *PageWriter) error { return s.fetch(client.Operation{}, p) })
	if !errors.Is(err, errDown) || b.String() != "[\n{\"id\":0,\"x\":{\"y\":1}},\n{\"id\":1}\n]\n" {
		t.Errorf("%v %q", err, b.String())
	}
}
