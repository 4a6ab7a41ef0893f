package pane

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/form"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// formEditor edits params as a form. What it shows is computed once per change.
type formEditor struct {
	f *form.Form
	// free is set when keys of any name may be added at the top.
	free bool

	version int
	shown   []formRow
	drawn   []line
	wrong   []problem
	note    string
}

// formRow is a visible row: an input, or the place to add to a list or map.
type formRow struct {
	form.Row
	// adds is set on the row that adds to the container at Path.
	adds bool
}

func newFormEditor(a *catalog.Action, now func() time.Time) *formEditor {
	e := &formEditor{f: form.ForAction(a, form.Options{Now: now}), free: a.ParamsUnknown || a.FreeBody}
	e.openRequired()
	return e
}

func newFieldsEditor(fields []catalog.Field, now func() time.Time) *formEditor {
	e := &formEditor{f: form.New(fields, form.Options{Now: now})}
	e.openRequired()
	return e
}

// openRequired unfolds the objects that must be given, so that their required members are seen.
func (e *formEditor) openRequired() {
	for i := 0; i < len(e.f.Rows()); i++ {
		if r := e.f.Rows()[i]; r.Required && r.Expandable && !r.Expanded && r.Widget == form.WidgetObject {
			e.f.Fold(r.Path, true)
		}
	}
}

// refresh computes what is shown, when the form changed since.
func (e *formEditor) refresh() {
	if e.drawn != nil && e.version == e.f.Version() {
		return
	}
	e.version = e.f.Version()
	e.shown = e.withAdders(e.f.Rows())
	e.drawn = make([]line, 0, len(e.shown))
	for _, r := range e.shown {
		e.drawn = append(e.drawn, e.line(r))
	}
	e.wrong = e.findProblems()
}

// withAdders puts a row behind the rows of every open list and map that adds to it.
func (e *formEditor) withAdders(rows []form.Row) []formRow {
	out := make([]formRow, 0, len(rows)+4)
	var open []form.Row
	closeTo := func(depth int) {
		for len(open) > 0 && open[len(open)-1].Depth >= depth {
			c := open[len(open)-1]
			open = open[:len(open)-1]
			out = append(out, formRow{form.Row{Path: c.Path, Depth: c.Depth + 1, Label: c.Label, Widget: c.Widget, Ref: c.Ref}, true})
		}
	}
	for _, r := range rows {
		closeTo(r.Depth)
		out = append(out, formRow{Row: r})
		if r.Expanded && (r.Widget == form.WidgetList || r.Widget == form.WidgetMap) {
			open = append(open, r)
		}
	}
	closeTo(0)
	if e.free {
		out = append(out, formRow{form.Row{Widget: form.WidgetMap}, true})
	}
	return out
}

func (e *formEditor) rows() []formRow { e.refresh(); return e.shown }

func (e *formEditor) row(i int) (formRow, bool) {
	rows := e.rows()
	if i < 0 || i >= len(rows) {
		return formRow{}, false
	}
	return rows[i], true
}

func (e *formEditor) lines() []line { e.refresh(); return e.drawn }

func (e *formEditor) notice() string { e.refresh(); return e.note }

func (e *formEditor) line(r formRow) line {
	if r.adds {
		return adderLine(r)
	}
	l := line{depth: r.Depth, label: text.Sanitize(r.Label), required: r.Required, typ: r.Type, facts: factsOf(r.Row), problem: text.Sanitize(r.Error),
		expandable: r.Expandable, expanded: r.Expanded, heading: r.Widget == form.WidgetFold}
	l.hint = hintOf(r.Row)
	if l.heading {
		l.label = text.Sanitize(strings.TrimSpace(r.Label + " " + r.Display))
		return l
	}
	c := cell{text: e.display(r.Row)}
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
	case r.Secret && r.State == form.Value:
		c.text, c.note = "", c.text
	}
	if r.State == form.Value && r.Sends != "" {
		c.note = sentAs(r.Sends, r.Display)
	}
	l.cells = []cell{c}
	if r.Unknown {
		l.typ, l.facts = "not in the catalog", ""
	}
	return l
}

