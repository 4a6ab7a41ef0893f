package definition

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi/datamodel/high/base"

	"patchbay/catalog"
)

// proposal is what the rules make of an operation.
type proposal struct {
	row      Row
	o        *operation
	parent   string // the noun above that the entity stands below
	param    string // the param that names the parent
	segments []string
}

// plainOperations maps paths and methods of a definition without keys to entities and
// actions. Of two operations for one pair the one with the fewest params in its path
// keeps it.
func (b *builder) plainOperations() {
	var all []*proposal
	for _, o := range b.doc.operations {
		all = append(all, b.propose(o))
	}
	b.nested(all)
	b.apart(all)
	for _, p := range all {
		choice := b.choice(p.row)
		switch {
		case choice.Out:
			p.row.Out, p.row.Why = true, "left out by choice"
		case choice.In || choice.Entity != "" || choice.Action != "":
			p.row.Entity = first(snake(choice.Entity), p.row.Entity)
			p.row.Action = first(snake(choice.Action), p.row.Action)
			p.row.Out, p.row.Why, p.row.Confidence = false, "by choice", "sure"
		}
		if !p.row.Out && (p.row.Entity == "" || p.row.Action == "") {
			p.row.Out, p.row.Why = true, "its path names nothing that could be an entity"
		}
		if e := b.entities[p.row.Entity]; !p.row.Out && b.taken(e, p) {
			p.row.Out, p.row.Why = true, "another operation is "+p.row.Action+" "+p.row.Entity+" already"
		}
		b.result.Rows = append(b.result.Rows, p.row)
		if !p.row.Out {
			b.current = p.row.Entity
			b.entity(p.row.Entity)
			put(b.entity(p.row.Entity), b.action(p.o, p.row))
			b.relate(p)
		}
	}
}

// taken reports whether an entity has the proposed action already.
func (b *builder) taken(i int, p *proposal) bool {
	_, known := b.entities[p.row.Entity]
	return known && b.kind().Entities[i].Action(p.row.Action) != nil
}

var (
	version = regexp.MustCompile(`^(v\d+([._]\d+)*|\d+(\.\d+)*|\d{4}-\d{2}(-\d{2})?|api|rest|public|latest|json)$`)
	param   = regexp.MustCompile(`^\{[^{}]*\}$`)
	verbs   = []string{"search", "list", "query", "find", "download", "export", "lookup"}
	doing   = regexp.MustCompile(`^(get_?all|get|list|retrieve|read|fetch|find|search|query|create|add|insert|new|` +
		`update|edit|modify|replace|put|patch|set|delete|remove|destroy|download|export)_?`)
)

// propose reads the entity and the action off an operation's path and method.
func (b *builder) propose(o *operation) *proposal {
	p := &proposal{o: o, row: Row{Operation: o.name(), ID: o.id, Line: o.line, Confidence: "high"}}
	if o.deprecated {
		p.row.Out, p.row.Why = true, "deprecated"
	}
	for _, s := range strings.Split(strings.Trim(o.path, "/"), "/") {
		s = strings.TrimSuffix(s, ".json")
		if s != "" && !(version.MatchString(strings.ToLower(s)) && len(p.segments) == 0) {
			p.segments = append(p.segments, s)
		}
	}
	why := b.entityOf(p)
	b.actionOf(p, why)
	return p
}

// entityOf finds the noun of a path: its last fixed segment.
func (b *builder) entityOf(p *proposal) (why string) {
	segments := slices.Clone(p.segments)
	for len(segments) > 0 && (param.MatchString(segments[len(segments)-1]) ||
		slices.Contains(verbs, strings.ToLower(segments[len(segments)-1]))) {
		segments = segments[:len(segments)-1]
	}
	if len(segments) == 0 {
		name := ""
		if len(p.o.tags) == 1 {
			name = snake(p.o.tags[0])
		}
		p.row.Confidence = "low"
		p.row.Entity = name
		return "its tag names the entity, the path does not"
	}
	noun := segments[len(segments)-1]
	if head, tail, ok := strings.Cut(noun, ":"); ok && head != "" { // things:verb
		noun, p.row.Confidence = head, "medium"
		_ = tail
	}
	if i := strings.LastIndexByte(noun, '.'); i > 0 && len(segments) == 1 { // things.list
		p.row.Entity, p.row.Confidence = snake(noun[:i]), "medium"
		return "the part of " + noun + " before its verb"
	}
	if strings.ContainsAny(noun, "{}") {
		noun = braces.ReplaceAllString(noun, "")
	}
	p.row.Entity = snake(noun)
	if rest := doing.ReplaceAllString(p.row.Entity, ""); rest != p.row.Entity && rest != "" && len(segments) == 1 {
		p.row.Entity, p.row.Confidence = rest, "medium"
		return "the noun of " + noun
	}
	for i := len(segments) - 2; i >= 0; i-- {
		if !param.MatchString(segments[i]) {
			continue
		}
		for j := i - 1; j >= 0; j-- {
			if !param.MatchString(segments[j]) {
				p.parent, p.param = snake(segments[j]), strings.Trim(segments[i], "{}")
				return noun + " is the last noun of the path, below " + segments[j]
			}
		}
	}
	return noun + " is the last noun of the path"
}

