package local

import (
	"fmt"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/preflight"
	"patchbay/client/rawjson"
)

// plan is an operation that was found in the catalog and may be sent.
type plan struct {
	c      *Client
	target client.Target
	op     client.Operation
	kind   *catalog.Kind
	entity *catalog.Entity
	action *catalog.Action
	bind   *catalog.Binding
	// params are the caller's, in the names of the connector definition.
	params rawjson.Node
	doing  string
	notes  []string // what the person should know about the request
	// part is what to ask for of the file; nil where it is simply asked for.
	part *client.FilePart
}

// plan finds the operation in the catalog and checks its params.
func (c *Client) plan(t client.Target, op client.Operation) (*plan, error) {
	p := &plan{c: c, target: t, op: op, doing: op.Action + " " + op.Entity}
	if err := p.find(); err != nil {
		return nil, err
	}
	if err := p.allowed(); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if len(op.SelectFields)+len(op.ExcludeFields) > 0 {
		p.notes = append(p.notes, "select_fields and exclude_fields are the hosted service's; this answer has all "+
			"fields")
	}
	p.params = rawjson.Parse(catalog.ToWire(p.kind, p.entity, p.action, op.Params))
	return p, nil
}

func (p *plan) fail(class client.Class, field, next, format string, args ...any) *client.Error {
	return &client.Error{
		Class: class, Layer: client.LayerProgram, Doing: p.doing, Field: field,
		Message: fmt.Sprintf(format, args...), Next: next,
	}
}

func (p *plan) find() error {
	var err error
	p.kind, err = p.c.cfg.Catalog.Kind(p.target.Kind)
	if err != nil {
		return p.fail(client.ClassNotFound, "", "List the kinds with patchbay catalog.", "%v", err)
	}
	p.doing += " of " + p.kind.Name
	p.entity = p.kind.Entity(p.op.Entity)
	if p.entity != nil {
		p.action = p.entity.Action(p.op.Action)
	}
	if p.action == nil {
		return preflight.Refusal(p.op, preflight.Check(preflight.Call{Kind: p.kind, Local: true, Entity: p.op.Entity,
			Action: p.op.Action}))
	}
	p.bind = p.action.Binding
	return nil
}

// allowed refuses what has no local path, and writes of a read-only client.
func (p *plan) allowed() error {
	const hosted = "Run it on a hosted connector of the same kind, or use list or api_search here."
	switch {
	case p.op.Action == catalog.ActionContextStoreSearch:
		return p.fail(client.ClassRefused, "", hosted,
			"context_store_search reads the hosted service's own copy of the data; a local call has none")
	case p.op.Action == catalog.ActionSemanticSearch:
		return p.fail(client.ClassRefused, "", hosted,
			"semantic_search needs the hosted service's text index; a local call has none")
	case p.action.HostedOnly || p.bind == nil:
		return p.fail(client.ClassRefused, "", hosted,
			"the catalog knows no request to the third party for this action; it runs on the hosted service only")
	case p.kind.Local == nil:
		return p.fail(client.ClassRefused, "", hosted, "the catalog does not know how to reach the API of %s",
			p.kind.Name)
	case p.writes() && p.c.cfg.ReadOnly:
		return p.fail(client.ClassRefused, "", "Use a profile without read_only, or leave out --read-only.",
			"the profile is read-only, and this operation changes data, or may")
	case p.op.NextURL != "" && (p.writes() || p.bind.Method != "GET"):
		return p.fail(client.ClassInvalid, "", "Send the params of the page instead.",
			"only a list that is read with GET can go on at an address")
	}
	return nil
}

func (p *plan) writes() bool { return p.action.Writes() }

