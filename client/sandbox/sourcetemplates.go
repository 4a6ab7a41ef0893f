package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// sourceTemplate is what a connector is made from. There is a global
// one for each kind; the others are an organization's own.
type sourceTemplate struct {
	id, name, mode string
	// org owns it; empty for a global one.
	org   string
	about catalog.Summary
	// config are defaults of replication_config.
	config           *rawjson.Map
	customization    any
	tags             []any
	created, updated time.Time
}

// globalTemplate is the one of a kind that every organization has.
func globalTemplate(about catalog.Summary, made time.Time) *sourceTemplate {
	return &sourceTemplate{id: templateID(about.Name), name: about.System, mode: "DIRECT", about: about,
		config: &rawjson.Map{}, created: made, updated: made}
}

// detail is the template as its own record shows it, and that of a connector.
func (t *sourceTemplate) detail(k *catalog.Kind) *rawjson.Map {
	return rawjson.NewMap("id", t.id, "name", t.name, "icon", nil,
		"source_definition_id", definitionID(t.about), "user_config_spec", specification(k),
		"partial_default_config", t.config, "customization", t.customization, "tags", t.tagNames(), "mode", t.mode,
		"is_experimental", false, "created_at", stamp(t.created), "updated_at", stamp(t.updated))
}

// summary is the template as lists show it.
func (t *sourceTemplate) summary(made, changed time.Time) *rawjson.Map {
	return rawjson.NewMap("id", t.id, "name", t.name, "icon", nil, "connector_name", t.about.ConnectorType,
		"organization_id", orNull(t.org), "actor_definition_id", definitionID(t.about), "tags", t.tagNames(),
		"customization", t.customization, "mode", t.mode, "created_at", stamp(made), "updated_at", stamp(changed))
}

// global lists the templates that every organization has.
func (c *call) global() []*sourceTemplate {
	var out []*sourceTemplate
	if c.s.opts.Catalog != nil {
		for _, about := range c.s.opts.Catalog.Kinds() {
			if about.Source != catalog.Live {
				out = append(out, globalTemplate(about, c.a.born()))
			}
		}
	}
	return out
}

// own lists the templates of the organization.
func (c *call) own() []*sourceTemplate {
	return slices.DeleteFunc(slices.Clone(c.a.templates), func(t *sourceTemplate) bool { return t.org != c.org })
}

// listTemplates lists the global templates and, unless only those are asked for,
// the organization's own.
func (c *call) listTemplates() *answer {
	list, q := []any{}, c.r.URL.Query()
	found := c.global()
	if q.Get("use_global") != "true" && !strings.HasSuffix(c.r.URL.Path, "/global") {
		found = append(found, c.own()...)
	}
	for _, t := range found {
		if c.tagged(t.tags) {
			list = append(list, t.summary(t.created, t.updated))
		}
	}
	return ok(rawjson.NewMap("data", list))
}

// template finds a template by its id.
func (c *call) template(id string) *sourceTemplate {
	all := append(c.global(), c.own()...)
	i := slices.IndexFunc(all, func(t *sourceTemplate) bool { return strings.EqualFold(t.id, id) })
	if i < 0 {
		panic(refuse(http.StatusNotFound, "No template with id %s exists.", id))
	}
	return all[i]
}

// kindNamed opens a kind of the catalog.
func (c *call) kindNamed(name string) *catalog.Kind {
	k, err := c.s.opts.Catalog.Kind(name)
	if err != nil {
		panic(refuse(http.StatusNotFound, "%v", err))
	}
	return k
}

// record answers with a template.
func (c *call) record(t *sourceTemplate) *rawjson.Map { return t.detail(c.kindNamed(t.about.Name)) }

func (c *call) oneTemplate() *answer {
	c.wantUUID("id")
	t := c.template(c.id)
	o := c.record(t)
	o.Set("auth_tooltip", nil)
	o.Set("connector_name", t.about.ConnectorType)
	return ok(o)
}

// createTemplate enables a connector for the organization: from a definition, or as
// a copy of another template.
func (c *call) createTemplate() *answer {
	t := &sourceTemplate{org: c.org, created: c.started, updated: c.started, config: &rawjson.Map{}}
	if original := c.in.Text("original_source_template_id"); original != "" {
		from := c.template(original)
		t.name, t.mode, t.about, t.config = from.name, from.mode, from.about, from.config
		t.customization = from.customization
	} else {
		for _, name := range []string{"actor_definition_id", "partial_default_config"} {
			if c.in.Value(name) == nil {
				panic(invalid(name, "%s is required, or original_source_template_id.", name))
			}
		}
		t.about = c.defined(c.in.Text("actor_definition_id")).Summary()
		t.name, t.mode = t.about.System, "REPLICATION"
	}
	t.id, t.tags = c.a.next("template "+c.org), c.givenTags()
	t.change(c.in)
	c.a.templates = append(c.a.templates, t)
	return ok(c.record(t))
}

// change takes what a request gives.
func (t *sourceTemplate) change(in *rawjson.Map) {
	t.name, t.mode = cmp.Or(in.Text("name"), t.name), cmp.Or(in.Text("mode"), t.mode)
	if config := objectIn(in, "partial_default_config"); config != nil {
		t.config = config
	}
	if v, given := in.Get("customization"); given {
		t.customization = v
	}
}

// ownTemplate finds a template that the organization may change.
func (c *call) ownTemplate() *sourceTemplate {
	c.wantUUID("id")
	t := c.template(c.id)
	if t.org == "" {
		panic(refuse(http.StatusForbidden, "The template %s is global: it belongs to no organization.", t.name))
	}
	return t
}

func (c *call) updateTemplate() *answer {
	t := c.ownTemplate()
	t.change(c.in)
	t.updated = c.started
	return ok(c.record(t))
}

func (c *call) deleteTemplate() *answer {
	t := c.ownTemplate()
	c.a.templates = slices.DeleteFunc(c.a.templates, func(one *sourceTemplate) bool { return one == t })
	return c.deleted(t.id)
}

// deleted tells that something is gone.
func (c *call) deleted(id string) *answer {
	return ok(rawjson.NewMap("id", id, "deleted_at", stamp(c.started)))
}
