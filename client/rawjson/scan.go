package rawjson

// Scanner gives the records of an index one after the other to one that passes
// over all of them: the bytes of a file go through a buffer of its own, so that
// nothing is left behind and what the screen needs stays in the cache. A node is
// good until the next is asked for. It belongs to one goroutine.
type Scanner struct {
	x     *Index
	from  int
	bytes []byte
	buf   []byte
}

// Scan returns a Scanner of the records found so far and later.
func (x *Index) Scan() *Scanner { return &Scanner{x: x} }

// Record returns record i; the zero Node when there is no such record.
func (s *Scanner) Record(i int) Node {
	f, apart := s.x.src.(*File)
	if !apart || i < 0 || i >= s.x.Len() {
		return s.x.Record(i)
	}
	from, to := s.x.Span(i)
	if to-from > windowSize {
		return NodeAt(s.x.src, from, to)
	}
	if from < s.from || to > s.from+len(s.bytes) {
		s.from, s.bytes = from, f.view(from, min(from+windowSize, s.x.src.Len()), &s.buf)
	}
	return NodeAt(s, from, to)
}

// Slice implements Source: what was read last, and all else from the source itself.
func (s *Scanner) Slice(from, to int) []byte {
	if from >= s.from && to <= s.from+len(s.bytes) {
		return s.bytes[from-s.from : to-s.from : to-s.from]
	}
	return s.x.src.Slice(from, to)
}

// Len implements Source.
func (s *Scanner) Len() int { return s.x.src.Len() }
