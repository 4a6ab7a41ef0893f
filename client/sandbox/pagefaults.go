package sandbox

import "slices"

// overlap is how many records a faulty page repeats.
const overlap = 3

// pageFault moves the borders of a page.
func (c *call) pageFault(q *query, s slice) slice {
	if _, on := c.fault(FaultOverlap); on && s.from > 0 {
		s.from = max(s.from-overlap, 0)
	}
	if _, on := c.fault(FaultIgnoreLimit); on {
		s.to = min(s.from+max(4*s.size, 100), len(q.t.rows), s.total)
	}
	if _, on := c.fault(FaultShort); on && s.from > 0 && s.more() {
		s.to = max(s.to-1-s.from/max(s.size, 1), s.from+1)
	}
	return s
}

// recordFault changes which records of a page are sent, and in what order.
func (c *call) recordFault(s slice, rows []*record) []*record {
	if _, on := c.fault(FaultEmpty); on && s.from > 0 && s.from <= s.size {
		return nil
	}
	if _, on := c.fault(FaultOrder); on && s.from > 0 {
		rows = slices.Clone(rows)
		slices.Reverse(rows)
	}
	return rows
}

// metaFault spoils what leads to the next page.
func (c *call) metaFault(q *query, s slice, meta any) any {
	o, isObject := meta.(*object)
	if !isObject || q.a.Page == nil {
		return meta
	}
	for _, f := range c.faults {
		switch f.Name {
		case FaultRepeat:
			sent := q.params.value(q.a.Page.Send)
			if sent == nil {
				sent = sealCursor(q.pageSize())
			}
			lead(q, o, sent, true)
		case FaultNoCursor:
			lead(q, o, nil, true)
		case FaultNoFlag:
			lead(q, o, q.sealToken(s.to), false)
		case FaultLoop:
			if s.from > 0 {
				lead(q, o, q.sealToken(0), true)
			}
		}
	}
	return o
}

// lead writes what the answer says of the next page.
func lead(q *query, o *object, cursor any, more bool) {
	next := q.a.Page.Meta
	if next == "" {
		next = q.a.Page.Next
	}
	for _, k := range o.keys {
		if k == next {
			o.set(k, cursor)
		}
		if n := normal(k); n == "hasmore" || n == "hasnextpage" {
			o.set(k, more)
		}
	}
}
