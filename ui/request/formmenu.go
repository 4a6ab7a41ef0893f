package request

import (
	"strings"

	"patchbay/client/form"
	"patchbay/ui/intent"
)

// pick is one thing that can be done with a row; do returns the row to go to.
type pick struct {
	title, note string
	do          func() (row int, in intent.Intent)
}

// Menu lists what can be done with the row under the cursor.
func (r *Pane) Menu() intent.Intent {
	var picks []pick
	if r.ed != nil && r.json == nil {
		picks = r.ed.menu(r.scroll.Cursor)
		r.opened = r.draft()
	}
	if len(picks) == 0 {
		return intent.Say{Text: "there is nothing to set on this row", Bad: true}
	}
	c := intent.Choose{Title: "This field"}
	does := map[string]pick{}
	for _, p := range picks {
		c.Options = append(c.Options, intent.Option{Title: p.title, Note: p.note, Value: p.title})
		does[p.title] = p
	}
	c.Done = func(title string) intent.Intent {
		row, in := does[title].do()
		r.scroll.Cursor = row
		r.clamp()
		return in
	}
	return c
}

// move implements editor: rows of lists move up and down.
func (e *formEditor) move(i, in, down int) (int, string) {
	r, ok := e.row(i)
	if !ok || !r.ListItem || in != 0 {
		return i, "only rows of lists move, up and down"
	}
	at, err := e.f.MoveRow(r.Path, down)
	if err != nil {
		return i, err.Error()
	}
	return e.find(at, i), ""
}

// remove implements editor: a row of a list goes, any other input becomes absent.
func (e *formEditor) remove(i int) (int, string) {
	r, ok := e.row(i)
	if !ok || r.adds || r.option != "" || r.Widget == form.WidgetFold {
		return i, "this row cannot be removed"
	}
	if err := e.f.Unset(r.Path); err != nil {
		return i, err.Error()
	}
	return i, ""
}

func (e *formEditor) menu(i int) []pick {
	r, ok := e.row(i)
	if !ok || r.Widget == form.WidgetFold {
		return nil
	}
	asks := func(in func() intent.Intent) func() (int, intent.Intent) {
		return func() (int, intent.Intent) { return i, in() }
	}
	if r.adds || r.option != "" {
		title := map[bool]string{true: "Add one", false: "Check it, or take that back"}[r.adds]
		return []pick{{title, "", asks(func() intent.Intent { return e.start(i, 0).ask })}}
	}
	to := func(at form.Path, err error) (int, intent.Intent) { return e.find(at, i), intent.Failed(err) }
	sets := func(set func(form.Path) error) func() (int, intent.Intent) {
		return func() (int, intent.Intent) { return to(r.Path, set(r.Path)) }
	}
	adds := func(list form.Path) func() (int, intent.Intent) {
		return func() (int, intent.Intent) {
			e.f.Fold(list, true)
			return to(e.f.AddRow(list))
		}
	}
	moves := func(d int) func() (int, intent.Intent) {
		return func() (int, intent.Intent) { return to(e.f.MoveRow(r.Path, d)) }
	}
	picks := []pick{
		{"Leave it out (absent)", "", sets(e.f.Unset)},
		{"Set to null", "", sets(e.f.SetNull)},
		{"Set to empty", `"", [] or {}`, sets(e.f.SetEmpty)},
		{"Set to its default", "", func() (int, intent.Intent) {
			if !e.f.FillDefault(r.Path) {
				return i, intent.Say{Text: r.Label + " has no known default", Bad: true}
			}
			return to(r.Path, nil)
		}},
	}
	if r.Union {
		picks = append(picks, pick{"Choose the type", r.Kind, asks(func() intent.Intent {
			return intent.Choose{Title: "Type of " + r.Label, Current: r.Kind, Options: options(e.f.Types(r.Path)),
				Done: func(v string) intent.Intent { return intent.Failed(e.f.SetType(r.Path, v)) }}
		})})
	}
	switch {
	case r.Widget == form.WidgetText && !r.Secret:
		picks = append(picks, pick{"Edit as a text of several lines", "",
			asks(func() intent.Intent { return e.longText(r.Row) })})
	case r.Widget == form.WidgetList:
		picks = append(picks, pick{"Add a row", "", adds(r.Path)})
	case r.Widget == form.WidgetMap:
		picks = append(picks, pick{"Add a key", "", asks(func() intent.Intent { return e.askKey(r.Path) })})
	}
	if r.ListItem {
		list := r.Path[:strings.LastIndexByte(string(r.Path), '/')]
		picks = append(picks, pick{"Remove this row", "", sets(e.f.RemoveRow)}, pick{"Move the row up", "", moves(-1)},
			pick{"Move the row down", "", moves(1)}, pick{"Add a row below", "", adds(list)})
	}
	return picks
}
