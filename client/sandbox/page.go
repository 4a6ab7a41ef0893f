package sandbox

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"patchbay/catalog"
)

// slice is the page of an answer: records [from, to) of the matches.
type slice struct {
	from, to, total int
	number          int // of the page, for kinds that count pages
	size            int
}

func (s slice) more() bool { return s.to < s.total }

// usualSize is the page size where nobody tells the vendor's own.
const usualSize = 50

// pageSize is how many records a page holds.
func (q *query) pageSize() int {
	p := q.a.Page
	if n, given := asInt(q.params.value(p.Size)); p.Size != "" && given && n > 0 {
		return int(n)
	}
	if p.DefaultSize > 0 {
		return p.DefaultSize
	}
	if f := fieldNamed(q.a.Params, p.Size); f != nil && f.Default != nil {
		if n, isInt := asInt(constant(f.Default)); isInt && n > 0 {
			return int(n)
		}
	}
	if q.d.kind.Name == "crm" {
		return 2000
	}
	return usualSize
}

// slice finds the page that the params ask for.
func (q *query) slice(rows []*record) (slice, error) {
	s := slice{to: len(rows), total: len(rows)}
	p := q.a.Page
	if p == nil || p.Style == "none" && p.Size == "" {
		return s, nil
	}
	s.size = q.pageSize()
	var err error
	switch {
	case p.Style == "none":
	case p.Style == "last_id":
		return q.sliceByID(rows, s)
	case p.Style == "offset":
		s.from = q.offset(p.Send)
	case p.Style == "page" || p.Style == "link" && numeric(fieldNamed(q.a.Params, p.Send)):
		n, given := asInt(q.params.value(p.Send))
		if !given {
			n = int64(max(p.First, boolInt(q.d.kind.Name != "task_management")))
		}
		s.number = int(n)
		first := 1
		if q.d.kind.Name == "task_management" {
			first = 0
		}
		s.from = max(s.number-first, 0) * s.size
	default:
		s.from, err = q.openToken(q.params.text(p.Send))
	}
	s.from = min(s.from, len(rows))
	s.to = min(s.from+s.size, len(rows))
	return s, err
}

func numeric(f *catalog.Field) bool { return f != nil && strings.Contains(f.Type, "integer") }

func (q *query) offset(param string) int {
	n, _ := asInt(q.params.value(param))
	return int(max(n, 0))
}

// openToken reads a cursor, which the error tracker writes as 0:OFFSET:0.
func (q *query) openToken(token string) (int, error) {
	if parts := strings.Split(token, ":"); len(parts) == 3 {
		n, err := strconv.Atoi(parts[1])
		if err == nil && n >= 0 {
			return n, nil
		}
	}
	if q.t != nil && q.d.kind.Name == "work_board" && token == "" {
		return 0, nil
	}
	return openCursor(token)
}

func (q *query) sealToken(offset int) string {
	if q.d.kind.Name == "error_tracking" {
		return "0:" + strconv.Itoa(offset) + ":0"
	}
	return sealCursor(offset)
}

// sliceByID pages after or before a record, as payments does.
func (q *query) sliceByID(rows []*record, s slice) (slice, error) {
	p := q.a.Page
	after, before := q.params.text(p.Send), q.params.text(p.Back)
	if after != "" && before != "" {
		return s, refuse(http.StatusBadRequest, "%s and %s cannot be given together.", p.Send, p.Back)
	}
	s.from, s.to = 0, min(s.size, len(rows))
	if after+before == "" {
		return s, nil
	}
	i := indexOf(rows, q.t.key, after+before)
	if i < 0 {
		return s, &refusal{status: http.StatusBadRequest, field: p.Send, code: "resource_missing", message: "No such record: '" + after + before + "'."}
	}
	if after != "" {
		s.from = i + 1
		s.to = min(s.from+s.size, len(rows))
		return s, nil
	}
	s.from, s.to = max(i-s.size, 0), i
	// Going back, "more" tells whether records lie before this page.
	s.total = s.to + boolInt(s.from > 0)
	return s, nil
}

func indexOf(rows []*record, key, id string) int {
	for i, r := range rows {
		if r.obj.text(key) == id {
			return i
		}
	}
	return -1
}

