package definition

import (
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"
	v2 "github.com/pb33f/libopenapi/datamodel/high/v2"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/pb33f/libopenapi/orderedmap"
)

type requirement = base.SecurityRequirement

// fromSwagger writes a definition of Swagger 2.0 in the words of OpenAPI 3.
func fromSwagger(s *v2.Swagger, root node, err error) *document {
	doc := &document{version: s.Swagger, info: s.Info, security: s.Security, problems: split(err),
		ext: extensions{s.Extensions}}
	if doc.info == nil {
		doc.info = &base.Info{}
	}
	for _, scheme := range s.Schemes {
		if s.Host != "" && (scheme == "https" || scheme == "http") {
			doc.servers = append(doc.servers, &v3.Server{URL: scheme + "://" + s.Host + s.BasePath})
		}
	}
	switch {
	case len(doc.servers) > 0:
	case s.Host != "":
		doc.servers = []*v3.Server{{URL: "https://" + s.Host + s.BasePath}}
	case s.BasePath != "":
		doc.servers = []*v3.Server{{URL: s.BasePath}}
	}
	if s.Definitions != nil {
		doc.schemas = s.Definitions.Definitions
	}
	doc.schemes = orderedmap.New[string, *v3.SecurityScheme]()
	if s.SecurityDefinitions != nil {
		root.child("securityDefinitions").each(func(name string, _ node) { // the model has them in any order
			if scheme, ok := s.SecurityDefinitions.Definitions.Get(name); ok && scheme != nil {
				doc.schemes.Set(name, schemeOf(scheme))
			}
		})
	}
	if s.Paths == nil {
		return doc
	}
	for path, item := range s.Paths.PathItems.FromOldest() {
		for method, o := range item.GetOperations().FromOldest() {
			one := fromSwaggerOperation(s, path, method, item, o)
			if at := root.child("paths").child(path).child(method); at.exists() {
				one.line = at.yaml.Line
			}
			doc.operations = append(doc.operations, one)
		}
	}
	return doc
}

func fromSwaggerOperation(s *v2.Swagger, path, method string, item *v2.PathItem, o *v2.Operation) *operation {
	one := &operation{method: strings.ToUpper(method), path: path, id: o.OperationId, tags: o.Tags,
		doc: first(o.Description, o.Summary), security: o.Security, deprecated: o.Deprecated,
		ext: extensions{o.Extensions}}
	consumes, produces := o.Consumes, o.Produces
	if consumes == nil {
		consumes = s.Consumes
	}
	if produces == nil {
		produces = s.Produces
	}
	var shared, own []*v3.Parameter
	for i, list := range [][]*v2.Parameter{item.Parameters, o.Parameters} {
		for _, p := range list {
			if p == nil {
				continue
			}
			if p.In == "body" || p.In == "formData" {
				one.addToBody(p, consumes)
				continue
			}
			if i == 0 {
				shared = append(shared, paramOf(p))
			} else {
				own = append(own, paramOf(p))
			}
		}
	}
	one.params = merged(shared, own)
	one.responses = orderedmap.New[string, *v3.Response]()
	if o.Responses != nil && o.Responses.Codes != nil {
		for code, r := range o.Responses.Codes.FromOldest() {
			content := orderedmap.New[string, *v3.MediaType]()
			if len(produces) == 0 {
				produces = []string{"application/json"}
			}
			if r.Schema != nil {
				for _, media := range produces {
					content.Set(media, &v3.MediaType{Schema: r.Schema})
				}
			}
			one.responses.Set(code, &v3.Response{Description: r.Description, Content: content})
		}
	}
	return one
}

