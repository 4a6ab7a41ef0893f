package sandbox

import (
	"fmt"
	"strconv"
	"strings"

	"patchbay/catalog"
)

// textRule makes texts of fields whose normalised name it matches.
type textRule struct {
	match func(n string) bool
	make  func(m *maker, n string) any
}

func named(names ...string) func(string) bool {
	return func(n string) bool {
		for _, s := range names {
			if n == s {
				return true
			}
		}
		return false
	}
}

func ends(suffixes ...string) func(string) bool {
	return func(n string) bool {
		for _, s := range suffixes {
			if strings.HasSuffix(n, s) {
				return true
			}
		}
		return false
	}
}

func holds(parts ...string) func(string) bool {
	return func(n string) bool {
		for _, s := range parts {
			if strings.Contains(n, s) {
				return true
			}
		}
		return false
	}
}

// text makes a text by the field's format, then its name.
func (m *maker) text(f *catalog.Field) any {
	if v, ok := m.formatted(f); ok {
		return v
	}
	w := m.d.word(f.Name)
	if w.role != notTime {
		return writeTime(m.d.kind.Name, f, m.moment(w.role))
	}
	if list := m.wordsFor(w); list != nil {
		return m.r.pick(list)
	}
	if w.rule != nil {
		return w.rule(m, w.normal)
	}
	return m.r.label()
}

func (m *maker) formatted(f *catalog.Field) (any, bool) {
	switch f.Format {
	case "uuid":
		return m.r.uuid(), true
	case "email":
		return m.p.email(m.n), true
	case "uri", "url":
		return m.url(normal(f.Name)), true
	case "date", "date-time", "datetime", "unix", "unix-ms":
		role := m.d.word(f.Name).role
		if role == notTime {
			role = timeLater
		}
		return writeTime(m.d.kind.Name, f, m.moment(role)), true
	case "time":
		return fmt.Sprintf("%02d:%02d", m.r.below(24), m.r.below(60)), true
	}
	return nil, false
}

// url is an address under the reserved domain .example.
func (m *maker) url(n string) string {
	host := "https://" + strings.ReplaceAll(m.d.kind.Name, "_", "-") + ".example/"
	if strings.Contains(n, "avatar") || strings.Contains(n, "photo") || strings.Contains(n, "picture") || strings.Contains(n, "image") {
		return host + "images/" + m.r.chars(hexadecimals, 8) + ".png"
	}
	return host + m.e.Name + "/" + m.r.chars(base36, 10)
}

// peopled are entities whose records are persons.
const peopled = " customers users contacts leads candidates profiles list_members user members viewer current_user "

// name is what the record is called.
func (m *maker) name() string {
	switch {
	case strings.Contains(peopled, " "+m.e.Name+" "):
		return m.p.name()
	case m.p.odd != "":
		return m.p.odd
	case m.e.Name == "accounts" || m.e.Name == "organizations" || m.e.Name == "ad_accounts":
		return m.p.company
	}
	return m.r.label()
}

