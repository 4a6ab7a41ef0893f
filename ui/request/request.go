// Package request is the pane that says what is asked: connector, entity, action
// and params, as a form or as JSON. What a form is, is client/form and client/search;
// here it is drawn and edited. It imports no other pane, no overlay, no feature.
package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/form"
	"patchbay/client/search"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
	"patchbay/ui/undo"
)

// Pane is what is asked: connector, entity, action and its params, as a
// form or as JSON.
type Pane struct {
	now       func() time.Time
	connector client.Connector
	kind      *catalog.Kind
	entity    *catalog.Entity
	action    *catalog.Action
	ed        editor

	scroll  input.Scroll
	cell    int
	field   *input.Field // the cell being edited
	before  string       // its text before the editing
	opened  draft        // what the pane held before the editing
	sure    bool         // only what the field knows can be typed
	grown   bool         // the row came to be for the editing
	problem string       // what is wrong with the text being typed
	dragged dragged
	refused refused
	json    *jsonText // the JSON view; nil shows the form
	width   int
	undo    undo.Stack[draft]
	// filled reports which params the connector's own configuration gives a value; nil
	// where nothing is known of it.
	filled func(*catalog.Field) bool
	// Loaded gives the values that the records of the page shown hold in a field of an
	// entity, to complete what is typed; nil where nothing is shown.
	Loaded func(e *catalog.Entity, field string) []string
	// off says why there can be no request at all; empty where there can.
	off string
}

// New returns an empty pane.
func New(now func() time.Time) *Pane { return &Pane{now: now} }

// Open shows the form of an action, filled with params when they are given. filled
// reports which ones the connector's own configuration gives a value; it may be nil.
// Open returns why the params could not be taken.
func (r *Pane) Open(c client.Connector, k *catalog.Kind, e *catalog.Entity, a *catalog.Action,
	params json.RawMessage, filled func(*catalog.Field) bool) string {
	if !c.Local {
		a = a.Hosted()
	}
	*r = Pane{now: r.now, off: r.off, filled: filled, connector: c, kind: k, entity: e, action: a,
		Loaded: r.Loaded, scroll: input.Scroll{Height: r.scroll.Height}, width: r.width}
	if a.Name == catalog.ActionContextStoreSearch {
		r.ed = &searchEditor{entity: e, now: r.now, loaded: r.Loaded, q: search.Query{Filter: search.Group(search.All)}}
	} else {
		o := form.Options{Now: r.now, Filled: filled}
		r.ed = newFormEditor(form.ForAction(a, o), a.ParamsUnknown || a.FreeBody)
	}
	if len(params) > 0 {
		if err := r.ed.setParams(params); err != nil {
			return err.Error()
		}
	}
	return ""
}

// OpenFields shows the form of any fields, such as those of a connector to add.
func (r *Pane) OpenFields(fields []catalog.Field) {
	*r = Pane{now: r.now, scroll: input.Scroll{Height: r.scroll.Height}, width: r.width,
		ed: newFormEditor(form.New(fields, form.Options{Now: r.now}), false)}
}

// FillDefaults puts the catalog's defaults into members of a form's object, so that
// they are seen and sent.
func (r *Pane) FillDefaults(object form.Path, members []string) {
	if e, ok := r.ed.(*formEditor); ok {
		for _, name := range members {
			e.f.FillDefault(object.Child(name))
		}
	}
}

// Fill puts text into a field of a form, as if typed.
func (r *Pane) Fill(p form.Path, t string) {
	if e, ok := r.ed.(*formEditor); ok {
		_ = e.f.SetText(p, t) // what is wrong with it stands beside the field
	}
}

// Problem is the first reason not to send what the form holds; "" when there is none.
func (r *Pane) Problem() string { return r.firstProblem().text }

// ToProblem puts the cursor on the row of the first problem, and returns it.
func (r *Pane) ToProblem() string {
	p := r.firstProblem()
	if p.row >= 0 {
		r.scroll.Cursor = p.row
	}
	return p.text
}

func (r *Pane) firstProblem() problem {
	if r.json != nil && r.json.bad != "" {
		return problem{-1, r.json.bad}
	}
	if list := r.ed.problems(); len(list) > 0 {
		return list[0]
	}
	return problem{row: -1}
}

// Close empties the pane.
func (r *Pane) Close() {
	*r = Pane{now: r.now, off: r.off, Loaded: r.Loaded, scroll: input.Scroll{Height: r.scroll.Height}}
}

// HasAction reports whether an action is open.
func (r *Pane) HasAction() bool { return r.action != nil }

