package result

import (
	"fmt"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// recordView shows the record under the cursor as a tree, with the catalog's word for it.
type recordView struct {
	tree tree
	row  int
	page *Page
}

func (v *recordView) name() string      { return "Record" }
func (v *recordView) scope() string     { return "record" }
func (v *recordView) fits(p *Pane) bool { return p.HasRecords() }
func (v *recordView) reset(*Pane)       { v.page = nil }
func (v *recordView) enter(p *Pane)     { v.load(p) }
func (v *recordView) tab(*Pane) string  { return "Record" }
func (v *recordView) where(p *Pane) string {
	v.load(p)
	t := fmt.Sprintf("record %s of %s", groupDigits(p.row+1), groupDigits(p.page().Len()))
	if table := p.tableView(); table.rows != nil && table.leads(p) {
		t += fmt.Sprintf(", row %s of %s", groupDigits(table.scroll.Cursor+1), groupDigits(table.count()))
	}
	return t + "  " + text.Sanitize(v.tree.path().Dotted())
}

// load shows the record of the pane's cursor unless it is shown already.
func (v *recordView) load(p *Pane) {
	if v.page == p.page() && v.row == p.row && v.tree.t != nil {
		return
	}
	v.page, v.row = p.page(), p.row
	if !p.HasRecords() {
		v.tree = tree{}
		return
	}
	at := v.tree.scroll.Cursor
	v.tree.bare = true
	rec := p.page().Record(p.row)
	v.tree.show(rec, nil, p.page().Index.PathOf(p.row), recordLevels(rec), take(&p.page().outlines.record))
	v.tree.scroll.Cursor = min(at, max(v.tree.len()-1, 0))
}

func (v *recordView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	v.load(p)
	v.tree.wrap = !p.cut
	v.tree.note = v.noter(p)
	out := v.tree.lines(w, h-1, s, focused, hitOf(p))
	for len(out) < h-1 {
		out = append(out, "")
	}
	return append(out, v.doc(p, w, s))
}

func hitOf(p *Pane) func(string) bool {
	if p.find.text == "" {
		return nil
	}
	return p.find.matches
}

// noter says what the values of a record mean: the time that a number is, and
// the catalog's sentence, else its type.
func (v *recordView) noter(p *Pane) func(rawjson.Line, rawjson.Path) string {
	return func(l rawjson.Line, path rawjson.Path) string {
		if l.Kind == rawjson.LineClose || len(path) == 0 {
			return ""
		}
		f := fieldOf(p, path)
		var parts []string
		if t, ok := timeOf(f, path, l.Node); ok {
			parts = append(parts, t)
		}
		switch {
		case f == nil && unknownField(p, path):
			parts = append(parts, "not in the catalog")
		case f == nil:
		case f.Doc != "":
			parts = append(parts, f.Doc)
		case len(parts) == 0:
			parts = append(parts, f.TypeWords())
		}
		return strings.Join(parts, " · ")
	}
}

// fieldOf is the catalog's field at a path below the record; nil when it knows none.
func fieldOf(p *Pane, path rawjson.Path) *catalog.Field {
	page := p.page()
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

// unknownField tells whether the catalog describes the object around a value
// and lacks the value: of what nobody described, nothing is missing.
func unknownField(p *Pane, path rawjson.Path) bool {
	n := len(path) - 1
	page := p.page()
	if page.Entity == nil || path[n].IsIndex() || fieldOf(p, path) != nil {
		return false
	}
	if n == 0 {
		return len(page.Entity.RecordOf(page.Action)) > 0
	}
	around := fieldOf(p, path[:n])
	return around != nil && len(around.Members) > 0
}

// timeOf writes the point in time that a value is, unless it reads as one already.
func timeOf(f *catalog.Field, path rawjson.Path, n rawjson.Node) (string, bool) {
	if n.Kind() != rawjson.Number {
		return "", false
	}
	c := records.Column{Path: path, Field: f}
	if f != nil {
		c.Format = f.Format
	}
	t, ok := c.Time(records.Cell{State: records.Value, Node: n})
	return t.UTC().Format(time.RFC3339), ok
}

// doc is the catalog's word on the field under the cursor.
func (v *recordView) doc(p *Pane, w int, s *style.Styles) string {
	l, ok := v.tree.current()
	if !ok || len(v.tree.below()) == 0 {
		return ""
	}
	f := fieldOf(p, v.tree.below())
	if f == nil {
		t := l.Node.Kind().String()
		if at, ok := timeOf(f, v.tree.below(), l.Node); ok {
			t += " · " + at
		}
		if unknownField(p, v.tree.below()) {
			t += " · not in the catalog"
		}
		return " " + s.Muted.Render(text.Truncate(t, w-2))
	}
	parts := []string{f.TypeWords()}
	if t, ok := timeOf(f, v.tree.below(), l.Node); ok {
		parts = append(parts, t)
	}
	if f.Doc != "" {
		parts = append(parts, f.Doc)
	}
	if f.Ref != "" {
		parts = append(parts, "refers to "+f.Ref)
	}
	return " " + s.Muted.Render(text.Truncate(strings.Join(parts, " · "), w-2))
}

func (v *recordView) move(p *Pane, dx, dy int) {
	v.load(p)
	moveTree(&v.tree, dx, dy)
}

func (v *recordView) click(_ *Pane, x, y int, double bool) intent.Intent {
	return clickTree(&v.tree, x, y, double)
}

func (v *recordView) copies(p *Pane) []CopyOption {
	v.load(p)
	return append(treeCopies(&v.tree), recordCopies(p)...)
}

func (v *recordView) span(*Pane) (from, to int) { return v.tree.root.Span() }
func (v *recordView) offset(*Pane) int          { return v.tree.offset() }
func (v *recordView) goTo(_ *Pane, offset int)  { v.tree.reveal(offset) }
func (v *recordView) place() int                { return v.tree.scroll.Cursor }

func recordCopies(p *Pane) []CopyOption {
	var out []CopyOption
	if p.HasRecords() {
		rec := p.page().Record(p.row)
		out = append(out, asJSON("Record as JSON", "record", rec))
	}
	return append(out, bodyCopies(p)...)
}

// asJSON copies a value laid out for people.
func asJSON(title, what string, n rawjson.Node) CopyOption {
	return CopyOption{Title: title, What: what, Text: laidOut(n)}
}
