package catalog

import (
	"encoding/json"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

type hook func(d *decoder, n *yaml.Node, v reflect.Value, at place)

// hookTable lists the types whose YAML form is more comfortable than their JSON form.
func hookTable() map[reflect.Type]hook {
	return map[reflect.Type]hook{
		reflect.TypeFor[Field]():             (*decoder).field,
		reflect.TypeFor[[]Field]():           (*decoder).fields,
		reflect.TypeFor[json.RawMessage]():   (*decoder).raw,
		reflect.TypeFor[[]Pair]():            (*decoder).pairs,
		reflect.TypeFor[Note]():              (*decoder).note,
		reflect.TypeFor[[]Entity]():          (*decoder).named,
		reflect.TypeFor[[]Action]():          (*decoder).named,
		reflect.TypeFor[[]Auth]():            (*decoder).auths,
		reflect.TypeFor[Auth]():              (*decoder).auth,
		reflect.TypeFor[[]GraphQLVariable](): (*decoder).variables,
		reflect.TypeFor[[]GraphQLArgs]():     (*decoder).args,
		reflect.TypeFor[[]GraphQLSelect]():   (*decoder).selects,
		reflect.TypeFor[Page]():              (*decoder).page,
		reflect.TypeFor[Binding]():           (*decoder).binding,
	}
}

// special handles keys that are short forms of others; false leaves the key to
// the ordinary way.
func (d *decoder) special(v reflect.Value, key string, n *yaml.Node, at place) bool {
	switch target := v.Addr().Interface().(type) {
	case *Kind:
		return key == "note" && d.oneNote(&target.Notes, n, at)
	case *Entity:
		if key == "search" {
			target.SearchUnknown = saysUnknown(n)
			return target.SearchUnknown
		}
		return key == "note" && d.oneNote(&target.Notes, n, at)
	case *Action:
		return d.specialAction(target, key, n, at)
	}
	return false
}

func saysUnknown(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Value == "unknown" }

func (d *decoder) specialAction(a *Action, key string, n *yaml.Node, at place) bool {
	switch key {
	case "note":
		return d.oneNote(&a.Notes, n, at)
	case "params":
		a.ParamsUnknown = saysUnknown(n)
		return a.ParamsUnknown
	case "destructive_source":
		a.DestructiveSource = d.source(n, at.to(key))
		return true
	}
	return false
}

func (d *decoder) oneNote(notes *[]Note, n *yaml.Node, at place) bool {
	var note Note
	d.value(n, reflect.ValueOf(&note).Elem(), at.to("note"))
	*notes = append(*notes, note)
	return true
}

func (d *decoder) note(n *yaml.Node, v reflect.Value, at place) {
	if n.Kind == yaml.MappingNode {
		d.structure(n, v, at)
		return
	}
	note := Note{Source: at.source}
	d.scalar(n, reflect.ValueOf(&note.Text).Elem(), at)
	v.Set(reflect.ValueOf(note))
}

// named decodes entities or actions: a mapping from name to description.
func (d *decoder) named(n *yaml.Node, v reflect.Value, at place) {
	d.mapping(n, at, func(key string, child *yaml.Node) {
		element := namedElement(v, key)
		d.value(child, element, at.to(key))
		element.FieldByName("Name").SetString(key)
		if a, ok := element.Addr().Interface().(*Action); ok {
			d.finishAction(a, child)
		}
	})
}

// namedElement is the element of a slice that has the name, added when missing.
func namedElement(v reflect.Value, name string) reflect.Value {
	for i := range v.Len() {
		if v.Index(i).FieldByName("Name").String() == name {
			return v.Index(i)
		}
	}
	v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	return v.Index(v.Len() - 1)
}

// finishAction sets what an action's YAML leaves to the reader.
func (d *decoder) finishAction(a *Action, n *yaml.Node) {
	if child(n, "destructive") != nil && a.Destructive && child(n, "destructive_source") == nil {
		a.DestructiveSource = Derived
	}
	if d.force != "" && a.Destructive && child(n, "destructive") != nil {
		a.DestructiveSource = d.force
	}
}

func (d *decoder) pairs(n *yaml.Node, v reflect.Value, at place) {
	d.mapping(n, at, func(key string, child *yaml.Node) {
		if child.Kind != yaml.ScalarNode {
			d.problem(child.Line, at.to(key).path, "expected a single value, found %s", describe(child))
			return
		}
		namedElement(v, key).Set(reflect.ValueOf(Pair{Name: key, Value: child.Value}))
	})
}

// auths takes one mapping or a list of them.
func (d *decoder) auths(n *yaml.Node, v reflect.Value, at place) {
	if n.Kind == yaml.SequenceNode {
		d.sequence(n, v, at)
		return
	}
	var auth Auth
	d.value(n, reflect.ValueOf(&auth).Elem(), at)
	v.Set(reflect.ValueOf([]Auth{auth}))
}

// auth understands the short form {header: NAME, value: TEMPLATE}.
func (d *decoder) auth(n *yaml.Node, v reflect.Value, at place) {
	header, value := child(n, "header"), child(n, "value")
	if header == nil && value == nil {
		d.structure(n, v, at)
		return
	}
	if header == nil || value == nil {
		d.problem(n.Line, at.path, "header and value belong together")
		return
	}
	rest := *n
	rest.Content = nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i].Value; k != "header" && k != "value" {
			rest.Content = append(rest.Content, n.Content[i], n.Content[i+1])
		}
	}
	d.structure(&rest, v, at)
	auth := v.Addr().Interface().(*Auth)
	auth.Headers = append(auth.Headers, Pair{Name: header.Value, Value: value.Value})
}

