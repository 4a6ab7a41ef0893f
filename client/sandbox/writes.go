package sandbox

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// ownWrite finds the writes that follow rules of their own, by "kind.entity.action".
func ownWrite(name string) func(*operation) (*result, error) {
	switch name {
	case "payments.invoices.create":
		return (*operation).draftInvoice
	case "payments.invoice_finalizations.create":
		return (*operation).finalizeInvoice
	case "payments.invoice_sends.create":
		return (*operation).sendInvoice
	case "payments.payment_intents.create":
		return (*operation).createIntent
	case "payments.payment_intent_confirmations.create":
		return (*operation).confirmIntent
	case "payments.payment_intent_cancellations.create":
		return (*operation).cancelIntent
	case "payments.subscriptions.create":
		return (*operation).subscribe
	case "payments.subscriptions.delete":
		return (*operation).cancelSubscription
	case "payments.refunds.create":
		return (*operation).refund
	case "payments.payment_method_attachments.create":
		return (*operation).attach
	case "issue_tracker.issues.create":
		return (*operation).createIssue
	case "issue_tracker.issues.update":
		return (*operation).updateIssue
	case "issue_tracker.issues.delete":
		return (*operation).deleteIssue
	case "issue_tracker.issues_assignee.update":
		return (*operation).assignIssue
	case "issue_tracker.issue_transitions.create":
		return (*operation).transitionIssue
	case "issue_tracker.issue_links.create":
		return (*operation).linkIssues
	case "notes_workspace.pages.update", "notes_workspace.blocks.update", "notes_workspace.data_sources.update":
		return (*operation).updateNote
	case "notes_workspace.blocks.create":
		return (*operation).appendBlocks
	case "messaging_automation.snippets.update":
		return (*operation).upsertSnippet
	}
	return nil
}

// wrongState refuses a write that the record's state does not allow.
func wrongState(format string, args ...any) error {
	return &refusal{status: http.StatusBadRequest, code: "invalid_state", message: fmt.Sprintf(format, args...)}
}

func (op *operation) draftInvoice() (*result, error) {
	if err := op.checkReferences(); err != nil {
		return nil, err
	}
	r := op.blank()
	for _, p := range []struct {
		name string
		v    any
	}{{"status", "draft"}, {"collection_method", "charge_automatically"}, {"currency", "usd"}, {"auto_advance", false}, {"billing_reason", "manual"}} {
		r.obj.set(p.name, p.v)
	}
	op.apply(r, "")
	op.d.table(op.e.Name).insert(r)
	return op.written(r), nil
}

// finalizeInvoice opens a draft: it gets its number and can be paid.
func (op *operation) finalizeInvoice() (*result, error) {
	r, err := op.find("id")
	if err != nil {
		return nil, err
	}
	if s := r.obj.text("status"); s != "draft" {
		return nil, wrongState("This invoice is %s; only a draft can be finalized.", s)
	}
	op.openInvoice(r)
	return op.written(r), nil
}

func (op *operation) openInvoice(r *record) {
	r.obj.set("status", "open")
	r.obj.set("number", "SBX-"+strconv.Itoa(1000+op.d.serial))
	r.obj.set("effective_at", op.d.second())
	if v, given := op.params.get("auto_advance"); given {
		r.obj.set("auto_advance", v)
	}
	op.stamp(r)
}

// sendInvoice mails an open invoice; a draft is finalized on the way.
func (op *operation) sendInvoice() (*result, error) {
	r, err := op.find("id")
	if err != nil {
		return nil, err
	}
	switch s := r.obj.text("status"); s {
	case "draft":
		op.openInvoice(r)
	case "open":
	default:
		return nil, wrongState("This invoice is %s; only a draft or an open invoice can be sent.", s)
	}
	return op.written(r), nil
}

func (op *operation) createIntent() (*result, error) {
	if err := op.checkIntentReferences(); err != nil {
		return nil, err
	}
	r := op.blank()
	status := "requires_payment_method"
	if op.params.value("payment_method") != nil {
		status = "requires_confirmation"
	}
	op.apply(r, "")
	if op.params.value("confirm") == true {
		if status == "requires_payment_method" {
			return nil, wrongState("A payment intent is confirmed with a payment_method; none was given.")
		}
		status = "succeeded"
		r.obj.set("amount_received", op.params.value("amount"))
	}
	r.obj.set("status", status)
	op.d.table(op.e.Name).insert(r)
	return op.written(r), nil
}

func (op *operation) checkIntentReferences() error {
	if id := op.params.text("customer"); id != "" && op.d.table("customers").find(id) == nil {
		return &refusal{status: http.StatusBadRequest, field: "params.customer", code: "resource_missing", message: "No such customer: '" + id + "'."}
	}
	return nil
}

func (op *operation) confirmIntent() (*result, error) {
	r, err := op.find("id")
	if err != nil {
		return nil, err
	}
	switch s := r.obj.text("status"); s {
	case "requires_payment_method", "requires_confirmation", "requires_action":
	default:
		return nil, wrongState("This payment intent is %s and cannot be confirmed.", s)
	}
	if m := op.params.value("payment_method"); m != nil {
		r.obj.set("payment_method", m)
	}
	r.obj.set("status", "succeeded")
	r.obj.set("amount_received", r.obj.value("amount"))
	op.stamp(r)
	return op.written(r), nil
}

func (op *operation) cancelIntent() (*result, error) {
	r, err := op.find("id")
	if err != nil {
		return nil, err
	}
	if s := r.obj.text("status"); s == "succeeded" || s == "canceled" {
		return nil, wrongState("This payment intent is %s and cannot be canceled.", s)
	}
	r.obj.set("status", "canceled")
	op.stamp(r)
	return op.written(r), nil
}

