// Package compare asks one question in several ways (search, list, a connector
// called directly), each in its own words, pairs the records that come and says
// what differs. Its words are those of the catalog. It knows no terminal; escaping
// is for those who draw.
package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/records"
	"patchbay/client/relate"
	"patchbay/client/search"
)

// Side is one way of asking for the records of an entity, and what came.
type Side struct {
	Name string
	Ask  answer.Question
	// Unasked is why the question cannot be sent; empty when it can.
	Unasked string
	// Left is what other sides are asked and this one is not. Checked are
	// conditions that are not asked but held against what comes.
	Left, Checked []search.Left

	Set *records.Set
	// Foreign counts records that came and do not meet the checked conditions.
	Foreign int
	Out     answer.Outcome
	Err     error
	// shelf keeps the bodies that the records of Set stand in, also of the side that
	// continues with this one.
	shelf *answer.Shelf
}

// sidesOf puts the question to each way of asking in its own words. known holds
// values for what a list requires besides.
func sidesOf(from answer.Question, ways []Way, known map[string]json.RawMessage, now time.Time) []*Side {
	var asked search.Asked
	if list := listOf(from.Entity, from.Action); list != nil {
		asked = search.Same(from.Entity, list, from.Action, from.Op.Params, known)
	}
	sides := make([]*Side, len(ways))
	for i, w := range ways {
		s := &Side{Name: w.Name, Set: &records.Set{}, Ask: from, shelf: &answer.Shelf{}}
		s.Ask.Target, s.Ask.Action, s.Ask.Asked = *w.Target, w.Action, now
		s.Ask.Op = client.Operation{Entity: from.Entity.Name, Action: w.Action.Name}
		if !lists(w.Action) {
			s.Ask.Op = from.Op // the same call, word for word
		} else if w.Action.Name == catalog.ActionContextStoreSearch {
			s.Ask.Op.Params, s.Left = search.Query{Filter: asked.Filter, Limit: relate.Listed}.Params(),
				asked.SearchLeft
		} else {
			s.takeList(asked)
		}
		sides[i] = s
	}
	return sides
}

// takeList notes what a list side is asked, from its first page on, and what it
// is not; what can be judged on the records is judged there.
func (s *Side) takeList(asked search.Asked) {
	var params json.RawMessage
	for _, m := range asked.Params {
		params = answer.WithParam(params, m.Name, m.Value)
	}
	s.Ask.Op.Params = relate.FirstPage(s.Ask.Action, params)
	if len(asked.Missing) > 0 {
		s.Unasked = "it needs " + strings.Join(asked.Missing, ", ") + ", which neither the answer nor the form holds"
	}
	for _, l := range asked.ListLeft {
		if l.Node != nil && search.Checkable(s.Ask.Entity, s.Ask.Action, l.Node) {
			s.Checked = append(s.Checked, l)
		} else {
			s.Left = append(s.Left, l)
		}
	}
}

// Answered reports whether there is anything to hold against other sides.
func (s *Side) Answered() bool { return s.Unasked == "" && (s.Err == nil || s.Set.Len() > 0) }

// Whole reports whether the side showed all records it has.
func (s *Side) Whole() bool { return s.Err == nil && s.Out.Complete() }

// Continues reports whether the side has further pages and says how to ask for them.
func (s *Side) Continues() bool {
	return s.Unasked == "" && s.Out.Pages > 0 && s.Out.Next.State == answer.More && s.Out.Stop != answer.StopVerdict
}

// Failure says why the side failed and what to do; empty where it did not.
func (s *Side) Failure() string {
	if s.Err == nil {
		return ""
	}
	e := client.AsError(s.Err)
	if e.Next == "" {
		return e.Error()
	}
	return e.Error() + ". " + e.Next
}

// Sent is what the side was asked.
func (s *Side) Sent() string {
	if len(s.Ask.Op.Params) == 0 {
		return "no params"
	}
	return string(s.Ask.Op.Params)
}

// Loose are the conditions that a side was not asked and the others may have
// been: records may be only there because of them.
func (s *Side) Loose() []search.Left {
	return slices.DeleteFunc(slices.Clone(s.Left), func(l search.Left) bool { return l.Shape })
}

// Came says how many records came, and how many of them the question means.
func (s *Side) Came() string {
	rows := s.Set.Len()
	t := quantity.Plain(rows+s.Foreign, "record")
	if !s.Whole() {
		t = "the first " + t
	}
	if s.Foreign > 0 {
		t = fmt.Sprintf("%d of %s meet %s", rows, t, short(LeftNames(s.Checked), 60))
	}
	return t
}

// LeftNames names what was left out of a question, LeftWhy says why.
func LeftNames(left []search.Left) string {
	return joined(left, ", ", func(l search.Left) string { return l.Name })
}

// LeftWhy says why each part was left out of a question.
func LeftWhy(left []search.Left) string {
	return joined(left, " · ", func(l search.Left) string { return l.Name + ": " + l.Why })
}

