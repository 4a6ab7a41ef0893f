package sandbox

import (
	"net/http"
	"strconv"
)

func (op *operation) issue(param string) (*record, error) {
	id := op.params.text(param)
	r := op.d.table("issues").find(id)
	if r == nil {
		return nil, &refusal{status: http.StatusNotFound, field: "params." + param, code: "not_found", message: "Issue does not exist or you do not have permission to see it: " + strconv.Quote(id) + "."}
	}
	return r, nil
}

func issueFieldsOf(r *record) *object {
	f, _ := r.obj.value("fields").(*object)
	if f == nil {
		f = &object{}
		r.obj.set("fields", f)
	}
	return f
}

// createIssue adds an issue to a project, as a subtask when it has a parent.
func (op *operation) createIssue() (*result, error) {
	given, _ := op.params.value("fields").(*object)
	wanted, _ := given.value("project").(*object)
	projects := op.d.table("projects")
	project := projects.find(wanted.text("id"))
	if project == nil {
		project = projects.find(wanted.text("key"))
	}
	if project == nil {
		return nil, &refusal{status: http.StatusBadRequest, field: "params.fields.project", code: "invalid_project", message: "No project has this id or key; list the projects to see which there are."}
	}
	var parent *record
	if p, isObject := given.value("parent").(*object); isObject {
		if parent = op.d.table("issues").find(p.text("key") + p.text("id")); parent == nil {
			return nil, &refusal{status: http.StatusBadRequest, field: "params.fields.parent", code: "invalid_parent", message: "The parent issue does not exist."}
		}
	}
	t := op.d.table("issues")
	r := op.blank()
	number := strconv.Itoa(op.d.count(t.entity) + op.d.serial)
	key := project.obj.text("key") + "-" + number
	r.obj.set("key", key)
	m := op.d.maker(t.entity, r.n)
	m.created, m.updated = op.d.now(), op.d.now()
	f := m.issueFields(nil).(*object)
	for _, name := range []string{"assignee", "duedate", "resolution", "description"} {
		f.set(name, nil)
	}
	f.set("labels", []any{})
	f.set("priority", ranked(issuePriority, 0))
	f.set("status", newObject("id", "10000", "name", issueStatus[0], "statusCategory", newObject("key", "new", "name", "To Do")))
	r.obj.set("fields", f)
	op.setIssueFields(f, given)
	f.set("project", newObject("id", project.obj.value("id"), "key", project.obj.value("key"), "name", project.obj.value("name")))
	if parent != nil {
		link(parent, r)
		t.touch(parent)
	}
	t.insert(r)
	return op.written(r), nil
}

// link makes r a subtask of parent.
func link(parent, r *record) {
	pf, cf := issueFieldsOf(parent), issueFieldsOf(r)
	cf.set("parent", newObject("id", parent.obj.value("id"), "key", parent.obj.value("key")))
	list, _ := pf.value("subtasks").([]any)
	pf.set("subtasks", append(list, newObject("id", r.obj.value("id"), "key", r.obj.value("key"), "fields", newObject("summary", cf.value("summary")))))
}

// setIssueFields sets only the fields that are given; null empties one.
func (op *operation) setIssueFields(f, given *object) {
	if given == nil {
		return
	}
	for i, k := range given.keys {
		v := cloneValue(given.vals[i])
		if o, isObject := v.(*object); isObject {
			switch k {
			case "assignee", "reporter":
				v = op.trackedAccount(o)
			case "priority":
				v = completed(issuePriority, o)
			case "issuetype":
				v = completed(issueTypes, o)
			}
		}
		f.set(k, v)
	}
	f.set("updated", op.d.now().UTC().Format(timeLayout("issue_tracker")))
}

// trackedAccount is the user with the account id; null and -1 unassign.
func (op *operation) trackedAccount(o *object) any {
	id, has := o.get("accountId")
	if !has || id == nil {
		return nil
	}
	if u := op.d.table("users").find(asText(id)); u != nil {
		return newObject("accountId", u.obj.value("accountId"), "displayName", u.obj.value("displayName"), "emailAddress", u.obj.value("emailAddress"), "active", true)
	}
	return newObject("accountId", id, "displayName", nil, "active", true)
}

// completed finds the whole value that an id or a name stands for.
func completed(names []string, o *object) any {
	for i, n := range names {
		if o.text("name") == n || o.text("id") == strconv.Itoa(10001+i) {
			return ranked(names, i)
		}
	}
	return o
}

