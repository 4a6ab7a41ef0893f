package result

import (
	"context"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// smallBody is the size up to which a body is shown with more levels open.
const smallBody = 64 << 10

// jsonView shows the whole body as a tree.
type jsonView struct {
	tree tree
	page *Page
}

func (v *jsonView) name() string     { return "JSON" }
func (v *jsonView) tab(*Pane) string { return "JSON" }
func (v *jsonView) scope() string    { return "JSON" }
func (v *jsonView) fits(p *Pane) bool {
	page := p.page()
	if !p.HasAnswer() || page.Size() == 0 {
		return false
	}
	return isJSON(page) || page.Document != nil && page.Len() > 0 // the first line alone may be none
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
	if v.page == p.page() && v.tree.t != nil {
		return
	}
	v.page = p.page()
	root, base, levels := v.page.layout()
	v.tree.show(root, v.page.Index, base, levels, take(&v.page.outlines.whole))
}

// grown shows the whole body, now that all of it is known.
func (v *jsonView) grown(p *Pane) {
	if v.page != p.page() || v.tree.t == nil {
		return
	}
	at := v.tree.offset()
	v.page = nil
	v.load(p)
	v.tree.reveal(at)
}

// enter puts the cursor on the record that the other views show.
func (v *jsonView) enter(p *Pane) {
	v.load(p)
	if p.HasRecords() {
		v.tree.reveal(nodeFrom(p.page().Record(p.row)))
	}
}

func (v *jsonView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	v.load(p)
	v.tree.wrap = p.wrap
	return v.tree.lines(w, h, s, focused, hitOf(p))
}

func (v *jsonView) where(p *Pane) string {
	v.load(p)
	t := text.Sanitize(v.tree.path().Dotted())
	if p.page().Growing() {
		t += "  (" + p.page().Document.read() + ")"
	}
	return t
}

func (v *jsonView) move(p *Pane, dx, dy int) {
	v.load(p)
	moveTree(&v.tree, dx, dy)
	v.follow(p)
}

// follow makes the record around the cursor the one that other views show.
func (v *jsonView) follow(p *Pane) {
	if p.page().Index == nil {
		return
	}
	if i, ok := p.page().Index.RecordAt(v.tree.offset()); ok {
		p.row = i
	}
}

func (v *jsonView) click(p *Pane, x, y int, double bool) intent.Intent {
	v.load(p)
	in := clickTree(&v.tree, x, y, double)
	v.follow(p)
	return in
}

func (v *jsonView) copies(p *Pane) []CopyOption {
	v.load(p)
	return append(treeCopies(&v.tree), recordCopies(p)...)
}

func (v *jsonView) span(*Pane) (from, to int) { return 0, 0 }
func (v *jsonView) offset(*Pane) int          { return v.tree.offset() }
func (v *jsonView) goTo(p *Pane, offset int)  { v.tree.reveal(offset); v.follow(p) }
func (v *jsonView) place() int                { return v.tree.scroll.Cursor }

func moveTree(t *tree, dx, dy int) {
	t.scroll.Move(dy, t.len())
	switch {
	case dx < 0:
		t.left()
	case dx > 0:
		t.right()
	}
}

func treeCopies(t *tree) []CopyOption {
	l, ok := t.current()
	if !ok {
		return nil
	}
	path := t.path()
	value := CopyOption{Title: "Value", What: "value", Text: laidOut(l.Node)}
	return []CopyOption{
		value,
		fixed("Path  "+path.Dotted(), "path", path.Dotted()),
		fixed("Path as brackets", "path", path.Brackets()),
		fixed("Path for jq", "jq path", path.JQ()),
		fixed("JSON Pointer", "JSON Pointer", path.Pointer()),
	}
}

// laidOut writes a value for people: containers with line breaks, strings decoded.
func laidOut(n rawjson.Node) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		t, more := laid(n)
		if more {
			return "", tooLarge(n)
		}
		return t, nil
	}
}

// Fold opens or closes the value under the cursor in a tree view.
func (p *Pane) Fold() {
	if t := p.tree(); t != nil {
		t.toggle()
	}
}

// FoldAll closes or opens the value under the cursor and those right inside it.
func (p *Pane) FoldAll() {
	if t := p.tree(); t != nil {
		t.family()
	}
}

// levelsMax is how many levels are told apart when folding by level.
const levelsMax = 12

// FoldLevel shows one level more or fewer everywhere in a tree view. A large
// body is read for it, beside the update loop.
func (p *Pane) FoldLevel(d int) intent.Intent {
	t := p.tree()
	if t == nil {
		return nil
	}
	levels := min(max(t.levels+d, 1), levelsMax)
	fresh := rawjson.NewTree(t.root, t.index, 0)
	old, at := t.t, t.offset()
	return intent.Work{What: "folding", Do: func(ctx context.Context) (func() intent.Intent, error) {
		if err := fresh.OpenLevels(ctx, levels, intent.Report(ctx)); err != nil {
			return nil, err
		}
		return func() intent.Intent {
			if t.t != old {
				return nil
			}
			t.t, t.levels = fresh, levels
			t.scroll.Cursor = 0
			t.settleAt(at)
			return intent.Say{Text: text.Count(levels, "level", "levels") + " open"}
		}, nil
	}}
}

// settleAt puts the cursor on the line of an offset without opening what hides it.
func (t *tree) settleAt(offset int) {
	lo, hi := 0, t.len()
	for lo < hi {
		mid := (lo + hi) / 2
		l := t.at(mid)
		from, to := l.Node.Span()
		if l.Kind == rawjson.LineClose {
			from = to - 1
		}
		if from <= offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	t.scroll.Cursor = max(lo-1, 0)
}

// Sibling goes to the next record in the record view, to the next sibling in the JSON view.
func (p *Pane) Sibling(d int) {
	switch v := p.current().(type) {
	case *recordView:
		p.stepRecord(d)
		v.load(p)
	case *jsonView:
		v.load(p)
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