// actionOf finds what an operation does, by its method, path and answer.
func (b *builder) actionOf(p *proposal, entity string) {
	o := p.o
	tail, verb := "", ""
	if n := len(p.segments); n > 0 {
		tail = p.segments[n-1]
	}
	byID := param.MatchString(tail)
	if i := strings.LastIndexAny(tail, ".:"); i > 0 && !byID {
		verb = snake(tail[i+1:])
	} else if m := doing.FindStringSubmatch(snake(tail)); m != nil && !byID && len(p.segments) == 1 {
		verb = m[1]
	}
	if slices.Contains(verbs, strings.ToLower(tail)) {
		verb = strings.ToLower(tail)
	}
	a, why := b.byMethod(p, byID, verb)
	p.row.Action = a
	if p.row.Why == "" {
		p.row.Why = why + "; " + entity
	}
	said := saidBy(o.id)
	if said != "" && said != p.row.Action && !p.row.Out && p.row.Confidence == "high" {
		p.row.Confidence = "medium"
		p.row.Why += "; " + o.id + " sounds like " + said
	}
}

// words are verbs and the actions that they stand for.
var words = map[string]string{"list": "list", "get_all": "list", "getall": "list", "search": "api_search",
	"query": "api_search", "find": "api_search", "lookup": "api_search", "get": "get", "retrieve": "get", "read": "get",
	"fetch": "get", "info": "get", "show": "get", "create": "create", "add": "create", "insert": "create",
	"new": "create", "update": "update", "edit": "update", "modify": "update", "replace": "update", "patch": "update",
	"set": "update", "delete": "delete", "remove": "delete", "destroy": "delete", "download": "download",
	"export": "download"}

// saidBy is the action that the name of an operation speaks of; empty for none.
func saidBy(id string) string {
	for part := range strings.SplitSeq(snake(id), "_") {
		if a := words[part]; a != "" {
			return a
		}
	}
	return ""
}

// byMethod is the table of methods and paths.
func (b *builder) byMethod(p *proposal, byID bool, verb string) (action, why string) {
	o, entity := p.o, p.row.Entity
	schema := b.response(o)
	spoken := words[verb]
	_, isList := listIn(b.shapes, schema, entity)
	isList = isList && schema != nil
	switch {
	case o.method == "GET" && (spoken == "download" || b.binary(o)):
		return catalog.ActionDownload, "GET that answers with a file"
	case spoken == "api_search" && (o.method == "GET" || o.method == "POST"):
		return catalog.ActionAPISearch, o.method + " to " + verb
	case spoken != "" && (o.method == "GET") && spoken != "list" && spoken != "get":
		return "get", "GET to " + verb
	case o.method == "GET" && byID:
		return catalog.ActionGet, "GET by " + strings.Trim(p.segments[len(p.segments)-1], "{}")
	case o.method == "GET" && (isList || b.asksForPages(o) || spoken == "list"):
		return catalog.ActionList, "GET that answers with a list"
	case o.method == "GET" && b.undescribed(schema) && singular(entity) != entity:
		p.row.Confidence = "medium"
		return catalog.ActionList, "GET of a plural, and the answer is not described"
	case o.method == "GET":
		return catalog.ActionGet, "GET that answers with one object"
	case o.method == "DELETE":
		return catalog.ActionDelete, "DELETE"
	case o.method == "PATCH", o.method == "PUT" && byID:
		return catalog.ActionUpdate, o.method
	case o.method == "PUT":
		p.row.Confidence = "medium"
		return catalog.ActionUpdate, "PUT without an id in its path"
	case o.method != "POST":
		p.row.Out = true
		return strings.ToLower(o.method), o.method + " is not sent"
	case spoken == "list" && isList:
		return catalog.ActionList, "POST to " + verb + " that answers with a list"
	case spoken != "" && spoken != "list":
		return spoken, "POST to " + verb
	case byID && !b.sibling(o, "PUT", "PATCH"):
		p.row.Confidence = "medium"
		return catalog.ActionUpdate, "POST by id, and no PUT or PATCH there"
	case b.actsOn(p):
		p.row.Out, p.row.Confidence = true, "low"
		noun := p.parent
		p.row.Entity = singular(noun) + "_" + entity
		p.row.Why = "POST to the verb " + entity + ": take it with a mapping if it is wanted"
		return catalog.ActionCreate, ""
	}
	return catalog.ActionCreate, "POST"
}

// undescribed reports whether a schema says nothing of an answer.
func (b *builder) undescribed(schema *base.SchemaProxy) bool {
	if schema == nil {
		return true
	}
	b.shapes.deep = 0
	return b.shapes.field(schema).Type == "any"
}

