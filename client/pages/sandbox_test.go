package pages_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/pages"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// service is the sandbox behind the hosted client.
type service struct {
	*hosted.Client
	catalog *catalog.Catalog
	targets map[string]client.Target
}

func newService(t *testing.T, faults ...sandbox.Fault) *service {
	t.Helper()
	known := catalog.New()
	s := sandbox.New(sandbox.Options{Catalog: known, Records: 40, Faults: faults, Now: func() time.Time { return time.Unix(1_700_000_000, 0) }})
	c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), Catalog: known,
		Transport: transport.New(transport.Options{Base: s.RoundTripper()})})
	list, err := c.Connectors(context.Background(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	out := &service{c, known, map[string]client.Target{}}
	for _, connector := range list {
		out.targets[connector.Kind] = connector.Target("")
	}
	return out
}

func (s *service) fetch(kind string, e *catalog.Entity, a *catalog.Action, params string, limits pages.Limits) (*pages.Ledger, pages.Outcome, error) {
	l := pages.NewLedger(e, a)
	f := &pages.Fetcher{Ask: pages.AskOf(s.Client, s.targets[kind]), Ledger: l,
		Start: client.Operation{Entity: e.Name, Action: a.Name, Params: json.RawMessage(params)}}
	out, err := f.Fetch(context.Background(), limits)
	return l, out, err
}

func askable(a *catalog.Action) bool {
	for i := range a.Params {
		if a.Params[i].Required && !a.Params[i].Injected {
			return false
		}
	}
	return len(a.Rules) == 0
}

// The sandbox is a sound server in every kind: no verdict on any list or
// search, and no record twice.
func TestSandboxIsSound(t *testing.T) {
	s := newService(t)
	followed := 0
	for _, known := range s.catalog.Kinds() {
		k, err := s.catalog.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			e := &k.Entities[i]
			for j := range e.Actions {
				a := &e.Actions[j]
				params := `{}`
				switch {
				case a.Name == catalog.ActionContextStoreSearch:
					params = `{"query":{},"limit":15}`
				case a.Name != catalog.ActionList || !askable(a):
					continue
				}
				l, out, err := s.fetch(k.Name, e, a, params, pages.Limits{Pages: 5})
				if err != nil {
					if l.Len() > 0 {
						t.Errorf("%s %s %s: page %d: %v", k.Name, e.Name, a.Name, l.Len()+1, err)
					}
					continue
				}
				if l.Len() > 1 {
					followed++
				}
				for _, v := range l.Verdicts() {
					if v.Name != pages.NoPagesPossible {
						t.Errorf("%s %s %s: false alarm: %s", k.Name, e.Name, a.Name, v.Text)
					}
				}
				if out.Stop == pages.StopVerdict || l.Totals().Repeated > 0 {
					t.Errorf("%s %s %s: %+v, %+v", k.Name, e.Name, a.Name, out, l.Totals())
				}
			}
		}
	}
	if followed < 20 {
		t.Errorf("only %d actions had a second page", followed)
	}
}

// Each fault of the sandbox's paging is told by its name.
func TestSandboxFaults(t *testing.T) {
	for fault, want := range map[string]pages.Name{
		sandbox.FaultOverlap: pages.Overlap, sandbox.FaultIgnoreLimit: pages.LimitIgnored, sandbox.FaultNoCursor: pages.FlagNoCursor, sandbox.FaultRepeat: pages.CursorStuck,
	} {
		s := newService(t, sandbox.Fault{Name: fault})
		kind, entity, params := "usage_billing", "customers", `{"limit":10}`
		if fault == sandbox.FaultNoCursor {
			// Here a flag beside the cursor says whether there is more.
			kind, entity, params = "notes_workspace", "users", `{"page_size":10}`
		}
		_, e, a, err := s.catalog.Resolve(kind, entity, catalog.ActionList)
		if err != nil {
			t.Fatal(err)
		}
		l, _, err := s.fetch(kind, e, a, params, pages.Limits{Pages: 6})
		if err != nil {
			t.Fatalf("%s: %v", fault, err)
		}
		var got []string
		for _, v := range l.Verdicts() {
			got = append(got, string(v.Name))
		}
		if !strings.Contains(strings.Join(got, ", "), string(want)) {
			t.Errorf("%s: verdicts %v, want %s", fault, got, want)
		}
	}
}
