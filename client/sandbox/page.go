package sandbox

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// slice is the page of an answer: records [from, to) of the matches.
type slice struct {
	from, to, total int
	number          int // of the page, for kinds that count pages
	size            int
}

func (s slice) more() bool { return s.to < s.total }

// pageSize is how many records a page holds: 50 where nobody tells the vendor's own.
func (q *query) pageSize() int {
	p := q.a.Page
	sizes := []any{nil, int64(p.DefaultSize), nil, int64(q.d.facts.Paging.Size)}
	if f := catalog.FieldByName(q.a.Params, p.Size); f != nil {
		sizes[0], sizes[2] = q.params.Value(p.Size), constant(f.Default)
	}
	for _, size := range sizes {
		if n, isInt := data.Int(size); isInt && n > 0 {
			return int(n)
		}
	}
	return 50
}

// slice finds the page that the params ask for.
func (q *query) slice(rows []*data.Record) slice {
	s := slice{to: len(rows), total: len(rows)}
	p := q.a.Page
	if p == nil || p.Style == "none" && !q.params.Has(p.Size) {
		return s
	}
	s.size = q.pageSize()
	sent, given := data.Int(q.params.Value(p.Send))
	switch {
	case p.Style == "none":
	case p.Style == "last_id":
		return q.sliceByID(rows, s)
	case p.Style == "offset":
		s.from = int(max(sent, 0))
	case q.counted():
		first := data.BoolInt(!q.d.facts.Paging.FromZero)
		if s.number = int(sent); !given {
			s.number = max(p.First, first)
		}
		s.from = max(s.number-first, 0) * s.size
	default:
		s.from = q.openToken(q.params.Text(p.Send))
	}
	s.from = min(s.from, len(rows))
	s.to = min(s.from+s.size, len(rows))
	return s
}

// counted reports whether pages are asked for by their number.
func (q *query) counted() bool {
	return q.a.Page.Style == "page" || q.a.Page.Style == "link" && q.numeric()
}

// numeric reports whether the param for a page takes a number.
func (q *query) numeric() bool {
	f := catalog.FieldByName(q.a.Params, q.a.Page.Send)
	return f != nil && strings.Contains(f.Type, "integer")
}

// openToken reads a cursor, in the form that the kind writes it.
func (q *query) openToken(token string) int {
	before, after, written := strings.Cut(q.d.facts.Paging.Cursor, "{offset}")
	if number := strings.TrimSuffix(strings.TrimPrefix(token, before), after); written && number != token {
		if n, err := strconv.Atoi(number); err == nil && n >= 0 {
			return n
		}
	}
	return openCursor("params."+q.a.Page.Send, token)
}

func (q *query) sealToken(offset int) string {
	if q.a.Page.Alone {
		return q.sealAlone(offset)
	}
	if form := q.d.facts.Paging.Cursor; form != "" {
		return strings.ReplaceAll(form, "{offset}", strconv.Itoa(offset))
	}
	return sealCursor(offset)
}

// sliceByID pages after or before a record.
func (q *query) sliceByID(rows []*data.Record, s slice) slice {
	p := q.a.Page
	after, before := q.params.Text(p.Send), q.params.Text(p.Back)
	if after != "" {
		before = ""
	}
	if after+before == "" {
		s.from = q.behind(rows)
		s.to = min(s.from+s.size, len(rows))
		return s
	}
	i := slices.IndexFunc(rows, func(r *data.Record) bool { return r.Obj.Text(q.t.Key) == after+before })
	if i < 0 {
		param := p.Send
		if before != "" {
			param = p.Back
		}
		panic(refuseParam(http.StatusBadRequest, param, "resource_missing", "No such record: '%s%s'.", after, before))
	}
	if after != "" {
		s.from, s.to = i+1, min(i+1+s.size, len(rows))
	} else {
		s.from, s.to = max(i-s.size, 0), i
		s.total = s.to + data.BoolInt(s.from > 0) // "more" says whether records lie before this page
	}
	return s
}

// behind is the first of the newest records that are older than what a param beside the id
// says; 0 where it is not given.
func (q *query) behind(rows []*data.Record) int {
	for _, also := range q.a.Page.Also {
		if v := q.params.Value(also.Name); v != nil {
			older := func(r *data.Record) bool { return data.CompareMoments(r.Obj.Value(also.Value), v) < 0 }
			if i := slices.IndexFunc(rows, older); i >= 0 {
				return i
			}
			return len(rows)
		}
	}
	return 0
}

// next is what the param for the next page would be; nil on the last page.
func (q *query) next(s slice, rows []*data.Record) any {
	p := q.a.Page
	switch {
	case p == nil || !s.more():
		return nil
	case p.Style == "last_id":
		return rows[s.to-1].Obj.Value(q.t.Key)
	case p.Style == "offset":
		return int64(s.to)
	case q.counted():
		return int64(s.number + 1)
	}
	return q.sealToken(s.to)
}

// linked reports whether answers give the address of the next page.
func (q *query) linked() bool {
	p := q.a.Page
	return p.NextIs != "" || p.Style == "link" || strings.HasPrefix(p.Next, "@link")
}

