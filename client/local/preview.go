package local

import (
	"maps"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/secret"
)

// Preview implements client.Executor. Credentials stand as ${PATCHBAY_KIND_FIELD}.
func (c *Client) Preview(t client.Target, op client.Operation) (*client.Request, error) {
	p, err := c.plan(t, op)
	if err != nil {
		return nil, err
	}
	// Without credentials it is the first method: a call can be written before it can be sent.
	a, err := p.auth()
	if err != nil {
		spec := &p.kind.Local.Auth[0]
		a = &auth{spec: spec, method: methodOf(p.kind, spec), fields: map[string]credential{}}
	}
	s := &settings{p: p, a: a}
	r, err := p.request(s)
	if err != nil {
		return nil, err
	}
	w := &previewer{p: p, a: a, s: s,
		out: &client.Request{Method: r.method, URL: r.address(nil), Body: r.body, Notes: slices.Clone(p.notes)}}
	for _, name := range slices.Sorted(maps.Keys(r.header)) {
		w.out.Headers = append(w.out.Headers, client.RequestHeader{Name: name, Value: r.header.Get(name)})
	}
	w.sign()
	w.notes()
	w.out.Signed = w.signed()
	return w.out, nil
}

type previewer struct {
	p   *plan
	a   *auth
	s   *settings
	out *client.Request
}

// variable is the template for a credential field; configuration values stand
// as they are.
func (w *previewer) variable(name string) (string, bool) {
	f := catalog.FieldByName(w.a.method.Fields, name)
	if f == nil && name != accessToken {
		return w.s.get(name)
	}
	_, have := w.a.fields[name]
	if f != nil && !f.Required && !have && name != accessToken && len(w.a.fields) > 0 {
		return "", false
	}
	env := w.envName(name)
	w.know(env, name)
	return "${" + env + "}", true
}

func (w *previewer) sign() {
	for _, pair := range w.a.spec.Headers {
		if before, inner, after, ok := encoded(pair.Value); ok &&
			strings.EqualFold(strings.TrimSpace(before), "Basic") && after == "" {
			user, password, _ := strings.Cut(inner, ":")
			u, ok1 := expand(user, w.variable)
			v, ok2 := expand(password, w.variable)
			if ok1 && ok2 {
				w.out.Basic = &client.BasicAuth{User: u, Password: v}
			}
			continue
		}
		if v, ok := expand(pair.Value, w.variable); ok {
			w.out.Headers = append(w.out.Headers,
				client.RequestHeader{Name: pair.Name, Value: v, Template: strings.Contains(v, "${")})
		}
	}
	for _, q := range fill(w.a.spec.Query, w.variable) {
		w.out.Query = append(w.out.Query, client.Header{Name: q.key, Value: q.value})
	}
}

// notes tell of the calls around this one.
func (w *previewer) notes() {
	if r := w.a.spec.Refresh; r != nil {
		note := "The access token comes from " + r.Method + " to the token endpoint with the refresh token."
		if len(names(r.URL)) == 0 {
			note = "The access token comes from " + r.Method + " " + r.URL + " with the refresh token."
		}
		if len(r.Sets) > 0 && w.p.target.BaseURL == "" {
			note += " Its answer names the server to call: " + strings.Join(r.Sets, ", ") + "."
		}
		w.out.Notes = append(w.out.Notes, note)
	}
	if d := w.p.bind.Download; d != nil && d.Steps > 1 {
		w.out.Notes = append(w.out.Notes,
			"The answer names the address of the file at "+d.URLAt+"; a second call fetches it.")
	}
}

// Credentials says which fields a call of the target would be signed with and
// where each was found, without telling values. The error says what is missing.
func (c *Client) Credentials(t client.Target) (found map[string]string, err error) {
	k, err := c.cfg.Catalog.Kind(t.Kind)
	if err != nil || k.Local == nil {
		return nil, err
	}
	p := &plan{c: c, target: t, kind: k, doing: "read the credentials of " + k.Name}
	a, err := p.auth()
	if err != nil {
		return nil, err
	}
	found = map[string]string{}
	for name, c := range a.fields {
		if c.value != (secret.Secret{}) {
			found[name] = c.from
		}
	}
	return found, nil
}
