package response

import (
	"maps"
	"reflect"
	"slices"

	"patchbay/client/answer"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/undo"
)

// undone is what a person did to the table: marks, filters, order and columns.
type undone struct {
	pages       []*answer.Page
	marks       []records.Marks
	arrangement arrangement
	columns     []string
	chosen      bool
	pinned      int
	widths      map[string]int
}

// same reports whether nothing was done between two states; columns that came with further
// records are not a person's doing.
func (u undone) same(o undone) bool {
	return (!u.chosen || u.pinned == o.pinned && slices.Equal(u.columns, o.columns)) &&
		maps.Equal(u.widths, o.widths) && reflect.DeepEqual(u.marks, o.marks) &&
		reflect.DeepEqual(u.arrangement, o.arrangement)
}

// undoable is the table as it is.
func (p *Pane) undoable() undone {
	v := p.tableView()
	u := undone{pages: slices.Clone(p.pages), arrangement: v.arrangement, columns: v.names(), pinned: v.pinned,
		widths: v.widths, chosen: v.page.Visit.Chosen}
	for _, page := range p.pages {
		u.marks = append(u.marks, page.Marks.Clone())
	}
	return u
}

// note remembers the table before something is done to it. Other pages begin anew:
// what was done to those before is not theirs.
func (p *Pane) note() {
	if p.line != nil || p.onTable() == nil {
		return
	}
	now := p.undoable()
	if !slices.Equal(now.pages, p.noted) {
		p.undo, p.noted = undo.Stack[undone]{}, now.pages
	}
	p.undo.Note(now, undone.same)
	p.undo.Is(now)
}

// Undo takes back what was done to the table last: a mark, a filter, its order or columns.
func (p *Pane) Undo() intent.Intent {
	return p.turnBack((*undo.Stack[undone]).Back, "nothing was done to the table that could be taken back")
}

// Redo does again what Undo took back.
func (p *Pane) Redo() intent.Intent {
	return p.turnBack((*undo.Stack[undone]).Forth, "nothing was taken back that could be done again")
}

func (p *Pane) turnBack(step func(*undo.Stack[undone]) (undone, bool), none string) intent.Intent {
	p.note()
	u, ok := step(&p.undo)
	if !ok {
		return intent.Say{Text: none, Bad: true}
	}
	v := p.tableView()
	for i, page := range p.pages {
		page.Marks = u.marks[i].Clone()
	}
	v.take(u.columns)
	v.pinned, v.widths, v.page.Visit.Chosen = u.pinned, u.widths, u.chosen
	v.col = min(v.col, max(len(v.columns)-1, 0))
	v.retable()
	v.measure()
	keep := p.Arrange(func() intent.Intent { return nil })
	if reflect.DeepEqual(v.arrangement, u.arrangement) {
		return keep
	}
	v.arrangement, v.settled = u.arrangement, false
	return intent.All{keep, p.arrange()}
}
