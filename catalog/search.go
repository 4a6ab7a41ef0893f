package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
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

// Path writes where the hit is: "kind > entity > action > field".
func (h *Hit) Path() string {
	return strings.Join(nonEmpty(h.Kind, h.Entity, h.Action, h.Field), " > ")
}

// Search finds kinds, entities, actions, params, fields and descriptions over
// the whole catalog, best first. Every word of the query must be found, in any
// order, in the name, the path or the description of a hit, and at least one in
// its own name or description. An empty query gives the kinds. Words joined as
// in a path ("kind.entity.action") are taken apart when they match nothing
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
	words = words[:min(len(words), maxWords)]
	m := &matcher{ix: ix, words: words, masks: make([]uint64, len(words)), phrase: strings.Join(words, " "),
		path: make([]int16, len(ix.things)*len(words))}
	for i, w := range words {
		m.masks[i] = letters(w)
		m.mask |= m.masks[i]
	}
	var found []scored
	for i := range ix.things {
		if score, ok := m.score(int32(i)); ok {
			found = append(found, scored{int32(i), score})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.place, b.place))
	})
	if limit > 0 {
		found = found[:min(len(found), limit)]
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

// score adds up the best place of each word; false when a word is missing or
// none is the thing's own.
func (m *matcher) score(place int32) (int, bool) {
	t := &m.ix.things[place]
	total, own := int(t.bonus), len(m.words) == 0 && t.What == WhatKind
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
	if len(m.words) > 1 && m.mask&^t.docMask == 0 && strings.Contains(t.doc, m.phrase) {
		total += scorePhrase // the description holds the words just as they were typed
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

// whatScores prefer the larger thing among equals, and the shorter name.
var whatScores = map[string]int32{WhatKind: 40, WhatEntity: 32, WhatAction: 14, WhatParam: 4}

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
		places := scatter(name, lower, word)
		if places == nil {
			return 0, -1
		}
		gaps := places[len(places)-1] - places[0] + 1 - len(word)
		return max(1, scoreScattered-gaps), -1
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
	if from < len(s) {
		if i := strings.Index(s[from:], word); i >= 0 {
			return from + i
		}
	}
	return -1
}

// boundary reports whether a word of a name starts at byte i: after _, . or a
// space, or where camelCase rises.
func boundary(name string, i int) bool {
	if i == 0 || !letterOrDigit(name[i-1]) {
		return true
	}
	before, here := name[i-1], name[i]
	return here >= 'A' && here <= 'Z' && (before < 'A' || before > 'Z')
}

func letterOrDigit(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

// scatter finds the bytes of a word in a name in order: "cstmr" in "customers". It is
// nil when they are not there, begin at no word of the name, or lie too far apart.
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
	marked, found := map[int]bool{}, map[string]bool{}
	sameRunes := len(t.Name) == len(t.name) // else places in one are not places in the other
	for w, word := range m.words {
		score, at := matchName(t.Name, t.name, word)
		switch {
		case score > 0:
			found["name"] = true
			places := scatter(t.Name, t.name, word)
			if at >= 0 {
				places = []int{}
				for i := range word {
					places = append(places, at+i)
				}
			}
			for _, i := range places {
				if sameRunes {
					marked[utf8.RuneCountInString(t.name[:i])] = true
				}
			}
		case m.nameScore(t, w) > 0:
			found["system or other name"] = true
		case t.parent >= 0 && m.path[int(t.parent)*len(m.words)+w] > 0:
			found["path"] = true
		default:
			found["description"] = true
		}
	}
	why := slices.DeleteFunc([]string{"name", "system or other name", "path", "description"},
		func(place string) bool { return !found[place] })
	if len(why) > 0 {
		why[0] = "matched in " + why[0]
	}
	return slices.Sorted(maps.Keys(marked)), strings.Join(why, " and ")
}

// What a hit is.
const (
	WhatKind   = "kind"
	WhatEntity = "entity"
	WhatAction = "action"
	WhatParam  = "param"
	WhatField  = "field"
)

// entry is one findable thing of a kind; entries of a kind stand in one list,
// parents before children.
type entry struct {
	What string
	// Parent is the place of the thing that holds this one; -1 for the kind.
	Parent int32
	Name   string
	// Other are further names, separated by spaces: system, alias.
	Other string
	Doc   string
	// Group of a field is record, search or meta.
	Group string
}

// indexOf lists what can be found in a kind. The common params of
// context_store_search are the same everywhere and stay out; a searchable field
// that is also a record field stands once.
func indexOf(k *Kind) []entry {
	b := &indexBuilder{}
	root := b.add(entry{What: WhatKind, Parent: -1, Name: k.Name, Doc: k.Doc,
		Other: strings.Join([]string{k.System, k.Title, k.ConnectorType}, " ")})
	b.fields(root, WhatField, "config", "", k.Config)
	for i := range k.Entities {
		e := &k.Entities[i]
		entity := b.add(entry{What: WhatEntity, Parent: root, Name: e.Name, Doc: e.Doc})
		for j := range e.Actions {
			a := &e.Actions[j]
			action := b.add(entry{What: WhatAction, Parent: entity, Name: a.Name, Doc: a.Doc})
			if a.Name != ActionContextStoreSearch {
				b.fields(action, WhatParam, "params", "", a.Params)
				b.fields(action, WhatField, "record", "", a.Record)
				b.fields(action, WhatField, "meta", "", a.Meta)
			}
		}
		b.fields(entity, WhatField, "record", "", e.Record)
		for _, f := range e.Search {
			if FieldByName(e.Record, f.Name) == nil {
				b.fields(entity, WhatField, "search", "", []Field{f})
			}
		}
	}
	return b.entries
}

type indexBuilder struct{ entries []entry }

func (b *indexBuilder) add(e entry) int32 {
	b.entries = append(b.entries, e)
	return int32(len(b.entries) - 1)
}

func (b *indexBuilder) fields(parent int32, what, group, prefix string, fields []Field) {
	for i := range fields {
		f := &fields[i]
		b.add(entry{What: what, Parent: parent, Name: prefix + f.Name, Other: f.Alias, Doc: f.Doc, Group: group})
		b.fields(parent, what, group, prefix+f.Name+".", f.Members)
		if f.Items != nil && f.Items.Members != nil {
			b.fields(parent, what, group, prefix+f.Name+"[].", f.Items.Members)
		}
	}
}

// index is the searchable form of the whole catalog.
type index struct{ things []thing }

// thing is an entry with what the matcher needs prepared.
type thing struct {
	entry
	name, other, doc    string // lower case
	nameMask, otherMask uint64
	docMask             uint64
	parent, bonus       int32
}

// letters is the set of bytes of s, folded into 64 bits: a word whose set is not
// part of a text's set cannot be in the text.
func letters(s string) uint64 {
	var set uint64
	for i := range len(s) {
		set |= 1 << (s[i] & 63)
	}
	return set
}

// searchIndex builds the index on first use and after Load.
func (c *Catalog) searchIndex() *index {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.index != nil {
		return c.index
	}
	lists, total := make([][]entry, len(c.summaries)), 0
	for i, s := range c.summaries {
		lists[i] = c.entriesOf(s.Name)
		total += len(lists[i])
	}
	ix := &index{things: make([]thing, 0, total)}
	for _, entries := range lists {
		offset := int32(len(ix.things))
		for _, e := range entries {
			t := thing{entry: e, name: strings.ToLower(e.Name), other: strings.ToLower(e.Other),
				doc: strings.ToLower(e.Doc), parent: -1, bonus: whatScores[e.What]}
			t.bonus -= int32(len(t.name) / 4)
			if e.Parent >= 0 {
				t.parent = offset + e.Parent
			}
			t.nameMask, t.otherMask, t.docMask = letters(t.name), letters(t.other), letters(t.doc)
			ix.things = append(ix.things, t)
		}
	}
	c.index = ix
	return ix
}
