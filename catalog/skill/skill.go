// Package skill holds the documents of a connector that agents read section by section:
// it makes them of the catalog, reads those of a service, and writes them as Markdown.
package skill

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// Docs are the documents of a connector, or one section of them, as a service serves
// them to read_skill_docs. Texts of a service are untrusted.
type Docs struct {
	Metadata Metadata  `json:"metadata"`
	Outline  []Section `json:"outline"`
	// Section is the id of the section that Content belongs to; nil for the overview.
	Section *string `json:"section_id"`
	Content []Block `json:"content"`
}

// Metadata says what documents are about.
type Metadata struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind"`
	Title      string   `json:"title"`
	Summary    string   `json:"summary"`
	Version    string   `json:"version"`
	Provenance string   `json:"provenance"`
	Warnings   []string `json:"warnings"`
}

// Section is a line of the outline. Its id is opaque.
type Section struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Summary   string `json:"summary"`
	Available *bool  `json:"available"` // nil is yes
}

// Block is a piece of content. Which members it has, its type says.
type Block struct {
	Type     string     `json:"type"` // heading, paragraph, list, code, table; others are shown as JSON
	Level    int        `json:"level,omitempty"`
	Text     string     `json:"text,omitempty"`
	Items    []string   `json:"items,omitempty"`
	Language string     `json:"language,omitempty"`
	Code     string     `json:"code,omitempty"`
	Headers  []string   `json:"headers,omitempty"`
	Rows     [][]string `json:"rows,omitempty"`
	// Raw is the block as it came, for types that are not known.
	Raw json.RawMessage `json:"-"`
}

// UnmarshalJSON reads a block; what does not fit its type leaves it as JSON.
func (b *Block) UnmarshalJSON(data []byte) error {
	type plain Block
	var p plain
	if err := json.Unmarshal(data, &p); err != nil {
		p = plain{}
	}
	*b = Block(p)
	b.Raw = slices.Clone(data)
	return nil
}

// Parse reads an answer of the service's documents.
func Parse(data []byte) (*Docs, error) {
	var d Docs
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("the documents are not what a service sends: %w", err)
	}
	return &d, nil
}

// sectionID is the id of an action's section in documents made of the catalog.
func sectionID(entity, action string) string { return "actions." + entity + "." + action }

// searchSection is the section on filters.
const searchSection = "search"

// Of makes the documents of a kind: the overview where section is empty, else
// that section; ok is false when there is no such section, and the overview is given.
// Id and title are those of the connector.
func Of(k *catalog.Kind, id, title, section string) (d *Docs, ok bool) {
	d = &Docs{Metadata: Metadata{ID: id, Kind: "connector_source", Title: title, Provenance: "catalog", Version: "1",
		Summary: "What the connector " + title + " (" + k.System + ") offers.", Warnings: []string{}},
		Outline: outline(k)}
	if section == "" {
		d.Content = overview(k)
		return d, true
	}
	content := sectionOf(k, section)
	if content == nil {
		d.Content = overview(k)
		return d, false
	}
	d.Section, d.Content = &section, content
	return d, true
}

// Guidelines hold for every connector.
var Guidelines = []string{
	"Names are exact and case-sensitive: take entity, action and params from the documents and guess none.",
	"An id comes from an earlier answer. Where none is known, find the record by a search or a list.",
	"Prefer context_store_search where an entity has it; list reads what is true now, when the store may lag.",
	"A list or search answers a page: take the next one only when it is needed, and say \"at least\" of a count.",
	"Turn words such as \"last week\" into moments, and name them in your answer.",
	"Ask for the fields you need, and narrow the filter when an answer is too large.",
	"When a write fails, report it: neither repeat it nor try it on another record.",
}

func outline(k *catalog.Kind) []Section {
	var out []Section
	searches := false
	for i := range k.Entities {
		e := &k.Entities[i]
		searches = searches || e.Action(catalog.ActionContextStoreSearch) != nil
		for j := range e.Actions {
			a := &e.Actions[j]
			out = append(out, Section{ID: sectionID(e.Name, a.Name), Title: e.Name + " " + a.Name,
				Summary: cmp.Or(a.Doc, e.Doc)})
		}
	}
	if searches {
		out = append(out, Section{ID: searchSection, Title: "Filters and sorting",
			Summary: "How context_store_search filters, sorts and pages."})
	}
	return out
}