func adderLine(r formRow) line {
	if r.Widget == form.WidgetMap {
		return line{depth: r.Depth, label: "+ key", heading: true, hint: "enter adds a key of any name"}
	}
	return line{depth: r.Depth, label: "+ row", heading: true, hint: "enter adds a row to " + text.Sanitize(r.Label) + "; x on a row moves or removes it"}
}

// display is the value in one line: the lines of a text are joined by a mark,
// the chosen member of a one-of object is named.
func (e *formEditor) display(r form.Row) string {
	if r.Widget == form.WidgetOneOf && r.State == form.Value {
		var members map[string]json.RawMessage
		if json.Unmarshal(e.f.ValueJSON(r.Path), &members) == nil && len(members) == 1 {
			for name := range members {
				return text.Sanitize(name)
			}
		}
	}
	if n := strings.Count(r.Display, "\n"); n > 0 {
		first, _, _ := strings.Cut(r.Display, "\n")
		return text.Sanitize(first) + "  (" + text.Count(n+1, "line", "lines") + ")"
	}
	return text.Sanitize(r.Display)
}

// factsOf is the type with limits and default, as far as they are short:
// "integer 1..100, default 10".
func factsOf(r form.Row) string {
	out := r.Type
	for _, p := range strings.Split(r.Hint, "; ") {
		switch {
		case strings.HasPrefix(p, "default "), strings.HasPrefix(p, "at most "):
			out += ", " + p
		case strings.HasPrefix(p, "one of ") && len(p) < 40:
			out += ", " + p
		default:
			if from, to, ok := strings.Cut(p, " to "); ok && !strings.Contains(p, "\"") {
				out += " " + from + ".." + to
			} else if from, ok := strings.CutSuffix(p, " or more"); ok {
				out += " from " + from
			}
		}
	}
	return text.Sanitize(out)
}

// sentAs tells what goes out where it is not what is shown, and what a number
// of seconds or milliseconds means.
func sentAs(sends, shown string) string {
	t := ""
	if sends != shown && strings.Trim(sends, `"`) != shown {
		t = "  → " + text.Sanitize(sends)
	}
	n, err := strconv.ParseInt(sends, 10, 64)
	switch {
	case err != nil:
		return t
	case n > 1e11:
		n /= 1000
	}
	return t + "  = " + time.Unix(n, 0).UTC().Format("2006-01-02 15:04:05") + " UTC"
}

func hintOf(r form.Row) string {
	parts := []string{}
	for _, p := range []string{r.Doc, r.Hint} {
		if p != "" {
			parts = append(parts, text.Sanitize(p))
		}
	}
	switch {
	case r.Ref != "":
		parts = append([]string{"ctrl+o chooses from " + strings.SplitN(r.Ref, ".", 2)[0]}, parts...)
	case r.Widget == form.WidgetDocument:
		parts = append(parts, "plain text becomes the document; enter opens it")
	case r.Widget == form.WidgetTime && r.State != form.Value:
		parts = append(parts, "a time, a date, today, -7d")
	}
	return strings.Join(parts, "  ·  ")
}

// types tells whether typing on a row starts something.
func (e *formEditor) types(i, _ int) bool {
	r, ok := e.row(i)
	if !ok || r.adds {
		return false
	}
	switch r.Widget {
	case form.WidgetFold, form.WidgetObject, form.WidgetOneOf, form.WidgetList, form.WidgetMap:
		return false
	}
	return true
}

func (e *formEditor) start(i, _ int) (string, bool, intent.Intent, bool) {
	r, ok := e.row(i)
	switch {
	case !ok:
		return "", false, nil, false
	case r.adds && r.Widget == form.WidgetMap:
		return "", false, e.askKey(r.Path), false
	case r.adds:
		return e.addRow(r.Path)
	}
	switch r.Widget {
	case form.WidgetFold, form.WidgetObject:
		e.f.Fold(r.Path, !r.Expanded)
		return "", false, nil, false
	case form.WidgetOneOf:
		return "", false, e.chooseMember(r.Row), false
	case form.WidgetList, form.WidgetMap:
		return e.startContainer(r.Row)
	case form.WidgetDocument:
		return "", false, e.longText(r.Row), false
	}
	if strings.Contains(r.Edit, "\n") && !r.Secret {
		return "", false, e.longText(r.Row), false
	}
	if opts := e.f.Options(r.Path); len(opts) > 0 {
		return "", false, e.chooseOption(r.Row, opts), false
	}
	return r.Edit, r.Secret, nil, true
}

