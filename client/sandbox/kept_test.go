package sandbox

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// Whatever a create or an update is given is in its answer, or in the records afterwards.
func TestEveryWriteParamIsKept(t *testing.T) {
	var tried atomic.Int64
	sweepKinds(t, Options{Records: 12}, func(s *sweep) {
		if s.a.Name == catalog.ActionCreate || s.a.Name == catalog.ActionUpdate {
			tried.Add(int64(s.keepAll()))
		}
	})
	if n := tried.Load(); n < 300 {
		t.Errorf("only %d params were tried", n)
	}
}

// unkept are the params of writes that no record tells again, and why.
var unkept = map[string]string{
	"messaging_automation.transactional_email":         sent,
	"messaging_automation.transactional_sms":           sent,
	"messaging_automation.transactional_push":          sent,
	"messaging_automation.transactional_inbox_message": sent,
	"messaging_automation.broadcast_trigger":           sent,
	"messaging_automation.collections.data":            "no action tells the rows of a collection",
	"messaging_automation.collections.url":             "no action tells where the rows of a collection came from",
	"messaging_automation.exports.filters":             "no action tells what an export was asked for",

	"issue_tracker.issues.notifyUsers":                "nobody is sent a mail",
	"issue_tracker.issue_comments.notifyUsers":        "nobody is sent a mail",
	"issue_tracker.issue_worklogs.notifyUsers":        "nobody is sent a mail",
	"issue_tracker.issues.overrideScreenSecurity":     "no field is hidden",
	"issue_tracker.issues.overrideEditableFlag":       "every issue can be edited",
	"issue_tracker.issues.expand":                     "it adds to the answer, and this text names nothing",
	"issue_tracker.issue_comments.expand":             "it adds to the answer, and this text names nothing",
	"issue_tracker.issue_transitions.historyMetadata": "no action tells the history of an issue",
	"issue_tracker.issue_links.comment":               "the link is told without the words that went with it",
	"issue_tracker.issue_links.type":                  "the answer to a new link is empty",

	"task_management.comments.notify_all":                          "nobody is sent a mail",
	"code_hosting.pull_requests.maintainer_can_modify":             "no record tells it",
	"social_advertising.campaigns.is_adset_budget_sharing_enabled": "no record tells it",
	"notes_workspace.pages.children":                               "the blocks of a page are made by themselves",
	"notes_workspace.blocks.after":                                 "it is a place in the page, and blocks come in one order",

	"payments.invoices.pending_invoice_items_behavior":          "no invoice item waits",
	"payments.subscriptions.proration_behavior":                 "nothing is prorated",
	"payments.refunds.refund_application_fee":                   "no charge has a fee of an application",
	"payments.refunds.reverse_transfer":                         "no charge has a transfer",
	"payments.payment_intents.automatic_payment_methods":        "no record tells it",
	"payments.payment_intents.receipt_email":                    "no record tells it",
	"payments.payment_intents.statement_descriptor":             "no record tells it",
	"payments.payment_intents.statement_descriptor_suffix":      "no record tells it",
	"payments.payment_intent_confirmations.receipt_email":       "no record tells it",
	"payments.payment_intent_confirmations.return_url":          "no record tells it",
	"payments.payment_intent_cancellations.cancellation_reason": "no record tells it",
	"payments.payment_intents.confirm":                          "it wants a payment method beside it",
	"payments.checkout_sessions.line_items":                     "no record tells it",
}

const sent = "the message is sent, and no action tells what was in it"

// tellings are values of params that name what there is.
var tellings = map[string]any{
	"issue_tracker.issues.fields": rawjson.NewMap("project", rawjson.NewMap("key", "PROJ"), "issuetype",
		rawjson.NewMap("name", "Task"), "summary", "kept summary", "labels", []any{"kept-label"}),
	"issue_tracker.issues.update":                rawjson.NewMap("labels", []any{rawjson.NewMap("add", "kept-label")}),
	"issue_tracker.issue_transitions.update":     rawjson.NewMap("labels", []any{rawjson.NewMap("add", "kept-label")}),
	"issue_tracker.issues.transition":            rawjson.NewMap("id", "31"),
	"issue_tracker.issue_transitions.transition": rawjson.NewMap("id", "31"),
	"issue_tracker.issue_links.inwardIssue":      rawjson.NewMap("key", "PROJ-95"),
	"issue_tracker.issue_links.outwardIssue":     rawjson.NewMap("key", "PROJ-95"),
}

