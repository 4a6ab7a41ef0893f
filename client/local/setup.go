package local

import (
	"slices"
	"strings"

	"patchbay/catalog"
)

// Setup is one way to set a kind up for direct calls: what a form asks for.
type Setup struct {
	// Option names the credential method as the catalog does; Title is for people.
	Option, Title string
	// Credentials are the fields that sign a call; those of the hosted service that
	// no direct call needs are left out.
	Credentials []catalog.Field
	// Config are the values that stand in addresses or fill params. One with a
	// default, or that follows from a credential, is not required.
	Config []catalog.Field
	// Scopes that the credential needs, when known.
	Scopes []string
	Note   string
}

// Setups lists the ways to set a kind up, in order of preference; none for a kind
// without a known API.
func Setups(k *catalog.Kind) []Setup {
	if k.Local == nil {
		return nil
	}
	config := configOf(k)
	var out []Setup
	for i := range k.Local.Auth {
		a := &auth{spec: &k.Local.Auth[i], method: methodOf(k, &k.Local.Auth[i])}
		s := Setup{Option: a.method.Option, Title: a.method.Title, Config: config, Scopes: a.method.Scopes, Note: a.method.Note}
		used := a.used()
		for _, f := range a.method.Fields {
			if slices.Contains(used, f.Name) {
				s.Credentials = append(s.Credentials, f)
			}
		}
		out = append(out, s)
	}
	return out
}

// configOf are the configuration values that direct calls read.
func configOf(k *catalog.Kind) []catalog.Field {
	read := map[string]bool{}
	for i := range k.Entities {
		for j := range k.Entities[i].Actions {
			for _, f := range k.Entities[i].Actions[j].Params {
				if f.Inject != nil {
					read[f.Inject.Config] = true
				}
			}
		}
	}
	var out []catalog.Field
	for _, f := range k.Config {
		if !f.ServerVariable && !read[f.Name] && !strings.Contains(k.Local.BaseURL, "{"+f.Name+"}") {
			continue
		}
		f.Required = f.Required && f.Default == nil && f.Derive == nil
		out = append(out, f)
	}
	return out
}
