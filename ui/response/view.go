package response

import (
	"slices"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// view is one way to look at the answer. Views keep their own scrolling; the
// record under the cursor is shared through the pane.
type view interface {
	name() string
	// tab is the name with news: "Pages 3".
	tab(in Input) text.Safe
	// scope is where the keys of the view are looked up.
	scope() string
	// fits reports whether the view has something to show.
	fits(in Input) bool
	// reset is called when another page is shown, enter when the view is.
	reset(in Input)
	enter(in Input)
	// load shows the page unless it is shown already; grown tells of one that may
	// still have grown that it is whole.
	load(in Input)
	grown(in Input)
	// fit tells the view its room; it follows every message while the view is shown.
	fit(in Input, w, h int)
	// lines draws the view in the room of the last fit, and changes nothing.
	lines(in Input, w, h int, s *style.Styles, focused bool) []text.Safe
	// move moves the cursor, wheel the window, which keeps the cursor inside it.
	move(in Input, dx, dy int)
	wheel(in Input, d int)
	// record is the page and the record that the other views show then.
	record(in Input) (cur, row int)
	click(in Input, x, y int, double bool) press
	// where says in the status line where the cursor is.
	where(in Input) text.Safe
	// exports and copies list what can be written and copied here; what is written to
	// a file can be copied too.
	exports(in Input) []Export
	copies(in Input) []CopyOption
}

// Views are the views of those names in the order of their tabs; all of them where
// none is named.
func Views(names ...string) []view {
	all := []view{
		&errorView{base: base{"Error", "error"}},
		&fileView{base: base{"File", "file"}},
		&tableView{base: base{"Table", "table"}},
		&recordView{treeView: treeView{base: base{"Record", "record"}}},
		&jsonView{treeView: treeView{base: base{"JSON", "JSON"}}},
		&rawView{base: base{"Raw", "raw"}},
		&pagesView{base: base{"Pages", "pages"}},
		&schemaView{base: base{"Schema", "schema"}},
		&wireView{base: base{"Wire", "wire"}},
	}
	return slices.DeleteFunc(all, func(v view) bool { return len(names) > 0 && !slices.Contains(names, v.name()) })
}

// press is what a click on a view asks of the pane; nil where that is nothing.
type press func(*Pane) intent.Intent

// base is what a view is called and where its keys are looked up, with the empty
// answers of views that need less.
type base struct {
	title text.Safe
	keys  string
}

func (b base) name() string                    { return string(b.title) }
func (b base) tab(Input) text.Safe             { return b.title }
func (b base) scope() string                   { return b.keys }
func (base) reset(Input)                       {}
func (base) enter(Input)                       {}
func (base) load(Input)                        {}
func (base) grown(Input)                       {}
func (base) record(in Input) (cur, row int)    { return in.cur, in.row }
func (base) click(Input, int, int, bool) press { return nil }
func (base) where(Input) text.Safe             { return "" }
func (base) exports(Input) []Export            { return nil }
func (base) copies(in Input) []CopyOption      { return bodyCopies(in) }

// sheet is lines that a view writes anew each time, of which a window is shown.
type sheet struct {
	scroll input.Scroll
	n      int
}

// keep keeps the window of h lines within n of them.
func (v *sheet) keep(n, h int) {
	v.n, v.scroll.Height = n, h
	v.scroll.Wheel(0, n)
}

// window is what is shown of the lines in h of them.
func (v *sheet) window(lines []text.Safe, h int) []text.Safe {
	from := min(v.scroll.Top, max(len(lines)-1, 0))
	return lines[from:min(from+h, len(lines))]
}

// filled are lines with empty ones behind them, n at least.
func filled(lines []text.Safe, n int) []text.Safe {
	return append(lines, make([]text.Safe, max(n-len(lines), 0))...)
}

// plain are styles for lines that are only counted.
var plain = &style.Styles{}

func (v *sheet) move(_ Input, _, dy int) { v.scroll.Wheel(dy, v.n) }
func (v *sheet) wheel(_ Input, d int)    { v.scroll.Wheel(d, v.n) }