func overview(k *catalog.Kind) []Block {
	blocks := []Block{paragraph(k.Doc)}
	for _, n := range k.Notes {
		blocks = append(blocks, paragraph(n.Text))
	}
	blocks = append(blocks, Block{Type: "heading", Level: 2, Text: "How to call it"},
		Block{Type: "list", Items: Guidelines})
	return slices.DeleteFunc(blocks, func(b Block) bool { return b.Type == "paragraph" && b.Text == "" })
}

func paragraph(text string) Block { return Block{Type: "paragraph", Text: text} }

// sectionOf is the content of a section; nil when there is none of that id.
func sectionOf(k *catalog.Kind, id string) []Block {
	if id == searchSection {
		return searchBlocks()
	}
	parts := strings.Split(id, ".")
	if len(parts) != 3 || parts[0] != "actions" {
		return nil
	}
	lines := k.Describe(parts[1], parts[2])
	if lines == nil {
		return nil
	}
	return blocksOf(lines)
}

// Search is what the documents say of context_store_search, as a service serves it.
func Search() []any { return contentJSON(searchBlocks()) }

func searchBlocks() []Block {
	list := Block{Type: "list"}
	for _, o := range catalog.SearchOperators {
		list.Items = append(list.Items, o.Name+": "+o.Doc)
	}
	return []Block{
		{Type: "heading", Level: 2, Text: "Filters"},
		paragraph("A filter is one operator that holds one field and its value; and, or and not join filters."), list,
		{Type: "code", Language: "json", Code: `{"query": {"filter": {"and": [{"eq": {"status": "open"}}, ` +
			`{"gte": {"created": 1735689600}}]}}, "limit": 50}`},
		{Type: "heading", Level: 2, Text: "Sorting and pages"},
		paragraph("query.sort is a list of fields and directions; cursor is meta.cursor of the page before; " +
			"fields names what is to be answered."),
	}
}

// blocksOf turns lines of documentation into blocks: fields become rows of a table.
func blocksOf(lines []catalog.DocLine) []Block {
	var out []Block
	last := func(kind string) *Block {
		if n := len(out); n == 0 || out[n-1].Type != kind {
			out = append(out, Block{Type: kind})
		}
		return &out[len(out)-1]
	}
	for _, l := range lines {
		switch l.Role {
		case catalog.DocTitle:
			out = append(out, Block{Type: "heading", Level: 2, Text: strings.TrimSpace(l.Name)})
			if l.Text != "" {
				out = append(out, paragraph(l.Text))
			}
		case catalog.DocSection:
			out = append(out, Block{Type: "heading", Level: 3, Text: l.Name})
		case catalog.DocItem:
			b := last("list")
			b.Items = append(b.Items, strings.TrimSpace(l.String()))
		case catalog.DocField:
			b := last("table")
			b.Headers = []string{"Name", "Type", "Facts", "Meaning"}
			name := strings.Repeat("  ", max(l.Indent-1, 0)) + l.Name
			b.Rows = append(b.Rows, []string{name, l.Type, strings.Join(l.Marks, ", "), l.Text})
		case catalog.DocText:
			out = append(out, paragraph(l.Text))
		case catalog.DocFootnote:
		}
	}
	return out
}

// JSON is the documents as a service serves them.
func (d *Docs) JSON() *rawjson.Map {
	outline := []any{}
	for _, s := range d.Outline {
		available := s.Available == nil || *s.Available
		outline = append(outline, rawjson.NewMap("id", s.ID, "title", s.Title, "summary", s.Summary,
			"available", available))
	}
	section := any(nil)
	if d.Section != nil {
		section = *d.Section
	}
	metadata, _ := json.Marshal(d.Metadata)
	return rawjson.NewMap("metadata", rawjson.ParseMap(metadata), "outline", outline, "section_id", section,
		"content", contentJSON(d.Content))
}

func contentJSON(blocks []Block) []any {
	out := []any{}
	for _, b := range blocks {
		raw := b.Raw
		if raw == nil {
			raw, _ = json.Marshal(b) // texts and numbers
		}
		out = append(out, raw)
	}
	return out
}