// textRules are tried in order; the first that knows the name wins.
var textRules = []textRule{
	{func(n string) bool { return pointed(n) != "" }, func(m *maker, n string) any {
		return idStyles(m.d.kind.Name)(&m.r, pointed(n), m.r.below(200), 200)
	}},
	{named("replyto", "bcc", "cc", "recipient", "inboundaddress", "beameraddress", "organiser", "from", "notifyonsubscribe", "notifyonunsubscribe"), func(m *maker, _ string) any { return m.p.email(m.n) }},
	{named("invoiceprefix"), func(m *maker, _ string) any { return strings.ToUpper(m.r.chars(hexadecimals, 8)) }},
	{named("sku", "sellersku"), func(m *maker, _ string) any { return "SKU-" + m.r.chars(digits, 6) }},
	{named("asin"), func(m *maker, _ string) any { return "B0" + m.r.chars("0123456789BCDFGHJKLMNPQRSTVWXZ", 8) }},
	{named("last4"), func(m *maker, _ string) any { return m.r.chars(digits, 4) }},
	{named("birthday"), func(m *maker, _ string) any { return fmt.Sprintf("%02d/%02d", 1+m.r.below(12), 1+m.r.below(28)) }},
	{named("casenumber"), func(m *maker, _ string) any { return fmt.Sprintf("%08d", 1000+m.d.count(m.e)-m.n) }},
	{named("invoicenumber"), func(m *maker, _ string) any { return fmt.Sprintf("INV-%05d", 100+m.d.count(m.e)-m.n) }},
	{named("whoid"), func(m *maker, _ string) any { return crmID(&m.r, "contacts", 0, 0) }},
	{named("whatid"), func(m *maker, _ string) any { return crmID(&m.r, "opportunities", 0, 0) }},
	{named("lookupkey"), func(m *maker, _ string) any { return m.r.slug() }},
	{named("orderindex"), func(m *maker, _ string) any { return m.number() + ".00000000000000000000000000000000" }},
	{named("previewtext", "preheadertext", "permissionreminder", "instructions", "textbody", "internalcontent", "conditionnote"), func(m *maker, _ string) any { return m.r.pick(sentences) }},
	{named("bodyhtml", "renderedbody", "embedhtml", "bodyamp"), func(m *maker, _ string) any { return "<p>" + m.r.pick(sentences) + "</p>" }},
	{holds("email"), func(m *maker, _ string) any { return m.p.email(m.n) }},
	{named("firstname", "givenname"), func(m *maker, _ string) any { return m.p.first }},
	{named("lastname", "familyname", "surname"), func(m *maker, _ string) any { return m.p.last }},
	{named("login", "username", "alias"), func(m *maker, _ string) any { return strings.ToLower(m.p.first) + strconv.Itoa(m.n) }},
	{holds("phone", "mobile", "fax"), func(m *maker, _ string) any { return "+1555" + m.r.chars(digits, 7) }},
	{holds("timezone"), func(m *maker, _ string) any { return m.r.pick(timezones) }},
	{holds("url", "link", "website", "permalink", "href", "avatar", "picture", "icon", "endpoint", "domain", "webui", "tinyui", "editui", "x48", "x32", "x24", "x16", "invoicepdf"), func(m *maker, n string) any { return m.url(n) }},
	{named("self"), func(m *maker, n string) any { return m.url(n) }},
	{ends("currency", "currencycode"), func(m *maker, _ string) any { return m.r.pick(currencies) }},
	{ends("country", "countrycode"), func(m *maker, _ string) any { return m.p.country }},
	{ends("city", "location"), func(m *maker, _ string) any { return m.p.city }},
	{ends("postalcode", "zip", "zipcode"), func(m *maker, _ string) any { return m.r.chars(digits, 5) }},
	{ends("street", "line1", "addressline1"), func(m *maker, _ string) any {
		return strconv.Itoa(1+m.r.below(200)) + " " + m.r.pick(streets)
	}},
	{ends("region", "stateprovinceregion", "businessstate", "billingstate", "shippingstate", "mailingstate", "otherstate"), func(m *maker, _ string) any { return m.r.pick(regions) }},
	{ends("language", "locale", "lang"), func(m *maker, _ string) any { return m.r.pick(locales) }},
	{ends("color", "colour"), func(m *maker, _ string) any { return "#" + m.r.chars(hexadecimals, 6) }},
	{named("initials"), func(m *maker, _ string) any { return m.p.first[:1] + m.p.last[:1] }},
	{ends("company", "companyname", "businessname", "accountname", "organizationname"), func(m *maker, _ string) any { return m.p.company }},
	{named("name", "displayname", "fullname", "individualname", "uniquename", "customername", "realname"), func(m *maker, _ string) any { return m.name() }},
	{ends("slug"), func(m *maker, _ string) any { return m.r.slug() + "-" + strconv.Itoa(m.n) }},
	{named("title", "subject", "summary", "headline"), func(m *maker, _ string) any { return m.titleText() }},
	{named("object"), func(m *maker, _ string) any { return singular(m.e.Name) }},
	{named("description", "body", "bodytext", "content", "text", "textcontent", "comment", "commenttext", "note", "message", "html", "plaintext", "details", "bio",
		"bodyplain", "htmlcontent", "plaincontent", "notes", "footer", "commentbody"), func(m *maker, _ string) any { return m.r.prose() }},
	{holds("description", "message", "reason", "memo"), func(m *maker, _ string) any { return m.r.pick(sentences) }},
	{named("visibility"), func(m *maker, _ string) any { return m.r.pick([]string{"public", "private"}) }},
	{holds("status", "state", "stage"), func(m *maker, n string) any { return m.status(n) }},
	{named("priority", "severity", "level"), func(m *maker, _ string) any {
		return m.r.pick([]string{"low", "medium", "high", "critical"})
	}},
	{named("type", "kind", "category", "role"), func(m *maker, _ string) any {
		return m.r.pick([]string{"standard", "custom", "system", "imported"})
	}},
	{ends("version"), func(m *maker, _ string) any {
		return fmt.Sprintf("%d.%d.%d", m.r.below(5), m.r.below(20), m.r.below(10))
	}},
	{ends("sha", "oid", "hash", "checksum", "fingerprint"), func(m *maker, _ string) any { return m.r.chars(hexadecimals, 40) }},
	{ends("token", "secret", "clientsecret"), func(m *maker, _ string) any { return "sandbox_" + m.r.chars(base62, 16) }},
	{named("defaultsource", "testclock", "paymentmethod", "defaultpaymentmethod", "application", "onbehalfof", "quote", "balancetransaction", "customeraccount", "transfergroup",
		"failurebalancetransaction", "review", "order", "source", "destination", "transferdata", "latestrevision", "promotioncode", "checkoutsession", "schedule"), func(m *maker, n string) any {
		return n[:min(len(n), 3)] + "_" + m.r.chars(base62, 16)
	}},
	{named("key", "keyprefix"), func(m *maker, _ string) any { return strings.ToUpper(m.r.chars("abcdefghijklmnopqrstuvwxyz", 4)) }},
	{ends("ip", "ipaddress", "ipsignup", "ipopt", "remoteaddress"), func(m *maker, _ string) any { return "192.0.2." + strconv.Itoa(1+m.r.below(254)) }},
	{holds("filename", "path"), func(m *maker, _ string) any { return m.r.slug() + ".pdf" }},
	{holds("amount", "spent", "balance", "cap", "spend", "budget", "price", "cost", "total", "impressions", "clicks", "reach", "ctr", "cpc", "cpm", "count"), func(m *maker, _ string) any {
		return strconv.Itoa(m.r.between(0, 250000))
	}},
	{ends("id", "ids", "reference", "number", "by"), func(m *maker, n string) any {
		return idStyles(m.d.kind.Name)(&m.r, strings.TrimSuffix(n, "id")+"s", m.r.below(m.d.count(m.e)), m.d.count(m.e))
	}},
}

