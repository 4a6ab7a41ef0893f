// Package preflight gives the one verdict on a call before it is sent: what in it
// the service will refuse, and what looks wrong but may be taken. The form, the
// command line, saved and pasted calls ask it, and the sandbox refuses what it calls
// an error. What a value may be stands in the catalog, what a filter may say in
// package search; neither decides what is sent.
//
// It may import catalog, client and client/search; it sends nothing.
package preflight

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/search"
	"patchbay/client/strictyaml"
)

// Verdict is one thing to know about a call before it is sent.
type Verdict struct {
	// Severity is error where the call will be refused, else warning.
	Severity catalog.Severity `json:"severity"`
	// Place is where it stands: "entity", "action", "params.limit", "params.query.sort[0]".
	Place string `json:"place"`
	// Rule names what is broken: required, type, max, enum, filter, sort ...
	Rule string `json:"rule"`
	// Text says what is wrong, Next what to do.
	Text string `json:"text"`
	Next string `json:"next,omitempty"`
	// Status is the HTTP status that the service refuses it with, where documented; else 0.
	Status int `json:"-"`
	// Search is set for what a filter, a sort key or their companions say.
	Search *search.Problem `json:"-"`
}

// String is the verdict in one sentence that names its place.
func (v Verdict) String() string {
	place := strings.TrimPrefix(v.Place, "params.")
	if place == "params" || v.Search != nil || strings.HasPrefix(v.Text, place) || place == "entity" ||
		place == "action" {
		return v.Text
	}
	return place + ": " + v.Text
}

// Call is what Check judges.
type Call struct {
	// Kind is that of the connector; nil where the catalog does not know it, and
	// then nothing is known to be wrong.
	Kind *catalog.Kind
	// Local is set for calls that go straight to the third party.
	Local          bool
	Entity, Action string
	// Params is a JSON object; empty for none.
	Params json.RawMessage
	// Select and Exclude are paths of record fields, which the service reads.
	Select, Exclude []string
	// Filled reports whether the connector's own configuration is known to give a
	// param its value; nil where nothing is known of it.
	Filled func(*catalog.Field) bool
}

// Check returns the verdicts on a call: errors first, each kind in the order of the params.
func Check(c Call) []Verdict {
	if c.Kind == nil {
		return nil
	}
	list := func(words ...string) string {
		return "patchbay catalog " + strings.Join(append([]string{c.Kind.Name}, words...), " ") + " lists "
	}
	e := c.Kind.Entity(c.Entity)
	if e == nil {
		near := strictyaml.DidYouMean(c.Entity, c.Kind.EntityNames())
		return []Verdict{{Severity: catalog.SeverityError, Place: "entity", Rule: "unknown", Status: 404,
			Text: fmt.Sprintf("%s has no entity %q%s", c.Kind.Name, c.Entity, near), Next: list() + "its entities."}}
	}
	a := e.Action(c.Action)
	if a == nil {
		near := strictyaml.DidYouMean(c.Action, e.ActionNames())
		return []Verdict{{Severity: catalog.SeverityError, Place: "action", Rule: "unknown", Status: 404,
			Text: fmt.Sprintf("%s has no action %q%s", e.Name, c.Action, near), Next: list(e.Name) + "its actions."}}
	}
	if !c.Local {
		a = a.Hosted()
	}
	next := list(e.Name, a.Name) + "what it takes."
	var out []Verdict
	if a.Name == catalog.ActionContextStoreSearch {
		out = searched(c, e, list(e.Name, a.Name)+"fields and operators.")
	}
	searches := a.Name == catalog.ActionContextStoreSearch
	semantic := searches && rawjson.ParseMap(c.Params).Has("semantic")
	asked := Errors(out)
	for _, v := range catalog.CheckParams(a, c.Params, c.Filled) {
		if searches && (len(asked) > 0 || v.Path != "query" || semantic) {
			continue // a search checks its params by itself, and semantic takes the place of query
		}
		place := "params"
		if v.Path != "" {
			place += "." + v.Path
		}
		out = append(out, Verdict{Severity: v.Severity, Place: place, Rule: v.Rule, Text: c.told(v),
			Next: c.configure(a, v) + next, Status: v.Status})
	}
	out = append(out, c.shape(e, a)...)
	slices.SortStableFunc(out, func(a, b Verdict) int { return cmp.Compare(a.Severity, b.Severity) })
	return out
}

