// Package strictyaml reads YAML files that people write by hand: the settings,
// saved calls, keys, themes and the catalog. A file is read to its end and every
// problem is reported at once, with file, line and path; an unknown key names
// the nearest known one.
//
// Read parses a file, File.Decode fills a Go value by its yaml tags (else its
// json tags), and Node gives what stands in the file for types whose written
// form is not that of their fields. Checks that come later report by path:
// File.Bad finds the line again.
//
// The package is a leaf: it imports nothing else of patchbay.
package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds that keep a hostile or mistaken file (aliases of aliases, endless
// nesting) from eating the machine; the largest real file stays below a tenth.
const (
	maxNodes = 400_000
	maxDepth = 104
)

// File is a YAML file that is being read. The exported fields are set before
// Decode and change how it reads.
type File struct {
	// Portable refuses words that some YAML readers take for something else than
	// text: unquoted keys such as on, numbers where text is meant.
	Portable bool
	// NoAliases refuses aliases.
	NoAliases bool
	// Hooks read the types whose written form is not that of their fields.
	Hooks map[reflect.Type]func(Node, reflect.Value)
	// Begin is called with every mapping that fills a struct, before its keys
	// are read; what it returns is read in place of the mapping (see Node.With).
	Begin func(Node, reflect.Value) Node
	// Key reads one key of a struct in its own way and reports whether it did.
	Key func(mapping Node, into reflect.Value, key string, value Node) bool

	name     string
	root     *yaml.Node
	problems []Problem
	lines    map[string]int // by path
	nodes    int
}

// Read parses a file that holds one YAML document; name stands in its problems.
func Read(name string, data []byte) *File {
	f := &File{name: name, lines: map[string]int{}}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	if err := dec.Decode(&first); err != nil {
		f.syntax(err)
		return f
	}
	if err := dec.Decode(&second); err == nil {
		f.report(second.Line, "", "the file holds more than one document: remove the second one (behind ---)")
		return f
	} else if !errors.Is(err, io.EOF) {
		f.syntax(err)
		return f
	}
	f.root = &first
	return f
}

var lineOfError = regexp.MustCompile(`^line (\d+): `)

// syntax reports what the YAML parser says, with the line taken out of its text.
// A file without a document is empty and no problem.
func (f *File) syntax(err error) {
	if errors.Is(err, io.EOF) {
		return
	}
	text, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if m := lineOfError.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1]) // the pattern takes digits only
		text = text[len(m[0]):]
	}
	f.report(line, "", "not valid YAML: %s", text)
}

// Document is what the YAML parser made of the file, for programs that write it
// again with its comments; nil when the file is empty or broken.
func (f *File) Document() *yaml.Node { return f.root }

// Root is the value that the file holds; it does not exist when the file is
// empty or broken.
func (f *File) Root() Node {
	if f.root == nil || len(f.root.Content) != 1 {
		return Node{file: f}
	}
	return Node{file: f, yaml: f.root.Content[0]}
}

// Decode fills the value that target points to. What the target already holds
// stays unless the file gives it.
func (f *File) Decode(target any) {
	if root := f.Root(); root.Exists() {
		root.Decode(target)
	}
}

// Encode writes a value as people like to read it.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	err := errors.Join(enc.Encode(v), enc.Close())
	return b.Bytes(), err
}

// Problem is one thing that is wrong in a file.
type Problem struct {
	// File is the name of the file as it was given, Line the 1-based line of the
	// place that is wrong; 0 when the file as a whole is meant.
	File string
	Line int
	// Path leads to the place: "entities.customers.actions.list.params.limit".
	Path string
	// Reason says what is wrong and, where it is not obvious, what to write instead.
	Reason string
}

// Error writes the problem as "file:line: path: reason".
func (p Problem) Error() string {
	text := p.File
	if p.Line > 0 {
		text += fmt.Sprintf(":%d", p.Line)
	}
	if p.Path != "" {
		text += ": " + p.Path
	}
	return text + ": " + p.Reason
}

// Problems are all that is wrong in a file, in the order of its lines.
type Problems []Problem

// Error writes one problem a line.
func (p Problems) Error() string { return strings.Join(p.Lines(), "\n") }

// Lines writes each problem as its Error.
func (p Problems) Lines() []string {
	var lines []string
	for _, problem := range p {
		lines = append(lines, problem.Error())
	}
	return lines
}

// Problems lists what was found so far, in the order of the lines.
func (f *File) Problems() Problems {
	slices.SortStableFunc(f.problems, func(a, b Problem) int { return a.Line - b.Line })
	return f.problems
}

// Err is the Problems of the file; nil when there is none.
func (f *File) Err() error {
	if len(f.problems) == 0 {
		return nil
	}
	return f.Problems()
}

// Bad reports a problem at the deepest part of path that the file holds.
func (f *File) Bad(path, format string, args ...any) { f.report(f.line(path), path, format, args...) }

func (f *File) report(line int, path, format string, args ...any) {
	f.problems = append(f.problems, Problem{File: f.name, Line: line, Path: path, Reason: fmt.Sprintf(format, args...)})
}

// Has reports whether something stands in the file at the path.
func (f *File) Has(path string) bool { return f.lines[path] > 0 }

func (f *File) line(path string) int {
	for path != "" && !f.Has(path) {
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return f.lines[path]
}

// DidYouMean is the tail of an error text: which known names may be meant; empty
// when none is near.
func DidYouMean(word string, names []string) string {
	near := Nearest(word, names, 3)
	if len(near) == 0 {
		return ""
	}
	for i := range near {
		near[i] = strconv.Quote(near[i])
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// Nearest lists up to limit of the names that look most like word, the nearest
// first; none when nothing is near.
func Nearest(word string, names []string, limit int) []string {
	type candidate struct {
		name string
		cost int
	}
	var found []candidate
	lower := strings.ToLower(word)
	for _, name := range names {
		known := strings.ToLower(name)
		cost := editDistance(lower, known)
		// A name within the other is near.
		if len(lower) >= 3 && len(known) >= 3 && (strings.Contains(known, lower) || strings.Contains(lower, known)) {
			cost = min(cost, 1)
		}
		if name != "" && cost <= max(2, len(lower)/3) {
			found = append(found, candidate{name, cost})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.cost - b.cost })
	var near []string
	for _, f := range found[:min(limit, len(found))] {
		near = append(near, f.name)
	}
	return near
}

// editDistance counts the single-byte edits between two names.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64 // no name is that long, and the table would be
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
