package result

import (
	"fmt"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// recordView shows the record under the cursor as a tree, with the catalog's word for it.
type recordView struct {
	base
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
	return fmt.Sprintf("record %d of %d  %s", p.row+1, p.page().Len(), text.Sanitize(v.tree.path().Dotted()))
}

// load shows the record of the pane's cursor unless it is shown already.
func (v *recordView) load(p *Pane) {
	if v.page == p.page() && v.row == p.row && v.tree.root != nil {
		return
	}
	v.page, v.row = p.page(), p.row
	if !p.HasRecords() {
		v.tree = tree{}
		return
	}
	at := v.tree.scroll
	v.tree.show(p.page().Record(p.row), nil, p.page().Index.PathOf(p.row))
	v.tree.unfold(1, 200)
	v.tree.scroll.Cursor = min(at.Cursor, max(v.tree.len()-1, 0))
}

func (v *recordView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	v.load(p)
	v.tree.wrap = p.wrap
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
	r, ok := v.tree.current()
	if !ok || p.entity == nil {
		return ""
	}
	path := v.tree.pathOf(r.path)[len(v.tree.base):]
	f := p.entity.RecordField(p.action, path.String())
	if f == nil {
		return " " + s.Muted.Render(text.Truncate(r.value.Kind().String()+" · not in the catalog", w-2))
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

func moveTree(t *tree, dx, dy int) {
	t.scroll.Move(dy, t.len())
	t.scroll.Fit(t.len(), t.scroll.Height)
	switch {
	case dx < 0:
		t.left()
	case dx > 0:
		t.right()
	}
}

func (v *recordView) click(_ *Pane, _, y int, double bool) intent.Intent {
	return clickTree(&v.tree, y, double)
}

func clickTree(t *tree, y int, double bool) intent.Intent {
	i := t.scroll.Top + y
	if i >= t.len() {
		return nil
	}
	again := i == t.scroll.Cursor
	t.scroll.Cursor = i
	if again || double {
		t.toggle()
	}
	return nil
}

func (v *recordView) copies(p *Pane) []CopyOption {
	v.load(p)
	return append(treeCopies(&v.tree), recordCopies(p)...)
}

func treeCopies(t *tree) []CopyOption {
	r, ok := t.current()
	if !ok {
		return nil
	}
	path := t.path()
	value := r.value.Text()
	if container(r.value) {
		b, _ := r.value.AppendIndent(nil, copyLimit)
		value = string(b)
	}
	return []CopyOption{
		fixed("Value", "value", value),
		fixed("Path  "+path.Dotted(), "path", path.Dotted()),
		fixed("Path as brackets", "path", path.Brackets()),
		fixed("Path for jq", "jq path", path.JQ()),
		fixed("JSON Pointer", "JSON Pointer", path.Pointer()),
	}
}

func recordCopies(p *Pane) []CopyOption {
	var out []CopyOption
	if p.HasRecords() {
		rec := p.page().Record(p.row)
		b, _ := rec.AppendIndent(nil, copyLimit)
		out = append(out, fixed("Record as JSON", "record", string(b)))
	}
	return append(out, bodyCopies(p)...)
}

func (v *recordView) search(p *Pane) intent.Intent {
	if p.find.text == "" {
		return nil
	}
	return v.next(p, 0)
}

func (v *recordView) next(p *Pane, d int) intent.Intent {
	v.load(p)
	return findInTree(p, &v.tree, d)
}

// findInTree goes to the next line whose name or value holds the text.
func findInTree(p *Pane, t *tree, d int) intent.Intent {
	n := t.len()
	step := d
	if d == 0 {
		step = 1
	}
	for i := range min(n, 200_000) {
		k := i
		if d != 0 {
			k = i + 1
		}
		at := ((t.scroll.Cursor+step*k)%n + n) % n
		r := t.root.at(at, nil)
		if (r.name.Exists() && p.find.matches(r.name.Text())) || (!container(r.value) && p.find.matches(scalarText(r.value, 1<<16))) {
			t.scroll.Cursor = at
			return nil
		}
	}
	return intent.Say{Text: "nothing visible holds \"" + p.find.text + "\"; z unfolds all", Bad: true}
}

// jsonView shows the whole body as a tree.
type jsonView struct {
	base
	tree tree
	page *Page
}

func (v *jsonView) name() string     { return "JSON" }
func (v *jsonView) tab(*Pane) string { return "JSON" }
func (v *jsonView) scope() string    { return "JSON" }
func (v *jsonView) fits(p *Pane) bool {
	return p.HasAnswer() && p.page().Size() > 0 && isJSON(p.page())
}
func (v *jsonView) reset(*Pane) { v.page = nil }

func isJSON(page *Page) bool {
	c := page.Env.Body.Slice(0, min(64, page.Size()))
	for _, b := range c {
		switch b {
		case ' ', '\n', '\t', '\r', 0xef, 0xbb, 0xbf:
			continue
		case '{', '[', '"', 't', 'f', 'n', '-':
			return true
		}
		return b >= '0' && b <= '9'
	}
	return false
}

func (v *jsonView) load(p *Pane) {
	if v.page == p.page() {
		return
	}
	v.page = p.page()
	v.tree.show(rawjson.Root(v.page.Env.Body), v.page.Index, nil)
	v.tree.unfold(2, 60)
}

// enter puts the cursor on the record that the other views show.
func (v *jsonView) enter(p *Pane) {
	v.load(p)
	if p.HasRecords() {
		v.tree.reveal(p.page().Index.PathOf(p.row))
	}
}

func (v *jsonView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	v.load(p)
	v.tree.wrap = p.wrap
	return v.tree.lines(w, h, s, focused, hitOf(p))
}

func (v *jsonView) where(p *Pane) string {
	v.load(p)
	return text.Sanitize(v.tree.path().Dotted())
}

func (v *jsonView) move(p *Pane, dx, dy int) {
	v.load(p)
	moveTree(&v.tree, dx, dy)
	v.follow(p)
}

// follow makes the record around the cursor the one that other views show.
func (v *jsonView) follow(p *Pane) {
	r, ok := v.tree.current()
	if !ok || p.page().Index == nil {
		return
	}
	if i, ok := p.page().Index.RecordAt(nodeFrom(r.value)); ok {
		p.row = i
	}
}

func (v *jsonView) click(p *Pane, _, y int, double bool) intent.Intent {
	v.load(p)
	in := clickTree(&v.tree, y, double)
	v.follow(p)
	return in
}

func (v *jsonView) copies(p *Pane) []CopyOption {
	v.load(p)
	return append(treeCopies(&v.tree), recordCopies(p)...)
}

func (v *jsonView) search(p *Pane) intent.Intent {
	if p.find.text == "" {
		return nil
	}
	v.load(p)
	return v.searchFrom(p, nodeFrom(v.currentNode()), 1)
}

func (v *jsonView) currentNode() rawjson.Node {
	r, _ := v.tree.current()
	return r.value
}

func (v *jsonView) next(p *Pane, d int) intent.Intent {
	v.load(p)
	return findInTree(p, &v.tree, d)
}

// searchFrom looks through the visible tree first, which is enough for a page.
func (v *jsonView) searchFrom(p *Pane, _, d int) intent.Intent {
	return findInTree(p, &v.tree, d)
}

// Fold opens or closes the value under the cursor in a tree view.
func (p *Pane) Fold() {
	if t := p.tree(); t != nil {
		t.toggle()
	}
}

// FoldAll closes or opens everything in a tree view.
func (p *Pane) FoldAll() {
	if t := p.tree(); t != nil {
		t.toggleAll()
	}
}

// Sibling goes to the next record in the record view, to the next sibling in the JSON view.
func (p *Pane) Sibling(d int) {
	switch v := p.current().(type) {
	case *recordView:
		p.row = min(max(p.row+d, 0), max(p.page().Len()-1, 0))
		v.load(p)
	case *jsonView:
		v.tree.sibling(d)
		v.follow(p)
	}
}

func (p *Pane) tree() *tree {
	if !p.HasAnswer() {
		return nil
	}
	switch v := p.current().(type) {
	case *recordView:
		v.load(p)
		return &v.tree
	case *jsonView:
		v.load(p)
		return &v.tree
	}
	return nil
}

// names tells which names the fields of the shown page have.
func (p *Page) names() client.Names {
	if p.Env == nil || p.Env.Names == "" {
		return client.Neutral
	}
	return p.Env.Names
}
