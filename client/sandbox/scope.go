package sandbox

import (
	"encoding/json"
	"slices"
	"strings"

	"patchbay/catalog"
)

// reference is the entity and field that another entity's field points at.
type reference struct {
	entity *catalog.Entity
	field  string
}

// scope is a param that names what the records of a list belong to, where the
// record itself does not tell.
type scope struct {
	param  string
	parent reference // entity nil when nothing in the catalog has such records
}

// reference finds what a record field points at: told by the catalog, or by the
// field's name being that of an entity.
func (d *dataset) reference(e *catalog.Entity, f *catalog.Field) reference {
	id := e.Name + "." + f.Name
	ref, ok := d.fks[id]
	if !ok {
		ref = d.findReference(e, f)
		d.fks[id] = ref
	}
	return ref
}

func (d *dataset) findReference(e *catalog.Entity, f *catalog.Field) reference {
	if ref := d.toldReference(e.Name, f); ref.entity != nil {
		return ref
	}
	if f.Type == "boolean" || f.Type == "number" || f.Format != "" || roleOf(f.Name) != notTime || f.Type == "array" {
		return reference{}
	}
	n := normal(f.Name)
	stem := strings.TrimSuffix(n, "id")
	object := strings.HasPrefix(f.Type, "object")
	if stem == n && !object && (d.kind.Name != "payments" || !strings.Contains(f.Type, "string")) {
		return reference{}
	}
	ref := d.namedReference(e, stem)
	if ref.entity == nil && isPerson(stem) {
		ref = d.namedReference(e, "user")
	}
	if ref.entity != nil && object && ref.entity.Name == "users" && len(f.Members) == 0 && d.kind.Name == "code_hosting" {
		return reference{}
	}
	return ref
}

// toldReference follows the catalog's own word about a field or param.
func (d *dataset) toldReference(entity string, f *catalog.Field) reference {
	if f.Ref != "" {
		name, field, _ := strings.Cut(f.Ref, ".")
		if to := d.base(name); to != nil && to.Name != entity {
			if field == "" {
				field = keyField(to)
			}
			return reference{to, field}
		}
	}
	for _, rel := range d.kind.Relations {
		if rel.From == entity && rel.Field == f.Name {
			if to := d.base(rel.To); to != nil {
				key := rel.Key
				if key == "" {
					key = keyField(to)
				}
				return reference{to, key}
			}
		}
	}
	return reference{}
}

// namedReference finds the entity whose singular name the stem is.
func (d *dataset) namedReference(e *catalog.Entity, stem string) reference {
	if stem == "" {
		return reference{}
	}
	for i := range d.kind.Entities {
		to := &d.kind.Entities[i]
		if normal(singular(to.Name)) == stem && to.Name != e.Name && len(to.Record) > 0 && d.base(to.Name) == to {
			return reference{to, keyField(to)}
		}
	}
	return reference{}
}

func isPerson(stem string) bool {
	switch stem {
	case "owner", "author", "creator", "manager", "assignee", "recruiter", "coordinator", "lead", "user", "primaryuser", "createdby", "lastmodifiedby",
		"updatedby", "revieweduser", "revieweruser", "lastowner", "spaceowner", "lasteditedby", "updater", "updateauthor":
		return true
	}
	return false
}

// scopesOf lists the params of an entity's list and get that its records do not answer themselves.
func (d *dataset) scopesOf(e *catalog.Entity) []scope {
	if s, ok := d.scopes[e.Name]; ok {
		return s
	}
	d.scopes[e.Name] = nil
	var out []scope
	for i := range d.kind.Entities {
		view := &d.kind.Entities[i]
		if d.base(view.Name) != e {
			continue
		}
		for j := range view.Actions {
			out = d.addScopes(out, e, &view.Actions[j])
		}
	}
	d.scopes[e.Name] = out
	return out
}

func (d *dataset) addScopes(out []scope, e *catalog.Entity, a *catalog.Action) []scope {
	if a.Name != catalog.ActionList && a.Name != catalog.ActionGet {
		return out
	}
	for i := range a.Params {
		p := &a.Params[i]
		if !p.Required || !scoping(p) || a.Name == catalog.ActionGet && p.Name == d.keyParam(e, a) {
			continue
		}
		if _, ok := d.recordField(e, p.Name); ok || hasScope(out, p.Name) {
			continue
		}
		out = append(out, scope{p.Name, d.paramReference(e, p)})
	}
	return out
}

