package catalog

import (
	"strings"
	"unicode/utf8"
)

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
			b.action(entity, &e.Actions[j])
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

func (b *indexBuilder) action(entity int32, a *Action) {
	action := b.add(entry{What: WhatAction, Parent: entity, Name: a.Name, Doc: a.Doc})
	if a.Name == ActionContextStoreSearch {
		return
	}
	b.fields(action, WhatParam, "params", "", a.Params)
	b.fields(action, WhatField, "record", "", a.Record)
	b.fields(action, WhatField, "meta", "", a.Meta)
}

func (b *indexBuilder) fields(parent int32, what, group, prefix string, fields []Field) {
	for i := range fields {
		f := &fields[i]
		b.add(entry{What: what, Parent: parent, Name: prefix + f.Name, Other: f.Alias, Doc: f.Doc, Group: group})
		if f.Members != nil {
			b.fields(parent, what, group, prefix+f.Name+".", f.Members)
		}
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
	parent              int32
}

func (ix *index) add(entries []entry) {
	offset := int32(len(ix.things))
	for _, e := range entries {
		t := thing{entry: e, name: strings.ToLower(e.Name), other: strings.ToLower(e.Other), doc: strings.ToLower(e.Doc), parent: -1}
		if e.Parent >= 0 {
			t.parent = offset + e.Parent
		}
		t.nameMask, t.otherMask, t.docMask = letters(t.name), letters(t.other), letters(t.doc)
		ix.things = append(ix.things, t)
	}
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
		if c.changed[s.Name] {
			lists[i] = indexOf(c.kinds[s.Name])
		} else if err := decodeSection(c.sections[sectionIndex+s.Name], &lists[i]); err != nil {
			lists[i] = nil // half a list has children without parents
		}
		total += len(lists[i])
	}
	ix := &index{things: make([]thing, 0, total)}
	for _, entries := range lists {
		ix.add(entries)
	}
	c.index = ix
	return ix
}

// Warm prepares Search; call it off the update loop once the first frame is out.
func (c *Catalog) Warm() { c.searchIndex() }

// runesBefore counts the characters of s before byte i.
func runesBefore(s string, i int) int { return utf8.RuneCountInString(s[:i]) }
