package pages

import (
	"hash/maphash"

	"patchbay/client/rawjson"
)

// identities remembers which keys were on which page.
type identities struct {
	key    string
	seed   maphash.Seed
	pageOf map[uint64]int32
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
func (s *identities) count(p *Page, n int) {
	if s.pageOf == nil {
		s.seed, s.pageOf, s.whole = maphash.MakeSeed(), map[uint64]int32{}, map[uint64]int32{}
	}
	if p.Env.Single {
		p.NewIDs = p.Rows
		return
	}
	keys, whole, named := s.hashes(p.Index)
	var doubles int
	p.facts.within, doubles = twice(keys, whole)
	if named < len(keys) || p.facts.within > 0 {
		s.keyless = true
	}
	identity := keys
	if s.keyless {
		identity = whole
	}
	all := s.hashOf(identity)
	if from, ok := s.whole[all]; ok && (!s.keyless || telling(whole)) {
		p.facts.allFrom = int(from)
		p.Repeated = p.Rows
	} else if s.keyless {
		p.Repeated, p.facts.byBytes = overlap(s.last, whole), true
	} else {
		p.facts.doubles = doubles
		for _, k := range keys {
			if _, ok := s.pageOf[k]; ok {
				p.Repeated++
			}
		}
		p.facts.again = p.Repeated
		p.Repeated += s.newTwice(keys)
	}
	p.NewIDs = p.Rows - p.Repeated
	s.remember(p, keys, all, n)
	s.last = whole
}

// newTwice counts the rows of a page that repeat a row of the same page whose
// key no earlier page had.
func (s *identities) newTwice(keys []uint64) int {
	n := 0
	here := make(map[uint64]struct{}, len(keys))
	for _, k := range keys {
		if _, before := s.pageOf[k]; before {
			continue
		}
		if _, twice := here[k]; twice {
			n++
		}
		here[k] = struct{}{}
	}
	return n
}

func (s *identities) remember(p *Page, keys []uint64, all uint64, n int) {
	for _, k := range keys {
		if _, ok := s.pageOf[k]; !ok {
			s.pageOf[k] = int32(n)
		}
	}
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
	p.facts.stale = s.stale
}

// hashes returns a hash of each row's key and one of all its bytes, and how
// many rows had a key.
func (s *identities) hashes(x *rawjson.Index) (keys, whole []uint64, named int) {
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

func (s *identities) hashOf(rows []uint64) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for _, k := range rows {
		maphash.WriteComparable(&h, k)
	}
	return h.Sum64()
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

// telling tells whether rows without a key differ enough to know a page by
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
		same := true
		for i := range n {
			if last[len(last)-n+i] != keys[i] {
				same = false
				break
			}
		}
		if same {
			return n
		}
	}
	return 0
}