// titleText is a heading; some are in other scripts or long.
func (m *maker) titleText() string {
	switch {
	case m.p.odd != "":
		return m.p.odd
	case m.n%53 == 23:
		return strings.Repeat(m.r.title()+", ", 12) + "and more"
	}
	return m.r.title()
}

// status picks a value that fields of that name usually hold in the kind.
func (m *maker) status(n string) any {
	if m.d.kind.Name == "crm" && n == "state" {
		return m.r.pick(regions)
	}
	switch m.d.kind.Name + "." + m.e.Name {
	case "code_hosting.issues", "code_hosting.milestones", "code_hosting.discussions":
		return m.r.pick([]string{"OPEN", "OPEN", "CLOSED"})
	case "code_hosting.pull_requests":
		return m.r.pick([]string{"OPEN", "CLOSED", "MERGED"})
	case "social_advertising.campaigns", "social_advertising.ad_sets", "social_advertising.ads":
		return m.r.pick([]string{"ACTIVE", "PAUSED", "ARCHIVED"})
	case "error_tracking.issues":
		return m.r.pick([]string{"unresolved", "unresolved", "resolved", "ignored"})
	case "marketplace_seller.reports":
		return m.r.pick([]string{"DONE", "IN_PROGRESS", "IN_QUEUE", "CANCELLED"})
	}
	if strings.HasPrefix(m.d.kind.Name, "marketplace_adv") {
		return m.r.pick([]string{"enabled", "paused", "archived"})
	}
	return m.r.pick([]string{"active", "active", "archived", "pending"})
}

// singular drops the plural ending of an English word.
func singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "statuses"), strings.HasSuffix(s, "addresses"), strings.HasSuffix(s, "branches"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "ss"), !strings.HasSuffix(s, "s"):
		return s
	}
	return s[:len(s)-1]
}
