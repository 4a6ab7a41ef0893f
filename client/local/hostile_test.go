package local

import (
	"net/url"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/testdata/hostile"
)

// Whatever a param or a value of the configuration holds, the request goes to the address
// of its action: no text leads to another host or path, adds to a query, or writes a header.
func TestTextsStayWhereTheyArePut(t *testing.T) {
	cat, tried := catalog.New(), 0
	for _, about := range cat.Kinds() {
		kind, err := cat.Kind(about.Name)
		if err != nil {
			t.Fatal(err)
		}
		for e := range kind.Entities {
			for a := range kind.Entities[e].Actions {
				action := &kind.Entities[e].Actions[a]
				if action.Binding == nil {
					continue
				}
				plain, err := requestWith(cat, kind, &kind.Entities[e], action, "plain")
				if err != nil {
					continue
				}
				for _, value := range hostile.Texts {
					r, err := requestWith(cat, kind, &kind.Entities[e], action, value)
					if err != nil {
						continue // refused
					}
					tried++
					holds(t, about.Name+" "+kind.Entities[e].Name+"."+action.Name, value, plain, r)
				}
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d requests were made", tried)
	}
}

// requestWith makes the request of an action with one text in all of its params.
func requestWith(cat *catalog.Catalog, k *catalog.Kind, e *catalog.Entity, a *catalog.Action, value string) (*request, error) {
	params := &rawjson.Map{}
	for i := range a.Params {
		if strings.HasPrefix(a.Params[i].Type, "string") {
			params.Add(a.Params[i].Name, value)
		}
	}
	c := New(Config{Catalog: cat,
		Values: func(_, _, name string) (string, bool) {
			if name == "instance_url" {
				return "https://acme.test", true
			}
			return "acme", name != "base_url" && name != "region"
		}})
	p := &plan{c: c, kind: k, entity: e, action: a, bind: a.Binding, params: rawjson.Parse(params.JSON()),
		op: client.Operation{Entity: e.Name, Action: a.Name, Params: params.JSON()}}
	return p.request(&settings{p: p, a: &auth{spec: &catalog.Auth{}, method: &catalog.Method{}}})
}

func holds(t *testing.T, what, value string, plain, r *request) {
	t.Helper()
	want, err := url.Parse(plain.address(nil))
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(r.address(nil))
	if err != nil {
		t.Errorf("%s with %q: %v", what, value, err)
		return
	}
	if u.Host != want.Host || u.Scheme != want.Scheme || u.User != nil || u.Fragment != "" {
		t.Errorf("%s with %q leads to %s", what, value, u)
	}
	steps, wantSteps := strings.Split(u.EscapedPath(), "/"), strings.Split(want.EscapedPath(), "/")
	if len(steps) != len(wantSteps) {
		t.Errorf("%s with %q leads to the path %s", what, value, u.EscapedPath())
	}
	for _, s := range steps {
		if step, err := url.PathUnescape(s); err != nil || step == "." || step == ".." {
			t.Errorf("%s with %q has the step %q in its path", what, value, s)
		}
	}
	for name := range u.Query() {
		if !want.Query().Has(name) {
			t.Errorf("%s with %q has %q in its query", what, value, name)
		}
	}
	for name, lines := range r.header {
		if strings.ContainsAny(name+strings.Join(lines, ""), "\r\n\x00") {
			t.Errorf("%s with %q has the header %q: %q", what, value, name, lines)
		}
	}
}

// What the third party writes into the addresses of its pages is neither shown nor called.
func TestCredentialsInAddressesOfPagesAreHidden(t *testing.T) {
	const token = "EAAB-not-to-be-seen"
	const body = `{"data":[{"id":"1","name":"EAAB-not"}],"paging":{"cursors":{"after":"QV"},` +
		`"previous":"https://graph.facebook.com/v24.0/act_7/campaigns?access_token=` + token + `&before=b",` +
		`"next":"https://elsewhere.example/v24.0/act_7/campaigns?access_token=` + token + `&limit=25&after=c%3D"}}`
	s := always(200, nil, body)
	c := testClient(s, env("SOCIAL_ADVERTISING_ACCESS_TOKEN", token))
	got, err := execute(t, c, "social_advertising", "campaigns", "list", `{"account_id":"7"}`)
	if err != nil {
		t.Fatal(err)
	}
	if all := string(got.Body.Slice(0, got.Body.Len())); strings.Contains(all, token) ||
		!strings.Contains(all, `"EAAB-not"`) || !strings.HasSuffix(all, `&limit=25&after=c%3D"}}`) {
		t.Errorf("the body is %s", all)
	}
	a := c.cfg.Catalog
	kind, _ := a.Kind("social_advertising")
	op := client.Operation{Entity: "campaigns", Action: "list", Params: []byte(`{"account_id":"7"}`)}
	next := answer.Following(kind.Entity("campaigns").Action("list"), op, got, records.IndexEnvelope(got))
	if string(next.Op.Params) != `{"account_id":"7","after":"c="}` || strings.Contains(next.Text(), token) ||
		next.Op.NextURL != "" {
		t.Errorf("next: %+v", next)
	}
}
