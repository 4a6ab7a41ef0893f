package catalog_test

import (
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
)

// wantParams are the lines of an action's params; a rule on the members of an
// object tells one_of of that object.
func (c *comparison) wantParams(entity, action string) map[string]*wantField {
	want := c.want["param "+entity+" "+action]
	for _, l := range having(c.lines, "rule", entity, action, "exactly_one") {
		if f := want[l.option("in")]; f != nil {
			f.attrs["one_of"] = attr{}
		}
	}
	return want
}

// foldRules turns the rules that say the same as an attribute into that attribute.
func foldRules(a *catalog.Action, params map[string]*foundField) {
	for _, r := range a.Rules {
		if r.Source != catalog.Documented {
			continue
		}
		switch {
		case r.Rule == "exactly_one" && params[r.In] != nil:
			params[r.In].attrs["one_of"] = ""
		case r.Rule == "max_entries" && params[r.Params[0]] != nil:
			params[r.Params[0]].attrs["max_items"] = strconv.Itoa(r.Max)
		}
	}
}

// foldedRule reports whether a rule is compared as an attribute of a field.
func foldedRule(rule, in string) bool {
	return rule == "max_entries" || rule == "one_of_values" || rule == "exactly_one" && in != ""
}

func ruleText(entity, action string, r *catalog.Rule) string {
	words := append([]string{entity, action, r.Rule}, r.Params...)
	if r.Value != "" {
		words = append(words, "value="+r.Value)
	}
	if r.Status != 0 {
		words = append(words, "status="+strconv.Itoa(r.Status))
	}
	return strings.Join(words, " ")
}

func (c *comparison) rules() {
	want := map[string]string{}
	for _, l := range having(c.lines, "rule") {
		if !foldedRule(l.word(3), l.option("in")) {
			want[strings.Join(l.words[1:], " ")] = l.where()
		}
	}
	c.eachAction(func(e *catalog.Entity, a *catalog.Action) {
		for i := range a.Rules {
			r := &a.Rules[i]
			if r.Source != catalog.Documented || foldedRule(r.Rule, r.In) {
				continue
			}
			text := ruleText(e.Name, a.Name, r)
			if want[text] == "" {
				c.bad("rule", text, "nothing told as documented", "a documented rule")
			}
			delete(want, text)
		}
	})
	for text, where := range want {
		c.bad("rule", text, "the rule", "none", where)
	}
}

func (c *comparison) eachAction(do func(*catalog.Entity, *catalog.Action)) {
	for i := range c.kind.Entities {
		e := &c.kind.Entities[i]
		for j := range e.Actions {
			do(e, &e.Actions[j])
		}
	}
}

// action finds the action that a line names in its second and third word.
func (c *comparison) action(l specLine) (*catalog.Entity, *catalog.Action) {
	e := c.kind.Entity(l.word(1))
	if e == nil {
		return nil, nil
	}
	return e, e.Action(l.word(2))
}

// pages compares the params and meta fields that carry the next page.
func (c *comparison) pages() {
	for _, l := range having(c.lines, "page") {
		_, a := c.action(l)
		if a == nil {
			continue // told by entities
		}
		page := a.Page
		if page == nil {
			page = &catalog.Page{}
		}
		for _, x := range [][2]string{{l.option("send"), page.Send}, {l.option("back"), page.Back}, {l.option("meta"), page.Meta}} {
			if x[0] != "" && x[0] != x[1] {
				c.bad("page", l.word(1)+" "+l.word(2), x[0], strconv.Quote(x[1]), l.where())
			}
		}
	}
	c.eachAction(func(e *catalog.Entity, a *catalog.Action) {
		known := len(having(c.lines, "page", e.Name, a.Name))+len(having(c.lines, "shape", e.Name, a.Name)) > 0
		if a.Page != nil && a.Page.Source == catalog.Documented && !known {
			c.bad("page", e.Name+" "+a.Name, "nothing told as documented", "documented paging")
		}
	})
}

