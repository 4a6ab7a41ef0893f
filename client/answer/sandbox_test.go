package answer_test

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/doctor"
	"patchbay/client/hosted"
	"patchbay/client/rawjson"
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
	s := sandbox.New(sandbox.Options{Catalog: known, Records: 40, Faults: faults,
		Now: func() time.Time { return time.Unix(1_700_000_000, 0) }})
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

func (s *service) fetch(kind string, e *catalog.Entity, a *catalog.Action, params string,
	limits answer.Limits) (*answer.Run, answer.Outcome, error) {
	l := answer.NewRun(e, a)
	f := &answer.Fetcher{Ask: answer.AskOf(s.Client, s.targets[kind]), Run: l,
		Start: client.Operation{Entity: e.Name, Action: a.Name, Params: json.RawMessage(params)}}
	out, err := f.Fetch(context.Background(), limits)
	return l, out, err
}

// smallPage is a page size that gives most lists several pages.
const smallPage = 7

// question fills the params of a list or api_search: those of the catalog's
// probe, a small page, and ids of records that there are. ok is false where
// only a person knows what to ask.
func (s *service) question(kind string, e *catalog.Entity, a *catalog.Action) (params string, ok bool) {
	given := map[string]any{}
	k, _ := s.catalog.Kind(kind)
	probe := (&doctor.Prober{Kind: k, Now: time.Unix(1_700_000_000, 0)}).Of(e)
	if op := probe.Op; probe.Ready() && op.Action == a.Name {
		if err := json.Unmarshal(op.Params, &given); err != nil && len(op.Params) > 0 {
			return "", false
		}
	}
	if a.Page != nil && a.Page.Size != "" {
		size := smallPage
		if f := a.Param(a.Page.Size); f != nil && f.Min != nil {
			size = max(size, int(*f.Min))
		}
		given[a.Page.Size] = size
	}
	var either string // the first of those of which one must be given
	for _, r := range a.Rules {
		if r.Rule == "at_least_one" && r.In == "" {
			either = r.Params[0]
		}
	}
	for i := range a.Params {
		f := &a.Params[i]
		if _, there := given[f.Name]; there || !f.Required && f.Name != either || f.Injected {
			continue
		}
		v, known := s.answerFor(kind, f)
		if !known {
			return "", false
		}
		given[f.Name] = v
	}
	b, err := json.Marshal(given)
	return string(b), err == nil
}

// asked are values for params that take a text of a person.
var asked = map[string]string{"payments.query": "created>1", "query": "bauer", "q": "FIND {bauer} IN ALL FIELDS",
	"path": "docs", "owner": "acme", "repo": "web", "username": "ada-0", "org": "acme", "organization_slug": "acme",
	"start": "2023-01-01", "end": "2023-12-31", "from": "2023-01-01", "to": "2023-12-31",
	"fromDate": "2023-01-01", "toDate": "2030-01-01"}

// answerFor is a value that a required param takes: of a record that it refers
// to, or the first of its documented values.
func (s *service) answerFor(kind string, f *catalog.Field) (json.RawMessage, bool) {
	entity, field, _ := strings.Cut(f.Ref, ".")
	_, e, a, err := s.catalog.Resolve(kind, entity, catalog.ActionContextStoreSearch)
	params := `{"query":{}}`
	if a == nil {
		_, e, a, err = s.catalog.Resolve(kind, entity, catalog.ActionList)
		params = `{}`
	}
	if err != nil || e == nil || a == nil {
		if text := cmp.Or(asked[kind+"."+f.Name], asked[f.Name]); text != "" {
			return rawjson.AppendQuoted(nil, text), true
		}
		if len(f.Enum) > 0 {
			return f.Enum[0], true
		}
		return s.objectFor(kind, f)
	}
	l, _, err := s.fetch(kind, e, a, params, answer.Limits{Pages: 1})
	if err != nil || l.Totals().Rows == 0 {
		return nil, false
	}
	if field == "" {
		field = e.Key
	}
	path, err := rawjson.ParsePath(field)
	if err != nil {
		return nil, false
	}
	v, ok := l.Pages()[0].Index.Record(0).Lookup(path)
	if !ok {
		return nil, false
	}
	raw := v.Raw()
	if v.Kind() == rawjson.Number && f.Accepts("string") && !f.Accepts("integer") {
		raw = rawjson.AppendQuoted(nil, v.Text())
	}
	return raw, true
}

