package definition

import (
	"regexp"
	"slices"
	"strings"

	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"

	"patchbay/catalog"
)

// credentials reads the ways to sign calls, in the order of the file.
func (b *builder) credentials() {
	if b.doc.schemes != nil {
		for name, s := range b.doc.schemes.FromOldest() {
			if s != nil && b.wanted(name) {
				b.scheme(name, s)
			}
		}
	}
	if len(b.kind().Credentials) > 0 {
		return
	}
	token := secretField("token")
	if !b.doc.isFamily() {
		token.Required = false
		b.leave("the definition says nothing that can be used of credentials: a bearer token is sent where " +
			"one is given")
	}
	b.method("", "token", "Token", []catalog.Field{token},
		catalog.Auth{Headers: []catalog.Pair{{Name: "Authorization", Value: "Bearer ${token}"}}})
}

// wanted reports whether calls use a scheme. A plain definition says which.
func (b *builder) wanted(name string) bool {
	if b.doc.isFamily() {
		return true
	}
	used, any := false, false
	look := func(list []*requirement) {
		for _, r := range list {
			any = true
			if r != nil && r.Requirements != nil {
				_, has := r.Requirements.Get(name)
				used = used || has
			}
		}
	}
	look(b.doc.security)
	for _, o := range b.doc.operations {
		look(o.security)
	}
	return used || !any
}

func secretField(name string) catalog.Field {
	return catalog.Field{Name: name, Type: "string", Required: true, Secret: true}
}

// method adds a way to sign calls.
func (b *builder) method(option, method, title string, fields []catalog.Field, auth catalog.Auth) {
	k := b.kind()
	auth.Method, auth.Option = method, option
	k.Credentials = append(k.Credentials, catalog.Method{Method: method, Option: option, Title: title, Fields: fields})
	k.Local.Auth = append(k.Local.Auth, auth)
}

// scheme reads one security scheme.
func (b *builder) scheme(name string, s *v3.SecurityScheme) {
	config := extensions{s.Extensions}.node(family + "auth-config")
	targets, fields := mapping(config)
	target := func(of string) string {
		if t, ok := targets[of]; ok {
			return t
		}
		if len(targets) == 0 {
			fields = append(fields, credentialField(of))
			return "${" + of + "}"
		}
		return ""
	}
	auth, method := catalog.Auth{}, "token"
	header := func(name, value string) { auth.Headers = append(auth.Headers, catalog.Pair{Name: name, Value: value}) }
	switch kind := strings.ToLower(s.Type + " " + s.Scheme); {
	case kind == "http basic", s.Type == "basic":
		header("Authorization", "Basic base64("+target("username")+":"+target("password")+")")
	case strings.HasPrefix(kind, "http"):
		n := min(1, len(s.Scheme))
		word := first(strings.ToUpper(s.Scheme[:n])+s.Scheme[n:], "Bearer")
		header("Authorization", word+" "+target("token"))
	case strings.EqualFold(s.Type, "apiKey") && s.In == "query" && !b.doc.isFamily():
		auth.Query = []catalog.Pair{{Name: s.Name, Value: target("api_key")}}
	case strings.EqualFold(s.Type, "apiKey") && s.In == "cookie":
		b.leave("the security scheme %s stands in a cookie, which is not sent", name)
		return
	case strings.EqualFold(s.Type, "apiKey"):
		header(s.Name, target("api_key"))
	case strings.EqualFold(s.Type, "oauth2"), strings.EqualFold(s.Type, "openIdConnect"):
		method = "oauth"
		b.oauth(s, &auth, target)
	default:
		b.leave("the security scheme %s is of the type %q, which is not known", name, s.Type)
		return
	}
	config.child("additional_headers").each(func(name string, v node) { header(name, jinja(v.text())) })
	title := first(config.child("title").text(), sentence(s.Description), name)
	b.method(name, method, title, fields, auth)
	m := &b.kind().Credentials[len(b.kind().Credentials)-1]
	m.Scopes = scopes(s)
}

