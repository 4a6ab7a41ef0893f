package local

import (
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/secret"
)

// accessToken is the template name of the token that a refresh gives.
const accessToken = "access_token"

// credential is a credential field and where it came from.
type credential struct {
	value  secret.Secret
	from   string
	secret bool
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
	var first *auth
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
		if first == nil {
			first = a
		}
	}
	return nil, p.noCredentials(first, lacking)
}

func methodOf(k *catalog.Kind, spec *catalog.Auth) *catalog.Method {
	for i := range k.Credentials {
		m := &k.Credentials[i]
		fits := (spec.Method == "" || m.Method == spec.Method) && (spec.Option == "" || m.Option == spec.Option)
		if fits && !m.Unavailable {
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
			e := p.fail(client.ClassConfig, name, "Check the place that the connector's credentials are read from.",
				"the credential %s cannot be read: %s", name, p.c.t.Redactor().Text(err.Error()))
			e.Err = err
			return nil, e
		}
		if !ok || value.Empty() {
			continue
		}
		f := catalog.FieldByName(a.method.Fields, name)
		a.fields[name] = credential{value, from, f == nil || f.Secret}
		if a.fields[name].secret {
			p.c.t.Redactor().Add(value)
		}
	}
	return slices.DeleteFunc(a.needed(), func(name string) bool { return !a.fields[name].value.Empty() }), nil
}

// used lists the names in the templates of the method.
func (a *auth) used() []string {
	out := namesOf(a.spec.Headers, a.spec.Query)
	if r := a.spec.Refresh; r != nil {
		out = append(append(out, namesOf(r.Body, r.Headers)...), names(r.URL)...)
	}
	return out
}

func namesOf(lists ...[]catalog.Pair) []string {
	var out []string
	for _, pair := range slices.Concat(lists...) {
		out = append(out, names(pair.Value)...)
	}
	return out
}

// needed are the names without which no call can be signed. A token that can be
// asked for needs what asking takes; fields marked optional are left out.
func (a *auth) needed() []string {
	out := namesOf(a.spec.Headers, a.spec.Query)
	if a.spec.Refresh != nil && a.fields[accessToken].value.Empty() {
		out = append(out, namesOf(a.spec.Refresh.Body, a.spec.Refresh.Headers)...)
	}
	return slices.DeleteFunc(out, func(name string) bool {
		if name == accessToken {
			return a.spec.Refresh != nil
		}
		f := catalog.FieldByName(a.method.Fields, name)
		return f != nil && !f.Required
	})
}

// noCredentials says what is missing and where it is looked for: of the first method,
// which is the preferred one, also what else it would take.
func (p *plan) noCredentials(first *auth, lacking []string) error {
	missing := strings.Split(lacking[0], " and ")
	var optional []string
	for _, name := range first.used() {
		f := catalog.FieldByName(first.method.Fields, name)
		if f != nil && first.fields[name].value.Empty() && !slices.Contains(missing, name) &&
			!slices.Contains(optional, name) {
			optional = append(optional, name)
		}
	}
	message := "no credentials are configured: "
	if len(first.fields) > 0 {
		message = "the credentials are not complete: "
	}
	if len(lacking) > 1 {
		message += "give " + strings.Join(lacking, ", or ")
	} else {
		message += lacking[0] + " is missing"
	}
	next := "Set " + p.environment(missing)
	if len(optional) > 0 {
		next += " (optional beside: " + p.environment(optional) + ")"
	}
	return p.fail(client.ClassAuth, missing[0], next+", or set the connector up with its credentials.", "%s", message)
}

// environment names the environment variables of credentials.
func (p *plan) environment(fields []string) string {
	var vars []string
	for _, name := range fields {
		vars = append(vars, client.EnvName(p.kind.Name, name))
	}
	return strings.Join(vars, " and ")
}

// origin tells for people which fields signed a call and where they came from.
func (a *auth) origin() string {
	var parts []string
	for _, name := range a.used() {
		f := catalog.FieldByName(a.method.Fields, name)
		c := a.fields[name]
		if c.value.Empty() || !c.secret && !f.Required {
			continue
		}
		part := name
		if c.from != "" {
			part += " from " + c.from
		}
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// get reads credential fields, then configuration, for templates.
func (a *auth) get(s *settings, token secret.Secret) lookup {
	return func(name string) (string, bool) {
		if name == accessToken && !token.Empty() {
			return token.Reveal(), true
		}
		if v := a.fields[name].value; !v.Empty() {
			return v.Reveal(), true
		}
		return s.get(name)
	}
}
