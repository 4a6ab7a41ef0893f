package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/sandbox"
)

// shop is a kind of eight entities: five that can be read, one that needs a record of
// another, one that needs a person, one that is only written.
func shop() *catalog.Kind {
	list := func(required ...catalog.Field) []catalog.Action {
		size := catalog.Field{Name: "limit", Type: "integer"}
		return []catalog.Action{{Name: catalog.ActionList, Params: append(required, size), Page: &catalog.Page{Size: "limit"}}}
	}
	k := &catalog.Kind{Name: "shop"}
	for _, name := range []string{"customers", "orders", "charges", "refunds", "prices"} {
		k.Entities = append(k.Entities, catalog.Entity{Name: name, Key: "id", Actions: list()})
	}
	k.Entities = append(k.Entities,
		catalog.Entity{Name: "lines", Actions: list(catalog.Field{Name: "order_id", Type: "string", Required: true, Ref: "orders"})},
		catalog.Entity{Name: "stock", Actions: list(catalog.Field{Name: "depot", Type: "string", Required: true})},
		catalog.Entity{Name: "sends", Actions: []catalog.Action{{Name: catalog.ActionCreate}}})
	k.Entity("charges").Notes = []catalog.Note{{Text: "Needs the scope charges:read."}}
	return k
}

// shopkeeper answers the reads of a shop: a record, or what fail says.
type shopkeeper struct {
	client.Executor
	fail    func(entity string) error
	records string

	mu        sync.Mutex
	asked     []string
	busy, top atomic.Int32
	slow      time.Duration
}

func (s *shopkeeper) Execute(ctx context.Context, _ client.Target, op client.Operation) (*client.Envelope, error) {
	s.mu.Lock()
	s.asked = append(s.asked, op.Entity+" "+op.Action+" "+string(op.Params))
	s.mu.Unlock()
	if n := s.busy.Add(1); n > s.top.Load() {
		s.top.Store(n)
	}
	defer s.busy.Add(-1)
	if s.slow > 0 {
		select {
		case <-time.After(s.slow):
		case <-ctx.Done():
			return nil, &client.Error{Class: client.ClassCanceled, Message: "canceled"}
		}
	}
	if !client.HeedsLimits(ctx) {
		return nil, errors.New("the check waits for limits")
	}
	if s.fail != nil {
		if err := s.fail(op.Entity); err != nil {
			return nil, err
		}
	}
	body := s.records
	if body == "" {
		body = `[{"id":7}]`
	}
	return &client.Envelope{Body: client.Bytes(body), Records: client.Span{To: len(body)}, Status: 200}, nil
}

// failing fails the reads of some entities, of all where none is named.
func failing(class client.Class, status int, entities ...string) func(string) error {
	return func(entity string) error {
		if len(entities) > 0 && !slices.Contains(entities, entity) {
			return nil
		}
		return &client.Error{Class: class, Status: status, Layer: client.LayerThirdParty, Doing: "list " + entity,
			Message: "no " + entity, Next: "Do something."}
	}
}

func ownCheck(c client.Check, err error) func(context.Context) (client.Check, error) {
	return func(context.Context) (client.Check, error) { return c, err }
}

// outcomes are the verdicts of the entities in the order of the kind, in short.
func outcomes(c client.Check) string {
	short := map[client.Verdict]string{client.VerdictOK: "ok", client.VerdictRefused: "403", client.VerdictCredentials: "401",
		client.VerdictRateLimited: "429", client.VerdictFailing: "500", client.VerdictUnreachable: "gone", client.VerdictNotTried: "-"}
	var out []string
	for _, e := range c.Entities {
		out = append(out, short[e.Verdict])
	}
	return strings.Join(out, " ")
}

