package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/catalog/skill"
	"patchbay/client/rawjson"
)

// definitionID is the hosted id of a kind; kinds without a known one get a fixed one.
func definitionID(about catalog.Summary) string {
	if isUUID(about.DefinitionID) {
		return about.DefinitionID
	}
	return fixedUUID("definition " + about.Name)
}

func templateID(kind string) string { return fixedUUID("template " + kind) }

// kinds opens the kinds of the catalog.
func (c *call) kinds() []*catalog.Kind {
	var out []*catalog.Kind
	for _, from := range []*catalog.Catalog{c.s.opts.Catalog, c.s.opts.Strangers} {
		if from == nil {
			continue
		}
		for _, known := range from.Kinds() {
			if k, err := from.Kind(known.Name); err == nil && k.Source != catalog.Live {
				out = append(out, k)
			}
		}
	}
	return out
}

// kindWhere is the first kind of which something holds, nil when there is none.
func (c *call) kindWhere(holds func(*catalog.Kind) bool) *catalog.Kind {
	all := c.kinds()
	if i := slices.IndexFunc(all, holds); i >= 0 {
		return all[i]
	}
	return nil
}

// defined is the kind with the id of a definition.
func (c *call) defined(id string) *catalog.Kind {
	k := c.kindWhere(func(k *catalog.Kind) bool { return strings.EqualFold(definitionID(k.Summary()), id) })
	if k == nil {
		panic(refuse(http.StatusNotFound, "No definition with id %s exists.", id))
	}
	return k
}

func (c *call) listDefinitions() *answer {
	list, name := []any{}, strings.ToLower(c.r.URL.Query().Get("name"))
	for _, k := range c.kinds() {
		if strings.Contains(strings.ToLower(k.System+" "+k.ConnectorType), name) {
			list = append(list, definition(k))
		}
	}
	return ok(rawjson.NewMap("definitions", list))
}

func (c *call) oneDefinition() *answer {
	c.wantUUID("id")
	k := c.defined(c.id)
	d := definition(k)
	d.Set("spec", specification(k))
	return ok(rawjson.NewMap("id", definitionID(k.Summary()), "definition", d, "example_questions",
		rawjson.NewMap("direct", []any{"List the newest records."}, "search", []any{})))
}

func definition(k *catalog.Kind) *rawjson.Map {
	return rawjson.NewMap("sourceDefinitionId", definitionID(k.Summary()), "destinationDefinitionId", nil,
		"name", k.System, "dockerRepository", "sandbox/source-"+k.ConnectorType,
		"iconUrl", nil, "custom", false, "supportLevel", "certified")
}

// specification describes the credentials and configuration of a kind.
func specification(k *catalog.Kind) *rawjson.Map {
	properties, required := &rawjson.Map{}, []any{}
	add := func(fields []catalog.Field, always bool) {
		for i := range fields {
			f := &fields[i]
			p := rawjson.NewMap("type", strings.Split(f.Type, "|")[0])
			if f.Secret {
				p.Set("airbyte_secret", true)
			}
			properties.Set(f.Name, p)
			if f.Required && always {
				required = append(required, f.Name)
			}
		}
	}
	usable := slices.DeleteFunc(slices.Clone(k.Credentials), func(m catalog.Method) bool { return m.Unavailable })
	for i := range k.Credentials {
		add(k.Credentials[i].Fields, len(usable) == 1)
	}
	add(k.Config, true)
	return rawjson.NewMap("documentationUrl", nil, "connectionSpecification",
		rawjson.NewMap("type", "object", "title", k.Title, "required", required, "properties", properties),
		"advanced_auth", nil)
}

const (
	searchID = "static:search"
	// sourceSkill begins the id of a connector's skill.
	sourceSkill = "connector-source:"
)

func searchSkill() *rawjson.Map {
	return aboutSkill(searchID, "static", "Search", "How context_store_search filters and sorts.")
}

func aboutSkill(id, kind, title, summary string) *rawjson.Map {
	fresh := map[string]string{"static": "static"}[kind]
	return rawjson.NewMap("id", id, "kind", kind, "title", title, "summary", summary, "tags", []any{},
		"provenance", "sandbox", "version", "1",
		"freshness", rawjson.NewMap("state", cmp.Or(fresh, "live"), "checked_at", nil), "warnings", []any{})
}

func (c *connector) skill() *rawjson.Map {
	return aboutSkill(sourceSkill+c.id, "connector_source", c.name,
		"What the connector "+c.name+" ("+c.about.System+") offers.")
}

// listSkills lists the instructions that agents read: a general one and one for
// each connector.
func (c *call) listSkills() *answer {
	found, only, words := []any{}, c.r.URL.Query().Get("workspace_id"), ""
	if strings.HasSuffix(c.r.URL.Path, "search") {
		words = strings.ToLower(c.r.URL.Query().Get("query"))
	}
	all := []*rawjson.Map{searchSkill()}
	for _, ws := range c.a.workspacesOf(c.org) {
		for _, one := range ws.connectors {
			if only == "" || strings.EqualFold(only, ws.id) {
				all = append(all, one.skill())
			}
		}
	}
	for _, o := range all {
		if strings.Contains(strings.ToLower(o.Text("title")+" "+o.Text("summary")), words) {
			found = append(found, o)
		}
	}
	page, next := c.page(found)
	return ok(rawjson.NewMap("data", page, "next_cursor", next))
}

// skillDocs gives the outline of a skill and one section of it.
func (c *call) skillDocs() *answer {
	id, section := c.r.URL.Query().Get("id"), c.r.URL.Query().Get("section")
	if id == "" {
		panic(invalid("id", "id is required."))
	}
	if id == searchID {
		return ok(rawjson.NewMap("metadata", searchSkill(), "outline", []any{}, "section_id", nil,
			"content", skill.Search()))
	}
	connectorID, isSource := strings.CutPrefix(id, sourceSkill)
	target := c.a.find(c.org, connectorID)
	if !isSource || target == nil {
		panic(refuse(http.StatusNotFound, "No skill with id %s exists.", id))
	}
	switch k := target.kind(); tells(k) {
	case tellsDocs:
		return ok(c.documents(target, section))
	case tellsNames:
		return ok(rawjson.NewMap("metadata", target.skill(), "outline", []any{}, "section_id", nil, "content", []any{}))
	}
	docs, found := skill.Of(target.kind(), id, target.name, section)
	if !found {
		panic(invalid("section", "No section %q; the outline without a section lists them.", section))
	}
	o := docs.JSON()
	o.Set("metadata", target.skill())
	return ok(o)
}
