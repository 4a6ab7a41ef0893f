package response

import (
	"cmp"
	"slices"

	"patchbay/client/answer"
	"patchbay/ui/action"
	"patchbay/ui/intent"
)

// Actions are the rows of the action table that work in the response and its views.
func (p *Pane) Actions() []action.Row {
	return slices.Concat(p.viewActions(), p.tableActions(), p.columnActions(),
		p.treeActions(action.InRecord, "record."), p.treeActions(action.InJSON, "json."), []action.Row{
			{ID: "pages.open", In: action.InPages, Keys: []string{"enter"}, Label: "show page", Footer: 1,
				Help: "Show the page under the cursor", Disabled: p.NoAnswer, Do: p.OpenPage},
			{ID: "raw.lines", In: action.InRaw, Keys: []string{"enter"}, Label: "lines", Footer: 1,
				Help: "Show the bytes line by line, or in pieces of the screen's width", Disabled: p.NoAnswer,
				Do: p.ToggleLines},
		})
}

// done is what an action does that asks for nothing.
func done(f func()) func() intent.Intent {
	return func() intent.Intent { f(); return nil }
}

// with is what an action does that calls f with a value, by what one does that asks
// for nothing.
func with[T any](f func(T) intent.Intent, v T) func() intent.Intent {
	return func() intent.Intent { return f(v) }
}

func by(f func(int), d int) func() intent.Intent { return done(func() { f(d) }) }

// viewActions work in every view.
func (p *Pane) viewActions() []action.Row {
	noSearch := p.unless(p.Searching, "nothing is searched: / starts")
	return []action.Row{
		{ID: "page.next", In: action.InResponse, Keys: []string{"."}, Label: "next page", Footer: 2,
			Help: "Fetch the next page through the connector's own paging", Disabled: p.noNextPage, Do: p.nextPage},
		{ID: "page.previous", In: action.InResponse, Keys: []string{","}, Label: "previous", Footer: 3,
			Help:     "Show the page before; it is not fetched again",
			Disabled: p.unless(func() bool { return p.cur > 0 }, "this is the first page"),
			Do:       func() intent.Intent { in, _ := p.ShowPage(-1); return in }},
		{ID: "page.together", In: action.InResponse, Keys: []string{"t"}, Label: "together",
			Help: "Show all pages fetched as one table, or each for itself",
			Disabled: p.unless(func() bool { return len(p.pages) > 1 || p.together },
				"only one page was fetched: . fetches the next, m several"),
			Do: func() intent.Intent { return p.Together(!p.together) }},
		{ID: "view.next", In: action.InResponse, Keys: []string{"]", "v"}, Label: "view", Footer: 4,
			Help: "Show the next view of the response", Disabled: p.NoAnswer, Do: with(p.CycleView, 1)},
		{ID: "view.previous", In: action.InResponse, Keys: []string{"["}, Label: "previous view",
			Help: "Show the view before", Disabled: p.NoAnswer, Do: with(p.CycleView, -1)},
		{ID: "response.search", In: action.InResponse, Keys: []string{"/"}, Label: "filter", Footer: 5,
			Now: p.filterOrSearch, Help: "Filter rows, or search in the text shown, while you type",
			Disabled: func() string { return cmp.Or(p.NoAnswer(), p.NoLine()) }, Do: done(p.OpenLine)},
		{ID: "response.nexthit", In: action.InResponse, Keys: []string{"n"}, Label: "next hit", Footer: 2,
			Help: "Go to the next hit of the search", Disabled: noSearch, Do: with(p.NextHit, 1)},
		{ID: "response.previoushit", In: action.InResponse, Keys: []string{"N"}, Label: "previous hit", Footer: 3,
			Help: "Go to the hit before", Disabled: noSearch, Do: with(p.NextHit, -1)},
		{ID: "response.wrap", In: action.InResponse, Keys: []string{"w"}, Label: "wrap",
			Help: "Wrap long lines, or cut them", Disabled: p.NoAnswer, Do: done(p.ToggleWrap)},
		{ID: "response.close", In: action.InResponse, Keys: []string{"q"}, Label: "close view",
			Help: "Close the view, the filter or the marks; with none, ask to quit", Do: with(p.leave, "quit")},
		{ID: "response.leave", In: action.InResponse, Keys: []string{"esc"}, Label: "leave view",
			Help: "Leave the view, the filter or the marks; never quits", Do: with(p.leave, "leave")},
	}
}

func (p *Pane) tableActions() []action.Row {
	return []action.Row{
		{ID: "table.open", In: action.InTable, Keys: []string{"enter"}, Label: "record", Footer: 1,
			Help: "Show the record under the cursor", Disabled: p.NoRecord, Do: p.OpenRecord},
		{ID: "table.sort", In: action.InTable, Keys: []string{"o"}, Label: "sort", Footer: 6, Disabled: p.NoRecord,
			Help: "Sort by the column under the cursor; again turns the order, a third time ends it",
			Do:   with(p.Sort, false)},
		{ID: "table.sortadd", In: action.InTable, Keys: []string{"O"}, Label: "sort also",
			Help: "Add the column under the cursor to the sort", Disabled: p.NoRecord, Do: with(p.Sort, true)},
		{ID: "table.mark", In: action.InTable, Keys: []string{"space"}, Label: "mark",
			Help: "Mark the row for copying, exporting or comparing together", Disabled: p.NoRecord, Do: done(p.Mark)},
		{ID: "table.range", In: action.InTable, Keys: []string{"V"}, Label: "mark range",
			Help: "Begin a range of marks at this row, or end it here", Disabled: p.NoRecord, Do: done(p.MarkRange)},
		{ID: "table.undo", In: action.InTable, Keys: []string{"u"}, Label: "undo", Disabled: p.NoRecord,
			Help: "Take back the last mark, filter, order or choice of columns", Do: p.Undo},
		{ID: "table.redo", In: action.InTable, Keys: []string{"U", "ctrl+shift+z"}, Label: "redo",
			Help: "Do again what was taken back", Disabled: p.NoRecord, Do: p.Redo},
	}
}

