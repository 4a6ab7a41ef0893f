package pane

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"patchbay/client/rawjson"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// jsonText is the JSON view of the params. The editing is that of bubbles'
// textarea; the drawing is our own.
type jsonText struct {
	rows    []string
	area    textarea.Model
	editing bool
	bad     string
	scroll  Scroll
}

func newJSONText(r *Request) *jsonText {
	j := &jsonText{}
	j.set(indented(r.Params()))
	return j
}

func indentTo(b *strings.Builder, p json.RawMessage) error {
	var buf bytes.Buffer
	if err := json.Indent(&buf, p, "", "  "); err != nil {
		return err
	}
	b.Write(buf.Bytes())
	return nil
}

func (j *jsonText) set(s string) {
	j.rows = strings.Split(s, "\n")
	j.bad = ""
	j.scroll.Move(0, len(j.rows))
}

func (j *jsonText) begin() {
	if j.editing {
		return
	}
	j.area = textarea.New()
	j.area.ShowLineNumbers = false
	j.area.CharLimit, j.area.MaxHeight, j.area.MaxWidth = 0, 0, 0
	j.area.SetHeight(pageRows)
	j.fit(0)
	j.area.SetValue(strings.Join(j.rows, "\n"))
	for j.area.Line() > j.scroll.Cursor {
		j.area.CursorUp()
	}
	j.area.Focus()
	j.editing = true
}

// pageRows is how far pgup and pgdown move. It is kept small, like the width:
// the textarea draws its whole box at every key, although nobody looks at it.
const pageRows = 16

// fit makes the textarea as wide as its longest line and what is about to be
// typed, so that nothing wraps and rows are lines.
func (j *jsonText) fit(typed int) {
	longest := 0
	for _, row := range j.rows {
		longest = max(longest, text.Width(row))
	}
	j.area.SetWidth(longest + typed + 16)
}

// end stops the editing; text that cannot be read stays, with the reason.
func (j *jsonText) end(r *Request) {
	j.editing = false
	j.apply(r)
}

func (j *jsonText) apply(r *Request) bool {
	err := r.ed.setParams(json.RawMessage(strings.Join(j.rows, "\n")))
	if err == nil {
		j.bad = ""
		return true
	}
	j.bad = text.Sanitize(err.Error())
	var syntax *rawjson.SyntaxError
	if errors.As(err, &syntax) && syntax.Line > 0 {
		j.scroll.Cursor = min(syntax.Line-1, len(j.rows)-1)
	}
	return false
}

func (j *jsonText) key(r *Request, msg tea.KeyPressMsg) intent.Intent {
	if !j.editing {
		return nil
	}
	if msg.String() == "esc" {
		j.end(r)
		if j.bad != "" {
			return intent.Say{Text: j.bad, Bad: true}
		}
		j.set(indented(r.Params()))
		return nil
	}
	j.fit(text.Width(msg.Text))
	j.area, _ = j.area.Update(msg)
	j.changed(r)
	return nil
}

func (j *jsonText) insert(r *Request, s string) {
	j.fit(text.Width(s))
	j.area.InsertString(s)
	j.changed(r)
}

// click puts the cursor on a line; a double click edits there.
func (j *jsonText) click(y int, double bool) {
	if y < 0 {
		return
	}
	row := min(j.scroll.Top+y, len(j.rows)-1)
	if !j.editing {
		j.scroll.Cursor = row
		if double {
			j.begin()
		}
		return
	}
	for j.area.Line() < row {
		j.area.CursorDown()
	}
	for j.area.Line() > row {
		j.area.CursorUp()
	}
	j.scroll.Cursor = row
}

// changed takes over what was typed; the form follows as soon as it is valid.
func (j *jsonText) changed(r *Request) {
	j.rows = strings.Split(j.area.Value(), "\n")
	j.scroll.Cursor = j.area.Line()
	at := j.scroll.Cursor
	j.apply(r)
	j.scroll.Cursor = at
}

func (j *jsonText) lines(w, h int, s *style.Styles, focused bool) ([]string, *image.Point) {
	j.scroll.Fit(len(j.rows), h)
	from, to := j.scroll.Window(len(j.rows), h)
	col, left := 0, 0
	if j.editing {
		col = j.column()
		left = max(col-(w-6), 0)
	}
	var out []string
	var at *image.Point
	for i := from; i < to; i++ {
		lead := "  "
		if i == j.scroll.Cursor && focused {
			lead = s.Key.Render(s.Cursor) + " "
		}
		if j.editing && i == j.scroll.Cursor {
			at = &image.Point{X: 2 + col - left, Y: len(out)}
		}
		out = append(out, lead+cutLeft(s.JSON(s.Data(text.Sanitize(strings.ReplaceAll(j.rows[i], "\t", "  ")))), left, w-2))
	}
	return out, at
}

// column is the cell of the text cursor in its line.
func (j *jsonText) column() int {
	row := []rune(j.rows[min(j.area.Line(), len(j.rows)-1)])
	c := min(j.area.LineInfo().CharOffset, 1<<20)
	n := min(j.area.LineInfo().StartColumn+j.area.LineInfo().ColumnOffset, len(row))
	if n < len(row) || c == 0 {
		return text.Width(text.Sanitize(strings.ReplaceAll(string(row[:n]), "\t", "  ")))
	}
	return text.Width(text.Sanitize(strings.ReplaceAll(string(row), "\t", "  ")))
}

func cutLeft(s string, left, w int) string {
	if left > 0 {
		s = text.TruncateLeft(s, max(text.Width(s)-left, 0))
	}
	return text.Truncate(s, w)
}
