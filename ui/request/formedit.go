package request

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

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
	// option is a value that the list at Path may hold, checked where it does.
	option  string
	checked bool
	// one is set on the members of an object of which exactly one is given.
	one bool
}

// newFormEditor unfolds the objects that must be given, so that their required
// members are seen.
func newFormEditor(f *form.Form, free bool) *formEditor {
	for i := 0; i < len(f.Rows()); i++ {
		if r := f.Rows()[i]; r.Required && r.Expandable && !r.Expanded && r.Widget == form.WidgetObject {
			f.Fold(r.Path, true)
		}
	}
	return &formEditor{f: f, free: free}
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
			adder := form.Row{Path: c.Path, Depth: c.Depth + 1, Label: c.Label, Widget: c.Widget, Ref: c.Ref}
			out = append(out, formRow{Row: adder, adds: true})
		}
	}
	options, ones := map[form.Path][]string{}, map[form.Path]bool{}
	for _, r := range rows {
		in := form.Path("")
		if at := strings.LastIndexByte(string(r.Path), '/'); at > 0 {
			in = r.Path[:at]
		}
		if slices.Contains(options[in], r.Edit) && r.ListItem {
			continue // its box is checked
		}
		closeTo(r.Depth)
		out = append(out, formRow{Row: r, one: ones[in]})
		ones[r.Path] = r.Widget == form.WidgetOneOf
		if known := e.f.ItemOptions(r.Path); len(known) > 0 && r.Expanded && r.Widget == form.WidgetList {
			options[r.Path] = known
			out = append(out, e.boxes(r, known)...)
			continue
		}
		if r.Expanded && (r.Widget == form.WidgetList || r.Widget == form.WidgetMap) {
			open = append(open, r)
		}
	}
	closeTo(0)
	if e.free {
		out = append(out, formRow{Row: form.Row{Widget: form.WidgetMap}, adds: true})
	}
	return out
}

// boxes are a row for each value that a list may hold.
func (e *formEditor) boxes(list form.Row, known []string) []formRow {
	held := e.held(list.Path)
	out := make([]formRow, len(known))
	for i, v := range known {
		out[i] = formRow{Row: form.Row{Path: list.Path, Depth: list.Depth + 1, Widget: form.WidgetList}, option: v,
			checked: slices.Contains(held, v)}
	}
	return out
}

// held are the values of a list as they are typed.
func (e *formEditor) held(list form.Path) []string {
	var out []string
	for i := 0; ; i++ {
		r, ok := e.f.Row(list.Child(strconv.Itoa(i)))
		if !ok {
			return out
		}
		out = append(out, r.Edit)
	}
}

