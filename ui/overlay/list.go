package overlay

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Item is one row of a List. All texts are safe to draw.
type Item struct {
	// Title is searched and marked; Note stands right of it; Key is shown at the right edge.
	Title, Note, Key string
	// Detail is shown below the list while the cursor is on the item.
	Detail string
	// Disabled says why the item cannot be chosen; empty when it can.
	Disabled string
	// Value is what choosing answers; Marks are matched rune positions in Title.
	Value any
	Marks []int
	// Also is searched and not shown: other words for the same.
	Also string
	// Group starts a new group when it differs from the item above; drawn as a heading when nothing is typed.
	Group string
}

// List is a searchable list to choose from.
type List struct {
	Heading string
	// Help is shown in the lower edge; a default is used when empty.
	Help string
	// Prompt stands in the empty search field.
	Prompt string
	// Source returns the items for what is typed. Use Static for a fixed list.
	Source func(query string) []Item
	// Choose is called with the chosen item; it returns what to do. The list closes unless Keep is set.
	Choose func(Item) intent.Intent
	// Moved is called when the cursor comes to another item, for live previews.
	Moved func(Item) intent.Intent
	// Cancel is performed when the list closes without a choice.
	Cancel intent.Intent
	Keep   bool
	// Careful makes the first click on an item only select it.
	Careful bool
	// Wide asks for the full width.
	Wide bool
	// Terse leaves the reasons of disabled items out until something is typed.
	Terse bool
	// Through leaves the screen behind as it is, since it shows what a choice does.
	Through bool
	// Empty is shown when nothing matches.
	Empty string
	// Keys are further keys and what they ask; Help names them. Letters are typed.
	Keys map[string]intent.Intent
	// Free offers the typed text itself as a value.
	Free func(query string) intent.Intent

	field  *input.Field
	items  []Item
	scroll pane.Scroll
	last   string
	ready  bool
	small  bool // the screen has few rows
	room   int  // lines of items at the last drawing
}

// Select puts the cursor on the first item for which f holds.
func (l *List) Select(f func(Item) bool) *List {
	l.refresh()
	for i, it := range l.items {
		if f(it) {
			l.scroll.Cursor = i
			break
		}
	}
	return l
}

// Query is what is typed.
func (l *List) Query() string {
	if l.field == nil {
		return ""
	}
	return l.field.Value()
}

// SetQuery fills the search field.
func (l *List) SetQuery(q string) *List {
	l.refresh()
	l.field.Set(q)
	l.refresh()
	return l
}

// Refresh asks the source again, after its data changed.
func (l *List) Refresh() {
	l.ready = false
	l.refresh()
}

func (l *List) refresh() {
	if l.field == nil {
		l.field = input.New("")
		l.field.Placeholder = cmp.Or(l.Prompt, "type to search")
	}
	if l.ready && l.field.Value() == l.last {
		return
	}
	if l.ready {
		l.scroll = pane.Scroll{Height: l.scroll.Height}
	}
	l.ready, l.last = true, l.field.Value()
	l.items = l.Source(l.last)
	l.scroll.Move(0, len(l.items))
	if l.scroll.Cursor == 0 {
		l.scroll.Cursor = max(slices.IndexFunc(l.items, func(it Item) bool { return it.Disabled == "" }), 0)
	}
}

// Title implements Overlay.
func (l *List) Title() string { return l.Heading }

// Facts implements Overlay.
func (l *List) Facts() string {
	l.refresh()
	if len(l.items) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d", l.scroll.Cursor+1, len(l.items))
}

// Hints implements Overlay.
func (l *List) Hints() string {
	if l.Help != "" {
		return l.Help
	}
	return "↑↓ moves · enter chooses · esc closes"
}

// Want implements Overlay.
func (l *List) Want(w, h int) (int, int) {
	l.refresh()
	l.small = h < smallScreen
	want := 64
	if l.Wide {
		want = 110
	}
	rows := 2 + len(l.items) + l.groups()
	if l.Source != nil && l.last != "" {
		rows = max(rows, l.scroll.Height+2)
	}
	for _, it := range l.items {
		if it.Detail != "" || it.Disabled != "" {
			rows += l.detailRows()
			break
		}
	}
	return min(want, w), min(max(rows, 8), h*3/4)
}

// SeeThrough tells that the screen behind is part of what is chosen.
func (l *List) SeeThrough() bool { return l.Through }

