package local

import (
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// signed is the call as a client takes it that makes the request itself: the fields of
// the credential method, the values in the server's address, and the params that the
// configuration fills in here.
func (w *previewer) signed() *client.Signed {
	out := &client.Signed{Option: w.a.method.Title, Params: w.op()}
	for i := range w.a.method.Fields {
		f := &w.a.method.Fields[i]
		if _, have := w.a.fields[f.Name]; !have && !f.Required {
			continue
		}
		name := w.envName(f.Name)
		out.Fields = append(out.Fields, client.Header{Name: f.Name, Value: "${" + name + "}"})
		out.Env = append(out.Env, client.EnvVar{Name: name, Meaning: f.Name + " of " + w.p.kind.Title})
	}
	for i := range w.p.kind.Config {
		f := &w.p.kind.Config[i]
		if value := w.s.value(f.Name); f.ServerVariable && value != "" {
			out.Config = append(out.Config, client.Header{Name: f.Name, Value: w.inAddress(f, value)})
		}
	}
	return out
}

// op are the params with what the configuration fills in.
func (w *previewer) op() []byte {
	given := rawjson.ParseMap(w.p.op.Params)
	if given == nil {
		given = &rawjson.Map{}
	}
	for i := range w.p.action.Params {
		f := &w.p.action.Params[i]
		if f.Inject == nil || given.Has(f.Name) || given.Has(f.WireName()) {
			continue
		}
		text, ok, err := w.s.inject(f)
		switch {
		case !ok || err != nil:
		case f.Accepts("string"):
			given.Add(f.Name, text)
		case f.Accepts("array"):
			given.Add(f.Name, []string{text})
		}
	}
	if given.Len() == 0 {
		return nil
	}
	return given.JSON()
}

// inAddress is the text that stands in the server's address for a configured value.
func (w *previewer) inAddress(f *catalog.Field, value string) string {
	if text, ok := w.s.lookUp(f.Map, f.Name, value); ok && !strings.Contains(value, "://") {
		return text
	}
	return value
}

// envName is the environment variable that texts name for a credential field.
func (w *previewer) envName(field string) string {
	if named, ok := strings.CutPrefix(w.a.fields[field].from, "environment variable "); ok {
		return named
	}
	return client.EnvName(w.p.kind.Name, field)
}

// know adds a variable to those that the request names.
func (w *previewer) know(env, field string) {
	if !slices.ContainsFunc(w.out.Env, func(e client.EnvVar) bool { return e.Name == env }) {
		w.out.Env = append(w.out.Env, client.EnvVar{Name: env, Meaning: field + " of " + w.p.kind.Title})
	}
}