// objectFor is an object with the members that it must have, where there are such.
func (s *service) objectFor(kind string, f *catalog.Field) (json.RawMessage, bool) {
	out := map[string]json.RawMessage{}
	for i := range f.Members {
		if m := &f.Members[i]; m.Required {
			v, ok := s.answerFor(kind, m)
			if !ok {
				return nil, false
			}
			out[m.Name] = v
		}
	}
	b, err := json.Marshal(out)
	return b, err == nil && len(out) > 0
}

// The sandbox is a sound server in every kind: no verdict on any list or
// search over all its pages, and no record twice.
func TestSandboxIsSound(t *testing.T) {
	s := newService(t)
	followed, unasked := 0, []string{}
	for _, known := range s.catalog.Kinds() {
		k, err := s.catalog.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			for j := range k.Entities[i].Actions {
				e, a := &k.Entities[i], &k.Entities[i].Actions[j]
				params, ok := `{"query":{},"limit":15}`, true
				switch a.Name {
				case catalog.ActionContextStoreSearch:
				case catalog.ActionList, catalog.ActionAPISearch:
					params, ok = s.question(k.Name, e, a)
				default:
					continue
				}
				name := k.Name + " " + e.Name + " " + a.Name
				if !ok {
					unasked = append(unasked, name)
					continue
				}
				n := s.walk(t, name, k.Name, e, a, params)
				if n > 1 {
					followed++
				} else if n == 0 {
					unasked = append(unasked, name+" "+params)
				}
			}
		}
	}
	if followed < 250 || len(unasked) > 10 {
		t.Errorf("only %d actions had a second page; %d could not be asked: %s", followed, len(unasked),
			strings.Join(unasked, ", "))
	}
}

// walk fetches all pages and fails on any verdict; it returns how many pages came.
func (s *service) walk(t *testing.T, name, kind string, e *catalog.Entity, a *catalog.Action, params string) int {
	l, out, err := s.fetch(kind, e, a, params, answer.Limits{})
	if err != nil {
		if l.Len() > 0 {
			t.Errorf("%s: page %d: %v", name, l.Len()+1, err)
		}
		return l.Len()
	}
	stop := answer.StopEnd
	for _, v := range l.Verdicts() {
		if v.Name == answer.NoPagesPossible && a.NextIsLost() {
			stop = answer.StopUnknown
			continue
		}
		t.Errorf("%s %s: false alarm: %s", name, params, v.Text)
	}
	if (stop == answer.StopEnd) != out.Complete() || l.Totals().Repeated > 0 {
		t.Errorf("%s %s: %+v, %+v", name, params, out, l.Totals())
	}
	return l.Len()
}