// keepAll tries each param of a write by itself, and counts them.
func (s *sweep) keepAll() (tried int) {
	s.r = newRig(s.T, s.r.s.opts)
	base := s.r.actionArguments(s.k, s.e, s.a)
	d := s.r.data[s.k.Name]
	for i := range s.a.Params {
		f := &s.a.Params[i]
		if f.Injected || constantHeader(f) || f.In == "path" || f.Name == d.keyParam(d.base(s.e.Name), s.a) {
			continue
		}
		tried++
		name := s.k.Name + "." + s.e.Name + "." + f.Name
		lost := s.lost(base, f)
		if why := cmp.Or(unkept[name], unkept[s.k.Name+"."+s.e.Name]); lost != "" && why == "" {
			s.wrong(f.Name, "%s", lost)
		} else if lost == "" && unkept[name] != "" {
			s.wrong(f.Name, "it is kept, although %s", why)
		}
	}
	return tried
}

// lost says what became of a param that is sent beside the others; "" where all of it is
// found again.
func (s *sweep) lost(base *rawjson.Map, f *catalog.Field) string {
	why := ""
	for _, v := range s.values(f) {
		params := base.Clone()
		params.Set(f.Name, v)
		status, told := s.after(params)
		if status != 200 {
			why = cmp.Or(why, "refused: "+told[:min(len(told), 160)])
			continue
		}
		if flag, isFlag := v.(bool); isFlag {
			params.Set(f.Name, !flag)
			if _, other := s.after(params); other == told {
				why = "it changes nothing"
				continue
			}
			return ""
		}
		if gone := missing(v, strings.ToLower(told)); len(gone) > 0 {
			why = "not found again: " + strings.Join(gone, ", ")
			continue
		}
		return ""
	}
	return why
}

// after is what a fresh service answers, and all that it holds afterwards.
func (s *sweep) after(params *rawjson.Map) (status int, told string) {
	r := newRig(s.T, s.r.s.opts)
	status, raw := r.execute(s.k.Name, s.e.Name, s.a.Name, string(rawjson.Encode(params)))
	if status != 200 {
		return status, string(raw)
	}
	tables := r.s.start().find(OrganizationID, r.connector("demo", s.k.Name)).data.tables
	b := raw
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		for _, row := range tables[name].Rows {
			b = append(rawjson.Append(b, row.Obj), '\n')
			b = rawjson.Append(b, row.Hidden)
		}
	}
	return status, string(b)
}

// missing are the texts and numbers of a value that are not found, in any case.
func missing(v any, told string) (out []string) {
	switch v := v.(type) {
	case *rawjson.Map:
		for _, inner := range v.Vals {
			out = append(out, missing(inner, told)...)
		}
	case []any:
		for _, inner := range v {
			out = append(out, missing(inner, told)...)
		}
	case string, int64, float64:
		if text := strings.ToLower(rawjson.TextOf(v)); !strings.Contains(told, text) {
			out = append(out, text)
		}
	}
	return out
}

// values are some that a param takes, the most telling first.
func (s *sweep) values(f *catalog.Field) []any {
	d := s.r.data[s.k.Name]
	if v, told := tellings[s.k.Name+"."+s.e.Name+"."+f.Name]; told {
		return []any{v}
	}
	if ref := d.paramReference(d.base(s.e.Name), f); ref.entity != nil {
		rows := d.table(ref.entity.Name).Rows
		v := rows[min(1, len(rows)-1)].Obj.Value(ref.field)
		if f.Type == "array" {
			return []any{[]any{v}}
		}
		if !fits(f.Type, v) {
			v = rawjson.TextOf(v)
		}
		return []any{v}
	}
	var out []any
	for _, e := range slices.Backward(f.Enum) {
		if f.Type == "array" {
			out = append(out, []any{constant(e)})
		} else {
			out = append(out, constant(e))
		}
	}
	if len(out) > 0 {
		return out
	}
	return []any{s.telling(f)}
}

// telling is a value that nothing else has.
func (s *sweep) telling(f *catalog.Field) any {
	if f.Const != nil {
		return constant(f.Const)
	}
	if len(f.Enum) > 0 {
		return constant(f.Enum[len(f.Enum)-1])
	}
	switch f.Format {
	case "date-time":
		return "2031-03-04T05:06:07Z"
	case "date":
		return "2031-03-04"
	case "email":
		return "kept@acme.example"
	case "uri":
		return "https://kept.example/" + f.Name
	case "uuid":
		return "0a1b2c3d-0000-4000-8000-00000000abcd"
	case "unix":
		return int64(1930000001)
	}
	switch t, _, _ := strings.Cut(f.Type, "|"); t {
	case "integer", "number":
		n := int64(4242)
		if f.Max != nil {
			n = min(n, int64(*f.Max))
		}
		return n
	case "boolean":
		return true
	case "array":
		if f.Items != nil {
			return []any{s.telling(f.Items)}
		}
	case "object":
		o := &rawjson.Map{}
		for i := range f.Members {
			if !f.OneOf || i == 0 {
				o.Set(f.Members[i].Name, s.telling(&f.Members[i]))
			}
		}
		if o.Len() == 0 {
			o.Set("kept", "kept value")
		}
		return o
	}
	return "kept " + data.Normal(f.Name)
}
