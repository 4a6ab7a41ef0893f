package doctor

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/tree"
)

// desk is the program as the feature sees it.
type desk struct {
	dialog.Host
	session dialog.Session
	tree    *tree.Pane
}

func (d *desk) Session() dialog.Session { return d.session }
func (d *desk) Tree() *tree.Pane        { return d.tree }

var shop = client.Connector{ID: "c1", Name: "shop", Workspace: "w"}

func newDesk() *desk {
	d := &desk{tree: tree.New()}
	d.tree.SetWorkspaces([]client.Workspace{{Name: "w"}}, "")
	d.tree.Open()
	d.tree.SetConnectors("w", []client.Connector{shop}, "")
	d.tree.Fit(40, 10)
	d.tree.Reveal(shop, "", "")
	return d
}

func TestACheckMarksTheConnector(t *testing.T) {
	of := func(c client.Check) finding { return doctor.OfConnector(doctor.Subject{Connector: shop}, c) }
	for _, c := range []struct {
		found      finding
		mark, says string
		bad        bool
	}{
		{found: of(client.Check{Verdict: client.VerdictOK, Message: "2 of 2 entities can be read"}), mark: "ok",
			says: "shop: 2 of 2 entities can be read"},
		{found: of(client.Check{Verdict: client.VerdictPartly, HTTPStatus: 403, Message: "1 refused (orders)",
			Next: "Ask."}), mark: "partly", says: "shop: partly allowed: 1 refused (orders). Ask.", bad: true},
		{found: of(client.Check{Verdict: client.VerdictCredentials, HTTPStatus: 401}), mark: "401",
			says: "shop: the credentials are refused", bad: true},
		{found: of(client.Check{Verdict: client.VerdictRateLimited}), mark: "rate limited",
			says: "shop: stopped at a limit", bad: true},
		{found: doctor.Failed("connector", "shop", errors.New("broken")), mark: "failed", says: "shop: broken", bad: true},
		{found: finding{Status: doctor.Skip, Verdict: client.VerdictNotTried, Detail: "nothing"}, mark: "?",
			says: "shop: nothing"},
		{found: finding{Status: doctor.Skip, Detail: "stopped"}, says: "shop: stopped"},
	} {
		d := newDesk()
		said := (&Feature{Host: d}).tried(shop, c.found).(intent.Say)
		if said.Text != c.says || said.Bad != c.bad {
			t.Errorf("%+v says %q, bad %v", c.found, said.Text, said.Bad)
		}
		if got := d.tree.Current().Mark; got != c.mark {
			t.Errorf("%+v marks %q, want %q", c.found, got, c.mark)
		}
	}
}

func TestWhatFailedIsToldAgainAfterManyFindings(t *testing.T) {
	d := newDesk()
	x := newExamination(d.tree, nil, "Check")
	x.add(finding{Step: "connector", Subject: "shop", Status: doctor.Fail, HTTPStatus: 401, Detail: "refused",
		Next: "Sign in."})
	for i := range manyFindings {
		x.add(finding{Step: "token", Status: doctor.OK, Detail: "read " + strconv.Itoa(i)})
	}
	said := x.end(false).(intent.Say)
	if want := "check done: 1 failed, 15 ok"; said.Text != want || !said.Bad {
		t.Errorf("said %+v", said)
	}
	var lines []string
	for _, l := range x.live.Body {
		lines = append(lines, l.Text)
	}
	all := strings.Join(lines, "\n")
	if strings.Count(all, "shop: refused (HTTP 401)\nnext: Sign in.") != 2 || !strings.Contains(all, "What failed") {
		t.Errorf("the findings are\n%s", all)
	}
	if got := d.tree.Current().Mark; got != "401" {
		t.Errorf("the mark is %q", got)
	}
}

func TestNothingToCheck(t *testing.T) {
	d := newDesk()
	if why := (&Feature{Host: d}).missing(); why == "" {
		t.Error("a service that offers nothing is checked")
	}
	if in, _ := newExamination(d.tree, nil, "").end(true).(intent.Say); in.Bad || in.Text != "check stopped" {
		t.Error("nothing failed")
	}
}
