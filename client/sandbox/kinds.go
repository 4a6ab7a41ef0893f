package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// ownWrites are writes that the facts of a kind cannot say, by kind, entity and
// action. They return the record they wrote, or the JSON value of the answer.
var ownWrites = map[string]func(*operation) any{
	"issue_tracker.issues.create":            addIssue,
	"issue_tracker.issues.update":            changesIssue(updateIssue),
	"issue_tracker.issues.delete":            deleteIssue,
	"issue_tracker.issues_assignee.update":   changesIssue(assignIssue),
	"issue_tracker.issue_transitions.create": changesIssue(updateIssue),
	"issue_tracker.issue_links.create":       linkIssues,

	"notes_workspace.blocks.create": appendBlocks,

	"payments.payment_intents.create": createIntent,
	"payments.subscriptions.create":   subscribe,
	"payments.refunds.create":         refund,
}

// finishes complete the records of an entity once they are all there, by kind and entity.
var finishes = map[string]func(*data.Table){"issue_tracker.issues": linkSubtasks}

// appendBlocks adds children to a block and answers with them.
func appendBlocks(op *operation) any {
	list := []any{}
	children, _ := op.params.Value("children").([]any)
	for _, child := range children {
		r := op.blank()
		r.Obj.Set("object", "block")
		if given, isObject := child.(*rawjson.Map); isObject {
			for i, k := range given.Keys {
				r.Obj.Set(k, rawjson.CloneValue(given.Vals[i]))
			}
		}
		op.d.table(op.e.Name).Insert(r)
		list = append(list, r.Obj)
	}
	return list
}

// createIntent creates a payment intent, in the state to which its params lead.
func createIntent(op *operation) any {
	confirm, method := op.params.Value("confirm") == true, op.params.Value("payment_method")
	set := rawjson.NewMap("status", "requires_payment_method")
	switch {
	case confirm && method == nil:
		panic(refuseField(http.StatusBadRequest, "", "invalid_state",
			"A payment intent is confirmed with a payment_method; none was given."))
	case confirm:
		set = rawjson.NewMap("status", "succeeded", "amount_received", op.params.Value("amount"))
	case method != nil:
		set.Set("status", "requires_confirmation")
	}
	return op.createWith(set)
}

// createWith creates a record of the params, and sets further fields of it.
func (op *operation) createWith(set *rawjson.Map) *data.Record {
	r := op.create(catalog.SandboxWrite{})
	for i, name := range set.Keys {
		r.Obj.Set(name, set.Vals[i])
	}
	return r
}

// subscribe creates a subscription, with a trial where one is asked for.
func subscribe(op *operation) any {
	set := rawjson.NewMap("status", "active")
	if days, _ := data.Int(op.params.Value("trial_period_days")); days > 0 {
		now := op.d.now().Unix()
		set = rawjson.NewMap("status", "trialing", "trial_start", now, "trial_end", now+days*86400)
	}
	if list, isList := op.params.Value("items").([]any); isList {
		set.Set("items", rawjson.NewMap("object", "list", "data", list, "has_more", false,
			"url", "/v1/subscription_items"))
	}
	op.params.Remove("items")
	return op.createWith(set)
}

// refund gives back what is left of a charge, or a part of it.
func refund(op *operation) any {
	charges, id, intent := op.d.table("charges"), op.params.Text("charge"), op.params.Text("payment_intent")
	i := slices.IndexFunc(charges.Rows, func(r *data.Record) bool {
		return id != "" && r.Obj.Text("id") == id || id == "" && intent != "" && r.Obj.Text("payment_intent") == intent
	})
	if i < 0 {
		panic(refuseParam(http.StatusBadRequest, "charge", "resource_missing",
			"Name an existing charge, or a payment_intent that has one."))
	}
	charge := charges.Rows[i]
	whole, _ := data.Int(charge.Obj.Value("amount"))
	back, _ := data.Int(charge.Obj.Value("amount_refunded"))
	refunded := charge.Obj.Value("refunded") == true
	amount, given := data.Int(op.params.Value("amount"))
	if !given {
		amount = whole - back
	}
	if amount <= 0 || amount > whole-back || refunded {
		panic(refuseField(http.StatusBadRequest, "", "invalid_state",
			"The charge has %d left to refund; %d is not possible.", whole-back, amount))
	}
	r := op.createWith(rawjson.NewMap("charge", charge.Obj.Value("id"), "amount", amount,
		"currency", charge.Obj.Value("currency"), "status", "succeeded"))
	charge.Obj.Set("amount_refunded", back+amount)
	charge.Obj.Set("refunded", back+amount == whole)
	charges.Touch(charge)
	return r
}

