package ui

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/session"
	small "patchbay/testdata/catalog"
	"patchbay/ui/intent"
)

// strange is a start on a sandbox with connectors of types that the catalog does not
// know. watch wraps what makes the exchanges; nil for none.
func strange(t *testing.T, w, h int, watch func(http.RoundTripper) http.RoundTripper) *player {
	t.Helper()
	known := small.Catalog()
	o := &session.Opener{Env: map[string]string{}, FoldersErr: context.Canceled, Redactor: &secret.Redactor{}, Now: now,
		Settings: func() (*profile.Settings, error) { return &profile.Settings{}, nil },
		Kinds:    func() *catalog.Catalog { return known },
		Watch: func(rt http.RoundTripper) (http.RoundTripper, error) {
			if watch != nil {
				rt = watch(rt)
			}
			return rt, nil
		},
		World: func() *sandbox.Service {
			return sandbox.New(sandbox.Options{Catalog: known, Strangers: catalog.Strangers(), Now: now})
		}}
	s, err := o.Open(context.Background(), session.SandboxName)
	if err != nil {
		t.Fatal(err)
	}
	p := play(t, Deps{Catalog: known, Session: Session{Name: s.Name, BaseURL: s.ServiceURL(), Sandbox: true, Service: s,
		Platform: s.Hosted, Examine: s.Examine}}, w, h)
	p.keys("1", "G", "enter", "j") // on the first connector of the workspace unknown
	return p
}

// stranger puts the cursor on the connector of a name in the workspace unknown.
func (p *player) stranger(name string) {
	p.t.Helper()
	for range 20 {
		if n := p.m.tree.Current(); n.Connector.Name == name && n.Entity == "" {
			return
		}
		p.keys("j")
	}
	p.t.Fatalf("no connector %s:\n%s", name, p.screen())
}

// counted presses keys and counts them.
func (p *player) counted(n *int, names ...string) {
	*n += len(names)
	p.keys(names...)
}

// From the tree to a run, and to a search that is built, a connector of an unknown
// type needs ten keys at most, whatever it tells of itself.
func TestUnknownTypesAreExploredInTenKeys(t *testing.T) {
	for name, entity := range map[string]string{"harbor_desk": "vessels", "field_log": "samples", "bare_box": "parcels"} {
		for _, size := range [][2]int{{80, 24}, {120, 36}} {
			p := strange(t, size[0], size[1], nil)
			p.stranger(name)
			n := 0
			p.counted(&n, "enter", "j", "enter", "j", "enter", "r")
			p.wants(entity+" / list", "rows")
			if page := p.m.res.Page(); n > 10 || page == nil || page.Len() == 0 || page.Next.State != answer.More {
				t.Errorf("%s: %d keys, page %+v", name, n, page)
			}
			p.keys(".")
			p.wants("page 2")
		}
		p := strange(t, 120, 36, nil)
		p.stranger(name)
		n := 0
		p.counted(&n, "enter", "j", "enter")
		for p.m.tree.Current().Action != catalog.ActionContextStoreSearch {
			p.counted(&n, "j")
		}
		p.counted(&n, "enter", "r")
		if p.wants(entity+" / context_store_search", "rows"); n > 10 {
			t.Errorf("%s: %d keys to a search", name, n)
		}
	}
}

// An action whose params nobody described takes rows of any name, and JSON; one of
// unknown nature asks before it is sent.
func TestUndescribedParamsAreRowsOfAnyName(t *testing.T) {
	p := strange(t, 120, 36, nil)
	p.stranger("bare_box")
	p.keys("enter", "j", "enter", "j", "enter", "2", "enter")
	p.typed("limit")
	p.keys("enter")
	p.typed("3")
	p.keys("enter")
	p.wants("limit", "number")
	if got := string(p.m.req.Params()); got != `{"limit":3}` {
		t.Errorf("params are %s", got)
	}
	p.keys("r")
	p.wants("3 rows")
	p.keys("d")
	p.wants("The params are not described", "described by the service")
	p.keys("esc", "1", "j", "j", "enter", "r")
	p.wants("This changes data", "Seal parcels")
}

// R asks for the description again, and what was known stays where none comes.
func TestReloadAsksForTheDescriptionAgain(t *testing.T) {
	describes, broken := 0, false
	p := strange(t, 120, 36, func(rt http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/execute") {
				if describes++; broken {
					return reply(r, 400, "application/json", `{"message":"not today"}`), nil
				}
			}
			return rt.RoundTrip(r)
		})
	})
	p.stranger("bare_box")
	p.keys("enter")
	p.wants("2 described", "parcels")
	p.keys("enter", "enter")
	if describes != 1 {
		t.Errorf("%d descriptions were asked for", describes)
	}
	p.keys("R")
	if p.wants("described anew", "parcels"); describes != 2 {
		t.Errorf("%d descriptions were asked for", describes)
	}
	broken = true
	p.keys("R")
	p.wants("not today", "parcels")
}

// Hostile names and texts of a description reach the screen as visible symbols.
func TestHostileDescription(t *testing.T) {
	evil := `{"status":"success","result":{"entities":[{"name":"a\u001b[2Jb","description":"\u202eturned",
		"actions":[{"name":"list","description":"\u0007","parameters":{"type":"object","properties":{"p\u001b]0;x\u0007":{"type":"wild\u001b"}}}}]}]}}`
	p := strange(t, 120, 36, func(rt http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/execute") {
				return reply(r, 200, "application/json", evil), nil
			}
			return rt.RoundTrip(r)
		})
	})
	p.stranger("harbor_desk")
	p.keys("enter", "j", "enter", "j", "enter")
	for range 2 {
		s := p.m.View().Content
		for _, bad := range []string{"\x1b[2J", "\x1b]0", "\a", "\u202e"} {
			if strings.Contains(s, bad) {
				t.Errorf("%q reaches the screen:\n%s", bad, p.screen())
			}
		}
		p.keys("d")
	}
	if p.m.arr.focus != intent.Request {
		t.Error("the form is not open")
	}
}

// Where a service describes nothing, the tree says so and what can be done.
func TestUndescribedConnector(t *testing.T) {
	p := strange(t, 120, 36, func(rt http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/execute") || strings.HasSuffix(r.URL.Path, "/inspect") {
				return reply(r, 404, "application/json", `{"message":"no such thing"}`), nil
			}
			return rt.RoundTrip(r)
		})
	})
	p.stranger("harbor_desk")
	p.keys("enter")
	p.wants("no such thing")
}

// Records that nobody documented are learned from answers: who opens the action again
// finds their fields.
func TestAnswersTeach(t *testing.T) {
	p := strange(t, 120, 36, nil)
	p.stranger("bare_box")
	p.keys("enter", "j", "enter", "j", "enter", "r", "1", "j", "enter", "1", "k", "enter", "d")
	p.wants("Its fields were seen in 20 records", "seen in answers")
}

// C lists what the service describes differently from the catalog, and marks it in the tree.
func TestCheckListsDifferences(t *testing.T) {
	p := strange(t, 120, 36, func(rt http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/execute") {
				return reply(r, 200, "application/json", `{"status":"success","result":{"entities":[{"name":"customers","actions":["list","merge"]},{"name":"robots"}]}}`), nil
			}
			return rt.RoundTrip(r)
		})
	})
	p.keys("g", "enter")
	p.stranger("payments")
	p.keys("C")
	p.wants("customers merge: only the service names it")
	for range 60 {
		p.keys("j")
	}
	p.keys("esc")
	p.wants("differ")
}