func (p *Pane) columnActions() []action.Row {
	row := func(id, key, label, help string, do func() intent.Intent) action.Row {
		return action.Row{ID: id, In: action.InTable, Keys: []string{key}, Label: label, Help: help,
			Disabled: p.NoRecord, Do: func() intent.Intent { return p.Arrange(do) }}
	}
	return []action.Row{
		row("column.wider", ")", "wider", "Make the column under the cursor wider", by(p.Resize, 4)),
		row("column.narrower", "(", "narrower", "Make the column under the cursor narrower", by(p.Resize, -4)),
		row("column.hide", "H", "hide", "Hide the column under the cursor; c shows it again", p.HideColumn),
		row("column.left", "shift+left", "move left", "Move the column under the cursor to the left",
			by(p.MoveColumn, -1)),
		row("column.right", "shift+right", "move right", "Move the column under the cursor to the right",
			by(p.MoveColumn, 1)),
		row("column.pin", "p", "pin", "Keep the column under the cursor in view while others scroll, or let it go",
			p.Pin),
	}
}

// treeActions work in both views that fold.
func (p *Pane) treeActions(in action.Scope, id string) []action.Row {
	row := func(verb string, keys []string, label, help string, footer int, do func() intent.Intent) action.Row {
		return action.Row{ID: id + verb, In: in, Keys: keys, Label: label, Help: help, Footer: footer,
			Disabled: p.NoAnswer, Do: do}
	}
	onTree := func(f func(*tree)) func() intent.Intent {
		return done(func() {
			if t := p.tree(); t != nil {
				f(t)
			}
		})
	}
	return []action.Row{
		row("fold", []string{"enter", "space"}, "fold", "Fold or unfold the value under the cursor", 1,
			onTree((*tree).toggle)),
		row("foldall", []string{"z"}, "fold family",
			"Fold or unfold the value under the cursor and those right inside it", 0, onTree((*tree).family)),
		row("deeper", []string{")"}, "one level more", "Unfold one level more everywhere", 0, with(p.FoldLevel, 1)),
		row("shallower", []string{"("}, "one level less", "Fold to one level less everywhere", 0,
			with(p.FoldLevel, -1)),
		row("path", []string{"@"}, "go to path",
			"Go to a path: search those there are, or type one such as .result[12].name", 5, p.JumpPath),
		row("nextsibling", []string{"J"}, "next", "Go to the next record or sibling", 2, by(p.Sibling, 1)),
		row("previoussibling", []string{"K"}, "previous", "Go to the record or sibling before", 0, by(p.Sibling, -1)),
	}
}

// nextPage shows the page after the shown one, or asks for it.
func (p *Pane) nextPage() intent.Intent {
	if in, ok := p.ShowPage(1); ok {
		return in
	}
	if last := p.Last(); last != nil && last.Next.State == answer.More {
		return intent.NextPage{Op: last.Next.Op}
	}
	return nil
}

// leave leaves the smallest thing that narrows the response; with nothing to
// leave it does otherwise.
func (p *Pane) leave(otherwise string) intent.Intent {
	if in, left := p.Leave(); left {
		return in
	}
	return intent.Do{ID: otherwise}
}

// filterOrSearch names what typing a text does: only rows can be left out.
func (p *Pane) filterOrSearch() string {
	if p.Scope() == string(action.InTable) {
		return "filter"
	}
	return "search"
}

// Reasons why an action cannot be used now; "" when it can.

// NoAnswer says why there is no answer to work with.
func (p *Pane) NoAnswer() string {
	return action.Reason(!p.HasAnswer(), "there is no answer yet: r runs the request")
}

// NoRecord says why there is no record to work with.
func (p *Pane) NoRecord() string { return p.unless(p.HasRecords, "the answer holds no records")() }

// unless says why where there is an answer of which something does not hold.
func (p *Pane) unless(holds func() bool, why string) func() string {
	return func() string { return cmp.Or(p.NoAnswer(), action.Reason(!holds(), why)) }
}

func (p *Pane) noNextPage() string {
	switch last := p.Last(); {
	case !p.HasAnswer():
		return p.NoAnswer()
	case p.IsDocument() || p.Page().File != nil:
		return "this is a file: it has no pages"
	case p.cur+1 < len(p.pages) && !p.together:
		return ""
	case p.Page().Err != nil:
		return "the call failed, so there is no next page"
	case last.Next.State != answer.More:
		return last.Next.Text()
	case p.LeadsNowhere() != "":
		return p.LeadsNowhere() + "; " + Insists
	}
	return ""
}

// NoMorePages says why no further pages can be fetched.
func (p *Pane) NoMorePages() string {
	switch last := p.Last(); {
	case !p.HasAnswer():
		return p.NoAnswer()
	case last.IsFile():
		return "this is a file: all of it is here"
	case last.Err != nil:
		return "the call failed, so there is no next page"
	case last.Next.State != answer.More:
		return last.Next.Text()
	}
	return ""
}
