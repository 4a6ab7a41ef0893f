package definition

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// at describes what stands at a path of an answer, and some levels of it; anything where the schema does not say.
func (s *shapes) at(p *base.SchemaProxy, path string, levels int) catalog.Field {
	unknown := catalog.Field{Type: "any"}
	steps, err := rawjson.ParsePath(path)
	if err != nil {
		return unknown
	}
	deep := s.deep
	defer func() { s.deep = deep }()
	s.deep = len(steps) + levels
	f := s.field(p)
	for _, step := range steps {
		switch {
		case step.IsIndex() || step.Index == rawjson.Any:
			if f.Items == nil {
				return unknown
			}
			f = *f.Items
		default:
			m := catalog.FieldByName(f.Members, step.Name)
			if m == nil {
				return unknown
			}
			f = *m
		}
	}
	return f
}

// usualLists are the names that lists of records often have.
var usualLists = []string{"data", "items", "results", "records", "values", "entries", "nodes", "elements", "content",
	"list", "value"}

// listIn finds the list of records in an answer: "" is the answer itself.
func listIn(s *shapes, p *base.SchemaProxy, entity string) (path string, ok bool) {
	s.deep = 3
	f := s.field(p)
	return listOf(&f, entity, 2)
}

func listOf(f *catalog.Field, entity string, depth int) (path string, ok bool) {
	if f.Type != "any" && f.Accepts("array") {
		return "", true
	}
	var lists, objects []string
	for _, m := range f.Members {
		switch {
		case m.Accepts("array") && (m.Items == nil || m.Items.Type == "any" || m.Items.Accepts("object")):
			lists = append(lists, m.Name)
		case m.Accepts("object") && len(m.Members) > 0:
			objects = append(objects, m.Name)
		}
	}
	if len(lists) == 1 {
		return quoted(lists[0]), true
	}
	for _, name := range append([]string{entity, singular(entity)}, usualLists...) {
		for _, l := range lists {
			if snake(l) == name {
				return quoted(l), true
			}
		}
	}
	if depth == 0 || len(lists) > 0 {
		return "", false
	}
	for _, name := range objects {
		m := catalog.FieldByName(f.Members, name)
		if inner, ok := listOf(m, entity, depth-1); ok && inner != "" {
			return quoted(name) + "." + inner, true
		}
	}
	return "", false
}

// quoted writes a name as a step of a path.
func quoted(name string) string { return rawjson.Path{rawjson.Name(name)}.String() }

// record describes the records of an action's entity, where nothing has yet.
func (b *builder) record(entity string, a *catalog.Action, schema *base.SchemaProxy) {
	e := b.entity(entity)
	if len(e.Record) > 0 || b.shapes.left <= 0 {
		return
	}
	b.shapes.deep, b.shapes.source = b.levels, e.Source
	defer func() { b.shapes.source = a.Source }()
	if p := b.component(entity); p != nil {
		f := b.shapes.field(p)
		e.Record = f.Members
		if e.Doc == "" {
			e.Doc = f.Doc
		}
	}
	reads := a.Name == catalog.ActionList || a.Name == catalog.ActionGet || a.Name == catalog.ActionAPISearch
	if len(e.Record) > 0 || schema == nil || !reads {
		return
	}
	f := b.shapes.at(schema, first(a.Binding.Records, a.Binding.RecordsInBody), b.levels+1)
	if f.Items != nil && len(f.Members) == 0 {
		f = *f.Items
	}
	e.Record = f.Members
	if e.Doc == "" {
		e.Doc = f.Doc
	}
}

// component is the schema that belongs to an entity by its key, else by its own name.
func (b *builder) component(entity string) *base.SchemaProxy {
	if b.doc.schemas == nil || !b.result.Family {
		return nil
	}
	if b.byEntity == nil {
		b.byEntity = map[string]*base.SchemaProxy{}
		for name, p := range b.doc.schemas.FromOldest() {
			schema := p.Schema()
			if schema == nil {
				continue
			}
			if key := (extensions{schema.Extensions}).node(family + "entity-name").text(); key != "" {
				if _, taken := b.byEntity[key]; !taken {
					b.byEntity[key] = p
				}
			}
			if _, taken := b.byEntity["/"+strings.ToLower(name)]; !taken {
				b.byEntity["/"+strings.ToLower(name)] = p
			}
		}
	}
	if p := b.byEntity[entity]; p != nil {
		return p
	}
	return b.byEntity["/"+strings.ToLower(entity)]
}

