package catalog_test

import (
	"slices"
	"strings"

	"patchbay/catalog"
)

// words compares notes and orders. The catalog's sentences are its own, so a
// line is met when one of its words stands in a sentence at its place.
func (c *comparison) words() {
	for _, l := range having(c.lines, "note") {
		path := l.plain(1)
		if !holds(c.textsAt(path), l.option("key")) {
			c.bad("note", strings.Join(path, " "), "a note with "+l.option("key"), "none", l.where())
		}
	}
	for _, l := range having(c.platform, "note", c.kind.Name) {
		if !holds(c.credentialTexts(), l.option("key")) {
			c.bad("note", strings.Join(l.plain(2), " "), "a note with "+l.option("key"), "none", l.where())
		}
	}
	for _, l := range having(c.lines, "order") {
		if _, a := c.action(l); a != nil && !holds([]string{a.Order}, l.option("key")) {
			c.bad("order", l.word(1)+" "+l.word(2), l.option("key"), a.Order, l.where())
		}
	}
	c.surplusWords()
}

// surplusWords finds notes and orders told as documented that no line has.
func (c *comparison) surplusWords() {
	for _, n := range c.kind.Notes {
		c.surplusNote("", n)
	}
	for _, e := range c.kind.Entities {
		for _, n := range e.Notes {
			c.surplusNote(e.Name, n)
		}
		c.surplusFieldNotes([]string{e.Name, "@record"}, e.Record)
		c.surplusFieldNotes([]string{e.Name, "@search"}, e.Search)
	}
	c.eachAction(func(e *catalog.Entity, a *catalog.Action) {
		for _, n := range a.Notes {
			c.surplusNote(e.Name, n)
		}
		c.surplusFieldNotes([]string{e.Name, a.Name}, a.Params)
		c.surplusFieldNotes([]string{e.Name, a.Name, "@meta"}, a.Meta)
		c.surplusFieldNotes([]string{e.Name, "@record"}, a.Record)
		if a.Order != "" && a.Source == catalog.Documented && len(having(c.lines, "order", e.Name, a.Name)) == 0 {
			c.bad("order", e.Name+" "+a.Name, "nothing told as documented", a.Order)
		}
		if a.Destructive && a.DestructiveSource == catalog.Documented && len(having(c.lines, "note", e.Name, a.Name)) == 0 {
			c.bad("destructive", e.Name+" "+a.Name, "nothing told as documented", "destructive")
		}
	})
}

func (c *comparison) surplusNote(entity string, n catalog.Note) {
	if n.Source != catalog.Documented {
		return
	}
	for _, l := range c.lines {
		about := l.words[0] == "note" || l.words[0] == "note?" || l.words[0] == "order"
		if about && (entity == "" || l.word(1) == entity) && holds([]string{n.Text}, l.option("key")) {
			return
		}
	}
	c.bad("note", entity, "nothing told as documented", n.Text)
}

// surplusFieldNotes finds notes of documented fields that no line has. The lines
// of paging and of resolved codes speak of their param too.
func (c *comparison) surplusFieldNotes(place []string, fields []catalog.Field) {
	found := map[string]*foundField{}
	flatten(fields, "", found)
	for path, f := range found {
		told := f.field.Note != "" && f.documented() && !slices.Contains(f.field.Upstream, "note")
		at := append(slices.Clone(place), path)
		if told && !slices.ContainsFunc(c.lines, func(l specLine) bool { return speaksOf(l, at) }) {
			c.bad("note", strings.Join(at, " "), "nothing told as documented", f.field.Note)
		}
	}
}

func speaksOf(l specLine, at []string) bool {
	switch l.words[0] {
	case "note", "note?":
		return slices.Equal(l.plain(1), at)
	case "page":
		return slices.Equal([]string{l.word(1), l.word(2), l.option("send")}, at)
	case "resolves":
		return slices.Equal(l.words[1:4], at)
	}
	return false
}

// holds reports whether one of the words joined with | stands in one of the texts.
func holds(texts []string, words string) bool {
	for word := range strings.SplitSeq(words, "|") {
		for _, text := range texts {
			if strings.Contains(strings.ToLower(text), strings.ToLower(word)) {
				return true
			}
		}
	}
	return false
}