func joined[T any](list []T, between string, word func(T) string) string {
	words := make([]string, len(list))
	for i, one := range list {
		words[i] = word(one)
	}
	return strings.Join(words, between)
}

// Names names sides: search, list and local.
func Names(sides []*Side) string {
	t := joined(sides, ", ", func(s *Side) string { return s.Name })
	if at := strings.LastIndex(t, ", "); at >= 0 {
		return t[:at] + " and " + t[at+2:]
	}
	return t
}

// unsure says why a record that some sides have and others lack may be no
// difference: it may stand on a page that was not asked for, or the sides that
// have it were asked less.
func unsure(in, out []*Side) string {
	var why []string
	if i := slices.IndexFunc(out, func(s *Side) bool { return !s.Whole() }); i >= 0 {
		why = append(why, out[i].Name+" has further pages")
	}
	if i := slices.IndexFunc(in, func(s *Side) bool { return len(s.Loose()) > 0 }); i >= 0 {
		why = append(why, in[i].Name+" was not asked "+short(LeftNames(in[i].Loose()), 60))
	}
	if len(why) == 0 {
		return ""
	}
	return " (" + strings.Join(why, "; ") + ")"
}

// short is a text of at most n characters.
func short(t string, n int) string {
	if r := []rune(t); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return t
}

// Group is the records that the same sides have.
type Group struct {
	Name    string
	Records []*Compared
}

// Groups are the records that are not the same everywhere, by the sides that have them.
func (c *Comparison) Groups() []Group {
	var groups []Group
	at := map[string]int{}
	for i := range c.Records {
		in, out := c.parted(&c.Records[i])
		name := "Differing"
		switch {
		case len(out) > 0 && len(in) == 1:
			name = "Only in " + in[0].Name + unsure(in, out)
		case len(out) > 0:
			name = "Not in " + Names(out) + unsure(in, out)
		}
		n, ok := at[name]
		if !ok {
			n = len(groups)
			at[name] = n
			groups = append(groups, Group{Name: name})
		}
		groups[n].Records = append(groups[n].Records, &c.Records[i])
	}
	slices.SortFunc(groups, func(a, b Group) int { return cmp.Compare(a.Name, b.Name) })
	return groups
}

// Lacks says that a side lacks a record that others have.
func (c *Comparison) Lacks(r *Compared, s *Side) string {
	in, _ := c.parted(r)
	return s.Name + " does not have it" + unsure(in, []*Side{s})
}

// parted are the sides that have a record and those that lack it.
func (c *Comparison) parted(r *Compared) (in, out []*Side) {
	for i, s := range c.Joined {
		if r.In(i) {
			in = append(in, s)
		} else {
			out = append(out, s)
		}
	}
	return in, out
}

// PairedBy says what the records are paired by.
func (c *Comparison) PairedBy() string { return pairedBy(c.key()) }

func pairedBy(key string) string { return cmp.Or(key, "what they hold, as they have no key") }

// key is the field that the records are paired by; empty where it is what they hold.
func (d *Differences) key() string {
	if d.Join.By == "key" {
		return d.Join.Key
	}
	return ""
}

// Summary is a side against the others; nil where it did not answer.
func (c *Comparison) Summary(s *Side) *SideSummary {
	if i := slices.Index(c.Joined, s); i >= 0 {
		return &c.Summaries[i]
	}
	return nil
}

// State says in a line what came of asking a side.
func (c *Comparison) State(s *Side) string {
	switch {
	case s.Unasked != "":
		return "not asked: " + s.Unasked
	case !s.Answered():
		return "failed: " + s.Err.Error()
	}
	sum, facts := c.Summary(s), []string{s.Came()}
	if len(c.Joined) > 1 {
		facts = append(facts, fmt.Sprintf("%d only here, %d missing", sum.Only, sum.Missing))
	}
	if loose := s.Loose(); len(loose) > 0 {
		facts = append(facts, "not asked: "+short(LeftNames(loose), 80))
	}
	if s.Err != nil {
		facts = append(facts, "then it failed: "+s.Err.Error())
	}
	if newest := c.Newest(sum); newest != "" {
		facts = append(facts, "newest "+newest)
	}
	return strings.Join(facts, " · ")
}

// Newest tells of the newest update of a side and by how much it is older than that
// of another; empty where no record tells.
func (c *Comparison) Newest(sum *SideSummary) string {
	if sum.NewestRow < 0 {
		return ""
	}
	newest := sum
	for i := range c.Summaries {
		o := &c.Summaries[i]
		if o.NewestRow >= 0 && o.NewestField == sum.NewestField && o.Newest.After(newest.Newest) {
			newest = o
		}
	}
	t := sum.NewestField + " " + sum.Newest.UTC().Format("2006-01-02 15:04:05 UTC")
	if newest == sum {
		return t
	}
	return t + ", " + newest.Newest.Sub(sum.Newest).Round(time.Second).String() + " behind " + newest.Name
}
