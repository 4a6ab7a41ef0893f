package request

import (
	"encoding/json"
	"errors"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/rawjson"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// jsonText is the JSON view of the params.
type jsonText struct {
	rows    []string
	area    *input.Area
	editing bool
	bad     string
	scroll  input.Scroll
}

func newJSONText(r *Pane) *jsonText {
	j := &jsonText{}
	j.set(r.indented())
	return j
}

// set shows another text; what was being typed gives way to it.
func (j *jsonText) set(s string) {
	j.rows = strings.Split(s, "\n")
	j.bad, j.editing = "", false
	j.scroll.Move(0, len(j.rows))
}

func (j *jsonText) begin() {
	if j.editing {
		return
	}
	j.area = input.NewArea(strings.Join(j.rows, "\n"))
	j.area.MoveRows(j.scroll.Cursor - j.area.Row())
	j.editing = true
}

// end stops the editing; text that cannot be read stays, with the reason.
func (j *jsonText) end(r *Pane) {
	j.editing = false
	j.apply(r)
}

func (j *jsonText) apply(r *Pane) bool {
	err := r.ed.setParams(json.RawMessage(strings.Join(j.rows, "\n")))
	if err == nil {
		j.bad = ""
		return true
	}
	j.bad = err.Error()
	var syntax *rawjson.SyntaxError
	if errors.As(err, &syntax) && syntax.Line > 0 {
		j.scroll.Cursor = min(syntax.Line-1, len(j.rows)-1)
	}
	return false
}

func (j *jsonText) key(r *Pane, msg tea.KeyPressMsg) intent.Intent {
	if !j.editing {
		return nil
	}
	if msg.String() == "esc" {
		j.end(r)
		if j.bad != "" {
			return intent.Say{Text: j.bad, Bad: true}
		}
		j.set(r.indented())
		return nil
	}
	j.area.Key(msg)
	j.changed(r)
	return nil
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
	j.area.MoveRows(row - j.area.Row())
	j.scroll.Cursor = row
}

// changed takes over what was typed; the form follows as soon as it is valid.
func (j *jsonText) changed(r *Pane) {
	j.rows = j.area.Lines()
	j.scroll.Cursor = j.area.Row()
	at := j.scroll.Cursor
	j.apply(r)
	j.scroll.Cursor = at
}

func (j *jsonText) lines(w, h int, s *style.Styles, focused bool) ([]text.Safe, *image.Point) {
	from, to := j.scroll.Window(len(j.rows), h)
	var out []text.Safe
	var at *image.Point
	for i := from; i < to; i++ {
		lead := text.Safe("  ")
		if i == j.scroll.Cursor && focused {
			lead = s.Key.Render(s.Cursor) + " "
		}
		l, x := text.Safe(""), -1
		if j.editing {
			l, x = j.area.Draw(i, w-2)
		} else {
			l = input.Line(j.rows[i], w-2)
		}
		if x >= 0 {
			at = &image.Point{X: 2 + x, Y: len(out)}
		}
		out = append(out, lead+s.JSON(s.Data(l)))
	}
	return out, at
}
