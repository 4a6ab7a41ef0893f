package compare

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/compare"
	small "patchbay/testdata/catalog"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// service answers with the bodies kept by the action asked.
type service struct {
	dialog.Service
	bodies map[string]string
}

func (s *service) Execute(_ context.Context, _ client.Target, op client.Operation) (*client.Envelope, error) {
	body := s.bodies[op.Action]
	if body == "" {
		return nil, errors.New("down")
	}
	return &client.Envelope{Body: client.Bytes(body), Records: client.Span{To: len(body)},
		MetaJSON: []byte(`{"has_more":false}`)}, nil
}

// desk is the program as the feature sees it.
type desk struct {
	dialog.Host
	session dialog.Session
}

func (d *desk) Session() dialog.Session { return d.session }
func (d *desk) Now() time.Time          { return time.Unix(0, 0) }

// asked is a comparison of customers whose sides were asked; before is called then,
// and shown reports whether the comparison was shown.
func asked(t *testing.T, bodies map[string]string, before func(*desk)) (c *comparison, shown bool) {
	t.Helper()
	k, e, a, err := small.Catalog().Resolve("payments", "customers", "list")
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{session: dialog.Session{Service: &service{bodies: bodies}}}
	from := answer.Question{Kind: k, Entity: e, Action: a, Op: client.Operation{Entity: e.Name, Action: a.Name}}
	c = &comparison{&Feature{Host: d}, "", compare.New(from, compare.Ways(from, nil), nil, d.Now()), newList()}
	task := c.ask(c.Sides, compare.Steps[0], "asking", func() intent.Intent { shown = true; return nil }).(intent.Task)
	apply, err := task.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if before != nil {
		before(d)
	}
	apply()
	return c, shown
}

var bodies = map[string]string{
	catalog.ActionContextStoreSearch: `[{"id":"a","name":"Ada"},{"id":"b","name":"Bob"}]`,
	"list":                           `[{"id":"a","name":"Ada L."},{"id":"c","name":"Cy"}]`,
}

func TestTheListTellsWhatDiffers(t *testing.T) {
	c, shown := asked(t, bodies, nil)
	if !shown {
		t.Fatal("the comparison is not shown")
	}
	var got []string
	for _, it := range c.items() {
		if strings.HasPrefix(it.Group, "Fields") || strings.Contains(it.Group, ": 1 record") {
			got = append(got, it.Group+": "+it.Title+" "+it.Note)
		}
	}
	want := "Fields that differ: name in 1 record\nDiffering: 1 record: a name\n" +
		"Only in list: 1 record: c Cy\nOnly in search: 1 record: b Bob"
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

func TestARecordIsShownAsTheSidesHaveIt(t *testing.T) {
	c, _ := asked(t, bodies, nil)
	text := func(r *compare.Compared) string {
		lines, err := c.recordLines(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, l := range lines {
			out = append(out, strings.TrimSpace(l.Label+" "+l.Text))
		}
		return strings.Join(out, "\n")
	}
	groups := c.Groups()
	if got := text(groups[0].Records[0]); !strings.HasPrefix(got,
		"search → list\ndiffers .name  \"Ada\" → \"Ada L.\"\n\nThe whole record in search\n{") {
		t.Error(got)
	}
	if got := text(groups[1].Records[0]); !strings.HasPrefix(got, "search does not have it\n\nThe whole record in list") {
		t.Error(got)
	}
}

func TestNothingIsShownOfAnotherProfile(t *testing.T) {
	if _, shown := asked(t, bodies, func(d *desk) { d.session.Service = &service{} }); shown {
		t.Error("the comparison is shown although another profile was opened")
	}
}

func TestOneSideIsNoComparison(t *testing.T) {
	c, _ := asked(t, map[string]string{"list": `[{"id":"a"}]`}, nil)
	var said []string
	for _, it := range c.items() {
		said = append(said, it.Title, it.Note)
	}
	if all := strings.Join(said, "\n"); !strings.Contains(all, "failed: down") ||
		!strings.Contains(all, "Fewer than two sides answered") {
		t.Error(all)
	}
	if tone := c.sideLines(c.Sides[0])[2].Tone; tone != overlay.Bad {
		t.Errorf("the failure has tone %v", tone)
	}
}
