package local

import (
	"fmt"
	"net/url"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// pair is one key and value of a query or form.
type pair struct{ key, value string }

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
func queryPairs(out []pair, f *catalog.Field, n rawjson.Node) []pair {
	key := f.HTTPName()
	switch {
	case f.Style == "json":
		return append(out, pair{key, text(n)})
	case f.Style == "comma" && n.Kind() == rawjson.Array:
		return append(out, pair{key, joined(n, ",")})
	case f.Separator != "" && n.Kind() == rawjson.Array:
		return append(out, pair{key, joined(n, f.Separator)})
	case n.Kind() == rawjson.Array:
		for e := range n.Elems() {
			if e.Kind() != rawjson.Null {
				out = append(out, pair{key, text(e)})
			}
		}
		return out
	}
	return bracketed(out, key, f, n)
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
func formPairs(out []pair, f *catalog.Field, n rawjson.Node) []pair {
	switch {
	case f.Style == "json":
		return append(out, pair{f.HTTPName(), text(n)})
	case f.Style == "comma" && n.Kind() == rawjson.Array:
		return append(out, pair{f.HTTPName(), joined(n, ",")})
	}
	return bracketed(out, f.HTTPName(), f, n)
}

// deepestForm bounds the nesting of brackets; what lies deeper is written as JSON.
const deepestForm = 32

// bracketed writes nested values under key[member] and key[index].
func bracketed(out []pair, key string, f *catalog.Field, n rawjson.Node) []pair {
	if strings.Count(key, "[") >= deepestForm {
		return append(out, pair{key, text(n)})
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
		i := 0
		for e := range n.Elems() {
			out = bracketed(out, fmt.Sprintf("%s[%d]", key, i), items(f), e)
			i++
		}
		return out
	}
	return append(out, pair{key, text(n)})
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

func items(f *catalog.Field) *catalog.Field {
	if f == nil {
		return nil
	}
	return f.Items
}

// encodePairs writes query or form text. A blank is %20 in a query, which every
// server reads, and + in a form.
func encodePairs(pairs []pair, form bool) string {
	var b strings.Builder
	for i, p := range pairs {
		if i > 0 {
			b.WriteByte('&')
		}
		key, value := url.QueryEscape(p.key), url.QueryEscape(p.value)
		if !form {
			key, value = strings.ReplaceAll(key, "+", "%20"), strings.ReplaceAll(value, "+", "%20")
		}
		b.WriteString(key)
		b.WriteByte('=')
		b.WriteString(value)
	}
	return b.String()
}

// jsonBody collects the members of a JSON object in the order they come.
type jsonBody struct {
	out []byte
}

func (b *jsonBody) put(name string, f *catalog.Field, n rawjson.Node) {
	if b.out == nil {
		b.out = append(b.out, '{')
	} else {
		b.out = append(b.out, ',')
	}
	b.out = rawjson.AppendQuoted(b.out, name)
	b.out = append(b.out, ':')
	b.out = appendValue(b.out, f, n)
}

func (b *jsonBody) bytes() []byte {
	if b.out == nil {
		return []byte("{}")
	}
	return append(b.out, '}')
}

// appendValue writes a value as given, or with renamed members where the request
// has other names than the definition.
func appendValue(dst []byte, f *catalog.Field, n rawjson.Node) []byte {
	if !renames(f) {
		out, _ := n.AppendCompact(dst, 0)
		return out
	}
	switch n.Kind() {
	case rawjson.Object:
		dst = append(dst, '{')
		first := true
		for m := range n.Members() {
			inner, name := member(f, m.Key())
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = rawjson.AppendQuoted(dst, name)
			dst = append(dst, ':')
			dst = appendValue(dst, inner, m.Value)
		}
		return append(dst, '}')
	case rawjson.Array:
		dst = append(dst, '[')
		first := true
		for e := range n.Elems() {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = appendValue(dst, f.Items, e)
		}
		return append(dst, ']')
	}
	out, _ := n.AppendCompact(dst, 0)
	return out
}

// renames tells whether anything inside a field has another name in the request.
func renames(f *catalog.Field) bool {
	if f == nil {
		return false
	}
	for i := range f.Members {
		if f.Members[i].Wire != "" || renames(&f.Members[i]) {
			return true
		}
	}
	return renames(f.Items) || renames(f.Values)
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
	var b strings.Builder
	for i := range len(value) {
		c := value[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String(), ""
}
