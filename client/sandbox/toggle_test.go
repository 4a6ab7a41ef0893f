package sandbox

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// Every optional param of a read changes the answer, or refuses values that name nothing,
// or is one of those that cannot.
func TestEveryParamActs(t *testing.T) {
	var tried atomic.Int64
	sweepKinds(t, Options{Records: 40}, func(s *sweep) {
		switch s.a.Name {
		case catalog.ActionList, catalog.ActionAPISearch, catalog.ActionGet, catalog.ActionDownload:
			tried.Add(int64(s.toggleAll()))
		}
	})
	if n := tried.Load(); n < 330 {
		t.Errorf("only %d params were toggled", n)
	}
}

// silent are the params that cannot change an answer that succeeds, and why.
var silent = map[string]string{
	"call_recording.call_audio.contentSelector": "it makes the third party tell the address of the file",
	"call_recording.call_video.contentSelector": "it makes the third party tell the address of the file",

	"crm.reports.includeDetails": "the sandbox runs no reports, so there are no rows to show",

	"issue_tracker.issues.fieldsByKeys":                             "fields are named by their ids, and these are their keys",
	"issue_tracker.issues.failFast":                                 "it says how to fail, and nothing fails",
	"issue_tracker.issues.updateHistory":                            "it changes what the user saw last, which no action tells",
	"issue_tracker.issue_transitions.skipRemoteOnlyCondition":       "no transition has a condition",
	"issue_tracker.issue_transitions.includeUnavailableTransitions": "all transitions are available",
	"issue_tracker.issue_transitions.sortByOpsBarAndStatus":         "it is the order that they have",

	"social_advertising.ad_library.unmask_removed_content": "no advertisement was removed",

	"recruiting.application_attachment.attachment_index": "the application that is read has no attachments to choose from",

	"task_management.tasks.custom_task_ids": "a task is found by either of its ids",
	"task_management.tasks.team_id":         "it goes with custom_task_ids",
}

// beside are params without which another one says nothing; empty for the value of a record.
var beside = map[string]map[string]any{
	"email_campaign.list_members.interest_match":       {"interest_ids": "x"},
	"marketplace_seller.catalog_items.identifiersType": {"identifiers": ""},
	"social_advertising.ad_library.search_type":        {"search_terms": "example https"},
}

// toggleAll tries each optional param of an action and counts them. Params that pages send
// have tests of their own.
func (s *sweep) toggleAll() (tried int) {
	params := s.r.actionArguments(s.k, s.e, s.a)
	if d := s.r.data[s.k.Name]; s.a.Name == catalog.ActionAPISearch { // where most is found
		common := commonArguments(d, d.base(s.e.Name), s.a)
		for i, name := range common.Keys {
			if ref := d.paramReference(s.e, catalog.FieldByName(s.a.Params, name)); ref.entity != nil {
				params.Set(name, common.Vals[i])
			}
		}
	}
	for i := range s.a.Params {
		f := &s.a.Params[i]
		name := s.k.Name + "." + s.e.Name + "." + f.Name
		if f.Required || f.Injected || constantHeader(f) && f.Wire != "Range" ||
			paging(s.a, f.Name) && f.Name != s.a.Page.Size {
			continue
		}
		why, acts := silent[name], s.acts(f, params, beside[name])
		if tried++; acts && why != "" {
			s.wrong(f.Name, "it changes the answer, although %s", why)
		} else if !acts && why == "" {
			s.wrong(f.Name, "it never changes the answer")
		}
	}
	return tried
}

// acts tries several values of a param until one changes the answer.
func (s *sweep) acts(f *catalog.Field, params *rawjson.Map, more map[string]any) bool {
	base := params.Clone()
	for name, v := range more {
		if v == "" {
			path, _ := s.r.data[s.k.Name].recordField(s.e, name)
			found, _ := data.At(s.r.data[s.k.Name].table(s.e.Name).Rows[0].Obj, path)
			v = rawjson.TextOf(found)
		}
		base.Set(name, v)
	}
	_, before := s.r.execute(s.k.Name, s.e.Name, s.a.Name, string(rawjson.Encode(base)))
	for _, v := range candidates(s.r, s.k, s.e, f) {
		p := base.Clone()
		p.Set(f.Name, v)
		status, after := s.r.execute(s.k.Name, s.e.Name, s.a.Name, string(rawjson.Encode(p)))
		if (status/100 == 2 || status == 404) && !bytes.Equal(before, after) {
			return true
		}
	}
	return false
}

func candidates(r *rig, k *catalog.Kind, e *catalog.Entity, f *catalog.Field) []any {
	var out []any
	enum := f.Enum
	if len(enum) == 0 && f.Items != nil {
		enum = f.Items.Enum
	}
	for _, v := range enum {
		if f.Type == "array" {
			out = append(out, []any{constant(v)})
		} else {
			out = append(out, constant(v))
		}
	}
	if len(out) > 0 {
		return out
	}
	switch t, _, _ := strings.Cut(f.Type, "|"); t {
	case "integer":
		return []any{int64(2), int64(7), int64(1767225600), int64(1767225600000), int64(1773000000000),
			int64(1773000000)}
	case "boolean":
		return []any{true, false}
	case "array":
		if f.Items != nil && f.Items.Type == "object" {
			return []any{[]any{rawjson.NewMap("field_id", "x", "operator", "=", "value", "y")}}
		}
		if f.Name == "fields" {
			return []any{[]any{e.Record[0].Name}, []any{"summary"}, []any{e.Record[len(e.Record)-1].Name}}
		}
		return []any{[]any{"name"}, []any{"x"}, []any{int64(3)}, []any{"OPEN"}}
	case "object":
		return objects(r, k, e, f)
	}
	if f.Format == "jql" {
		return []any{"project = PROJ AND status = Done"}
	}
	if f.Name == "fields" {
		return []any{e.Record[0].Name, "summary", e.Record[len(e.Record)-1].Name}
	}
	return []any{"7", "bytes=0-9", "name", "2026-01-01T00:00:00Z", "2026-01-01", "zzz", "transcript", "id,name", "changelog", "resolved",
		`{"since":"2026-01-01","until":"2026-02-01"}`}
}

// objects gives the object one member at a time.
func objects(r *rig, k *catalog.Kind, e *catalog.Entity, f *catalog.Field) []any {
	out := []any{rawjson.NewMap("since", "2026-01-01", "until", "2026-02-01")}
	for i := range f.Members {
		for _, v := range candidates(r, k, e, &f.Members[i]) {
			out = append(out, rawjson.NewMap(f.Members[i].Name, v))
		}
	}
	return out
}
