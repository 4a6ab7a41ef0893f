package described

import (
	"cmp"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// Outline lists the sections that a skill's overview offers, in its order. Their ids
// are the service's own and never made up.
func Outline(docs []byte) []Section {
	var out []Section
	for item := range member(rawjson.Parse(docs), "outline").Elems() {
		offered := member(item, "available")
		if id := textAt(item, "id"); usable(id) && (!offered.Exists() || isTrue(offered)) {
			out = append(out, Section{ID: id, Title: textAt(item, "title")})
		}
	}
	return out
}

// docs reads a skill: its overview and sections, as headings, tables and code.
func (b *builder) docs(overview rawjson.Node, sections []Section) {
	if b.k.Doc == "" {
		b.k.Doc = short(textAt(overview, "metadata.summary"))
	}
	for _, s := range append(Outline(overview.Raw()), sections...) {
		if e, _ := b.place(s); e == nil {
			b.outlined(s)
		}
	}
	b.blocks(overview, "", "")
	for _, s := range sections {
		entity, action := "", ""
		if e, a := b.place(s); e != nil {
			if entity = e.Name; a != nil {
				action = a.Name
			}
		}
		b.blocks(rawjson.Parse(s.Docs), entity, action)
	}
}

// Place is what a section is about, as its id or its title says: an entity, and an
// action of it where one is named; both are empty where it is about neither.
func Place(s Section) (entity, action string) {
	parts := strings.FieldsFunc(s.ID, func(r rune) bool { return r == '.' || r == ':' || r == '/' })
	if len(parts) == 3 && parts[0] == "actions" {
		return parts[1], parts[2]
	}
	if len(parts) == 2 && (parts[0] == "entity" || parts[0] == "entities") {
		return parts[1], ""
	}
	return "", ""
}

// outlined adds the entity and the action that a section says there are.
func (b *builder) outlined(s Section) {
	entity, action := Place(s)
	if entity == "" {
		return
	}
	if e := b.entity(entity); e != nil && action != "" {
		b.action(e, action)
	}
}

// place finds what a section is about among what is known.
func (b *builder) place(s Section) (*catalog.Entity, *catalog.Action) {
	entity, action := Place(s)
	if e := b.k.Entity(entity); e != nil && entity != "" {
		if action != "" && e.Action(action) == nil {
			b.action(e, action)
		}
		return e, e.Action(action)
	}
	for _, text := range []string{s.ID, s.Title} {
		if e, a := b.named(text); e != nil {
			return e, a
		}
	}
	return nil, nil
}

// named finds the entity, and the action of it, that the words of a heading name.
func (b *builder) named(text string) (*catalog.Entity, *catalog.Action) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" .:/`()\t", r) })
	for _, w := range words {
		e := b.k.Entity(w)
		if e == nil {
			continue
		}
		for _, w := range words {
			if a := e.Action(w); a != nil {
				return e, a
			}
		}
		return e, nil
	}
	return nil, nil
}

// What the tables of a section list.
const (
	tellsNothing = iota
	tellsParams
	tellsSearch
	tellsRecord
	tellsMeta
	tellsActions
)

// tells says what stands below a heading.
func tells(heading string) int {
	h := strings.ToLower(heading)
	for _, c := range []struct {
		words []string
		tells int
	}{{[]string{"param", "argument", "input"}, tellsParams}, {[]string{"searchable", "search field", "filterable"},
		tellsSearch}, {[]string{"meta", "pagination"}, tellsMeta}, {[]string{"action", "operation"}, tellsActions},
		{[]string{"record", "response", "output", "fields", "returns"}, tellsRecord}} {
		if slices.ContainsFunc(c.words, func(w string) bool { return strings.Contains(h, w) }) {
			return c.tells
		}
	}
	return tellsNothing
}

