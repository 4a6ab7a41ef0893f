package result

import (
	"fmt"

	"patchbay/client/rawjson"
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
	return fmt.Sprintf("record %s of %s  %s", groupDigits(p.row+1), groupDigits(p.page().Len()), text.Sanitize(v.tree.path().Dotted()))
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
	levels := 2
	if rec.Size() > smallBody {
		levels = 1
	}
	v.tree.show(rec, nil, p.page().Index.PathOf(p.row), levels)
	v.tree.scroll.Cursor = min(at, max(v.tree.len()-1, 0))
}

func (v *recordView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	v.load(p)
	v.tree.wrap = !p.cut
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

// doc is the catalog's word on the field under the cursor.
func (v *recordView) doc(p *Pane, w int, s *style.Styles) string {
	l, ok := v.tree.current()
	if !ok || p.entity == nil {
		return ""
	}
	f := p.entity.RecordField(p.action, v.tree.below().String())
	if f == nil {
		return " " + s.Muted.Render(text.Truncate(l.Node.Kind().String()+" · not in the catalog", w-2))
	}
	t := f.Type
	if f.Nullable {
		t += " or null"
	}
	if f.Doc != "" {
		t += " · " + f.Doc
	}
	if f.Ref != "" {
		t += " · refers to " + f.Ref
	}
	return " " + s.Muted.Render(text.Truncate(t, w-2))
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