func (d *decoder) variables(n *yaml.Node, v reflect.Value, at place) {
	var variables []GraphQLVariable
	d.mapping(n, at, func(key string, child *yaml.Node) {
		variable := GraphQLVariable{}
		d.structure(child, reflect.ValueOf(&variable).Elem(), at.to(key))
		variable.Name = key
		variables = append(variables, variable)
	})
	v.Set(reflect.ValueOf(variables))
}

func (d *decoder) args(n *yaml.Node, v reflect.Value, at place) {
	var all []GraphQLArgs
	d.mapping(n, at, func(key string, child *yaml.Node) {
		args := GraphQLArgs{Path: graphPath(key)}
		d.pairs(child, reflect.ValueOf(&args.Args).Elem(), at.to(key))
		all = append(all, args)
	})
	v.Set(reflect.ValueOf(all))
}

func (d *decoder) selects(n *yaml.Node, v reflect.Value, at place) {
	var all []GraphQLSelect
	d.mapping(n, at, func(key string, child *yaml.Node) {
		sel := GraphQLSelect{Path: graphPath(key)}
		d.sequence(child, reflect.ValueOf(&sel.Fields).Elem(), at.to(key))
		all = append(all, sel)
	})
	v.Set(reflect.ValueOf(all))
}

// graphPath lets files write "$" for the record itself.
func graphPath(key string) string {
	return strings.TrimPrefix(strings.TrimPrefix(key, "$"), ".")
}

// page takes a mapping or just the style: "page: none".
func (d *decoder) page(n *yaml.Node, v reflect.Value, at place) {
	page := v.Addr().Interface().(*Page)
	if n.Kind == yaml.ScalarNode {
		*page = Page{Source: at.source}
		d.scalar(n, reflect.ValueOf(&page.Style).Elem(), at)
		return
	}
	d.structure(n, v, at)
	if page.Style != "" {
		return
	}
	switch {
	case strings.HasPrefix(page.Next, "last."):
		page.Style = "last_id"
	case strings.HasPrefix(page.Next, "@link."):
		page.Style = "link"
	case page.Send != "":
		page.Style = "cursor"
	default:
		page.Style = "none"
	}
}

// binding takes a mapping or the short form "GET /v1/customers".
func (d *decoder) binding(n *yaml.Node, v reflect.Value, at place) {
	if n.Kind != yaml.ScalarNode {
		d.structure(n, v, at)
		return
	}
	method, path, ok := strings.Cut(n.Value, " ")
	if !ok {
		d.problem(n.Line, at.path, "expected a method and a path, such as \"GET /v1/customers\", found %q", n.Value)
		return
	}
	binding := v.Addr().Interface().(*Binding)
	*binding = Binding{Method: method, Path: strings.TrimSpace(path), Source: Upstream}
	if d.force != "" {
		binding.Source = d.force
	}
}