// Every verdict is seen on a fault of the sandbox, by its name, and where it
// says that continuing is pointless the fetching ends by itself.
func TestSandboxFaults(t *testing.T) {
	for _, c := range []struct {
		fault, kind, entity, action, params string
		want                                answer.Name
		stop                                answer.Stop
	}{
		{sandbox.FaultRepeat, "notes_workspace", "users", "list", `{"page_size":10}`, answer.CursorStuck,
			answer.StopVerdict},
		{sandbox.FaultLoop, "notes_workspace", "users", "list", `{"page_size":10}`, answer.Loop, answer.StopVerdict},
		{sandbox.FaultOverlap, "notes_workspace", "users", "list", `{"page_size":10}`, answer.Overlap, answer.StopEnd},
		{sandbox.FaultIgnoreLimit, "usage_billing", "customers", "list", `{"limit":10}`, answer.LimitIgnored,
			answer.StopEnd},
		{sandbox.FaultShort, "notes_workspace", "users", "list", `{"page_size":10}`, answer.ShortButMore,
			answer.StopEnd},
		{sandbox.FaultNoCursor, "notes_workspace", "users", "list", `{"page_size":10}`, answer.FlagNoCursor,
			answer.StopUnknown},
		{sandbox.FaultNoFlag, "notes_workspace", "users", "list", `{"page_size":10}`, answer.CursorNoFlag,
			answer.StopEnd},
		{sandbox.FaultEmpty, "notes_workspace", "users", "list", `{"page_size":10}`, answer.EmptyInMiddle,
			answer.StopEnd},
		{sandbox.FaultOrder, "notes_workspace", "pages", "list", `{"page_size":10}`, answer.OrderChanged,
			answer.StopLimit},
		{sandbox.FaultOrder, "usage_billing", "customers", "list", `{"limit":10}`, answer.OrderChanged,
			answer.StopLimit},
		{sandbox.FaultRepeat, "payments", "customers", "context_store_search", `{"query":{},"limit":10}`,
			answer.CursorStuck, answer.StopVerdict},
		{sandbox.FaultLoop, "payments", "customers", "context_store_search", `{"query":{},"limit":10}`, answer.Loop,
			answer.StopVerdict},
		{sandbox.FaultOverlap, "payments", "customers", "context_store_search", `{"query":{},"limit":10}`,
			answer.Overlap, answer.StopLimit},
		{sandbox.FaultIgnoreLimit, "payments", "customers", "context_store_search", `{"query":{},"limit":10}`,
			answer.LimitIgnored, answer.StopEnd},
		{sandbox.FaultShort, "payments", "customers", "context_store_search", `{"query":{},"limit":10}`,
			answer.ShortButMore, answer.StopLimit},
		{sandbox.FaultNoCursor, "payments", "customers", "context_store_search", `{"query":{},"limit":10}`,
			answer.FlagNoCursor, answer.StopUnknown},
		{sandbox.FaultNoFlag, "payments", "customers", "context_store_search", `{"query":{},"limit":10}`,
			answer.CursorNoFlag, answer.StopEnd},
		{sandbox.FaultEmpty, "payments", "customers", "context_store_search", `{"query":{},"limit":10}`,
			answer.EmptyInMiddle, answer.StopLimit},
		{sandbox.FaultOrder, "payments", "customers", "context_store_search",
			`{"query":{},"limit":10,"sort":[{"created":"desc"}]}`, answer.OrderChanged, answer.StopLimit},
		{sandbox.FaultRepeat, "recruiting", "candidates", "list", `{"per_page":10}`, answer.CursorStuck,
			answer.StopVerdict},
		{sandbox.FaultLoop, "recruiting", "candidates", "list", `{"per_page":10}`, answer.Loop, answer.StopVerdict},
		{sandbox.FaultRepeat, "team_wiki", "groups", "list", `{"limit":2}`, answer.CursorStuck, answer.StopVerdict},
		{sandbox.FaultEmpty, "payments", "customers", "list", `{"limit":10}`, answer.EmptyInMiddle, answer.StopUnknown},
		{sandbox.FaultNoCursor, "payments", "customers", "api_search", `{"query":"name~\"bauer\"","limit":2}`,
			answer.NoPagesPossible, answer.StopUnknown},
	} {
		t.Run(c.kind+" "+c.action+" "+string(c.want), func(t *testing.T) {
			s := newService(t, sandbox.Fault{Name: c.fault})
			_, e, a, err := s.catalog.Resolve(c.kind, c.entity, c.action)
			if err != nil {
				t.Fatal(err)
			}
			l, out, err := s.fetch(c.kind, e, a, c.params, answer.Limits{Pages: 12})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range l.Verdicts() {
				got = append(got, string(v.Name)+": "+v.Text)
			}
			if !strings.Contains(strings.Join(got, "\n"), string(c.want)) {
				t.Errorf("verdicts %q, want %s", got, c.want)
			}
			if len(got) == 0 || out.Stop != c.stop {
				t.Errorf("stopped with %d (%s) after %d pages, want %d; %q", out.Stop, out.Why, out.Pages, c.stop, got)
			}
		})
	}
}
