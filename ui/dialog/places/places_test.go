package places

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/profile"
	small "patchbay/testdata/catalog"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/request"
	"patchbay/ui/tree"
)

// desk is the program as the feature sees it.
type desk struct {
	dialog.Host
	session  dialog.Session
	settings profile.State
	request  *request.Pane
	tree     *tree.Pane
}

func (d *desk) Session() dialog.Session    { return d.session }
func (d *desk) Settings() *profile.State   { return &d.settings }
func (d *desk) Request() *request.Pane     { return d.request }
func (d *desk) Tree() *tree.Pane           { return d.tree }
func (d *desk) Document() *answer.Document { return nil }
func (d *desk) Top() intent.Overlay        { return nil }

func newDesk() *desk { return &desk{request: request.New(time.Now), tree: tree.New()} }

func (d *desk) open(t *testing.T, entity, action string) {
	t.Helper()
	k, e, a, err := small.Catalog().Resolve("payments", entity, action)
	if err != nil {
		t.Fatal(err)
	}
	d.request.Open(client.Connector{Name: "money", Kind: "payments", Workspace: "demo"}, k, e, a, nil, nil)
}

func TestTheWayBackHoldsEachPlaceOnce(t *testing.T) {
	d := newDesk()
	f := &Feature{Host: d}
	f.Remember() // nothing is open yet
	for _, entity := range []string{"customers", "customers", "invoices"} {
		d.open(t, entity, "list")
		f.Remember()
	}
	if len(f.back) != 2 {
		t.Fatalf("the way back holds %d places", len(f.back))
	}
	all := f.goBack().(intent.All)
	if open := all[0].(intent.OpenAction); open.Entity != "invoices" {
		t.Errorf("it goes back to %s", open.Entity)
	}
	f.Remember() // opening remembers the place that is left
	all[1].(intent.Then).F()
	if len(f.back) != 1 || f.back[0].Entity != "customers" {
		t.Errorf("%+v are left", f.back)
	}
}

func TestParamsAreKeptUnlessNothingIs(t *testing.T) {
	d := newDesk()
	f := &Feature{Host: d}
	if in := f.Save(); in != nil {
		t.Errorf("without a place it asks for %v", in)
	}
	d.open(t, "customers", "list")
	if err := d.request.SetParams([]byte(`{"limit":7}`)); err != nil {
		t.Fatal(err)
	}
	for _, keeps := range []bool{true, false} {
		d.session.NoHistory = !keeps
		if in := f.Save(); in != (intent.SaveSettings{}) || (d.settings.Places[""].Params != nil) != keeps {
			t.Errorf("kept %+v", d.settings.Places[""])
		}
	}
}

// lists is a service with connectors in some workspaces.
type lists struct {
	dialog.Service
	kinds map[string]string
	asked []string
}

func (l *lists) Connectors(_ context.Context, w string) ([]client.Connector, error) {
	l.asked = append(l.asked, w)
	if l.kinds[w] == "" {
		return nil, errors.New("the line is dead")
	}
	return []client.Connector{{ID: w, Name: w, Kind: l.kinds[w], Workspace: w}}, nil
}

func TestSeekingStopsAtTheFirstThatSuits(t *testing.T) {
	d := newDesk()
	s := &lists{kinds: map[string]string{"two": "crm", "three": "payments", "four": "payments"}}
	d.session.Service = s
	d.tree.SetWorkspaces([]client.Workspace{{Name: "one"}, {Name: "two"}, {Name: "three"}, {Name: "four"}}, "")
	f := &Feature{Host: d}
	payments := func(c client.Connector) bool { return c.Kind == "payments" }
	var told []error
	seek := func() intent.Intent {
		return f.Seek("money", payments, func(missing error) intent.Intent { told = append(told, missing); return nil })
	}
	apply, err := seek().(intent.Task).Do(context.Background())
	if err != nil || strings.Join(s.asked, " ") != "one two three" {
		t.Fatalf("asked %q, %v", s.asked, err)
	}
	apply()
	if len(told) != 1 || told[0] == nil || len(d.tree.Connectors()) != 2 {
		t.Errorf("told %v, the tree has %v", told, d.tree.Connectors())
	}
	apply, _ = seek().(intent.Task).Do(context.Background())
	d.open(t, "customers", "list") // the person went elsewhere
	if apply(); len(told) != 1 {
		t.Error("it goes on although the person went elsewhere")
	}
}
