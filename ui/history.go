package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/diff"
	"patchbay/client/history"
	"patchbay/client/rawjson"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// How many runs the list holds, and how long the history may take.
const (
	runsListed     = 1000
	historyTimeout = 20 * time.Second
)

// keepRun stores a run beside the update loop. That it cannot is told and is no
// failure of the run.
func (m *Model) keepRun(p *result.Page) tea.Cmd {
	h := m.deps.History
	if h == nil || m.deps.Session.NoHistory {
		return nil
	}
	run := history.Run{Target: p.Target, Op: p.Op, Env: p.Env, Started: p.Asked, Rows: p.Len()}
	if p.Err != nil {
		run.Err = p.Err
	}
	now := m.deps.Now()
	return m.async(historyTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		id, err := h.Add(context.Background(), run) // kept although the program may be leaving
		if err != nil {
			return func(m *Model) tea.Cmd { return m.sayOnce("The run could not be kept in the history: " + err.Error()) }
		}
		if id%history.PruneEvery == 0 {
			_, err = h.Prune(ctx, history.DefaultBounds(now))
		}
		if err != nil {
			return func(m *Model) tea.Cmd {
				return m.say("Old runs could not be removed from the history: "+err.Error(), true)
			}
		}
		return nil
	})
}

func (m *Model) noHistory() string {
	return reason(m.deps.History == nil, "there is no place to keep a history")
}

// pastRuns is the open list of past runs.
type pastRuns struct {
	list  *overlay.KeyedList
	items []overlay.Item
	// first is the run that another one is to be compared with; 0 while none is chosen.
	first int64
}

// openHistory lists past runs, newest first.
func (m *Model) openHistory() tea.Cmd {
	h := &pastRuns{}
	id := func(f func(*Model, *pastRuns, history.Entry) tea.Cmd) func(overlay.Item) intent.Intent {
		return func(it overlay.Item) intent.Intent {
			return then(func() tea.Cmd { return f(m, h, it.Value.(history.Entry)) })
		}
	}
	h.list = &overlay.KeyedList{Extra: map[string]func(overlay.Item) intent.Intent{
		"ctrl+r": id((*Model).runAgain), "ctrl+d": id((*Model).comparePast), "ctrl+x": id((*Model).forgetPast)}}
	h.list.List = overlay.List{Heading: "History", Careful: true, Prompt: "words of the call, the connector, the params, a status", Wide: true,
		Help:  "enter opens the kept answer · ctrl+r runs again · ctrl+d compares two · ctrl+x forgets · esc closes",
		Empty: "Reading the history…", Source: func(q string) []overlay.Item { return matchAll(h.items, q) }, Choose: id((*Model).openPast)}
	return tea.Batch(m.push(h.list), m.loadPast(h))
}

// matchAll keeps the items that hold all words, in their order.
func matchAll(items []overlay.Item, q string) []overlay.Item {
	words := strings.Fields(strings.ToLower(q))
	if len(words) == 0 {
		return items
	}
	var out []overlay.Item
next:
	for _, it := range items {
		hay := strings.ToLower(it.Title + " " + it.Note + " " + it.Detail)
		for _, w := range words {
			if !strings.Contains(hay, w) {
				continue next
			}
		}
		it.Group = ""
		out = append(out, it)
	}
	return out
}

func (m *Model) loadPast(h *pastRuns) tea.Cmd {
	store := m.deps.History
	return m.async(historyTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		list, err := store.Find(ctx, history.Query{Limit: runsListed})
		return func(m *Model) tea.Cmd {
			h.list.Empty = "No run of these words is kept."
			if len(list) == 0 {
				h.list.Empty = "Nothing was run yet."
			}
			if err != nil {
				h.list.Empty = "The history cannot be read: " + text.Sanitize(err.Error())
			}
			h.items = pastItems(list, m.deps.Now())
			h.list.Refresh()
			return nil
		}
	})
}