func (op *operation) updateIssue() (*result, error) {
	r, err := op.issue("issueIdOrKey")
	if err != nil {
		return nil, err
	}
	given, _ := op.params.value("fields").(*object)
	f := issueFieldsOf(r)
	op.setIssueFields(f, given)
	if o, isObject := op.params.value("transition").(*object); isObject {
		if err := moveIssue(f, o.text("id")); err != nil {
			return nil, err
		}
	}
	op.d.table("issues").touch(r)
	if op.params.value("returnIssue") == true {
		return &result{body: appendObject(nil, op.present(r.obj))}, nil
	}
	return &result{body: []byte("{}")}, nil
}

// moveIssue runs a transition: 11, 21, 31 and 41 lead to the four states.
func moveIssue(f *object, id string) error {
	for i := range transitions {
		if id == strconv.Itoa(11+10*i) {
			category := []string{"new", "indeterminate", "indeterminate", "done"}[i]
			f.set("status", newObject("id", strconv.Itoa(10000+i), "name", issueStatus[i], "statusCategory", newObject("key", category, "name", issueStatus[i])))
			if i == 3 {
				f.set("resolution", newObject("id", "10000", "name", "Done"))
			} else {
				f.set("resolution", nil)
			}
			return nil
		}
	}
	return &refusal{status: http.StatusBadRequest, field: "params.transition", code: "invalid_transition", message: "No transition has the id " + strconv.Quote(id) + "; list the issue's transitions."}
}

// deleteIssue removes an issue; one with subtasks only together with them.
func (op *operation) deleteIssue() (*result, error) {
	r, err := op.issue("issueIdOrKey")
	if err != nil {
		return nil, err
	}
	t := op.d.table("issues")
	subtasks, _ := issueFieldsOf(r).value("subtasks").([]any)
	if len(subtasks) > 0 && op.params.value("deleteSubtasks") != true {
		return nil, &refusal{status: http.StatusBadRequest, field: "params.deleteSubtasks", code: "has_subtasks",
			message: "The issue has " + strconv.Itoa(len(subtasks)) + " subtasks and cannot be deleted unless deleteSubtasks is true."}
	}
	for _, s := range subtasks {
		if child := t.find(s.(*object).text("id")); child != nil {
			t.drop(child)
		}
	}
	if p, isObject := issueFieldsOf(r).value("parent").(*object); isObject {
		if parent := t.find(p.text("id")); parent != nil {
			unlink(parent, r)
			t.touch(parent)
		}
	}
	t.drop(r)
	return &result{body: []byte("null")}, nil
}

func unlink(parent, r *record) {
	kept := []any{}
	list, _ := issueFieldsOf(parent).value("subtasks").([]any)
	for _, s := range list {
		if o, isObject := s.(*object); isObject && o.text("id") != r.obj.text("id") {
			kept = append(kept, s)
		}
	}
	issueFieldsOf(parent).set("subtasks", kept)
}

// assignIssue gives an issue to an account; null, or no account, unassigns.
func (op *operation) assignIssue() (*result, error) {
	r, err := op.issue("issueIdOrKey")
	if err != nil {
		return nil, err
	}
	id := op.params.value("accountId")
	if id != nil && op.d.table("users").find(asText(id)) == nil {
		return nil, &refusal{status: http.StatusBadRequest, field: "params.accountId", code: "invalid_account", message: "No user has the account id " + strconv.Quote(asText(id)) + "."}
	}
	op.setIssueFields(issueFieldsOf(r), newObject("assignee", newObject("accountId", id)))
	op.d.table("issues").touch(r)
	return &result{body: []byte("{}")}, nil
}

func (op *operation) transitionIssue() (*result, error) {
	r, err := op.issue("issueIdOrKey")
	if err != nil {
		return nil, err
	}
	f := issueFieldsOf(r)
	o, _ := op.params.value("transition").(*object)
	if err := moveIssue(f, o.text("id")); err != nil {
		return nil, err
	}
	given, _ := op.params.value("fields").(*object)
	op.setIssueFields(f, given)
	op.d.table("issues").touch(r)
	return &result{body: []byte("{}")}, nil
}

// linkIssues links two issues; both must exist.
func (op *operation) linkIssues() (*result, error) {
	for _, side := range []string{"inwardIssue", "outwardIssue"} {
		o, _ := op.params.value(side).(*object)
		if id := o.text("key") + o.text("id"); op.d.table("issues").find(id) == nil {
			return nil, &refusal{status: http.StatusNotFound, field: "params." + side, code: "not_found", message: "No issue is called " + strconv.Quote(id) + "."}
		}
	}
	return &result{body: []byte("{}")}, nil
}