// addRow adds a row to a list and begins to edit it when it takes text.
func (e *formEditor) addRow(p form.Path) (string, bool, intent.Intent, bool) {
	at, err := e.f.AddRow(p)
	if err != nil {
		return "", false, intent.Say{Text: err.Error(), Bad: true}, false
	}
	e.f.Fold(p, true)
	return "", false, EditRow{Path: at}, false
}

// EditRow is an intent of the request pane to itself: put the cursor on a row
// of the form, unfold it or begin to edit it.
type EditRow struct{ Path form.Path }

// editRow begins with a new row: objects unfold, texts are edited.
func (e *formEditor) editRow(p form.Path) (row int, edit bool) {
	i := e.find(p, -1)
	r, ok := e.row(i)
	if !ok {
		return -1, false
	}
	if r.Expandable {
		e.f.Fold(p, true)
		return e.find(p, i), false
	}
	return i, true
}

// longText edits a text of several lines.
func (e *formEditor) longText(r form.Row) intent.Intent {
	return intent.EditText{Title: text.Sanitize(r.Label), Text: r.Edit, Note: text.Sanitize(r.Doc), Done: func(v string) intent.Intent {
		if err := e.f.SetText(r.Path, v); err != nil {
			return intent.Say{Text: err.Error(), Bad: true}
		}
		return nil
	}}
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
	return e.addRow(r.Path)
}

func (e *formEditor) askKey(p form.Path) intent.Intent {
	return intent.Choose{Title: "Name of the new key", Free: true, Done: func(key string) intent.Intent {
		if _, err := e.f.AddKey(p, key); err != nil {
			return intent.Say{Text: err.Error(), Bad: true}
		}
		e.f.Fold(p, true)
		return EditRow{Path: p.Child(key)}
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
	for _, o := range e.f.Options(r.Path) {
		c.Options = append(c.Options, intent.Option{Title: o.Text, Value: o.Text})
	}
	c.Done = func(v string) intent.Intent {
		if err := e.f.ChooseMember(r.Path, v); err != nil {
			return intent.Say{Text: err.Error(), Bad: true}
		}
		e.f.Fold(r.Path, true)
		return EditRow{Path: r.Path.Child(v)}
	}
	return c
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

// put sets the text of a row, or adds it to a list.
func (e *formEditor) put(i int, t string) error {
	r, ok := e.row(i)
	if !ok {
		return nil
	}
	at := r.Path
	if r.Widget == form.WidgetList {
		var err error
		if at, err = e.f.AddRow(r.Path); err != nil {
			return err
		}
		e.f.Fold(r.Path, true)
	}
	return e.f.SetText(at, t)
}

func (e *formEditor) fold(i int) {
	if r, ok := e.row(i); ok && r.Expandable {
		e.f.Fold(r.Path, !r.Expanded)
	}
}

// find returns the row of a path, otherwise when it is not visible.
func (e *formEditor) find(p form.Path, otherwise int) int {
	for i, r := range e.rows() {
		if r.Path == p && !r.adds {
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

func (e *formEditor) problems() []problem { e.refresh(); return e.wrong }

func (e *formEditor) findProblems() []problem {
	at := make(map[form.Path]int, len(e.shown))
	for i, r := range e.shown {
		if !r.adds {
			at[r.Path] = i
		}
	}
	e.note = ""
	var out []problem
	for _, p := range e.f.Problems() {
		t := p.Text
		if p.Path != "" {
			t = p.Path.String() + ": " + t
		}
		if p.Warning {
			e.note = text.Sanitize(t)
			continue
		}
		row, shown := at[p.Path]
		if !shown || p.Path == "" {
			row = -1
		}
		out = append(out, problem{row: row, text: text.Sanitize(t)})
	}
	return out
}

func (e *formEditor) target(i int) string {
	r, _ := e.row(i)
	return r.Ref
}
