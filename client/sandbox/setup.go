package sandbox

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// setup is a session in which a person gives what a connector needs, on a page; the
// program that opened it asks until it is over, and creates the connector with what the
// session holds. Without anybody at the page it is over as soon as it begins.
type setup struct {
	org    string
	kind   *catalog.Kind
	object *rawjson.Map
}

// States of a session.
const (
	setupPending   = "pending"
	setupCompleted = "completed"
	setupFailed    = "failed"
)

// openSession begins a session.
func (c *call) openSession() *answer {
	k := c.defined(c.in.Text("source_definition_id"))
	c.a.pickWorkspace(c.org, "", c.in.Text("workspace_id"))
	t := globalTemplate(k.Summary(), c.a.born())
	if id := c.in.Text("source_template_id"); id != "" {
		t = c.template(id)
	}
	if t.about.Name != k.Name {
		panic(invalid("source_template_id", "The template %s is not one of the definition.", t.name))
	}
	id := c.a.next("session")
	c.a.sessions[id] = &setup{c.org, k, rawjson.NewMap("session_id", id, "status", setupCompleted, "error", nil,
		"source_id", nil, "source_template_id", t.id, "auth_payload", payloadOf(k))}
	return ok(rawjson.NewMap("session_id", id))
}

// setupInputs are the values that a connector of a kind needs: the credentials of its
// first method, OAuth before others, and the configuration that nobody can know.
func setupInputs(k *catalog.Kind) []input {
	m := oauthMethod(k)
	if i := slices.IndexFunc(k.Credentials, func(m catalog.Method) bool { return !m.Unavailable }); m == nil && i >= 0 {
		m = &k.Credentials[i]
	}
	var out []input
	if m != nil {
		for i := range m.Fields {
			if f := &m.Fields[i]; f.Required {
				out = append(out, input{f.Name, sample(f), f.Secret})
			}
		}
	}
	for i := range k.Config {
		f := &k.Config[i]
		if !unknowable(f) && !slices.ContainsFunc(out, func(in input) bool { return in.name == f.Name }) {
			out = append(out, input{f.Name, sample(f), f.Secret})
		}
	}
	return out
}

// payloadOf is what a session holds when nobody typed anything.
func payloadOf(k *catalog.Kind) *rawjson.Map {
	payload := &rawjson.Map{}
	for _, in := range setupInputs(k) {
		payload.Set(in.name, in.value)
	}
	return payload
}

// sample is a value that a field may hold.
func sample(f *catalog.Field) string {
	switch {
	case len(f.Enum) > 0:
		return rawjson.TextOf(constant(f.Enum[0]))
	case f.Default != nil:
		return rawjson.TextOf(constant(f.Default))
	case f.Format == "uri" || strings.Contains(f.Name, "url"):
		return "https://sandbox.example"
	}
	return "sandbox-" + f.Name
}

// setupOf finds the session that is named.
func (c *call) setupOf(org, id string) *setup {
	if s := c.a.sessions[id]; s != nil && s.org == org {
		return s
	}
	panic(refuse(http.StatusNotFound, "No session with id %s exists.", id))
}

// session answers with a session, and takes the source that was made in it.
func (c *call) session() *answer {
	s := c.setupOf(c.org, c.id)
	if c.in != nil {
		s.object.Set("source_id", c.in.Value("source_id"))
	}
	return ok(s.object)
}

// widgetToken gives a token for the page on which people add connectors.
func (c *call) widgetToken() *answer {
	ws := c.a.ensureWorkspace(c.org, c.in.Text("workspace_name"))
	inner := rawjson.NewMap("widgetUrl", c.self()+"/widget?workspaceId="+ws.id, "token", c.workspaceToken(ws.name))
	return ok(rawjson.NewMap("token", base64.StdEncoding.EncodeToString(rawjson.Encode(inner))))
}

// widget stands for the page that other programs show inside their own.
func widget(*call) *answer {
	return show(http.StatusOK, "Connectors", "A program that opens a session shows its page here.")
}

