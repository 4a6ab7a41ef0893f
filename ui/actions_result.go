package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
)

// resultActions are the actions of the response and its views.
func resultActions() []action {
	return slices.Concat(responseActions(), tableActions(), columnActions(), jsonActions(), rawActions())
}

func responseActions() []action {
	return []action{
		{ID: "page.next", In: inResponse, Keys: []string{"."}, Label: "next page", Help: "Fetch the next page through the connector's own paging", Footer: 2,
			Disabled: (*Model).noNextPage, Do: (*Model).nextPage},
		{ID: "page.previous", In: inResponse, Keys: []string{","}, Label: "previous", Help: "Show the page before; it is not fetched again", Footer: 3,
			Disabled: (*Model).noPreviousPage, Do: asks(func(m *Model) intent.Intent { in, _ := m.res.ShowPage(-1); return in })},
		{ID: "page.fetch", In: inResponse, Keys: []string{"m"}, Label: "more pages", Help: "Fetch several pages, all of them, or until a row holds a text", Footer: 7,
			Disabled: (*Model).noMorePages, Do: (*Model).openFetch},
		{ID: "page.together", In: inResponse, Keys: []string{"t"}, Label: "together", Help: "Show all pages fetched as one table, or each for itself",
			Disabled: (*Model).noTogether, Do: asks(func(m *Model) intent.Intent { return m.res.Together(!m.res.IsTogether()) })},
		{ID: "response.export", In: inResponse, Keys: []string{"E"}, Label: "export", Help: "Write records, the body, findings or the exchange to a file, the clipboard or a command", Footer: 8,
			Disabled: (*Model).noAnswer, Do: (*Model).openExport},
		{ID: "response.query", In: inResponse, Keys: []string{"|"}, Label: "jq", Help: "Ask what is loaded with jq, with a live preview", Footer: 9,
			Disabled: (*Model).noAnswer, Do: (*Model).openQuery},
		{ID: "response.diff", In: inResponse, Keys: []string{"D"}, Label: "diff", Help: "Compare two marked records, this record and the one above, two pages, or two runs",
			Disabled: (*Model).noAnswer, Do: (*Model).openDiff},
		{ID: "response.compare", In: inResponse, Keys: []string{"C"}, Label: "compare", Help: "Compare what search, list and the direct call say of this entity: only here, only there, differing fields",
			Disabled: (*Model).noCompare, Do: (*Model).openCompare},
		{ID: "response.as", In: inResponse, Keys: []string{"A"}, Label: "read as", Help: "Say which records a file holds: columns, words and schema then come from the catalog", Footer: 10,
			Disabled: (*Model).noDocument, Do: (*Model).openTakeAs},
		{ID: "view.next", In: inResponse, Keys: []string{"]", "v"}, Label: "view", Help: "Show the next view of the response", Footer: 4,
			Disabled: (*Model).noAnswer, Do: func(m *Model) tea.Cmd { return m.perform(m.res.CycleView(1)) }},
		{ID: "view.previous", In: inResponse, Keys: []string{"["}, Label: "previous view", Help: "Show the view before",
			Disabled: (*Model).noAnswer, Do: func(m *Model) tea.Cmd { return m.perform(m.res.CycleView(-1)) }},
		{ID: "response.search", In: inResponse, Keys: []string{"/"}, Label: "filter", Help: "Filter rows, or search in the text shown, while you type", Footer: 5, Now: (*Model).filterOrSearch,
			Disabled: (*Model).noLine, Do: func(m *Model) tea.Cmd { m.res.OpenLine(); return nil }},
		{ID: "response.nexthit", In: inResponse, Keys: []string{"n"}, Label: "next hit", Help: "Go to the next hit of the search", Footer: 2,
			Disabled: (*Model).noSearch, Do: asks(func(m *Model) intent.Intent { return m.res.NextHit(1) })},
		{ID: "response.previoushit", In: inResponse, Keys: []string{"N"}, Label: "previous hit", Help: "Go to the hit before", Footer: 3,
			Disabled: (*Model).noSearch, Do: asks(func(m *Model) intent.Intent { return m.res.NextHit(-1) })},
		{ID: "response.wrap", In: inResponse, Keys: []string{"w"}, Label: "wrap", Help: "Wrap long lines, or cut them",
			Disabled: (*Model).noAnswer, Do: func(m *Model) tea.Cmd { m.res.ToggleWrap(); return nil }},
		{ID: "response.close", In: inResponse, Keys: []string{"q"}, Label: "close view", Help: "Close the view, the filter or the marks; with none, ask to quit",
			Do: func(m *Model) tea.Cmd { return m.leaveResponse((*Model).askQuit) }},
		{ID: "response.leave", In: inResponse, Keys: []string{"esc"}, Label: "leave view", Help: "Leave the view, the filter or the marks; never quits",
			Do: func(m *Model) tea.Cmd { return m.leaveResponse((*Model).leave) }},
	}
}

