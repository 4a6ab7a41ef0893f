package saved

import (
	"encoding/json"
	"fmt"
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
		for _, p := range split(v.Text()) {
			if p.variable && !slices.Contains(out, p.text) {
				out = append(out, p.text)
			}
		}
	}
	return out
}

// part is a piece of a text: literal, or the name of a variable.
type part struct {
	text     string
	variable bool
}

// split takes a text apart at ${NAME}; $${ stands for a literal ${.
func split(s string) []part {
	var out []part
	var literal strings.Builder
	for i := 0; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], "$${"):
			literal.WriteString("${")
			i += 3
		case strings.HasPrefix(s[i:], "${"):
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				literal.WriteString(s[i:])
				i = len(s)
				break
			}
			if literal.Len() > 0 {
				out = append(out, part{text: literal.String()})
				literal.Reset()
			}
			out = append(out, part{text: s[i+2 : i+end], variable: true})
			i += end + 1
		default:
			literal.WriteByte(s[i])
			i++
		}
	}
	if literal.Len() > 0 {
		out = append(out, part{text: literal.String()})
	}
	return out
}

// Escape writes a text so that Substitute gives it back unchanged.
func Escape(s string) string { return strings.ReplaceAll(s, "${", "$${") }

// EscapeParams is Escape for every text in params: what turns the params of a
// call that was run into those of a saved call.
func EscapeParams(params json.RawMessage) json.RawMessage {
	if len(params) == 0 {
		return nil
	}
	f := &filler{escape: true}
	return f.value(nil, rawjson.Parse(params), "", 0)
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
	op := c.Operation()
	if len(c.Params) > 0 {
		op.Params = f.value(nil, rawjson.Parse(c.Params), "", 0)
	}
	if len(f.problems) > 0 {
		slices.Sort(f.problems)
		return client.Operation{}, &client.Error{Class: client.ClassInvalid, Layer: client.LayerProgram, Doing: "run " + c.Name,
			Message: strings.Join(slices.Compact(f.problems), "; "), Next: "Give each as NAME=VALUE."}
	}
	return op, nil
}

type filler struct {
	vars, types map[string]string
	action      *catalog.Action
	escape      bool
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
	case n.Kind() == rawjson.Object:
		dst = append(dst, '{')
		first := true
		for m := range n.Members() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(append(dst, m.Name.Raw()...), ':')
			dst = f.value(dst, m.Value, join(path, m.Key()), depth+1)
		}
		return append(dst, '}')
	case n.Kind() == rawjson.Array:
		dst = append(dst, '[')
		i := 0
		for e := range n.Elems() {
			if i > 0 {
				dst = append(dst, ',')
			}
			i++
			dst = f.value(dst, e, path+"[]", depth+1)
		}
		return append(dst, ']')
	case n.Kind() == rawjson.String:
		return f.text(dst, n, path)
	}
	return append(dst, n.Raw()...)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (f *filler) text(dst []byte, n rawjson.Node, path string) []byte {
	s := n.Text()
	if !strings.Contains(s, "${") {
		return append(dst, n.Raw()...)
	}
	if f.escape {
		return rawjson.AppendQuoted(dst, Escape(s))
	}
	parts := split(s)
	if len(parts) == 1 && parts[0].variable {
		return f.whole(dst, parts[0].text, path)
	}
	var b strings.Builder
	for _, p := range parts {
		if !p.variable {
			b.WriteString(p.text)
			continue
		}
		v, ok := f.vars[p.text]
		if !ok {
			f.bad("%s has no value", p.text)
		}
		b.WriteString(v)
	}
	return rawjson.AppendQuoted(dst, b.String())
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
		f.bad("%s is to be %s, not %q", name, declared, v)
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
	f.bad("%s is to be %s, not %q", name, field.TypeWords(), v)
	return append(dst, "null"...)
}

func suits(v, t string) bool {
	switch t {
	case "integer":
		return isNumber(v) && !strings.ContainsAny(v, ".eE")
	case "number":
		return isNumber(v)
	case "boolean":
		return v == "true" || v == "false"
	case "json":
		return rawjson.Valid([]byte(v))
	}
	return true
}