// mapping reads which credential fields fill which part of a scheme.
func mapping(config node) (targets map[string]string, fields []catalog.Field) {
	required := config.child("required").texts()
	config.child("properties").each(func(name string, v node) {
		f := credentialField(name)
		f.Required = slices.Contains(required, name)
		f.Doc = sentence(first(v.child("description").text(), v.child("title").text()))
		if t := v.child("type").text(); t == "integer" || t == "number" || t == "boolean" {
			f.Type = t
		}
		if d := v.child("default"); d.exists() && !strings.Contains(d.text(), "{{") {
			f.Default = d.json()
		}
		settle(&f)
		fields = append(fields, f)
	})
	targets = map[string]string{}
	config.child("auth_mapping").each(func(target string, v node) { targets[target] = v.text() })
	return targets, fields
}

// open are credential fields that everybody may see, by what stands in their names.
var open = regexp.MustCompile(`(?i)user_?name|e-?mail|client_?id|account_?sid|sub_?domain|domain|tenant|region|host|` +
	`site|shop|url|version|customer_id`)

func credentialField(name string) catalog.Field {
	f := secretField(name)
	f.Secret = !open.MatchString(name)
	return f
}

var expression = regexp.MustCompile(`\{\{-?\s*([A-Za-z_][\w.]*)\s*-?\}\}`)

// jinja turns {{ name }} into ${name}.
func jinja(text string) string { return expression.ReplaceAllString(text, "$${$1}") }

// oauth reads how an access token is sent and renewed.
func (b *builder) oauth(s *v3.SecurityScheme, auth *catalog.Auth, target func(string) string) {
	auth.Headers = []catalog.Pair{{Name: "Authorization", Value: "Bearer ${access_token}"}}
	flow := flowOf(s)
	ext := extensions{s.Extensions}
	access := target("access_token")
	if flow == nil || flow.RefreshUrl == "" && flow.TokenUrl == "" {
		auth.Headers[0].Value = "Bearer " + first(access, "${access_token}")
		return
	}
	style := ext.node(family + "token-refresh")
	refresh := &catalog.Refresh{Method: "POST", URL: jinja(absolute(first(flow.RefreshUrl, flow.TokenUrl), b.o.From)),
		Encoding: first(style.child("body_format").text(), "form"), Rotates: true,
		Sets: ext.node(family + "token-extract").texts()}
	refresh.URL = braced(refresh.URL)
	grant := target("refresh_token")
	id, secret := target("client_id"), target("client_secret")
	if s.Flows.ClientCredentials == flow && !b.doc.isFamily() {
		refresh.Body, refresh.Rotates = []catalog.Pair{{Name: "grant_type", Value: "client_credentials"}}, false
	} else {
		refresh.Body = []catalog.Pair{{Name: "grant_type", Value: "refresh_token"},
			{Name: "refresh_token", Value: grant}}
	}
	switch first(style.child("auth_style").text(), "body") {
	case "basic":
		refresh.Headers = []catalog.Pair{{Name: "Authorization", Value: "Basic base64(" + id + ":" + secret + ")"}}
	case "body":
		for _, p := range []catalog.Pair{{Name: "client_id", Value: id}, {Name: "client_secret", Value: secret}} {
			if p.Value != "" {
				refresh.Body = append(refresh.Body, p)
			}
		}
	}
	if grant == "" && refresh.Rotates || flow.RefreshUrl == "" && b.doc.isFamily() {
		auth.Headers[0].Value = "Bearer " + first(access, "${access_token}")
		return
	}
	auth.Refresh = refresh
}

// braced writes {name} of an address as ${name}.
func braced(url string) string {
	return strings.ReplaceAll(braces.ReplaceAllString(strings.ReplaceAll(url, "${", "{"), "$${$1}"), "$$", "$")
}

// flowOf is the flow that a program can take part in.
func flowOf(s *v3.SecurityScheme) *v3.OAuthFlow {
	if s.Flows == nil {
		return nil
	}
	for _, f := range []*v3.OAuthFlow{s.Flows.AuthorizationCode, s.Flows.ClientCredentials, s.Flows.Password,
		s.Flows.Implicit} {
		if f != nil {
			return f
		}
	}
	return nil
}

func scopes(s *v3.SecurityScheme) (out []string) {
	for _, one := range (extensions{s.Extensions}).node(family + "oauth-scopes").items() {
		if t := one.child("scope").text(); t != "" {
			out = append(out, t)
		}
	}
	if flow := flowOf(s); len(out) == 0 && flow != nil && flow.Scopes != nil {
		for name := range flow.Scopes.FromOldest() {
			out = append(out, name)
		}
	}
	return out
}
