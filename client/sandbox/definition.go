package sandbox

import (
	"cmp"
	"regexp"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// document is the connector definition of one operation: OpenAPI with the keys that the
// service adds to it.
type document struct {
	op     *operation
	method *catalog.Method
}

func (d *document) yaml() (string, error) {
	k, b := d.op.d.kind, d.op.a.Binding
	path, one := b.Path, rawjson.NewMap("operationId", d.op.e.Name+"-"+d.op.a.Name, "x-airbyte-entity", d.op.e.Name,
		"x-airbyte-action", d.op.a.Name)
	if b.GraphQL != nil {
		path = b.Path + ":" + d.op.e.Name + ":" + d.op.a.Name
		one.Set("x-airbyte-path-override", rawjson.NewMap("path", b.Path))
	}
	if b.Records != "" {
		one.Set("x-airbyte-record-extractor", "$."+b.Records)
	}
	meta := &rawjson.Map{}
	for _, m := range b.Meta {
		place := m.Value
		if !strings.HasPrefix(place, "@") {
			place = "$." + place
		}
		meta.Set(m.Name, place)
	}
	if meta.Len() > 0 {
		one.Set("x-airbyte-meta-extractor", meta)
	}
	parameters, body := d.inputs()
	one.Set("parameters", parameters)
	if body != nil {
		one.Set("requestBody", body)
	}
	one.Set("responses", rawjson.NewMap("200", rawjson.NewMap("description", "The answer.")))
	return yamlOf(rawjson.NewMap("openapi", "3.1.0",
		"info", rawjson.NewMap("title", k.Title, "version", "1.0.0", "x-airbyte-connector-name", k.ConnectorType,
			"x-airbyte-connector-definition-id", definitionID(k.Summary())),
		"servers", []any{d.server()}, "security", []any{rawjson.NewMap(d.scheme(), []any{})},
		"components", rawjson.NewMap("securitySchemes", rawjson.NewMap(d.scheme(), d.security())),
		"paths", rawjson.NewMap(path, rawjson.NewMap(strings.ToLower(b.Method), one))))
}

func (d *document) server() *rawjson.Map {
	o, variables := rawjson.NewMap("url", d.op.d.kind.Local.BaseURL), &rawjson.Map{}
	for i := range d.op.d.kind.Config {
		if f := &d.op.d.kind.Config[i]; f.ServerVariable {
			variables.Set(f.Name, rawjson.NewMap("default", sample(f)))
		}
	}
	if variables.Len() > 0 {
		o.Set("variables", variables)
	}
	return o
}

// name is what the third party calls a param.
func (d *document) name(f *catalog.Field) string {
	if f.In == "query" && f.Wire != "" {
		return f.Wire
	}
	return f.WireName()
}

// params are the params of the call as the third party calls them.
func (d *document) params() *rawjson.Map {
	op, out := d.op, &rawjson.Map{}
	v, err := data.Parse(catalog.ToWire(nil, op.e, op.a, rawjson.Encode(op.params)))
	given, isObject := v.(*rawjson.Map)
	if err != nil || !isObject {
		return op.params
	}
	names := map[string]string{}
	for i := range op.a.Params {
		names[op.a.Params[i].WireName()] = d.name(&op.a.Params[i])
	}
	for i, name := range given.Keys {
		out.Set(cmp.Or(names[name], name), given.Vals[i])
	}
	return out
}

// inputs are the parameters of the operation, constant headers among them, and its body.
func (d *document) inputs() (parameters []any, body *rawjson.Map) {
	b, properties, required := d.op.a.Binding, &rawjson.Map{}, []any{}
	parameters = []any{}
	for _, list := range [][]catalog.Pair{d.op.d.kind.Local.Headers, b.Headers} {
		for _, h := range list {
			parameters = append(parameters, rawjson.NewMap("name", h.Name, "in", "header",
				"schema", rawjson.NewMap("type", "string", "default", h.Value)))
		}
	}
	for i := range d.op.a.Params {
		f := &d.op.a.Params[i]
		if f.In == "body" && b.GraphQL == nil {
			properties.Set(d.name(f), schemaOf(f))
			if f.Required && !f.Injected {
				required = append(required, d.name(f))
			}
			continue
		}
		in := cmp.Or(f.In, "query")
		if in != "path" && in != "header" { // GraphQL variables are told as parts of the query string
			in = "query"
		}
		p := rawjson.NewMap("name", d.name(f), "in", in, "required", in == "path" || f.Required && !f.Injected,
			"schema", schemaOf(f))
		if in == "query" && strings.Contains(f.Type, "object") {
			p.Set("style", "deepObject")
		}
		parameters = append(parameters, p)
	}
	switch {
	case b.GraphQL != nil:
		body = rawjson.NewMap("x-airbyte-body-type", graphqlBody(b.GraphQL, d.op.a))
	case properties.Len() > 0:
		kind := "application/json"
		if b.Encoding == "form" {
			kind = "application/x-www-form-urlencoded"
		}
		body = rawjson.NewMap("content", rawjson.NewMap(kind, rawjson.NewMap("schema",
			rawjson.NewMap("type", "object", "required", required, "properties", properties))))
	}
	return parameters, body
}

// schemaOf is a field as a JSON Schema.
func schemaOf(f *catalog.Field) *rawjson.Map {
	o, types := &rawjson.Map{}, strings.Split(f.Type, "|")
	switch {
	case f.Type == "any":
	case len(types) == 1:
		o.Set("type", types[0])
	default:
		o.Set("type", types)
	}
	if values := enumOf(wireField(f)); len(values) > 0 && !f.Open && f.Separator == "" {
		o.Set("enum", values)
	}
	if f.Default != nil {
		o.Set("default", f.Default)
	}
	if f.Items != nil {
		o.Set("items", schemaOf(f.Items))
	}
	if len(f.Members) > 0 {
		inner := &rawjson.Map{}
		for i := range f.Members {
			inner.Set(f.Members[i].WireName(), schemaOf(&f.Members[i]))
		}
		o.Set("properties", inner)
	}
	return o
}

func (d *document) scheme() string { return cmp.Or(d.method.Option, d.method.Method+"Auth") }

var basicAuth = regexp.MustCompile(`^Basic base64\((.*):(.*)\)$`)

// security is the scheme by which the third party takes the credentials.
func (d *document) security() *rawjson.Map {
	auth := authOf(d.op.d.kind, d.method)
	o, mapping, more := &rawjson.Map{}, &rawjson.Map{}, &rawjson.Map{}
	for i, h := range auth.Headers {
		token, isBearer := strings.CutPrefix(h.Value, "Bearer ")
		basic := basicAuth.FindStringSubmatch(h.Value)
		switch {
		case i > 0:
			more.Set(h.Name, h.Value)
		case isBearer:
			o, mapping = rawjson.NewMap("type", "http", "scheme", "bearer"), rawjson.NewMap("token", token)
		case basic != nil:
			o = rawjson.NewMap("type", "http", "scheme", "basic")
			mapping = rawjson.NewMap("username", basic[1], "password", basic[2])
		default:
			o = rawjson.NewMap("type", "apiKey", "in", "header", "name", h.Name)
			mapping = rawjson.NewMap("api_key", h.Value)
		}
	}
	properties, required, places := &rawjson.Map{}, []any{}, &rawjson.Map{}
	for i := range d.method.Fields {
		f := &d.method.Fields[i]
		properties.Set(f.Name, rawjson.NewMap("type", f.Type))
		places.Set("credentials."+f.Name, f.Name)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	config := rawjson.NewMap("type", "object", "required", required, "properties", properties, "auth_mapping", mapping,
		"replication_auth_key_mapping", places)
	if more.Len() > 0 {
		config.Set("additional_headers", more)
	}
	o.Set("x-airbyte-auth-config", config)
	return o
}