func TestVerdicts(t *testing.T) {
	expired := client.Check{Status: "failed", Message: "The credentials have expired."}
	for _, e := range shop().Entities {
		expired.Entities = append(expired.Entities, client.EntityCheck{Entity: e.Name, Status: "failed", HTTPStatus: 401,
			Message: "Expired.", Next: "Renew them."})
	}
	ok := client.Check{Status: "succeeded"}
	for name, tt := range map[string]struct {
		own      func(context.Context) (client.Check, error)
		fail     func(string) error
		records  string
		verdict  client.Verdict
		class    client.Class
		entities string
		says     string
	}{
		"all is allowed": {own: ownCheck(ok, nil), verdict: client.VerdictOK, entities: "ok ok ok ok ok ok - -",
			says: "6 of 8 entities can be read, 2 not tried"},
		"no check of its own": {own: ownCheck(client.Check{}, failing("", 404)("")), verdict: client.VerdictOK,
			entities: "ok ok ok ok ok ok - -", says: "6 of 8 entities can be read, 2 not tried"},
		"no record of a parent": {records: "[]", verdict: client.VerdictOK, entities: "ok ok ok ok ok - - -",
			says: "5 of 8 entities can be read, 3 not tried"},
		"a scope is missing": {own: ownCheck(ok, nil), fail: failing(client.ClassScope, 403, "charges"),
			verdict: client.VerdictPartly, class: client.ClassScope, entities: "ok ok 403 ok ok ok - -",
			says: "5 of 8 entities can be read, 1 refused (charges), 2 not tried"},
		"a parent is refused": {fail: failing(client.ClassScope, 403, "orders"), verdict: client.VerdictPartly,
			class: client.ClassScope, entities: "ok 403 ok ok ok - - -",
			says: "4 of 8 entities can be read, 1 refused (orders), 3 not tried"},
		"nothing is allowed": {fail: failing(client.ClassScope, 403), verdict: client.VerdictRefused,
			class: client.ClassScope, entities: "403 403 403 403 403 - - -", says: "5 of 8 entities refused, 3 not tried"},
		"expired, as the service knows": {own: ownCheck(expired, nil), fail: failing(client.ClassAuth, 401),
			verdict: client.VerdictCredentials, class: client.ClassAuth, entities: "401 401 401 401 401 401 401 401",
			says: "The credentials have expired. 8 of 8 entities refuse the credentials"},
		"wrong credentials": {fail: failing(client.ClassAuth, 401), verdict: client.VerdictCredentials,
			class: client.ClassAuth},
		"one refuses the credentials": {fail: failing(client.ClassAuth, 401, "prices"), verdict: client.VerdictPartly,
			class: client.ClassAuth, entities: "ok ok ok ok 401 ok - -"},
		"a limit": {fail: failing(client.ClassRateLimited, 429), verdict: client.VerdictRateLimited,
			class: client.ClassRateLimited},
		"one fails": {fail: failing(client.ClassUpstream, 500, "refunds"), verdict: client.VerdictFailing,
			class: client.ClassUpstream, entities: "ok ok ok 500 ok ok - -",
			says: "5 of 8 entities can be read, 1 failing (refunds), 2 not tried"},
		"a read that is wrong is no fault of the person": {fail: failing(client.ClassInvalid, 400, "refunds"),
			verdict: client.VerdictFailing, class: client.ClassUpstream, entities: "ok ok ok 500 ok ok - -"},
		"a failure and a missing scope": {fail: func(entity string) error {
			return map[string]error{"refunds": failing(client.ClassUpstream, 500)(""), "charges": failing(client.ClassScope, 403)("")}[entity]
		}, verdict: client.VerdictPartly, class: client.ClassScope, entities: "ok ok 403 500 ok ok - -",
			says: "4 of 8 entities can be read, 1 refused (charges), 1 failing (refunds), 2 not tried"},
		"nobody is reached": {fail: failing(client.ClassNetwork, 0), verdict: client.VerdictUnreachable,
			class: client.ClassNetwork},
		"the service's own check is not let through": {own: ownCheck(client.Check{}, &client.Error{Class: client.ClassAuth,
			Status: 401, Layer: client.LayerHosted, Message: "the token was not accepted"}), verdict: client.VerdictCredentials,
			class: client.ClassAuth, entities: "- - - - - - - -", says: "the token was not accepted. 8 of 8 entities not tried"},
		"the service's own check fails alone": {own: ownCheck(client.Check{Status: "failed", Message: "No."}, nil),
			verdict: client.VerdictFailing, class: client.ClassUpstream, entities: "ok ok ok ok ok ok - -",
			says: "6 of 8 entities can be read, 2 not tried. The service's own check failed: No."},
	} {
		reads := &shopkeeper{fail: tt.fail, records: tt.records}
		s := doctor.Subject{Connector: client.Connector{Name: "mine"}, Kind: shop(), Reads: reads, Own: tt.own, Now: time.Now}
		c := s.Check(t.Context(), nil)
		if c.Verdict != tt.verdict || c.Class != tt.class || tt.entities != "" && outcomes(c) != tt.entities ||
			tt.says != "" && c.Message != tt.says || len(c.Entities) != 8 {
			t.Errorf("%s: %s, class %q, %s, %q", name, c.Verdict, c.Class, outcomes(c), c.Message)
		}
		if stops := tt.verdict == client.VerdictRateLimited || tt.verdict == client.VerdictUnreachable; stops && len(reads.asked) > 4 {
			t.Errorf("%s: it goes on: %q", name, reads.asked)
		}
	}
}

