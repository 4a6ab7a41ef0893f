package overlay

import (
	"cmp"
	"fmt"
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Item is one row of a List. The list makes its texts safe to draw.
type Item struct {
	// Title is searched and marked; Note stands right of it; Key is shown at the right edge.
	Title, Note, Key string
	// Outcome is how what the item tells of ended, Result says it in a word or two: it
	// stands before the note and is not cut.
	Outcome style.Outcome
	Result  string
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

// Chosen performs the intent that an item carries.
func Chosen(it Item) intent.Intent {
	in, _ := it.Value.(intent.Intent)
	return in
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
	// Choose is called with the chosen item; it returns what to do, and is Chosen where it
	// is nil. The list closes unless Keep is set.
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
	// Preview shows the Detail of the item under the cursor as a text with its line breaks.
	Preview bool
	// Terse leaves the reasons of disabled items out until something is typed.
	Terse bool
	// Through leaves the screen behind as it is, since it shows what a choice does.
	Through bool
	// Empty is shown when nothing matches.
	Empty string
	// Keys are further keys and what they ask, OnItem those that ask it with the item
	// under the cursor; Help names them. Letters are typed.
	Keys   map[string]intent.Intent
	OnItem map[string]func(Item) intent.Intent
	// Free offers the typed text itself as a value.
	Free func(query string) intent.Intent

	field  *input.Field
	items  []Item
	scroll input.Scroll
	last   string
	ready  bool
	small  bool // the screen has few rows
	room   int  // lines of items, with the headings among them
	lines  int  // lines of the preview
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
		l.scroll = input.Scroll{Height: l.scroll.Height}
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
	rows := 2 + len(l.items)
	for i := range l.items {
		if l.heading(i) {
			rows++
		}
	}
	if l.Source != nil && l.last != "" {
		rows = max(rows, l.scroll.Height+2)
	}
	switch {
	case l.Preview:
		rows += 1 + l.longest()
	case l.tells() && l.small:
		rows++
	case l.tells():
		rows += 3
	}
	return min(want, w), min(max(rows, 8), h*3/4)
}

// SeeThrough tells that the screen behind is part of what is chosen.
func (l *List) SeeThrough() bool { return l.Through }

// Key implements Overlay.
func (l *List) Key(msg tea.KeyPressMsg) intent.Intent {
	l.refresh()
	if in, ok := l.Keys[msg.String()]; ok {
		return in
	}
	if f, ok := l.OnItem[msg.String()]; ok && l.scroll.Cursor < len(l.items) {
		return f(l.items[l.scroll.Cursor])
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
	choose := l.Choose
	if choose == nil {
		choose = Chosen
	}
	if l.Keep {
		return choose(it)
	}
	return intent.All{intent.Close{}, choose(it)}
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

// Fit implements Overlay.
func (l *List) Fit(w, h int) {
	l.refresh()
	l.field.Fit(w - 2)
	l.fitPreview(h)
	l.room = max(h-2-len(l.detail(w, &style.Styles{})), 1)
	if len(l.items) == 0 {
		return
	}
	for range 2 { // a heading that the first pass scrolls away leaves room for a row more
		l.scroll.Fit(len(l.items), l.rowsIn(l.room))
	}
}

// Draw implements Overlay.
func (l *List) Draw(w, h int, s *style.Styles) ([]text.Safe, *image.Point) {
	fieldLine, x := l.field.Draw(w-2, s)
	lines := []text.Safe{s.Key.Render("/ ") + fieldLine, ""}
	detail := l.detail(w, s)
	if len(l.items) == 0 {
		empty := cmp.Or(l.Empty, "Nothing matches. Fewer letters find more.")
		for _, t := range text.Wrap(text.Sanitize(empty), w) {
			lines = append(lines, s.Muted.Render(t))
		}
		return lines, &image.Point{X: 2 + x}
	}
	from, to := l.scroll.Window(len(l.items), l.scroll.Height)
	at := l.noteAt(w)
	for i := from; i < to && len(lines) < 2+l.room; i++ {
		if l.heading(i) {
			lines = append(lines, s.Header.Render(text.Sanitize(l.items[i].Group)))
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

// tells reports whether there is something to tell of any item.
func (l *List) tells() bool {
	return slices.ContainsFunc(l.items, func(it Item) bool { return it.Detail != "" || it.Disabled != "" })
}

// detail are the lines below the list; their number does not depend on the
// item under the cursor, so nothing jumps.
func (l *List) detail(w int, s *style.Styles) []text.Safe {
	if !l.tells() || l.scroll.Cursor >= len(l.items) {
		return nil
	}
	it := l.items[l.scroll.Cursor]
	if l.Preview {
		return l.preview(it, w, s)
	}
	st, t := s.Muted, text.Sanitize(it.Detail)
	if it.Disabled != "" {
		st, t = s.Warning, text.Sanitize("Not now: "+it.Disabled)
	}
	if l.small {
		return []text.Safe{st.Render(text.Truncate(t, w))}
	}
	out := []text.Safe{"", "", ""}
	for i, line := range text.Wrap(t, w) {
		if i < 2 {
			out[1+i] = st.Render(line)
		}
	}
	return out
}

// marked renders s with the runes at marks in another style.
func marked(s text.Safe, marks []int, base, hit style.Style) text.Safe {
	if len(marks) == 0 {
		return base.Render(s)
	}
	set := make(map[int]bool, len(marks))
	for _, m := range marks {
		set[m] = true
	}
	var out text.Safe
	runes := []rune(s)
	for from, to := 0, 0; from < len(runes); from = to {
		for to = from; to < len(runes) && set[to] == set[from]; to++ {
		}
		look := base
		if set[from] {
			look = hit
		}
		out += look.Render(text.Sanitize(string(runes[from:to])))
	}
	return out
}
