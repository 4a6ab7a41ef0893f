package sandbox

import (
	"net/http"
	"slices"

	"go.yaml.in/yaml/v3"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// secretAt begins the name that stands for a secret of a connector in a bundle: the
// caller's own store has the value.
const secretAt = "secret_coordinate::"

// prepare answers with what a client needs to run an operation by itself: the part of the
// connector's definition that the operation needs, and the connector's configuration with
// names in place of secrets.
func (c *call) prepare() *answer {
	target, entity, action := c.target, c.in.Text("entity"), c.in.Text("action")
	c.what = "prepare " + target.about.Name + " " + entity + "." + action
	c.faults = slices.Concat(target.faults, c.s.opts.Faults)
	target.mu.Lock()
	defer target.mu.Unlock()
	c.before(entity)
	if action == "describe" {
		panic(unprepared("The action describe cannot be run by the caller."))
	}
	op := c.operation(entity, action)
	m := op.preparable()
	d := &document{op: op, method: m}
	text, err := d.yaml()
	if err != nil {
		panic(refuse(http.StatusInternalServerError, "The definition could not be written: %v", err))
	}
	config, mapping := target.sourceConfig(m)
	o := c.enveloped(nil, nil)
	o.Set("bundle", rawjson.NewMap("connector_definition_id", definitionID(target.about), "definition_yaml", text,
		"entity", entity, "action", action, "params", d.params(), "select_fields", c.in.Value("select_fields"),
		"exclude_fields", c.in.Value("exclude_fields"), "skip_truncation", c.in.Value("skip_truncation") != false,
		"replication_auth_key_mapping", mapping, "config_values", target.serverValues(), "source_config", config))
	return ok(o)
}

// unprepared refuses what only the service itself can run.
func unprepared(format string, args ...any) *answer {
	return refuseField(http.StatusUnprocessableEntity, "action", "local_execution_unsupported", format, args...)
}

// preparable refuses an operation that a caller cannot run: a search of the store, a file,
// and credentials that have to be renewed. It returns the credentials that do not.
func (op *operation) preparable() *catalog.Method {
	what := op.e.Name + "." + op.a.Name
	switch {
	case op.a.Name == catalog.ActionContextStoreSearch || op.a.Name == catalog.ActionSemanticSearch:
		panic(unprepared("%s searches the store of the service; only the service can run it.", what))
	case op.a.Name == catalog.ActionDownload:
		panic(unprepared("%s answers with a file; only the service can run it.", what))
	case op.a.Binding == nil || op.d.kind.Local == nil:
		panic(unprepared("%s has no request of the third party; only the service can run it.", what))
	}
	k := op.d.kind
	for i := range k.Credentials {
		m := &k.Credentials[i]
		if auth := authOf(k, m); !m.Unavailable && auth != nil && auth.Refresh == nil {
			return m
		}
	}
	panic(unprepared("The credentials of %s have to be renewed; only the service can do that.", k.System))
}

// authOf says where the fields of a credential method go.
func authOf(k *catalog.Kind, m *catalog.Method) *catalog.Auth {
	i := slices.IndexFunc(k.Local.Auth, func(a catalog.Auth) bool {
		return (a.Method == "" || a.Method == m.Method) && (a.Option == "" || a.Option == m.Option)
	})
	if i < 0 {
		return nil
	}
	return &k.Local.Auth[i]
}

// sourceConfig is the configuration of a connector with names in place of secrets, and
// which field each of its values is.
func (t *connector) sourceConfig(m *catalog.Method) (config, mapping *rawjson.Map) {
	config, mapping = &rawjson.Map{}, &rawjson.Map{}
	for i := range t.kind().Config {
		f := &t.kind().Config[i]
		if v, given := t.config.Get(f.Name); given {
			config.Set(f.Name, v)
		} else if !unknowable(f) {
			config.Set(f.Name, sample(f))
		}
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		path := "credentials." + f.Name
		mapping.Set(path, f.Name)
		value := sample(f)
		if f.Secret {
			value = secretAt + "connectors/" + t.id + "/" + f.Name
		}
		setPath(config, path, value)
	}
	return config, mapping
}

// serverValues are the parts of the third party's address that the configuration gives.
func (t *connector) serverValues() *rawjson.Map {
	out := &rawjson.Map{}
	for i := range t.kind().Config {
		f := &t.kind().Config[i]
		if !f.ServerVariable {
			continue
		}
		text := t.config.Text(f.Name)
		if text == "" {
			text = sample(f)
		}
		if mapped, told := f.Map[text]; told {
			text = mapped
		}
		out.Set(f.Name, text)
	}
	return out
}

// yamlOf writes an object as YAML, in its own order.
func yamlOf(o *rawjson.Map) (string, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(rawjson.Encode(o), &node); err != nil {
		return "", err
	}
	block(&node)
	out, err := yaml.Marshal(&node)
	return string(out), err
}

// block gives a node and all below it the usual style.
func block(n *yaml.Node) {
	n.Style = 0
	for _, inner := range n.Content {
		block(inner)
	}
}
