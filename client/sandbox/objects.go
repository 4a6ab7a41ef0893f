package sandbox

import (
	"strconv"
	"strings"

	"patchbay/catalog"
)

// objectByName tells names that hold an object where the declared type leaves it open.
func objectByName(n string) bool {
	return strings.HasSuffix(n, "address") && !strings.Contains(n, "email") || n == "budget" || n == "bidding" || n == "dynamicbidding" || n == "accountinfo" || n == "business" || n == "parent"
}

// namedObject makes an object of unknown members by its name.
func (m *maker) namedObject(f *catalog.Field) any {
	n := m.d.word(f.Name).normal
	switch {
	case n == "metadata", n == "customfields", n == "customdata", n == "properties", n == "eventproperties":
		return newObject("plan", m.r.pick([]string{"free", "team", "enterprise"}), "source", m.r.pick(tagWords), "order_id", m.r.chars(digits, 6))
	case strings.HasPrefix(n, "phonenumber"):
		return newObject("value", "+1555"+m.r.chars(digits, 7), "type", m.r.pick([]string{"mobile", "work", "home"}))
	case strings.HasPrefix(n, "emailaddress"):
		return newObject("value", m.p.email(m.n), "type", m.r.pick([]string{"personal", "work"}))
	case strings.HasPrefix(n, "websiteaddress"), strings.HasPrefix(n, "socialmedia"):
		return newObject("value", m.url(n), "type", m.r.pick([]string{"personal", "company"}))
	case strings.HasSuffix(n, "address"), n == "shipping":
		return m.address()
	case n == "attributes":
		return m.attributes()
	case strings.HasSuffix(n, "links"):
		return newObject("self", m.url(n))
	case isPerson(n), n == "person", n == "contact":
		return m.person()
	case n == "invoicecreditbalance", n == "available":
		return newObject(m.r.pick(currencies), int64(m.r.between(0, 60))*100)
	case strings.Contains(n, "total"), strings.Contains(n, "price"), strings.Contains(n, "tax"), strings.Contains(n, "discount"), strings.HasSuffix(n, "fee"), n == "budget":
		return newObject("Amount", strconv.FormatFloat(float64(m.r.between(500, 90000))/100, 'f', 2, 64), "CurrencyCode", strings.ToUpper(m.r.pick(currencies)))
	case strings.Contains(n, "status"), strings.Contains(n, "state"):
		return newObject("id", m.r.chars(digits, 5), "status", m.r.pick([]string{"open", "in progress", "done"}), "type", "custom")
	case n == "version":
		return newObject("number", int64(m.r.between(1, 30)), "createdAt", m.updated.Format(timeLayout(m.d.kind.Name)))
	case n == "body", n == "description", n == "comment":
		return newObject("representation", "storage", "value", "<p>"+m.r.pick(sentences)+"</p>")
	case n == "stats", n == "reportsummary":
		return newObject("open_count", int64(m.r.below(5000)), "click_count", int64(m.r.below(900)), "member_count", int64(m.r.below(20000)))
	case strings.HasSuffix(n, "urls"):
		return newObject("48x48", m.url("avatar"), "16x16", m.url("avatar"))
	}
	return newObject("id", m.r.chars(digits, 6), "name", m.r.label())
}

func (m *maker) address() *object {
	return newObject("line1", strconv.Itoa(1+m.r.below(200))+" "+m.r.pick(streets), "line2", nil, "city", m.p.city,
		"state", m.r.pick(regions), "postal_code", m.r.chars(digits, 5), "country", m.p.country)
}

func (m *maker) person() *object {
	return newObject("id", m.r.chars(digits, 6), "name", m.r.pick(firstNames)+" "+m.r.pick(lastNames), "email", m.p.email(m.n))
}

// attributes are the inner record of kinds that nest everything under that name.
func (m *maker) attributes() *object {
	stamp := func(role timeRole) string { return m.moment(role).UTC().Format("2006-01-02T15:04:05+00:00") }
	switch m.e.Name {
	case "profiles":
		return newObject("email", m.p.email(m.n), "phone_number", "+1555"+m.r.chars(digits, 7), "first_name", m.p.first, "last_name", m.p.last,
			"organization", m.p.company, "title", m.r.pick([]string{"Buyer", "Analyst", "Owner", "Manager"}), "created", stamp(timeCreated), "updated", stamp(timeUpdated),
			"location", m.address(), "properties", newObject("note", m.r.prose()))
	case "events":
		return newObject("timestamp", m.created.Unix(), "event_properties", newObject("OrderId", m.r.chars(digits, 8), "$value", float64(m.r.between(500, 90000))/100,
			"Items", m.r.tags()), "datetime", stamp(timeCreated), "uuid", m.r.uuid())
	case "campaigns":
		return newObject("name", m.name(), "status", m.r.pick([]string{"Draft", "Scheduled", "Sent", "Cancelled"}), "archived", m.r.chance(10), "channel", m.channel(),
			"send_time", stamp(timeLater), "created_at", stamp(timeCreated), "scheduled_at", stamp(timeLater), "updated_at", stamp(timeUpdated))
	case "flows":
		return newObject("name", m.name(), "status", m.r.pick([]string{"draft", "manual", "live"}), "archived", m.r.chance(10), "trigger_type", m.r.pick([]string{"Metric", "Added to List"}),
			"created", stamp(timeCreated), "updated", stamp(timeUpdated))
	case "metrics":
		return newObject("name", m.name(), "created", stamp(timeCreated), "updated", stamp(timeUpdated), "integration",
			newObject("object", "integration", "name", m.r.pick(metricSources), "category", m.r.pick([]string{"Ecommerce", "Internal", "CRM"})))
	case "email_templates":
		return newObject("name", m.name(), "editor_type", m.r.pick([]string{"CODE", "SYSTEM_DRAGGABLE"}), "html", "<p>"+m.r.prose()+"</p>", "created", stamp(timeCreated), "updated", stamp(timeUpdated))
	}
	if m.d.kind.Name == "crm" {
		return newObject("type", crmObject(m.e.Name), "url", "/services/data/v59.0/sobjects/"+crmObject(m.e.Name)+"/"+asText(m.field(fieldNamed(m.e.Record, keyField(m.e)))))
	}
	return newObject("name", m.name(), "created", stamp(timeCreated), "updated", stamp(timeUpdated), "opt_in_process", "single_opt_in")
}

var metricSources = []string{"Shopify", "API", "Klaviyo", "Zendesk"}

func (m *maker) channel() string { return m.r.pick([]string{"email", "email", "sms"}) }

// crmObject is the vendor's name of an entity's objects.
func crmObject(entity string) string {
	switch entity {
	case "content_versions":
		return "ContentVersion"
	case "opportunity_stages":
		return "OpportunityStage"
	}
	s := singular(entity)
	if s == "" {
		return "SObject"
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