func tableActions() []action {
	return []action{
		{ID: "table.open", In: inTable, Keys: []string{"enter"}, Label: "record", Help: "Show the record under the cursor", Footer: 1,
			Disabled: (*Model).noRecord, Do: asks(func(m *Model) intent.Intent { return m.res.OpenRecord() })},
		{ID: "table.sort", In: inTable, Keys: []string{"o"}, Label: "sort", Help: "Sort by the column under the cursor; again turns the order, a third time ends it", Footer: 6,
			Disabled: (*Model).noRecord, Do: asks(func(m *Model) intent.Intent { return m.res.Sort(false) })},
		{ID: "table.sortadd", In: inTable, Keys: []string{"O"}, Label: "sort also", Help: "Add the column under the cursor to the sort",
			Disabled: (*Model).noRecord, Do: asks(func(m *Model) intent.Intent { return m.res.Sort(true) })},
		{ID: "table.mark", In: inTable, Keys: []string{"space"}, Label: "mark", Help: "Mark the row for copying, exporting or comparing together",
			Disabled: (*Model).noRecord, Do: func(m *Model) tea.Cmd { m.res.Mark(); return nil }},
		{ID: "table.range", In: inTable, Keys: []string{"V"}, Label: "mark range", Help: "Begin a range of marks at this row, or end it here",
			Disabled: (*Model).noRecord, Do: func(m *Model) tea.Cmd { m.res.MarkRange(); return nil }},
		{ID: "table.summary", In: inTable, Keys: []string{"s"}, Label: "summary", Help: "Tell what the column under the cursor holds: count, distinct, nulls, least, largest, most common",
			Disabled: (*Model).noRecord, Do: (*Model).openSummary},
		{ID: "table.cell", In: inTable, Keys: []string{"i"}, Label: "full cell", Help: "Show the whole value of the cell",
			Disabled: (*Model).noRecord, Do: (*Model).openCell},
	}
}

// filterOrSearch names what typing a text does: only rows can be left out.
func (m *Model) filterOrSearch() string {
	if m.res.Scope() == string(inTable) {
		return "filter"
	}
	return "search"
}

func (m *Model) noLine() string {
	if why := m.noAnswer(); why != "" {
		return why
	}
	return m.res.NoLine()
}

func (m *Model) noTogether() string {
	if why := m.noAnswer(); why != "" {
		return why
	}
	return reason(m.res.PageCount() < 2 && !m.res.IsTogether(), "only one page was fetched: . fetches the next, m several")
}

// arranges is an action that changes the columns, which are then remembered.
func arranges(f func(*Model) intent.Intent) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return tea.Batch(m.perform(f(m)), m.keepLayout()) }
}

