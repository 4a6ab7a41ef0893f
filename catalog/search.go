package catalog

import (
	"sort"
	"strings"
)

// Hit is one thing that a search found.
type Hit struct {
	// What is kind, entity, action, param or field.
	What string
	// Kind, Entity, Action and Field lead to it; the later ones are empty where
	// they do not apply. Field is the dotted path of a param or field.
	Kind, Entity, Action, Field string
	// Group of a param or field: params, record, search, meta or config.
	Group string
	// Title is the thing's own name; Matched are the places of the matched
	// characters in it, counted in runes, ascending.
	Title   string
	Matched []int
	// Doc is the thing's description; Why says where the words were found.
	Doc, Why string
	Score    int
}

// Path writes where the hit is: "payments > customers > list > limit".
func (h *Hit) Path() string {
	parts := []string{h.Kind}
	for _, p := range [...]string{h.Entity, h.Action, h.Field} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, " > ")
}

// Search finds kinds, entities, actions, params, fields and descriptions over
// the whole catalog, best first. Every word of the query must be found, in any
// order, in the name, the path or the description of a hit, and at least one in
// its own name or description. An empty query gives the kinds. Words joined as
// in a path ("payments.customers.list") are taken apart when they match nothing
// as they are.
func (c *Catalog) Search(query string, limit int) []Hit {
	hits := c.search(query, limit)
	if apart := separators.Replace(query); len(hits) == 0 && apart != query {
		return c.search(apart, limit)
	}
	return hits
}

// separators are what people and programs write between the parts of a path.
var separators = strings.NewReplacer(".", " ", "/", " ", ">", " ", ":", " ")

func (c *Catalog) search(query string, limit int) []Hit {
	ix := c.searchIndex()
	words := strings.Fields(strings.ToLower(query))
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	m := newMatcher(ix, words)
	var found []scored
	for i := range ix.things {
		if score, ok := m.score(int32(i)); ok {
			found = append(found, scored{int32(i), score})
		}
	}
	sort.Slice(found, func(i, j int) bool {
		if found[i].score != found[j].score {
			return found[i].score > found[j].score
		}
		return found[i].place < found[j].place
	})
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	hits := make([]Hit, len(found))
	for i, f := range found {
		hits[i] = m.hit(f)
	}
	return hits
}

// maxWords keeps a pasted page from being matched word by word.
const maxWords = 8

type scored struct {
	place int32
	score int
}

// Scores of a word by where and how it was found.
const (
	scoreExact     = 100
	scorePrefix    = 80
	scoreBoundary  = 65
	scoreInside    = 45
	scoreScattered = 30
	scoreDocWord   = 18
	scoreDocInside = 8
	scorePhrase    = 60
	behindEntity   = 25
)

// matcher scores one query. Names above an entry (kind, entity, action) are
// scored once and remembered for everything below them.
type matcher struct {
	ix    *index
	words []string
	masks []uint64 // letters of each word
	// phrase is the whole query, and mask its letters.
	phrase string
	mask   uint64
	entity int     // score of the entity that is being walked through; 0 when it is no hit
	path   []int16 // things x words: best score of the word in the thing or above it
}

func newMatcher(ix *index, words []string) *matcher {
	m := &matcher{ix: ix, words: words, masks: make([]uint64, len(words)), path: make([]int16, len(ix.things)*len(words))}
	m.phrase = strings.Join(words, " ")
	for i, w := range words {
		m.masks[i] = letters(w)
		m.mask |= m.masks[i]
	}
	return m
}

// score adds up the best place of each word; false when a word is missing or
// none is the thing's own.
func (m *matcher) score(place int32) (int, bool) {
	t := &m.ix.things[place]
	total, own := whatScore(t.What)-len(t.name)/4, len(m.words) == 0 && t.What == WhatKind
	ok := true
	for w := range m.words {
		name := m.nameScore(t, w)
		above := 0
		if t.parent >= 0 {
			above = int(m.path[int(t.parent)*len(m.words)+w])
		}
		m.path[int(place)*len(m.words)+w] = int16(max(name, above*9/10))
		doc := 0
		if name < scoreDocWord && (above/2 < scoreDocWord || !own) {
			doc = m.docScore(t, w)
		}
		best := max(name, above/2, doc)
		ok = ok && best > 0
		own = own || name > 0 || doc > 0
		total += best
	}
	if m.told(t) {
		total += scorePhrase
	}
	if t.What == WhatAction && m.entity > 0 { // what can be done with an entity comes right after it
		own, total = true, max(total, m.entity-behindEntity)
	}
	ok = ok && own
	if t.What == WhatEntity {
		m.entity = 0
		if ok {
			m.entity = total
		}
	}
	return total, ok
}

// told tells whether several words stand in the description just as they were typed.
func (m *matcher) told(t *thing) bool {
	return len(m.words) > 1 && m.mask&^t.docMask == 0 && strings.Contains(t.doc, m.phrase)
}

// whatScore prefers the larger thing among equals.
func whatScore(what string) int {
	switch what {
	case WhatKind:
		return 40
	case WhatEntity:
		return 32
	case WhatAction:
		return 14
	case WhatParam:
		return 4
	}
	return 0
}

func (m *matcher) nameScore(t *thing, w int) int {
	best := 0
	if m.masks[w]&^t.nameMask == 0 {
		best, _ = matchName(t.Name, t.name, m.words[w])
	}
	if t.other != "" && m.masks[w]&^t.otherMask == 0 {
		if s, at := matchName(t.Other, t.other, m.words[w]); at >= 0 || t.What == WhatKind {
			best = max(best, s-2)
		}
	}
	return best
}

