package definition

import (
	"regexp"
	"slices"
	"strings"

	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// servers reads where the API is. A definition without an address asks for one.
func (b *builder) servers() {
	k := b.kind()
	for i, s := range b.doc.servers {
		if s == nil {
			continue
		}
		at := strings.TrimRight(absolute(s.URL, b.o.From), "/")
		if !strings.Contains(at, "://") && !strings.HasPrefix(at, "{") {
			b.leave("the server %q has no address of its own: set base_url", s.URL)
			continue
		}
		b.variables(s, at)
		if i == 0 || k.Local.BaseURL == "" {
			k.Local.BaseURL = at
		} else if !slices.Contains(k.Local.Servers, at) && at != k.Local.BaseURL {
			k.Local.Servers = append(k.Local.Servers, at)
		}
	}
	if k.Local.BaseURL == "" {
		b.leave("the definition names no server: set base_url before the first call")
		k.Local.BaseURL = "{base_url}"
		k.Config = append(k.Config, catalog.Field{Name: "base_url", Type: "string", Required: true,
			ServerVariable: true, Format: "uri", Doc: "Address of the API, which the definition does not name."})
	}
}

var braces = regexp.MustCompile(`\{([^{}]*)\}`)

// variables become configuration values.
func (b *builder) variables(s *v3.Server, at string) {
	k := b.kind()
	for _, m := range braces.FindAllStringSubmatch(at, -1) {
		if catalog.FieldByName(k.Config, m[1]) != nil {
			continue
		}
		f := catalog.Field{Name: m[1], Type: "string", ServerVariable: true}
		if s.Variables != nil {
			if v, ok := s.Variables.Get(m[1]); ok && v != nil {
				f.Doc = sentence(v.Description)
				for _, e := range v.Enum {
					f.Enum = append(f.Enum, rawjson.AppendQuoted(nil, e))
				}
				if v.Default != "" && !strings.HasPrefix(v.Default, "your") && !strings.Contains(v.Default, "{{") {
					f.Default = rawjson.AppendQuoted(nil, v.Default)
				}
				own(&f, extensions{v.Extensions})
			}
		}
		f.Required = f.Default == nil
		settle(&f)
		k.Config = append(k.Config, f)
	}
}