func TestReadsOfACheck(t *testing.T) {
	reads := &shopkeeper{}
	c := doctor.Subject{Kind: shop(), Reads: reads, Now: time.Now}.Check(t.Context(), nil)
	slices.Sort(reads.asked)
	want := `charges list {"limit":1}|customers list {"limit":1}|lines list {"order_id":"7","limit":1}|` +
		`orders list {"limit":1}|prices list {"limit":1}|refunds list {"limit":1}`
	if got := strings.Join(reads.asked, "|"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if c.Entities[6].Message != "not tried: needs depot" || c.Entities[7].Message != "not tried: no action lists or gets it" {
		t.Errorf("%+v", c.Entities[6:])
	}
	c = doctor.Subject{Kind: shop(), Reads: &shopkeeper{records: "[]"}, Now: time.Now}.Check(t.Context(), nil)
	if c.Entities[5].Message != "not tried: needs order_id, and orders holds no record" {
		t.Errorf("%+v", c.Entities[5])
	}
	c = doctor.Subject{Kind: shop(), Reads: &shopkeeper{fail: failing(client.ClassScope, 403, "charges", "orders")}, Now: time.Now}.
		Check(t.Context(), nil)
	if c.Entities[5].Message != "not tried: needs order_id of orders, which cannot be read" ||
		c.Entities[2].Next != "Needs the scope charges:read." {
		t.Errorf("%+v", c.Entities)
	}
}

func TestRefusedCredentialsAreNotTriedOften(t *testing.T) {
	k := shop()
	for i := range 20 {
		k.Entities = append(k.Entities, catalog.Entity{Name: fmt.Sprint("more", i), Actions: k.Entities[0].Actions})
	}
	reads := &shopkeeper{fail: failing(client.ClassAuth, 401)}
	c := doctor.Subject{Kind: k, Reads: reads, Now: time.Now}.Check(t.Context(), nil)
	if n := len(reads.asked); n < 4 || n > 7 || c.Verdict != client.VerdictCredentials || len(c.Entities) != 28 {
		t.Errorf("%d reads, %s, %s", n, c.Verdict, outcomes(c))
	}
}

func TestACheckIsPoliteAndCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := &shopkeeper{slow: time.Second}
		var told []string
		s := doctor.Subject{Kind: shop(), Reads: reads, Now: time.Now}
		s.Check(t.Context(), func(e client.EntityCheck, of int) { told = append(told, fmt.Sprint(e.Verdict, of)) })
		if reads.top.Load() != 4 || len(told) != 8 || told[0] != "ok8" {
			t.Errorf("%d at once, %v", reads.top.Load(), told)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		c := s.Check(ctx, nil)
		if c.Verdict != client.VerdictCanceled || outcomes(c) != "ok ok ok ok - - - -" || c.Status != "cancelled" {
			t.Errorf("%+v", c)
		}
	})
}

func TestEntitiesThatSayTheSameAreOneLine(t *testing.T) {
	var r doctor.Report
	check := func(fail func(string) error) string {
		r = doctor.Report{}
		s := doctor.Subject{Connector: client.Connector{Name: "mine"}, Kind: shop(), Reads: &shopkeeper{fail: fail}, Now: time.Now}
		doctor.Connector(t.Context(), s, r.Add)
		var lines []string
		for _, f := range r.Lines() {
			lines = append(lines, string(f.Status)+" "+f.Subject+": "+f.Detail)
		}
		return strings.Join(lines, "\n")
	}
	got := check(failing(client.ClassScope, 403, "refunds", "prices"))
	want := `failed mine: partly allowed: 4 of 8 entities can be read, 2 refused (refunds, prices), 2 not tried
failed mine/refunds, prices (2): no …
ok mine/customers, orders, charges, lines (4): can be read
skipped mine/stock: not tried: needs depot
skipped mine/sends: not tried: no action lists or gets it`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if n := len(r.Findings()); n != 9 {
		t.Errorf("%d findings", n)
	}
	if got = check(failing(client.ClassAuth, 401)); strings.Contains(got, "\n") || !strings.Contains(got, " of 8 entities refuse") {
		t.Errorf("refused credentials are told as\n%s", got)
	}
	if got = check(nil); !strings.Contains(got, "mine/customers, orders, charges and 3 more (6): can be read") {
		t.Errorf("many are told as\n%s", got)
	}
}