// matchName scores a word in a name and tells the byte where it stands; -1 when
// its letters are scattered, and a score of 0 when it is not there.
func matchName(name, lower, word string) (int, int) {
	at := strings.Index(lower, word)
	if at < 0 {
		return scatteredScore(name, lower, word), -1
	}
	if len(name) != len(lower) {
		return scoreInside, at
	}
	for i := at; i >= 0; i = nextIndex(lower, word, i+1) {
		if boundary(name, i) {
			at = i
			break
		}
	}
	switch {
	case len(lower) == len(word):
		return scoreExact, at
	case at == 0:
		return scorePrefix + 15*len(word)/len(lower), at
	case boundary(name, at) && at+len(word) >= len(lower)-1: // its last word, perhaps in the plural
		return scoreBoundary + 10, at
	case boundary(name, at):
		return scoreBoundary, at
	}
	return scoreInside, at
}

func nextIndex(s, word string, from int) int {
	if from >= len(s) {
		return -1
	}
	if i := strings.Index(s[from:], word); i >= 0 {
		return from + i
	}
	return -1
}

// boundary tells whether a word of a name starts at byte i: after _, . or a
// space, or where camelCase rises.
func boundary(name string, i int) bool {
	if i == 0 {
		return true
	}
	before, here := name[i-1], name[i]
	if !letterOrDigit(before) {
		return true
	}
	return here >= 'A' && here <= 'Z' && (before < 'A' || before > 'Z')
}

func letterOrDigit(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

// scatteredScore accepts letters in order that start at a word of the name and
// lie close together: "cstmr" in "customers".
func scatteredScore(name, lower, word string) int {
	places := scatter(name, lower, word)
	if places == nil {
		return 0
	}
	gaps := places[len(places)-1] - places[0] + 1 - len(word)
	return max(1, scoreScattered-gaps)
}

// scatter finds the bytes of a word in a name in order; nil when they are not
// there or lie too far apart.
func scatter(name, lower, word string) []int {
	if len(word) < 3 || len(name) != len(lower) {
		return nil
	}
	for start := nextIndex(lower, word[:1], 0); start >= 0; start = nextIndex(lower, word[:1], start+1) {
		if !boundary(name, start) {
			continue
		}
		places, at := []int{start}, start
		for i := 1; i < len(word); i++ {
			if at = nextIndex(lower, word[i:i+1], at+1); at < 0 {
				return nil
			}
			places = append(places, at)
		}
		if at-start < 2*len(word)+2 {
			return places
		}
	}
	return nil
}

func (m *matcher) docScore(t *thing, w int) int {
	word := m.words[w]
	if m.masks[w]&^t.docMask != 0 {
		return 0
	}
	at := strings.Index(t.doc, word)
	for ; at >= 0; at = nextIndex(t.doc, word, at+1) {
		end := at + len(word)
		starts := at == 0 || !letterOrDigit(t.doc[at-1])
		ends := end == len(t.doc) || !letterOrDigit(t.doc[end])
		if starts && (ends || len(word) > 1) {
			return scoreDocWord
		}
		if len(word) >= 4 {
			return scoreDocInside
		}
	}
	return 0
}

// hit describes a scored thing: its path, the letters that matched and why.
func (m *matcher) hit(s scored) Hit {
	t := &m.ix.things[s.place]
	h := Hit{What: t.What, Title: t.Name, Doc: t.Doc, Group: t.Group, Score: s.score}
	for place := s.place; place >= 0; place = m.ix.things[place].parent {
		switch above := &m.ix.things[place]; above.What {
		case WhatKind:
			h.Kind = above.Name
		case WhatEntity:
			h.Entity = above.Name
		case WhatAction:
			h.Action = above.Name
		default:
			h.Field = above.Name
		}
	}
	h.Matched, h.Why = m.explain(t)
	return h
}

// explain marks the letters of the name and says where the other words stand.
func (m *matcher) explain(t *thing) ([]int, string) {
	marked := map[int]bool{}
	var inName, inDoc, inPath, inOther bool
	sameRunes := len(t.Name) == len(t.name) // else places in one are not places in the other
	for w, word := range m.words {
		score, at := matchName(t.Name, t.name, word)
		switch {
		case score > 0 && !sameRunes:
			inName = true
		case score > 0:
			inName = true
			for _, i := range matchedBytes(t, word, at) {
				marked[runesBefore(t.name, i)] = true
			}
		case m.nameScore(t, w) > 0:
			inOther = true
		case t.parent >= 0 && m.path[int(t.parent)*len(m.words)+w] > 0:
			inPath = true
		default:
			inDoc = true
		}
	}
	places := make([]int, 0, len(marked))
	for p := range marked {
		places = append(places, p)
	}
	sort.Ints(places)
	return places, why(inName, inOther, inPath, inDoc)
}

func matchedBytes(t *thing, word string, at int) []int {
	if at < 0 {
		return scatter(t.Name, t.name, word)
	}
	bytes := make([]int, len(word))
	for i := range bytes {
		bytes[i] = at + i
	}
	return bytes
}

func why(name, other, path, doc bool) string {
	var found []string
	for _, f := range [...]struct {
		set  bool
		text string
	}{{name, "name"}, {other, "system or other name"}, {path, "path"}, {doc, "description"}} {
		if f.set {
			found = append(found, f.text)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "matched in " + strings.Join(found, " and ")
}
