package local

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

func FuzzLinks(f *testing.F) {
	f.Add(`<https://a.example/x?y=1,2>; rel="next prev"; results="true", <b>; rel=last`)
	f.Add(`<`)
	f.Add(`<a>;rel=;=;"`)
	f.Fuzz(func(t *testing.T, line string) {
		for rel, l := range readLinks(http.Header{"Link": {line}}) {
			if !strings.Contains(line, "<"+l.address+">") || strings.ContainsAny(rel, " \t") {
				t.Errorf("%q: %q at %q", line, rel, l.address)
			}
		}
	})
}

// FuzzHost holds that no configuration value moves credentials to another host
// than the template's, unless it is a whole address.
func FuzzHost(f *testing.F) {
	kind, err := catalog.New().Kind("issue_tracker")
	if err != nil {
		f.Fatal(err)
	}
	for _, v := range []string{"acme", "acme.atlassian.net", "a/b", "a@b", "a\\b", "a?b", "a%2fb", "a.evil.example/"} {
		f.Add(v)
	}
	action := kind.Entity("users").Action("list")
	f.Fuzz(func(t *testing.T, value string) {
		if strings.Contains(value, "://") {
			return
		}
		c := New(Config{Catalog: catalog.New(), Values: func(_, _, name string) (string, bool) { return value, name == "subdomain" }})
		p := &plan{c: c, kind: kind, entity: kind.Entity("users"), action: action, bind: action.Binding}
		u, err := (&settings{p: p, a: &auth{}}).base()
		if err == nil && (!strings.HasSuffix(u.Hostname(), ".atlassian.net") || u.Scheme != "https" || u.User != nil || u.Path != "") {
			t.Errorf("%q leads to %s", value, u)
		}
	})
}

func FuzzPathSegment(f *testing.F) {
	for _, v := range []string{"a b", "..", "ä/%", "\x00", "."} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, value string) {
		segment, why := pathSegment(value)
		if why != "" {
			return
		}
		back, err := url.PathUnescape(segment)
		if err != nil || back != value || strings.ContainsAny(segment, "/?#;&=+ ") {
			t.Errorf("%q became %q", value, segment)
		}
	})
}

// FuzzAnswer holds that nothing a third party answers breaks the reader, and
// that what it points at lies in the body.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"calls":[{"isPrivate":true},{"isPrivate":false}],"records":{"cursor":"x"}}`, "call_recording", "calls", "list")
	f.Add(`{"data":{"boards":[{"items_page":{"items":[{"id":1}]}},null]},"errors":[{"message":"m"}]}`, "work_board", "items", "list")
	f.Add(`{"data":{"users":[]}}`, "work_board", "users", "get")
	f.Add(`{"records":[{}],"nextRecordsUrl":"//evil.example/x"}`, "crm", "accounts", "list")
	f.Add(`[]`, "recruiting", "candidates", "list")
	cat := catalog.New()
	f.Fuzz(func(t *testing.T, body, kindName, entity, action string) {
		kind, e, a, err := cat.Resolve(kindName, entity, action)
		if err != nil || e == nil || a == nil || a.Binding == nil {
			return
		}
		base := &url.URL{Scheme: "https", Host: "api.example"}
		p := &plan{c: New(Config{Catalog: cat}), kind: kind, entity: e, action: a, bind: a.Binding}
		env := &client.Envelope{Body: client.Bytes(body), ContentType: "application/json"}
		x := &exchange{p: p, a: &auth{spec: &catalog.Auth{}, method: &catalog.Method{}}, env: env, request: &request{base: base}}
		if _, err := p.read(x); err == nil {
			if n := records.IndexEnvelope(env).Len(); n > len(body) {
				t.Errorf("%d records in %d bytes", n, len(body))
			}
		}
		if env.Records.From < 0 || env.Records.To > len(body) {
			t.Errorf("records at %v of %d bytes", env.Records, len(body))
		}
		if len(env.MetaJSON) > 0 && !rawjson.Valid(env.MetaJSON) && rawjson.Valid([]byte(body)) {
			t.Errorf("meta is %s", env.MetaJSON)
		}
		if u, err := url.Parse(env.NextURL); err != nil || u.Host != "" {
			t.Errorf("the next page leaves for %s", env.NextURL)
		}
	})
}

// FuzzSelection holds that the caller's field names cannot write anything else
// into a document.
func FuzzSelection(f *testing.F) {
	for _, v := range []string{"author.login", "target.message", "id } evil {", "target<Commit>.oid", "a..b", "labels", "<X>", "a<b", "a>"} {
		f.Add(v)
	}
	cat := catalog.New()
	kind, err := cat.Kind("code_hosting")
	if err != nil {
		f.Fatal(err)
	}
	entity := kind.Entity("tags")
	action := entity.Action("list")
	f.Fuzz(func(t *testing.T, field string) {
		params := append(rawjson.AppendQuoted([]byte(`{"owner":"o","repo":"r","fields":[`), field), `]}`...)
		p := &plan{c: New(Config{Catalog: cat}), kind: kind, entity: entity, action: action, bind: action.Binding, params: rawjson.Parse(params)}
		body, _, err := p.document(&settings{p: p, a: &auth{}})
		if err != nil {
			return
		}
		query, _ := rawjson.Parse(body).Get("query")
		if text := canonicalQuery(query.Text()); strings.HasPrefix(text, "broken") || strings.Contains(field, "}") {
			t.Errorf("%q wrote %s", field, query.Text())
		}
	})
}