func (l *List) groups() int {
	n, last := 0, ""
	for _, it := range l.items {
		if it.Group != "" && it.Group != last {
			n++
		}
		last = it.Group
	}
	return n
}

// Key implements Overlay.
func (l *List) Key(msg tea.KeyPressMsg) intent.Intent {
	l.refresh()
	if in, ok := l.Keys[msg.String()]; ok {
		return in
	}
	before := l.scroll.Cursor
	switch msg.String() {
	case "esc", "ctrl+g":
		return intent.All{intent.Close{}, l.Cancel}
	case "enter":
		return l.choose()
	case "up", "ctrl+p", "shift+tab":
		l.scroll.Move(-1, len(l.items))
	case "down", "ctrl+n", "tab":
		l.scroll.Move(1, len(l.items))
	case "pgup":
		l.scroll.Page(-1, len(l.items))
	case "pgdown":
		l.scroll.Page(1, len(l.items))
	case "ctrl+home":
		l.scroll.Move(-len(l.items), len(l.items))
	case "ctrl+end":
		l.scroll.Move(len(l.items), len(l.items))
	default:
		if l.field.Key(msg) {
			l.refresh()
			before = -1
		}
	}
	return l.moved(before)
}

func (l *List) moved(before int) intent.Intent {
	if l.Moved == nil || before == l.scroll.Cursor || l.scroll.Cursor >= len(l.items) {
		return nil
	}
	return l.Moved(l.items[l.scroll.Cursor])
}

func (l *List) choose() intent.Intent {
	if l.scroll.Cursor >= len(l.items) {
		if l.Free != nil && l.Query() != "" {
			return intent.All{intent.Close{}, l.Free(l.Query())}
		}
		return nil
	}
	it := l.items[l.scroll.Cursor]
	if it.Disabled != "" {
		return intent.Say{Text: it.Disabled, Bad: true}
	}
	if l.Keep {
		return l.Choose(it)
	}
	return intent.All{intent.Close{}, l.Choose(it)}
}

// Paste implements Overlay.
func (l *List) Paste(s string) intent.Intent {
	l.refresh()
	l.field.Paste(s)
	l.refresh()
	return nil
}

// Wheel implements Overlay.
func (l *List) Wheel(d int) intent.Intent {
	before := l.scroll.Cursor
	l.scroll.Move(d, len(l.items))
	return l.moved(before)
}

// TextField is the field that is typed into.
func (l *List) TextField() *input.Field { return l.field }

// Click implements Overlay: it chooses, where moving shows nothing by itself;
// else it takes a second click.
func (l *List) Click(_, y int, double bool) intent.Intent {
	i, row := l.scroll.Top, 2
	for ; i < len(l.items); i++ {
		if l.heading(i) {
			row++
		}
		if row == y {
			break
		}
		row++
	}
	if i >= len(l.items) || y < 2 || y >= 2+l.room {
		return nil
	}
	again := l.scroll.Cursor == i
	before := l.scroll.Cursor
	l.scroll.Cursor = i
	if again || double || l.Moved == nil && !l.Careful {
		return l.choose()
	}
	return l.moved(before)
}

func (l *List) heading(i int) bool {
	g := l.items[i].Group
	return g != "" && (i == 0 || l.items[i-1].Group != g)
}

// Draw implements Overlay.
func (l *List) Draw(w, h int, s *style.Styles) ([]string, *image.Point) {
	l.refresh()
	fieldLine, x := l.field.Draw(w-2, s)
	lines := []string{s.Key.Render("/ ") + fieldLine, ""}
	detail := l.detail(w, s)
	room := max(h-2-len(detail), 1)
	l.room = room
	if len(l.items) == 0 {
		empty := l.Empty
		if empty == "" {
			empty = "Nothing matches. Fewer letters find more."
		}
		for _, t := range text.Wrap(empty, w) {
			lines = append(lines, s.Muted.Render(t))
		}
		return lines, &image.Point{X: 2 + x}
	}
	var rows int
	for range 2 { // a heading that the first pass scrolls away leaves room for a row more
		rows = l.rowsIn(room)
		l.scroll.Fit(len(l.items), rows)
	}
	from, to := l.scroll.Window(len(l.items), rows)
	at := l.noteAt(w)
	for i := from; i < to && len(lines) < 2+room; i++ {
		if l.heading(i) {
			lines = append(lines, s.Header.Render(l.items[i].Group))
		}
		lines = append(lines, l.line(l.items[i], w, at, s, i == l.scroll.Cursor))
	}
	for len(lines) < h-len(detail) {
		lines = append(lines, "")
	}
	return append(lines, detail...), &image.Point{X: 2 + x}
}

