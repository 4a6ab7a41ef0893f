package pane

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"patchbay/client/form"
	"patchbay/client/search"
	"patchbay/ui/text"
)

// NoSet says why the param of a dotted name cannot get a value; "" when it can.
func (r *Request) NoSet(name, value string) string {
	if value == "" {
		return "a value is missing behind " + text.Sanitize(name)
	}
	f, ok := r.ed.(*formEditor)
	if r.action.Param(name) != nil || ok && f.free && !strings.Contains(name, ".") {
		return ""
	}
	return fmt.Sprintf("%s has no param %s; tab completes their names", r.action.Name, text.Sanitize(name))
}

// Set gives the param of a dotted name a value, as if typed; the error says why
// that cannot be.
func (r *Request) Set(name, value string) error {
	if reason := r.NoSet(name, value); reason != "" {
		return errors.New(reason)
	}
	if r.Editing() {
		r.StopEditing()
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
		return fmt.Errorf("%s cannot be %s", name, text.Sanitize(value))
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