func documentedTexts(doc string, notes []catalog.Note) []string {
	texts := []string{doc}
	for _, n := range notes {
		if n.Source == catalog.Documented {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// textsAt are the sentences at a place and above it: a param's stand beside
// those of its action and entity.
func (c *comparison) textsAt(path []string) []string {
	if len(path) == 0 {
		return documentedTexts(c.kind.Doc, c.kind.Notes)
	}
	e := c.kind.Entity(path[0])
	if e == nil {
		return nil
	}
	texts := documentedTexts(e.Doc, e.Notes)
	if len(path) == 1 {
		return texts
	}
	if fields, name := c.fieldsAt(e, path[1:]); fields != nil {
		return append(texts, fieldTexts(fields, name)...)
	}
	a := e.Action(path[1])
	if a == nil {
		return texts
	}
	texts = append(texts, documentedTexts(a.Doc, a.Notes)...)
	if len(path) > 2 {
		texts = append(texts, fieldTexts(a.Params, path[2])...)
	}
	return texts
}

// fieldsAt reads "@record F", "@search F" and "ACTION @meta F"; nil for other places.
func (c *comparison) fieldsAt(e *catalog.Entity, path []string) ([]catalog.Field, string) {
	switch {
	case path[0] == "@record" && len(path) == 2:
		return e.Record, path[1]
	case path[0] == "@search" && len(path) == 2:
		return e.Search, path[1]
	case len(path) == 3 && path[1] == "@meta" && e.Action(path[0]) != nil:
		return e.Action(path[0]).Meta, path[2]
	}
	return nil, ""
}

// fieldTexts are the sentences of a field and of the objects that hold it.
func fieldTexts(fields []catalog.Field, path string) []string {
	var texts []string
	for at := path; at != ""; at = at[:max(strings.LastIndex(at, "."), 0)] {
		if f := catalog.FieldAt(fields, at); f != nil {
			texts = append(texts, f.Doc)
			if f.Source == catalog.Documented && !slices.Contains(f.Upstream, "note") {
				texts = append(texts, f.Note)
			}
		}
	}
	return texts
}

// credentialTexts are the sentences about credentials and configuration.
func (c *comparison) credentialTexts() []string {
	texts := documentedTexts(c.kind.Doc, c.kind.Notes)
	for _, m := range c.kind.Credentials {
		texts = append(texts, m.Note)
		for _, f := range m.Fields {
			texts = append(texts, f.Doc, f.Note)
		}
	}
	for _, f := range c.kind.Config {
		texts = append(texts, f.Doc, f.Note)
	}
	return texts
}

// states checks that the enumerations of the platform document stand at a field
// of that name.
func (c *comparison) states() {
	for _, l := range having(c.platform, "states", c.kind.Name) {
		if e := c.kind.Entity(l.word(2)); e == nil || !enumerated(e, l.word(3), strings.Join(l.words[4:], ",")) {
			c.bad("states", l.word(2)+" "+l.word(3), strings.Join(l.words[4:], ", "), "no such enumeration", l.where())
		}
	}
}

func enumerated(e *catalog.Entity, path, values string) bool {
	lists := [][]catalog.Field{e.Record, e.Search}
	for i := range e.Actions {
		lists = append(lists, e.Actions[i].Record, e.Actions[i].Params)
	}
	for _, fields := range lists {
		found := map[string]*foundField{}
		flatten(fields, "", found)
		if f := found[path]; f != nil && sameValue("enum", values, f.attrs["enum"]) {
			return true
		}
	}
	return false
}

// limits checks the tables of limits and errors of the platform document.
func (c *comparison) limits() {
	for _, l := range having(c.platform, "limit", c.kind.Name) {
		e := c.kind.Entity(l.word(2))
		if e == nil || e.Action(l.word(3)) == nil {
			continue
		}
		params := map[string]*foundField{}
		flatten(e.Action(l.word(3)).Params, "", params)
		foldRules(e.Action(l.word(3)), params)
		for _, option := range l.words[5:] {
			name, value, _ := strings.Cut(option, "=")
			if p := params[l.word(4)]; p == nil || p.attrs[name] != value {
				c.bad("limit", strings.Join(l.words[2:5], " "), option, "another or none", l.where())
			}
		}
	}
	for _, l := range having(c.platform, "error", c.kind.Name) {
		if e := c.kind.Entity(l.word(2)); e == nil || !ruled(e.Action(l.word(3)), l.word(4), l.option("status")) {
			c.bad("error", strings.Join(l.words[2:5], " "), "a rule with its status", "none", l.where())
		}
	}
}
