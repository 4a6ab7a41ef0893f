package sandbox

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	"patchbay/catalog"
)

// specialFields holds the makers of fields whose meaning their name and type do
// not tell; it is filled on first use.
var specialFields struct {
	once sync.Once
	all  map[string]func(*maker, *catalog.Field) any
}

// special finds a maker by "kind.entity.field"; "*" stands for every entity of the kind.
func special(name string) func(*maker, *catalog.Field) any {
	specialFields.once.Do(func() { specialFields.all = merge(trackerFields(), hostingFields(), otherFields(), noteFields()) })
	return specialFields.all[name]
}

type fieldMakers = map[string]func(*maker, *catalog.Field) any

func merge(tables ...fieldMakers) fieldMakers {
	all := fieldMakers{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

func trackerFields() fieldMakers {
	return fieldMakers{
		"issue_tracker.projects.key": func(m *maker, _ *catalog.Field) any { return projectKey(m.n) },
		"issue_tracker.issues.key": func(m *maker, _ *catalog.Field) any {
			return projectKey(m.issueProject()) + "-" + m.number()
		},
		"issue_tracker.issues.fields":          (*maker).issueFields,
		"issue_tracker.users.displayName":      func(m *maker, _ *catalog.Field) any { return m.p.name() },
		"issue_tracker.users.accountType":      func(*maker, *catalog.Field) any { return "atlassian" },
		"issue_tracker.users.accountId":        accountID,
		"issue_tracker.issue_comments.body":    func(m *maker, _ *catalog.Field) any { return document(m.r.prose()) },
		"issue_tracker.issue_worklogs.comment": func(m *maker, _ *catalog.Field) any { return document(m.r.prose()) },
		"issue_tracker.*.author":               (*maker).tracked,
		"issue_tracker.*.updateAuthor":         (*maker).tracked,
		"issue_tracker.*.lead":                 (*maker).tracked,
		"issue_tracker.*.issueId":              func(m *maker, _ *catalog.Field) any { return m.hidden().value("issueIdOrKey") },
		"issue_tracker.issue_transitions.id":   func(m *maker, _ *catalog.Field) any { return strconv.Itoa(11 + 10*(m.n%len(transitions))) },
		"issue_tracker.issue_transitions.name": func(m *maker, _ *catalog.Field) any { return transitions[m.n%len(transitions)] },
	}
}

func hostingFields() fieldMakers {
	return fieldMakers{
		"code_hosting.repositories.name":          func(m *maker, _ *catalog.Field) any { return m.r.slug() + "-" + strconv.Itoa(m.n) },
		"code_hosting.repositories.owner":         func(m *maker, _ *catalog.Field) any { return newObject("login", m.owner()) },
		"code_hosting.repositories.nameWithOwner": func(m *maker, _ *catalog.Field) any { return m.owner() + "/" + asText(m.d.peek(m.e, m.n, "name")) },
		"code_hosting.repositories.primaryLanguage": func(m *maker, _ *catalog.Field) any {
			return newObject("name", m.r.pick([]string{"Go", "Python", "TypeScript", "Rust", "Java"}))
		},
		"code_hosting.repositories.defaultBranchRef": func(*maker, *catalog.Field) any { return newObject("name", "main") },
		"code_hosting.repositories.licenseInfo":      func(m *maker, _ *catalog.Field) any { return newObject("name", "MIT License", "spdxId", "MIT") },
		"code_hosting.repositories.repositoryTopics": func(m *maker, _ *catalog.Field) any {
			nodes := []any{}
			for _, t := range m.r.tags() {
				nodes = append(nodes, newObject("topic", newObject("name", t)))
			}
			return newObject("nodes", nodes)
		},
		"code_hosting.*.author":    func(m *maker, _ *catalog.Field) any { return newObject("login", m.login()) },
		"code_hosting.*.creator":   func(m *maker, _ *catalog.Field) any { return newObject("login", m.login()) },
		"code_hosting.*.mergedBy":  func(m *maker, _ *catalog.Field) any { return newObject("login", m.login()) },
		"code_hosting.*.assignees": func(m *maker, _ *catalog.Field) any { return newObject("nodes", []any{newObject("login", m.login())}) },
		"code_hosting.*.labels":    (*maker).labelNodes,
		"code_hosting.*.milestone": func(m *maker, _ *catalog.Field) any {
			return newObject("title", m.r.label(), "number", int64(1+m.r.below(20)))
		},
		"code_hosting.*.comments": totalCount, "code_hosting.*.commits": totalCount, "code_hosting.*.reviews": totalCount, "code_hosting.*.issues": totalCount,
		"code_hosting.*.pullRequests": totalCount, "code_hosting.*.repositories": totalCount, "code_hosting.*.members": totalCount, "code_hosting.*.followers": totalCount,
		"code_hosting.*.following": totalCount, "code_hosting.*.teams": totalCount, "code_hosting.*.membersWithRole": totalCount, "code_hosting.*.starredRepositories": totalCount,
		"code_hosting.*.number":            func(m *maker, _ *catalog.Field) any { return int64(m.d.count(m.e) - m.n) },
		"code_hosting.users.login":         func(m *maker, _ *catalog.Field) any { return userLogin(m.n) },
		"code_hosting.organizations.login": func(m *maker, _ *catalog.Field) any { return organizationLogin(m.n) },
		"code_hosting.viewer.login":        func(*maker, *catalog.Field) any { return userLogin(0) },
		"code_hosting.labels.name":         func(m *maker, _ *catalog.Field) any { return labelName(m.n) },
		"code_hosting.branches.name": func(m *maker, _ *catalog.Field) any {
			if m.n == 0 {
				return "main"
			}
			return "feature/" + m.r.slug() + "-" + strconv.Itoa(m.n)
		},
		"code_hosting.tags.name":              func(m *maker, _ *catalog.Field) any { return versionTag(m) },
		"code_hosting.releases.tagName":       func(m *maker, _ *catalog.Field) any { return versionTag(m) },
		"code_hosting.commits.oid":            func(m *maker, _ *catalog.Field) any { return m.r.chars(hexadecimals, 40) },
		"code_hosting.directory_content.name": func(m *maker, _ *catalog.Field) any { return m.r.slug() + "-" + strconv.Itoa(m.n) + ".go" },
		"code_hosting.directory_content.path": func(m *maker, _ *catalog.Field) any { return "src/" + asText(m.d.peek(m.e, m.n, "name")) },
		"code_hosting.directory_content.type": func(m *maker, _ *catalog.Field) any { return m.r.pick([]string{"blob", "blob", "tree"}) },
	}
}

func otherFields() fieldMakers {
	return fieldMakers{
		"marketplace_seller.reports.reportType": func(m *maker, _ *catalog.Field) any {
			return m.r.pick([]string{"GET_MERCHANT_LISTINGS_ALL_DATA", "GET_MERCHANT_LISTINGS_ALL_DATA", "GET_FLAT_FILE_OPEN_LISTINGS_DATA", "GET_FBA_INVENTORY_AGED_DATA"})
		},
		"crm.*.attributes":                    func(m *maker, _ *catalog.Field) any { return m.attributes() },
		"marketplace_seller.*.MarketplaceId":  func(*maker, *catalog.Field) any { return "ATVPDKIKX0DER" },
		"marketplace_seller.*.marketplaceIds": func(*maker, *catalog.Field) any { return []any{"ATVPDKIKX0DER"} },
		"ecommerce_marketing.*.attributes": func(m *maker, f *catalog.Field) any {
			o := m.attributes()
			for i := range f.Members {
				if !o.has(f.Members[i].Name) {
					o.set(f.Members[i].Name, m.value(&f.Members[i], 1))
				}
			}
			return o
		},
		"email_delivery.templates.generation": func(m *maker, _ *catalog.Field) any { return m.r.pick([]string{"legacy", "dynamic"}) },
		"work_board.items.state":              recordState,
		"work_board.boards.state":             recordState,
		"work_board.workspaces.state":         recordState,
		"work_board.boards.updated_at":        func(m *maker, f *catalog.Field) any { return writeTime("", f, m.updated) },
		"team_wiki.spaces.key":                func(m *maker, _ *catalog.Field) any { return projectKey(m.n) },
		"team_wiki.pages.status": func(m *maker, _ *catalog.Field) any {
			return m.r.pick([]string{"current", "current", "current", "archived", "trashed", "draft"})
		},
		"team_wiki.blog_posts.status": func(m *maker, _ *catalog.Field) any {
			return m.r.pick([]string{"current", "current", "draft", "trashed"})
		},
		"recruiting.applications.status": func(m *maker, _ *catalog.Field) any {
			return m.r.pick([]string{"active", "active", "rejected", "hired"})
		},
		"recruiting.applications.jobs": func(m *maker, _ *catalog.Field) any {
			to := m.d.entity("jobs")
			n := m.r.skewed(m.d.count(to))
			return []any{newObject("id", m.d.peek(to, n, "id"), "name", m.d.peek(to, n, "name"))}
		},
		"usage_billing.subscriptions.status": func(m *maker, _ *catalog.Field) any {
			return m.r.pick([]string{"active", "active", "ended", "upcoming"})
		},
		"email_campaign.lists.date_created": func(m *maker, f *catalog.Field) any { return writeTime("", f, m.created) },
		"social_advertising.ad_accounts.account_id": func(m *maker, _ *catalog.Field) any {
			return strings.TrimPrefix(asText(m.d.peek(m.e, m.n, "id")), "act_")
		},
	}
}

func noteFields() fieldMakers {
	return fieldMakers{
		"payments.balance.object": func(*maker, *catalog.Field) any { return "balance" },
		"payments.payment_intents.status": func(m *maker, _ *catalog.Field) any {
			return m.r.pick([]string{"succeeded", "requires_payment_method", "requires_confirmation", "requires_capture", "canceled", "processing"})
		},
		"notes_workspace.*.request_id": func(m *maker, _ *catalog.Field) any { return m.r.uuid() },
		"notes_workspace.*.object":     func(m *maker, _ *catalog.Field) any { return singular(m.e.Name) },
		"notes_workspace.pages.parent": func(*maker, *catalog.Field) any { return newObject("type", "workspace", "workspace", true) },
		"notes_workspace.pages.properties": func(m *maker, _ *catalog.Field) any {
			return newObject("title", newObject("id", "title", "type", "title", "title", richText(m.titleText())))
		},
		"notes_workspace.data_sources.title": func(m *maker, _ *catalog.Field) any { return richText(m.titleText()) },
		"notes_workspace.comments.rich_text": func(m *maker, _ *catalog.Field) any { return richText(m.r.prose()) },
		"notes_workspace.blocks.type":        func(*maker, *catalog.Field) any { return "paragraph" },
		"notes_workspace.blocks.paragraph": func(m *maker, _ *catalog.Field) any {
			return newObject("rich_text", richText(m.r.prose()), "color", "default")
		},
		"crm.opportunities.StageName": func(m *maker, _ *catalog.Field) any {
			return m.r.pick([]string{"Prospecting", "Qualification", "Negotiation", "Closed Won", "Closed Lost"})
		},
		"crm.sobjects.name": func(m *maker, _ *catalog.Field) any { return "Object" + strconv.Itoa(m.n) + "__c" },
	}
}

var transitions = []string{"To Do", "In Progress", "In Review", "Done"}

func recordState(m *maker, _ *catalog.Field) any {
	return m.r.pick([]string{"active", "active", "active", "archived", "deleted"})
}

func totalCount(m *maker, _ *catalog.Field) any {
	return newObject("totalCount", int64(m.r.below(300)))
}

func versionTag(m *maker) string {
	n := m.d.count(m.e) - m.n
	return fmt.Sprintf("v%d.%d.%d", n/100, n/10%10, n%10)
}

func userLogin(n int) string {
	return strings.ToLower(firstNames[n%len(firstNames)]) + "-" + strconv.Itoa(n)
}

func organizationLogin(n int) string {
	name := strings.ReplaceAll(strings.ToLower(companies[n%len(companies)]), " ", "-")
	if n < len(companies) {
		return name
	}
	return name + "-" + strconv.Itoa(n)
}

func labelName(n int) string {
	if n < len(tagWords) {
		return tagWords[n]
	}
	return tagWords[n%len(tagWords)] + "-" + strconv.Itoa(n)
}

// owner of a repository: a few users and organizations own them all.
func (m *maker) owner() string {
	r := random{hash(m.seed, "owner")}
	if r.chance(50) {
		return organizationLogin(r.skewed(4))
	}
	return userLogin(r.skewed(4))
}

func (m *maker) login() string { return userLogin(m.r.skewed(12)) }

func (m *maker) labelNodes(*catalog.Field) any {
	nodes := []any{}
	for range m.r.below(3) {
		nodes = append(nodes, newObject("name", labelName(m.r.skewed(len(tagWords))), "color", m.r.chars(hexadecimals, 6)))
	}
	return newObject("nodes", nodes)
}

func richText(s string) []any {
	return []any{newObject("type", "text", "text", newObject("content", s, "link", nil), "plain_text", s, "href", nil)}
}

// document is a text as a structured document of the issue tracker.
func document(s string) *object {
	return newObject("type", "doc", "version", int64(1), "content",
		[]any{newObject("type", "paragraph", "content", []any{newObject("type", "text", "text", s)})})
}

// projectKey gives the first projects readable keys and the rest a letter code.
func projectKey(n int) string {
	named := []string{"PROJ", "OPS", "WEB", "API", "MOB", "DATA", "SEC", "DOCS", "BILL", "CORE"}
	if n < len(named) {
		return named[n]
	}
	return "P" + string(rune('A'+n/26%26)) + string(rune('A'+n%26)) + strconv.Itoa(n/676)
}

func accountID(m *maker, _ *catalog.Field) any { return "5f" + m.r.chars(hexadecimals, 22) }

// tracked is a user of the issue tracker, as nested in its records.
func (m *maker) tracked(*catalog.Field) any {
	return m.trackedUser(m.r.skewed(40))
}

func (m *maker) trackedUser(n int) *object {
	e := m.d.entity("users")
	if e == nil {
		return m.person()
	}
	o := newObject("accountId", m.d.peek(e, n, "accountId"), "displayName", m.d.peek(e, n, "displayName"))
	if mail := m.d.peek(e, n, "emailAddress"); mail != nil {
		o.set("emailAddress", mail)
	}
	o.set("active", true)
	return o
}

func (m *maker) issueProject() int {
	r := random{hash(m.seed, "project")}
	return r.skewed(10)
}

var (
	issueTypes    = []string{"Task", "Bug", "Story", "Epic", "Sub-task"}
	issuePriority = []string{"Medium", "High", "Low", "Highest", "Lowest"}
	issueStatus   = []string{"To Do", "In Progress", "In Review", "Done"}
)

func ranked(names []string, i int) *object {
	return newObject("id", strconv.Itoa(10001+i), "name", names[i])
}

// issueFields are the fields of an issue of the issue tracker.
func (m *maker) issueFields(*catalog.Field) any {
	layout := timeLayout("issue_tracker")
	status := m.r.below(len(issueStatus))
	project := m.issueProject()
	o := newObject("summary", m.titleText(), "issuetype", ranked(issueTypes, m.r.below(4)), "created", m.created.Format(layout), "updated", m.updated.Format(layout))
	o.set("project", newObject("id", m.d.peek(m.d.entity("projects"), project, "id"), "key", projectKey(project), "name", m.d.peek(m.d.entity("projects"), project, "name")))
	o.set("reporter", m.trackedUser(m.r.skewed(40)))
	o.set("assignee", nil)
	if m.r.chance(75) {
		o.set("assignee", m.trackedUser(m.r.skewed(40)))
	}
	o.set("priority", ranked(issuePriority, m.pickEnum(len(issuePriority))))
	o.set("status", newObject("id", strconv.Itoa(10000+status), "name", issueStatus[status], "statusCategory", newObject("key", []string{"new", "indeterminate", "indeterminate", "done"}[status], "name", issueStatus[status])))
	o.set("labels", m.r.tags())
	o.set("description", document(m.r.prose()))
	o.set("duedate", nil)
	if m.r.chance(30) {
		o.set("duedate", m.created.Add(time.Duration(m.r.between(3, 90))*24*time.Hour).Format(time.DateOnly))
	}
	o.set("resolution", nil)
	if status == 3 {
		o.set("resolution", newObject("id", "10000", "name", "Done"))
	}
	o.set("subtasks", []any{})
	o.set("parent", nil)
	return o
}

// linkSubtasks makes every eleventh issue a subtask of the one after it.
func linkSubtasks(t *table) {
	for i := 5; i+1 < len(t.rows); i += 11 {
		child, parent := t.rows[i], t.rows[i+1]
		cf, pf := child.obj.value("fields").(*object), parent.obj.value("fields").(*object)
		cf.set("issuetype", ranked(issueTypes, 4))
		cf.set("project", pf.value("project"))
		child.obj.set("key", asText(pf.value("project").(*object).value("key"))+"-"+strconv.Itoa(len(t.rows)-child.n))
		cf.set("parent", newObject("id", parent.obj.value("id"), "key", parent.obj.value("key")))
		pf.set("subtasks", []any{newObject("id", child.obj.value("id"), "key", child.obj.value("key"), "fields", newObject("summary", cf.value("summary")))})
	}
}

// drifts names the two entities whose records leave the documented schema, so
// that a view of differences has something to show: the charges of payments
// (a new field, one amount in ten as text) and the incidents of incident_management
// (a new field, has_debrief missing in one of twelve).
func drifts(kind, entity string) bool {
	return kind == "payments" && entity == "charges" || kind == "incident_management" && entity == "incidents"
}

func addDrift(m *maker, r *record) {
	switch {
	case m.e.Name == "charges":
		r.obj.set("risk_band", m.r.pick([]string{"low", "elevated", "high"}))
		if m.n%10 == 9 {
			r.obj.set("amount_refunded", asText(r.obj.value("amount_refunded")))
		}
	case m.e.Name == "incidents":
		r.obj.set("escalation_tier", int64(1+m.n%3))
		if m.n%12 == 11 {
			r.obj.remove("has_debrief")
		}
	}
}
