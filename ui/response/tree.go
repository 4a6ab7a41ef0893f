package response

import (
	"strings"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/ui/input"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// tree is a foldable view of a JSON value. Only what is on the screen is read. Before a
// value is shown it has no lines, and no cursor that could be moved into one.
type tree struct {
	t      *rawjson.Tree
	root   rawjson.Node
	index  *rawjson.Index
	base   rawjson.Path
	levels int
	// bare leaves the brackets of the outermost value out.
	bare bool
	wrap bool
	// width and height are the room of the window, window the lines in it.
	width, height int
	window        []rawjson.Line
	scroll        input.Scroll
	// note is what is said of a value to its right, where there is room; may be nil.
	note func(rawjson.Line, rawjson.Path) string
	// unfolded are the long texts that are shown whole, by where they lie in the body.
	unfolded map[int]bool
	// clicked is set when the last click folded or unfolded something.
	clicked bool
}

// show displays the value n, whose path in the body is base, with its first
// levels open; made is its tree where one was made before.
func (t *tree) show(n rawjson.Node, index *rawjson.Index, base rawjson.Path, levels int, made *rawjson.Tree) {
	*t = tree{root: n, index: index, base: base, levels: levels, bare: t.bare,
		width: t.width, height: t.height, scroll: input.Scroll{Height: t.scroll.Height}}
	if t.t = made; made == nil {
		t.t = rawjson.NewTree(n, index, levels)
	}
}

// skip is how many lines at the start and at the end are left out.
func (t *tree) skip() int {
	if t.bare && t.t.Len() > 2 {
		return 1
	}
	return 0
}

func (t *tree) len() int {
	if t.t == nil {
		return 0
	}
	return t.t.Len() - 2*t.skip()
}

// at returns line i as it is shown.
func (t *tree) at(i int) rawjson.Line {
	l := t.t.Line(i + t.skip())
	l.Depth -= t.skip()
	return l
}

// current is the line under the cursor.
func (t *tree) current() (rawjson.Line, bool) {
	if t.t == nil {
		return rawjson.Line{}, false
	}
	return t.at(min(t.scroll.Cursor, t.len()-1)), true
}

// offset is where the value under the cursor lies in the body.
func (t *tree) offset() int {
	l, _ := t.current()
	return lineStart(l)
}

// lineStart is where a line begins in the body.
func lineStart(l rawjson.Line) int {
	from, to := l.Node.Span()
	if l.Kind == rawjson.LineClose {
		return to - 1
	}
	return from
}

// below is the path of the cursor from the root of the tree; path from that of the body.
func (t *tree) below() rawjson.Path {
	return t.t.Path(min(t.scroll.Cursor, t.len()-1) + t.skip())
}

func (t *tree) path() rawjson.Path {
	return append(t.base[:len(t.base):len(t.base)], t.below()...)
}

func (t *tree) goTo(line int) {
	t.scroll.Cursor = min(max(line-t.skip(), 0), max(t.len()-1, 0))
}

// toggle opens or folds the value under the cursor: a long text by itself, any other that
// holds none with what it stands in.
func (t *tree) toggle() {
	if !t.toggleText() {
		t.goTo(t.t.Toggle(t.scroll.Cursor + t.skip()))
	}
}

// family opens or folds the value under the cursor and those right inside it.
func (t *tree) family() {
	l, _ := t.current()
	t.goTo(t.t.OpenFamily(t.scroll.Cursor+t.skip(), l.Kind == rawjson.LineFolded))
}

// move moves the cursor; to the left it folds the value or goes to its parent, to the
// right it opens the value.
func (t *tree) move(dx, dy int) {
	t.scroll.Move(dy, t.len())
	l, ok := t.current()
	if !ok || dx == 0 {
		return
	}
	switch at := t.scroll.Cursor + t.skip(); {
	case dx > 0 && l.Kind == rawjson.LineFolded:
		t.t.SetOpen(at, true)
	case dx > 0:
	case l.Kind == rawjson.LineOpen, l.Kind == rawjson.LineClose:
		t.goTo(t.t.SetOpen(at, false))
	default:
		t.goTo(t.t.Parent(at))
	}
}

// sibling goes to the next or previous value of the same parent.
func (t *tree) sibling(d int) { t.goTo(t.t.Sibling(t.scroll.Cursor+t.skip(), d)) }

// reveal opens the way to an offset of the body and puts the cursor there.
func (t *tree) reveal(offset int) { t.goTo(t.t.Reveal(offset)) }

// fit places a window of w x h cells.
func (t *tree) fit(w, h int) {
	t.width, t.height = w, h
	if t.t == nil {
		return
	}
	if t.index != nil && !t.index.Done() {
		t.t.Grow()
	}
	t.scroll.Fit(t.len(), h)
	t.window = t.window[:0]
	for i, to := t.scroll.Window(t.len(), h); i < to; i++ {
		t.window = append(t.window, t.at(i))
	}
}

// lines draws the window, and says which line of the tree each of its rows is of; the
// cursor's line is always in it, however many rows wrapped texts take.
func (t *tree) lines(s *style.Styles, focused bool, find finder) (out []text.Safe, of []int) {
	w, h := t.width, t.height
	for n, l := range t.window {
		i := t.scroll.Top + n
		drawn := t.line(l, w, s, i == t.scroll.Cursor, focused, find)
		if i != t.scroll.Cursor {
			drawn[0] = t.noted(drawn[0], l, i, w, s)
		}
		out = append(out, drawn...)
		for len(of) < len(out) {
			of = append(of, i)
		}
		if over := len(out) - h; i == t.scroll.Cursor && over > 0 {
			out, of = out[over:], of[over:]
		}
		if i >= t.scroll.Cursor && len(out) >= h {
			break
		}
	}
	n := min(len(out), max(h, 0))
	return out[:n], of[:n]
}

func (t *tree) line(l rawjson.Line, w int, s *style.Styles, current, focused bool,
	find finder) []text.Safe {
	lead := text.Safe(" ")
	if current && focused {
		lead = s.Cursor
	}
	prefix := lead + text.Spaces(min(2*l.Depth, w/2)) + glyphs[s.ASCII][l.Kind] + " "
	label := labelOf(l, w, s)
	var colon text.Safe
	if label != "" {
		colon = ": "
	}
	room := t.room(l, label)
	value := t.value(l, room, s)
	found := find.text != "" && (find.matches(label) ||
		!container(l.Node) && find.matches(scalarText(l.Node, 4096)))
	long := t.longText(l, room, focused, found, s)
	if len(long) > 0 {
		value, long = long[0], long[1:]
	}
	hanging := text.Spaces(w - room)
	for i := range long {
		long[i] = hanging + long[i]
	}
	if current {
		st := s.SelectedBlur
		if focused {
			st = s.Selected
		}
		rest := st.Render(text.Spaces(room - text.Width(value)))
		return append([]text.Safe{st.Render(prefix+label+colon) + linked(l.Node, st.Render(value)) + rest}, long...)
	}
	name := s.JSONKey.Render(label)
	if !l.Name.Exists() {
		name = s.Muted.Render(label)
	}
	drawn := linked(l.Node, colourOf(l, value, s))
	if found {
		drawn = s.Match.Render(value)
	}
	return append([]text.Safe{s.Muted.Render(prefix) + name + s.JSONPunct.Render(colon) + drawn}, long...)
}

// room is how many cells a line has for its value, behind its label.
func (t *tree) room(l rawjson.Line, label text.Safe) int {
	n := t.width - min(2*l.Depth, t.width/2) - 3 - text.Width(label)
	if label != "" {
		n -= 2
	}
	return max(n, 0)
}

// glyphs stand before a line by its kind, in ASCII or not.
var glyphs = map[bool][4]text.Safe{
	false: {rawjson.LineFolded: "▸", rawjson.LineOpen: "▾", rawjson.LineValue: " ", rawjson.LineClose: " "},
	true:  {rawjson.LineFolded: ">", rawjson.LineOpen: "v", rawjson.LineValue: " ", rawjson.LineClose: " "},
}

// Notes stand in a column of their own; beside a longer value they follow it.
const (
	noteColumn  = 44
	leastNote   = 20
	leastMargin = 2
)

// noted adds the note of line i, which is l, to it.
func (t *tree) noted(drawn text.Safe, l rawjson.Line, i, w int, s *style.Styles) text.Safe {
	if t.note == nil {
		return drawn
	}
	at := max(text.Width(drawn)+leastMargin, noteColumn)
	if w-at < leastNote {
		return drawn
	}
	note := t.note(l, t.t.Path(i+t.skip()))
	if note == "" {
		return drawn
	}
	return text.Pad(drawn, at) + s.Muted.Render(text.Truncate(text.Sanitize(note), w-at-1))
}

// labelOf is the name of a line, or its number in an array; nothing on closing lines and at the root.
func labelOf(l rawjson.Line, w int, s *style.Styles) text.Safe {
	switch {
	case l.Kind == rawjson.LineClose:
		return ""
	case l.Name.Exists():
		b, more := l.Name.AppendText(nil, 4*w+8)
		t := s.Data(text.Sanitize(string(b)))
		if more {
			t += text.Ellipsis
		}
		if t == "" {
			return `""` // a member of that name is no element of an array
		}
		return text.Truncate(t, max(w/2, 8))
	case l.Depth > 0 || l.Index > 0:
		return text.Sprintf("%d", l.Index)
	}
	return ""
}

// value is what a line says behind its label.
func (t *tree) value(l rawjson.Line, room int, s *style.Styles) text.Safe {
	switch {
	case l.Node.Exists():
	case t.index == nil || l.Name.Exists(): // the text ends before the value of a member
		return text.Truncate(cutMark, room)
	default:
		return text.Truncate(text.Sanitize(answer.LinesText(t.index)), room)
	}
	var open, closing text.Safe = "{", "}"
	if l.Node.Kind() == rawjson.Array {
		open, closing = "[", "]"
	}
	switch l.Kind {
	case rawjson.LineClose:
		return text.Truncate(closing, room)
	case rawjson.LineOpen:
		return text.Truncate(open+"  "+t.count(l.Node), room)
	case rawjson.LineFolded:
		head := open + text.Ellipsis + closing + "  " + t.count(l.Node)
		if rest := room - text.Width(head) - 2; rest >= 8 {
			b, _ := l.Node.AppendCompact(nil, 4*rest)
			head += "  " + text.Truncate(s.Data(text.Sanitize(string(b))), rest)
		}
		return text.Truncate(head, room)
	}
	return text.Truncate(s.Data(scalarText(l.Node, 4*max(room, 1)+8)), room)
}

// count says how many children a value has; of very large ones only where the index knows.
func (t *tree) count(n rawjson.Node) text.Safe {
	if t.index != nil && t.index.Shape() == rawjson.List {
		if from, _ := t.index.Bounds(); n.Kind() == rawjson.Array && from == nodeFrom(n) {
			return text.Digits(t.index.Len())
		}
	}
	if n.Size() > 1<<20 {
		return text.Size(int64(n.Size()))
	}
	return text.Digits(n.Len())
}

func colourOf(l rawjson.Line, t text.Safe, s *style.Styles) text.Safe {
	switch l.Node.Kind() {
	case rawjson.String:
		return s.JSONString.Render(t)
	case rawjson.Number:
		return s.JSONNumber.Render(t)
	case rawjson.Bool, rawjson.Null:
		return s.JSONKeyword.Render(t)
	case rawjson.Object, rawjson.Array:
		head, _, _ := strings.Cut(string(t), " ")
		return s.JSONPunct.Render(t[:len(head)]) + s.Muted.Render(t[len(head):])
	}
	return s.Error.Render(t)
}

// linked makes drawn text clickable when the value n is a web address.
func linked(n rawjson.Node, drawn text.Safe) text.Safe {
	if n.Kind() != rawjson.String || n.Size() > text.LinkMax+2 {
		return drawn
	}
	return text.Link(drawn, n.Text())
}

func container(n rawjson.Node) bool {
	return n.Kind() == rawjson.Object || n.Kind() == rawjson.Array
}

func nodeFrom(n rawjson.Node) int {
	from, _ := n.Span()
	return from
}

// scalarText is a value in one line, at most limit bytes of it, quotes around strings.
func scalarText(n rawjson.Node, limit int) text.Safe {
	if n.Kind() != rawjson.String {
		return text.Sanitize(string(n.AppendRaw(nil, limit)))
	}
	b, more := n.AppendText(nil, limit)
	t := `"` + text.Sanitize(string(b))
	if more {
		return t + text.Ellipsis
	}
	return t + `"`
}

// treeView is a view that shows a value of the body as a tree.
type treeView struct {
	base
	tree tree
	page *answer.Page
}

func (v *treeView) trunk() *tree             { return &v.tree }
func (v *treeView) reset(Input)              { v.page = nil }
func (v *treeView) move(_ Input, dx, dy int) { v.tree.move(dx, dy) }
func (v *treeView) wheel(_ Input, d int)     { v.tree.scroll.Wheel(d, v.tree.len()) }
func (v *treeView) offset(Input) int         { return v.tree.offset() }
func (v *treeView) goTo(_ Input, offset int) { v.tree.reveal(offset) }
func (v *treeView) place() int               { return v.tree.scroll.Cursor }

// click puts the cursor on a line. The mark of a value that folds works at once, else
// it takes a second click.
func (v *treeView) click(_ Input, x, y int, double bool) press {
	t := &v.tree
	before := t.scroll.Cursor
	if t.t == nil || !t.point(y) {
		return nil
	}
	l, _ := t.current()
	onMark := x >= 2*l.Depth && x <= 2*l.Depth+2
	if !double {
		t.clicked = onMark || before == t.scroll.Cursor
	}
	if double != t.clicked { // the first click of two may have done it
		t.toggle()
	}
	return nil
}

func (v *treeView) copies(in Input) []CopyOption {
	l, ok := v.tree.current()
	if !ok {
		return recordCopies(in)
	}
	path := v.tree.path()
	return append([]CopyOption{
		{Title: "Value", What: "value", Text: laidOut(l.Node)},
		fixed("Path  "+path.Dotted(), "path", path.Dotted()),
		fixed("Path as brackets", "path", path.Brackets()),
		fixed("Path for jq", "jq path", path.JQ()),
		fixed("JSON Pointer", "JSON Pointer", path.Pointer()),
	}, recordCopies(in)...)
}