// Connector, Kind, Entity and Action are what is open.
func (r *Pane) Connector() client.Connector { return r.connector }

// Kind is the catalog's kind of the connector; nil without an action.
func (r *Pane) Kind() *catalog.Kind { return r.kind }

// Entity is the open entity; nil without an action.
func (r *Pane) Entity() *catalog.Entity { return r.entity }

// Action is the open action; nil without one.
func (r *Pane) Action() *catalog.Action { return r.action }

// Place is the connector and the names of entity and action.
func (r *Pane) Place() (client.Connector, string, string) {
	if r.action == nil {
		return client.Connector{}, "", ""
	}
	return r.connector, r.entity.Name, r.action.Name
}

// Params are the params as they stand.
func (r *Pane) Params() json.RawMessage {
	if r.ed == nil {
		return nil
	}
	return r.ed.params()
}

// Values are the params as they stand, by their names.
func (r *Pane) Values() map[string]json.RawMessage {
	var v map[string]json.RawMessage
	_ = json.Unmarshal(r.Params(), &v) // params are an object or nothing
	return v
}

// SetParams replaces the params, and what was typed of them as JSON.
func (r *Pane) SetParams(p json.RawMessage) error {
	if err := r.ed.setParams(p); err != nil {
		return err
	}
	r.json = nil
	return nil
}

// Operation returns what would be sent, and the first reason not to send it.
func (r *Pane) Operation() (client.Operation, string) {
	op := client.Operation{Entity: r.entity.Name, Action: r.action.Name, Params: r.ed.params()}
	return op, r.ToProblem()
}

// Reset empties the form.
func (r *Pane) Reset() {
	if r.ed != nil {
		kept := r.undo
		r.Open(r.connector, r.kind, r.entity, r.action, nil, r.filled)
		r.undo = kept
	}
}

// Wants is how many lines the pane would like to have.
func (r *Pane) Wants() int {
	switch {
	case r.ed == nil:
		return 3
	case r.json != nil:
		return len(r.json.rows) + 1
	}
	return len(r.ed.lines()) + 1 + r.headerRows() + r.jsonBelow() + len(r.words(max(r.width, 40), &style.Styles{}))
}

// Fit tells the pane its size.
func (r *Pane) Fit(w, h int) {
	r.width = w
	r.note()
	if r.json != nil && h > 0 { // out of sight it keeps its window
		r.json.scroll.Fit(len(r.json.rows), h)
	}
	var lines []line
	if r.ed != nil {
		lines = r.ed.lines() // also behind JSON, whose title counts their problems
	}
	if r.json != nil {
		lines = nil
	}
	r.forgive()
	said := len(r.words(w-r.jsonBeside(w), &style.Styles{}))
	r.scroll.Fit(len(lines), max(h-r.headerRows()-said, 1))
	if r.field == nil || r.scroll.Cursor >= len(lines) {
		return
	}
	l := lines[r.scroll.Cursor]
	_, room, _ := l.parts(w - r.jsonBeside(w))
	if widths := l.cellWidths(room); r.cell < len(widths) {
		r.field.Fit(widths[r.cell])
	}
}

// FitSummary computes what the summary tells, which scrolls nothing: the form keeps its window.
func (r *Pane) FitSummary() {
	if r.ed != nil {
		r.ed.lines()
	}
}

// header is what stands above the rows: a broken rule across params, and what
// else should be known before sending.
func (r *Pane) header(s *style.Styles, w int) []text.Safe {
	var out []text.Safe
	if p := r.rule(); p != "" {
		out = append(out, " "+s.Error.Render(text.Truncate(text.Sanitize("! "+p), w-2)))
	}
	if n := r.ed.notice(); n != "" {
		out = append(out, " "+s.Warning.Render(text.Truncate(text.Sanitize("note: "+n), w-2)))
	}
	return out
}

// rule is the first broken rule that belongs to no row.
func (r *Pane) rule() string {
	for _, p := range r.ed.problems() {
		if p.row < 0 {
			return p.text
		}
	}
	return ""
}

// headerRows is the number of lines above the rows.
func (r *Pane) headerRows() int {
	if r.ed == nil || r.json != nil {
		return 0
	}
	return min(len(r.rule()), 1) + min(len(r.ed.notice()), 1)
}

// Refers names the entity whose key the row under the cursor takes; "" without one.
func (r *Pane) Refers() string {
	e, ok := r.ed.(*formEditor)
	if !ok || r.json != nil {
		return ""
	}
	row, _ := e.row(r.scroll.Cursor)
	return row.Ref
}

