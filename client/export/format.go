package export

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is a way to write records: one file with its methods, and its line in Formats.
type Format interface {
	// String is its name as people type it, Title the one they read.
	fmt.Stringer
	Title() string
	// Endings are those of its files, without the dot, the usual one first.
	Endings() []string
	// Tabular reports whether records are rows, so that columns must be given.
	Tabular() bool
	// Unended says what a file has that was not finished; empty where its records stand by themselves.
	Unended() string
	// Head appends what stands before the first record, Tail what stands behind the last one.
	Head(dst []byte, o Options) []byte
	Record(dst []byte, r *Record) []byte
	Tail(dst []byte, empty bool) []byte
}

// Formats lists all formats in the order they are offered.
var Formats = []Format{JSON, NDJSON, CSV, Markdown}

// Record is one record, made ready for a format.
type Record struct {
	// JSON is the record on one line; Cells are its columns where the format is tabular.
	JSON  []byte
	Cells []Cell
	First bool
	Options
}

// Cell is one column of a record; IsText is set where the value is a text of its own.
type Cell struct {
	Text   []byte
	IsText bool
}

// about is what a format says of itself, and the methods that most need not have.
type about struct {
	name, title string
	endings     []string
	tabular     bool
	unended     string
}

func (a about) String() string                  { return a.name }
func (a about) Title() string                   { return a.title }
func (a about) Endings() []string               { return a.endings }
func (a about) Tabular() bool                   { return a.tabular }
func (a about) Unended() string                 { return a.unended }
func (about) Head(dst []byte, _ Options) []byte { return dst }
func (about) Tail(dst []byte, _ bool) []byte    { return dst }

// Indented writes a value as a JSON document that people read.
func Indented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Extension is the usual ending of files of a format, with its dot.
func Extension(f Format) string { return "." + f.Endings()[0] }

// ParseFormat reads the name of a format or a file's extension.
func ParseFormat(name string) (Format, error) {
	asked := strings.ToLower(strings.TrimPrefix(name, "."))
	var names []string
	for _, f := range Formats {
		if asked == f.String() || slices.Contains(f.Endings(), asked) {
			return f, nil
		}
		names = append(names, f.String())
	}
	last := len(names) - 1
	return nil, fmt.Errorf("format %q is not known: use %s or %s", name, strings.Join(names[:last], ", "), names[last])
}