// omitted compares the fields that the answers of an action leave out. A field
// that only the record of another action has may be marked too.
func (c *comparison) omitted() {
	for _, l := range having(c.lines, "omitted") {
		e, a := c.action(l)
		if a == nil {
			continue
		}
		f := catalog.FieldAt(e.RecordOf(a), l.word(3))
		if f == nil || !slices.Contains(f.Omitted, a.Name) {
			c.bad("omitted", strings.Join(l.words[1:], " "), "left out by "+a.Name, "no such mark", l.where())
		}
	}
	for i := range c.kind.Entities {
		e := &c.kind.Entities[i]
		for _, f := range e.Record {
			for _, action := range f.Omitted {
				place := c.want["record "+e.Name+" "+action]
				foreign := place != nil && place[f.Name] == nil
				if f.Source == catalog.Documented && !foreign && len(having(c.lines, "omitted", e.Name, action, f.Name)) == 0 {
					c.bad("omitted", e.Name+" "+action+" "+f.Name, "nothing told as documented", "left out by "+action)
				}
			}
		}
	}
}

// emptiness checks what the documents tell to be empty or call not shown, and
// the codes that the service resolves for injected params.
func (c *comparison) emptiness() {
	for _, l := range c.lines {
		e, a := c.action(l)
		switch {
		case l.words[0] == "none" && l.word(2) == "search" && e != nil && len(e.Search) > 0:
			c.bad("search", e.Name, "no fields", "fields", l.where())
		case l.words[0] == "none" && a != nil && (len(a.Params) > 0 || a.ParamsUnknown):
			c.bad("param", e.Name+" "+a.Name, "no params", "params or unknown params", l.where())
		case l.words[0] == "resolves" && a != nil:
			c.resolves(a, l)
		}
	}
}

func (c *comparison) resolves(a *catalog.Action, l specLine) {
	codes := map[string]bool{}
	if p := a.Param(l.word(3)); p != nil && p.Inject != nil {
		if c.kind.Local != nil {
			for code := range c.kind.Local.Tables[p.Inject.Table] {
				codes[code] = true
			}
		}
		if config := c.kind.ConfigField(p.Inject.Config); config != nil {
			for _, value := range config.Enum {
				codes[plainJSON(value)] = true
			}
		}
	}
	for _, code := range l.words[4:] {
		if !codes[code] {
			c.bad("resolves", strings.Join(l.words[1:4], " "), code, "no such code", l.where())
		}
	}
}

// credentials compares methods, their fields and configuration values.
func (c *comparison) credentials() {
	want := map[string]string{}
	for _, l := range c.platform {
		if l.word(1) != c.kind.Name {
			continue
		}
		switch l.words[0] {
		case "credential":
			want["credential "+strings.Join(l.words[2:], " ")] = l.where()
		case "unavailable":
			want["unavailable "+l.word(2)] = l.where()
		case "config":
			want["config "+strings.Join(slices.DeleteFunc(l.words[2:], func(w string) bool { return w == "default?" }), " ")] = l.where()
		}
	}
	for _, text := range c.documentedCredentials() {
		if want[text] == "" {
			c.bad("credentials", text, "nothing told as documented", "documented")
		}
		delete(want, text)
	}
	for text, where := range want {
		c.bad("credentials", text, "documented", "nothing of the kind", where)
	}
}

func (c *comparison) documentedCredentials() []string {
	var out []string
	line := func(start string, fields []catalog.Field) {
		for _, f := range fields {
			if f.Source != catalog.Documented {
				continue
			}
			text := start + f.Name + " " + f.Type
			if f.Required {
				text += " required"
			}
			out = append(out, text)
		}
	}
	for _, m := range c.kind.Credentials {
		if m.Unavailable && m.Source == catalog.Documented {
			out = append(out, "unavailable "+m.Method)
		}
		line("credential "+m.Method+" ", m.Fields)
	}
	line("config ", c.kind.Config)
	return out
}

// ruled reports whether an action has a rule with an HTTP status, empty for any.
func ruled(a *catalog.Action, rule, status string) bool {
	return a != nil && slices.ContainsFunc(a.Rules, func(r catalog.Rule) bool {
		return r.Rule == rule && (status == "" || status == strconv.Itoa(r.Status))
	})
}