func hasScope(scopes []scope, param string) bool {
	for _, s := range scopes {
		if s.param == param {
			return true
		}
	}
	return false
}

// scoping tells params that name a parent from those that ask something.
func scoping(p *catalog.Field) bool {
	if p.Type == "object" || p.Type == "array" || p.Type == "boolean" || p.In == "body" || len(p.Enum) > 0 || p.Format == "jql" {
		return false
	}
	switch p.Name {
	case "q", "query", "jql", "filter", "start", "end", "from", "to", "fields", "m", "ad_reached_countries", "path", "ref":
		return false
	}
	return !constantHeader(p) && !strings.HasPrefix(strings.ToLower(p.Name), "marketplaceids")
}

func constantHeader(p *catalog.Field) bool {
	return p.In == "header" || strings.HasPrefix(p.Name, "Amazon-")
}

// paramReference finds the records that a scoping param names.
func (d *dataset) paramReference(e *catalog.Entity, p *catalog.Field) reference {
	if ref := d.toldReference(e.Name, p); ref.entity != nil {
		return ref
	}
	switch d.kind.Name + "." + p.Name {
	case "code_hosting.owner", "code_hosting.repo":
		return reference{d.entity("repositories"), "name"}
	case "code_hosting.username":
		return reference{d.entity("users"), "login"}
	case "code_hosting.org":
		return reference{d.entity("organizations"), "login"}
	case "error_tracking.organization_slug":
		return reference{}
	case "error_tracking.project_slug":
		return reference{d.entity("projects"), "slug"}
	}
	return d.namedReference(e, strings.TrimSuffix(strings.TrimSuffix(normal(p.Name), "id"), "idorkey"))
}

// openScope tells params that take names which a person makes up (an owner, an
// organisation): the service answers for any of them.
func openScope(s scope) bool {
	switch s.param {
	case "owner", "repo", "org", "username", "organization_slug", "project_slug":
		return true
	}
	return s.parent.entity == nil
}

// hidden makes what the record belongs to: a parent for the innermost scope,
// and the parent's own scopes for the outer ones.
func (m *maker) hidden() *object {
	scopes := m.d.scopesOf(m.e)
	if len(scopes) == 0 {
		return nil
	}
	o := &object{}
	for i := len(scopes) - 1; i >= 0; i-- {
		if s := scopes[i]; !o.has(s.param) {
			m.belong(o, s, scopes)
		}
	}
	return o
}

func (m *maker) belong(o *object, s scope, scopes []scope) {
	m.r.state = hash(m.seed, "scope", s.param)
	if s.parent.entity == nil || s.parent.entity == m.e {
		o.set(s.param, defaultScope(s.param))
		return
	}
	n := m.r.skewed(m.d.count(s.parent.entity))
	if s.param == "owner" || s.param == "repo" {
		o.set("repo", m.d.peek(s.parent.entity, n, "name"))
		login, _ := at(m.d.peek(s.parent.entity, n, "owner"), "login")
		o.set("owner", login)
		return
	}
	o.set(s.param, m.d.peek(s.parent.entity, n, s.parent.field))
	if hasScope(m.d.scopesOf(s.parent.entity), s.param) {
		return
	}
	for _, outer := range m.d.scopesOf(s.parent.entity) {
		if hasScope(scopes, outer.param) && !o.has(outer.param) {
			o.set(outer.param, m.d.peekHidden(s.parent.entity, n, outer.param))
		}
	}
}

func (d *dataset) peekHidden(e *catalog.Entity, n int, param string) any {
	if h := d.maker(e, n).hidden(); h != nil {
		return h.value(param)
	}
	return nil
}

// defaultScope is the value that a scope without records of its own has.
func defaultScope(param string) any {
	switch param {
	case "organization_slug":
		return "acme"
	case "team_id", "workspace_id":
		return "9010000001"
	}
	return "1"
}

// keyParam is the param by which an action names one record.
func (d *dataset) keyParam(e *catalog.Entity, a *catalog.Action) string {
	key, last := normal(keyField(e)), ""
	one := normal(singular(e.Name))
	for i := range a.Params {
		p := &a.Params[i]
		if !p.Required || p.In == "body" || p.Type == "object" || p.Type == "array" || constantHeader(p) {
			continue
		}
		ref, _, _ := strings.Cut(p.Ref, ".")
		switch n := normal(p.Name); n {
		case key, "id", one + "id", one + "idorkey", one:
			return p.Name
		default:
			if ref == e.Name {
				return p.Name
			}
		}
		last = p.Name
	}
	return last
}

