package sandbox

import (
	"net/http"
	"net/url"
	"time"
)

// consent starts the hosted consent flow of an OAuth kind: the address that it
// gives stands for the third party's own page.
func (c *call) consent() (*answer, error) {
	body, err := c.read(consentMembers)
	if err != nil {
		return nil, err
	}
	k, err := c.kindOf(body)
	if err != nil {
		return nil, err
	}
	ws, err := c.s.start().pickWorkspace(c.org, body.text("workspace_name"), "")
	if err != nil {
		return nil, err
	}
	back := body.text("redirect_url")
	if u, err := url.Parse(back); err != nil || back != "" && u.Scheme != "http" && u.Scheme != "https" {
		return nil, invalid("redirect_url", "redirect_url must be an http or https address.")
	}
	state := signToken(newObject("org", c.org, "workspace", ws.id, "kind", k.Name, "redirect", back, "exp", c.s.opts.Now().Add(10*time.Minute).Unix()))
	return ok(newObject("consent_url", c.self()+"/consent?state="+url.QueryEscape(state))), nil
}

// self is the address under which the caller reached the service.
func (c *call) self() string {
	if c.r.Host == "" {
		return BaseURL
	}
	return "http://" + c.r.Host
}

// consented is what happens when a person has agreed: the connector is made, and
// the browser goes back with its id.
func (c *call) consented() (*answer, error) {
	state, valid := readToken(c.r.URL.Query().Get("state"))
	if exp, _ := asInt(state.value("exp")); !valid || !state.has("redirect") || c.s.opts.Now().Unix() >= exp {
		return nil, invalid("state", "The consent is not one that this service asked for, or it came too late.")
	}
	a := c.s.start()
	ws, err := a.pickWorkspace(state.text("org"), "", state.text("workspace"))
	if err != nil {
		return nil, err
	}
	k, err := c.s.opts.Catalog.Kind(state.text("kind"))
	if err != nil {
		return nil, refuse(http.StatusNotFound, "%v", err)
	}
	made := a.create(ws, k, k.System)
	back, err := url.Parse(state.text("redirect"))
	if err != nil || back.Host == "" {
		return ok(newObject("connector_id", made.id)), nil
	}
	query := back.Query()
	query.Set("connector_id", made.id)
	back.RawQuery = query.Encode()
	return &answer{status: http.StatusFound, header: [][2]string{{"Location", back.String()}}}, nil
}
