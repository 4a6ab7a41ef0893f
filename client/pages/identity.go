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
	p.facts.within = twice(keys)
	if named < len(keys) || p.facts.within > 0 {
		s.keyless = true
	}
	identity := keys
	if s.keyless {
		identity = whole
	}
	all := s.hashOf(identity)
	if from, ok := s.whole[all]; ok && len(keys) > 0 {
		p.facts.allFrom = int(from)
		p.Repeated = p.Rows
	} else if s.keyless {
		p.Repeated, p.facts.byBytes = overlap(s.last, whole), true
	} else {
		for _, k := range keys {
			if _, ok := s.pageOf[k]; ok {
				p.Repeated++
			}
		}
	}
	p.NewIDs = p.Rows - p.Repeated
	for _, k := range keys {
		if _, ok := s.pageOf[k]; !ok {
			s.pageOf[k] = int32(n)
		}
	}
	if _, ok := s.whole[all]; !ok {
		s.whole[all] = int32(n)
	}
	s.last = whole
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

func twice(keys []uint64) int {
	seen := make(map[uint64]struct{}, len(keys))
	for _, k := range keys {
		seen[k] = struct{}{}
	}
	return len(keys) - len(seen)
}

// overlap is the number of rows that end one page and begin the next.
func overlap(last, keys []uint64) int {
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
