package catalog

import (
	_ "embed"
	"encoding/binary"
	"sort"
)

//go:generate go run ./internal/compile

// compiled holds the connector files in the form of codec.go; a test holds the
// two together. As a string it costs nothing before it is read.
//
//go:embed catalog.bin
var compiled string

// Names of the sections; kinds and their indexes carry the kind's name behind it.
const (
	sectionSummaries = "summaries"
	sectionKind      = "kind:"
	sectionIndex     = "index:"
)

// Summary is what a list of kinds shows, known without opening the kind.
type Summary struct {
	Name          string `json:"kind"`
	Title         string `json:"title"`
	System        string `json:"system"`
	ConnectorType string `json:"connector_type"`
	DefinitionID  string `json:"definition_id,omitempty"`
	Doc           string `json:"doc,omitempty"`
	Entities      int    `json:"entities"`
	Actions       int    `json:"actions"`
	Source        Source `json:"source,omitempty"`
}

// Summary is what a list of kinds shows of the kind.
func (k *Kind) Summary() Summary {
	return Summary{Name: k.Name, Title: k.Title, System: k.System, ConnectorType: k.ConnectorType, DefinitionID: k.DefinitionID,
		Doc: k.Doc, Entities: len(k.Entities), Actions: k.ActionCount(), Source: k.Source}
}

// Compile turns kinds into the form that is embedded in the program: a directory
// of sections, then the sections. Kinds stand in the order of their names.
func Compile(kinds []*Kind) []byte {
	kinds = append([]*Kind(nil), kinds...)
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].Name < kinds[j].Name })
	var summaries []Summary
	names, sections := []string{sectionSummaries}, [][]byte{nil}
	for _, k := range kinds {
		summaries = append(summaries, k.Summary())
		names = append(names, sectionKind+k.Name, sectionIndex+k.Name)
		sections = append(sections, encodeSection(k), encodeSection(indexOf(k)))
	}
	sections[0] = encodeSection(summaries)
	out := binary.AppendUvarint(nil, uint64(len(names)))
	for i, name := range names {
		out = binary.AppendUvarint(out, uint64(len(name)))
		out = append(out, name...)
		out = binary.AppendUvarint(out, uint64(len(sections[i])))
	}
	for _, s := range sections {
		out = append(out, s...)
	}
	return out
}

// openSections reads the directory of a compiled catalog.
func openSections(data string) (map[string]string, error) {
	r := &sectionReader{data: data}
	count := r.count()
	names, sizes := make([]string, count), make([]int, count)
	for i := range count {
		names[i] = r.take(r.count())
		sizes[i] = r.count()
	}
	sections := make(map[string]string, count)
	for i, name := range names {
		sections[name] = r.take(sizes[i])
	}
	return sections, r.err
}
