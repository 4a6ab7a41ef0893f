package relate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"patchbay/client"
	small "patchbay/testdata/catalog"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/request"
)

// desk is the program as the feature sees it, with a service that answers with a body.
type desk struct {
	dialog.Host
	dialog.Service
	request *request.Pane
	body    string
}

func (d *desk) Request() *request.Pane  { return d.request }
func (d *desk) Session() dialog.Session { return dialog.Session{Name: "p", Service: d} }
func (d *desk) Now() time.Time          { return time.Unix(0, 0) }

func (d *desk) Execute(context.Context, client.Target, client.Operation) (*client.Envelope, error) {
	if d.body == "" {
		return nil, errors.New("down")
	}
	return &client.Envelope{Body: client.Bytes(d.body), Records: client.Span{To: len(d.body)}}, nil
}

// listed asks the service of the desk for more customers than the list holds.
func (d *desk) listed(t *testing.T, ids *idList) intent.All {
	t.Helper()
	task := (&Feature{Host: d}).fetch(ids).(intent.Task)
	if task.Lane != intent.Asking || task.What != "asking for customers" {
		t.Errorf("%+v", task)
	}
	apply, err := task.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return apply().(intent.All)
}

func TestIDsAreListedOnce(t *testing.T) {
	k, e, a, err := small.Catalog().Resolve("payments", "customers", "list")
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{request: request.New(time.Now)}
	d.request.Open(client.Connector{Name: "money", Kind: "payments"}, k, e, a, nil, nil)
	ids := &idList{List: &overlay.List{}, entity: e, key: e.Key, have: map[string]bool{}}
	ids.Source = func(string) []overlay.Item { return ids.items }

	d.body = `[]`
	if d.listed(t, ids); ids.Empty != "There are no customers yet. An id of your own can be typed." {
		t.Error(ids.Empty)
	}
	d.body = `[{"id":"a","name":"Ada","email":"a@b.c"},{"id":"a"},{"name":"no id"}]`
	if d.listed(t, ids); len(ids.items) != 1 || ids.items[0].Note != "Ada  ·  a@b.c" || ids.items[0].Value != "a" {
		t.Errorf("%+v", ids.items)
	}
	d.body = ""
	said, ok := d.listed(t, ids)[1].(intent.Say)
	if !ok || !said.Bad || !strings.HasPrefix(said.Text, "more customers could not be listed: ") {
		t.Errorf("%+v", said)
	}
	ids.items = nil
	if in := d.listed(t, ids)[1]; in != nil || !strings.HasSuffix(ids.Empty, ownID) {
		t.Errorf("%v is asked, the list says %q", in, ids.Empty)
	}
}