func pastItems(list []history.Entry, now time.Time) []overlay.Item {
	items := make([]overlay.Item, 0, len(list))
	for _, e := range list {
		outcome := fmt.Sprintf("%d  %s", e.Status, text.Count(e.Rows, "row", "rows"))
		if !e.OK() {
			outcome = strings.TrimSpace(fmt.Sprintf("%s %s", statusText(e.Status), e.Class))
		}
		it := overlay.Item{Group: dayText(e.Started, now), Value: e,
			Title: fmt.Sprintf("%s  %s %s", e.Started.Local().Format("15:04:05"), e.Op.Entity, e.Op.Action),
			Note:  text.Sanitize(e.Target.Name) + "  " + outcome, Key: text.Duration(e.Took)}
		it.Detail = text.Truncate(text.Sanitize(strings.TrimSpace(string(e.Op.Params)+"  "+e.Message)), 300)
		items = append(items, it)
	}
	return items
}

func statusText(n int) string {
	if n == 0 {
		return "no answer"
	}
	return fmt.Sprint(n)
}

func dayText(t, now time.Time) string {
	switch days := int(now.Truncate(24*time.Hour).Sub(t.Truncate(24*time.Hour)).Hours() / 24); {
	case days <= 0:
		return "Today"
	case days == 1:
		return "Yesterday"
	}
	return t.Format("Monday 2 January 2006")
}

// connectorOf is the connector that a past run went to.
func connectorOf(t client.Target) client.Connector {
	return client.Connector{ID: t.ConnectorID, Name: t.Name, Kind: t.Kind, Workspace: t.Workspace, Local: t.Local}
}

// openPast shows the form and the answer of a run as they were, without sending anything.
func (m *Model) openPast(_ *pastRuns, e history.Entry) tea.Cmd {
	store := m.deps.History
	k, ent, act, err := m.deps.Catalog.Resolve(e.Target.Kind, e.Op.Entity, e.Op.Action)
	if err != nil {
		return m.say(err.Error(), true)
	}
	q := result.Question{Target: e.Target, Op: e.Op, Kind: k, Entity: ent, Action: act, Asked: e.Started}
	return m.async(historyTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		page, note, err := keptPage(ctx, store, q, e.ID)
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.say(err.Error(), true)
			}
			cmd := m.openAction(intent.OpenAction{Connector: connectorOf(e.Target), Entity: e.Op.Entity, Action: e.Op.Action, Params: e.Op.Params})
			opened := m.perform(m.res.Open(page))
			m.arr.focus = paneResponse
			return tea.Batch(cmd, opened, m.say("The answer of "+e.Started.Local().Format("2 Jan 15:04:05")+" as it was kept"+note+"; nothing was sent", false))
		}
	})
}

// keptPage makes a page of a run in the history.
func keptPage(ctx context.Context, store History, q result.Question, id int64) (page *result.Page, note string, err error) {
	full, env, err := store.Get(ctx, id)
	if err != nil {
		return nil, "", fmt.Errorf("the run cannot be read from the history: %w", err)
	}
	switch full.Kept {
	case history.KeptStart:
		note = ", its body only in part"
	case history.KeptNot:
		note = ", without its body"
	}
	if full.OK() {
		return result.NewPage(ctx, q, env, nil), note, nil
	}
	failed := &client.Error{Class: full.Class, Status: full.Status, Message: full.Message, Attempts: full.Attempts, Envelope: env}
	return result.NewPage(ctx, q, env, failed), note, nil
}

// runAgain opens the form of a past run and sends it, after asking when it writes.
func (m *Model) runAgain(_ *pastRuns, e history.Entry) tea.Cmd {
	m.stack.Pop()
	return m.openAction(intent.OpenAction{Connector: connectorOf(e.Target), Entity: e.Op.Entity, Action: e.Op.Action, Params: e.Op.Params, Run: true})
}

// forgetPast removes a run after asking.
func (m *Model) forgetPast(h *pastRuns, e history.Entry) tea.Cmd {
	store := m.deps.History
	return m.push(&overlay.Confirm{Heading: "Forget this run?", Yes: "Forget it", No: "Keep it",
		Text: []string{e.Op.Entity + " " + e.Op.Action + " on " + text.Sanitize(e.Target.Name) + ", " + e.Started.Local().Format("2 Jan 15:04:05") + ", and the answer that was kept."},
		Do: then(func() tea.Cmd {
			return m.async(historyTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
				_, err := store.Delete(ctx, e.ID)
				return func(m *Model) tea.Cmd {
					if err != nil {
						return m.say("The run could not be forgotten: "+err.Error(), true)
					}
					return tea.Batch(m.loadPast(h), m.say("forgotten", false))
				}
			})
		})})
}