// blocks reads the content of a document that is about an entity, and about an action
// of it; either may be empty.
func (b *builder) blocks(n rawjson.Node, entity, action string) {
	about := tellsNothing
	for block := range member(n, "content").Elems() {
		var a *catalog.Action
		e := b.k.Entity(entity)
		if e != nil {
			a = e.Action(action)
		}
		switch textAt(block, "type") {
		case "heading":
			text := textAt(block, "text")
			about = tells(text)
			entity, action = b.heading(text, e, entity, action)
		case "paragraph":
			if t := short(textAt(block, "text")); a != nil && about == tellsNothing {
				a.Doc = cmp.Or(a.Doc, t)
			} else if e != nil && about == tellsNothing {
				e.Doc = cmp.Or(e.Doc, t)
			}
		case "table":
			b.table(block, e, a, about)
		case "code":
			b.code(textAt(block, "code"), a, about)
		}
	}
}

// heading is what stands below a heading: an entity, or an action of the one at hand.
func (b *builder) heading(text string, e *catalog.Entity, entity, action string) (string, string) {
	if found, a := b.named(text); found != nil && a != nil {
		return found.Name, a.Name
	} else if found != nil {
		return found.Name, ""
	}
	if e != nil {
		for _, w := range strings.Fields(strings.Trim(text, "`")) {
			if e.Action(w) != nil {
				return entity, w
			}
		}
	}
	return entity, action
}

// code reads a JSON Schema of params that is shown as an example of code.
func (b *builder) code(code string, a *catalog.Action, about int) {
	n := rawjson.Parse([]byte(code))
	if a == nil || about != tellsParams || !rawjson.Valid([]byte(code)) || !member(n, "properties").Exists() {
		return
	}
	root := b.root
	b.root = n
	fields, told := b.params(n)
	b.root = root
	b.setParams(a, fields, told)
}

// table reads a table of fields, by its headers; or of entities and their actions.
func (b *builder) table(block rawjson.Node, e *catalog.Entity, a *catalog.Action, about int) {
	var heads []string
	for h := range member(block, "headers").Elems() {
		heads = append(heads, strings.ToLower(strings.TrimSpace(h.Text())))
	}
	if len(heads) == 0 {
		return
	}
	if first := heads[0]; first == "entity" || first == "resource" {
		b.entityTable(block, heads)
		return
	}
	if about == tellsNothing {
		about = tells(heads[0])
	}
	var fields []catalog.Field
	for row := range member(block, "rows").Elems() {
		fields = b.row(fields, fieldOf(heads, cells(row)), indentOf(row))
	}
	switch {
	case about == tellsParams && a != nil:
		b.setParams(a, fields, true)
	case about == tellsSearch && e != nil:
		b.found(e, fields)
	case about == tellsMeta && a != nil:
		a.Meta = fields
	case about == tellsActions && e != nil:
		for _, f := range fields {
			if act := b.action(e, f.Name); act != nil {
				act.Doc = cmp.Or(act.Doc, f.Doc)
			}
		}
	case about == tellsRecord && e != nil && len(e.Record) == 0:
		for i := range fields {
			fields[i].Required = false
		}
		e.Record = fields
	}
}

// indentOf is how far the name in a row is moved in: members of an object stand below it.
func indentOf(row rawjson.Node) int {
	first, _ := row.At(0)
	text := first.Text()
	return (len(text) - len(strings.TrimLeft(text, " "))) / 2
}

// row adds a field, which is a member of the one before where it is moved in.
func (b *builder) row(fields []catalog.Field, f catalog.Field, indent int) []catalog.Field {
	if indent == 0 || len(fields) == 0 {
		return b.add(fields, f)
	}
	last := &fields[len(fields)-1]
	if last.Items != nil && last.Type == "array" {
		last.Items.Members = b.row(last.Items.Members, f, indent-1)
	} else {
		last.Members = b.row(last.Members, f, indent-1)
	}
	return fields
}

// found takes fields that an entity can be searched by.
func (b *builder) found(e *catalog.Entity, fields []catalog.Field) {
	for _, f := range fields {
		if f.Required = false; catalog.FieldByName(e.Search, f.Name) == nil {
			e.Search = append(e.Search, f)
		}
	}
	if len(fields) > 0 {
		b.action(e, catalog.ActionContextStoreSearch)
	}
}