func columnActions() []action {
	return []action{
		{ID: "table.columns", In: inTable, Keys: []string{"c"}, Label: "columns", Help: "Choose the columns to show",
			Disabled: (*Model).noRecord, Do: (*Model).openColumns},
		{ID: "column.wider", In: inTable, Keys: []string{")"}, Label: "wider", Help: "Make the column under the cursor wider",
			Disabled: (*Model).noRecord, Do: arranges(func(m *Model) intent.Intent { m.res.Resize(4); return nil })},
		{ID: "column.narrower", In: inTable, Keys: []string{"("}, Label: "narrower", Help: "Make the column under the cursor narrower",
			Disabled: (*Model).noRecord, Do: arranges(func(m *Model) intent.Intent { m.res.Resize(-4); return nil })},
		{ID: "column.hide", In: inTable, Keys: []string{"H"}, Label: "hide", Help: "Hide the column under the cursor; c shows it again",
			Disabled: (*Model).noRecord, Do: arranges(func(m *Model) intent.Intent { return m.res.HideColumn() })},
		{ID: "column.left", In: inTable, Keys: []string{"shift+left"}, Label: "move left", Help: "Move the column under the cursor to the left",
			Disabled: (*Model).noRecord, Do: arranges(func(m *Model) intent.Intent { m.res.MoveColumn(-1); return nil })},
		{ID: "column.right", In: inTable, Keys: []string{"shift+right"}, Label: "move right", Help: "Move the column under the cursor to the right",
			Disabled: (*Model).noRecord, Do: arranges(func(m *Model) intent.Intent { m.res.MoveColumn(1); return nil })},
		{ID: "column.derive", In: inTable, Keys: []string{"="}, Label: "computed column", Help: "Add a column that a jq program computes from each record",
			Disabled: (*Model).noRecord, Do: (*Model).openDerive},
		{ID: "column.pin", In: inTable, Keys: []string{"p"}, Label: "pin", Help: "Keep the column under the cursor in view while others scroll, or let it go",
			Disabled: (*Model).noRecord, Do: arranges(func(m *Model) intent.Intent { return m.res.Pin() })},
	}
}

func jsonActions() []action {
	var rows []action
	for _, s := range []scope{inRecord, inJSON} {
		id := map[scope]string{inRecord: "record.", inJSON: "json."}[s]
		level := func(d int) func(*Model) tea.Cmd {
			return asks(func(m *Model) intent.Intent { return m.res.FoldLevel(d) })
		}
		rows = append(rows,
			action{ID: id + "fold", In: s, Keys: []string{"enter", "space"}, Label: "fold", Help: "Fold or unfold the value under the cursor", Footer: 1,
				Disabled: (*Model).noAnswer, Do: func(m *Model) tea.Cmd { m.res.Fold(); return nil }},
			action{ID: id + "foldall", In: s, Keys: []string{"z"}, Label: "fold family", Help: "Fold or unfold the value under the cursor and those right inside it",
				Disabled: (*Model).noAnswer, Do: func(m *Model) tea.Cmd { m.res.FoldAll(); return nil }},
			action{ID: id + "value", In: s, Keys: []string{"i"}, Label: "full value", Help: "Show the whole value under the cursor",
				Disabled: (*Model).noAnswer, Do: (*Model).openCell},
			action{ID: id + "deeper", In: s, Keys: []string{")"}, Label: "one level more", Help: "Unfold one level more everywhere",
				Disabled: (*Model).noAnswer, Do: level(1)},
			action{ID: id + "shallower", In: s, Keys: []string{"("}, Label: "one level less", Help: "Fold to one level less everywhere",
				Disabled: (*Model).noAnswer, Do: level(-1)},
			action{ID: id + "nextsibling", In: s, Keys: []string{"J"}, Label: "next", Help: "Go to the next record or sibling", Footer: 2,
				Disabled: (*Model).noAnswer, Do: func(m *Model) tea.Cmd { m.res.Sibling(1); return nil }},
			action{ID: id + "previoussibling", In: s, Keys: []string{"K"}, Label: "previous", Help: "Go to the record or sibling before",
				Disabled: (*Model).noAnswer, Do: func(m *Model) tea.Cmd { m.res.Sibling(-1); return nil }})
	}
	return rows
}

func rawActions() []action {
	return []action{
		{ID: "pages.open", In: inPages, Keys: []string{"enter"}, Label: "show page", Help: "Show the page under the cursor", Footer: 1,
			Disabled: (*Model).noAnswer, Do: asks(func(m *Model) intent.Intent { return m.res.OpenPage() })},
		{ID: "raw.lines", In: inRaw, Keys: []string{"enter"}, Label: "lines", Help: "Show the bytes line by line, or in pieces of the screen's width", Footer: 1,
			Disabled: (*Model).noAnswer, Do: asks(func(m *Model) intent.Intent { return m.res.ToggleLines() })},
	}
}
