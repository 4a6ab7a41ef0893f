package sandbox

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// decision is a question to a person that a page asks; its answer counts once.
type decision struct {
	ends time.Time
	// decide is told whether the person agreed, and what they typed.
	decide func(c *call, agreed bool, typed url.Values) *answer
}

const (
	// decisionLife is how long a page may wait for its person, mostDecisions how many
	// of them may wait.
	decisionLife  = 10 * time.Minute
	mostDecisions = 1000
	decidePath    = "/decide"
)

// page is a page for a person; what it is given is escaped.
type page struct {
	title string
	lines []string
	// inputs are asked for.
	inputs []input
	// agree names the button that agrees; without one the page asks nothing.
	agree string
	// to is the address that a decision leads to; empty for none.
	to string
}

// input is a field of a page.
type input struct {
	name, value string
	hidden      bool // while it is typed
}

const pageStyle = "body{font:16px/1.5 sans-serif;max-width:34em;margin:4em auto;padding:0 1em}" +
	"label{display:block;margin:1em 0}input{width:100%}button{font:inherit;margin-right:1em;padding:.4em 1em}"

// pageStyleHash lets a browser apply pageStyle and no other.
var pageStyleHash = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return base64.StdEncoding.EncodeToString(sum[:])
})

// ask shows a page that asks a person to decide.
func (c *call) ask(p page, decide func(c *call, agreed bool, typed url.Values) *answer) *answer {
	for id, d := range c.a.decisions {
		if c.started.After(d.ends) || len(c.a.decisions) >= mostDecisions {
			delete(c.a.decisions, id)
		}
	}
	ticket := c.a.next("decision")
	c.a.decisions[ticket] = &decision{c.started.Add(decisionLife), decide}
	return p.answer(http.StatusOK, ticket)
}

// show shows a page that asks nothing.
func show(status int, title string, lines ...string) *answer {
	return page{title: title, lines: lines}.answer(status, "")
}

// answer is the page as a browser gets it.
func (p page) answer(status int, ticket string) *answer {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width"><title>` + html.EscapeString(p.title) + "</title><style>" +
		pageStyle + "</style></head><body><h1>" + html.EscapeString(p.title) + "</h1>")
	for _, line := range p.lines {
		b.WriteString("<p>" + html.EscapeString(line) + "</p>")
	}
	if p.agree != "" {
		b.WriteString(`<form method="post" action="` + decidePath + `"><input type="hidden" name="ticket" value="` +
			html.EscapeString(ticket) + `">`)
		for _, in := range p.inputs {
			kind := "text"
			if in.hidden {
				kind = "password"
			}
			name := html.EscapeString(in.name)
			b.WriteString("<label>" + name + `<input type="` + kind + `" name="field.` + name + `" value="` +
				html.EscapeString(in.value) + `" autocomplete="off"></label>`)
		}
		b.WriteString(`<button name="decision" value="agree">` + html.EscapeString(p.agree) +
			`</button><button name="decision" value="refuse">Refuse</button></form>`)
	}
	b.WriteString("</body></html>\n")
	// A browser holds the redirect that answers a form against form-action too.
	to := ""
	if u, err := url.Parse(p.to); err == nil && u.Host != "" {
		to = " " + u.Scheme + "://" + u.Host
	}
	return &answer{status: status, body: []byte(b.String()), header: [][2]string{
		{"Content-Type", "text/html; charset=utf-8"}, {"Cache-Control", "no-store"},
		{"X-Content-Type-Options", "nosniff"}, {"X-Frame-Options", "DENY"}, {"Referrer-Policy", "same-origin"},
		{"Content-Security-Policy", "default-src 'none'; style-src 'sha256-" + pageStyleHash() +
			"'; form-action 'self'" + to + "; base-uri 'none'; frame-ancestors 'none'"},
	}}
}

// decided takes what a person decided on a page.
func (c *call) decided() *answer {
	c.r.Body = http.MaxBytesReader(c.w, c.r.Body, 1<<20)
	if err := c.r.ParseForm(); err != nil {
		return show(http.StatusBadRequest, "That cannot be read", err.Error())
	}
	ticket := c.r.PostForm.Get("ticket")
	d := c.a.decisions[ticket]
	delete(c.a.decisions, ticket)
	if d == nil || c.started.After(d.ends) {
		return show(http.StatusForbidden, "Too late", "The page was used before, or it waited too long. Begin again.")
	}
	c.keep()
	typed := url.Values{}
	for name, values := range c.r.PostForm {
		if field, isField := strings.CutPrefix(name, "field."); isField {
			typed[field] = values
		}
	}
	return d.decide(c, c.r.PostForm.Get("decision") == "agree", typed)
}

// goTo sends a browser to an address with further members in its query.
func goTo(address string, query ...string) *answer {
	u, err := url.Parse(address)
	if err != nil {
		panic(invalid("redirect_url", "%s is no address.", address))
	}
	q := u.Query()
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			q.Set(query[i], query[i+1])
		}
	}
	u.RawQuery = q.Encode()
	return &answer{status: http.StatusSeeOther, header: [][2]string{{"Location", u.String()},
		{"Cache-Control", "no-store"}}}
}
