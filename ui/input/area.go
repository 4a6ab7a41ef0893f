package input

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/text"
)

// Area is a text of several lines that is edited. Lines are never wrapped, and
// what a key costs does not grow with their length beyond a copy. Use NewArea.
type Area struct {
	lines    [][]rune
	row, col int
	want     int // the column that up and down keep to
}

// NewArea returns an editor that holds value, the cursor at its end.
func NewArea(value string) *Area {
	a := &Area{}
	for _, l := range strings.Split(plainBreaks(value), "\n") {
		a.lines = append(a.lines, []rune(l))
	}
	a.place(len(a.lines)-1, len(a.lines[len(a.lines)-1]))
	return a
}

// plainBreaks makes every line break a line feed.
func plainBreaks(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// Value is the text.
func (a *Area) Value() string { return strings.Join(a.Lines(), "\n") }

// Lines are the lines of the text.
func (a *Area) Lines() []string {
	out := make([]string, len(a.lines))
	for i, l := range a.lines {
		out[i] = string(l)
	}
	return out
}

// Row is the line of the cursor, Len how many lines there are.
func (a *Area) Row() int { return a.row }

// Len is the number of lines.
func (a *Area) Len() int { return len(a.lines) }

// MoveRows moves the cursor by d lines, in the column it came from.
func (a *Area) MoveRows(d int) {
	a.row = min(max(a.row+d, 0), len(a.lines)-1)
	a.col = min(a.want, len(a.lines[a.row]))
}

func (a *Area) place(row, col int) { a.row, a.col, a.want = row, col, col }

// Insert puts text at the cursor.
func (a *Area) Insert(s string) {
	parts := strings.Split(plainBreaks(s), "\n")
	line := a.lines[a.row]
	rest := slices.Clone(line[a.col:])
	fresh := make([][]rune, len(parts))
	for i, p := range parts {
		fresh[i] = []rune(p)
	}
	fresh[0] = append(slices.Clone(line[:a.col]), fresh[0]...)
	last := len(fresh) - 1
	col := len(fresh[last])
	fresh[last] = append(fresh[last], rest...)
	a.lines = slices.Replace(a.lines, a.row, a.row+1, fresh...)
	a.place(a.row+last, col)
}

// pageRows is how far pgup and pgdown move.
const pageRows = 16

// Key edits or moves.
func (a *Area) Key(msg tea.KeyPressMsg) {
	if f, ok := areaKeys[msg.String()]; ok {
		f(a)
		return
	}
	if msg.Text != "" {
		a.Insert(msg.Text)
	}
}

var areaKeys = map[string]func(*Area){
	"up": func(a *Area) { a.MoveRows(-1) }, "ctrl+p": func(a *Area) { a.MoveRows(-1) },
	"down": func(a *Area) { a.MoveRows(1) }, "ctrl+n": func(a *Area) { a.MoveRows(1) },
	"pgup": func(a *Area) { a.MoveRows(-pageRows) }, "pgdown": func(a *Area) { a.MoveRows(pageRows) },
	"left": (*Area).left, "ctrl+b": (*Area).left, "right": (*Area).right, "ctrl+f": (*Area).right,
	"home": (*Area).home, "ctrl+a": (*Area).home, "end": (*Area).end, "ctrl+e": (*Area).end,
	"ctrl+home": func(a *Area) { a.place(0, 0) },
	"ctrl+end":  func(a *Area) { a.place(len(a.lines)-1, len(a.lines[len(a.lines)-1])) },
	"alt+b":     (*Area).wordLeft, "alt+left": (*Area).wordLeft, "ctrl+left": (*Area).wordLeft,
	"alt+f": (*Area).wordRight, "alt+right": (*Area).wordRight, "ctrl+right": (*Area).wordRight,
	"enter": func(a *Area) { a.Insert("\n") },
	"tab":   func(a *Area) { a.Insert("  ") }, "space": func(a *Area) { a.Insert(" ") },
	"backspace": func(a *Area) { a.cutTo((*Area).back) }, "ctrl+h": func(a *Area) { a.cutTo((*Area).back) },
	"delete": func(a *Area) { a.cutTo((*Area).right) }, "ctrl+d": func(a *Area) { a.cutTo((*Area).right) },
	"ctrl+w": func(a *Area) { a.cutTo((*Area).wordLeft) }, "alt+backspace": func(a *Area) { a.cutTo((*Area).wordLeft) },
	"alt+d": func(a *Area) { a.cutTo((*Area).wordRight) }, "alt+delete": func(a *Area) { a.cutTo((*Area).wordRight) },
	"ctrl+u": func(a *Area) { a.cutTo((*Area).home) }, "ctrl+k": func(a *Area) { a.cutTo((*Area).end) },
}

// back goes one rune back: it takes an accent from its letter.
func (a *Area) back() {
	switch {
	case a.col > 0:
		a.place(a.row, a.col-1)
	case a.row > 0:
		a.place(a.row-1, len(a.lines[a.row-1]))
	}
}

// left goes one character back, accents and joined parts along with their letter.
func (a *Area) left() {
	a.back()
	for a.col > 0 && a.col < len(a.lines[a.row]) && attached(a.lines[a.row][a.col]) {
		a.col--
	}
	a.want = a.col
}

func (a *Area) right() {
	line := a.lines[a.row]
	switch {
	case a.col < len(line):
		a.col++
		for a.col < len(line) && attached(line[a.col]) {
			a.col++
		}
		a.want = a.col
	case a.row < len(a.lines)-1:
		a.place(a.row+1, 0)
	}
}

// attached reports whether a rune belongs to the one before it.
func attached(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200d' }

func (a *Area) home() { a.place(a.row, 0) }
func (a *Area) end()  { a.place(a.row, len(a.lines[a.row])) }

func (a *Area) wordLeft() {
	if a.col == 0 {
		a.back()
		return
	}
	line, col := a.lines[a.row], a.col
	for col > 0 && !inWord(line[col-1]) {
		col--
	}
	for col > 0 && inWord(line[col-1]) {
		col--
	}
	a.place(a.row, col)
}

func (a *Area) wordRight() {
	line, col := a.lines[a.row], a.col
	if col == len(line) {
		a.right()
		return
	}
	for col < len(line) && !inWord(line[col]) {
		col++
	}
	for col < len(line) && inWord(line[col]) {
		col++
	}
	a.place(a.row, col)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// cutTo removes what lies between the cursor and where move takes it.
func (a *Area) cutTo(move func(*Area)) {
	row, col := a.row, a.col
	move(a)
	if a.row > row || a.row == row && a.col > col {
		row, col, a.row, a.col = a.row, a.col, row, col
	}
	rest := a.lines[row][col:]
	joined := append(slices.Clone(a.lines[a.row][:a.col]), rest...)
	a.lines = slices.Replace(a.lines, a.row, row+1, joined)
	a.want = a.col
}

// Draw is line i in at most w cells, safe for the screen, and the cell of the
// cursor in it; -1 on other lines. Only the cursor's line scrolls sideways.
func (a *Area) Draw(i, w int) (line text.Safe, cursor int) {
	row := a.lines[i]
	near := 4*max(w, 0) + 64 // of a long line only what may be seen is looked at
	if i != a.row {
		return Line(string(row[:min(near, len(row))]), w), -1
	}
	left, right := shownLine(row[max(a.col-near, 0):a.col]), shownLine(row[a.col:min(a.col+near, len(row))])
	if text.Width(left) > w-1 {
		left = text.TruncateLeft(left, max(w-1, 0))
	}
	return text.Truncate(left+right, w), text.Width(left)
}

// Line is the start of a line in at most w cells, safe for the screen.
func Line(line string, w int) text.Safe {
	if most := 16*max(w, 0) + 256; len(line) > most { // bytes enough for any w cells
		line = strings.ToValidUTF8(line[:most], "")
	}
	return text.Truncate(shownLine([]rune(line)), w)
}

func shownLine(row []rune) text.Safe {
	return text.Sanitize(strings.ReplaceAll(string(row), "\t", "  "))
}
