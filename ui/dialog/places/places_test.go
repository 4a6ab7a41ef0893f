package places

import (
	"context"
	"errors"
	"fmt"
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
	"patchbay/ui/response"
	"patchbay/ui/tree"
)

// desk is the program as the feature sees it.
type desk struct {
	dialog.Host
	session  dialog.Session
	settings profile.State
	request  *request.Pane
	response *response.Pane
	tree     *tree.Pane
}

func (d *desk) Session() dialog.Session    { return d.session }
func (d *desk) Settings() *profile.State   { return &d.settings }
func (d *desk) Request() *request.Pane     { return d.request }
func (d *desk) Response() *response.Pane   { return d.response }
func (d *desk) Tree() *tree.Pane           { return d.tree }
func (d *desk) Focus() intent.Pane         { return intent.Response }
func (d *desk) Document() *answer.Document { return nil }
func (d *desk) Top() intent.Overlay        { return nil }

func newDesk() *desk {
	return &desk{request: request.New(time.Now), response: response.New(time.Now), tree: tree.New()}
}

func newFeature(d *desk) *Feature { return &Feature{Host: d, Leaving: func() {}} }

func (d *desk) open(t *testing.T, entity, action string) {
	t.Helper()
	k, e, a, err := small.Catalog().Resolve("payments", entity, action)
	if err != nil {
		t.Fatal(err)
	}
	d.request.Open(client.Connector{Name: "money", Kind: "payments", Workspace: "demo"}, k, e, a, nil, nil)
}

func TestTheWayBackHoldsEachCallOnce(t *testing.T) {
	d := newDesk()
	f := newFeature(d)
	f.Remember() // nothing is open yet
	for _, entity := range []string{"customers", "customers", "invoices"} {
		d.open(t, entity, "list")
		f.Remember()
	}
	if len(f.trail.back) != 2 {
		t.Fatalf("the way back holds %d places", len(f.trail.back))
	}
	d.open(t, "charges", "list")
	walk := func(way func() intent.Intent, want string, back, forward int) {
		t.Helper()
		way().(intent.All)[1].(intent.Then).F()
		if _, entity, _ := d.request.Place(); entity != want || len(f.trail.back) != back || len(f.trail.forward) != forward {
			t.Errorf("at %s, %d places back, %d forward; want %s, %d, %d", entity, len(f.trail.back),
				len(f.trail.forward), want, back, forward)
		}
	}
	walk(f.goBack, "invoices", 1, 1)
	walk(f.goBack, "customers", 0, 2)
	walk(f.goForward, "invoices", 1, 1)
	walk(func() intent.Intent { return f.revisit(f.trail.all[0]) }, "charges", 2, 0)
	if n := len(f.Recent()); n != 2 {
		t.Errorf("%d recent places beside the open one", n)
	}
}

// stands opens a place with an answer of so many bytes.
func (d *desk) stands(t *testing.T, params string, body int) {
	t.Helper()
	d.open(t, "customers", "list")
	if err := d.request.SetParams([]byte(params)); err != nil {
		t.Fatal(err)
	}
	data := `{"data":[{"id":"` + strings.Repeat("x", body) + `"}]}`
	env := &client.Envelope{Status: 200, Body: client.Bytes(data)}
	d.response.Open(answer.NewPage(t.Context(), answer.Question{Entity: d.request.Entity(), Kind: d.request.Kind(),
		Action: d.request.Action()}, env, nil))
}

func TestPlacesAreBounded(t *testing.T) {
	d := newDesk()
	f := newFeature(d)
	for i := range mostVisits + 5 {
		d.stands(t, fmt.Sprintf(`{"limit":%d}`, i+1), mostAnswers/10)
		f.Remember()
		d.response.Clear(nil, nil, nil)
		d.request.Close()
	}
	kept := 0
	for _, v := range f.trail.all {
		if v.answer != nil {
			kept++
		}
	}
	if len(f.trail.all) != mostVisits || len(f.trail.back) != mostVisits || kept != 9 {
		t.Errorf("%d places are kept, %d back, %d with their answers", len(f.trail.all), len(f.trail.back), kept)
	}
	f.goBack().(intent.All)[1].(intent.Then).F()
	if !d.response.HasAnswer() {
		t.Error("the last answer did not come back")
	}
	said := f.restore(f.trail.all[0]).(intent.All)[3]
	if say, ok := said.(intent.Say); !ok || !strings.Contains(say.Text, "r asks for it again") ||
		string(d.request.Params()) != `{"limit":6}` || d.response.HasAnswer() {
		t.Errorf("an answer too much to keep: %v, %s", said, d.request.Params())
	}
}

func TestParamsAreKeptUnlessNothingIs(t *testing.T) {
	d := newDesk()
	f := newFeature(d)
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
	f := newFeature(d)
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
