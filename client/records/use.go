package records

import (
	"slices"
	"strings"
)

// Ranks of columns; the catalog's order counts within a rank.
const (
	rankKey = iota * 1000
	rankName
	rankStatus
	rankAmount
	rankTime
	rankMail
	rankKind
	rankLaterTime
	rankNear // of some use by its last word: account_name, amount_refunded
	rankPlain
	rankNested
	rankAside // links, pictures, ids of others
	rankContainer
	rankConst
	rankUnused
)

// near is what a column comes after those that are called by the word alone.
const near = 300

// uses are the words that tell the use of a column, the most telling first.
var uses = []struct {
	rank  int
	words []string
}{
	{rankName, []string{"number", "name", "full_name", "display_name", "real_name", "title", "subject", "summary",
		"headline", "message_headline", "label", "question", "first_name", "last_name", "username", "login", "handle"}},
	{rankStatus, []string{"status", "state", "stage", "phase", "stage_name", "order_status", "delivery_status",
		"account_status", "priority", "severity"}},
	{rankAmount, []string{"amount", "total", "order_total", "total_price", "total_amount", "grand_total",
		"amount_due", "amount_paid", "price", "unit_amount", "balance", "value", "budget", "daily_budget", "cost",
		"revenue", "spend", "bid", "quantity", "count"}},
	{rankMail, []string{"email", "mail", "email_address", "primary_email_address", "user_email"}},
	{rankKind, []string{"type", "kind", "active", "archived", "enabled", "is_active", "is_archived"}},
	{rankNear - 200, []string{"customer", "assignee", "owner", "author", "company", "company_name", "plan", "reason",
		"default_currency"}},
}

// endings tell the use of a column by the last word of its name.
var endings = map[int][]string{
	rankName:   {"name", "title", "subject", "label", "headline"},
	rankStatus: {"status", "stage"},
	rankAmount: {"amount", "total", "price", "balance", "value", "cost", "revenue", "budget", "quantity", "count"},
	rankMail:   {"email", "mail"},
}

// asides are words that make a column of little use to a first look: as its
// first or as its last word.
var asides = struct{ first, last []string }{
	[]string{"receipt", "avatar", "icon", "image", "photo", "picture", "livemode", "expand", "self"},
	[]string{"id", "ids", "uuid", "guid", "gid", "oid", "url", "uri", "link", "href", "permalink", "html", "avatar",
		"picture", "image", "photo", "secret", "object"},
}

// moments are the words of a time that matters most to a record.
var moments = []string{"created", "create", "creation", "updated", "update", "modified", "edited", "due", "started",
	"purchase", "published", "committed", "occurred", "timestamp", "sent", "send", "close"}

// rankCurrency is where a currency stands; it moves to the first amount.
const rankCurrency = rankAmount + near - 1

// rankOf guesses the use of a column from its name.
func rankOf(name string) int {
	name = snake(name)
	for _, u := range uses {
		if i := slices.Index(u.words, name); i >= 0 {
			return u.rank + 10*i
		}
	}
	words := strings.Split(name, "_")
	last := words[len(words)-1]
	switch {
	case name == "id" || name == "key" || name == "uuid" || name == "guid":
		return rankKey
	case name == "currency" || name == "currency_code":
		return rankCurrency
	case slices.Contains(asides.last, last) || slices.Contains(asides.first, words[0]):
		return rankAside
	case isTimeWord(words):
		matters := func(w string) bool { return slices.Contains(moments, w) }
		if len(words) == 1 || len(words) <= 3 && slices.ContainsFunc(words, matters) {
			return rankTime
		}
		return rankLaterTime
	}
	for rank, list := range endings {
		if slices.Contains(list, last) {
			return rank + near
		}
	}
	return rankPlain
}

// isTimeWord reports whether a name is one of a time.
func isTimeWord(words []string) bool {
	switch words[len(words)-1] {
	case "at", "on", "date", "time", "timestamp", "datetime":
		return true
	case "created", "updated", "modified", "started", "ended", "due":
		return len(words) == 1 || words[0] == "date"
	}
	return words[0] == "date"
}

// settle gives the places that depend on what other columns there are: a name
// or state that is called by its last word alone, where there is no other, and
// the currency beside the amount.
func settle(columns []Column) {
	first := map[int]*Column{}
	for i := range columns {
		c := &columns[i]
		group := c.Rank / 1000 * 1000
		if best := first[group]; best == nil || c.Rank < best.Rank {
			first[group] = c
		}
	}
	amount := first[rankAmount]
	for i := range columns {
		c := &columns[i]
		group := c.Rank / 1000 * 1000
		switch {
		case c.Rank == rankCurrency && amount != nil && amount.Rank < rankCurrency:
			c.Rank = amount.Rank + 1
		case c.Rank == rankCurrency || c.Rank%1000 < near:
		case group == rankName || group == rankStatus || group == rankMail:
			if c != first[group] {
				c.Rank = rankNear
			}
		case group == rankAmount:
			c.Rank = rankNear + 1
		}
	}
}

// halves are objects that hold a part of the record itself, no other one.
var halves = []string{"settings", "details", "info", "config", "content", "email_config", "commit", "current"}

// within ranks a member of an object: the name of a status or the amount of a
// total says what its object is called.
func within(object, member string) (rank int, ok bool) {
	outer, inner := rankOf(object), rankOf(member)
	group, of := outer/1000*1000, inner/1000*1000
	switch {
	case of == rankName && inner%1000 < near && slices.Contains(halves, snake(object)):
		return inner + near/2, true
	case inner == rankCurrency && group == rankAmount:
		return outer + 1, true
	case group == rankStatus && (of == rankName || of == rankStatus) && inner%1000 < near,
		group == rankAmount && of == rankAmount && inner%1000 <= near:
		return outer, true
	}
	return 0, false
}

// snake returns createdAt and CreatedAt as created_at.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 && !(name[i-1] >= 'A' && name[i-1] <= 'Z') && name[i-1] != '_' {
			b.WriteByte('_')
		}
		if upper {
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