// told is a violation in words: what becomes of a param that nobody knows depends on
// where the call goes.
func (c Call) told(v catalog.Violation) string {
	switch {
	case v.Rule != "unknown":
		return v.Message
	case c.Local && !strings.Contains(v.Path, "."):
		return v.Message + "; it is not sent"
	}
	return v.Message + "; it is sent as it is"
}

// configure says where a local call would take a param from that is missing.
func (c Call) configure(a *catalog.Action, v catalog.Violation) string {
	f := catalog.FieldByName(a.Params, v.Path)
	if !c.Local || v.Rule != "required" || f == nil || f.Inject == nil {
		return ""
	}
	return fmt.Sprintf("Give %s, or set %s (%s). ", f.Name, f.Inject.Config,
		client.EnvName(c.Kind.Name, f.Inject.Config))
}

// searched are the verdicts on the query of a search.
func searched(c Call, e *catalog.Entity, next string) []Verdict {
	q, err := search.Decode(c.Params)
	if err != nil {
		return []Verdict{{Severity: catalog.SeverityError, Place: "params.query", Rule: "query", Text: err.Error(),
			Next: next, Search: &search.Problem{Severity: search.Wrong, Where: "query", Text: err.Error()}}}
	}
	return Query(q, e, next)
}

// Query returns the verdicts on a search that was read already.
func Query(q search.Query, e *catalog.Entity, next string) []Verdict {
	var out []Verdict
	for _, p := range search.Validate(q, e) {
		v := Verdict{Severity: catalog.SeverityError, Place: placeOf(p), Rule: p.Where, Text: p.Text, Next: next,
			Search: &p}
		if p.Severity == search.Notice {
			v.Severity = catalog.SeverityWarning
		}
		out = append(out, v)
	}
	return out
}

func placeOf(p search.Problem) string {
	switch p.Where {
	case "filter":
		place := "params.query.filter"
		for _, i := range p.Path {
			place += fmt.Sprintf("[%d]", i)
		}
		return place
	case "sort":
		return fmt.Sprintf("params.query.sort[%d]", p.Index)
	case "query":
		return "params.query"
	}
	return "params." + p.Where
}

// Errors are the verdicts that keep a call from being sent.
func Errors(list []Verdict) []Verdict {
	return slices.DeleteFunc(slices.Clone(list), func(v Verdict) bool { return v.Severity != catalog.SeverityError })
}

// mostTold is how many errors one refusal spells out.
const mostTold = 5

// Refusal is the error of a call that has errors; nil for one that has none.
func Refusal(op client.Operation, list []Verdict) *client.Error {
	wrong := Errors(list)
	if len(wrong) == 0 {
		return nil
	}
	texts := make([]string, 0, mostTold)
	for _, v := range wrong[:min(len(wrong), mostTold)] {
		texts = append(texts, v.String())
	}
	message := strings.Join(texts, "; ")
	if more := len(wrong) - mostTold; more > 0 {
		message += fmt.Sprintf("; and %d more", more)
	}
	e := client.Failf(client.ClassInvalid, "%s", message).Advise("Nothing was sent. %s", wrong[0].Next)
	e.Doing = strings.TrimSpace(op.Action + " " + op.Entity)
	e.Field = strings.TrimPrefix(strings.TrimPrefix(wrong[0].Place, "params"), ".")
	return e
}

// CheckAny returns the verdicts on a call of a connector whose kind nobody told: none
// where it suits one of the kinds, else those of the kind that it suits best.
func CheckAny(kinds []*catalog.Kind, c Call) []Verdict {
	var best []Verdict
	var entities []string
	found := false // a kind that has the action
	for _, k := range kinds {
		entities = append(entities, k.EntityNames()...)
		e := k.Entity(c.Entity)
		if e == nil {
			continue
		}
		c.Kind = k
		list := Check(c)
		if len(Errors(list)) == 0 {
			return list
		}
		known := e.Action(c.Action) != nil
		if best == nil || known && !found || known == found && len(Errors(list)) < len(Errors(best)) {
			best, found = list, known
		}
	}
	if best == nil {
		slices.Sort(entities)
		entities = slices.Compact(entities)
		return []Verdict{{Severity: catalog.SeverityError, Place: "entity", Rule: "unknown", Status: 404,
			Text: fmt.Sprintf("no kind has an entity %q%s", c.Entity, strictyaml.DidYouMean(c.Entity, entities)),
			Next: "patchbay catalog lists the kinds."}}
	}
	return best
}