// bridge is the page of a session. Once it is open, the person decides.
func (c *call) bridge() *answer {
	q := c.r.URL.Query()
	raw, _ := base64.StdEncoding.DecodeString(q.Get("widget_token"))
	v, _ := data.Parse(raw)
	inner, _ := v.(*rawjson.Map)
	claims, valid := readToken(inner.Text("token"))
	if exp, _ := data.Int(claims.Value("exp")); !valid || c.started.Unix() >= exp {
		return show(http.StatusForbidden, "This page cannot be opened", "The widget token is not valid, or has ended.")
	}
	s := c.setupOf(claims.Text("org"), q.Get("session"))
	if s.object.Value("source_id") != nil {
		return show(http.StatusOK, "There is nothing left to do", "The connector of this session was made.")
	}
	s.object.Set("status", setupPending)
	s.object.Set("error", nil)
	s.object.Set("auth_payload", nil)
	p := page{title: "Connect " + s.kind.System, agree: "Connect", inputs: setupInputs(s.kind), lines: []string{
		"The connector is for the workspace " + claims.Text("workspace") + ". The sandbox takes any value."}}
	if m := oauthMethod(s.kind); m != nil {
		p.inputs, p.lines = nil, append(p.lines, asksFor(m))
	}
	return c.ask(p, func(_ *call, agreed bool, typed url.Values) *answer {
		if !agreed {
			s.object.Set("status", setupFailed)
			s.object.Set("error", "The person refused to connect "+s.kind.System+".")
			return show(http.StatusOK, "Refused", "Nothing was connected. You may close this page.")
		}
		given := payloadOf(s.kind)
		for _, in := range p.inputs {
			if text := typed.Get(in.name); text != "" {
				given.Set(in.name, text)
			}
		}
		s.object.Set("status", setupCompleted)
		s.object.Set("auth_payload", given)
		return show(http.StatusOK, "Done", "The program that opened this page continues. You may close it.")
	})
}

// asksFor says what an OAuth connector wants to be allowed.
func asksFor(m *catalog.Method) string {
	if len(m.Scopes) == 0 {
		return "It asks to read and to change your data there."
	}
	return "It asks for: " + strings.Join(m.Scopes, ", ") + "."
}

// consent starts the hosted consent flow of an OAuth kind: the address that it
// gives stands for the third party's own page.
func (c *call) consent() *answer {
	about, ws := c.templateOf().about, c.a.pickWorkspace(c.org, c.in.Text("workspace_name"), "")
	back := c.in.Text("redirect_url")
	if u, err := url.Parse(back); err != nil || back != "" && u.Scheme != "http" && u.Scheme != "https" {
		panic(invalid("redirect_url", "redirect_url must be an http or https address."))
	}
	state := signToken(rawjson.NewMap("use", useConsent, "org", c.org, "workspace", ws.id, "kind", about.Name,
		"redirect", back, "exp", c.started.Add(10*time.Minute).Unix()))
	return ok(rawjson.NewMap("consent_url", c.self()+"/consent?state="+url.QueryEscape(state)))
}

// self is the address under which the caller reached the service.
func (c *call) self() string {
	if c.r.Host == "" {
		return BaseURL
	}
	return "http://" + c.r.Host
}

// consentPage asks the person to agree: then the connector is made, and the browser
// goes back with its id.
func (c *call) consentPage() *answer {
	state, valid := readToken(c.r.URL.Query().Get("state"))
	if exp, _ := data.Int(state.Value("exp")); !valid || state.Text("use") != useConsent || c.started.Unix() >= exp {
		return show(http.StatusForbidden, "This page cannot be opened",
			"The consent is not one that this service asked for, or it came too late.")
	}
	ws, k := c.a.pickWorkspace(state.Text("org"), "", state.Text("workspace")), c.kindNamed(state.Text("kind"))
	p := page{title: "Let the service use " + k.System, agree: "Allow", to: state.Text("redirect"),
		lines: []string{"The connector is for the workspace " + ws.name + "."}}
	if m := oauthMethod(k); m != nil {
		p.lines = append(p.lines, asksFor(m))
	}
	return c.ask(p, func(c *call, agreed bool, _ url.Values) *answer {
		switch {
		case !agreed && p.to == "":
			return show(http.StatusOK, "Refused", "No connector was made. You may close this page.")
		case !agreed:
			return goTo(p.to, "error", "access_denied", "error_description", "The consent was refused.")
		}
		made := c.create(ws, k, k.System)
		c.what = "create " + k.ConnectorType
		if p.to == "" {
			return show(http.StatusOK, "Done", "The connector "+made.id+" was made. You may close this page.")
		}
		return goTo(p.to, "connector_id", made.id)
	})
}