// PutChosen puts a chosen id into the field under the cursor; a list gets it as a further row.
func (r *Pane) PutChosen(id string) intent.Intent {
	e, ok := r.ed.(*formEditor)
	if !ok {
		return nil
	}
	row, _ := e.row(r.scroll.Cursor)
	at := row.Path
	if row.Widget == form.WidgetList {
		var err error
		if at, err = e.f.AddRow(at); err != nil {
			return intent.Failed(err)
		}
		e.f.Fold(row.Path, true)
	}
	return intent.Failed(e.f.SetText(at, id))
}

// Paste puts pasted text into the field being edited.
func (r *Pane) Paste(s string) intent.Intent {
	switch {
	case r.json != nil && r.json.editing:
		r.json.area.Insert(s)
		r.json.changed(r)
	case r.field != nil:
		r.field.Paste(s)
		r.changed()
	}
	return nil
}

// SetText replaces the params by edited JSON text; wrong text is kept in the JSON view.
func (r *Pane) SetText(s string) intent.Intent {
	if r.ed == nil {
		return nil
	}
	if r.json == nil {
		r.json = newJSONText(r)
	}
	for strings.HasPrefix(s, remark) {
		_, s, _ = strings.Cut(s, "\n")
	}
	r.json.set(s)
	if !r.json.apply(r) {
		return intent.Say{Bad: true,
			Text: r.json.bad + "; e opens it again with this as a comment, enter edits it here"}
	}
	r.json = nil
	return intent.Say{Text: "params taken from the editor"}
}

// remark begins a line of the editor's file that patchbay wrote and takes out again.
const remark = "// patchbay: "

// Text is the params as indented JSON, for an editor. Text that could not be
// read is given back as it was, below the reason.
func (r *Pane) Text() string {
	if r.json != nil && r.json.bad != "" {
		return remark + r.json.bad + "\n" + strings.Join(r.json.rows, "\n")
	}
	return r.indented()
}

// indented is the params as JSON over several lines.
func (r *Pane) indented() string {
	p := r.Params()
	var b bytes.Buffer
	switch {
	case len(p) == 0:
		return "{}"
	case json.Indent(&b, p, "", "  ") != nil:
		return string(p)
	}
	return b.String()
}

// ToggleJSON switches between the form and its JSON.
func (r *Pane) ToggleJSON() intent.Intent {
	if r.json == nil {
		r.json = newJSONText(r)
		return nil
	}
	if r.json.bad != "" {
		return intent.Say{Text: "The JSON is not valid yet: " + r.json.bad, Bad: true}
	}
	r.json = nil
	return nil
}

// NoSet says why the param of a dotted name cannot get a value; "" when it can.
func (r *Pane) NoSet(name, value string) string {
	if value == "" {
		return "a value is missing behind " + name
	}
	f, ok := r.ed.(*formEditor)
	if r.action.Param(name) != nil || ok && f.free && !strings.Contains(name, ".") {
		return ""
	}
	return fmt.Sprintf("%s has no param %s; tab completes their names", r.action.Name, name)
}

// Set gives the param of a dotted name a value, as if typed; the error says why
// that cannot be.
func (r *Pane) Set(name, value string) error {
	if reason := r.NoSet(name, value); reason != "" {
		return errors.New(reason)
	}
	if r.Typing() {
		r.EndTyping()
	}
	if r.json != nil {
		r.ToggleJSON()
	}
	switch e := r.ed.(type) {
	case *formEditor:
		return e.assign(name, value)
	case *searchEditor:
		return e.assign(name, value)
	}
	return nil
}

// assign sets a param, or a member of one, which is added where it is missing.
func (e *formEditor) assign(name, value string) error {
	var p form.Path
	for _, n := range strings.Split(name, ".") {
		p = p.Child(n)
	}
	return e.f.SetText(p, value)
}

// assign sets what a search has beside its conditions.
func (e *searchEditor) assign(name, value string) error {
	v := json.RawMessage(value)
	if !json.Valid(v) {
		v, _ = json.Marshal(value)
	}
	params, err := json.Marshal(map[string]json.RawMessage{"query": json.RawMessage("{}"), name: v})
	if err != nil {
		return err
	}
	q, err := search.Decode(params)
	if err != nil {
		return err
	}
	if len(q.Extra) > 0 {
		return fmt.Errorf("%s cannot be %s", name, value)
	}
	switch name {
	case "limit":
		e.q.Limit = q.Limit
	case "cursor":
		e.q.Cursor = q.Cursor
	case "fields":
		e.q.Fields = q.Fields
	default:
		return fmt.Errorf("%s is built in the form: 2 goes there", name)
	}
	return nil
}
