package drift

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

var headings = map[Kind]string{
	NotInCatalog: "Fields that the catalog does not have",
	NeverSeen:    "Fields of the catalog that were never seen",
	OtherType:    "Values of another type",
	NullSeen:     "Null where none is documented",
	NewValue:     "Values outside the documented ones",
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// WriteMarkdown writes the report as a document with a table per kind of finding.
func (r *Report) WriteMarkdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	grave := r.Grave()
	fmt.Fprintf(b, "# %s\n\n%s looked at, %s, and %d that the catalog leaves room for.\n",
		strings.TrimSpace(cell(r.Kind+" "+r.Entity+" "+r.Action)), counted(r.Records, "record"), counted(grave, "finding"), len(r.Findings)-grave)
	for _, n := range r.Notes {
		fmt.Fprintf(b, "\n%s\n", n)
	}
	for _, kind := range Kinds() {
		r.section(b, kind)
	}
	if r.Unknown {
		r.fields(b)
	}
	return b.Flush()
}

func (r *Report) section(b *bufio.Writer, kind Kind) {
	first := true
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Kind != kind {
			continue
		}
		if first {
			fmt.Fprintf(b, "\n## %s\n\n| Field | Seen | Catalog | Data | Example | Note |\n|---|---|---|---|---|---|\n", headings[kind])
			first = false
		}
		example := ""
		if len(f.Examples) > 0 {
			example = f.Examples[0].Path + " = " + f.Examples[0].Value
		}
		field := f.Path
		if f.Wire != "" {
			field += " (" + f.Wire + ")"
		}
		fmt.Fprintf(b, "| %s | %d of %d | %s | %s | %s | %s |\n", cell(field), f.Count, f.Of, cell(f.Expected), cell(f.Found), cell(example), cell(f.Note))
	}
}

func (r *Report) fields(b *bufio.Writer) {
	fmt.Fprint(b, "\n## Fields as they came\n\n| Field | Seen | Types |\n|---|---|---|\n")
	for i := range r.Fields {
		f := &r.Fields[i]
		var types []string
		for _, name := range sortNames {
			if n := f.Types[name]; n > 0 {
				types = append(types, fmt.Sprintf("%s (%d)", name, n))
			}
		}
		fmt.Fprintf(b, "| %s | %d of %d | %s |\n", cell(f.Path), f.Count, f.Of, strings.Join(types, ", "))
	}
}

// cell writes text from anywhere so that it stays within a table's cell and
// cannot mean anything to Markdown, HTML or a terminal.
func cell(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '|' || r == '\\' || r == '`' || r == '*' || r == '_' || r == '[' || r == ']':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			fmt.Fprintf(&b, "U+%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
