package local

import (
	"bytes"
	"strings"

	"patchbay/client/rawjson"
)

// tellApart gives a field that several types at one place select a name of its own
// for all but the first of them, and adds it to aliases: a document in which one name
// stands for values of two types is refused, and only the server's schema knows the
// types.
func (s *selection) tellApart(aliases map[string]string) {
	taken := map[string]bool{}
	for _, c := range s.children {
		c.tellApart(aliases)
		kind, typed := strings.CutPrefix(c.name, fragment)
		if !typed {
			continue
		}
		for _, field := range c.children {
			if taken[field.name] {
				field.alias = field.name + "__" + kind
				aliases[field.alias] = field.name
			}
			taken[field.name] = true
		}
	}
}

// named is an answer under the names of its fields instead of their aliases.
func named(body rawjson.Source, aliases map[string]string) rawjson.Source {
	if len(aliases) == 0 {
		return body
	}
	text := body.Slice(0, body.Len())
	out, done := make([]byte, 0, len(text)), 0
	for at := 0; at < len(text); at++ {
		if text[at] != '"' {
			continue
		}
		from := at + 1
		for at++; at < len(text) && text[at] != '"'; at++ {
			if text[at] == '\\' {
				at++
			}
		}
		if at >= len(text) {
			break
		}
		name, known := aliases[string(text[from:at])]
		if known && bytes.HasPrefix(bytes.TrimLeft(text[at+1:], " \t\r\n"), []byte(":")) {
			out, done = append(append(out, text[done:from]...), name...), at
		}
	}
	return rawjson.Bytes(append(out, text[done:]...))
}
