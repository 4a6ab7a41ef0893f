// Package explain is the feature that says why a search of the context store found a
// record, and which condition empties a result. How conditions are judged is
// client/search. It imports no other dialog and not the root.
package explain

import (
	"context"
	"fmt"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/search"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// leaveOutTimeout bounds all the searches that leave one condition out.
const leaveOutTimeout = 2 * time.Minute

// Feature is the explaining of searches.
type Feature struct{ dialog.Host }

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "explain", After: "request.choose", In: action.InResponse, Keys: []string{"W"},
		Label:    "explain",
		Help:     "Say why a search found this record, or which condition empties the result",
		Disabled: f.missing, Do: f.explain}}
}

// missing says why there is nothing to explain.
func (f *Feature) missing() string {
	if why := f.Response().NoAnswer(); why != "" {
		return why
	}
	page := f.Response().Page()
	switch {
	case page.Action == nil || page.Action.Name != catalog.ActionContextStoreSearch:
		return "only searches of the context store have conditions to explain"
	case page.Err != nil:
		return "the search failed, so there is nothing to explain"
	}
	q, err := search.Decode(page.Op.Params)
	return action.Reason(err != nil || q.Filter == nil, "the search had no conditions")
}

// explain tells, for the record under the cursor, which conditions of the search it
// meets; for an empty result, which condition empties it.
func (f *Feature) explain() intent.Intent {
	page := f.Response().Page()
	q, err := search.Decode(page.Op.Params)
	if err != nil {
		return intent.Failed(err)
	}
	rec, row, ok := f.Response().Current()
	if !ok {
		return f.leaveOut(page, q)
	}
	body := []overlay.Line{{Text: fmt.Sprintf("Record %d of the answer, condition by condition. The service "+
		"decided; this is what the received values say.", row+1), Tone: overlay.Dim}, {}}
	for _, x := range explained(page, rec.Raw(), q.Filter) {
		body = append(body, explainedLine(x, page.Entity))
	}
	return show("Why this record was found", body)
}

func show(heading string, body []overlay.Line) intent.Intent {
	return intent.Push{Overlay: &overlay.Reader{Heading: heading, Body: body, CopyWhat: "explanation"}}
}

// explained holds a record against the filter in the names that the record
// carries; the conditions are shown as they were asked.
func explained(page *answer.Page, record []byte, asked *search.Node) []search.Explained {
	if page.Env.Names != client.Wire {
		return search.Explain(record, asked)
	}
	out := search.Explain(record, search.InWireNames(page.Kind, page.Entity, asked))
	for i := range out {
		out[i].Node = asked.At(out[i].Path)
	}
	return out
}

var stateTones = map[search.State]overlay.Tone{search.Met: overlay.Good, search.NotMet: overlay.Bad,
	search.ServerOnly: overlay.Warn, search.Off: overlay.Dim}

var groupNames = map[search.Op]string{search.All: "all of", search.Any: "any of", search.Not: "none of"}

func explainedLine(x search.Explained, e *catalog.Entity) overlay.Line {
	l := overlay.Line{Label: string(x.State), LabelWidth: 25, Indent: 2 * len(x.Path), Tone: stateTones[x.State]}
	if x.Node.Op != search.Condition {
		l.Text = groupNames[x.Node.Op]
		return l
	}
	l.Text = conditionText(x.Node, e)
	var have []string
	for _, v := range x.Values {
		have = append(have, text.Short(string(v), 60))
	}
	if len(have) == 0 {
		have = []string{"nothing"}
	}
	l.Text += "   the record holds " + strings.Join(have, ", ")
	return l
}

// conditionText is a condition in a line, with the moment that its number means.
func conditionText(n *search.Node, e *catalog.Entity) string {
	t := n.Field + " " + n.Operator + " " + string(n.Value)
	if f, exact, _ := search.FindField(e, n.Field); exact {
		if at := search.Moment(f, n.Value); at != "" {
			t += " (" + at + ")"
		}
	}
	return t
}

// leaveOut runs an empty search once without each condition and says what
// comes then.
func (f *Feature) leaveOut(page *answer.Page, q search.Query) intent.Intent {
	variants := search.LeaveOut(q)
	service, op := f.Session().Service, page.Op
	ask := func(ctx context.Context) (func() intent.Intent, error) {
		body := []overlay.Line{{Text: "Nothing met all conditions. Without one of them at a time the search finds:",
			Tone: overlay.Plain}, {}}
		var guilty []string
		for _, v := range variants {
			v.Query.Limit, v.Query.Fields = most, nil
			line, found := leftOut(ctx, service, page, op, v)
			if found {
				guilty = append(guilty, conditionText(v.Condition, page.Entity))
			}
			body = append(body, line)
		}
		verdict := overlay.Line{Tone: overlay.Good, Text: "Each of these alone would bring records if it were left " +
			"out: " + strings.Join(guilty, "; ") + "."}
		switch len(guilty) {
		case 0:
			verdict.Tone, verdict.Text = overlay.Warn, "No single condition empties the result: at least two of "+
				"them do, or the store holds nothing of this entity."
		case 1:
			verdict.Text = "It is this condition that empties the result: " + guilty[0]
		}
		body = append(body, overlay.Line{}, verdict)
		return func() intent.Intent { return show("What empties the result", body) }, nil
	}
	said := fmt.Sprintf("searching %d times, without one condition each…", len(variants))
	return intent.All{intent.Say{Text: said}, intent.Task{Lane: intent.Asking, Limit: leaveOutTimeout,
		What: "searching without each condition", Do: ask}}
}

// most is how many records are asked for to tell how many there are.
const most = 100

func leftOut(ctx context.Context, service client.Executor, asked *answer.Page, op client.Operation,
	v search.Variant) (line overlay.Line, found bool) {
	op.Params = v.Query.Params()
	env, err := service.Execute(ctx, asked.Target, op)
	line = overlay.Line{Label: "failed", LabelWidth: 12, Text: "without " + conditionText(v.Condition, asked.Entity),
		Tone: overlay.Warn}
	if err != nil {
		line.Text += ": " + client.AsError(err).Error()
		return line, false
	}
	page := answer.NewPage(ctx, answer.Question{Target: asked.Target, Op: op}, env, nil)
	n := page.Len()
	line.Label, line.Tone = quantity.Count(n, "record", "records"), overlay.Good
	switch {
	case n == 0:
		line.Tone = overlay.Dim
	case n >= most:
		line.Label = fmt.Sprintf("%d or more", most)
	}
	return line, n > 0
}