// check puts a value into a list, or takes it out; a list without any becomes absent.
func (e *formEditor) check(r formRow) error {
	held := e.held(r.Path)
	if at := slices.Index(held, r.option); at >= 0 {
		held = slices.Delete(held, at, at+1)
	} else {
		held = append(held, r.option)
	}
	if len(held) == 0 {
		err := e.f.Unset(r.Path)
		e.f.Fold(r.Path, true)
		return err
	}
	return e.f.SetRows(r.Path, held)
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
	switch {
	case r.option != "":
		return checkbox(r.Depth, text.Sanitize(r.option), r.checked)
	case r.adds && r.Widget == form.WidgetMap:
		return line{depth: r.Depth, label: "+ key", heading: true, hint: "enter adds a key of any name"}
	case r.adds:
		return line{depth: r.Depth, label: "+ row", heading: true,
			hint: "enter adds a row to " + text.Sanitize(r.Label) + "; x on a row moves or removes it"}
	}
	l := line{depth: r.Depth, label: text.Sanitize(r.Label), required: r.Required, typ: text.Sanitize(r.Type),
		facts: factsOf(r.Row), problem: text.Sanitize(r.Error), expandable: r.Expandable, expanded: r.Expanded,
		heading: r.Widget == form.WidgetFold, hint: hintOf(r.Row)}
	if r.one {
		l.label = map[bool]text.Safe{true: "(•) ", false: "( ) "}[r.State == form.Value] + l.label
	}
	if l.heading {
		l.label = text.Sanitize(strings.TrimSpace(r.Label + " " + r.Display))
		return l
	}
	c := cell{text: e.display(r.Row)}
	switch {
	case r.State == form.Absent && r.Injected:
		c = cell{text: text.Sanitize(r.Display), tone: toneAbsent}
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

// display is the value in one line: the lines of a text are joined by a mark,
// the chosen member of a one-of object is named.
func (e *formEditor) display(r form.Row) text.Safe {
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
func factsOf(r form.Row) text.Safe {
	out := r.Type
	for _, p := range strings.Split(r.Hint, "; ") {
		switch {
		case strings.HasPrefix(p, "default "), strings.HasPrefix(p, "at most "),
			strings.HasPrefix(p, "one of ") && len(p) < 40:
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

// sentAs says what goes out where it is not what is shown, and what a number
// of seconds or milliseconds means.
func sentAs(sends, shown string) text.Safe {
	var t text.Safe
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
	return t + text.Sanitize(time.Unix(n, 0).UTC().Format("  = 2006-01-02 15:04:05 UTC"))
}

func hintOf(r form.Row) text.Safe {
	parts := slices.DeleteFunc([]string{r.Doc, r.Hint}, func(p string) bool { return p == "" })
	switch {
	case r.Ref != "":
		entity, _, _ := strings.Cut(r.Ref, ".")
		parts = append([]string{"ctrl+o chooses from " + entity}, parts...)
	case r.Widget == form.WidgetDocument:
		parts = append(parts, "plain text becomes the document; enter opens it")
	case r.Widget == form.WidgetTime && r.State != form.Value:
		parts = append(parts, "a time, a date, today, -7d")
	}
	return text.Sanitize(strings.Join(parts, "  ·  "))
}

// types implements editor: texts of several lines have an editor of their own.
func (e *formEditor) types(i, _ int) bool {
	r, ok := e.row(i)
	if !ok || r.adds || r.option != "" || r.one && r.State != form.Value {
		return false
	}
	switch r.Widget {
	case form.WidgetFold, form.WidgetObject, form.WidgetOneOf, form.WidgetList, form.WidgetMap:
		return false
	case form.WidgetDocument: // one that is no plain text has its own editor
		return !strings.Contains(r.Edit, "\n") && !strings.HasPrefix(r.Edit, "{")
	}
	return r.Secret || !strings.Contains(r.Edit, "\n")
}

func (e *formEditor) text(i, _ int) begun {
	r, ok := e.row(i)
	if !ok {
		return begun{}
	}
	e.f.Hold(r.Path)
	return begun{edit: true, text: r.Edit, secret: r.Secret, known: e.f.Options(r.Path),
		only: r.Widget == form.WidgetChoice}
}

func (e *formEditor) next(int, int) (int, bool) { return 0, false }

func (e *formEditor) start(i, _ int) begun {
	r, ok := e.row(i)
	if !ok {
		return begun{}
	}
	container := r.Widget == form.WidgetList || r.Widget == form.WidgetMap
	opts := e.f.Options(r.Path)
	switch {
	case r.option != "":
		return begun{ask: intent.Failed(e.check(r))}
	case r.one && r.State != form.Value:
		return begun{ask: e.chooseMember(r.Path)}
	case r.Widget == form.WidgetOneOf && r.Expanded,
		len(e.f.ItemOptions(r.Path)) > 0 && !r.adds:
		e.f.Fold(r.Path, !r.Expanded)
		return begun{}
	case r.Widget == form.WidgetFold, r.Widget == form.WidgetObject,
		container && !r.adds && r.State == form.Value && r.Expandable:
		e.f.Fold(r.Path, !r.Expanded)
		return begun{}
	case r.Widget == form.WidgetMap:
		return begun{ask: e.askKey(r.Path)}
	case container: // its first row, or a further one
		at, err := e.f.AddRow(r.Path)
		if err != nil {
			return begun{ask: intent.Failed(err)}
		}
		e.f.Fold(r.Path, true)
		return begun{ask: intent.EditRow{Path: at}}
	case r.Widget == form.WidgetOneOf:
		return begun{ask: intent.Choose{Title: r.Label + ": exactly one of", Options: options(opts),
			Done: func(v string) intent.Intent {
				e.f.Fold(r.Path, true)
				return e.chooseMember(r.Path.Child(v))
			}}}
	case r.Widget == form.WidgetDocument, strings.Contains(r.Edit, "\n") && !r.Secret:
		return begun{ask: e.longText(r.Row)}
	case len(opts) > 0:
		return begun{ask: intent.Choose{Title: r.Label, Current: r.Edit, Options: options(opts),
			Free: r.Widget != form.WidgetChoice,
			Done: func(v string) intent.Intent { return intent.Failed(e.f.SetText(r.Path, v)) }}}
	}
	return e.text(i, 0)
}

// chooseMember gives the member at a path in place of the others, of which one may be given.
func (e *formEditor) chooseMember(p form.Path) intent.Intent {
	names := p.Names()
	in := p[:strings.LastIndexByte(string(p), '/')]
	if err := e.f.ChooseMember(in, names[len(names)-1]); err != nil {
		return intent.Failed(err)
	}
	e.f.Fold(p, true)
	return intent.EditRow{Path: p}
}

// options are texts to choose from.
func options(values []string) []intent.Option {
	out := make([]intent.Option, len(values))
	for i, v := range values {
		out[i] = intent.Option{Title: v, Value: v}
	}
	return out
}

// longText edits a text of several lines.
func (e *formEditor) longText(r form.Row) intent.Intent {
	return intent.EditText{Title: r.Label, Text: r.Edit, Note: r.Doc,
		Done: func(v string) intent.Intent { return intent.Failed(e.f.SetText(r.Path, v)) }}
}

func (e *formEditor) askKey(p form.Path) intent.Intent {
	return intent.Choose{Title: "Name of the new key", Free: true, Done: func(key string) intent.Intent {
		if _, err := e.f.AddKey(p, key); err != nil {
			return intent.Failed(err)
		}
		e.f.Fold(p, true)
		return intent.EditRow{Path: p.Child(key)}
	}}
}

func (e *formEditor) set(i, _ int, t string) string {
	r, ok := e.row(i)
	if !ok {
		return ""
	}
	if err := e.f.SetText(r.Path, t); err != nil {
		return err.Error()
	}
	return ""
}

func (e *formEditor) fold(i int) {
	if r, ok := e.row(i); ok && r.Expandable {
		e.f.Fold(r.Path, !r.Expanded)
	}
}

// find returns the row of a path, otherwise when it is not visible.
func (e *formEditor) find(p form.Path, otherwise int) int {
	for i, r := range e.rows() {
		if r.Path == p && !r.adds && r.option == "" {
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
		if !r.adds && r.option == "" {
			at[r.Path] = i
		}
	}
	e.note = ""
	var out []problem
	for _, p := range e.f.Problems() {
		if p.Warning {
			e.note = p.String()
			continue
		}
		row, shown := at[p.Path]
		if !shown || p.Path == "" {
			row = -1
		}
		out = append(out, problem{row: row, text: p.String()})
	}
	return out
}
