package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/preflight"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// TestOneVerdict: over generated calls of every action the form, the command line
// and the sandbox come to one verdict, in the same words.
func TestOneVerdict(t *testing.T) {
	known := catalog.New()
	v := verdicts{generator: generator{rand.New(rand.NewPCG(5, 10))}, ids: map[string]string{}}
	service := sandbox.New(sandbox.Options{Catalog: known, Records: 20})
	v.service = hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), Catalog: known,
		OrganizationID: sandbox.OrganizationID,
		Transport:      transport.New(transport.Options{Base: service.RoundTripper()})})
	list, err := v.service.Connectors(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		v.ids[c.Kind] = c.ID
	}
	for _, s := range known.Kinds() {
		k, err := known.Kind(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k.Entities {
			for j := range k.Entities[i].Actions {
				v.action(t, k, &k.Entities[i], &k.Entities[i].Actions[j])
			}
		}
	}
	if v.right < 300 || v.wrong < 300 || v.typed < 20 {
		t.Errorf("%d calls were right, %d wrong, %d typed", v.right, v.wrong, v.typed)
	}
}

type verdicts struct {
	generator
	service             *hosted.Client
	ids                 map[string]string
	right, wrong, typed int
}

func (v *verdicts) action(t *testing.T, k *catalog.Kind, e *catalog.Entity, a *catalog.Action) {
	for range 4 {
		c := wrongCall{kind: k.Name, op: client.Operation{Entity: e.Name, Action: a.Name, Params: v.params(e, a)}}
		errors := preflight.Errors(preflight.Check(preflight.Call{Kind: k, Entity: e.Name, Action: a.Name, Params: c.op.Params}))
		said := formSays(t, e, a, c.op.Params)
		if (said != "") != (len(errors) > 0) {
			t.Errorf("%s: the checks say %v, the form %q", c, errors, said)
			continue
		}
		told := map[string]bool{} // an input tells one thing at a time
		for _, wrong := range errors {
			if first := !told[wrong.Place]; first && !strings.Contains(said, wrong.Text) {
				t.Errorf("%s: the form says %q and not %q", c, said, wrong.Text)
			}
			told[wrong.Place] = true
		}
		v.sandbox(t, c, errors)
		if v.IntN(40) == 0 {
			v.commandLine(t, c, errors)
		}
	}
}

// onlyKnown are the codes of refusals that no check can foresee: they depend on the
// data, or on a language of the third party.
var onlyKnown = []string{"not_found", "resource_missing", "invalid_state", "invalid_cursor", "invalid_query",
	"invalid_project", "invalid_parent", "invalid_transition", "invalid_account", "has_subtasks"}

// sandbox sends a call whatever the checks say.
func (v *verdicts) sandbox(t *testing.T, c wrongCall, errors []preflight.Verdict) {
	t.Helper()
	target := client.Target{ConnectorID: v.ids[c.kind], Kind: c.kind, Name: c.kind}
	_, err := v.service.Execute(t.Context(), target, c.op)
	if c.op.Action == catalog.ActionDownload {
		_, err = v.service.Download(t.Context(), target, c.op, io.Discard)
	}
	e := client.AsError(err)
	switch {
	case len(errors) > 0:
		v.wrong++
		if e == nil || e.Status < 400 || e.Status >= 500 || !strings.Contains(e.Server, errors[0].Text) {
			t.Errorf("%s: the checks say %q, the sandbox %v", c, errors[0].Text, err)
		}
	case e == nil:
		v.right++
	default:
		v.right++
		body := ""
		if env := e.Envelope; env != nil && env.Body != nil {
			body = string(env.Body.Slice(0, env.Body.Len()))
		}
		// Which fields a third party's list can be asked for is more than the catalog knows;
		// those of a search it knows all.
		asked := c.op.Action != catalog.ActionContextStoreSearch && strings.Contains(body, `"error_code":"unknown_field"`)
		if !asked && !transport.Mentions(body, onlyKnown...) && e.Status != 404 && e.Status != 416 {
			t.Errorf("%s: the checks find nothing, the sandbox says %v: %s", c, err, body)
		}
	}
}

// commandLine asks for the verdict, and sends the call where it is right.
func (v *verdicts) commandLine(t *testing.T, c wrongCall, errors []preflight.Verdict) {
	t.Helper()
	v.typed++
	env := []string{"HOME=" + t.TempDir(), "PATCHBAY_NO_KEYRING=1"}
	code, out, said := runAs(t, env, "check", "--kind", c.kind, "--json", c.payload(t, true))
	if (code == 4) != (len(errors) > 0) || code != 0 && code != 4 {
		t.Errorf("%s: check ends with %d: %s%s", c, code, out, said)
	}
	for _, wrong := range errors {
		if !strings.Contains(out, wrong.Text) {
			t.Errorf("%s: check says %q and not %q", c, out, wrong.Text)
		}
	}
	code, _, said = runAs(t, env, "execute", "--sandbox", "--yes", "--json", c.payload(t, false))
	if refused := code == 4 && strings.Contains(said, "Nothing was sent."); refused != (len(errors) > 0) {
		t.Errorf("%s: execute ends with %d: %s", c, code, said)
	}
}

// generator makes calls of which many are wrong in some way.
type generator struct{ *rand.Rand }

