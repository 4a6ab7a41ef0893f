package sandbox

import (
	"strings"

	"patchbay/catalog"
)

// kindHandler finds the handlers of params that one kind gives a meaning of its own.
func (d *dataset) kindHandler(e *catalog.Entity, a *catalog.Action, f *catalog.Field) handler {
	if h := d.languageHandler(e, a, f); h != nil {
		return h
	}
	switch d.kind.Name + "." + e.Name + "." + f.Name {
	case "payments.subscriptions.status":
		return subscriptionStatus
	case "issue_tracker.issue_transitions.issueIdOrKey":
		return func(q *query, v any) error {
			return existing(q, "issues", "issueIdOrKey", asText(v), func(r *record) bool { return r.n >= 0 && r.n < len(transitions) })
		}
	case "issue_tracker.issue_transitions.transitionId":
		return fieldIs("id")
	case "ecommerce_marketing.campaigns.filter":
		return channelFilter
	case "notes_workspace.blocks.block_id", "notes_workspace.comments.block_id":
		return childrenOf("block_id")
	case "messaging_automation.activities.name":
		return fieldIs("data.name")
	}
	if d.kind.Name == "notes_workspace" && f.Name == "filter" {
		return objectFilter
	}
	return nil
}

// subscriptionStatus: all includes the canceled ones, ended means canceled or expired.
func subscriptionStatus(q *query, v any) error {
	switch status := asText(v); status {
	case "all":
	case "ended":
		q.where(func(r *record) bool {
			s := r.obj.text("status")
			return s == "canceled" || s == "incomplete_expired"
		})
	default:
		q.where(func(r *record) bool { return r.obj.text("status") == status })
	}
	return nil
}

func fieldIs(path string) handler {
	return func(q *query, v any) error {
		q.where(func(r *record) bool { got, _ := r.lookup(path); return equal(got, v) })
		return nil
	}
}

// existing narrows by a test when the parent record exists.
func existing(q *query, entity, param, id string, test func(*record) bool) error {
	if q.d.table(entity).find(id) == nil {
		return &refusal{status: 404, field: param, code: "not_found", message: "No record of " + entity + " is called " + id + "."}
	}
	q.where(test)
	return nil
}

// channelFilter reads equals(messages.channel,'email').
func channelFilter(q *query, v any) error {
	text := strings.ToLower(asText(v))
	for _, channel := range []string{"email", "sms"} {
		if strings.Contains(text, "'"+channel+"'") || text == channel || strings.Contains(text, `"`+channel+`"`) {
			q.where(func(r *record) bool { got, _ := at(r.obj, "attributes.channel"); return got == channel })
			return nil
		}
	}
	return &refusal{status: 400, field: "params.filter", code: "invalid_filter", message: "The filter must name a channel: equals(messages.channel,'email') or equals(messages.channel,'sms')."}
}

// childrenOf keeps what belongs to a page or block; any identifier of either is taken.
func childrenOf(param string) handler {
	return func(q *query, v any) error {
		id := asText(v)
		if q.d.table("pages").find(id) == nil && q.d.table("blocks").find(id) == nil {
			return &refusal{status: 404, field: "params." + param, code: "not_found", message: "No page or block has the id " + id + "."}
		}
		q.where(func(r *record) bool { return r.hidden.text(param) == id })
		return nil
	}
}

// objectFilter reads {property: "object", value: "page"}: what is of another
// kind than the list is filtered away.
func objectFilter(q *query, v any) error {
	o, isObject := v.(*object)
	if !isObject {
		return nil
	}
	want := o.text("value")
	q.where(func(r *record) bool { return want == "" || r.obj.text("object") == want })
	return nil
}