// paramOf is a param with its schema apart.
func paramOf(p *v2.Parameter) *v3.Parameter {
	out := &v3.Parameter{Name: p.Name, In: p.In, Description: p.Description, Required: p.Required,
		Extensions: p.Extensions, Schema: base.CreateSchemaProxy(schemaOf(p))}
	switch p.CollectionFormat {
	case "multi", "":
		if p.CollectionFormat == "" && p.Type == "array" { // csv is the default
			out.Explode = new(false)
		}
	case "pipes":
		out.Style = "pipeDelimited"
	case "ssv":
		out.Style = "spaceDelimited"
	default:
		out.Explode = new(false)
	}
	return out
}

func schemaOf(p *v2.Parameter) *base.Schema {
	s := &base.Schema{Format: p.Format, Default: p.Default, Enum: p.Enum, UniqueItems: p.UniqueItems,
		Pattern:     p.Pattern,
		Description: p.Description}
	if p.Type != "" {
		s.Type = []string{p.Type}
	}
	if p.Minimum != nil {
		s.Minimum = new(float64(*p.Minimum))
	}
	if p.Maximum != nil {
		s.Maximum = new(float64(*p.Maximum))
	}
	if p.MaxItems != nil {
		s.MaxItems = new(int64(*p.MaxItems))
	}
	if p.Items != nil {
		s.Items = &base.DynamicValue[*base.SchemaProxy, bool]{A: base.CreateSchemaProxy(itemsOf(p.Items))}
	}
	return s
}

func itemsOf(i *v2.Items) *base.Schema {
	s := &base.Schema{Format: i.Format, Enum: i.Enum, Default: i.Default}
	if i.Type != "" {
		s.Type = []string{i.Type}
	}
	if i.Items != nil {
		s.Items = &base.DynamicValue[*base.SchemaProxy, bool]{A: base.CreateSchemaProxy(itemsOf(i.Items))}
	}
	return s
}

// addToBody puts a param of a body, or a field of a form, into the request body.
func (o *operation) addToBody(p *v2.Parameter, consumes []string) {
	media := "application/json"
	for _, c := range consumes {
		if p.In == "formData" && strings.Contains(c, "form") || p.In == "body" && strings.HasSuffix(c, "json") {
			media = c
			break
		}
	}
	if p.In == "formData" && !strings.Contains(media, "form") {
		media = "application/x-www-form-urlencoded"
	}
	if o.body == nil {
		o.body = &v3.RequestBody{Required: p.Required, Content: orderedmap.New[string, *v3.MediaType](),
			Extensions: p.Extensions}
	}
	if p.In == "body" {
		o.body.Content.Set(media, &v3.MediaType{Schema: p.Schema})
		return
	}
	m, ok := o.body.Content.Get(media)
	if !ok {
		form := &base.Schema{Type: []string{"object"}, Properties: orderedmap.New[string, *base.SchemaProxy]()}
		m = &v3.MediaType{Schema: base.CreateSchemaProxy(form)}
		o.body.Content.Set(media, m)
	}
	form := m.Schema.Schema()
	form.Properties.Set(p.Name, base.CreateSchemaProxy(schemaOf(p)))
	if p.Required != nil && *p.Required {
		form.Required = append(form.Required, p.Name)
	}
}

func schemeOf(s *v2.SecurityScheme) *v3.SecurityScheme {
	out := &v3.SecurityScheme{Type: s.Type, Description: s.Description, Name: s.Name, In: s.In,
		Extensions: s.Extensions}
	if s.Type == "basic" {
		out.Type, out.Scheme = "http", "basic"
	}
	if s.Type != "oauth2" {
		return out
	}
	flow := &v3.OAuthFlow{AuthorizationUrl: s.AuthorizationUrl, TokenUrl: s.TokenUrl}
	if s.Scopes != nil {
		flow.Scopes = s.Scopes.Values
	}
	out.Flows = &v3.OAuthFlows{}
	switch s.Flow {
	case "application":
		out.Flows.ClientCredentials = flow
	case "password":
		out.Flows.Password = flow
	case "implicit":
		out.Flows.Implicit = flow
	default:
		out.Flows.AuthorizationCode = flow
	}
	return out
}
