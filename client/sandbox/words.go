package sandbox

import (
	"strconv"
	"strings"
)

var (
	firstNames = []string{"Ada", "Ben", "Chloe", "Dmitri", "Elena", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Keiko", "Liam", "Maya", "Nadia", "Omar", "Priya", "Quentin", "Rosa", "Samuel", "Tara", "Uma", "Viktor", "Wanda", "Xavier", "Yara", "Zoe"}
	lastNames  = []string{"Abbott", "Bauer", "Castillo", "Dubois", "Eriksen", "Fischer", "Garcia", "Haddad", "Ito", "Jensen", "Kowalski", "Lindgren", "Moreau", "Nakamura", "Okafor", "Petrov", "Quinn", "Rossi", "Silva", "Tanaka", "Ueda", "Varga", "Weber", "Xu", "Yilmaz", "Zhang"}
	companies  = []string{"Acme Robotics", "Blue Harbor", "Cobalt Foods", "Delta Analytics", "Evergreen Supply", "Foxglove Media", "Granite Health", "Helio Energy", "Iris Optics", "Juniper Travel", "Kestrel Logistics", "Lumen Labs", "Meridian Bank", "Northwind Traders", "Opal Studios", "Pinecone Farms", "Quarry Software", "Redwood Legal", "Summit Sports", "Tidewater Marine"}
	cities     = []string{"Berlin", "Lisbon", "Austin", "Osaka", "Toronto", "Oslo", "Nairobi", "Lyon", "Porto", "Denver", "Seoul", "Bristol"}
	regions    = []string{"CA", "TX", "NY", "WA", "ON", "BC", "BE", "IDF", "NSW", "CO"}
	countries  = []string{"US", "DE", "FR", "GB", "JP", "CA", "PT", "NO", "BR", "KE"}
	currencies = []string{"usd", "eur", "gbp", "jpy", "cad"}
	timezones  = []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "UTC", "Europe/Lisbon", "America/Denver"}
	streets    = []string{"Harbor Street", "Mill Lane", "Station Road", "Oak Avenue", "Canal Quay", "Market Square"}
	locales    = []string{"en", "de", "fr", "ja", "pt-BR", "en-GB"}
	adjectives = []string{"amber", "brisk", "calm", "daily", "early", "fresh", "global", "hidden", "internal", "joint", "key", "late", "mobile", "new", "open", "prime", "quiet", "rapid", "silver", "urban"}
	nouns      = []string{"atlas", "beacon", "checkout", "dashboard", "engine", "funnel", "gateway", "harvest", "invoice", "journey", "kiosk", "ledger", "migration", "newsletter", "onboarding", "pipeline", "queue", "report", "signup", "tracker"}
	verbs      = []string{"Fix", "Add", "Review", "Update", "Remove", "Investigate", "Document", "Improve", "Migrate", "Test", "Plan", "Ship"}
	tagWords   = []string{"urgent", "backend", "frontend", "billing", "vip", "beta", "trial", "partner", "eu", "internal", "churn-risk", "newsletter"}
	sentences  = []string{
		"The customer reported that the export stops after the second page.",
		"We agreed to ship the smaller change first and measure it for a week.",
		"Numbers in the dashboard differ from the invoice by a rounding step.",
		"Please confirm the delivery window before Friday.",
		"The retry succeeded once the upstream limit was lifted.",
		"Follow-up is planned with the finance team next month.",
		"This record was created by the nightly import.",
		"Access was granted for the pilot group only.",
	}
	// oddTexts are values as they arrive in practice and break careless displays:
	// other scripts, wide and combining characters, right-to-left text, long
	// lines, and text that tries to drive the terminal.
	oddTexts = []string{
		"東京支社のオンボーディング計画",
		"Ωμέγα Ελλάδα, Привет мир, 안녕하세요",
		"Launch 🚀 party 🎉 with 👩‍👩‍👧‍👦 and 🏳️‍🌈",
		"مرحبا بالعالم — تقرير المبيعات",
		"שלום עולם, דוח חודשי",
		"e\u0301clair Zu\u0308rich nai\u0308ve",
		"\x1b[31mred alert\x1b[0m \x1b[2J\x1b[H wiped?",
		"\x1b]8;;https://example.invalid/\x07click me\x1b]8;;\x07",
		"invoice\u202Efdp.exe \u2066hidden\u2069 order",
		"bell\x07 back\x08space nul\x00 del\x7f tab\there\r\nnew line",
		"<script>alert('x')</script> & \"quotes\" \\ backslash",
	}
)

// persona is the person or company that a record is about, so that its name,
// address and mail belong together.
type persona struct {
	first, last, company, city, country string
	odd                                 string
}

func newPersona(r *random, n int) *persona {
	p := &persona{first: r.pick(firstNames), last: r.pick(lastNames), company: r.pick(companies), city: r.pick(cities), country: r.pick(countries)}
	if n%29 == 4 {
		p.odd = oddTexts[(n/29)%len(oddTexts)]
	}
	return p
}

func (p *persona) name() string {
	if p.odd != "" {
		return p.odd
	}
	return p.first + " " + p.last
}

func (p *persona) domain() string {
	return strings.ReplaceAll(strings.ToLower(p.company), " ", "-") + ".example"
}

// email is unique per record by its number.
func (p *persona) email(n int) string {
	return strings.ToLower(p.first+"."+p.last) + strconv.Itoa(n) + "@" + p.domain()
}

func (r *random) title() string {
	return r.pick(verbs) + " " + r.pick(adjectives) + " " + r.pick(nouns)
}

func (r *random) label() string {
	a := r.pick(adjectives)
	return strings.ToUpper(a[:1]) + a[1:] + " " + r.pick(nouns)
}

func (r *random) slug() string { return r.pick(adjectives) + "-" + r.pick(nouns) }

// prose is a few sentences; one in forty is several kilobytes long and one in
// thirty carries text that a display has to defuse.
func (r *random) prose() string {
	switch r.below(120) {
	case 0, 1, 2:
		return strings.Repeat(r.pick(sentences)+" ", 60)
	case 3, 4, 5, 6:
		return r.pick(oddTexts) + "\n" + r.pick(sentences)
	}
	s := r.pick(sentences)
	for range r.below(3) {
		s += " " + r.pick(sentences)
	}
	return s
}

func (r *random) tags() []any {
	out := []any{}
	start := r.below(len(tagWords))
	for i := range r.below(4) {
		out = append(out, tagWords[(start+i*5)%len(tagWords)])
	}
	return out
}
