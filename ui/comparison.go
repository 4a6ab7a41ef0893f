package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client/diff"
	"patchbay/client/pages"
	"patchbay/client/rawjson"
	"patchbay/client/search"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// compareListed is how many records of a group are listed.
const compareListed = 500

// comparison is what search, list and the direct call say of one entity.
type comparison struct {
	m      *Model
	entity *catalog.Entity
	// sides are those that were to be asked, joined those that answered, in the
	// order of out.Sides.
	sides, joined []*compareSide
	// out is nil when no side answered.
	out  *pages.Comparison
	list *overlay.List
}

func (c *comparison) names(sides []*compareSide) string {
	names := make([]string, len(sides))
	for i, s := range sides {
		names[i] = s.name
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// open is the list of what differs.
func (c *comparison) open() overlay.Overlay {
	l := &overlay.List{Heading: c.entity.Name + ": " + c.names(c.sides), Prompt: "key, name or field", Wide: true, Keep: true,
		Help: "enter shows details · ctrl+e exports all · ctrl+y copies all · esc closes",
		Choose: func(it overlay.Item) intent.Intent {
			if f, ok := it.Value.(func() intent.Intent); ok {
				return f()
			}
			return nil
		}}
	c.fill(l)
	return l
}

// fill puts the comparison into a list, in place of one that asked for less.
func (c *comparison) fill(l *overlay.List) {
	c.list = l
	l.Source = overlay.Static(c.items())
	l.Keys = map[string]intent.Intent{"ctrl+y": c.copy(), "ctrl+e": then(func() tea.Cmd { return c.m.openExports(c.exports()) })}
	l.Refresh()
}

func (c *comparison) items() []overlay.Item {
	var items []overlay.Item
	for _, s := range c.sides {
		items = append(items, c.sideItem(s))
	}
	items = append(items, c.moreItems()...)
	var records []overlay.Item
	switch {
	case len(c.joined) < 2:
		items = append(items, overlay.Item{Group: "Records", Title: "Fewer than two sides answered, so nothing could be compared."})
	case len(c.out.Join.Rows) == 0:
		items = append(items, overlay.Item{Group: "Records", Title: "No side has a record of this question."})
	default:
		records = c.recordItems()
		items = append(items, c.verdicts(records)...)
	}
	items = append(items, c.askedItems()...)
	for _, f := range c.fields() {
		items = append(items, overlay.Item{Group: "Fields that differ", Title: text.Sanitize(f.Name), Note: "in " + recordCount(f.N),
			Value: func() intent.Intent { c.list.SetQuery(f.Name); return nil }})
	}
	return append(items, records...)
}

// fields are those that differ; there are none without a comparison.
func (c *comparison) fields() []pages.FieldCount {
	if c.out == nil {
		return nil
	}
	return c.out.Fields
}

// verdicts count the records by where they are; choosing one goes to its records.
func (c *comparison) verdicts(records []overlay.Item) []overlay.Item {
	group := "Records, paired by " + c.pairedBy()
	var items []overlay.Item
	if n := c.out.Same; n > 0 || len(c.out.Records) == 0 {
		items = append(items, overlay.Item{Group: group, Title: recordCount(n) + " the same on every side"})
	}
	for i, it := range records {
		if i == 0 || records[i-1].Group != it.Group {
			items = append(items, overlay.Item{Group: group, Title: it.Group, Value: func() intent.Intent {
				c.list.SetQuery("").Select(func(o overlay.Item) bool { return o.Group == it.Group })
				return nil
			}})
		}
	}
	return items
}

func (c *comparison) pairedBy() string {
	if j := c.out.Join; j.By == "key" {
		return text.Sanitize(j.Key)
	}
	return "their place, as they have no key"
}

func recordCount(n int) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}

func (c *comparison) sideItem(s *compareSide) overlay.Item {
	it := overlay.Item{Group: "Sides", Title: s.name, Value: c.read(s)}
	switch {
	case s.unasked != "":
		it.Note = "not asked: " + s.unasked
	case !s.answered():
		it.Note = "failed: " + text.Sanitize(s.err.Error())
	default:
		it.Note = strings.Join(c.sideFacts(s), " · ")
	}
	if sum := c.summary(s); sum != nil && len(sum.OnlyFields) > 0 {
		it.Detail = "fields only here: " + text.Truncate(text.Sanitize(strings.Join(sum.OnlyFields, ", ")), 200)
	}
	return it
}

func (c *comparison) read(s *compareSide) func() intent.Intent {
	return func() intent.Intent { return then(func() tea.Cmd { return c.m.push(c.sideReader(s)) }) }
}

// askedItems show the question as each side was asked it, and what of it could
// not be asked.
func (c *comparison) askedItems() []overlay.Item {
	const group = "The question, as each was asked it"
	var items []overlay.Item
	for _, s := range c.sides {
		if s.unasked != "" {
			continue
		}
		items = append(items, overlay.Item{Group: group, Title: s.name, Note: text.Sanitize(sentText(s)), Value: c.read(s),
			Detail: text.Truncate(text.Sanitize(sentText(s)), 200) + " to " + text.Sanitize(s.ask.Target.Name)})
	}
	for _, s := range c.sides {
		if s.unasked != "" {
			continue
		}
		if len(s.left) > 0 {
			items = append(items, overlay.Item{Group: group, Title: s.name, Note: "not sent: " + text.Sanitize(leftNames(s.left)), Value: c.read(s),
				Detail: text.Sanitize(leftWhy(s.left))})
		}
		if len(s.checked) > 0 {
			items = append(items, overlay.Item{Group: group, Title: s.name, Note: "not sent: " + text.Sanitize(leftNames(s.checked)) + "; its records are held against it",
				Value: c.read(s), Detail: text.Sanitize(leftWhy(s.checked))})
		}
	}
	return items
}

// leftNames names what was left out of a question.
func leftNames(left []search.Left) string {
	names := make([]string, len(left))
	for i, l := range left {
		names[i] = l.Name
	}
	return strings.Join(names, ", ")
}

func leftWhy(left []search.Left) string {
	why := make([]string, len(left))
	for i, l := range left {
		why[i] = l.Name + ": " + l.Why
	}
	return strings.Join(why, " · ")
}

// loose are the conditions that a side was not asked and the others may have
// been: records may be only there because of them.
func (s *compareSide) loose() []search.Left {
	return slices.DeleteFunc(slices.Clone(s.left), func(l search.Left) bool { return l.Shape })
}

func sentText(s *compareSide) string {
	if len(s.ask.Op.Params) == 0 {
		return "no params"
	}
	return string(s.ask.Op.Params)
}

// summary is the side among the joined ones; nil when it is not one of them.
func (c *comparison) summary(s *compareSide) *pages.SideSummary {
	if i := slices.Index(c.joined, s); i >= 0 {
		return &c.out.Sides[i]
	}
	return nil
}

func (c *comparison) sideFacts(s *compareSide) []string {
	sum := c.summary(s)
	facts := []string{s.came(sum.Rows)}
	if len(c.joined) > 1 {
		facts = append(facts, fmt.Sprintf("%d only here, %d missing", sum.Only, sum.Missing))
	}
	if loose := s.loose(); len(loose) > 0 {
		facts = append(facts, "not asked: "+text.Truncate(text.Sanitize(leftNames(loose)), 80))
	}
	if s.err != nil {
		facts = append(facts, "then it failed: "+text.Sanitize(s.err.Error()))
	}
	if sum.NewestRow >= 0 {
		facts = append(facts, "newest "+text.Sanitize(sum.NewestField)+" "+timeText(sum.Newest)+c.behind(sum))
	}
	return facts
}

// came says how many records came, and how many of them the question means.
func (s *compareSide) came(rows int) string {
	t := recordCount(rows + s.foreign)
	if !s.whole() {
		t = "the first " + t
	}
	if s.foreign > 0 {
		t = fmt.Sprintf("%d of %s meet %s", rows, t, text.Truncate(text.Sanitize(leftNames(s.checked)), 60))
	}
	return t
}

func timeText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// behind says by how much the newest update of a side is older than the newest of all.
func (c *comparison) behind(sum *pages.SideSummary) string {
	var newest *pages.SideSummary
	for i := range c.out.Sides {
		o := &c.out.Sides[i]
		if o.NewestRow >= 0 && o.NewestField == sum.NewestField && (newest == nil || o.Newest.After(newest.Newest)) {
			newest = o
		}
	}
	if newest == nil || !newest.Newest.After(sum.Newest) {
		return ""
	}
	return ", " + newest.Newest.Sub(sum.Newest).Round(time.Second).String() + " behind " + newest.Name
}

// sideReader tells all that is known of one side.
func (c *comparison) sideReader(s *compareSide) overlay.Overlay {
	var body []overlay.Line
	row := func(label, t string, tone overlay.Tone) {
		body = append(body, overlay.Line{Label: label, LabelWidth: 14, Text: text.Sanitize(t), Tone: tone})
	}
	row("asked", s.ask.Op.Entity+" "+s.ask.Op.Action+" on "+s.ask.Target.Name, overlay.Plain)
	row("params", sentText(s), overlay.Plain)
	for _, l := range s.left {
		row("not sent", l.Name+": "+l.Why, overlay.Warn)
	}
	for _, l := range s.checked {
		row("not sent", fmt.Sprintf("%s: %s; the records that came are held against it", l.Name, l.Why), overlay.Plain)
	}
	if s.unasked != "" {
		row("not asked", s.unasked, overlay.Warn)
	}
	if s.err != nil {
		row("failed", troubled(s.err), overlay.Bad)
	}
	if sum := c.summary(s); sum != nil {
		row("came", fmt.Sprintf("%s on %d pages", s.came(sum.Rows), s.out.Pages), overlay.Plain)
		if !s.whole() && s.err == nil {
			row("not all", s.out.Why+"; what seems missing here may come on later pages", overlay.Warn)
		}
		if sum.NewestRow >= 0 {
			row("newest", sum.NewestField+" "+timeText(sum.Newest)+c.behind(sum), overlay.Plain)
		}
		if len(sum.OnlyFields) > 0 {
			row("fields only", strings.Join(sum.OnlyFields, ", "), overlay.Plain)
		}
	}
	return &overlay.Reader{Heading: c.entity.Name + " by " + s.name, Body: body, Wide: true, CopyWhat: "side"}
}

// recordItems are the records that differ or are not everywhere, group by group.
func (c *comparison) recordItems() []overlay.Item {
	groups := map[string][]overlay.Item{}
	counts := map[string]int{}
	var order []string
	for i := range c.out.Records {
		r := &c.out.Records[i]
		name := c.groupOf(r)
		if counts[name]++; counts[name] == 1 {
			order = append(order, name)
		}
		if counts[name] <= compareListed {
			groups[name] = append(groups[name], c.recordItem(r))
		}
	}
	slices.Sort(order)
	var items []overlay.Item
	for _, name := range order {
		heading := name + ": " + recordCount(counts[name])
		for i := range groups[name] {
			groups[name][i].Group = heading
		}
		items = append(items, groups[name]...)
		if more := counts[name] - compareListed; more > 0 {
			items = append(items, overlay.Item{Group: heading, Title: fmt.Sprintf("%d more are not listed", more)})
		}
	}
	return items
}

// groupOf names where a record is and is not.
func (c *comparison) groupOf(r *pages.Compared) string {
	var in, out []*compareSide
	for i, s := range c.joined {
		if r.In(i) {
			in = append(in, s)
		} else {
			out = append(out, s)
		}
	}
	switch {
	case len(out) == 0:
		return "Differing"
	case len(in) == 1:
		return "Only in " + in[0].name + unsure(in, out)
	}
	return "Not in " + c.names(out) + unsure(in, out)
}

// unsure says why a record that some sides have and others lack may be no
// difference: it may stand on a page that was not asked for, or the sides that
// have it were asked less.
func unsure(in, out []*compareSide) string {
	var why []string
	for _, s := range out {
		if !s.whole() {
			why = append(why, s.name+" has further pages")
			break
		}
	}
	for _, s := range in {
		if loose := s.loose(); len(loose) > 0 {
			why = append(why, s.name+" was not asked "+text.Truncate(text.Sanitize(leftNames(loose)), 60))
			break
		}
	}
	if len(why) == 0 {
		return ""
	}
	return " (" + strings.Join(why, "; ") + ")"
}

func (c *comparison) recordItem(r *pages.Compared) overlay.Item {
	it := overlay.Item{Title: text.Truncate(text.Sanitize(r.Key), 60), Note: text.Sanitize(strings.Join(r.Fields, ", "))}
	for i, s := range c.joined {
		if it.Note == "" && r.In(i) {
			it.Note = nameBy(s.set.Record(r.Rows[i]).Get, c.entity.Key)
		}
	}
	it.Value = func() intent.Intent { return c.openRecord(r) }
	return it
}

// openRecord shows a record as the sides have it.
func (c *comparison) openRecord(r *pages.Compared) intent.Intent {
	return intent.Work{What: "comparing", Do: func(ctx context.Context) (func() intent.Intent, error) {
		body, err := c.recordLines(ctx, r)
		if err != nil {
			return nil, err
		}
		return func() intent.Intent {
			return then(func() tea.Cmd {
				return c.m.push(&overlay.Reader{Heading: text.Truncate(text.Sanitize(r.Key), 60), Body: body, Wide: true, CopyWhat: "differences"})
			})
		}, nil
	}}
}

// having are the sides that have a record.
func (c *comparison) having(r *pages.Compared) []*compareSide {
	var in []*compareSide
	for i, s := range c.joined {
		if r.In(i) {
			in = append(in, s)
		}
	}
	return in
}

func (c *comparison) recordLines(ctx context.Context, r *pages.Compared) ([]overlay.Line, error) {
	base := slices.IndexFunc(r.Rows, func(row int) bool { return row >= 0 })
	rec := c.joined[base].set.Record(r.Rows[base])
	var body []overlay.Line
	for i, s := range c.joined {
		switch {
		case i <= base && r.In(i):
		case !r.In(i):
			body = append(body, overlay.Line{Text: s.name + " does not have it" + unsure(c.having(r), []*compareSide{s}), Tone: overlay.Warn})
		default:
			res, err := diff.Diff(ctx, rec, s.set.Record(r.Rows[i]), diff.Options{Fields: c.entity.RecordOf(s.ask.Action), Max: changesShown})
			if err != nil {
				return nil, err
			}
			body = append(body, sideChanges(c.joined[base].name, s.name, res)...)
		}
	}
	return append(body, recordJSON(c.joined[base].name, rec)...), nil
}

// sideChanges lists what two sides say differently of one record.
func sideChanges(a, b string, res diff.Result) []overlay.Line {
	out := []overlay.Line{{Text: a + " → " + b, Tone: overlay.Heading}}
	if len(res.Changes) == 0 {
		out = append(out, overlay.Line{Text: "the same", Tone: overlay.Good})
	}
	words := map[diff.Kind]string{diff.Added: "only " + b, diff.Removed: "only " + a, diff.Changed: "differs"}
	for _, change := range res.Changes {
		l := changeLine(change)
		l.Label, l.LabelWidth = words[change.Kind], 12
		out = append(out, l)
	}
	if res.More {
		out = append(out, overlay.Line{Text: "There is more; only the first differences are listed.", Tone: overlay.Dim})
	}
	return out
}

func recordJSON(side string, rec rawjson.Node) []overlay.Line {
	out := []overlay.Line{{}, {Text: "The whole record in " + side, Tone: overlay.Heading}}
	var b bytes.Buffer
	if json.Indent(&b, rec.Raw(), "", "  ") != nil {
		b.Reset()
		b.Write(rec.Raw())
	}
	for _, l := range text.Lines(b.String()) {
		out = append(out, overlay.Line{Text: l, Tone: overlay.JSON})
	}
	return out
}
