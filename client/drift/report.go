package drift

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
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

func report(set *records.Set, n int, q Question, fields []catalog.Field, root *place) *Report {
	w := &writer{set: set, q: q, out: &Report{Kind: q.Kind, Records: n, Unknown: len(fields) == 0, Findings: []Finding{}, Fields: []Field{}}}
	w.out.Entity, w.out.Action = q.Op.Entity, q.Op.Action
	if q.Entity != nil {
		w.out.Entity = q.Entity.Name
	}
	if q.Action != nil {
		w.out.Action = q.Action.Name
	}
	w.notes()
	w.inside(root, "", "", n)
	order := Kinds()
	sort.SliceStable(w.out.Findings, func(i, j int) bool {
		a, b := &w.out.Findings[i], &w.out.Findings[j]
		if a.Kind != b.Kind {
			return slices.Index(order, a.Kind) < slices.Index(order, b.Kind)
		}
		return !a.Mild && b.Mild
	})
	return w.out
}

func (w *writer) note(format string, args ...any) {
	w.out.Notes = append(w.out.Notes, fmt.Sprintf(format, args...))
}

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

// choosesFields tells whether a param of the call picks the fields of the answer.
func choosesFields(op client.Operation) bool {
	v, ok := rawjson.Parse(op.Params).Get("fields")
	return ok && v.Kind() != rawjson.Null
}

// leftOut tells which fields a call does not ask for.
func leftOut(op client.Operation) func(path string) bool {
	within := func(path string, list []string) bool {
		for _, p := range list {
			if path == p || strings.HasPrefix(path, p+".") || strings.HasPrefix(path, p+"[") {
				return true
			}
		}
		return false
	}
	around := func(path string) bool {
		for _, p := range op.SelectFields {
			if strings.HasPrefix(p, path+".") {
				return true
			}
		}
		return false
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
func (w *writer) inside(p *place, path, wire string, of int) {
	for _, m := range p.members {
		at, wireAt := joined(path, m.name), joined(wire, orElse(m.wire, m.name))
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

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func (w *writer) place(p *place, path, wire string, of int) {
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
		w.missing(p, path, of)
		return
	}
	w.types(p, path, wire, of)
	w.values(p, path, wire)
	w.inside(p, path, orElse(wire, path), p.sorts[isObject].n)
}

func (w *writer) partial() bool { return w.q.Entity != nil && w.q.Entity.RecordPartial }

func (w *writer) stranger(p *place, path string, of int) {
	if w.out.Unknown {
		return
	}
	var spots []spot
	for s := range p.sorts {
		spots = append(spots, p.sorts[s].first...)
	}
	sort.SliceStable(spots, func(i, j int) bool { return spots[i].row < spots[j].row })
	w.find(Finding{Kind: NotInCatalog, Path: path, Count: p.count, Of: of, Found: p.words(), Mild: w.partial()},
		spots[:min(len(spots), p.keep)])
}

// words lists the types that a place showed, with counts where there are several.
func (p *place) words() string {
	var out []string
	for s := range p.sorts {
		if n := p.sorts[s].n; n == p.count && n > 0 {
			return sortNames[s]
		} else if n > 0 {
			out = append(out, fmt.Sprintf("%s (%d)", sortNames[s], n))
		}
	}
	return strings.Join(out, ", ")
}

func (w *writer) missing(p *place, path string, of int) {
	if of == 0 || slices.Contains(p.known.Omitted, w.out.Action) || w.skip(path) {
		return
	}
	f := Finding{Kind: NeverSeen, Path: path, Wire: p.known.Alias, Of: of, Expected: expected(p.known), Mild: true}
	if p.known.Nullable {
		f.Note = "null may be left out"
	}
	w.find(f, nil)
}

func (w *writer) types(p *place, path, wire string, of int) {
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
		f := Finding{Kind: OtherType, Path: path, Wire: wire, Count: count, Of: p.count, Expected: expected(p.known), Found: strings.Join(other, ", ")}
		if p.known.Inferred {
			f.Mild, f.Note = true, "the documented type was concluded from the name alone"
		}
		w.find(f, spots[:min(len(spots), p.keep)])
	}
	if t := &p.sorts[isNull]; t.n > 0 && !p.known.Nullable && p.known.Type != "" && !p.known.Accepts("null") && !p.known.Accepts("any") {
		w.find(Finding{Kind: NullSeen, Path: path, Wire: wire, Count: t.n, Of: p.count, Expected: expected(p.known), Found: "null"}, t.first)
	}
}

func (w *writer) values(p *place, path, wire string) {
	texts := make([]string, 0, len(p.strange))
	for text := range p.strange {
		texts = append(texts, text)
	}
	sort.Slice(texts, func(i, j int) bool {
		a, b := p.strange[texts[i]], p.strange[texts[j]]
		if a.n != b.n {
			return a.n > b.n
		}
		return texts[i] < texts[j]
	})
	for _, text := range texts {
		t := p.strange[text]
		f := Finding{Kind: NewValue, Path: path, Wire: wire, Count: t.n, Of: p.count, Expected: enumeration(p.known), Found: short(text)}
		if p.known.Open {
			f.Mild, f.Note = true, "the catalog lists known values only; others are accepted"
		}
		w.find(f, t.first)
	}
}

func enumeration(f *catalog.Field) string {
	if f.Const != nil {
		return "always " + string(f.Const)
	}
	var words []string
	for _, v := range f.Enum {
		words = append(words, rawjson.Parse(v).Text())
	}
	return "one of " + strings.Join(words, ", ")
}

// expected is what the catalog says of a field, and where that comes from.
func expected(f *catalog.Field) string {
	words := f.TypeWords()
	if f.Source == catalog.Upstream {
		words += " (from reference tables)"
	}
	return words
}

// find adds a finding with examples of where it was seen.
func (w *writer) find(f Finding, spots []spot) {
	for _, s := range spots {
		f.Examples = append(f.Examples, w.example(s))
	}
	w.out.Findings = append(w.out.Findings, f)
}

func (w *writer) example(s spot) Example {
	rec := w.set.Record(s.row)
	from, _ := s.value.Span()
	path := w.set.PathOf(s.row)
	for _, step := range rawjson.PathAt(rec, from) {
		path = path.With(step)
	}
	return Example{Row: s.row, Path: path.Dotted(), Value: short(string(s.value.AppendRaw(nil, shortest+1)))}
}

// shortest is how many bytes of a value an example shows.
const shortest = 80

func short(text string) string {
	if len(text) <= shortest {
		return text
	}
	return strings.ToValidUTF8(text[:shortest], "") + "…"
}
