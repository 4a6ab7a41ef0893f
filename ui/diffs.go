package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/history"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// openDiff chooses what is compared and shows the differences.
func (m *Model) openDiff() tea.Cmd {
	var items []overlay.Item
	for _, c := range m.res.Diffs() {
		items = append(items, overlay.Item{Title: c.Title, Detail: c.Detail, Disabled: c.Disabled, Value: func() intent.Intent { return m.compare(c) }})
	}
	items = append(items, overlay.Item{Title: "A run from the history…", Detail: "What this run has otherwise than an earlier one of the same entity; nothing is sent.",
		Disabled: m.noPastDiff(), Value: func() intent.Intent { return then(m.openPastDiff) }})
	l := &overlay.List{Heading: "Compare", Source: overlay.Static(items)}
	l.Choose = func(it overlay.Item) intent.Intent { return it.Value.(func() intent.Intent)() }
	return m.push(l.Select(func(it overlay.Item) bool { return it.Disabled == "" }))
}

// noPastDiff says why no run of the history can be held against the answer.
func (m *Model) noPastDiff() string {
	if why := m.noHistory(); why != "" {
		return why
	}
	p := m.res.Page()
	return reason(p == nil || p.Kind == nil || p.Entity == nil || p.Index == nil, "the history holds runs of entities, and this is no answer with records of one")
}

// openPastDiff chooses an earlier run of the entity shown.
func (m *Model) openPastDiff() tea.Cmd {
	store, shown := m.deps.History, m.res.Page()
	return m.async(historyTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		found, err := store.Find(ctx, history.Query{Kind: shown.Kind.Name, Entity: shown.Entity.Name, Limit: runsListed})
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.say("The history cannot be read: "+err.Error(), true)
			}
			items := pastItems(found, m.deps.Now())
			for i := range items {
				items[i].Disabled = notComparable(shown, items[i].Value.(history.Entry))
			}
			l := &overlay.List{Heading: "Compare with which run?", Prompt: "words of the call, the connector, the params", Wide: true,
				Empty:  "No run of " + shown.Entity.Name + " of these words is kept.",
				Source: func(q string) []overlay.Item { return matchAll(items, q) },
				Choose: func(it overlay.Item) intent.Intent { return m.comparePastRun(it.Value.(history.Entry)) }}
			return m.push(l.Select(func(it overlay.Item) bool { return it.Disabled == "" }))
		}
	})
}

// notComparable says why a run of the history cannot be held against a page.
func notComparable(shown *result.Page, e history.Entry) string {
	switch {
	case !e.OK():
		return "it failed, so it has no records"
	case e.Kept != history.KeptWhole:
		return "its whole body is not kept"
	case e.Started.UnixMilli() == shown.Asked.UnixMilli() && e.Op.Action == shown.Op.Action && string(e.Op.Params) == string(shown.Op.Params):
		return "this is the run shown"
	}
	return ""
}

// comparePastRun holds what is loaded against a run of the history.
func (m *Model) comparePastRun(e history.Entry) intent.Intent {
	store, res := m.deps.History, m.res
	k, ent, act, err := m.deps.Catalog.Resolve(e.Target.Kind, e.Op.Entity, e.Op.Action)
	if err != nil {
		return intent.Say{Text: err.Error(), Bad: true}
	}
	q := result.Question{Target: e.Target, Op: e.Op, Kind: k, Entity: ent, Action: act, Asked: e.Started}
	title := "This run against " + e.Op.Action + " of " + e.Started.Local().Format("2 Jan 15:04:05")
	with := res.DiffWith(title)
	return m.compare(result.DiffChoice{Do: func(ctx context.Context) (string, []result.DiffLine, error) {
		page, _, err := keptPage(ctx, store, q, e.ID)
		if err != nil {
			return "", nil, err
		}
		return with(ctx, page)
	}})
}

var diffTones = map[string]overlay.Tone{"+": overlay.Good, "-": overlay.Bad, "~": overlay.Warn, "!": overlay.Warn, "": overlay.Heading}

func (m *Model) compare(c result.DiffChoice) intent.Intent {
	return intent.Work{What: "comparing", Do: func(ctx context.Context) (func() intent.Intent, error) {
		title, lines, err := c.Do(ctx)
		if err != nil {
			return nil, err
		}
		body := make([]overlay.Line, len(lines))
		for i, l := range lines {
			body[i] = overlay.Line{Text: strings.TrimSpace(l.Sign + " " + l.Text), Tone: diffTones[l.Sign]}
		}
		return func() intent.Intent {
			return then(func() tea.Cmd {
				return m.push(&overlay.Reader{Heading: text.Sanitize(title), Body: body, Wide: true, CopyWhat: "differences"})
			})
		}, nil
	}}
}
