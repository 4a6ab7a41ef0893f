package local

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/transport"
)

// settings are the configuration values of one call.
type settings struct {
	p *plan
	a *auth
	// sets are values that a token answer overrides.
	sets map[string]string
}

// value is a configuration value: what a token answer said, what is configured,
// what follows from a credential, else the default. It may be empty.
func (s *settings) value(name string) string {
	if v := s.sets[name]; v != "" {
		return v
	}
	if v, ok := s.p.c.cfg.Values(s.p.kind.Name, s.p.target.Name, name); ok && strings.TrimSpace(v) != "" {
		return strings.TrimSpace(v)
	}
	f := s.p.kind.ConfigField(name)
	if f != nil && f.Derive != nil {
		if v := derived(f.Derive, s.a.fields[f.Derive.From].value.Reveal()); v != "" {
			return v
		}
	}
	return defaultText(f)
}

// get is value for templates.
func (s *settings) get(name string) (string, bool) {
	v := s.value(name)
	return v, v != ""
}

func defaultText(f *catalog.Field) string {
	var text string
	if f == nil || f.Default == nil {
		return ""
	}
	if json.Unmarshal(f.Default, &text) == nil {
		return text
	}
	return string(f.Default)
}

// derived is the short last part of a credential that says where it belongs.
// Anything else than a short name is left alone: it could be the secret itself.
func derived(d *catalog.Derive, credential string) string {
	i := strings.LastIndex(credential, d.AfterLast)
	if i < 0 || d.AfterLast == "" {
		return ""
	}
	part := credential[i+len(d.AfterLast):]
	const longest = 8
	if part == "" || len(part) > longest || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return part
}

// inject is the configured value of a param; ok is false when nothing is configured.
func (s *settings) inject(f *catalog.Field) (text string, ok bool, err error) {
	text = firstOf(s.value(f.Inject.Config))
	if text == "" {
		return "", false, nil
	}
	if f.Inject.Table != "" {
		text, ok = s.lookUp(s.p.kind.Local.Tables[f.Inject.Table], f.Inject.Config, text)
		return text, ok, nil
	}
	if f.Inject.Part == "" {
		return text, true, nil
	}
	owner, repo, both := strings.Cut(text, "/")
	if !both || owner == "" || repo == "" || strings.Contains(repo, "/") {
		return "", false, fmt.Errorf("the configuration value %s is %q, but the form owner/repo is needed to fill %s",
			f.Inject.Config, text, f.Name)
	}
	if f.Inject.Part == "owner" {
		return owner, true, nil
	}
	return repo, true, nil
}

// firstOf is the first text of a list, in JSON or joined by commas.
func firstOf(text string) string {
	var list []string
	if strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &list) == nil {
		if len(list) == 0 {
			return ""
		}
		return strings.TrimSpace(list[0])
	}
	text, _, _ = strings.Cut(text, ",")
	return strings.TrimSpace(text)
}

// lookUp finds what the value of a configuration field stands for, in any case. An
// unknown one means what the default means.
func (s *settings) lookUp(table map[string]string, name, value string) (string, bool) {
	for _, key := range []string{value, defaultText(s.p.kind.ConfigField(name))} {
		if v, ok := table[key]; ok {
			return v, true
		}
		for k, v := range table {
			if strings.EqualFold(k, key) {
				return v, true
			}
		}
	}
	return "", false
}

// base is the address that paths are appended to.
func (s *settings) base() (*url.URL, error) {
	l := s.p.kind.Local
	text := cmp.Or(strings.TrimSpace(s.p.target.BaseURL), s.value("base_url"))
	if text == "" {
		template := l.BaseURL
		if i := s.p.bind.ServerIndex; i > 0 && i <= len(l.Servers) {
			template = l.Servers[i-1]
		}
		var err error
		if text, err = s.server(template); err != nil {
			return nil, err
		}
	}
	u, why := transport.ParseAddress(text)
	if why != "" {
		return nil, s.p.fail(client.ClassConfig, "base_url",
			"Correct the configuration of the connector or the base URL.",
			"the address of the API is not usable: it %s", why)
	}
	return u, nil
}

// server fills the {names} of a server address. A value may be a whole address:
// then it wins over the template's scheme, or over all of the template.
func (s *settings) server(template string) (string, error) {
	out := ""
	for {
		before, rest, ok := strings.Cut(template, "{")
		out += before
		if !ok {
			return out, nil
		}
		name, after, _ := strings.Cut(rest, "}")
		value := s.value(name)
		if value == "" {
			return "", s.p.fail(client.ClassConfig, name,
				"Set it in the connector's configuration or as "+client.EnvName(s.p.kind.Name, name)+".",
				"the address of the API needs the configuration value %s", name)
		}
		if f := s.p.kind.ConfigField(name); f != nil && f.Map != nil && !strings.Contains(value, "://") {
			if v, ok := s.lookUp(f.Map, name, value); ok {
				value = v
			}
		}
		template = after
		scheme, host, whole := strings.Cut(value, "://")
		switch {
		case whole && out == "":
			out = strings.TrimRight(value, "/")
			continue
		case whole && strings.HasSuffix(out, "://"):
			out, value = scheme+"://", host
		case whole:
			return value, nil
		}
		// What follows it in the template may be part of the value too ("acme.example.net" for "acme").
		part := strings.TrimRight(value, "/")
		if rest, _, _ := strings.Cut(after, "/"); rest != "" {
			part = strings.TrimSuffix(part, rest)
		}
		if part == "" || strings.ContainsAny(part, "/\\?#@%{} \t\r\n") {
			return "", s.p.fail(client.ClassConfig, name,
				"Give the bare name that the catalog describes, or a whole base URL.",
				"the configuration value %s does not fit into the address of the API", name)
		}
		out += part
	}
}