func (op *operation) subscribe() (*result, error) {
	if err := op.checkReferences(); err != nil {
		return nil, err
	}
	r, now := op.blank(), op.d.second()
	r.obj.set("status", "active")
	if days, given := asInt(op.params.value("trial_period_days")); given && days > 0 {
		r.obj.set("status", "trialing")
		r.obj.set("trial_start", now)
		r.obj.set("trial_end", now+days*86400)
	}
	items := op.params.value("items")
	op.params.remove("items")
	op.apply(r, "")
	if list, isList := items.([]any); isList {
		r.obj.set("items", newObject("object", "list", "data", list, "has_more", false, "url", "/v1/subscription_items"))
	}
	op.d.table(op.e.Name).insert(r)
	return op.written(r), nil
}

// cancelSubscription ends a subscription; it stays readable as canceled.
func (op *operation) cancelSubscription() (*result, error) {
	r, err := op.find("id")
	if err != nil {
		return nil, err
	}
	if r.obj.text("status") == "canceled" {
		return nil, wrongState("This subscription is canceled already.")
	}
	r.obj.set("status", "canceled")
	r.obj.set("canceled_at", op.d.second())
	r.obj.set("ended_at", op.d.second())
	op.stamp(r)
	return op.written(r), nil
}

// refund gives back what is left of a charge, or a part of it.
func (op *operation) refund() (*result, error) {
	charges := op.d.table("charges")
	var charge *record
	for _, c := range charges.rows {
		if id := op.params.text("charge"); id != "" && c.obj.text("id") == id || id == "" && c.obj.text("payment_intent") == op.params.text("payment_intent") {
			charge = c
			break
		}
	}
	if charge == nil || op.params.text("charge")+op.params.text("payment_intent") == "" {
		return nil, &refusal{status: http.StatusBadRequest, field: "params.charge", code: "resource_missing", message: "Name an existing charge, or a payment_intent that has one."}
	}
	whole, _ := asInt(charge.obj.value("amount"))
	back, _ := asInt(charge.obj.value("amount_refunded"))
	if charge.obj.value("refunded") != true && back >= whole {
		back = 0
	}
	amount, given := asInt(op.params.value("amount"))
	if !given {
		amount = whole - back
	}
	if amount <= 0 || amount > whole-back || charge.obj.value("refunded") == true {
		return nil, wrongState("The charge has %d left to refund; %d is not possible.", whole-back, amount)
	}
	r := op.blank()
	op.apply(r, "")
	r.obj.set("charge", charge.obj.value("id"))
	r.obj.set("amount", amount)
	r.obj.set("currency", charge.obj.value("currency"))
	r.obj.set("status", "succeeded")
	charge.obj.set("amount_refunded", back+amount)
	charge.obj.set("refunded", back+amount == whole)
	charges.touch(charge)
	op.d.table(op.e.Name).insert(r)
	return op.written(r), nil
}

// attach gives a payment method to a customer.
func (op *operation) attach() (*result, error) {
	customer := op.d.table("customers").find(op.params.text("customer"))
	if customer == nil {
		return nil, &refusal{status: http.StatusBadRequest, field: "params.customer", code: "resource_missing", message: "No such customer: '" + op.params.text("customer") + "'."}
	}
	r := op.blank()
	r.obj.set("id", op.params.value("id"))
	r.obj.set("customer", customer.obj.value("id"))
	op.d.table(op.e.Name).insert(r)
	return op.written(r), nil
}

// updateNote changes a page, block or data source. archived and in_trash are
// two names of one state: either moves and restores.
func (op *operation) updateNote() (*result, error) {
	key := op.d.keyParam(op.d.base(op.e.Name), op.a)
	r, err := op.find(key)
	if err != nil {
		return nil, err
	}
	if inner, isObject := op.params.value("properties").(*object); isObject && op.e.Name == "pages" {
		if held, isHeld := r.obj.value("properties").(*object); isHeld {
			merged := held.clone()
			for i, k := range inner.keys {
				merged.set(k, inner.vals[i])
			}
			op.params.set("properties", merged)
		}
	}
	op.apply(r, key)
	for _, name := range []string{"archived", "in_trash"} {
		if v, given := op.params.get(name); given {
			r.obj.set("archived", v)
			r.obj.set("in_trash", v)
			if r.obj.has("is_archived") {
				r.obj.set("is_archived", v)
			}
		}
	}
	return op.written(r), nil
}

// appendBlocks adds children to a block and answers with them.
func (op *operation) appendBlocks() (*result, error) {
	list := []any{}
	children, _ := op.params.value("children").([]any)
	for _, c := range children {
		r := op.blank()
		r.obj.set("object", "block")
		if given, isObject := c.(*object); isObject {
			for i, k := range given.keys {
				r.obj.set(k, cloneValue(given.vals[i]))
			}
		}
		op.d.table(op.e.Name).insert(r)
		list = append(list, r.obj)
	}
	return &result{body: appendObject(nil, newObject("object", "list", "results", list, "next_cursor", nil, "has_more", false, "type", "block"))}, nil
}

// upsertSnippet changes the snippet of that name, or adds it.
func (op *operation) upsertSnippet() (*result, error) {
	t := op.d.table(op.e.Name)
	for _, r := range t.rows {
		if strings.EqualFold(r.obj.text("name"), op.params.text("name")) {
			op.apply(r, "name")
			return op.written(r), nil
		}
	}
	return op.create()
}