func TestTheWorstFailureDecides(t *testing.T) {
	var r doctor.Report
	if r.Worst() != nil {
		t.Error("nothing failed")
	}
	r.Add(doctor.Finding{Status: doctor.Fail, Subject: "a", Class: client.ClassNetwork})
	r.Add(doctor.Finding{Status: doctor.Fail, Subject: "b", Class: client.ClassUpstream})
	if r.Worst().Subject != "a" {
		t.Errorf("%+v", r.Worst())
	}
	r.Add(doctor.Finding{Status: doctor.Fail, Subject: "c", Class: client.ClassScope})
	if r.Worst().Subject != "c" {
		t.Errorf("%+v", r.Worst())
	}
}

func TestProbesAreCheapReads(t *testing.T) {
	one := 1.0
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	k := &catalog.Kind{}
	probe := func(actions ...catalog.Action) (client.Operation, bool) {
		p := (&doctor.Prober{Kind: k, Now: noon}).Of(&catalog.Entity{Name: "e", Actions: actions})
		return p.Op, p.Ready()
	}
	list := catalog.Action{Name: "list", Params: []catalog.Field{{Name: "limit", Type: "integer", Min: &one}}, Page: &catalog.Page{Size: "limit"}}
	get := catalog.Action{Name: "get", Params: []catalog.Field{{Name: "id", Required: true}}}
	op, ok := probe(get, list)
	if !ok || op.Action != "list" || string(op.Params) != `{"limit":1}` {
		t.Errorf("%+v %v", op, ok)
	}
	if _, ok = probe(catalog.Action{Name: "list", Params: []catalog.Field{{Name: "owner", Required: true}}}); ok {
		t.Error("a list that needs params is no probe")
	}
	for _, rule := range []catalog.Rule{{Rule: "at_least_one", Params: []string{"limit", "team"}}, {Rule: "required_unless", Params: []string{"team", "limit"}}} {
		if _, ok = probe(catalog.Action{Name: "list", Rules: []catalog.Rule{rule}}); ok {
			t.Errorf("%s is broken", rule.Rule)
		}
		bounded := list
		bounded.Rules = []catalog.Rule{rule}
		if _, ok = probe(bounded); !ok {
			t.Errorf("%s is kept", rule.Rule)
		}
	}
	reads := true
	marked := catalog.Action{Name: "whoami", Reads: &reads, Binding: &catalog.Binding{Probe: true, ProbeParams: []byte(`{"since":"now-P2D as RFC3339","till":"now as YYYYMMDD"}`)}}
	if op, ok = probe(list, marked); !ok || string(op.Params) != `{"since":"2026-03-02T12:00:00Z","till":"20260304"}` {
		t.Errorf("%+v", op)
	}
	marked.Reads = nil
	list.Destructive = true
	if op, ok = probe(list, marked); ok {
		t.Errorf("what is not known to read is sent as a probe: %+v", op)
	}
}

// TestEveryKindIsAllowedInTheSandbox reads every entity that can be read.
func TestEveryKindIsAllowedInTheSandbox(t *testing.T) {
	cat := catalog.New()
	c := serviceWith(cat, nil)
	all, err := c.Connectors(t.Context(), "demo")
	if err != nil || len(all) < 20 {
		t.Fatalf("%d connectors, %v", len(all), err)
	}
	read := 0
	for _, one := range all {
		k, _ := cat.Kind(one.Kind)
		check := doctor.OfService(c, c, k, one).Check(t.Context(), nil)
		for _, e := range check.Entities {
			switch {
			case e.Verdict == client.VerdictOK:
				read++
			case e.Verdict != client.VerdictNotTried, strings.Contains(e.Message, "required"):
				t.Errorf("%s %s: %s %s", one.Name, e.Entity, e.Verdict, e.Message)
			}
		}
	}
	if read < 175 {
		t.Errorf("only %d entities are read", read)
	}
}

func TestAMissingScopeInTheSandbox(t *testing.T) {
	cat := catalog.New()
	c := serviceWith(cat, []sandbox.Fault{{Name: sandbox.FaultMissingScope, Arg: "invoices"}})
	all, err := c.Connectors(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	one := all[slices.IndexFunc(all, func(c client.Connector) bool { return c.Kind == "payments" })]
	k, _ := cat.Kind(one.Kind)
	check := doctor.OfService(c, c, k, one).Check(t.Context(), nil)
	if check.Verdict != client.VerdictPartly || !strings.Contains(check.Message, "1 refused (invoices)") {
		t.Errorf("%+v", check)
	}
}
