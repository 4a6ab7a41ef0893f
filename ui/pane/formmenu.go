package pane

import (
	"strings"

	"patchbay/client/form"
	"patchbay/ui/intent"
)

// The choices of the field menu.
const (
	pickUnset   = "unset"
	pickNull    = "null"
	pickEmpty   = "empty"
	pickDefault = "default"
	pickType    = "type"
	pickAdd     = "add row"
	pickKey     = "add key"
	pickRemove  = "remove row"
	pickUp      = "move up"
	pickDown    = "move down"
	pickLong    = "long text"
)

func (e *formEditor) menu(i int) []intent.Option {
	r, ok := e.row(i)
	if !ok || r.Widget == form.WidgetFold {
		return nil
	}
	if r.adds {
		return []intent.Option{{Title: "Add one", Value: pickAdd}}
	}
	opts := []intent.Option{
		{Title: "Leave it out (absent)", Value: pickUnset},
		{Title: "Set to null", Value: pickNull},
		{Title: "Set to empty", Note: `"", [] or {}`, Value: pickEmpty},
		{Title: "Set to its default", Value: pickDefault},
	}
	if r.Union {
		opts = append(opts, intent.Option{Title: "Choose the type", Note: r.Kind, Value: pickType})
	}
	switch r.Widget {
	case form.WidgetText:
		if !r.Secret {
			opts = append(opts, intent.Option{Title: "Edit as a text of several lines", Value: pickLong})
		}
	case form.WidgetList:
		opts = append(opts, intent.Option{Title: "Add a row", Value: pickAdd})
	case form.WidgetMap:
		opts = append(opts, intent.Option{Title: "Add a key", Value: pickKey})
	}
	if r.ListItem {
		opts = append(opts, intent.Option{Title: "Remove this row", Value: pickRemove},
			intent.Option{Title: "Move the row up", Value: pickUp}, intent.Option{Title: "Move the row down", Value: pickDown},
			intent.Option{Title: "Add a row below", Value: pickAdd})
	}
	return opts
}

func (e *formEditor) choose(i int, option string) (int, intent.Intent) {
	r, ok := e.row(i)
	if !ok {
		return i, nil
	}
	if r.adds {
		_, _, in, _ := e.start(i, 0)
		return i, in
	}
	var err error
	go2 := r.Path
	switch option {
	case pickLong:
		return i, e.longText(r.Row)
	case pickUnset:
		err = e.f.Unset(r.Path)
	case pickNull:
		err = e.f.SetNull(r.Path)
	case pickEmpty:
		err = e.f.SetEmpty(r.Path)
	case pickDefault:
		if !e.f.FillDefault(r.Path) {
			return i, intent.Say{Text: r.Label + " has no known default", Bad: true}
		}
	case pickType:
		return i, e.chooseType(r.Row)
	case pickAdd:
		list := r.Path
		if r.ListItem {
			list = list[:strings.LastIndexByte(string(list), '/')]
		}
		e.f.Fold(list, true)
		go2, err = e.f.AddRow(list)
	case pickKey:
		return i, e.askKey(r.Path)
	case pickRemove:
		err = e.f.RemoveRow(r.Path)
	case pickUp:
		go2, err = e.f.MoveRow(r.Path, -1)
	case pickDown:
		go2, err = e.f.MoveRow(r.Path, 1)
	}
	if err != nil {
		return i, intent.Say{Text: err.Error(), Bad: true}
	}
	return e.find(go2, i), nil
}

func (e *formEditor) chooseType(r form.Row) intent.Intent {
	c := intent.Choose{Title: "Type of " + r.Label, Current: r.Kind}
	for _, t := range e.f.Types(r.Path) {
		c.Options = append(c.Options, intent.Option{Title: t, Value: t})
	}
	c.Done = func(v string) intent.Intent {
		if err := e.f.SetType(r.Path, v); err != nil {
			return intent.Say{Text: err.Error(), Bad: true}
		}
		return nil
	}
	return c
}