// comparePast takes the run as the first of two, or compares it with the first.
func (m *Model) comparePast(h *pastRuns, e history.Entry) tea.Cmd {
	if h.first == 0 || h.first == e.ID {
		h.first = e.ID
		return m.say("compared from "+e.Started.Local().Format("15:04:05")+" "+e.Op.Entity+" "+e.Op.Action+"; ctrl+d on another run compares", false)
	}
	store, a, b := m.deps.History, h.first, e.ID
	h.first = 0
	return m.async(historyTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		lines, err := compareRuns(ctx, store, a, b)
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.say(err.Error(), true)
			}
			return m.push(&overlay.Reader{Heading: "What differs", Body: lines, CopyWhat: "differences", Wide: true})
		}
	})
}

// changesShown bounds how many differences are listed.
const changesShown = 500

func compareRuns(ctx context.Context, store History, a, b int64) ([]overlay.Line, error) {
	ea, va, erra := store.Get(ctx, a)
	eb, vb, errb := store.Get(ctx, b)
	if err := errors.Join(erra, errb); err != nil {
		return nil, fmt.Errorf("the runs cannot be read from the history: %w", err)
	}
	if ea.ID > eb.ID {
		ea, eb, va, vb = eb, ea, vb, va
	}
	lines := []overlay.Line{runLine("earlier", ea), runLine("later", eb), {}}
	if string(ea.Op.Params) != string(eb.Op.Params) {
		lines = append(lines, overlay.Line{Text: "The params differ.", Tone: overlay.Warn})
	}
	if va == nil || vb == nil || va.Body == nil || vb.Body == nil {
		return append(lines, overlay.Line{Text: "One of the two has no kept body, so there is nothing more to compare.", Tone: overlay.Warn}), nil
	}
	res, err := diff.Diff(ctx, recordsOf(va), recordsOf(vb), diff.Options{Max: changesShown})
	if err != nil {
		return nil, err
	}
	if len(res.Changes) == 0 {
		lines = append(lines, overlay.Line{Text: "The records are the same.", Tone: overlay.Good})
	}
	for _, c := range res.Changes {
		lines = append(lines, changeLine(c))
	}
	if res.More {
		lines = append(lines, overlay.Line{Text: "There is more; only the first differences are listed.", Tone: overlay.Dim})
	}
	return lines, nil
}

func runLine(which string, e *history.Entry) overlay.Line {
	return overlay.Line{Label: which, LabelWidth: 8, Tone: overlay.Plain,
		Text: text.Sanitize(fmt.Sprintf("%s  %s %s on %s  %s, %s, %s", e.Started.Local().Format("2 Jan 15:04:05"), e.Op.Entity, e.Op.Action, e.Target.Name, statusText(e.Status), text.Count(e.Rows, "row", "rows"), e.Op.Params))}
}

func recordsOf(env *client.Envelope) rawjson.Node {
	body := env.Body.Slice(0, env.Body.Len())
	if !env.Records.Empty() {
		body = body[env.Records.From:env.Records.To]
	}
	return rawjson.Parse(body)
}

func changeLine(c diff.Change) overlay.Line {
	l := overlay.Line{Label: c.Kind.String(), LabelWidth: 8, Text: c.Path.Dotted()}
	show := func(n rawjson.Node) string { return text.Truncate(text.Sanitize(string(n.Raw())), 200) }
	switch c.Kind {
	case diff.Added:
		l.Text, l.Tone = l.Text+"  "+show(c.B), overlay.Good
	case diff.Removed:
		l.Text, l.Tone = l.Text+"  "+show(c.A), overlay.Bad
	default:
		l.Text, l.Tone = l.Text+"  "+show(c.A)+" → "+show(c.B), overlay.Warn
	}
	l.Text = text.Sanitize(l.Text)
	return l
}