func fieldsOf(r *data.Record) *rawjson.Map { return objectIn(r.Obj, "fields") }

// linkSubtasks makes every eleventh issue a subtask of the one after it.
func linkSubtasks(t *data.Table) {
	for i := 5; i+1 < len(t.Rows); i += 11 {
		child, parent := t.Rows[i], t.Rows[i+1]
		f, of := fieldsOf(child), objectIn(fieldsOf(parent), "project")
		f.Set("issuetype", rawjson.NewMap("id", "10005", "name", "Sub-task"))
		f.Set("project", of)
		child.Obj.Set("key", of.Text("key")+"-"+strconv.Itoa(len(t.Rows)-child.N))
		link(parent, child)
	}
}

// link makes r a subtask of parent.
func link(parent, r *data.Record) {
	of, f := fieldsOf(parent), fieldsOf(r)
	f.Set("parent", rawjson.NewMap("id", parent.Obj.Value("id"), "key", parent.Obj.Value("key")))
	list, _ := of.Value("subtasks").([]any)
	of.Set("subtasks", append(list, rawjson.NewMap("id", r.Obj.Value("id"), "key", r.Obj.Value("key"),
		"fields", rawjson.NewMap("summary", f.Value("summary")))))
}

// addIssue adds an issue to a project, as a subtask when it has a parent.
func addIssue(op *operation) any {
	given, issues, projects := objectIn(op.params, "fields"), op.d.table("issues"), op.d.table("projects")
	wanted, above := objectIn(given, "project"), objectIn(given, "parent")
	project := cmp.Or(projects.Find(wanted.Text("id")), projects.Find(wanted.Text("key")))
	if project == nil {
		panic(refuseParam(http.StatusBadRequest, "fields.project", "invalid_project",
			"No project has this id or key; list the projects to see which there are."))
	}
	parent := issues.Find(above.Text("key") + above.Text("id"))
	if above != nil && parent == nil {
		panic(refuseParam(http.StatusBadRequest, "fields.parent", "invalid_parent",
			"The parent issue does not exist."))
	}
	r := op.blank()
	op.fill(r, op.d.factsOf(op.e).Writes[op.a.Name].Defaults)
	r.Obj.Set("key", project.Obj.Text("key")+"-"+strconv.Itoa(op.d.count(op.e)-r.N))
	op.setFields(fieldsOf(r), given)
	applyOperations(fieldsOf(r), objectIn(op.params, "update"))
	fieldsOf(r).Set("project", rawjson.NewMap("id", project.Obj.Value("id"), "key", project.Obj.Value("key"),
		"name", project.Obj.Value("name")))
	if parent != nil {
		link(parent, r)
		issues.Touch(parent)
	}
	issues.Insert(r)
	return r
}

// setFields sets only the fields that are given; null empties one.
func (op *operation) setFields(f, given *rawjson.Map) {
	if given == nil {
		return
	}
	for i, k := range given.Keys {
		v := rawjson.CloneValue(given.Vals[i])
		if o, isObject := v.(*rawjson.Map); isObject {
			switch k {
			case "assignee", "reporter":
				v = op.account(o)
			case "priority", "issuetype":
				v = op.completed(k, o)
			}
		}
		f.Set(k, v)
	}
	f.Set("updated", op.d.stamp(op.d.now().UTC()))
}

// account is the user with the account id; null unassigns.
func (op *operation) account(o *rawjson.Map) any {
	id := o.Value("accountId")
	if id == nil {
		return nil
	}
	if u := op.d.table("users").Find(rawjson.TextOf(id)); u != nil {
		return rawjson.NewMap("accountId", u.Obj.Value("accountId"), "displayName", u.Obj.Value("displayName"),
			"emailAddress", u.Obj.Value("emailAddress"), "active", true)
	}
	return rawjson.NewMap("accountId", id, "displayName", nil, "active", true)
}

