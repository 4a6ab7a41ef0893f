package local

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// keyValue is one key and value of a query or form.
type keyValue struct{ key, value string }

// text writes a value as it stands in a query, path, header or form.
func text(n rawjson.Node) string {
	switch n.Kind() {
	case rawjson.Object, rawjson.Array:
		out, _ := n.AppendCompact(nil, 0)
		return string(out)
	}
	return n.Text()
}

// queryPairs writes a param as query keys: arrays repeat the key, objects are
// bracketed, null is left out; the field's style may say otherwise.
func queryPairs(out []keyValue, f *catalog.Field, n rawjson.Node) []keyValue {
	switch {
	case n.Kind() != rawjson.Array || f.Style == "json" || f.Style == "comma":
	case f.Separator != "":
		return append(out, keyValue{f.HTTPName(), joined(n, f.Separator)})
	default:
		for e := range n.Elems() {
			if e.Kind() != rawjson.Null {
				out = append(out, keyValue{f.HTTPName(), text(e)})
			}
		}
		return out
	}
	return formPairs(out, f, n)
}

func joined(n rawjson.Node, separator string) string {
	var parts []string
	for e := range n.Elems() {
		if e.Kind() != rawjson.Null {
			parts = append(parts, text(e))
		}
	}
	return strings.Join(parts, separator)
}

// formPairs writes a param as form keys: a[b]=v, a[0]=v, a[0][b]=v.
func formPairs(out []keyValue, f *catalog.Field, n rawjson.Node) []keyValue {
	switch {
	case f.Style == "json":
		return append(out, keyValue{f.HTTPName(), text(n)})
	case f.Style == "comma" && n.Kind() == rawjson.Array:
		return append(out, keyValue{f.HTTPName(), joined(n, ",")})
	}
	return bracketed(out, f.HTTPName(), f, n)
}

// deepestForm bounds the nesting of brackets; what lies deeper is written as JSON.
const deepestForm = 32

// bracketed writes nested values under key[member] and key[index].
func bracketed(out []keyValue, key string, f *catalog.Field, n rawjson.Node) []keyValue {
	if strings.Count(key, "[") >= deepestForm {
		return append(out, keyValue{key, text(n)})
	}
	switch n.Kind() {
	case rawjson.Null, rawjson.Invalid:
		return out
	case rawjson.Object:
		for m := range n.Members() {
			inner, name := member(f, m.Key())
			out = bracketed(out, key+"["+name+"]", inner, m.Value)
		}
		return out
	case rawjson.Array:
		var item *catalog.Field
		if f != nil {
			item = f.Items
		}
		i := 0
		for e := range n.Elems() {
			out = bracketed(out, fmt.Sprintf("%s[%d]", key, i), item, e)
			i++
		}
		return out
	}
	return append(out, keyValue{key, text(n)})
}

// member finds what the catalog knows of a member and its name in the request.
func member(f *catalog.Field, key string) (*catalog.Field, string) {
	if f == nil {
		return nil, key
	}
	if inner := catalog.FieldByName(f.Members, key); inner != nil {
		return inner, inner.HTTPName()
	}
	return f.Values, key
}

// encodePairs writes query or form text. A blank is %20 in a query, which every
// server reads, and + in a form.
func encodePairs(pairs []keyValue, form bool) string {
	out := make([]string, len(pairs))
	for i, p := range pairs {
		out[i] = url.QueryEscape(p.key) + "=" + url.QueryEscape(p.value)
		if !form {
			out[i] = strings.ReplaceAll(out[i], "+", "%20")
		}
	}
	return strings.Join(out, "&")
}

// sent is a value as the request has it: as given, or with other names of members and
// in another form where those of the request differ from the definition's.
func sent(f *catalog.Field, n rawjson.Node) any {
	switch {
	case f != nil && n.Kind() == rawjson.String && (f.WireType != "" || f.WireCase != ""):
		return reshaped(f, n.Text())
	case renames(f) && n.Kind() == rawjson.Object:
		out := &rawjson.Map{}
		for m := range n.Members() {
			inner, name := member(f, m.Key())
			out.Add(name, sent(inner, m.Value))
		}
		return out
	case renames(f) && n.Kind() == rawjson.Array:
		out := []any{}
		for e := range n.Elems() {
			out = append(out, sent(f.Items, e))
		}
		return out
	}
	compact, _ := n.AppendCompact(nil, 0)
	return json.RawMessage(compact)
}

// reshaped is a text in the type and the case of the request.
func reshaped(f *catalog.Field, text string) any {
	if f.WireCase == "upper" {
		text = strings.ToUpper(text)
	}
	switch {
	case f.WireType == "array":
		list := []any{}
		for part := range strings.SplitSeq(text, f.Separator) {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
		return list
	case f.WireType == "boolean" && (text == "true" || text == "false"):
		return text == "true"
	}
	return text
}

// renames reports whether anything of a field has another name or form in the request.
func renames(f *catalog.Field) bool {
	if f == nil {
		return false
	}
	return f.WireType != "" || f.WireCase != "" || renames(f.Items) || renames(f.Values) ||
		slices.ContainsFunc(f.Members, func(m catalog.Field) bool { return m.Wire != "" || renames(&m) })
}

// pathSegment percent-encodes all but the unreserved characters. Blank values
// and dots that servers would resolve are refused.
func pathSegment(value string) (string, string) {
	switch strings.TrimSpace(value) {
	case "":
		return "", "it is blank"
	case ".", "..":
		return "", "it would lead to another address"
	}
	return strings.ReplaceAll(url.QueryEscape(value), "+", "%20"), ""
}

// lookup finds the value of a name in a template.
type lookup func(name string) (string, bool)

// expand fills the ${names} of a template and encodes what stands in
// base64(...). ok is false when get knows one of the names not.
func expand(template string, get lookup) (string, bool) {
	if before, inner, after, found := encoded(template); found {
		head, ok1 := expand(before, get)
		text, ok2 := expand(inner, get)
		tail, ok3 := expand(after, get)
		return head + base64.StdEncoding.EncodeToString([]byte(text)) + tail, ok1 && ok2 && ok3
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "${")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		name, after, closed := strings.Cut(rest, "}")
		value, known := get(name)
		if !closed || !known {
			return "", false
		}
		b.WriteString(value)
		template = after
	}
}

// encoded splits a template around base64(...).
func encoded(template string) (before, inner, after string, found bool) {
	before, rest, found := strings.Cut(template, "base64(")
	end := strings.LastIndexByte(rest, ')')
	if !found || end < 0 {
		return template, "", "", false
	}
	return before, rest[:end], rest[end+1:], true
}

// fill expands pairs; those with an unknown name are left out.
func fill(templates []catalog.Pair, get lookup) []keyValue {
	var out []keyValue
	for _, t := range templates {
		if v, ok := expand(t.Value, get); ok {
			out = append(out, keyValue{t.Name, v})
		}
	}
	return out
}

// names lists the ${names} of a template.
func names(template string) []string {
	var out []string
	expand(template, func(name string) (string, bool) { out = append(out, name); return "", true })
	return out
}