// paramFields are params whose record field has another name.
var paramFields = map[string]string{
	"code_hosting.repositories.username": "owner", "code_hosting.repositories.org": "owner", "code_hosting.repositories.repo": "name",
	"code_hosting.branches.branch": "name", "code_hosting.commits.sha": "oid", "code_hosting.releases.tag": "tagName", "code_hosting.tags.tag": "name",
	"code_hosting.users.username": "login", "code_hosting.organizations.org": "login", "code_hosting.teams.team_slug": "slug",
	"code_hosting.projects.project_number": "number", "code_hosting.issues.issue_number": "number", "code_hosting.comments.issue_number": "number",
	"error_tracking.projects.project_slug": "slug", "error_tracking.releases.version": "version", "error_tracking.events.event_id": "eventID",
	"issue_tracker.issues.issueIdOrKey": "id", "issue_tracker.projects.projectIdOrKey": "id", "issue_tracker.issue_comments.commentId": "id",
	"issue_tracker.projects.typeKey": "projectTypeKey", "issue_tracker.issue_worklogs.worklogId": "id",
	"recruiting.applications.job_id": "jobs.id", "usage_billing.subscriptions.customer_id": "customer.id",
	"usage_billing.subscriptions.external_customer_id": "customer.external_customer_id",
	"usage_billing.invoices.customer_id":               "customer.id", "usage_billing.invoices.external_customer_id": "customer.external_customer_id",
	"usage_billing.invoices.subscription_id": "subscription.id", "email_campaign.campaigns.list_id": "recipients.list_id",
	"email_campaign.campaigns.folder_id": "settings.folder_id", "email_campaign.list_members.subscriber_hash": "id",
	"email_campaign.reports.campaign_id": "id", "social_advertising.ad_accounts.account_id": "account_id",
	"marketplace_seller.catalog_items.asin": "asin", "task_management.tasks.list_id": "list.id",
	"task_management.view_tasks.view_id": "",
}

// recordField finds the record field that a param speaks of.
func (d *dataset) recordField(e *catalog.Entity, param string) (string, bool) {
	if path, ok := paramFields[d.kind.Name+"."+e.Name+"."+param]; ok {
		return path, path != ""
	}
	n := normal(param)
	for _, candidate := range []string{n, strings.TrimSuffix(n, "id"), n + "id", normal(singular(strings.TrimSuffix(n, "[]"))), normal(singular(n)) + "id", "is" + n, strings.TrimSuffix(n, "only")} {
		if candidate == "" {
			continue
		}
		for i := range e.Record {
			if normal(e.Record[i].Name) == candidate {
				return e.Record[i].Name, true
			}
		}
	}
	if (n == normal(singular(e.Name))+"id" || n == "ids") && !d.relates(e.Name, param) {
		return keyField(e), true
	}
	return "", false
}

// relates tells whether a param names records of another entity.
func (d *dataset) relates(entity, param string) bool {
	for _, rel := range d.kind.Relations {
		if rel.From == entity && rel.Field == param && rel.To != entity {
			return true
		}
	}
	return false
}

// enumOf are the values of a record field that the params of the entity's
// actions tell where the record itself does not.
func (d *dataset) enumOf(e *catalog.Entity, name string) []json.RawMessage {
	id := e.Name + "." + name
	if values, known := d.enums[id]; known {
		return values
	}
	var values []json.RawMessage
	for i := range e.Actions {
		for j := range e.Actions[i].Params {
			values = moreValues(values, d, e, &e.Actions[i].Params[j], name)
		}
	}
	d.enums[id] = values
	return values
}

func moreValues(values []json.RawMessage, d *dataset, e *catalog.Entity, p *catalog.Field, name string) []json.RawMessage {
	enum := p.Enum
	if len(enum) == 0 && p.Items != nil {
		enum = p.Items.Enum
	}
	if path, found := d.recordField(e, p.Name); !found || path != name || len(enum) == 0 || p.In == "body" && len(values) > 0 {
		return values
	}
	for _, v := range enum {
		if text := strings.ToLower(string(v)); text != `""` && text != `"all"` && !slices.ContainsFunc(values, func(have json.RawMessage) bool { return strings.EqualFold(string(have), string(v)) }) {
			values = append(values, v)
		}
	}
	return values
}
