package pane

import (
	"encoding/json"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/form"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// formEditor edits params as a form.
type formEditor struct{ f *form.Form }

func newFormEditor(a *catalog.Action, now func() time.Time) *formEditor {
	e := &formEditor{form.ForAction(a, form.Options{Now: now})}
	e.openRequired()
	return e
}

// openRequired unfolds the objects that must be given, so that their required members are seen.
func (e *formEditor) openRequired() {
	for i := 0; i < len(e.rows()); i++ {
		if r := e.rows()[i]; r.Required && r.Expandable && !r.Expanded && r.Widget == form.WidgetObject {
			e.f.Fold(r.Path, true)
		}
	}
}

func (e *formEditor) rows() []form.Row { return e.f.Rows() }

func (e *formEditor) row(i int) (form.Row, bool) {
	rows := e.rows()
	if i < 0 || i >= len(rows) {
		return form.Row{}, false
	}
	return rows[i], true
}

func (e *formEditor) lines() []line {
	rows := e.rows()
	out := make([]line, 0, len(rows))
	for _, r := range rows {
		out = append(out, formLine(r))
	}
	return out
}

func formLine(r form.Row) line {
	l := line{depth: r.Depth, label: text.Sanitize(r.Label), required: r.Required, typ: r.Type, problem: text.Sanitize(r.Error),
		expandable: r.Expandable, expanded: r.Expanded, heading: r.Widget == form.WidgetFold}
	l.hint = hintOf(r)
	if l.heading {
		l.label = text.Sanitize(strings.TrimSpace(r.Label + " " + r.Display))
		return l
	}
	c := cell{text: text.Sanitize(r.Display)}
	switch {
	case r.State == form.Absent && r.Injected:
		c = cell{text: "filled by the service", tone: toneAbsent}
	case r.State == form.Absent && r.Display != "":
		c.tone = toneAbsent
	case r.State == form.Absent:
		c = cell{text: "absent", tone: toneAbsent}
	case r.State == form.Null:
		c = cell{text: "null", tone: toneNull}
	case r.Error != "":
		c.tone = toneBad
	}
	if r.State == form.Value && r.Sends != "" {
		c.text += "  → " + text.Sanitize(r.Sends)
	}
	l.cells = []cell{c}
	if r.Unknown {
		l.typ = "not in the catalog"
	}
	return l
}

func hintOf(r form.Row) string {
	parts := []string{}
	for _, p := range []string{r.Doc, r.Hint} {
		if p != "" {
			parts = append(parts, text.Sanitize(p))
		}
	}
	if r.Ref != "" {
		parts = append(parts, "ctrl+o chooses from "+strings.SplitN(r.Ref, ".", 2)[0])
	}
	return strings.Join(parts, "  ·  ")
}

func (e *formEditor) start(i, _ int) (string, bool, intent.Intent, bool) {
	r, ok := e.row(i)
	if !ok {
		return "", false, nil, false
	}
	switch r.Widget {
	case form.WidgetFold, form.WidgetObject:
		e.f.Fold(r.Path, !r.Expanded)
		return "", false, nil, false
	case form.WidgetOneOf:
		return "", false, e.chooseMember(r), false
	case form.WidgetList, form.WidgetMap:
		return e.startContainer(r)
	}
	if opts := e.f.Options(r.Path); len(opts) > 0 {
		return "", false, e.chooseOption(r, opts), false
	}
	return r.Edit, r.Secret, nil, true
}

// startContainer adds the first row of an empty list, else folds.
func (e *formEditor) startContainer(r form.Row) (string, bool, intent.Intent, bool) {
	if r.State == form.Value && r.Expandable {
		e.f.Fold(r.Path, !r.Expanded)
		return "", false, nil, false
	}
	if r.Widget == form.WidgetMap {
		return "", false, e.askKey(r.Path), false
	}
	if _, err := e.f.AddRow(r.Path); err != nil {
		return "", false, intent.Say{Text: err.Error(), Bad: true}, false
	}
	e.f.Fold(r.Path, true)
	return "", false, nil, false
}

func (e *formEditor) askKey(p form.Path) intent.Intent {
	return intent.Choose{Title: "Name of the new key", Free: true, Done: func(key string) intent.Intent {
		if _, err := e.f.AddKey(p, key); err != nil {
			return intent.Say{Text: err.Error(), Bad: true}
		}
		e.f.Fold(p, true)
		return nil
	}}
}

func (e *formEditor) chooseOption(r form.Row, opts []form.Option) intent.Intent {
	c := intent.Choose{Title: r.Label, Current: r.Edit}
	for _, o := range opts {
		c.Options = append(c.Options, intent.Option{Title: text.Sanitize(o.Text), Value: o.Text})
	}
	c.Free = r.Widget != form.WidgetChoice
	c.Done = func(v string) intent.Intent {
		if err := e.f.SetText(r.Path, v); err != nil {
			return intent.Say{Text: err.Error(), Bad: true}
		}
		return nil
	}
	return c
}

func (e *formEditor) chooseMember(r form.Row) intent.Intent {
	c := intent.Choose{Title: r.Label + ": exactly one of"}
	for _, t := range e.memberNames(r.Path) {
		c.Options = append(c.Options, intent.Option{Title: t, Value: t})
	}
	c.Done = func(v string) intent.Intent {
		if err := e.f.ChooseMember(r.Path, v); err != nil {
			return intent.Say{Text: err.Error(), Bad: true}
		}
		e.f.Fold(r.Path, true)
		return nil
	}
	return c
}

// memberNames lists the members of an object as the form shows them when it is open.
func (e *formEditor) memberNames(p form.Path) []string {
	e.f.Fold(p, true)
	var names []string
	depth := -1
	for _, r := range e.rows() {
		switch {
		case r.Path == p:
			depth = r.Depth
		case depth >= 0 && r.Depth <= depth:
			return names
		case depth >= 0 && r.Depth == depth+1:
			parts := r.Path.Names()
			names = append(names, parts[len(parts)-1])
		}
	}
	return names
}

func (e *formEditor) check(i, _ int, t string) string {
	r, ok := e.row(i)
	if !ok {
		return ""
	}
	if err := e.f.SetText(r.Path, t); err != nil {
		return err.Error()
	}
	return ""
}

func (e *formEditor) set(i, c int, t string) string { return e.check(i, c, t) }

func (e *formEditor) fold(i int) {
	if r, ok := e.row(i); ok && r.Expandable {
		e.f.Fold(r.Path, !r.Expanded)
	}
}

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
)

func (e *formEditor) menu(i int) []intent.Option {
	r, ok := e.row(i)
	if !ok || r.Widget == form.WidgetFold {
		return nil
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
	var err error
	go2 := r.Path
	switch option {
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
		return i, e.chooseType(r)
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

// find returns the row of a path, otherwise when it is not visible.
func (e *formEditor) find(p form.Path, otherwise int) int {
	for i, r := range e.rows() {
		if r.Path == p {
			return i
		}
	}
	return otherwise
}

func (e *formEditor) params() json.RawMessage {
	if p := e.f.JSON(); string(p) != "{}" {
		return p
	}
	return nil
}

func (e *formEditor) setParams(p json.RawMessage) error {
	if len(p) == 0 {
		p = json.RawMessage("{}")
	}
	return e.f.SetJSON(p)
}

func (e *formEditor) problems() []problem {
	var out []problem
	for _, p := range e.f.Problems() {
		t := p.Text
		if p.Path != "" {
			t = p.Path.String() + ": " + t
		}
		out = append(out, problem{row: e.find(p.Path, -1), text: text.Sanitize(t)})
	}
	return out
}

func (e *formEditor) target(i int) string {
	r, _ := e.row(i)
	return r.Ref
}
