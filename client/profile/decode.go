package profile

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"patchbay/client"
	"patchbay/client/secret"
)

// decoder reads settings node by node, so that each complaint has its line.
type decoder struct {
	path     string
	problems []string
}

func (d *decoder) bad(n *yaml.Node, format string, args ...any) {
	d.problems = append(d.problems, fmt.Sprintf("%s:%d: ", d.path, n.Line)+fmt.Sprintf(format, args...))
}

func (d *decoder) err() error {
	if len(d.problems) == 0 {
		return nil
	}
	return missing(strings.Join(d.problems, "\n"), "Correct the file; patchbay profiles show prints what was understood.")
}

// members calls the function of each key. Keys without one are unknown.
func (d *decoder) members(n *yaml.Node, what string, known map[string]func(*yaml.Node)) {
	d.each(n, what, func(key, value *yaml.Node) {
		if read := known[key.Value]; read != nil {
			read(value)
			return
		}
		names := make([]string, 0, len(known))
		for name := range known {
			names = append(names, name)
		}
		slices.Sort(names)
		d.bad(key, "%s has no key %q; it has: %s", what, key.Value, strings.Join(names, ", "))
	})
}

func (d *decoder) each(n *yaml.Node, what string, f func(key, value *yaml.Node)) {
	n = resolved(n)
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		d.bad(n, "%s must hold keys and values", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolved(n.Content[i+1])
		if seen[key.Value] {
			d.bad(key, "%q stands twice in %s", key.Value, what)
			continue
		}
		seen[key.Value] = true
		f(key, value)
	}
}

// resolved follows an alias. Anchors within themselves cannot be parsed, so this ends.
func resolved(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func (d *decoder) list(n *yaml.Node, what string, f func(*yaml.Node)) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return
	}
	if n.Kind != yaml.SequenceNode {
		d.bad(n, "%s must be a list", what)
		return
	}
	for _, item := range n.Content {
		f(resolved(item))
	}
}

func (d *decoder) text(into *string, what string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
			d.bad(n, "%s must be a text", what)
			return
		}
		*into = n.Value
	}
}

func (d *decoder) flag(into *bool, what string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Decode(into) != nil || n.ShortTag() != "!!bool" {
			d.bad(n, "%s must be true or false", what)
		}
	}
}

func (d *decoder) settings(n *yaml.Node, s *Settings) {
	var defaultAt *yaml.Node
	d.members(n, "the settings", map[string]func(*yaml.Node){
		"default": func(n *yaml.Node) { defaultAt = n; d.text(&s.Default, "default")(n) },
		"profiles": func(n *yaml.Node) {
			d.each(n, "profiles", func(key, value *yaml.Node) { s.profiles = append(s.profiles, d.profile(key, value)) })
		},
	})
	if _, ok := s.Profile(s.Default); defaultAt != nil && !ok {
		d.bad(defaultAt, "default names the profile %q, which is not there", s.Default)
	}
}

func (d *decoder) profile(key, n *yaml.Node) Profile {
	p := Profile{Name: key.Value}
	if p.Name == EnvName || strings.TrimSpace(p.Name) == "" {
		d.bad(key, "a profile cannot be called %q", p.Name)
	}
	var names string
	var namesAt, baseAt *yaml.Node
	history := true
	d.members(n, "profile "+p.Name, map[string]func(*yaml.Node){
		"base_url":        func(n *yaml.Node) { baseAt = n; d.text(&p.BaseURL, "base_url")(n) },
		"organization_id": d.text(&p.OrganizationID, "organization_id"),
		"workspace":       d.text(&p.Workspace, "workspace"),
		"names":           func(n *yaml.Node) { namesAt = n; d.text(&names, "names")(n) },
		"token_path":      d.text(&p.TokenPath, "token_path"),
		"read_only":       d.flag(&p.ReadOnly, "read_only"),
		"history":         func(n *yaml.Node) { d.flag(&history, "history")(n); p.History = &history },
		"credentials":     func(n *yaml.Node) { d.credentials(n, &p.Credentials) },
		"connectors": func(n *yaml.Node) {
			d.list(n, "connectors", func(n *yaml.Node) { p.Connectors = append(p.Connectors, d.connector(n)) })
		},
		"local": func(n *yaml.Node) {
			d.list(n, "local", func(n *yaml.Node) { p.Local = append(p.Local, d.local(n)) })
		},
	})
	d.checkURL(baseAt, p.BaseURL)
	p.Names = client.Names(names)
	if namesAt != nil && p.Names != client.Neutral && p.Names != client.Wire {
		d.bad(namesAt, "names is %q; it must be neutral or wire", names)
	}
	return p
}

