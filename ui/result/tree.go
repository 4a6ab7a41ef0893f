package result

import (
	"fmt"
	"strings"

	"patchbay/client/rawjson"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// tree is a foldable view of a JSON value. Only what is on the screen is read.
type tree struct {
	t      *rawjson.Tree
	root   rawjson.Node
	index  *rawjson.Index
	base   rawjson.Path
	levels int
	// bare leaves the brackets of the outermost value out.
	bare bool
	wrap bool
	// most is how many rows a wrapped text may take, so that all of it is in the window.
	most   int
	scroll pane.Scroll
	// note is what is said of a value to its right, where there is room; may be nil.
	note func(rawjson.Line, rawjson.Path) string
	// drawn are the lines at the rows of the window as it was drawn last.
	drawn []int
	// clicked is set when the last click folded or unfolded something.
	clicked bool
}

// show displays the value n, whose path in the body is base, with its first
// levels open; made is its tree where one was made before.
func (t *tree) show(n rawjson.Node, index *rawjson.Index, base rawjson.Path, levels int, made *rawjson.Tree) {
	*t = tree{root: n, index: index, base: base, levels: levels, bare: t.bare, scroll: pane.Scroll{Height: t.scroll.Height}}
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
	l, ok := t.current()
	if !ok {
		return 0
	}
	from, to := l.Node.Span()
	if l.Kind == rawjson.LineClose {
		return to - 1
	}
	return from
}

// below is the path of the cursor from the root of the tree; path from that of the body.
func (t *tree) below() rawjson.Path {
	if t.t == nil {
		return nil
	}
	return t.t.Path(min(t.scroll.Cursor, t.len()-1) + t.skip())
}

func (t *tree) path() rawjson.Path {
	return append(t.base[:len(t.base):len(t.base)], t.below()...)
}

func (t *tree) goTo(line int) {
	t.scroll.Cursor = min(max(line-t.skip(), 0), max(t.len()-1, 0))
}

// toggle opens or folds the value under the cursor.
func (t *tree) toggle() {
	if t.t != nil {
		t.goTo(t.t.Toggle(t.scroll.Cursor + t.skip()))
	}
}

// family opens or folds the value under the cursor and those right inside it.
func (t *tree) family() {
	if l, ok := t.current(); ok {
		t.goTo(t.t.OpenFamily(t.scroll.Cursor+t.skip(), l.Kind == rawjson.LineFolded))
	}
}

// left folds the value, or goes to its parent; right opens it.
func (t *tree) left() {
	l, ok := t.current()
	switch {
	case !ok:
	case l.Kind == rawjson.LineOpen, l.Kind == rawjson.LineClose:
		t.goTo(t.t.SetOpen(t.scroll.Cursor+t.skip(), false))
	default:
		t.goTo(t.t.Parent(t.scroll.Cursor + t.skip()))
	}
}

func (t *tree) right() {
	if l, ok := t.current(); ok && l.Kind == rawjson.LineFolded {
		t.t.SetOpen(t.scroll.Cursor+t.skip(), true)
	}
}

// sibling goes to the next or previous value of the same parent.
func (t *tree) sibling(d int) {
	if t.t != nil {
		t.goTo(t.t.Sibling(t.scroll.Cursor+t.skip(), d))
	}
}

// reveal opens the way to an offset of the body and puts the cursor there.
func (t *tree) reveal(offset int) {
	if t.t != nil {
		t.goTo(t.t.Reveal(offset))
	}
}

// lines draws the window; the cursor's line is always in it, however many rows wrapped texts take.
func (t *tree) lines(w, h int, s *style.Styles, focused bool, hit func(string) bool) []string {
	if t.t == nil {
		return nil
	}
	if t.index != nil && !t.index.Done() {
		t.t.Grow()
	}
	t.most = max(h-2, 1)
	t.scroll.Fit(t.len(), h)
	from, to := t.scroll.Window(t.len(), h)
	out := make([]string, 0, h)
	t.drawn = t.drawn[:0]
	for i := from; i < to; i++ {
		drawn := t.line(t.at(i), w, s, i == t.scroll.Cursor, focused, hit)
		if i != t.scroll.Cursor {
			drawn[0] = t.noted(drawn[0], i, w, s)
		}
		out = append(out, drawn...)
		for len(t.drawn) < len(out) {
			t.drawn = append(t.drawn, i)
		}
		if over := len(out) - h; i == t.scroll.Cursor && over > 0 {
			out, t.drawn = out[over:], append(t.drawn[:0], t.drawn[over:]...)
		}
		if i >= t.scroll.Cursor && len(out) >= h {
			break
		}
	}
	return out[:min(len(out), h)]
}

func (t *tree) line(l rawjson.Line, w int, s *style.Styles, current, focused bool, hit func(string) bool) []string {
	lead := " "
	if current && focused {
		lead = s.Cursor
	}
	prefix := lead + text.Spaces(min(2*l.Depth, w/2)) + glyph(l, s) + " "
	label := labelOf(l, w, s)
	colon := ": "
	if label == "" {
		colon = ""
	}
	room := max(w-text.Width(prefix)-text.Width(label)-len(colon), 0)
	value := t.value(l, room, s)
	if current {
		st := s.SelectedBlur
		if focused {
			st = s.Selected
		}
		rest := st.Render(text.Spaces(room - text.Width(value)))
		return t.wrapped(st.Render(prefix+label+colon)+linked(l.Node, st.Render(value))+rest, l, room, w, text.Width(prefix), s)
	}
	name := s.JSONKey.Render(label)
	if !l.Name.Exists() {
		name = s.Muted.Render(label)
	}
	drawn := linked(l.Node, colourOf(l, value, s))
	if hit != nil && (hit(label) || (!container(l.Node) && hit(scalarText(l.Node, 4096)))) {
		drawn = s.Match.Render(value)
	}
	return t.wrapped(s.Muted.Render(prefix)+name+s.JSONPunct.Render(colon)+drawn, l, room, w, text.Width(prefix), s)
}

// Notes stand in a column of their own; beside a longer value they follow it.
const (
	noteColumn  = 44
	leastNote   = 20
	leastMargin = 2
)

// noted adds the note of line i to it.
func (t *tree) noted(drawn string, i, w int, s *style.Styles) string {
	if t.note == nil {
		return drawn
	}
	at := max(text.Width(drawn)+leastMargin, noteColumn)
	if w-at < leastNote {
		return drawn
	}
	note := t.note(t.at(i), t.t.Path(i+t.skip()))
	if note == "" {
		return drawn
	}
	return text.Pad(drawn, at) + s.Muted.Render(text.Truncate(note, w-at-1))
}

// labelOf is the name of a line, or its number in an array; nothing on closing lines and at the root.
func labelOf(l rawjson.Line, w int, s *style.Styles) string {
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
		return fmt.Sprint(l.Index)
	}
	return ""
}

