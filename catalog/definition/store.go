package definition

import (
	"slices"
	"strings"

	"patchbay/catalog"
)

// family reads what the service's definitions say beside their operations: searches,
// relations, configuration.
func (b *builder) family() {
	info := extensions{b.doc.info.Extensions}
	b.searches(info.node(family + "context-store"))
	for _, r := range info.node(family + "entity-relationships").items() {
		one := catalog.Relation{From: r.child("source_entity").text(), Field: r.child("foreign_key").text(),
			To: r.child("target_entity").text(), Key: r.child("target_key").text()}
		if one.From != "" && !slices.Contains(b.kind().Relations, one) {
			b.kind().Relations = append(b.kind().Relations, one)
		}
	}
	b.configuration(info.node(family + "replication-config"))
	b.scoping(info.node(family + "scoping"))
	if e := info.node(family + "response-error-check"); e.exists() {
		message := first(e.child("message_field").text(), e.child("field").text())
		b.kind().Local.Errors = &catalog.ErrorShape{Message: message}
	}
	for _, rule := range info.node(family + "config-normalization").child("rules").items() {
		target, from := last(rule.child("target").text()), last(rule.child("source").text())
		delimiter := rule.child("transform").child("delimiter").text()
		if f := catalog.FieldByName(b.kind().Config, target); f != nil && delimiter != "" && b.credential(from) {
			f.Derive, f.Required = &catalog.Derive{From: from, AfterLast: delimiter}, false
		} else {
			b.leave("the rule that derives the configuration value %s is not applied", target)
		}
	}
}

// last is the last step of a dotted path.
func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// credential reports whether a credential field has the name.
func (b *builder) credential(name string) bool {
	return slices.ContainsFunc(b.kind().Credentials, func(m catalog.Method) bool {
		return catalog.FieldByName(m.Fields, name) != nil
	})
}

// searches adds the search of the service to the entities that it keeps.
func (b *builder) searches(store node) {
	for _, one := range store.child("entities").items() {
		name := snake(one.child("entity").text())
		_, known := b.entities[name]
		if name == "" || !known && len(one.child("fields").items()) == 0 {
			continue
		}
		e := b.entity(name)
		e.Search = []catalog.Field{}
		for _, f := range one.child("fields").items() {
			field := searchField(f, 8, e.Source)
			if field.Name != "" && catalog.FieldByName(e.Search, field.Name) == nil {
				e.Search = append(e.Search, field)
			}
		}
		e.SearchUnknown = len(e.Search) == 0
		if e.SearchUnknown {
			e.Search = nil
		}
		put(e, catalog.Action{Name: catalog.ActionContextStoreSearch})
		for _, n := range one.child("fields").items() {
			if index := n.child(family + "semantic-search"); index.exists() && e.Semantic == nil {
				e.Semantic = &catalog.Semantic{Field: n.child("name").text(), Metadata: index.child("metadata").texts()}
			}
		}
	}
}

// searchField reads a field of the store; its type is one or several.
func searchField(n node, depth int, from catalog.Source) catalog.Field {
	f := catalog.Field{Name: n.child("name").text(), Doc: sentence(n.child("description").text()),
		Source: sourceOf(n.child(ours+"source"), from)}
	union(&f, n.child("type").texts()...)
	if depth > 0 {
		n.child("properties").each(func(name string, v node) {
			m := searchField(v, depth-1, f.Source)
			m.Name = name
			f.Members = append(f.Members, m)
		})
		for _, v := range n.child("properties").items() {
			if name := v.child("name").text(); name != "" {
				f.Members = append(f.Members, searchField(v, depth-1, f.Source))
			}
		}
	}
	if f.Accepts("array") && !f.Accepts("object") && f.Members != nil {
		f.Items = &catalog.Field{Type: "object", Members: f.Members}
	}
	for _, e := range n.child("enum").items() {
		f.Enum = append(f.Enum, e.json())
	}
	f.Format = format(n.child("format").text(), &f)
	if item := n.child("items"); item.exists() && f.Items == nil {
		f.Items = new(searchField(item, depth-1, f.Source))
	}
	ownBy(&f, n.child)
	settle(&f)
	return f
}

// configuration reads what a connector is set up with.
func (b *builder) configuration(n node) {
	required, constant := n.child("required").texts(), n.child("replication_config_constants")
	n.child("properties").each(func(name string, v node) {
		if constant.child(name).exists() || catalog.FieldByName(b.kind().Config, name) != nil {
			return
		}
		f := catalog.Field{Name: name, Required: slices.Contains(required, name),
			Doc: sentence(first(v.child("description").text(), v.child("title").text()))}
		union(&f, v.child("type").texts()...)
		for _, e := range v.child("enum").items() {
			f.Enum = append(f.Enum, e.json())
		}
		if d := v.child("default"); d.exists() && !strings.Contains(d.text(), "{{") {
			f.Default = d.json()
		}
		if t := v.child("items").child("type").text(); t != "" {
			f.Items = &catalog.Field{}
			union(f.Items, t)
		}
		f.Format = format(v.child("format").text(), &f)
		settle(&f)
		b.kind().Config = append(b.kind().Config, f)
	})
}

// scoping fills params of a name from configuration.
func (b *builder) scoping(n node) {
	for _, one := range n.items() {
		param, from := one.child("param").text(), first(one.child("config_key").text(), one.child("param").text())
		if param == "" {
			continue
		}
		b.configured(from)
		part := ""
		if t := one.child("value_template").text(); strings.Contains(t, "split") {
			part = "repo"
			if strings.Contains(t, "[0]") || strings.Contains(t, "first") {
				part = "owner"
			}
		}
		for i := range b.kind().Entities {
			e := &b.kind().Entities[i]
			for j := range e.Actions {
				if f := e.Actions[j].Param(param); f != nil && f.Inject == nil {
					f.Inject = &catalog.Inject{Config: from, Part: part}
				}
			}
		}
	}
}
