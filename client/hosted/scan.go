package hosted

import (
	"bytes"
	"encoding/json"

	"patchbay/client"
)

const (
	// lookDepth is how many levels of objects are looked into; arrays are passed over.
	lookDepth = 4
	// mostMembers bounds what is remembered of an object with very many members.
	mostMembers = 4096
	longestKey  = 256
)

// member is a value found on the way: where it lies and what it is.
type member struct {
	path  string
	depth int
	kind  byte // '{', '[', '"' or 0 for other scalars
	span  client.Span
}

// scan looks once through a JSON text as it arrives and notes where the
// members of its outer objects lie. It decodes nothing and takes any input.
type scan struct {
	pos     int
	skip    int // nesting below a value that is not looked into
	inText  bool
	escaped bool
	asKey   bool // the text is a member's name
	wantKey bool
	key     []byte
	open    []int // members (by index) whose objects are being looked into
	paths   []string
	current int // member whose scalar, text or skipped value is being read; -1 none
	begun   bool
	done    bool
	broken  bool
	members []member
}

// complete tells whether exactly one whole value was seen.
func (s *scan) complete() bool {
	return s.begun && !s.broken && !s.inText && s.skip == 0 && len(s.open) == 0
}

func (s *scan) feed(p []byte) {
	for i := 0; i < len(p) && !s.broken; {
		switch {
		case s.inText:
			i += s.text(p[i:])
		case s.skip > 0:
			i += s.pass(p[i:])
		default:
			s.look(p[i])
			i++
			s.pos++
		}
	}
}

// text reads on within a text and returns how many bytes it took.
func (s *scan) text(p []byte) int {
	n := 0
	for n < len(p) {
		if s.escaped {
			s.escaped = false
			n++
			continue
		}
		next := bytes.IndexByte(p[n:], '"')
		if next < 0 {
			next = len(p) - n
		}
		if slash := bytes.IndexByte(p[n:n+next], '\\'); slash >= 0 {
			n += slash + 1
			s.escaped = true
			continue
		}
		n += next
		if n < len(p) {
			s.keep(p[:n])
			s.pos += n + 1
			s.endText()
			return n + 1
		}
	}
	s.keep(p[:n])
	s.pos += n
	return n
}

func (s *scan) keep(p []byte) {
	if s.asKey {
		s.key = append(s.key, p[:min(len(p), longestKey-min(len(s.key), longestKey))]...)
	}
}

func (s *scan) endText() {
	s.inText = false
	switch {
	case s.skip > 0:
	case s.asKey:
		s.asKey = false
		s.wantKey = false
	default:
		s.end(s.pos)
	}
}

// pass goes over a value that is not looked into.
func (s *scan) pass(p []byte) int {
	for i, b := range p {
		switch b {
		case '"':
			s.inText = true
			s.pos += i + 1
			return i + 1
		case '{', '[':
			s.skip++
		case '}', ']':
			if s.skip--; s.skip == 0 {
				s.pos += i + 1
				s.end(s.pos)
				return i + 1
			}
		}
	}
	s.pos += len(p)
	return len(p)
}

// look takes one byte at a level that is looked into.
func (s *scan) look(b byte) {
	switch b {
	case ' ', '\t', '\r', '\n':
		s.endScalar()
		return
	case ',', '}':
		s.endScalar()
		if len(s.open) == 0 {
			s.broken = true
			return
		}
		if s.wantKey = b == ','; b == '}' {
			s.close()
		}
		return
	case ':':
		return
	}
	if s.wantKey {
		s.inText, s.asKey, s.key = b == '"', true, s.key[:0]
		s.broken = b != '"'
		return
	}
	if s.scalarOpen() {
		return
	}
	if s.done || b == ']' {
		// A byte order mark before the value is passed over; what follows the value is not.
		s.broken = true
		return
	}
	s.begin(b)
}

func (s *scan) scalarOpen() bool { return s.begun && s.current >= 0 }

func (s *scan) begin(b byte) {
	if !s.begun && (b == 0xef || b == 0xbb || b == 0xbf) {
		return
	}
	m := member{path: s.path(), depth: len(s.open), span: client.Span{From: s.pos}}
	s.begun = true
	switch b {
	case '{', '[', '"':
		m.kind = b
	}
	s.current = -1
	if len(s.members) < mostMembers || len(s.members) == 0 {
		s.members = append(s.members, m)
		s.current = len(s.members) - 1
	} else {
		s.current = mostMembers
	}
	switch {
	case b == '"':
		s.inText = true
	case b == '{' && len(s.open) < lookDepth && s.current < mostMembers:
		s.open = append(s.open, s.current)
		s.paths = append(s.paths, m.path)
		s.current, s.wantKey = -1, true
	case b == '{', b == '[':
		s.skip = 1
	}
}

func (s *scan) path() string {
	if len(s.open) == 0 {
		return ""
	}
	name := string(s.key)
	if bytes.IndexByte(s.key, '\\') >= 0 {
		var plain string
		if json.Unmarshal([]byte(`"`+name+`"`), &plain) == nil {
			name = plain
		}
	}
	if parent := s.paths[len(s.paths)-1]; parent != "" {
		return parent + "." + name
	}
	return name
}

// endScalar ends a number or word, which only what follows it does.
func (s *scan) endScalar() {
	if s.scalarOpen() {
		s.end(s.pos)
	}
}

func (s *scan) end(at int) {
	if s.current >= 0 && s.current < len(s.members) {
		s.members[s.current].span.To = at
	}
	s.current = -1
	s.done = len(s.open) == 0
}

func (s *scan) close() {
	last := len(s.open) - 1
	s.members[s.open[last]].span.To = s.pos + 1
	s.open, s.paths = s.open[:last], s.paths[:last]
	s.wantKey = false
	s.done = last == 0
}

// finish ends a scalar at the end of the text.
func (s *scan) finish() {
	if !s.inText && s.skip == 0 && len(s.open) == 0 {
		s.endScalar()
	}
}

// at returns the member at a dotted path; the first of several.
func (s *scan) at(path string) *member {
	for i := range s.members {
		if s.members[i].path == path {
			return &s.members[i]
		}
	}
	return nil
}

// children returns the members right below a path.
func (s *scan) children(path string) []member {
	parent := s.at(path)
	if parent == nil || parent.kind != '{' {
		return nil
	}
	var out []member
	for _, m := range s.members {
		if m.depth == parent.depth+1 && m.span.From >= parent.span.From && m.span.To <= parent.span.To {
			out = append(out, m)
		}
	}
	return out
}
