package sandbox

import (
	"slices"
	"strings"
)

// overlap is how many records a faulty page repeats.
const overlap = 3

// pageFault moves the borders of a page of rows.
func (c *call) pageFault(rows int, s slice) slice {
	if _, on := c.fault(FaultOverlap); on && s.from > 0 {
		again := min(overlap, s.from, max(s.size-1, 0))
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

// pointer is what an answer says of the next page: the value that was sent for
// this one, how the value for a page is written, and where it goes.
type pointer struct {
	sent  any
	token func(offset int) any
	name  string
}

// metaFault spoils what leads to the next page.
func (c *call) metaFault(p pointer, s slice, o *object) {
	for _, f := range c.faults {
		switch f.Name {
		case FaultRepeat:
			sent := p.sent
			if sent == nil {
				sent = p.token(s.size)
			}
			p.lead(o, sent, true)
		case FaultNoCursor:
			p.lead(o, nil, true)
		case FaultNoFlag:
			p.lead(o, p.token(s.to), false)
		case FaultLoop:
			if s.from > 0 {
				p.lead(o, p.token(0), true)
			}
		}
	}
}

// lead writes what the answer says of the next page.
func (p pointer) lead(o *object, value any, more bool) {
	for _, k := range o.keys {
		if k == p.name {
			o.set(k, value)
		}
		if n := normal(k); n == "hasmore" || n == "hasnextpage" {
			o.set(k, more)
		}
	}
}

// pointer is how the answers of an action lead to the next page.
func (q *query) pointer() pointer {
	p := q.a.Page
	address := func(v any) any {
		if p.NextIs != "" || p.Style == "link" || strings.HasPrefix(p.Next, "@link") {
			return q.nextURL(v)
		}
		return v
	}
	out := pointer{name: p.Meta, token: func(offset int) any {
		switch {
		case p.Style == "offset":
			return address(int64(offset))
		case numeric(fieldNamed(q.a.Params, p.Send)):
			return address(int64(offset/max(q.pageSize(), 1) + 1))
		}
		return address(q.sealToken(offset))
	}}
	if sent := q.params.value(p.Send); sent != nil {
		out.sent = address(sent)
	}
	if out.name == "" {
		out.name = p.Next
	}
	return out
}
