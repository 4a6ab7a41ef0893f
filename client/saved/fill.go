package saved

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// Needs lists the variables of a call in the order they are asked for: the
// declared ones, then those that the params use without declaring them.
func (c *Call) Needs() []Variable {
	out := slices.Clone(c.Variables)
	for _, name := range used(c.Params) {
		if !slices.ContainsFunc(out, func(v Variable) bool { return v.Name == name }) {
			out = append(out, Variable{Name: name})
		}
	}
	return out
}

// used lists the variables in the texts of params, each once.
func used(params json.RawMessage) []string {
	var out []string
	for v := range rawjson.Parse(params).Scalars() {
		if v.Kind() != rawjson.String {
			continue
		}
		expand(v.Text(), func(name string) string {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
			return ""
		})
	}
	return out
}

// variable is a variable in a text, or $${, which stands for a literal ${.
var variable = regexp.MustCompile(`\$\$\{|\$\{[^}]*\}`)

// expand puts values in the place of variables.
func expand(s string, value func(name string) string) string {
	return variable.ReplaceAllStringFunc(s, func(found string) string {
		if found == "$${" {
			return "${"
		}
		return value(found[2 : len(found)-1])
	})
}

// Substitute fills the variables in and returns the operation. A variable that
// is the whole of a param's value becomes a number, boolean, array or object
// where its declared type or the catalog's says so; a may be nil. Errors name
// every variable that has no value, that does not suit, or that is not known.
func (c *Call) Substitute(vars map[string]string, a *catalog.Action) (client.Operation, error) {
	f := &filler{vars: map[string]string{}, types: map[string]string{}, action: a}
	for _, v := range c.Needs() {
		f.types[v.Name] = v.Type
		if value, ok := vars[v.Name]; ok {
			f.vars[v.Name] = value
		} else if v.Default != nil {
			f.vars[v.Name] = *v.Default
		}
	}
	for name := range vars {
		if _, ok := f.types[name]; !ok {
			f.bad("%s is not a variable of this call", name)
		}
	}
	op := client.Operation{Entity: c.Entity, Action: c.Action, Params: c.Params, SelectFields: c.SelectFields,
		ExcludeFields: c.ExcludeFields}
	if len(c.Params) > 0 {
		op.Params = f.value(nil, rawjson.Parse(c.Params), "", 0)
	}
	if len(f.problems) > 0 {
		slices.Sort(f.problems)
		return client.Operation{}, &client.Error{Class: client.ClassInvalid, Layer: client.LayerProgram,
			Doing:   "run " + c.Name,
			Message: strings.Join(slices.Compact(f.problems), "; "), Next: "Give each as NAME=VALUE."}
	}
	return op, nil
}

type filler struct {
	vars, types map[string]string
	action      *catalog.Action
	problems    []string
}

func (f *filler) bad(format string, args ...any) {
	f.problems = append(f.problems, fmt.Sprintf(format, args...))
}

// value appends a value with its texts filled in. path is that of the param in the catalog.
func (f *filler) value(dst []byte, n rawjson.Node, path string, depth int) []byte {
	switch {
	case depth > deepest:
		f.bad("the params are nested more than %d levels deep", deepest)
		return append(dst, "null"...)
	case n.Kind() == rawjson.Object, n.Kind() == rawjson.Array:
		ends := "{}"
		if n.Kind() == rawjson.Array {
			ends = "[]"
		}
		dst = append(dst, ends[0])
		empty := len(dst)
		for name, v := range n.Children() {
			if len(dst) > empty {
				dst = append(dst, ',')
			}
			at := path + "[]"
			if name.Exists() {
				dst = append(append(dst, name.Raw()...), ':')
				at = strings.TrimPrefix(path+"."+name.Text(), ".")
			}
			dst = f.value(dst, v, at, depth+1)
		}
		return append(dst, ends[1])
	case n.Kind() == rawjson.String:
		return f.text(dst, n, path)
	}
	return append(dst, n.Raw()...)
}

func (f *filler) text(dst []byte, n rawjson.Node, path string) []byte {
	s := n.Text()
	if !strings.Contains(s, "${") {
		return append(dst, n.Raw()...)
	}
	if strings.HasPrefix(s, "${") && strings.IndexByte(s, '}') == len(s)-1 {
		return f.whole(dst, s[2:len(s)-1], path)
	}
	return rawjson.AppendQuoted(dst, expand(s, func(name string) string {
		v, ok := f.vars[name]
		if !ok {
			f.bad("%s has no value", name)
		}
		return v
	}))
}

// whole appends a variable that is all of a value, as the type it has there.
func (f *filler) whole(dst []byte, name, path string) []byte {
	v, ok := f.vars[name]
	if !ok {
		f.bad("%s has no value", name)
		return append(dst, "null"...)
	}
	declared := f.types[name]
	if declared == "" {
		return f.fitting(dst, v, path, name)
	}
	if !suits(v, declared) {
		f.bad("%s must be %s, not %q", name, declared, v)
	}
	if declared == "string" {
		return rawjson.AppendQuoted(dst, v)
	}
	return append(dst, v...)
}

// fitting appends a value as what the catalog's param takes: a text where it
// takes texts or is not known.
func (f *filler) fitting(dst []byte, v, path, name string) []byte {
	var field *catalog.Field
	if f.action != nil {
		field = f.action.Param(path)
	}
	if field == nil || field.Accepts("string") {
		return rawjson.AppendQuoted(dst, v)
	}
	for _, t := range [...]string{"integer", "number", "boolean"} {
		if field.Accepts(t) && suits(v, t) {
			return append(dst, v...)
		}
	}
	container := field.Accepts("array") && rawjson.Parse([]byte(v)).Kind() == rawjson.Array ||
		field.Accepts("object") && rawjson.Parse([]byte(v)).Kind() == rawjson.Object
	if container && suits(v, "json") {
		return append(dst, v...)
	}
	f.bad("%s must be %s, not %q", name, field.TypeWords(), v)
	return append(dst, "null"...)
}

func suits(v, t string) bool {
	switch t {
	case "integer":
		return rawjson.IsNumber(v) && !strings.ContainsAny(v, ".eE")
	case "number":
		return rawjson.IsNumber(v)
	case "boolean":
		return v == "true" || v == "false"
	case "json":
		return rawjson.Valid([]byte(v))
	}
	return true
}
