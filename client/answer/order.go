package answer

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"patchbay/client/rawjson"
)

// trend is how the values of one field follow each other on a page.
type trend struct {
	field          string
	up, down, same int
}

func (o trend) pairs() int { return o.up + o.down + o.same }

// mostOrders bounds how many fields of a page are watched.
const mostOrders = 8

// times are what stands in the names of fields that speak of a time.
var times = []string{"creat", "updat", "modif", "date", "time", "_at", "edited"}

// ordersOf looks how a page is sorted by its key and by the fields that look
// like times: what lists are usually sorted by.
func ordersOf(x Records, key string) []trend {
	if x.Len() < 3 {
		return nil
	}
	var fields []string
	for m := range x.Record(0).Members() {
		name := m.Key()
		timely := func(word string) bool { return strings.Contains(strings.ToLower(name), word) }
		if present(m.Value) && (name == key || slices.ContainsFunc(times, timely)) && len(fields) < mostOrders {
			fields = append(fields, name)
		}
	}
	out := make([]trend, len(fields))
	last := make([]rawjson.Node, len(fields))
	for k, f := range fields {
		out[k].field = f
	}
	for i := range x.Len() {
		rec := x.Record(i)
		named := func(name []byte) int {
			return slices.IndexFunc(fields, func(field string) bool { return field == string(name) })
		}
		rec.Pick(named, func(k int, v rawjson.Node) bool {
			out[k].add(last[k], v)
			last[k] = v
			return true
		})
	}
	return out
}

func (o *trend) add(last, v rawjson.Node) {
	if !present(last) || last.Kind() != v.Kind() {
		return
	}
	c := bytes.Compare(last.Raw(), v.Raw())
	if v.Kind() == rawjson.Number {
		x, _ := strconv.ParseFloat(string(last.Raw()), 64)
		y, _ := strconv.ParseFloat(string(v.Raw()), 64)
		c = cmp.Compare(x, y)
	}
	switch {
	case c < 0:
		o.up++
	case c > 0:
		o.down++
	default:
		o.same++
	}
}

// watch follows the orders over pages and tells the first field whose order
// broke: sorted without exception on all pages before, over at least
// fewestPairs neighbours, and clearly not, or the other way, on this one.
type watch map[string]*trend

const fewestPairs = 7

func (w watch) broken(orders []trend) (field string, ok bool) {
	for _, now := range orders {
		before := w[now.field]
		if before == nil || before.pairs() < fewestPairs || before.up > 0 && before.down > 0 {
			continue
		}
		against := now.up
		if before.up > 0 {
			against = now.down
		}
		if before.up+before.down >= 3 && against >= 3 && against*4 >= now.pairs() {
			field, ok = now.field, true
			break
		}
	}
	for _, now := range orders {
		if w[now.field] == nil {
			w[now.field] = &trend{field: now.field}
		}
		sum := w[now.field]
		sum.up, sum.down, sum.same = sum.up+now.up, sum.down+now.down, sum.same+now.same
	}
	return field, ok
}

// identities remembers which keys were on which page.
type identities struct {
	key  string
	seed maphash.Seed
	seen map[uint64]struct{}
	// keyless is set when the key turned out not to tell records apart, or there
	// is none: then rows count as repeated only where a page begins with what the
	// one before ended with, or is an earlier page again.
	keyless bool
	last    []uint64
	whole   map[uint64]int32
	// stale is how many pages, up to the last one with rows, held nothing new.
	stale int
}

// count fills the new and repeated ids of a page that is about to become page n.
func (s *identities) count(p *Entry, n int) {
	if s.seen == nil {
		s.seed, s.seen, s.whole = maphash.MakeSeed(), map[uint64]struct{}{}, map[uint64]int32{}
	}
	if p.Env.Single {
		p.NewIDs = p.Rows
		return
	}
	keys, whole, named := s.hashes(p.Page)
	var doubles int
	p.facts.within, doubles = twice(keys, whole)
	if named < len(keys) || p.facts.within > 0 {
		s.keyless = true
	}
	identity := keys
	if s.keyless {
		identity = whole
	}
	var h maphash.Hash
	h.SetSeed(s.seed)
	for _, k := range identity {
		maphash.WriteComparable(&h, k)
	}
	all := h.Sum64()
	if from, ok := s.whole[all]; ok && (!s.keyless || telling(whole)) {
		p.facts.allFrom = int(from)
		p.Repeated = p.Rows
	} else if s.keyless {
		p.Repeated, p.facts.byBytes = overlap(s.last, whole), true
	} else {
		p.facts.doubles = doubles
		for _, k := range keys {
			if _, ok := s.seen[k]; ok {
				p.facts.again++
			}
		}
	}
	before := len(s.seen)
	for _, k := range keys {
		s.seen[k] = struct{}{}
	}
	if !s.keyless && p.facts.allFrom < 0 {
		p.Repeated = p.Rows - (len(s.seen) - before) // rows of this page that repeat others of it too
	}
	p.NewIDs = p.Rows - p.Repeated
	if _, ok := s.whole[all]; !ok && len(keys) > 0 {
		s.whole[all] = int32(n)
	}
	switch {
	case p.Rows == 0:
	case p.NewIDs > 0:
		s.stale = 0
	default:
		s.stale++
	}
	p.facts.stale, s.last = s.stale, whole
}

// hashes returns a hash of each row's key and one of all its bytes, and how
// many rows had a key.
func (s *identities) hashes(x Records) (keys, whole []uint64, named int) {
	keys, whole = make([]uint64, x.Len()), make([]uint64, x.Len())
	for i := range keys {
		rec := x.Record(i)
		whole[i] = maphash.Bytes(s.seed, rec.Raw())
		keys[i] = whole[i]
		if v, ok := lookup(rec, s.key); s.key != "" && ok && present(v) {
			keys[i] = maphash.Bytes(s.seed, v.Raw())
			named++
		}
	}
	return keys, whole, named
}

// twice counts the rows of a page whose key another row of it has too: with
// other bytes, so that the key tells nothing apart, or as the same record again.
func twice(keys, whole []uint64) (other, same int) {
	seen := make(map[uint64]uint64, len(keys))
	for i, k := range keys {
		switch bytes, ok := seen[k]; {
		case !ok:
			seen[k] = whole[i]
		case bytes == whole[i]:
			same++
		default:
			other++
		}
	}
	return other, same
}

// tellingRows is how many different rows a page needs before one that holds
// the same ones, in the same order, is that page again and no chance.
const tellingRows = 3

// telling reports whether rows without a key differ enough to know a page by
// them: those with a single field chosen often do not.
func telling(whole []uint64) bool {
	seen := make(map[uint64]struct{}, len(whole))
	for _, k := range whole {
		seen[k] = struct{}{}
	}
	return len(seen) >= tellingRows && 2*len(seen) > len(whole)
}

// overlap is the number of rows that end one page and begin the next.
func overlap(last, keys []uint64) int {
	if !telling(last) || !telling(keys) {
		return 0
	}
	for n := min(len(last), len(keys)); n > 1; n-- {
		if slices.Equal(last[len(last)-n:], keys[:n]) {
			return n
		}
	}
	return 0
}