// completed finds the whole value that an id or a name stands for, in another issue.
func (op *operation) completed(field string, o *rawjson.Map) any {
	for _, r := range op.d.table("issues").Rows {
		whole := objectIn(fieldsOf(r), field)
		if whole != nil && (o.Text("name") == whole.Text("name") || o.Text("id") == whole.Text("id")) {
			return whole.Clone()
		}
	}
	return o
}

// issue is the issue that the params name.
func (op *operation) issue() *data.Record {
	const param = "issueIdOrKey"
	r := op.d.table("issues").Find(op.params.Text(param))
	if r == nil {
		panic(refuseParam(http.StatusNotFound, param, "not_found",
			"Issue does not exist or you do not have permission to see it: %q.", op.params.Text(param)))
	}
	return r
}

// changesIssue is a write that changes the fields of the issue that the params name.
func changesIssue(write func(op *operation, f *rawjson.Map)) func(*operation) any {
	return func(op *operation) any {
		r := op.issue()
		write(op, fieldsOf(r))
		op.d.table("issues").Touch(r)
		if op.params.Value("returnIssue") == true {
			return r.Obj
		}
		return &rawjson.Map{}
	}
}

// updateIssue sets fields and runs a transition, where they are given. Each
// transition leads to the state that the kind's facts tell.
func updateIssue(op *operation, f *rawjson.Map) {
	op.setFields(f, objectIn(op.params, "fields"))
	applyOperations(f, objectIn(op.params, "update"))
	move := objectIn(op.params, "transition")
	if move == nil {
		return
	}
	state := op.d.facts.Draws["state"+move.Text("id")]
	if state == nil {
		panic(refuseParam(http.StatusBadRequest, "transition", "invalid_transition",
			"No transition has the id %q; list the issue's transitions.", move.Text("id")))
	}
	f.Set("status", constant(state))
	f.Set("resolution", constant(op.d.facts.Draws["resolution"+move.Text("id")]))
}

// deleteIssue removes an issue; one with subtasks only together with them.
func deleteIssue(op *operation) any {
	r, issues := op.issue(), op.d.table("issues")
	subtasks, _ := fieldsOf(r).Value("subtasks").([]any)
	if len(subtasks) > 0 && op.params.Value("deleteSubtasks") != true {
		panic(refuseParam(http.StatusBadRequest, "deleteSubtasks", "has_subtasks",
			"The issue has %d subtasks and cannot be deleted unless deleteSubtasks is true.", len(subtasks)))
	}
	for _, s := range subtasks {
		if child := issues.Find(s.(*rawjson.Map).Text("id")); child != nil {
			issues.Drop(child)
		}
	}
	if parent := issues.Find(objectIn(fieldsOf(r), "parent").Text("id")); parent != nil {
		list, _ := fieldsOf(parent).Value("subtasks").([]any)
		fieldsOf(parent).Set("subtasks", slices.DeleteFunc(slices.Clone(list), func(s any) bool {
			o, _ := s.(*rawjson.Map)
			return o.Text("id") == r.Obj.Text("id")
		}))
		issues.Touch(parent)
	}
	issues.Drop(r)
	return nil
}

// assignIssue gives an issue to an account; null, or no account, unassigns.
func assignIssue(op *operation, f *rawjson.Map) {
	id := op.params.Value("accountId")
	if id != nil && op.d.table("users").Find(rawjson.TextOf(id)) == nil {
		panic(refuseParam(http.StatusBadRequest, "accountId", "invalid_account", "No user has the account id %q.",
			rawjson.TextOf(id)))
	}
	op.setFields(f, rawjson.NewMap("assignee", rawjson.NewMap("accountId", id)))
}

// linkIssues links two issues; both must exist.
func linkIssues(op *operation) any {
	for _, side := range []string{"inwardIssue", "outwardIssue"} {
		o := objectIn(op.params, side)
		if id := o.Text("key") + o.Text("id"); op.d.table("issues").Find(id) == nil {
			panic(refuseParam(http.StatusNotFound, side, "not_found", "No issue is called %q.", id))
		}
	}
	return &rawjson.Map{}
}