// sizes, numbers, offsets and cursors are names of params that ask for pages.
var (
	sizes = []string{"limit", "per_page", "page_size", "pageSize", "perPage", "page[size]", "maxResults", "max_results",
		"first", "count", "top", "$top", "size", "pagelen", "page_limit"}
	numbers = []string{"page", "page_number", "pageNumber", "page[number]", "p"}
	offsets = []string{"offset", "skip", "$skip", "start", "startAt", "start_at", "page[offset]", "from"}
	cursors = []string{"cursor", "after", "page_token", "pageToken", "next_token", "nextToken", "next_page_token",
		"nextPageToken", "bookmark", "page[cursor]", "page[after]", "page_cursor", "next_cursor", "continuation_token",
		"start_cursor", "next", "nextCursor", "marker", "pageCursor", "page_info"}
	lastIDs = []string{"starting_after", "since_id", "after_id"}
	// nexts are names of what leads to the next page, the surest first.
	nexts = []string{"next_cursor", "nextcursor", "next_page_token", "nextpagetoken", "next_token", "nexttoken",
		"end_cursor", "endcursor", "next_page_url", "nextpageurl", "next_link", "nextlink", "@odata.nextlink",
		"nextrecordsurl", "next_records_url", "next_uri", "next_url", "next_page", "nextpage", "next_offset",
		"nextoffset",
		"bookmark", "cursor", "next", "after", "offset"}
	mores = []string{"has_more", "hasmore", "has_next_page", "hasnextpage", "has_next", "hasnext", "more"}
	dones = []string{"islast", "is_last", "islastpage", "is_last_page", "done", "last"}
)

// pages says how the next page of a list is asked for, by the names of params and of
// what the answer holds: no definition says that in so many words.
func (b *builder) pages(o *operation, a *catalog.Action, schema *base.SchemaProxy) {
	if a.Name != catalog.ActionList && a.Name != catalog.ActionAPISearch {
		return
	}
	if reason := o.ext.node(family + "no-pagination").text(); reason != "" && len(a.Meta) == 0 {
		a.Page = &catalog.Page{Style: "none", Source: catalog.Upstream}
		a.Notes = append(a.Notes, catalog.Note{Text: "One page: " + sentence(reason)})
		return
	}
	p := &catalog.Page{Style: "none", Source: catalog.Upstream, Size: b.param(a, sizes)}
	if f := a.Param(p.Size); f != nil && f.Default != nil && f.Accepts("integer") {
		p.DefaultSize, _ = strconv.Atoi(string(f.Default))
	}
	signs := b.signs(a, schema)
	signs.link = signs.link || linked(o)
	p.More = signs.more
	p.Total = signs.total
	cursor, number, offset, last := b.param(a, cursors), b.param(a, numbers), b.param(a, offsets), b.param(a, lastIDs)
	next := func(style, send string) {
		p.Style, p.Send, p.Next, p.Meta = style, send, signs.next, signs.meta
	}
	switch address := signs.address; {
	case signs.link:
		p.Style, p.Next, p.Meta = "link", "@link.next", signs.meta
		if p.Send = first(cursor, number); p.Send != "" {
			p.NextIs = "url"
		}
	case cursor != "" && signs.next != "":
		next("cursor", cursor)
		if address {
			p.NextIs = "url"
		}
	case signs.next != "" && address:
		next("url", "")
		p.NextIs = "path"
	case offset != "" && signs.next != "" && strings.Contains(strings.ToLower(signs.next), "offset"):
		next("offset", offset)
	case last != "":
		p.Style, p.Send, p.Next = "last_id", last, "last."+first(keyOf("", b.entityRecord(o, a)), "id")
	case number != "" && strings.Contains(strings.ToLower(signs.next), "page"): // the answer names the next one
		next("cursor", number)
	case number != "":
		p.Style, p.Send, p.First = "page", number, b.firstPage(a, number)
	case offset != "":
		p.Style, p.Send = "offset", offset
	case cursor != "" && a.Param(cursor).In != "":
		p.Style, p.Send = "cursor", cursor
		b.leave("%s: the answer is not described as holding what %s asks for, so that pages do not follow each other",
			o.name(), cursor)
		p.Style, p.Send = "none", ""
	default:
		p.More, p.Total = "", signs.total
	}
	if p.Style == "none" {
		p.More = ""
	}
	a.Page = p
}

