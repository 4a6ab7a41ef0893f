package drift

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// writer turns what was seen into findings.
type writer struct {
	set  *records.Set
	q    Question
	out  *Report
	skip func(path string) bool // fields that the request leaves out
}

func report(set *records.Set, n int, q Question, fields []catalog.Field, root *seenField) *Report {
	w := &writer{set: set, q: q, out: &Report{Kind: q.Kind, Records: n, Unknown: len(fields) == 0,
		Findings: []Finding{}, Fields: []Field{}}}
	w.out.Entity, w.out.Action = q.Op.Entity, q.Op.Action
	if q.Entity != nil {
		w.out.Entity = q.Entity.Name
	}
	if q.Action != nil {
		w.out.Action = q.Action.Name
	}
	w.notes()
	w.inside(root, "", "", n)
	slices.SortStableFunc(w.out.Findings, func(a, b Finding) int {
		c := cmp.Compare(slices.Index(Kinds(), a.Kind), slices.Index(Kinds(), b.Kind))
		if c != 0 || a.Mild == b.Mild {
			return c
		}
		if a.Mild { // such findings come behind the others of their kind
			return 1
		}
		return -1
	})
	return w.out
}

func (w *writer) note(text string) { w.out.Notes = append(w.out.Notes, text) }

func (w *writer) notes() {
	if w.out.Unknown {
		w.note("The catalog does not know the record of this answer; the fields are listed as they came.")
	}
	if w.q.Entity != nil && w.q.Entity.RecordPartial {
		w.note("The catalog shows only a part of this record; further fields are expected.")
	}
	w.skip = leftOut(w.q.Op)
	switch {
	case len(w.q.Op.SelectFields) > 0:
		w.note("The call selects fields; those it leaves out are not called missing.")
	case len(w.q.Op.ExcludeFields) > 0:
		w.note("The call excludes fields; they are not called missing.")
	case choosesFields(w.q.Op):
		w.note("The call chooses fields with a param; missing ones are not told.")
	}
}

// choosesFields reports whether a param of the call picks the fields of the answer.
func choosesFields(op client.Operation) bool {
	v, ok := rawjson.Parse(op.Params).Get("fields")
	return ok && v.Kind() != rawjson.Null
}

// leftOut says which fields a call does not ask for.
func leftOut(op client.Operation) func(path string) bool {
	within := func(path string, list []string) bool {
		return slices.ContainsFunc(list, func(p string) bool {
			return path == p || strings.HasPrefix(path, p+".") || strings.HasPrefix(path, p+"[")
		})
	}
	around := func(path string) bool {
		return slices.ContainsFunc(op.SelectFields, func(p string) bool { return strings.HasPrefix(p, path+".") })
	}
	switch {
	case choosesFields(op):
		return func(string) bool { return true }
	case len(op.SelectFields) > 0:
		return func(path string) bool { return !within(path, op.SelectFields) && !around(path) }
	}
	return func(path string) bool { return within(path, op.ExcludeFields) }
}