// actsOn reports whether a POST does something to a record: /things/{id}/close.
func (b *builder) actsOn(p *proposal) bool {
	n := len(p.segments)
	if n < 3 || p.parent == "" || !param.MatchString(p.segments[n-2]) {
		return false
	}
	tail := strings.ToLower(p.segments[n-1])
	return singular(tail) == tail && !b.sibling(p.o, "GET")
}

// sibling reports whether another method stands at the operation's path.
func (b *builder) sibling(o *operation, methods ...string) bool {
	if b.methods == nil {
		b.methods = map[string]bool{}
		for _, other := range b.doc.operations {
			b.methods[other.method+" "+other.path] = true
		}
	}
	return slices.ContainsFunc(methods, func(m string) bool { return b.methods[m+" "+o.path] })
}

// asksForPages reports whether an operation takes params that ask for pages.
func (b *builder) asksForPages(o *operation) bool {
	size, at := false, false
	for _, p := range o.params {
		size = size || p.In == "query" && slices.Contains(sizes, p.Name)
		at = at || p.In == "query" && (slices.Contains(numbers, p.Name) || slices.Contains(offsets, p.Name) ||
			slices.Contains(cursors, p.Name))
	}
	return size && at || at && strings.HasSuffix(strings.ToLower(o.path), "s")
}

// binary reports whether an answer is a file.
func (b *builder) binary(o *operation) bool {
	if o.responses == nil {
		return false
	}
	r, ok := o.responses.Get("200")
	if !ok || r == nil || r.Content == nil || r.Content.Len() == 0 {
		return false
	}
	for name := range r.Content.FromOldest() {
		if strings.HasSuffix(name, "json") || strings.HasPrefix(name, "text/") || name == "*/*" ||
			strings.HasSuffix(name, "xml") {
			return false
		}
	}
	return true
}

// nested names an entity by its parent too, where it stands below several or beside one
// of its own with another shape.
func (b *builder) nested(all []*proposal) {
	parents := map[string]map[string]bool{}
	for _, p := range all {
		if p.row.Out {
			continue
		}
		if parents[p.row.Entity] == nil {
			parents[p.row.Entity] = map[string]bool{}
		}
		parents[p.row.Entity][p.parent] = true
	}
	for _, p := range all {
		if p.parent == "" || p.parent == p.row.Entity || len(parents[p.row.Entity]) < 2 || p.row.Out {
			continue
		}
		if p.row.Confidence == "high" {
			p.row.Confidence = "medium"
		}
		p.row.Why += "; there are " + p.row.Entity + " elsewhere too"
		p.row.Entity = singular(p.parent) + "_" + p.row.Entity
	}
}

// apart gives every operation a pair of its own.
func (b *builder) apart(all []*proposal) {
	groups := map[string][]*proposal{}
	for _, p := range all {
		if !p.row.Out && p.row.Entity != "" {
			groups[p.row.Entity+"."+p.row.Action] = append(groups[p.row.Entity+"."+p.row.Action], p)
		}
	}
	inPath := func(p *proposal) int { return strings.Count(p.o.path, "{") }
	for _, pair := range slices.Sorted(maps.Keys(groups)) {
		group := groups[pair]
		if len(group) < 2 {
			continue
		}
		keeps := slices.MinFunc(group, func(x, y *proposal) int {
			if d := inPath(x) - inPath(y); d != 0 {
				return d
			}
			return len(x.o.path) - len(y.o.path)
		})
		for _, p := range group {
			if p == keeps {
				continue
			}
			names := braces.FindAllStringSubmatch(p.o.path, -1)
			switch {
			case p.parent != "" && !strings.HasPrefix(p.row.Entity, singular(p.parent)+"_"):
				p.row.Entity = singular(p.parent) + "_" + p.row.Entity
			case len(names) > 0:
				p.row.Entity += "_by_" + snake(names[len(names)-1][1])
			default:
				p.row.Entity = snake(strings.Join(p.segments, "_"))
			}
			p.row.Why += "; " + keeps.row.Operation + " is " + strings.Replace(pair, ".", " ", 1)
			if p.row.Confidence == "high" {
				p.row.Confidence = "medium"
			}
			if groups[p.row.Entity+"."+p.row.Action] != nil {
				p.row.Entity = snake(strings.Join(fixed(p.segments), "_"))
			}
		}
	}
}

// fixed are the segments that are no params.
func fixed(segments []string) []string {
	return slices.DeleteFunc(slices.Clone(segments), param.MatchString)
}

// relate notes that a nested entity belongs to the one above it.
func (b *builder) relate(p *proposal) {
	e, parent := b.kind().Entity(p.row.Entity), b.kind().Entity(p.parent)
	if p.param == "" || p.parent == "" || e == nil || p.parent == p.row.Entity {
		return
	}
	r := catalog.Relation{From: p.row.Entity, Field: p.param, To: p.parent}
	if parent != nil {
		r.Key = keyOf(p.parent, parent.Record)
	}
	if !slices.ContainsFunc(b.kind().Relations, func(o catalog.Relation) bool {
		return o.From == r.From && o.Field == r.Field
	}) {
		b.kind().Relations = append(b.kind().Relations, r)
	}
}