// value is what a line says behind its label.
func (t *tree) value(l rawjson.Line, room int, s *style.Styles) string {
	if !l.Node.Exists() {
		return text.Truncate(linesText(t.index), room)
	}
	open, closing := "{", "}"
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

// count tells how many children a value has; of very large ones only where the index knows.
func (t *tree) count(n rawjson.Node) string {
	if t.index != nil && t.index.Shape() == rawjson.List {
		if from, _ := t.index.Bounds(); n.Kind() == rawjson.Array && from == nodeFrom(n) {
			return groupDigits(t.index.Len())
		}
	}
	if n.Size() > 1<<20 {
		return sizeText(n.Size())
	}
	return groupDigits(n.Len())
}

func colourOf(l rawjson.Line, t string, s *style.Styles) string {
	switch l.Node.Kind() {
	case rawjson.String:
		return s.JSONString.Render(t)
	case rawjson.Number:
		return s.JSONNumber.Render(t)
	case rawjson.Bool, rawjson.Null:
		return s.JSONKeyword.Render(t)
	case rawjson.Object, rawjson.Array:
		head, rest, _ := strings.Cut(t, " ")
		if rest == "" {
			return s.JSONPunct.Render(head)
		}
		return s.JSONPunct.Render(head) + s.Muted.Render(" "+rest)
	}
	return s.Error.Render(t)
}

// wrappedBytes is how much of a long text is wrapped for the window.
const wrappedBytes = 16 << 10

// wrapped adds a long text below its line when wrapping is on: all of it, or
// what the window holds and how to see the rest.
func (t *tree) wrapped(first string, l rawjson.Line, room, w, indent int, s *style.Styles) []string {
	if !t.wrap || l.Node.Kind() != rawjson.String {
		return []string{first}
	}
	b, more := l.Node.AppendText(nil, wrappedBytes)
	if full := string(b); !strings.Contains(full, "\n") && text.Width(text.Sanitize(full))+2 <= room {
		return []string{first}
	}
	out := []string{first}
	for _, part := range text.Lines(string(b)) {
		for _, piece := range text.Wrap(part, max(w-indent-2, 8)) {
			out = append(out, text.Spaces(indent+2)+linked(l.Node, s.JSONString.Render(s.Data(piece))))
		}
	}
	if more || len(out) > t.most+1 {
		rest := s.Muted.Render(text.Truncate(text.Ellipsis+" of "+sizeText(l.Node.Size())+"; i on it shows all", max(w-indent-2, 0)))
		out = append(out[:min(len(out), t.most)], text.Spaces(indent+2)+rest)
	}
	return out
}

func glyph(l rawjson.Line, s *style.Styles) string {
	switch {
	case l.Kind == rawjson.LineOpen && s.ASCII:
		return "v"
	case l.Kind == rawjson.LineOpen:
		return "▾"
	case l.Kind == rawjson.LineFolded && s.ASCII:
		return ">"
	case l.Kind == rawjson.LineFolded:
		return "▸"
	}
	return " "
}

func container(n rawjson.Node) bool {
	return n.Kind() == rawjson.Object || n.Kind() == rawjson.Array
}

func nodeFrom(n rawjson.Node) int {
	from, _ := n.Span()
	return from
}

// scalarText is a value in one line, at most limit bytes of it, quotes around strings.
func scalarText(n rawjson.Node, limit int) string {
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