func (d *decoder) checkURL(n *yaml.Node, address string) {
	if n == nil || address == "" {
		return
	}
	if err := CheckBaseURL(address); err != nil {
		d.bad(n, "%s", err)
	}
}

// CheckBaseURL says why an address cannot be the base of calls.
func CheckBaseURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return errors.New("base_url must be an http or https address")
	case u.User != nil:
		return errors.New("base_url holds a user name; credentials do not belong into it")
	}
	return nil
}

func (d *decoder) credentials(n *yaml.Node, c *Credentials) {
	d.members(n, "credentials", map[string]func(*yaml.Node){
		"token":         func(n *yaml.Node) { c.Token = d.ref(n, "token") },
		"client_id":     func(n *yaml.Node) { c.ClientID = d.ref(n, "client_id") },
		"client_secret": func(n *yaml.Node) { c.ClientSecret = d.ref(n, "client_secret") },
	})
}

// ref reads where a credential is found. What stands in its place as a plain
// text may be the credential itself, so the complaint does not quote it.
func (d *decoder) ref(n *yaml.Node, what string) secret.Ref {
	var r secret.Ref
	if n.Kind != yaml.MappingNode {
		d.bad(n, "%s must name a place (keyring, file, env or command), never hold the credential itself", what)
		return r
	}
	d.members(n, what, map[string]func(*yaml.Node){
		"keyring": d.text(&r.Keyring, "keyring"),
		"file":    d.text(&r.File, "file"),
		"env":     d.text(&r.Env, "env"),
		"command": d.text(&r.Command, "command"),
	})
	if len(n.Content) != 2 {
		d.bad(n, "%s must name exactly one place: keyring, file, env or command", what)
	}
	return r
}

func (d *decoder) connector(n *yaml.Node) Connector {
	var c Connector
	d.members(n, "a connector", map[string]func(*yaml.Node){
		"id": d.text(&c.ID, "id"), "name": d.text(&c.Name, "name"),
		"type": d.text(&c.Type, "type"), "workspace": d.text(&c.Workspace, "workspace"),
	})
	if c.ID == "" {
		d.bad(n, "a connector needs an id")
	}
	return c
}

func (d *decoder) local(n *yaml.Node) LocalConnector {
	var c LocalConnector
	d.members(n, "a local connector", map[string]func(*yaml.Node){
		"name": d.text(&c.Name, "name"), "kind": d.text(&c.Kind, "kind"),
		"base_url": func(n *yaml.Node) { d.text(&c.BaseURL, "base_url")(n); d.checkURL(n, c.BaseURL) },
		"method":   d.text(&c.Method, "method"),
		"config": func(n *yaml.Node) {
			c.Config = map[string]string{}
			d.each(n, "config", func(key, value *yaml.Node) {
				var v string
				d.text(&v, key.Value)(value)
				c.Config[key.Value] = v
			})
		},
		"credentials": func(n *yaml.Node) {
			c.Credentials = map[string]secret.Ref{}
			d.each(n, "credentials", func(key, value *yaml.Node) { c.Credentials[key.Value] = d.ref(value, key.Value) })
		},
	})
	if c.Name == "" || c.Kind == "" {
		d.bad(n, "a local connector needs a name and a kind")
	}
	return c
}
