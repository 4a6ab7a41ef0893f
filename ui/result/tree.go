package result

import (
	"fmt"
	"slices"
	"strings"

	"patchbay/client/rawjson"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// openBudget bounds how many values one key opens.
const openBudget = 20_000

// tree is a foldable view of a JSON value. Only what is on the screen is read.
type tree struct {
	root   *branch
	index  *rawjson.Index
	base   rawjson.Path
	scroll pane.Scroll
	wrap   bool
	folded bool
}

// show displays the value n, whose path in the body is base.
func (t *tree) show(n rawjson.Node, index *rawjson.Index, base rawjson.Path) {
	t.index, t.base = index, base
	t.scroll.Cursor, t.scroll.Top = 0, 0
	t.root, t.folded = nil, false
	if !n.Exists() {
		return
	}
	t.root = newBranch(n, index)
}

// unfold opens the first levels so that something can be read at once.
func (t *tree) unfold(levels, budget int) {
	if t.root != nil {
		t.root.openLevels(levels, budget, t.index)
	}
}

func (t *tree) len() int {
	if t.root == nil {
		return 0
	}
	return max(t.root.lines, 1)
}

// scalarRoot is set when the value has no children to show.
func (t *tree) scalarRoot() bool { return t.root != nil && t.root.lines == 0 }

// current is the row under the cursor.
func (t *tree) current() (row, bool) {
	if t.root == nil {
		return row{}, false
	}
	if t.scalarRoot() {
		return row{value: t.root.node}, true
	}
	return t.root.at(min(t.scroll.Cursor, t.root.lines-1), nil), true
}

// path is the path of the row under the cursor from the root of the body.
func (t *tree) path() rawjson.Path {
	r, ok := t.current()
	if !ok {
		return t.base
	}
	return t.pathOf(r.path)
}

func (t *tree) pathOf(numbers []int) rawjson.Path {
	path := slices.Clone(t.base)
	b := t.root
	for i, at := range numbers {
		name, _ := b.child(at)
		if name.Exists() {
			path = path.With(rawjson.Name(name.Text()))
		} else {
			path = path.With(rawjson.At(at))
		}
		if i < len(numbers)-1 {
			b = b.find(at)
		}
	}
	return path
}

// toggle opens or closes the row under the cursor.
func (t *tree) toggle() {
	r, ok := t.current()
	if !ok || len(r.path) == 0 {
		return
	}
	t.root.set(r.path, !r.open, t.index)
}

// toggleAll closes everything, or opens several levels.
func (t *tree) toggleAll() {
	if t.root == nil {
		return
	}
	r, _ := t.current()
	t.folded = !t.folded
	if t.folded {
		t.root.closeAll()
		if len(r.path) > 0 {
			t.scroll.Cursor = r.path[0]
		}
	} else {
		t.root.openLevels(8, openBudget, t.index)
	}
}

// left closes the row, or goes to its parent; right opens it.
func (t *tree) left() {
	r, ok := t.current()
	switch {
	case !ok || len(r.path) == 0:
	case r.open:
		t.root.set(r.path, false, t.index)
	case len(r.path) > 1:
		if line, ok := t.root.lineOf(r.path[:len(r.path)-1]); ok {
			t.scroll.Cursor = line
		}
	}
}

func (t *tree) right() {
	if r, ok := t.current(); ok && len(r.path) > 0 && !r.open {
		t.root.set(r.path, true, t.index)
	}
}

// sibling goes to the next or previous value of the same parent.
func (t *tree) sibling(d int) {
	r, ok := t.current()
	if !ok || len(r.path) == 0 {
		return
	}
	b := t.root
	for _, at := range r.path[:len(r.path)-1] {
		b = b.find(at)
	}
	next := slices.Clone(r.path)
	next[len(next)-1] = min(max(next[len(next)-1]+d, 0), b.count()-1)
	if line, ok := t.root.lineOf(next); ok {
		t.scroll.Cursor = line
	}
}

// reveal opens the way to a path of the body and puts the cursor there.
func (t *tree) reveal(p rawjson.Path) {
	if t.root == nil || len(p) < len(t.base) {
		return
	}
	b := t.root
	var numbers []int
	for _, s := range p[len(t.base):] {
		at, ok := b.number(s)
		if !ok {
			break
		}
		if len(numbers) > 0 {
			t.root.set(numbers, true, t.index)
		}
		numbers = append(numbers, at)
		t.root.set(numbers, true, t.index)
		if b = b.find(at); b == nil {
			break
		}
	}
	if line, ok := t.root.lineOf(numbers); ok {
		t.scroll.Cursor = line
	}
}

// number is the child that a step leads to.
func (b *branch) number(s rawjson.Step) (int, bool) {
	if s.IsIndex() {
		return s.Index, s.Index < b.count()
	}
	for i := range b.count() {
		if name, _ := b.child(i); name.Exists() && name.Text() == s.Name {
			return i, true
		}
	}
	return 0, false
}

// lines draws the window.
func (t *tree) lines(w, h int, s *style.Styles, focused bool, hit func(string) bool) []string {
	if t.root == nil {
		return nil
	}
	t.scroll.Height = h
	if t.scalarRoot() {
		return []string{" " + valueText(t.root.node, w-1, s)}
	}
	from, to := t.scroll.Window(t.root.lines, h)
	out := make([]string, 0, h)
	for i := from; i < to && len(out) < h; i++ {
		out = append(out, t.line(t.root.at(i, nil), w, s, i == t.scroll.Cursor, focused, hit)...)
	}
	return out[:min(len(out), h)]
}

func (t *tree) line(r row, w int, s *style.Styles, current, focused bool, hit func(string) bool) []string {
	lead := " "
	if current && focused {
		lead = s.Cursor
	}
	prefix := lead + text.Spaces(2*r.depth) + r.glyph(s) + " "
	label := ""
	if r.name.Exists() {
		label = text.Sanitize(r.name.Text())
	} else if r.inArr {
		label = fmt.Sprint(r.index)
	}
	label = text.Truncate(label, max(w/2, 8))
	room := w - text.Width(prefix) - text.Width(label) - 2
	marked := hit != nil && (hit(label) || (!container(r.value) && hit(scalarText(r.value, 4096))))
	if current {
		st := s.SelectedBlur
		if focused {
			st = s.Selected
		}
		return t.wrapped(st.Render(text.Pad(prefix+label+": "+plainValue(r.value, room, r.open), w)), r, w, len(prefix), s)
	}
	name := s.JSONKey.Render(label)
	if r.inArr {
		name = s.Muted.Render(label)
	}
	value := valueTextOpen(r.value, room, r.open, s)
	if marked {
		value = s.Match.Render(plainValue(r.value, room, r.open))
	}
	return t.wrapped(s.Muted.Render(prefix)+name+s.JSONPunct.Render(": ")+value, r, w, len(prefix), s)
}

// wrapped adds the rest of a long text below its line when wrapping is on.
func (t *tree) wrapped(first string, r row, w, indent int, s *style.Styles) []string {
	if !t.wrap || r.value.Kind() != rawjson.String {
		return []string{first}
	}
	full := scalarText(r.value, 16<<10)
	if text.Width(full) < w-indent-10 {
		return []string{first}
	}
	out := []string{first}
	for _, l := range text.Wrap(full, max(w-indent-2, 8)) {
		out = append(out, text.Spaces(indent+2)+s.JSONString.Render(l))
	}
	return out
}

func (r row) glyph(s *style.Styles) string {
	switch {
	case !container(r.value):
		return " "
	case r.open && s.ASCII:
		return "v"
	case r.open:
		return "▾"
	case s.ASCII:
		return ">"
	}
	return "▸"
}

// scalarText is a value in one line, at most limit bytes of it, quotes around strings.
func scalarText(n rawjson.Node, limit int) string {
	raw := n.AppendRaw(nil, limit)
	if n.Kind() == rawjson.String {
		b, more := n.AppendText(nil, limit)
		t := `"` + text.Sanitize(string(b))
		if more {
			return t + text.Ellipsis
		}
		return t + `"`
	}
	return text.Sanitize(string(raw))
}

func plainValue(n rawjson.Node, w int, open bool) string {
	switch n.Kind() {
	case rawjson.Object, rawjson.Array:
		return containerText(n, w, open)
	}
	return text.Truncate(scalarText(n, 4*max(w, 1)+8), w)
}

// containerText tells the size of an object or array and, when closed, how it starts.
func containerText(n rawjson.Node, w int, open bool) string {
	count, known := shortLen(n)
	size := fmt.Sprint(count)
	if !known {
		size = "many"
	}
	head := "{" + size + "}"
	if n.Kind() == rawjson.Array {
		head = "[" + size + "]"
	}
	if open || count == 0 {
		return text.Truncate(head, w)
	}
	room := w - text.Width(head) - 1
	if room < 8 {
		return text.Truncate(head, w)
	}
	b, _ := n.AppendCompact(nil, 4*room)
	return head + " " + text.Truncate(text.Sanitize(string(b)), room)
}

// shortLen counts children, but gives up in very large values.
func shortLen(n rawjson.Node) (int, bool) {
	if n.Size() > 1<<20 {
		return 1, false
	}
	return n.Len(), true
}

func valueText(n rawjson.Node, w int, s *style.Styles) string { return valueTextOpen(n, w, false, s) }

func valueTextOpen(n rawjson.Node, w int, open bool, s *style.Styles) string {
	t := plainValue(n, w, open)
	switch n.Kind() {
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
		return s.JSONPunct.Render(head) + " " + s.Muted.Render(rest)
	}
	return s.Error.Render(t)
}