// nextURL is the address of the next page at the third party.
func (q *query) nextURL(next any) any {
	if next == nil {
		return nil
	}
	if form := q.d.facts.Paging.NextURL; form != "" {
		return strings.ReplaceAll(form, "{next}", rawjson.TextOf(next))
	}
	base, path := q.d.host(), "/"+q.e.Name
	if q.a.Binding != nil {
		path = cmp.Or(q.a.Binding.Path, path)
	}
	if l := q.d.kind.Local; l != nil && l.BaseURL != "" && !strings.Contains(l.BaseURL, "{") {
		base = l.BaseURL
	}
	values := url.Values{}
	for i, k := range q.params.Keys {
		if t := rawjson.TextOf(q.params.Vals[i]); t != "" && !strings.Contains(path, "{"+k+"}") {
			values.Set(k, t)
		} else {
			path = strings.ReplaceAll(path, "{"+k+"}", url.PathEscape(t))
		}
	}
	values.Set(cmp.Or(q.a.Page.Send, "cursor"), rawjson.TextOf(next))
	return base + path + "?" + values.Encode()
}

// meta is the action's documented meta, filled from the page. Where the
// documentation leaves out the value that asks for the next page, so does the
// sandbox: a client has to cope with that.
func (q *query) meta(c *call, s slice, rows []*data.Record) any {
	if len(q.a.Meta) == 0 {
		return nil
	}
	o, next, more := &rawjson.Map{}, q.next(s, rows), s.more()
	if p := q.a.Page; p != nil {
		next, more = c.lead(s, next, q.params.Value(p.Send), func(offset int) any {
			switch {
			case p.Style == "offset":
				return int64(offset)
			case q.numeric():
				return int64(offset/max(q.pageSize(), 1) + 1)
			}
			return q.sealToken(offset)
		})
	}
	for i := range q.a.Meta {
		name := q.a.Meta[i].Name
		if n := data.Normal(name); n != "nextpagetoken" || next != nil {
			o.Set(name, fitted(&q.a.Meta[i], q.metaValue(n, s, next, more)))
		}
	}
	return o
}

// metaValue is a member of meta by its normalised name.
func (q *query) metaValue(name string, s slice, next any, more bool) any {
	switch name {
	case "hasmore", "hasnextpage":
		return more
	case "islast", "lastpage", "done":
		return !more
	case "total", "totalcount", "totalrecords", "contactcount", "numberofresults", "totalsize", "totalitems":
		return int64(s.total)
	case "currentpagenumber":
		return int64(s.from / max(s.size, 1))
	case "start", "startat":
		return int64(s.from)
	case "limit", "maxresults", "perpage":
		return int64(s.size)
	case "size":
		return int64(s.to - s.from)
	case "links":
		return []any{rawjson.NewMap("rel", "self", "href", q.nextURL(int64(s.from)), "method", "GET")}
	case "endcursor":
		if next == nil && !more && s.to > s.from {
			return q.sealToken(s.to)
		}
		return next
	}
	if name != "nextoffset" && name != "nextpagetoken" && q.a.Page != nil && q.linked() {
		return q.nextURL(next)
	}
	return next
}

// body wraps records as the third party does, where its whole body is the result.
func (q *query) body(s slice, rows []*data.Record, list []any) *rawjson.Map {
	o := &rawjson.Map{}
	for _, member := range q.d.facts.Paging.Body {
		o.Set(member.Name, strings.ReplaceAll(member.Value, "{path}", q.a.Binding.Path))
	}
	set := func(path string, v any) {
		if path != "" && !strings.ContainsAny(path, "@!$[ =") {
			setPath(o, path, v)
		}
	}
	if p := q.a.Page; p != nil {
		set(p.More, s.more())
		set(p.Total, int64(s.total))
		set(p.Next, q.next(s, rows))
	}
	setPath(o, q.a.Binding.RecordsInBody, list)
	return o
}

func setPath(o *rawjson.Map, path string, v any) {
	first, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		o.Set(first, v)
		return
	}
	inner := objectIn(o, first)
	if inner == nil {
		inner = &rawjson.Map{}
		o.Set(first, inner)
	}
	setPath(inner, rest, v)
}

// pageFault moves the borders of a page of rows.
func (c *call) pageFault(rows int, s slice) slice {
	if _, on := c.fault(FaultOverlap); on && s.from > 0 {
		again := min(3, s.from, max(s.size-1, 0))
		s.from, s.to = s.from-again, min(s.to, s.from-again+s.size)
	}
	if _, on := c.fault(FaultIgnoreLimit); on {
		s.to = min(s.from+max(4*s.size, 100), rows, s.total)
	}
	if _, on := c.fault(FaultShort); on && s.from > 0 && s.more() {
		s.to = max(s.to-1-s.from/max(s.size, 1), s.from+1)
	}
	return s
}

// recordFault changes which records of a page are sent, and in what order.
func recordFault[T any](c *call, s slice, rows []T) []T {
	if _, on := c.fault(FaultEmpty); on && s.from > 0 && s.from <= s.size {
		return nil
	}
	if _, on := c.fault(FaultOrder); on && s.from > 0 {
		rows = slices.Clone(rows)
		slices.Reverse(rows)
	}
	return rows
}

// lead is what an answer says of the next page: the value that asks for it, spoiled
// as the faults want, and whether there is one. sent is what asked for this page,
// token writes the value for a page.
func (c *call) lead(s slice, next, sent any, token func(offset int) any) (any, bool) {
	more := s.more()
	for _, f := range c.faults {
		switch {
		case f.Name == FaultRepeat && sent == nil:
			next, more = token(s.size), true
		case f.Name == FaultRepeat:
			next, more = sent, true
		case f.Name == FaultNoCursor:
			next, more = nil, true
		case f.Name == FaultNoFlag:
			next, more = token(s.to), false
		case f.Name == FaultLoop && s.from > 0:
			next, more = token(0), true
		}
	}
	return next, more
}