// inside reports on what stands inside a place that held of objects or elements.
func (w *writer) inside(p *seenField, path, wire string, of int) {
	for _, m := range p.members {
		at, wireAt := joined(path, m.name), joined(wire, cmp.Or(m.wire, m.name))
		w.place(m, at, wireAt, of)
	}
	if p.more > 0 {
		w.find(Finding{Kind: NotInCatalog, Path: joined(path, "*"), Count: p.more, Of: of, Mild: w.partial(),
			Found: fmt.Sprintf("more than %d different names", most)}, nil)
	}
	if p.elems != nil && p.elems.count > 0 {
		w.place(p.elems, path+"[]", wire+"[]", p.elems.count)
	}
	if p.values != nil && p.values.count > 0 && !slices.Contains(p.members, p.values) {
		w.place(p.values, joined(path, "*"), joined(wire, "*"), p.values.count)
	}
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (w *writer) place(p *seenField, path, wire string, of int) {
	if wire == path {
		wire = ""
	}
	f := Field{Path: path, Wire: wire, Known: p.known != nil, Count: p.count, Of: of}
	for s := range p.sorts {
		if n := p.sorts[s].n; n > 0 {
			if f.Types == nil {
				f.Types = map[string]int{}
			}
			f.Types[sortNames[s]] = n
		}
	}
	if p.known != nil {
		f.Type = p.known.TypeWords()
	}
	w.out.Fields = append(w.out.Fields, f)
	switch {
	case p.known == nil:
		w.stranger(p, path, of)
		return
	case p.count == 0:
		if of == 0 || slices.Contains(p.known.Omitted, w.out.Action) || w.skip(path) {
			return
		}
		f := Finding{Kind: NeverSeen, Path: path, Wire: p.known.Alias, Of: of, Expected: expected(p.known), Mild: true}
		if p.known.Nullable {
			f.Note = "null may be left out"
		}
		w.find(f, nil)
		return
	}
	w.types(p, path, wire)
	w.values(p, path, wire)
	w.inside(p, path, cmp.Or(wire, path), p.sorts[isObject].n)
}

func (w *writer) partial() bool { return w.q.Entity != nil && w.q.Entity.RecordPartial }

func (w *writer) stranger(p *seenField, path string, of int) {
	if w.out.Unknown {
		return
	}
	var spots []spot
	var words []string // the types that it showed, with counts where there are several
	for s := range p.sorts {
		spots = append(spots, p.sorts[s].first...)
		switch n := p.sorts[s].n; n {
		case 0:
		case p.count:
			words = append(words, sortNames[s])
		default:
			words = append(words, fmt.Sprintf("%s (%d)", sortNames[s], n))
		}
	}
	w.find(Finding{Kind: NotInCatalog, Path: path, Count: p.count, Of: of, Found: strings.Join(words, ", "),
		Mild: w.partial()}, firstOf(spots))
}

func (w *writer) types(p *seenField, path, wire string) {
	var other []string
	var spots []spot
	count := 0
	for s := isBool; s < sorts; s++ {
		if t := &p.sorts[s]; t.n > 0 && p.known.Type != "" && !p.known.Accepts(sortNames[s]) {
			other = append(other, sortNames[s])
			spots = append(spots, t.first...)
			count += t.n
		}
	}
	if count > 0 {
		f := Finding{Kind: OtherType, Path: path, Wire: wire, Count: count, Of: p.count, Expected: expected(p.known),
			Found: strings.Join(other, ", ")}
		if p.known.Inferred {
			f.Mild, f.Note = true, "the documented type was concluded from the name alone"
		}
		w.find(f, spots[:min(len(spots), examples)])
	}
	if t := &p.sorts[isNull]; t.n > 0 && !p.known.Nullable && p.known.Type != "" && !p.known.Accepts("null") &&
		!p.known.Accepts("any") {
		w.find(Finding{Kind: NullSeen, Path: path, Wire: wire, Count: t.n, Of: p.count, Expected: expected(p.known),
			Found: "null"}, t.first)
	}
}

func (w *writer) values(p *seenField, path, wire string) {
	if len(p.strange) == 0 {
		return
	}
	documented := "always " + string(p.known.Const)
	if p.known.Const == nil {
		var words []string
		for _, v := range p.known.Enum {
			words = append(words, rawjson.Parse(v).Text())
		}
		documented = "one of " + strings.Join(words, ", ")
	}
	texts := slices.SortedFunc(maps.Keys(p.strange), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.strange[b].n, p.strange[a].n), cmp.Compare(a, b))
	})
	for _, text := range texts {
		t := p.strange[text]
		f := Finding{Kind: NewValue, Path: path, Wire: wire, Count: t.n, Of: p.count, Expected: documented,
			Found: short(text)}
		if p.known.Open {
			f.Mild, f.Note = true, "the catalog lists known values only; others are accepted"
		}
		w.find(f, t.first)
	}
}

// expected is what the catalog says of a field, and where that comes from.
func expected(f *catalog.Field) string {
	words := f.TypeWords()
	switch f.Source {
	case catalog.Upstream:
		words += " (from reference tables)"
	case catalog.Live:
		words += " (described by the service)"
	case catalog.Seen:
		words += " (seen in answers)"
	}
	return words
}

// find adds a finding with examples of where it was seen.
func (w *writer) find(f Finding, spots []spot) {
	for _, s := range spots {
		from, _ := s.value.Span()
		path := slices.Concat(w.set.PathOf(s.row), rawjson.PathAt(w.set.Record(s.row), from))
		f.Examples = append(f.Examples, Example{Row: s.row, Path: path.Dotted(),
			Value: short(string(s.value.AppendRaw(nil, shortest+1)))})
	}
	w.out.Findings = append(w.out.Findings, f)
}

// shortest is how many bytes of a value an example shows.
const shortest = 80

func short(text string) string {
	if len(text) <= shortest {
		return text
	}
	return strings.ToValidUTF8(text[:shortest], "") + "…"
}

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	return export.Indented(w, r)
}

var headings = map[Kind]string{
	NotInCatalog: "Fields that the catalog does not have",
	NeverSeen:    "Fields of the catalog that were never seen",
	OtherType:    "Values of another type",
	NullSeen:     "Null where none is documented",
	NewValue:     "Values outside the documented ones",
}

// WriteMarkdown writes the report as a document with a table per kind of finding.
func (r *Report) WriteMarkdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	grave := r.Grave()
	fmt.Fprintf(b, "# %s\n\n%s looked at, %s, and %d that the catalog leaves room for.\n",
		strings.TrimSpace(cell(r.Kind+" "+r.Entity+" "+r.Action)), quantity.Plain(r.Records, "record"),
		quantity.Plain(grave, "finding"), len(r.Findings)-grave)
	for _, n := range r.Notes {
		fmt.Fprintf(b, "\n%s\n", n)
	}
	for _, kind := range Kinds() {
		r.section(b, kind)
	}
	if !r.Unknown {
		return b.Flush()
	}
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
			fmt.Fprintf(b, "\n## %s\n\n| Field | Seen | Catalog | Data | Example | Note |\n"+
				"|---|---|---|---|---|---|\n", headings[kind])
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
		fmt.Fprintf(b, "| %s | %d of %d | %s | %s | %s | %s |\n", cell(field), f.Count, f.Of, cell(f.Expected),
			cell(f.Found), cell(example), cell(f.Note))
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
