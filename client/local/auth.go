package local

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/secret"
)

// accessToken is the template name of the token that a refresh gives.
const accessToken = "access_token"

// credential is a credential field and where it came from.
type credential struct {
	value secret.Secret
	from  string
}

// auth is the credential method of a call with its values.
type auth struct {
	spec   *catalog.Auth
	method *catalog.Method
	fields map[string]credential
}

// auth chooses the first method whose needed fields are all there.
func (p *plan) auth() (*auth, error) {
	specs := p.kind.Local.Auth
	if len(specs) == 0 {
		return &auth{spec: &catalog.Auth{}, method: &catalog.Method{}}, nil
	}
	var lacking []string
	for i := range specs {
		a := &auth{spec: &specs[i], method: methodOf(p.kind, &specs[i]), fields: map[string]credential{}}
		missing, err := a.load(p)
		if err != nil {
			return nil, err
		}
		if len(missing) == 0 {
			return a, nil
		}
		lacking = append(lacking, strings.Join(missing, " and "))
	}
	return nil, p.noCredentials(lacking)
}

func methodOf(k *catalog.Kind, spec *catalog.Auth) *catalog.Method {
	for i := range k.Credentials {
		m := &k.Credentials[i]
		if !m.Unavailable && (spec.Method == "" || m.Method == spec.Method) && (spec.Option == "" || m.Option == spec.Option) {
			return m
		}
	}
	return &catalog.Method{}
}

// load reads the fields that the method's templates name and returns those that are missing.
func (a *auth) load(p *plan) ([]string, error) {
	for _, name := range a.used() {
		value, from, ok, err := p.c.cfg.Credentials(p.kind.Name, p.target.Name, name)
		if err != nil {
			e := p.fail(client.ClassConfig, name, "Check the place that the connector's credentials are read from.", "the credential %s cannot be read: %s", name, p.c.t.Redactor().Text(err.Error()))
			e.Err = err
			return nil, e
		}
		if ok && !value.Empty() {
			a.fields[name] = credential{value, from}
		}
	}
	var missing []string
	for _, name := range a.needed() {
		if a.fields[name].value.Empty() {
			missing = append(missing, name)
		}
	}
	for _, name := range a.used() {
		if f := catalog.FieldByName(a.method.Fields, name); f == nil || f.Secret {
			p.c.t.Redactor().Add(a.fields[name].value)
		}
	}
	return missing, nil
}

// used lists the names in the templates of the method.
func (a *auth) used() []string {
	out := namesOf(a.spec.Headers, a.spec.Query)
	if r := a.spec.Refresh; r != nil {
		out = append(out, namesOf(r.Body, r.Headers)...)
		out = append(out, names(r.URL)...)
	}
	return out
}

func namesOf(lists ...[]catalog.Pair) []string {
	var out []string
	for _, list := range lists {
		for _, pair := range list {
			out = append(out, names(pair.Value)...)
		}
	}
	return out
}

// needed are the names without which no call can be signed. A token that can be
// asked for needs what asking takes; fields marked optional are left out.
func (a *auth) needed() []string {
	lists := [][]catalog.Pair{a.spec.Headers, a.spec.Query}
	refresh := a.spec.Refresh != nil && a.fields[accessToken].value.Empty()
	if refresh {
		lists = append(lists, a.spec.Refresh.Body, a.spec.Refresh.Headers)
	}
	var out []string
	for _, name := range namesOf(lists...) {
		f := catalog.FieldByName(a.method.Fields, name)
		switch {
		case name == accessToken && a.spec.Refresh != nil:
		case f != nil && !f.Required && name != accessToken:
		default:
			out = append(out, name)
		}
	}
	return out
}

// noCredentials says what is missing and where it is looked for.
func (p *plan) noCredentials(lacking []string) error {
	first := strings.Split(lacking[0], " and ")
	vars := make([]string, len(first))
	for i, name := range first {
		vars[i] = EnvName(p.kind.Name, name)
	}
	message := "no credentials are configured: " + lacking[0] + " is missing"
	if len(lacking) > 1 {
		message = "no credentials are configured: give " + strings.Join(lacking, ", or ")
	}
	return p.fail(client.ClassAuth, first[0], fmt.Sprintf("Set %s, or set the connector up with its credentials.", strings.Join(vars, " and ")), "%s", message)
}

// origin tells for people which fields signed a call and where they came from.
func (a *auth) origin() string {
	var parts []string
	for _, name := range a.used() {
		f := catalog.FieldByName(a.method.Fields, name)
		c := a.fields[name]
		if c.value.Empty() || f != nil && !f.Secret && !f.Required {
			continue
		}
		part := name
		if c.from != "" {
			part += " from " + c.from
		}
		if !strings.Contains(strings.Join(parts, ";"), part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// settings are the configuration of a call signed by this method.
func (p *plan) settings(a *auth, sets map[string]string) *settings {
	return &settings{p: p, sets: sets, credential: func(field string) string {
		if a == nil {
			return ""
		}
		return a.fields[field].value.Reveal()
	}}
}

// get reads credential fields, then configuration, for templates.
func (a *auth) get(s *settings, token secret.Secret) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		if name == accessToken && !token.Empty() {
			return token.Reveal(), true
		}
		if v := a.fields[name].value; !v.Empty() {
			return v.Reveal(), true
		}
		v := s.value(name)
		return v, v != ""
	}
}

// sign adds the credentials to a header and returns those that go into the query.
// A template whose optional field is missing is left out.
func (a *auth) sign(h http.Header, s *settings, token secret.Secret) []pair {
	get := a.get(s, token)
	for _, pair := range a.spec.Headers {
		if v, ok := expand(pair.Value, get); ok {
			h.Set(pair.Name, headerText(v))
		}
	}
	var query []pair
	for _, q := range a.spec.Query {
		if v, ok := expand(q.Value, get); ok {
			query = append(query, pair{q.Name, v})
		}
	}
	return query
}

// token is the access token to sign with; empty for methods without one. The
// attempts are those of a renewal that this call made.
func (c *Client) token(ctx context.Context, p *plan, a *auth) (secret.Secret, map[string]string, []client.Attempt, error) {
	if a.spec.Refresh == nil {
		return secret.Secret{}, nil, nil, nil
	}
	return c.session(p, a).token(ctx, c, p, a)
}