// entityTable reads a table whose rows are entities with their actions.
func (b *builder) entityTable(block rawjson.Node, heads []string) {
	for row := range member(block, "rows").Elems() {
		var e *catalog.Entity
		for i, cell := range cells(row) {
			switch {
			case i >= len(heads):
			case i == 0:
				e = b.entity(strings.Trim(cell, "` "))
			case e == nil:
			case heads[i] == "action" || heads[i] == "actions" || heads[i] == "operations":
				separates := func(r rune) bool { return strings.ContainsRune(", `/", r) }
				for name := range strings.FieldsFuncSeq(cell, separates) {
					b.action(e, name)
				}
			case heads[i] == "description" || heads[i] == "summary":
				e.Doc = cmp.Or(e.Doc, short(cell))
			}
		}
	}
}

func cells(row rawjson.Node) (out []string) {
	for c := range row.Elems() {
		out = append(out, strings.TrimSpace(c.Text()))
	}
	return out
}

// fieldOf makes a field of a row of a table.
func fieldOf(heads, row []string) catalog.Field {
	f := catalog.Field{Source: catalog.Live}
	for i, cell := range row[:min(len(row), len(heads))] {
		switch head := heads[i]; {
		case i == 0:
			name := strings.Trim(cell, "`* ")
			f.Name, f.Required = strings.TrimRight(name, "*"), strings.HasSuffix(name, "*")
		case strings.Contains(head, "type"):
			typed(&f, strings.Trim(cell, "`"))
		case strings.Contains(head, "required"):
			f.Required = slices.Contains([]string{"yes", "true", "required", "✓", "x", "y"}, strings.ToLower(cell))
		case strings.Contains(head, "enum") || strings.Contains(head, "values") || strings.Contains(head, "allowed"):
			for v := range strings.FieldsFuncSeq(cell, func(r rune) bool { return strings.ContainsRune(",|`\"", r) }) {
				if v = strings.TrimSpace(v); v != "" {
					f.Enum = append(f.Enum, rawjson.AppendQuoted(nil, v))
				}
			}
		case strings.Contains(head, "fact"):
			facts(&f, cell)
		case head == "note" || head == "notes" || strings.Contains(head, "desc") ||
			strings.Contains(head, "meaning") || strings.Contains(head, "summary"):
			f.Doc = short(cell)
		}
	}
	f.Type = cmp.Or(f.Type, "any")
	return f
}

// facts reads short facts that are joined by commas: required, default 10, 1 to 100,
// one of a, b.
func facts(f *catalog.Field, cell string) {
	listing := false
	for fact := range strings.SplitSeq(cell, ", ") {
		of, isEnum := strings.CutPrefix(fact, "one of ")
		given, isDefault := strings.CutPrefix(fact, "default ")
		from, to, isRange := strings.Cut(fact, " to ")
		low, high := number(rawjson.Parse([]byte(from))), number(rawjson.Parse([]byte(to)))
		switch {
		case fact == "required":
			f.Required = true
		case isDefault && rawjson.Valid([]byte(given)):
			f.Default = value(rawjson.Parse([]byte(given)))
		case isRange && low != nil && high != nil:
			f.Min, f.Max = low, high
		case formatWords[fact] != "":
			f.Format = formatWords[fact]
		case isEnum, listing && !strings.Contains(fact, " "):
			// Where the list ends is not told, so other values are taken too.
			f.Enum, f.Open, listing = append(f.Enum, rawjson.AppendQuoted(nil, of)), true, true
			continue
		}
		listing = false
	}
}

// mostSections is how many sections of a skill are asked for.
const mostSections = 100

// Wanted are the sections of a skill that may tell what nothing else told: the params
// of actions. More is how many there are beyond those that are asked for.
func Wanted(t Told) (sections []Section, more int) {
	outline := Outline(t.Docs)
	t.Sections = nil
	k, _ := Kind(t)
	b := &builder{k: k, leftOut: map[string]int{}}
	for _, s := range outline {
		e, a := b.place(s)
		unknown := func(a catalog.Action) bool { return a.ParamsUnknown }
		switch {
		case e == nil && len(outline) > mostSections/5: // of many, those that are about nothing in particular
		case a != nil && !a.ParamsUnknown:
		case e != nil && a == nil && len(e.Actions) > 0 && len(e.Record) > 0 &&
			!slices.ContainsFunc(e.Actions, unknown):
		default:
			sections = append(sections, s)
		}
	}
	more = max(len(sections)-mostSections, 0)
	return sections[:len(sections)-more], more
}
