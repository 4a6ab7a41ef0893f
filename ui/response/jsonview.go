package response

import (
	"bytes"
	"context"
	"sort"
	"strings"

	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// jsonView shows the whole body as a tree.
type jsonView struct{ treeView }

func (v *jsonView) fits(in Input) bool {
	page := in.Page()
	if page.Size() == 0 || page.File != nil && page.Document == nil {
		return false
	}
	head := bytes.TrimLeft(page.Env.Body.Slice(0, min(64, page.Size())), " \n\t\r\ufeff")
	return len(head) > 0 && strings.IndexByte(`{["tfn-0123456789`, head[0]) >= 0 ||
		page.Document != nil && page.Len() > 0 // the first line alone may be none
}

func (v *jsonView) load(in Input) {
	if v.page == in.Page() && v.tree.t != nil {
		return
	}
	v.page = in.Page()
	root, base, levels := v.page.Layout()
	v.tree.show(root, v.page.Index, base, levels, answer.Take(&v.page.Outlines.Whole))
}

// grown shows the whole body, now that all of it is known.
func (v *jsonView) grown(in Input) {
	if v.page != in.Page() || v.tree.t == nil {
		return
	}
	at := v.tree.offset()
	v.page = nil
	v.load(in)
	v.tree.reveal(at)
}

// enter puts the cursor on the record that the other views show.
func (v *jsonView) enter(in Input) {
	v.load(in)
	if in.HasRecords() {
		v.tree.reveal(nodeFrom(in.Page().Record(in.row)))
	}
}

func (v *jsonView) fit(in Input, w, h int) {
	v.load(in)
	v.tree.wrap = in.wrap
	v.tree.fit(w, h)
}

func (v *jsonView) lines(in Input, _, _ int, s *style.Styles, focused bool) []text.Safe {
	out, _ := v.tree.lines(s, focused, in.find)
	return out
}

func (v *jsonView) where(in Input) text.Safe {
	t := text.Sanitize(v.tree.path().Dotted())
	if in.Page().Growing() {
		t += text.Sprintf("  (%s)", in.Page().Document.Progress())
	}
	return t
}

// record is the record around the cursor.
func (v *jsonView) record(in Input) (cur, row int) {
	if x := in.Page().Index; x != nil {
		if i, ok := x.RecordAt(v.tree.offset()); ok {
			return in.cur, i
		}
	}
	return in.cur, in.row
}

func (v *jsonView) span(Input) (from, to int) { return 0, 0 }

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
	return intent.Work("folding", func(ctx context.Context) (*rawjson.Tree, error) {
		return fresh, fresh.OpenLevels(ctx, levels, intent.Report(ctx))
	}, func(*rawjson.Tree) intent.Intent {
		if t.t != old {
			return nil
		}
		t.t, t.levels = fresh, levels
		// The cursor stays where it was in the body; what hides that place stays folded.
		behind := sort.Search(t.len(), func(i int) bool { return lineStart(t.at(i)) > at })
		t.scroll.Cursor = max(behind-1, 0)
		return intent.Say{Text: quantity.Count(levels, "level", "levels") + " open"}
	})
}

// Sibling goes to the next record in the record view, in the order of the table and
// among its rows; to the next sibling in the JSON view.
func (p *Pane) Sibling(d int) {
	switch v := p.current().(type) {
	case *recordView:
		table := p.tableView()
		if table.load(p.Input); table.leads(p.Input) {
			table.move(p.Input, 0, d)
			p.followTable()
			return
		}
		p.row = min(max(p.row+d, 0), max(p.Page().Len()-1, 0))
	case *jsonView:
		v.tree.sibling(d)
		p.follow()
	}
}

// tree is that of the view shown; nil where it has none.
func (p *Pane) tree() *tree {
	v, ok := p.current().(interface{ trunk() *tree })
	if !ok || v.trunk().t == nil {
		return nil
	}
	return v.trunk()
}
