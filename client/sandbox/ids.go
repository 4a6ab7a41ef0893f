package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"patchbay/catalog"
)

// idStyle says how a kind's identifiers look.
type idStyle func(r *random, entity string, n, count int) string

// idStyles are the identifiers of each kind as its vendor writes them.
func idStyles(kind string) idStyle {
	switch kind {
	case "payments":
		return paymentsID
	case "usage_billing":
		return fixedChars(base62, 16)
	case "marketplace_seller":
		return sellerID
	case "code_hosting":
		return nodeID
	case "crm":
		return crmID
	case "notes_workspace", "email_delivery":
		return func(r *random, _ string, _, _ int) string { return r.uuid() }
	case "email_campaign":
		return fixedChars(hexadecimals, 10)
	case "ecommerce_marketing":
		return func(r *random, entity string, _, _ int) string {
			if entity == "profiles" || entity == "events" || entity == "campaigns" {
				return "01H" + r.chars(crockford, 23)
			}
			return r.chars(base62, 6)
		}
	case "incident_management":
		return func(r *random, _ string, _, _ int) string { return "01H" + r.chars(crockford, 23) }
	case "meeting_notes":
		return func(r *random, _ string, _, _ int) string { return "not_" + r.chars(base62, 14) }
	case "task_management":
		return taskID
	case "call_recording":
		return func(r *random, _ string, _, _ int) string { return strconv.Itoa(1+r.below(8)) + r.chars(digits, 17) }
	case "social_advertising":
		return func(r *random, entity string, _, _ int) string {
			if entity == "ad_accounts" {
				return "act_" + strconv.Itoa(1+r.below(9)) + r.chars(digits, 14)
			}
			return "1202" + r.chars(digits, 13)
		}
	}
	return sequenceID
}

func fixedChars(alphabet string, n int) idStyle {
	return func(r *random, _ string, _, _ int) string { return r.chars(alphabet, n) }
}

// sequenceID counts down, so that the newest record has the highest number.
func sequenceID(_ *random, entity string, n, count int) string {
	return strconv.Itoa(10000 + 1000*(len(entity)%7) + count - n)
}

var paymentPrefixes = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"customers": "cus", "invoices": "in", "charges": "ch", "subscriptions": "sub", "refunds": "re",
		"products": "prod", "balance_transactions": "txn", "payment_intents": "pi", "prices": "price",
		"checkout_sessions": "cs_test", "payment_method_attachments": "pm", "disputes": "du", "payouts": "po",
	}
})

func paymentsID(r *random, entity string, _, _ int) string {
	prefix := paymentPrefixes()[entity]
	if prefix == "" {
		prefix = "obj"
	}
	length := 24
	if entity == "customers" || entity == "products" {
		length = 14
	}
	return prefix + "_" + r.chars(base62, length)
}

func sellerID(r *random, entity string, n, count int) string {
	if entity == "orders" {
		return r.chars(digits, 3) + "-" + r.chars(digits, 7) + "-" + r.chars(digits, 7)
	}
	if entity == "catalog_items" {
		return "B0" + r.chars("0123456789BCDFGHJKLMNPQRSTVWXZ", 8)
	}
	return strconv.Itoa(50000000000000+count-n) + r.chars(digits, 2)
}

var nodePrefixes = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"repositories": "R_", "issues": "I_", "pull_requests": "PR_", "comments": "IC_", "commits": "C_", "releases": "RE_",
		"users": "U_", "organizations": "O_", "teams": "T_", "labels": "LA_", "milestones": "MI_", "projects": "PVT_",
		"project_items": "PVTI_", "discussions": "D_", "reviews": "PRR_", "branches": "REF_", "tags": "REF_",
	}
})

func nodeID(r *random, entity string, n, count int) string {
	prefix := nodePrefixes()[entity]
	if prefix == "" {
		prefix = "N_"
	}
	return prefix + "kwDO" + r.chars(base62, 12)
}

var crmPrefixes = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"accounts": "001", "contacts": "003", "leads": "00Q", "opportunities": "006", "tasks": "00T", "events": "00U",
		"campaigns": "701", "cases": "500", "notes": "002", "content_versions": "068", "attachments": "00P",
		"reports": "00O", "users": "005", "opportunity_stages": "01J",
	}
})

func crmID(r *random, entity string, _, _ int) string {
	prefix := crmPrefixes()[entity]
	if prefix == "" {
		prefix = "0XX"
	}
	return prefix + "5g00000" + r.chars(base62, 5) + "AAA"
}

func taskID(r *random, entity string, n, count int) string {
	switch entity {
	case "tasks":
		return "86" + r.chars(base36, 7)
	case "goals", "docs":
		return r.uuid()
	}
	return "9010" + fmt.Sprintf("%07d", count-n)
}

// keyField is the record field that identifies records of the entity; "" when
// its records have none.
func keyField(e *catalog.Entity) string {
	if e.Key != "" {
		return e.Key
	}
	for _, f := range e.Record {
		if strings.EqualFold(f.Name, "id") {
			return f.Name
		}
	}
	own := normal(singular(e.Name)) + "id"
	for _, f := range e.Record {
		switch n := normal(f.Name); n {
		case own, "userid", "callid", "key", "slug", "path", "oid", "asin", "version", "login":
			return f.Name
		}
	}
	if hasField(e.Record, "name") {
		return "name"
	}
	return ""
}

// typedID gives an identifier the type that its field declares.
func typedID(f *catalog.Field, id string, r *random) any {
	if f == nil || !strings.Contains(f.Type, "integer") && !strings.Contains(f.Type, "number") {
		return id
	}
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		return n
	}
	if strings.Contains(f.Type, "string") {
		return id
	}
	return int64(r.next() >> 33)
}
