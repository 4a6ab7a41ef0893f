package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/search"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// leaveOutTimeout bounds all the searches that leave one condition out.
const leaveOutTimeout = 2 * time.Minute

// noExplain says why there is nothing to explain.
func (m *Model) noExplain() string {
	if why := m.noAnswer(); why != "" {
		return why
	}
	page := m.res.Page()
	switch {
	case page.Action == nil || page.Action.Name != catalog.ActionContextStoreSearch:
		return "only searches of the context store have conditions to explain"
	case page.Err != nil:
		return "the search failed, so there is nothing to explain"
	}
	q, err := search.Decode(page.Op.Params)
	return reason(err != nil || q.Filter == nil, "the search had no conditions")
}

// explain tells, for the record under the cursor, which conditions of the
// search it meets; for an empty result, which condition empties it.
func (m *Model) explain() tea.Cmd {
	page := m.res.Page()
	q, err := search.Decode(page.Op.Params)
	if err != nil {
		return m.say(err.Error(), true)
	}
	rec, row, ok := m.res.Current()
	if !ok {
		return m.leaveOut(page, q)
	}
	body := []overlay.Line{{Text: fmt.Sprintf("Record %d of the answer, condition by condition. The service decided; this is what the received values say.", row+1), Tone: overlay.Dim}, {}}
	for _, x := range explained(page, rec.Raw(), q.Filter) {
		body = append(body, explainedLine(x))
	}
	return m.push(&overlay.Reader{Heading: "Why this record was found", Body: body, CopyWhat: "explanation"})
}

// explained holds a record against the filter in the names that the record
// carries; the conditions are shown as they were asked.
func explained(page *result.Page, record []byte, asked *search.Node) []search.Explained {
	if page.Env.Names != client.Wire {
		return search.Explain(record, asked)
	}
	out := search.Explain(record, search.InWireNames(page.Kind, page.Entity, asked))
	for i := range out {
		out[i].Node = asked.At(out[i].Path)
	}
	return out
}

var stateTones = map[search.State]overlay.Tone{search.Met: overlay.Good, search.NotMet: overlay.Bad, search.ServerOnly: overlay.Warn, search.Off: overlay.Dim}

var groupNames = map[search.Op]string{search.All: "all of", search.Any: "any of", search.Not: "none of"}

func explainedLine(x search.Explained) overlay.Line {
	l := overlay.Line{Label: string(x.State), LabelWidth: 25, Indent: 2 * len(x.Path), Tone: stateTones[x.State]}
	if x.Node.Op != search.Condition {
		l.Text = groupNames[x.Node.Op]
		return l
	}
	l.Text = conditionText(x.Node)
	var have []string
	for _, v := range x.Values {
		have = append(have, text.Truncate(text.Sanitize(string(v)), 60))
	}
	if len(have) == 0 {
		have = []string{"nothing"}
	}
	l.Text += "   the record holds " + strings.Join(have, ", ")
	return l
}

func conditionText(n *search.Node) string {
	return text.Sanitize(n.Field + " " + n.Operator + " " + string(n.Value))
}

// leaveOut runs an empty search once without each condition and tells what
// comes then.
func (m *Model) leaveOut(page *result.Page, q search.Query) tea.Cmd {
	variants := search.LeaveOut(q)
	service, target, op := m.deps.Session.Service, page.Target, page.Op
	cmd := m.ask("searching without each condition", leaveOutTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		body := []overlay.Line{{Text: "Nothing met all conditions. Without one of them at a time the search finds:", Tone: overlay.Plain}, {}}
		var guilty []string
		for _, v := range variants {
			v.Query.Limit, v.Query.Fields = 100, nil
			line, found := leftOut(ctx, service, target, op, v)
			if found {
				guilty = append(guilty, conditionText(v.Condition))
			}
			body = append(body, line)
		}
		body = append(body, overlay.Line{}, verdictLine(guilty))
		return func(m *Model) tea.Cmd {
			return m.push(&overlay.Reader{Heading: "What empties the result", Body: body, CopyWhat: "explanation"})
		}
	})
	return tea.Batch(m.say(fmt.Sprintf("searching %d times, without one condition each…", len(variants)), false), cmd)
}

func leftOut(ctx context.Context, service client.Executor, t client.Target, op client.Operation, v search.Variant) (line overlay.Line, found bool) {
	op.Params = v.Query.Params()
	env, err := service.Execute(ctx, t, op)
	line = overlay.Line{Label: "failed", LabelWidth: 12, Text: "without " + conditionText(v.Condition), Tone: overlay.Warn}
	if err != nil {
		line.Text += ": " + text.Sanitize(client.AsError(err).Error())
		return line, false
	}
	page := result.NewPage(ctx, result.Question{Target: t, Op: op}, env, nil)
	n := page.Len()
	line.Label, line.Tone = "0 records", overlay.Dim
	if n > 0 {
		line.Label, line.Tone = text.Count(n, "record", "records"), overlay.Good
	}
	if n == 1 {
		line.Label = "1 record"
	}
	if n >= 100 {
		line.Label = "100 or more"
	}
	return line, n > 0
}

func verdictLine(guilty []string) overlay.Line {
	switch len(guilty) {
	case 0:
		return overlay.Line{Text: "No single condition empties the result: at least two of them do, or the store holds nothing of this entity.", Tone: overlay.Warn}
	case 1:
		return overlay.Line{Text: "It is this condition that empties the result: " + guilty[0], Tone: overlay.Good}
	}
	return overlay.Line{Text: "Each of these alone would bring records if it were left out: " + strings.Join(guilty, "; ") + ".", Tone: overlay.Good}
}
