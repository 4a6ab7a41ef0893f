package local

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// Check tests the credentials of a target with the cheapest call that the
// catalog knows: the marked one, else the first list that needs no params. The
// error is set only when there is nothing to test; failed calls are a result.
func (c *Client) Check(ctx context.Context, t client.Target) (client.Check, error) {
	k, err := c.cfg.Catalog.Kind(t.Kind)
	if err != nil {
		return client.Check{}, err
	}
	e, a := probeOf(k)
	if a == nil {
		return client.Check{Status: "skipped", Message: "the catalog knows no call of " + k.Name + " that needs no params"}, nil
	}
	op := client.Operation{Entity: e.Name, Action: a.Name, Params: probeParams(a, c.t.Now())}
	env, err := c.Execute(ctx, t, op)
	result := client.EntityCheck{Entity: e.Name, Status: "succeeded"}
	if err == nil {
		result.HTTPStatus = env.Status
		result.Message = fmt.Sprintf("%s %s answered", a.Name, e.Name)
		return client.Check{Status: result.Status, Message: result.Message, Entities: []client.EntityCheck{result}}, nil
	}
	failed := client.AsError(err)
	result.Status, result.HTTPStatus = verdict(failed.Class), failed.Status
	result.Message, result.Next = failed.Error(), failed.Next
	return client.Check{Status: result.Status, Message: result.Message, Entities: []client.EntityCheck{result}}, nil
}

// verdict says what a failed probe means for the credentials.
func verdict(class client.Class) string {
	switch class {
	case client.ClassCanceled:
		return "cancelled"
	case client.ClassRateLimited, client.ClassUpstream, client.ClassNetwork, client.ClassTimeout, client.ClassTLS:
		return "inconclusive"
	}
	return "failed"
}

// probeOf chooses the action that a check runs.
func probeOf(k *catalog.Kind) (*catalog.Entity, *catalog.Action) {
	var entity *catalog.Entity
	var action *catalog.Action
	for i := range k.Entities {
		e := &k.Entities[i]
		for j := range e.Actions {
			a := &e.Actions[j]
			switch {
			case a.Binding == nil || a.Writes():
			case a.Binding.Probe:
				return e, a
			case action == nil && a.Name == catalog.ActionList && needsNothing(a):
				entity, action = e, a
			}
		}
	}
	return entity, action
}

func needsNothing(a *catalog.Action) bool {
	for i := range a.Params {
		if f := &a.Params[i]; f.Required && !f.Send && f.Inject == nil && f.Default == nil {
			return false
		}
	}
	return true
}

// probeParams are what the binding says, the defaults of required params, and
// the smallest page.
func probeParams(a *catalog.Action, now time.Time) json.RawMessage {
	var body jsonBody
	probe := rawjson.Parse(a.Binding.ProbeParams)
	for m := range probe.Members() {
		value := m.Value
		if value.Kind() == rawjson.String {
			value = rawjson.Parse(rawjson.AppendQuoted(nil, catalog.ProbeTime(value.Text(), now)))
		}
		body.put(m.Key(), nil, value)
	}
	for i := range a.Params {
		f := &a.Params[i]
		if _, given := probe.Get(f.Name); given {
			continue
		}
		switch {
		case f.Required && f.Default != nil && !f.Send && f.Inject == nil:
			body.put(f.Name, nil, rawjson.Parse(f.Default))
		case f.Name == pageOf(a).Size && f.Accepts("integer"):
			body.put(f.Name, nil, rawjson.Parse([]byte(smallest(f))))
		}
	}
	return body.bytes()
}

func smallest(f *catalog.Field) string {
	if f.Min != nil && *f.Min > 1 {
		return fmt.Sprintf("%.0f", *f.Min)
	}
	return "1"
}

// pageOf is the page rule of an action, for texts; never nil.
func pageOf(a *catalog.Action) *catalog.Page {
	if a.Page == nil {
		return &catalog.Page{}
	}
	return a.Page
}