func (g generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g generator) params(e *catalog.Entity, a *catalog.Action) json.RawMessage {
	if a.Name == catalog.ActionContextStoreSearch {
		return g.search(e)
	}
	return json.RawMessage(g.object(a.Params, 3))
}

// object makes an object of fields: those that are required nearly always, unknown
// ones now and then.
func (g generator) object(fields []catalog.Field, depth int) string {
	var parts []string
	for i := range fields {
		f := &fields[i]
		if f.Required && g.IntN(10) > 0 || g.IntN(4) == 0 {
			parts = append(parts, fmt.Sprintf("%q:%s", f.Name, g.value(f, depth)))
		}
	}
	if g.IntN(15) == 0 {
		parts = append(parts, `"nobody_knows":1`)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// value makes a value that suits a field four times of five.
func (g generator) value(f *catalog.Field, depth int) string {
	if g.IntN(5) == 0 {
		return g.one(`1`, `-1`, `0`, `101`, `100000`, `1.5`, `1e3`, `"x"`, `""`, `" "`, `"2026-01-02"`, `"act_1"`, `true`, `null`, `[]`,
			`["x"]`, `[1]`, `[null]`, `{}`, `{"gt":1}`, `{"id":"a","key":"b"}`, `"a,b,c,d,e,f"`)
	}
	if len(f.Enum) > 0 {
		return string(f.Enum[g.IntN(len(f.Enum))])
	}
	switch kind, _, _ := strings.Cut(f.Type, "|"); {
	case kind == "integer" || kind == "number":
		return g.one("1", "5", "10", "1767225600")
	case kind == "boolean":
		return g.one("true", "false")
	case kind == "array" && f.Items != nil && depth > 0:
		return "[" + g.value(f.Items, depth-1) + "]"
	case kind == "array":
		return `["x"]`
	case kind == "object" && depth > 0:
		return g.object(f.Members, depth-1)
	}
	switch f.Format {
	case "jql":
		return g.one(`"project = A"`, `"labels = foo"`, `"created > -1d"`, `"order by created"`, `"project ="`, `"assignee in (a, b)"`)
	case "digits-3-7-7":
		return g.one(`"123-1234567-1234567"`, `"123"`)
	case "date-time", "date":
		return g.one(`"2026-01-02T03:04:05Z"`, `"2026-01-02"`, `"soon"`)
	}
	return g.one(`"a"`, `"1"`, `"email"`)
}

// search makes the params of a search.
func (g generator) search(e *catalog.Entity) json.RawMessage {
	query := []string{}
	if g.IntN(3) > 0 {
		query = append(query, `"filter":`+g.filter(e, 3))
	}
	if g.IntN(3) == 0 {
		query = append(query, fmt.Sprintf(`"sort":%s`, g.one(`[]`, `[{"`+g.field(e)+`":"asc"}]`, `[{"`+g.field(e)+`":"up"}]`,
			`"name"`, `[{"`+g.field(e)+`":"desc"},{"`+g.field(e)+`":"asc"}]`, `{}`, `[5]`, `null`)))
	}
	parts := []string{`"query":{` + strings.Join(query, ",") + `}`}
	for name, values := range map[string][]string{
		"limit":    {`1`, `0`, `-1`, `"5"`, `1.5`, `5000`, `null`},
		"cursor":   {`"x"`, `5`, `null`, `""`},
		"fields":   {`["` + g.field(e) + `"]`, `"id"`, `[]`, `[5]`, `[["a","b"]]`, `["` + g.field(e) + `","nope"]`, `null`},
		"extra":    {`1`},
		"semantic": {`{"prompt":"a"}`, `{}`, `"a"`, `{"prompt":5}`},
	} {
		if g.IntN(8) == 0 {
			parts = append(parts, fmt.Sprintf("%q:%s", name, g.one(values...)))
		}
	}
	return json.RawMessage("{" + strings.Join(parts, ",") + "}")
}

// field is a searchable field most of the time.
func (g generator) field(e *catalog.Entity) string {
	if len(e.Search) == 0 || g.IntN(8) == 0 {
		return g.one("nope", "", "id", "name", "address.city")
	}
	return e.Search[g.IntN(len(e.Search))].Name
}

func (g generator) filter(e *catalog.Entity, depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		inner := g.filter(e, depth-1)
		return g.one(`{"and":[`+inner+`,`+g.filter(e, depth-1)+`]}`, `{"or":[`+inner+`]}`, `{"not":`+inner+`}`, `{"not":[`+inner+`]}`,
			`{"and":`+inner+`}`, `{"and":[]}`)
	}
	operator := g.one("eq", "neq", "gt", "gte", "lt", "lte", "in", "like", "fuzzy", "keyword", "eq", "eq", "like", "contains")
	condition := fmt.Sprintf(`{%q:{%q:%s}}`, operator, g.field(e), g.one(`"a"`, `1`, `"2026-01-02"`, `true`, `null`, `["a"]`, `[1]`, `[]`,
		`{}`, `""`, `"a"`, `1.5`))
	if g.IntN(15) == 0 {
		return g.one(`{}`, `[]`, `"a"`, `null`, `{"eq":5}`, `{"eq":{}}`, `{"eq":{"id":"a"},"gt":{"id":"b"}}`, `{"eq":{"id":"a","name":"b"}}`)
	}
	return condition
}