// entityRecord is the record of the entity that an operation belongs to.
func (b *builder) entityRecord(o *operation, a *catalog.Action) []catalog.Field {
	if e := b.kind().Entity(b.current); e != nil {
		return e.RecordOf(a)
	}
	return nil
}

// firstPage is the number of the first page.
func (b *builder) firstPage(a *catalog.Action, name string) int {
	f := a.Param(name)
	if f.Default != nil {
		if n, err := strconv.Atoi(string(f.Default)); err == nil {
			return n
		}
	}
	if f.Min != nil && *f.Min == 0 {
		return 0
	}
	return 1
}

// param is the first of the names that an action takes in its query or body.
func (b *builder) param(a *catalog.Action, names []string) string {
	for _, name := range names {
		if f := a.Param(name); f != nil && f.In != "path" && !f.Accepts("object") && f.Type != "boolean" {
			return name
		}
	}
	return ""
}

// signs are what an answer holds of its pages.
type signs struct {
	// next is the path of the next value, meta its field; address is set where it is a URL.
	next, meta  string
	address     bool
	link        bool
	more, total string
}

func (b *builder) signs(a *catalog.Action, schema *base.SchemaProxy) (s signs) {
	var names, paths []string
	for _, m := range a.Binding.Meta {
		if strings.HasPrefix(m.Value, "@link.next") {
			s.link, s.meta = true, m.Name
		}
		names, paths = append(names, m.Name), append(paths, m.Value)
	}
	fields := map[string]catalog.Field{}
	if !b.result.Family {
		b.shapes.deep = 3
		f := b.shapes.field(schema)
		walk(f.Members, "", 2, func(path string, m catalog.Field) {
			names, paths = append(names, m.Name), append(paths, path)
			fields[path] = m
		})
	}
	pick := func(of []string, fits func(path string) bool) int {
		for _, name := range of {
			for i, path := range paths {
				tail := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
				if (strings.ToLower(names[i]) == name || tail == name) && !strings.HasPrefix(path, "@") && fits(path) {
					return i
				}
			}
		}
		return -1
	}
	if i := pick(nexts, func(path string) bool {
		f, known := fields[path]
		return !known || f.Accepts("string") || f.Accepts("integer") || f.Type == "any"
	}); i >= 0 {
		s.next = paths[i]
		if len(a.Binding.Meta) > 0 {
			s.meta = names[i]
		}
		f := fields[paths[i]]
		low := strings.ToLower(names[i] + " " + paths[i])
		s.address = f.Format == "uri" || slices.ContainsFunc([]string{"url", "uri", "link"}, func(word string) bool {
			return strings.Contains(low, word)
		}) || strings.HasSuffix(low, ".next") && strings.Contains(low, "paging")
	}
	any := func(string) bool { return true }
	if i := pick(mores, any); i >= 0 {
		s.more = paths[i]
	} else if i := pick(dones, any); i >= 0 {
		s.more = "!" + paths[i]
	}
	if i := pick([]string{"total", "total_count", "totalcount", "total_results", "totalresults", "total_items",
		"totalitems", "total_records", "totalsize", "totalelements"}, any); i >= 0 {
		s.total = paths[i]
	}
	return s
}

// linked reports whether an answer is documented to have a Link header.
func linked(o *operation) bool {
	if o.responses == nil {
		return false
	}
	r, ok := o.responses.Get("200")
	if !ok || r == nil || r.Headers == nil {
		return false
	}
	for name := range r.Headers.FromOldest() {
		if strings.EqualFold(name, "link") {
			return true
		}
	}
	return false
}

// walk goes through members and theirs, but not into lists.
func walk(fields []catalog.Field, at string, depth int, do func(path string, f catalog.Field)) {
	for _, f := range fields {
		path := quoted(f.Name)
		if at != "" {
			path = at + "." + path
		}
		do(path, f)
		if depth > 0 {
			walk(f.Members, path, depth-1, do)
		}
	}
}
