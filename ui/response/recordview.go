package response

import (
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// recordView shows the record under the cursor as a tree, with the catalog's word for it.
type recordView struct {
	treeView
	row int
}

func (v *recordView) fits(in Input) bool { return in.HasRecords() }
func (v *recordView) enter(in Input)     { v.load(in) }

func (v *recordView) where(in Input) text.Safe {
	t := text.Sprintf("record %s of %s", text.Digits(in.row+1), text.Digits(in.Page().Len()))
	if in.lines > 0 {
		t += text.Sprintf(", row %s of %s", text.Digits(in.line+1), text.Digits(in.lines))
	}
	return t + "  " + text.Sanitize(v.tree.path().Dotted())
}

// load shows the record of the pane's cursor unless it is shown already.
func (v *recordView) load(in Input) {
	if v.page == in.Page() && v.row == in.row && v.tree.t != nil {
		return
	}
	v.page, v.row = in.Page(), in.row
	if !in.HasRecords() {
		v.tree = tree{}
		return
	}
	at := v.tree.scroll.Cursor
	v.tree.bare = true
	rec := in.Page().Record(in.row)
	v.tree.show(rec, nil, in.Page().Index.PathOf(in.row), answer.RecordLevels(rec),
		answer.Take(&in.Page().Outlines.Record))
	v.tree.scroll.Cursor = min(at, max(v.tree.len()-1, 0))
}

func (v *recordView) fit(in Input, w, h int) {
	v.load(in)
	v.tree.wrap = !in.cut
	v.tree.note = v.noter(in)
	v.tree.fit(w, h-1)
}

func (v *recordView) lines(in Input, w, h int, s *style.Styles, focused bool) []text.Safe {
	out, _ := v.tree.lines(s, focused, in.find)
	return append(filled(out, h-1), v.doc(in, w, s))
}

// noter says what the values of a record mean, or of what type they are.
func (v *recordView) noter(in Input) func(rawjson.Line, rawjson.Path) string {
	return func(l rawjson.Line, path rawjson.Path) string {
		if l.Kind == rawjson.LineClose || len(path) == 0 {
			return ""
		}
		f := fieldOf(in, path)
		said := meaning(in, f, path, l.Node)
		if len(said) == 0 && f != nil {
			return f.TypeWords()
		}
		return strings.Join(said, " · ")
	}
}

// doc is the catalog's word on the field under the cursor.
func (v *recordView) doc(in Input, w int, s *style.Styles) text.Safe {
	l, ok := v.tree.current()
	if !ok || len(v.tree.below()) == 0 {
		return ""
	}
	path := v.tree.below()
	f := fieldOf(in, path)
	parts := append([]string{l.Node.Kind().String()}, meaning(in, f, path, l.Node)...)
	if f != nil {
		parts[0] = f.TypeWords()
		if f.Ref != "" {
			parts = append(parts, "refers to "+f.Ref)
		}
	}
	return " " + s.Muted.Render(text.Truncate(text.Sanitize(strings.Join(parts, " · ")), w-2))
}

// meaning is the point in time that a value is, unless it reads as one already, and
// the catalog's sentence on its field f, which is nil where it knows none.
func meaning(in Input, f *catalog.Field, path rawjson.Path, n rawjson.Node) []string {
	var said []string
	if n.Kind() == rawjson.Number {
		c := records.Column{Path: path, Field: f}
		if f != nil {
			c.Format = f.Format
		}
		if t, ok := c.Time(records.Cell{State: records.Value, Node: n}); ok {
			said = append(said, t.UTC().Format(time.RFC3339))
		}
	}
	switch {
	case f == nil && unknownField(in, path):
		said = append(said, "not in the catalog")
	case f != nil && f.Doc != "":
		said = append(said, f.Doc)
	}
	return said
}

// fieldOf is the catalog's field at a path below the record; nil when it knows none.
func fieldOf(in Input, path rawjson.Path) *catalog.Field {
	page := in.Page()
	if page.Entity == nil {
		return nil
	}
	return page.Entity.RecordField(page.Action, catalogPath(path))
}

// catalogPath is a path as the catalog writes it: any element of an array is [].
func catalogPath(path rawjson.Path) string {
	var b strings.Builder
	for i, step := range path {
		switch {
		case step.IsIndex():
			b.WriteString("[]")
			continue
		case i > 0:
			b.WriteByte('.')
		}
		b.WriteString(step.Name)
	}
	return b.String()
}

// unknownField reports whether the catalog, which lacks a value, describes the object
// around it: of what nobody described, nothing is missing.
func unknownField(in Input, path rawjson.Path) bool {
	n := len(path) - 1
	page := in.Page()
	if page.Entity == nil || path[n].IsIndex() {
		return false
	}
	if n == 0 {
		return len(page.Entity.RecordOf(page.Action)) > 0
	}
	around := fieldOf(in, path[:n])
	return around != nil && len(around.Members) > 0
}

func (v *recordView) span(Input) (from, to int) { return v.tree.root.Span() }

func recordCopies(in Input) []CopyOption {
	var out []CopyOption
	if in.HasRecords() {
		out = append(out, CopyOption{Title: "Record as JSON", What: "record", Text: laidOut(in.Page().Record(in.row))})
	}
	return append(out, bodyCopies(in)...)
}
