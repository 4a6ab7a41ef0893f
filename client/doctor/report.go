package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"patchbay/client"
)

// The steps that a check tells of.
const (
	stepConnector = "connector"
	stepEntity    = "entity"
)

// ofVerdict are the statuses of findings by verdict; the others failed.
var ofVerdict = map[client.Verdict]Status{client.VerdictOK: OK, client.VerdictNotTried: Skip,
	client.VerdictCanceled: Skip}

// Connector checks a connector and tells of it as it is tried, of each entity as it is
// through, and of its verdict at the end.
func Connector(ctx context.Context, s Subject, emit func(Finding)) client.Check {
	trying := Finding{Step: stepConnector, Subject: s.Name, Status: Trying, Detail: "asking for what it may do"}
	emit(trying)
	read := 0
	found := s.Check(ctx, func(e client.EntityCheck, of int) {
		read++
		emit(OfEntity(s.Name, e))
		trying.Detail = fmt.Sprintf("%d of %d entities are through", read, of)
		emit(trying)
	})
	emit(OfConnector(s, found))
	return found
}

// OfEntity is what a check found of an entity.
func OfEntity(connector string, e client.EntityCheck) Finding {
	return Finding{Step: stepEntity, Subject: connector + "/" + e.Entity, Status: cmp.Or(ofVerdict[e.Verdict], Fail),
		Verdict: e.Verdict, Detail: e.Message, Next: e.Next, HTTPStatus: e.HTTPStatus, Class: e.Class, Took: e.Took,
		entity: e.Entity, place: e.Place}
}

// OfConnector is what a check found of a connector.
func OfConnector(s Subject, c client.Check) Finding {
	f := Finding{Step: stepConnector, Subject: s.Name, Status: cmp.Or(ofVerdict[c.Verdict], Fail), Verdict: c.Verdict,
		Detail: Told(c), Next: c.Next, HTTPStatus: c.HTTPStatus, Class: c.Class}
	if s.Kind == nil && c.Verdict == client.VerdictNotTried {
		f.Detail += fmt.Sprintf("; the catalog does not know the type %q", s.Type)
	}
	return f
}

// words say a verdict of a connector before its details.
var words = map[client.Verdict]string{client.VerdictPartly: "partly allowed", client.VerdictRefused: "not allowed",
	client.VerdictCredentials: "the credentials are refused", client.VerdictRateLimited: "stopped at a limit",
	client.VerdictUnreachable: "unreachable"}

// Told says what a check found, in a line.
func Told(c client.Check) string { return strings.TrimPrefix(said(words[c.Verdict], c.Message), ": ") }

// Report gathers findings as they come. The zero value is empty.
type Report struct{ all []Finding }

// Add takes a finding. What is told of a connector takes the place of what was told
// while it was tried.
func (r *Report) Add(f Finding) {
	if f.Step == stepConnector {
		for i := range slices.Backward(r.all) {
			if old := &r.all[i]; old.Status == Trying && old.Subject == f.Subject {
				*old = f
				return
			}
		}
	}
	r.all = append(r.all, f)
}

// Findings are all of them, each connector before its entities, which are in the
// order of their kind.
func (r *Report) Findings() []Finding {
	out := append([]Finding{}, r.all...)
	for from := 0; from < len(out); {
		to := from + entities(out[from:])
		slices.SortStableFunc(out[from:to], func(a, b Finding) int { return cmp.Compare(a.place, b.place) })
		from = max(to, from+1)
	}
	return out
}

// entities counts the findings about entities that a list begins with.
func entities(all []Finding) int {
	for i := range all {
		if all[i].Step != stepEntity {
			return i
		}
	}
	return len(all)
}

// Lines are the findings as a person reads them: the entities of a connector that say
// the same are one, counted and named up to a few; and none where the connector's own
// line says it for all of them.
func (r *Report) Lines() []Finding {
	var out []Finding
	all := r.Findings()
	for from := 0; from < len(all); {
		n := entities(all[from:])
		if n == 0 {
			out = append(out, all[from])
			out[len(out)-1].Count = 1
			from++
			continue
		}
		var of Finding
		if len(out) > 0 {
			of = out[len(out)-1]
		}
		if of.Verdict != client.VerdictCredentials && of.Verdict != client.VerdictUnreachable {
			below := merged(all[from : from+n])
			if of.Step == stepConnector {
				heads(&out[len(out)-1], below)
			}
			out = append(out, below...)
		}
		from += n
	}
	return out
}

// heads leaves to the lines below a connector what they say themselves.
func heads(connector *Finding, below []Finding) {
	connector.Count = 0
	if slices.ContainsFunc(below, func(f Finding) bool { return f.Next == connector.Next }) {
		connector.Next = ""
	}
}

// Merged are the entities of a check as Lines has them.
func Merged(c client.Check) []Finding {
	var r Report
	r.Add(Finding{Step: stepConnector, Verdict: c.Verdict})
	for _, e := range c.Entities {
		r.Add(OfEntity("", e))
	}
	return r.Lines()[1:]
}

// merged makes one finding of those that say the same, failures first.
func merged(all []Finding) []Finding {
	type group struct {
		Finding
		names []string
	}
	var groups []*group
	by := map[string]*group{}
	for _, f := range all {
		// Servers name the entity in what they say; for several it is left out.
		told := strings.ReplaceAll(f.Detail, f.entity, "…")
		key := strings.Join([]string{string(f.Status), fmt.Sprint(f.HTTPStatus), told, f.Next}, "\x00")
		g, there := by[key]
		if there {
			g.Detail = told
		} else {
			g = &group{Finding: f}
			by[key], groups = g, append(groups, g)
		}
		g.names = append(g.names, f.entity)
	}
	order := map[Status]int{Fail: -2, OK: -1}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(order[a.Status], order[b.Status]) })
	var out []Finding
	for _, g := range groups {
		g.Count = len(g.names)
		if n := g.Count; n > 1 {
			connector := strings.TrimSuffix(g.Subject, g.entity)
			g.Subject, g.entity = fmt.Sprintf("%s%s (%d)", connector, few(g.names), n), few(g.names)
			g.Took = 0
		}
		out = append(out, g.Finding)
	}
	return out
}

// Worst is the failure that matters most: one of credentials or scopes, else the
// first; nil where nothing failed.
func (r *Report) Worst() *Finding {
	var out *Finding
	for i := range r.all {
		switch f := &r.all[i]; {
		case f.Status != Fail:
		case f.Class == client.ClassAuth, f.Class == client.ClassScope:
			return f
		case out == nil:
			out = f
		}
	}
	return out
}
