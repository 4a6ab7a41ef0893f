package pane

import (
	"encoding/json"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/form"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Request is what is asked: connector, entity, action and its params, as a
// form or as JSON.
type Request struct {
	now       func() time.Time
	connector client.Connector
	kind      *catalog.Kind
	entity    *catalog.Entity
	action    *catalog.Action
	ed        editor

	scroll  Scroll
	cell    int
	field   *input.Field // the cell being edited
	before  string       // its text before the editing
	problem string       // what is wrong with the text being typed
	json    *jsonText    // the JSON view; nil shows the form
	width   int
}

// NewRequest returns an empty pane.
func NewRequest(now func() time.Time) *Request { return &Request{now: now} }

// Open shows the form of an action, filled with params when they are given. It
// returns why the params could not be taken.
func (r *Request) Open(c client.Connector, k *catalog.Kind, e *catalog.Entity, a *catalog.Action, params json.RawMessage) string {
	*r = Request{now: r.now, connector: c, kind: k, entity: e, action: a, scroll: Scroll{Height: r.scroll.Height}, width: r.width}
	if a.Name == catalog.ActionContextStoreSearch {
		r.ed = newSearchEditor(e, r.now)
	} else {
		r.ed = newFormEditor(a, r.now)
	}
	if len(params) == 0 {
		return ""
	}
	if err := r.ed.setParams(params); err != nil {
		return err.Error()
	}
	return ""
}

// OpenFields shows the form of any fields, such as those of a connector to add.
func (r *Request) OpenFields(fields []catalog.Field) {
	*r = Request{now: r.now, scroll: Scroll{Height: r.scroll.Height}, width: r.width, ed: newFieldsEditor(fields, r.now)}
}

// FillDefaults puts the catalog's defaults into fields of a form, so that they are seen and sent.
func (r *Request) FillDefaults(paths ...form.Path) {
	if e, ok := r.ed.(*formEditor); ok {
		for _, p := range paths {
			e.f.FillDefault(p)
		}
	}
}

// Fill puts text into a field of a form, as if typed.
func (r *Request) Fill(p form.Path, t string) {
	if e, ok := r.ed.(*formEditor); ok {
		_ = e.f.SetText(p, t) // what is wrong with it stands beside the field
	}
}

// Problem is the first reason not to send what the form holds; "" when there is
// none. The cursor goes to its row.
func (r *Request) Problem() string {
	if r.json != nil && r.json.bad != "" {
		return r.json.bad
	}
	if list := r.ed.problems(); len(list) > 0 {
		if list[0].row >= 0 {
			r.scroll.Cursor = list[0].row
		}
		return list[0].text
	}
	return ""
}

// Close empties the pane.
func (r *Request) Close() { *r = Request{now: r.now, scroll: Scroll{Height: r.scroll.Height}} }

// HasAction tells whether an action is open.
func (r *Request) HasAction() bool { return r.action != nil }

// Connector, Kind, Entity and Action are what is open.
func (r *Request) Connector() client.Connector { return r.connector }

// Kind is the catalog's kind of the connector; nil without an action.
func (r *Request) Kind() *catalog.Kind { return r.kind }

// Entity is the open entity; nil without an action.
func (r *Request) Entity() *catalog.Entity { return r.entity }

// Action is the open action; nil without one.
func (r *Request) Action() *catalog.Action { return r.action }

// Place is the connector and the names of entity and action.
func (r *Request) Place() (client.Connector, string, string) {
	if r.action == nil {
		return client.Connector{}, "", ""
	}
	return r.connector, r.entity.Name, r.action.Name
}

// Params are the params as they stand.
func (r *Request) Params() json.RawMessage {
	if r.ed == nil {
		return nil
	}
	return r.ed.params()
}

// SetParams replaces the params.
func (r *Request) SetParams(p json.RawMessage) error { return r.ed.setParams(p) }

// Operation returns what would be sent, and the first reason not to send it.
func (r *Request) Operation() (client.Operation, string) {
	op := client.Operation{Entity: r.entity.Name, Action: r.action.Name, Params: r.ed.params()}
	return op, r.Problem()
}

// Reset empties the form.
func (r *Request) Reset() {
	if r.ed != nil {
		r.Open(r.connector, r.kind, r.entity, r.action, nil)
	}
}

// Wants is how many lines the pane would like to have.
func (r *Request) Wants() int {
	switch {
	case r.ed == nil:
		return 3
	case r.json != nil:
		return len(r.json.rows) + 1
	}
	return len(r.ed.lines()) + 1 + r.headerRows() + r.jsonBelow()
}

// Fit tells the pane its size.
func (r *Request) Fit(w, h int) {
	r.width = w
	n := 0
	if r.ed != nil && r.json == nil {
		n = len(r.ed.lines())
	}
	r.scroll.Fit(n, max(h-r.headerRows(), 1))
}

// header is what stands above the rows: a broken rule across params, and what
// else is to be known before sending.
func (r *Request) header(s *style.Styles, w int) []string {
	var out []string
	if p := r.rule(); p != "" {
		out = append(out, " "+s.Error.Render(text.Truncate("! "+p, w-2)))
	}
	if n := r.ed.notice(); n != "" {
		out = append(out, " "+s.Warning.Render(text.Truncate("note: "+n, w-2)))
	}
	return out
}

// rule is the first broken rule that belongs to no row.
func (r *Request) rule() string {
	for _, p := range r.ed.problems() {
		if p.row < 0 {
			return p.text
		}
	}
	return ""
}

// headerRows is the number of lines above the rows.
func (r *Request) headerRows() int {
	if r.ed == nil || r.json != nil {
		return 0
	}
	n := 0
	if r.rule() != "" {
		n++
	}
	if r.ed.notice() != "" {
		n++
	}
	return n
}

// Menu lists what can be done with the row under the cursor; Pick does it.
func (r *Request) Menu() []intent.Option {
	if r.ed == nil || r.json != nil {
		return nil
	}
	return r.ed.menu(r.scroll.Cursor)
}

// Pick does one of the things that Menu listed.
func (r *Request) Pick(option string) intent.Intent {
	row, in := r.ed.choose(r.scroll.Cursor, option)
	r.scroll.Cursor = row
	r.clamp()
	return in
}

// Refers names the entity whose key the row under the cursor takes; "" without one.
func (r *Request) Refers() string {
	if r.ed == nil || r.json != nil {
		return ""
	}
	return r.ed.target(r.scroll.Cursor)
}

// SetCell puts text into the cell under the cursor, as if typed.
func (r *Request) SetCell(t string) intent.Intent {
	if p := r.ed.set(r.scroll.Cursor, r.cell, t); p != "" {
		return intent.Say{Text: p, Bad: true}
	}
	return nil
}

// PutChosen puts a chosen id into the field under the cursor; a list gets it as a further row.
func (r *Request) PutChosen(id string) intent.Intent {
	if e, ok := r.ed.(*formEditor); ok {
		if err := e.put(r.scroll.Cursor, id); err != nil {
			return intent.Say{Text: err.Error(), Bad: true}
		}
		return nil
	}
	return r.SetCell(id)
}

// Paste puts pasted text into the field being edited. Outside a field, a whole
// JSON object or a call that read understands fills the form.
func (r *Request) Paste(s string, read func(string) (json.RawMessage, string, error)) intent.Intent {
	switch {
	case r.ed == nil:
		return intent.Say{Text: "choose an action first, then paste its params", Bad: true}
	case r.json != nil && r.json.editing:
		r.json.insert(r, s)
		return nil
	case r.field != nil:
		r.field.Paste(s)
		r.problem = r.ed.check(r.scroll.Cursor, r.cell, r.field.Value())
		return nil
	}
	params, note, err := read(s)
	if err != nil {
		return intent.Say{Text: err.Error(), Bad: true}
	}
	if err := r.ed.setParams(params); err != nil {
		return intent.Say{Text: err.Error(), Bad: true}
	}
	r.json = nil
	return intent.Say{Text: note}
}

// SetText replaces the params by edited JSON text; wrong text is kept in the JSON view.
func (r *Request) SetText(s string) intent.Intent {
	if r.ed == nil {
		return nil
	}
	if r.json == nil {
		r.json = newJSONText(r)
	}
	r.json.set(withoutRemarks(s))
	if !r.json.apply(r) {
		return intent.Say{Text: r.json.bad + "; e opens it again with this as a comment, enter edits it here", Bad: true}
	}
	r.json = nil
	return intent.Say{Text: "params taken from the editor"}
}

// remark begins a line of the editor's file that patchbay wrote and takes out again.
const remark = "// patchbay: "

// withoutRemarks takes out what patchbay wrote above the JSON.
func withoutRemarks(s string) string {
	for strings.HasPrefix(s, remark) {
		_, s, _ = strings.Cut(s, "\n")
	}
	return s
}

// Text is the params as indented JSON, for an editor. Text that could not be
// read is given back as it was, below the reason.
func (r *Request) Text() string {
	if r.json != nil && r.json.bad != "" {
		return remark + r.json.bad + "\n" + strings.Join(r.json.rows, "\n")
	}
	return indented(r.Params())
}

// ToggleJSON switches between the form and its JSON.
func (r *Request) ToggleJSON() intent.Intent {
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
