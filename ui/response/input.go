package response

import (
	"fmt"
	"slices"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/client/wirelog"
)

// Input is what a view reads: what came, where the cursor is and what a person
// set. A view is given a copy of it and changes nothing that others see.
type Input struct {
	kind   *catalog.Kind
	entity *catalog.Entity
	action *catalog.Action

	pages []*answer.Page
	cur   int
	// shelf keeps the bodies of pages that come behind the first one.
	shelf *answer.Shelf
	// row is the record under the cursor, shared by the views.
	row int
	// line of lines is where a table that filters or sorts shows that record; lines
	// is 0 where none does.
	line, lines int
	// counted is set where the pane says elsewhere how many rows pass the filter.
	counted bool
	// doc is the document that is explored; nil without one.
	doc *answer.Page
	// together shows the pages of the run as one table.
	together bool
	// stopped says why the fetching of pages ended too early; empty where it did not.
	stopped string
	// ledger holds the pages of the run that begins with first.
	ledger *answer.Run
	first  *answer.Page

	// wrap shows long lines in full where they are cut otherwise, cut the
	// other way round in the record view.
	wrap, cut bool
	find      finder
	layouts   Layouts
	wirelog   wirelog.Options
	width     int
}

// Current is the record under the cursor and its place on the page.
func (in Input) Current() (rec rawjson.Node, row int, ok bool) {
	if in.row < 0 || in.row >= in.Page().Len() {
		return rawjson.Node{}, 0, false
	}
	return in.Page().Record(in.row), in.row, true
}

// inLedger reports whether the ledger is of the pages shown.
func (in Input) inLedger() bool { return in.ledger != nil && in.first == in.First() }

func (in Input) ledgerPage(i int) *answer.Entry {
	if in.inLedger() && i < in.ledger.Len() {
		return &in.ledger.Pages()[i]
	}
	return nil
}

func (in Input) verdicts() []answer.Verdict {
	if !in.inLedger() {
		return nil
	}
	return in.ledger.Verdicts()
}

// PageCount is the number of pages kept.
func (in Input) PageCount() int { return len(in.pages) }

// Page is the page shown, First the first page of the run, Last the last one; nil when
// there is none.
func (in Input) Page() *answer.Page { return in.at(in.cur) }

// First is the first page of the run.
func (in Input) First() *answer.Page { return in.at(0) }

// Last is the last page of the run.
func (in Input) Last() *answer.Page { return in.at(len(in.pages) - 1) }

func (in Input) at(i int) *answer.Page {
	if i < 0 || i >= len(in.pages) {
		return nil
	}
	return in.pages[i]
}

// parts are the pages of the run that hold records.
func (in Input) parts() []*answer.Page {
	return slices.DeleteFunc(slices.Clone(in.pages), func(p *answer.Page) bool { return p.Index == nil })
}

// markCount is how many rows are marked on all pages.
func (in Input) markCount() int {
	n := 0
	for _, page := range in.pages {
		n += page.Marks.Len()
	}
	return n
}

// markedRows are the marked rows of all pages, as rows of one set.
func (in Input) markedRows() (*records.Set, []int32) {
	set := answer.SetOf(in.pages)
	rows := make([]int32, 0, in.markCount())
	for i, page := range in.parts() {
		_, from, _ := set.Page(i)
		for _, record := range page.Marks.Rows() {
			rows = append(rows, int32(from)+record)
		}
	}
	return set, rows
}

// rowNumber says which row of the run a row of the loaded set is.
func (in Input) rowNumber(set *records.Set, row int) string {
	if len(in.pages) > 1 && !in.together {
		if page, record := set.PageOf(row); page >= 0 {
			return fmt.Sprintf("%s of page %d", quantity.Digits(record+1), slices.Index(in.pages, in.parts()[page])+1)
		}
	}
	return quantity.Digits(row + 1)
}

// PageNumber is the number of the page shown, from 1.
func (in Input) PageNumber() int { return in.cur + 1 }

// HasAnswer reports whether there is anything to read.
func (in Input) HasAnswer() bool { return in.Page() != nil }

// HasRecords reports whether the page holds records.
func (in Input) HasRecords() bool { return in.Page().Len() > 0 }

func (in Input) remembered() (Layout, bool) {
	if in.layouts.Recall == nil || !in.ofEntity() {
		return Layout{}, false
	}
	return in.layouts.Recall(in.Page().Kind.Name, in.Page().Entity.Name)
}

// ofEntity reports whether the page shown holds records of an entity; the result
// of a query does not.
func (in Input) ofEntity() bool {
	page := in.Page()
	return page != nil && page.Kind != nil && page.Entity != nil
}

// columnsOf are the columns of pages before and of some behind them, in the order of the
// first page that has them.
func columnsOf(before []records.Column, behind []*answer.Page) []records.Column {
	all := slices.Clone(before)
	at := map[string]int{}
	for i, c := range all {
		at[c.Name] = i
	}
	for _, page := range behind {
		if page.Index == nil { // it holds no records
			continue
		}
		for _, c := range page.Columns {
			i, known := at[c.Name]
			if !known {
				at[c.Name] = len(all)
				all = append(all, c)
				continue
			}
			all[i].Seen += c.Seen
			all[i].Nulls += c.Nulls
			all[i].Holds |= c.Holds
		}
	}
	return all
}

// IsDocument reports whether a file or a stream is shown.
func (in Input) IsDocument() bool { return in.Page() != nil && in.Page() == in.doc }

// TakenAs is what the records of the document are taken for.
func (in Input) TakenAs() answer.Question {
	return answer.Question{Kind: in.kind, Entity: in.entity, Action: in.action}
}