// next is what the param for the next page would be; nil on the last page.
func (q *query) next(s slice, rows []*record) any {
	p := q.a.Page
	if p == nil || !s.more() {
		return nil
	}
	switch {
	case p.Style == "last_id":
		return rows[s.to-1].obj.value(q.t.key)
	case p.Style == "offset":
		return int64(s.to)
	case p.Style == "page" || p.Style == "link" && numeric(fieldNamed(q.a.Params, p.Send)):
		return int64(s.number + 1)
	}
	return q.sealToken(s.to)
}

// nextURL is the address of the next page at the third party.
func (q *query) nextURL(next any) any {
	if next == nil {
		return nil
	}
	base, path := "https://"+strings.ReplaceAll(q.d.kind.Name, "_", "-")+".example", "/"+q.e.Name
	if q.a.Binding != nil && q.a.Binding.Path != "" {
		path = q.a.Binding.Path
	}
	if q.d.kind.Local != nil && q.d.kind.Local.BaseURL != "" && !strings.Contains(q.d.kind.Local.BaseURL, "{") {
		base = q.d.kind.Local.BaseURL
	}
	if q.d.kind.Name == "crm" {
		return "/services/data/v59.0/query/01g5g00000sandbox-" + asText(next)
	}
	values := url.Values{}
	for i, k := range q.params.keys {
		if t := asText(q.params.vals[i]); t != "" && !strings.Contains(path, "{"+k+"}") {
			values.Set(k, t)
		} else {
			path = strings.ReplaceAll(path, "{"+k+"}", url.PathEscape(t))
		}
	}
	send := q.a.Page.Send
	if send == "" {
		send = "cursor"
	}
	values.Set(send, asText(next))
	return base + path + "?" + values.Encode()
}

// meta is the action's documented meta, filled from the page. Where the
// documentation leaves out the value that asks for the next page, so does the
// sandbox: a client has to cope with that.
func (q *query) meta(s slice, rows []*record) any {
	if len(q.a.Meta) == 0 {
		return nil
	}
	o := &object{}
	next := q.next(s, rows)
	for i := range q.a.Meta {
		q.metaField(o, &q.a.Meta[i], s, next, rows)
	}
	return o
}

func (q *query) metaField(o *object, f *catalog.Field, s slice, next any, rows []*record) {
	p := q.a.Page
	switch n := normal(f.Name); n {
	case "hasmore", "hasnextpage":
		o.set(f.Name, s.more())
	case "islast", "lastpage", "done":
		o.set(f.Name, !s.more())
	case "total", "totalcount", "totalrecords", "contactcount", "numberofresults", "totalsize", "totalitems":
		o.set(f.Name, int64(s.total))
	case "currentpagenumber":
		o.set(f.Name, int64(s.from/max(s.size, 1)))
	case "start", "startat":
		o.set(f.Name, int64(s.from))
	case "limit", "maxresults", "perpage":
		o.set(f.Name, int64(s.size))
	case "size":
		o.set(f.Name, int64(s.to-s.from))
	case "links":
		o.set(f.Name, []any{newObject("rel", "self", "href", q.nextURL(int64(s.from)), "method", "GET")})
	case "nextoffset":
		o.set(f.Name, next)
	case "endcursor":
		o.set(f.Name, nil)
		if s.to > s.from {
			o.set(f.Name, q.sealToken(s.to))
		}
	case "nextpagetoken":
		if next != nil {
			o.set(f.Name, next)
		}
	default:
		if p != nil && (p.NextIs != "" || p.Style == "link" || strings.HasPrefix(p.Next, "@link") || n == "nextpage") {
			next = q.nextURL(next)
		}
		o.set(f.Name, next)
	}
}

// body wraps records as the third party does, where its whole body is the result.
func (q *query) body(s slice, rows []*record, list []any) *object {
	o := &object{}
	p := q.a.Page
	if q.d.kind.Name == "payments" {
		o.set("object", "search_result")
		o.set("url", q.a.Binding.Path)
	}
	if p != nil {
		if plainPath(p.More) {
			setPath(o, p.More, s.more())
		}
		if plainPath(p.Total) {
			setPath(o, p.Total, int64(s.total))
		}
		if plainPath(p.Next) {
			setPath(o, p.Next, q.next(s, rows))
		}
	}
	setPath(o, q.a.Binding.RecordsInBody, list)
	return o
}

func plainPath(path string) bool { return path != "" && !strings.ContainsAny(path, "@!$[ =") }

func setPath(o *object, path string, v any) {
	first, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		o.set(first, v)
		return
	}
	inner, isObject := o.value(first).(*object)
	if !isObject {
		inner = &object{}
		o.set(first, inner)
	}
	setPath(inner, rest, v)
}