// check holds the params against the catalog before anything is sent.
func (p *plan) check() error {
	if p.op.NextURL != "" {
		return nil
	}
	list := preflight.Check(preflight.Call{Kind: p.kind, Local: true, Entity: p.entity.Name, Action: p.action.Name,
		Params: p.op.Params, Filled: p.c.Filled(p.target)})
	if e := preflight.Refusal(p.op, list); e != nil && !p.op.Unchecked {
		return e
	}
	for _, v := range list {
		if v.Severity == catalog.SeverityWarning {
			p.notes = append(p.notes, v.String())
		}
	}
	return nil
}

// Filled reports which params a call to a target has although they are not given: those
// whose default is sent, and those for which the connector's own configuration is known
// to hold a value.
func (c *Client) Filled(t client.Target) func(*catalog.Field) bool {
	k, err := c.cfg.Catalog.Kind(t.Kind)
	return func(f *catalog.Field) bool {
		if f.Send && f.Default != nil {
			return true
		}
		if err != nil || f.Inject == nil {
			return false
		}
		configured := k.ConfigField(f.Inject.Config)
		text, held := c.cfg.Values(k.Name, t.Name, f.Inject.Config)
		return held && strings.TrimSpace(text) != "" ||
			configured != nil && (configured.Derive != nil || configured.Default != nil)
	}
}

// given finds the value of a param: the caller's, the configured one, else the
// default where that is to be sent. null is sent where the param takes it, as it
// removes something there; elsewhere it stands for "left out".
func (p *plan) given(f *catalog.Field, s *settings) (rawjson.Node, bool, error) {
	if p.replaced(f) {
		return rawjson.Node{}, false, nil
	}
	v, ok := p.params.Get(f.WireName())
	if ok && (v.Kind() != rawjson.Null || f.Nullable && f.In == "body" && p.bind.Encoding != "form") {
		return v, true, nil
	}
	if f.Inject != nil {
		text, ok, err := s.inject(f)
		if err != nil {
			return rawjson.Node{}, false, p.fail(client.ClassConfig, f.Name,
				"Give "+f.Name+", or correct the configuration value.", "%v", err)
		}
		if ok {
			return scalar(f, text), true, nil
		}
		if f.Required {
			return rawjson.Node{}, false, p.fail(client.ClassConfig, f.Name,
				fmt.Sprintf("Give %s, or set %s (%s).", f.Name, f.Inject.Config,
					client.EnvName(p.kind.Name, f.Inject.Config)),
				"%s is not given, and the configuration value %s that fills it is not set", f.Name, f.Inject.Config)
		}
	}
	if f.Send && f.Default != nil && !p.has(f.Unless) {
		return rawjson.Parse(f.Default), true, nil
	}
	return rawjson.Node{}, false, nil
}

// has reports whether the caller gives a param, by its name in the catalog.
func (p *plan) has(name string) bool {
	f := catalog.FieldByName(p.action.Params, name)
	if f == nil {
		return false
	}
	v, ok := p.params.Get(f.WireName())
	return ok && v.Kind() != rawjson.Null
}

// replaced reports whether a param is left out because the token of the next page,
// which is given, stands for it.
func (p *plan) replaced(f *catalog.Field) bool {
	page := p.action.Page
	return page != nil && page.Replaces(f) && p.has(page.Send)
}

// param reads params for templates; what is wrong with one goes into failed, which may be nil.
func (p *plan) param(s *settings, failed *error) lookup {
	return func(name string) (string, bool) {
		f := catalog.FieldByName(p.action.Params, name)
		if f == nil {
			return "", false
		}
		n, ok, err := p.given(f, s)
		if err != nil && failed != nil {
			*failed = err
		}
		return text(n), ok
	}
}

// scalar writes a configured text as the JSON that the param takes.
func scalar(f *catalog.Field, text string) rawjson.Node {
	if n := rawjson.Parse([]byte(text)); !f.Accepts("string") && rawjson.Valid([]byte(text)) &&
		n.Kind() != rawjson.String {
		return n
	}
	return rawjson.Parse(rawjson.AppendQuoted(nil, text))
}