// rowsIn is how many items fit into room lines together with the headings
// among them.
func (l *List) rowsIn(room int) int {
	for rows := room; rows > 1; rows-- {
		from, to := l.scroll.Window(len(l.items), rows)
		used := to - from
		for i := from; i < to; i++ {
			if l.heading(i) {
				used++
			}
		}
		if used <= room {
			return rows
		}
	}
	return 1
}

// smallScreen is the height below which the rows of a list matter more than
// what is told of one.
const smallScreen = 18

// detailRows is how many lines are kept for what is told of an item.
func (l *List) detailRows() int {
	if l.small {
		return 1
	}
	return 3
}

// detail are the lines below the list; their number does not depend on the
// item under the cursor, so nothing jumps.
func (l *List) detail(w int, s *style.Styles) []string {
	any := false
	for _, it := range l.items {
		any = any || it.Detail != "" || it.Disabled != ""
	}
	if !any || l.scroll.Cursor >= len(l.items) {
		return nil
	}
	it := l.items[l.scroll.Cursor]
	st, t := s.Muted, it.Detail
	if it.Disabled != "" {
		st, t = s.Warning, "Not now: "+it.Disabled
	}
	if l.small {
		return []string{st.Render(text.Truncate(t, w))}
	}
	out := []string{"", "", ""}
	for i, line := range text.Wrap(t, w) {
		if i < 2 {
			out[1+i] = st.Render(line)
		}
	}
	return out
}

func (l *List) line(it Item, w, noteAt int, s *style.Styles, current bool) string {
	mark := "  "
	if current {
		mark = s.Cursor + " "
	}
	keyW := text.Width(it.Key)
	title := text.Truncate(it.Title, w-2-keyW-1)
	note := l.note(it)
	if note != "" {
		title = padded(title, noteAt)
	}
	if room := w - 2 - text.Width(title) - keyW - 3; room > 6 {
		note = text.Truncate(note, room)
	} else {
		note = ""
	}
	used := 2 + text.Width(title)
	if current {
		left := mark + title
		if note != "" {
			left += "  " + note
		}
		return s.Selected.Render(text.Between(left, it.Key, w))
	}
	titleStyle, noteStyle := s.Text, s.Muted
	if it.Disabled != "" {
		titleStyle = s.Muted
	}
	line := mark + marked(title, it.Marks, titleStyle, s.Match)
	if note != "" {
		line += "  " + noteStyle.Render(note)
		used += 2 + text.Width(note)
	}
	return line + text.Spaces(w-used-keyW) + s.Key.Render(it.Key)
}

// note is what stands behind a title: why the item cannot be chosen, else what it is.
func (l *List) note(it Item) string {
	if it.Disabled != "" && (!l.Terse || l.last != "") {
		return "not now: " + it.Disabled
	}
	return it.Note
}

// noteAt is the width of the titles, so that notes stand below each other;
// titles that are long sentences are not waited for.
func (l *List) noteAt(w int) int {
	n := 0
	for _, it := range l.items {
		if tw := text.Width(it.Title); tw <= w*2/5 && it.Note != "" {
			n = max(n, tw)
		}
	}
	return n
}

func padded(t string, w int) string { return t + text.Spaces(w-text.Width(t)) }

// marked renders s with the runes at marks in another style.
func marked(s string, marks []int, base, hit style.Style) string {
	if len(marks) == 0 {
		return base.Render(s)
	}
	set := make(map[int]bool, len(marks))
	for _, m := range marks {
		set[m] = true
	}
	var b, run strings.Builder
	on := false
	flush := func() {
		if run.Len() == 0 {
			return
		}
		if on {
			b.WriteString(hit.Render(run.String()))
		} else {
			b.WriteString(base.Render(run.String()))
		}
		run.Reset()
	}
	for i, r := range []rune(s) {
		if set[i] != on {
			flush()
			on = set[i]
		}
		run.WriteRune(r)
	}
	flush()
	return b.String()
}
