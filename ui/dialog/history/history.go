// Package history is the feature that keeps every run, finds it again, opens its
// answer without sending anything, and holds two runs against each other. How runs
// are stored is client/history. It imports no other feature and not the root.
package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/history"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/search"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// How many runs the list holds, and how long the history may take.
const (
	runsListed = 1000
	timeout    = 20 * time.Second
)

// Store keeps runs; *history.Store is one.
type Store interface {
	Add(ctx context.Context, r history.Run) (int64, error)
	Find(ctx context.Context, q history.Query) ([]history.Entry, error)
	Get(ctx context.Context, id int64) (*history.Entry, *client.Envelope, error)
	Delete(ctx context.Context, id int64) (int, error)
	Prune(ctx context.Context, b history.Bounds) (int, error)
}

// Feature is the history; without a store it keeps nothing and says so.
type Feature struct {
	dialog.Host
	Store Store
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "history", After: "explain", In: action.InAny,
		Keys: []string{"H", "ctrl+y"}, Label: "history",
		Help: "Search past runs, open their answers again, compare two", Disabled: f.missing, Do: f.open}}
}

// missing says why there is no history; "" when there is one.
func (f *Feature) missing() string {
	return action.Reason(f.Store == nil, "there is no place to keep a history")
}

// quiet is work with the store that nobody waits for.
func quiet(do func(context.Context) (func() intent.Intent, error)) intent.Task {
	return intent.Task{Lane: intent.Quiet, Limit: timeout, Do: do}
}

// Keep stores a run. That it cannot is said and is no failure of the run.
func (f *Feature) Keep(p *answer.Page) intent.Intent {
	if f.Store == nil || f.Session().NoHistory {
		return nil
	}
	run := history.Run{Target: p.Target, Op: p.Op, Env: p.Env, Started: p.Asked, Rows: p.Len(),
		NoBody: p.File != nil}
	if p.Err != nil {
		run.Err = p.Err
	}
	now := f.Now()
	return quiet(func(ctx context.Context) (func() intent.Intent, error) {
		id, err := f.Store.Add(context.Background(), run) // kept although the program may be leaving
		if err != nil {
			t := "The run could not be kept in the history: " + err.Error()
			return func() intent.Intent { return intent.Say{Text: t, Bad: true, Once: true} }, nil
		}
		if id%history.PruneEvery == 0 {
			_, err = f.Store.Prune(ctx, history.DefaultBounds(now))
		}
		if err != nil {
			return nil, fmt.Errorf("old runs could not be removed from the history: %w", err)
		}
		return nil, nil
	})
}

// pastRuns is the open list of past runs.
type pastRuns struct {
	list  *overlay.List
	items []overlay.Item
	// first is the run that another one is to be compared with; 0 while none is chosen.
	first int64
}

// open lists past runs, newest first.
func (f *Feature) open() intent.Intent {
	h := &pastRuns{}
	of := func(do func(*pastRuns, history.Entry) intent.Intent) func(overlay.Item) intent.Intent {
		return func(it overlay.Item) intent.Intent { return do(h, it.Value.(history.Entry)) }
	}
	h.list = &overlay.List{Heading: "History", Careful: true,
		OnItem: map[string]func(overlay.Item) intent.Intent{
			"ctrl+r": of(f.runAgain), "ctrl+d": of(f.compare), "ctrl+x": of(f.forget)},
		Prompt: "words of the call, the connector, the params, a status", Wide: true,
		Help: "enter opens the kept answer · ctrl+r runs again · ctrl+d compares two · ctrl+x forgets · " +
			"esc closes",
		Empty: "Reading the history…", Source: func(q string) []overlay.Item { return overlay.HoldAll(h.items, q) },
		Choose: of(f.openAnswer)}
	return intent.All{intent.Push{Overlay: h.list}, f.load(h)}
}

func (f *Feature) load(h *pastRuns) intent.Intent {
	return quiet(func(ctx context.Context) (func() intent.Intent, error) {
		list, err := f.Store.Find(ctx, history.Query{Limit: runsListed})
		meant := f.moments(list)
		return func() intent.Intent {
			h.list.Empty = "No run of these words is kept."
			if len(list) == 0 {
				h.list.Empty = "Nothing was run yet."
			}
			if err != nil {
				h.list.Empty = "The history cannot be read: " + err.Error()
			}
			h.items = items(list, f.Now(), meant)
			h.list.Refresh()
			return nil
		}, nil
	})
}

// moments tells by their ids what the numbers of searches mean that stand for times.
func (f *Feature) moments(list []history.Entry) map[int64]string {
	out := map[int64]string{}
	for _, e := range list {
		if e.Op.Action != catalog.ActionContextStoreSearch {
			continue
		}
		q, err := search.Decode(e.Op.Params)
		if err != nil || q.Filter == nil {
			continue
		}
		if question, err := f.questionOf(e); err == nil {
			out[e.ID] = strings.Join(search.Moments(q.Filter, question.Entity), ", ")
		}
	}
	return out
}

// items are the rows of runs; meant says what numbers in them stand for.
func items(list []history.Entry, now time.Time, meant map[int64]string) []overlay.Item {
	out := make([]overlay.Item, 0, len(list))
	for _, e := range list {
		outcome := fmt.Sprintf("%d  %s", e.Status, quantity.Count(e.Rows, "row", "rows"))
		if !e.OK() {
			outcome = strings.TrimSpace(statusText(e.Status) + "  " + strings.ReplaceAll(string(e.Class), "_", " "))
		}
		it := overlay.Item{Group: dayText(e.Started, now), Value: e,
			Title:  fmt.Sprintf("%s  %s %s", e.Started.Local().Format("15:04:05"), e.Op.Entity, e.Op.Action),
			Result: outcome, Outcome: style.OutcomeOf(!e.OK(), e.Class.Refused()),
			Note: e.Target.Name, Key: quantity.Duration(e.Took)}
		if e.By != "" {
			it.Note += "  by " + e.By
		}
		it.Detail = text.Short(strings.TrimSpace(string(e.Op.Params)+"  "+e.Message), 300)
		if at := meant[e.ID]; at != "" {
			it.Detail += "  " + at
		}
		out = append(out, it)
	}
	return out
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

// questionOf is the question that a past run answered.
func (f *Feature) questionOf(e history.Entry) (answer.Question, error) {
	k, ent, act, err := f.Catalog().Resolve(e.Target.Kind, e.Op.Entity, e.Op.Action)
	return answer.Question{Target: e.Target, Op: e.Op, Kind: k, Entity: ent, Action: act, Asked: e.Started}, err
}

// opens is what opens the form of a past run, filled as it was.
func opens(e history.Entry) intent.OpenAction {
	t := e.Target
	return intent.OpenAction{Entity: e.Op.Entity, Action: e.Op.Action, Params: e.Op.Params, Connector: client.Connector{
		ID: t.ConnectorID, Name: t.Name, Kind: t.Kind, Workspace: t.Workspace, Local: t.Local}}
}

// openAnswer shows the form and the answer of a run as they were, without sending anything.
func (f *Feature) openAnswer(_ *pastRuns, e history.Entry) intent.Intent {
	q, err := f.questionOf(e)
	if err != nil {
		return intent.Failed(err)
	}
	return quiet(func(ctx context.Context) (func() intent.Intent, error) {
		page, note, err := f.kept(ctx, q, e.ID)
		said := "The answer of " + e.Started.Local().Format("2 Jan 15:04:05") + " as it was kept" + note +
			"; nothing was sent"
		return func() intent.Intent {
			return intent.All{opens(e), intent.ShowPage{Page: page}, intent.Say{Text: said}}
		}, err
	})
}

// kept makes a page of a run in the history.
func (f *Feature) kept(ctx context.Context, q answer.Question, id int64) (page *answer.Page, note string, err error) {
	full, env, err := f.Store.Get(ctx, id)
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
		return answer.NewPage(ctx, q, env, nil), note, nil
	}
	failed := &client.Error{Class: full.Class, Status: full.Status, Message: full.Message, Attempts: full.Attempts,
		Envelope: env}
	return answer.NewPage(ctx, q, env, failed), note, nil
}

// runAgain opens the form of a past run and sends it, after asking when it writes.
func (f *Feature) runAgain(_ *pastRuns, e history.Entry) intent.Intent {
	again := opens(e)
	again.Run = true
	return intent.All{intent.Close{}, again}
}

// forget removes a run after asking.
func (f *Feature) forget(h *pastRuns, e history.Entry) intent.Intent {
	remove := quiet(func(ctx context.Context) (func() intent.Intent, error) {
		if _, err := f.Store.Delete(ctx, e.ID); err != nil {
			return nil, fmt.Errorf("the run could not be forgotten: %w", err)
		}
		return func() intent.Intent { return intent.All{f.load(h), intent.Say{Text: "forgotten"}} }, nil
	})
	which := e.Op.Entity + " " + e.Op.Action + " on " + e.Target.Name + ", " +
		e.Started.Local().Format("2 Jan 15:04:05")
	return intent.Push{Overlay: &overlay.Confirm{Heading: "Forget this run?", Yes: "Forget it", No: "Keep it",
		Text: []string{which + ", and the answer that was kept."}, Do: remove}}
}

// compare takes the run as the first of two, or compares it with the first.
func (f *Feature) compare(h *pastRuns, e history.Entry) intent.Intent {
	if h.first == 0 || h.first == e.ID {
		h.first = e.ID
		return intent.Say{Text: "compared from " + e.Started.Local().Format("15:04:05") + " " + e.Op.Entity + " " +
			e.Op.Action +
			"; ctrl+d on another run compares"}
	}
	a, b := h.first, e.ID
	h.first = 0
	return quiet(func(ctx context.Context) (func() intent.Intent, error) {
		lines, err := f.compareRuns(ctx, a, b)
		return func() intent.Intent {
			return intent.Push{Overlay: &overlay.Reader{Heading: "What differs", Body: lines, CopyWhat: "differences",
				Wide: true}}
		}, err
	})
}

func (f *Feature) compareRuns(ctx context.Context, a, b int64) ([]overlay.Line, error) {
	ea, va, erra := f.Store.Get(ctx, a)
	eb, vb, errb := f.Store.Get(ctx, b)
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
		return append(lines, overlay.Line{Tone: overlay.Warn,
			Text: "One of the two has no kept body, so there is nothing more to compare."}), nil
	}
	changes, err := dialog.Changes(ctx, recordsOf(va), recordsOf(vb), nil, "The records are the same.")
	return append(lines, changes...), err
}

func runLine(which string, e *history.Entry) overlay.Line {
	return overlay.Line{Label: which, LabelWidth: 8, Tone: overlay.Plain,
		Text: fmt.Sprintf("%s  %s %s on %s  %s, %s, %s", e.Started.Local().Format("2 Jan 15:04:05"),
			e.Op.Entity, e.Op.Action, e.Target.Name, statusText(e.Status), quantity.Count(e.Rows, "row", "rows"),
			e.Op.Params)}
}

func recordsOf(env *client.Envelope) rawjson.Node {
	body := env.Body.Slice(0, env.Body.Len())
	if !env.Records.Empty() {
		body = body[env.Records.From:env.Records.To]
	}
	return rawjson.Parse(body)
}

// DiffItem is the line of the menu of differences that holds the answer shown
// against an earlier run.
func (f *Feature) DiffItem() overlay.Item {
	p := f.Response().Page()
	no := cmp.Or(f.missing(), action.Reason(p == nil || p.Kind == nil || p.Entity == nil || p.Index == nil,
		"the history holds runs of entities, and this is no answer with records of one"))
	return overlay.Item{Title: "A run from the history…", Disabled: no, Value: intent.Then{F: f.chooseDiff},
		Detail: "What this run has otherwise than an earlier one of the same entity; nothing is sent."}
}

// chooseDiff chooses an earlier run of the entity shown.
func (f *Feature) chooseDiff() intent.Intent {
	shown := f.Response().Page()
	return quiet(func(ctx context.Context) (func() intent.Intent, error) {
		found, err := f.Store.Find(ctx, history.Query{Kind: shown.Kind.Name, Entity: shown.Entity.Name,
			Limit: runsListed})
		if err != nil {
			return nil, fmt.Errorf("the history cannot be read: %w", err)
		}
		return func() intent.Intent {
			items := items(found, f.Now(), nil)
			for i, e := range found {
				switch {
				case !e.OK():
					items[i].Disabled = "it failed, so it has no records"
				case e.Kept != history.KeptWhole:
					items[i].Disabled = "its whole body is not kept"
				case e.Started.UnixMilli() == shown.Asked.UnixMilli() && e.Op.Action == shown.Op.Action &&
					string(e.Op.Params) == string(shown.Op.Params):
					items[i].Disabled = "this is the run shown"
				}
			}
			l := &overlay.List{Heading: "Compare with which run?",
				Prompt: "words of the call, the connector, the params", Wide: true,
				Empty:  "No run of " + shown.Entity.Name + " of these words is kept.",
				Source: func(q string) []overlay.Item { return overlay.HoldAll(items, q) },
				Choose: func(it overlay.Item) intent.Intent { return f.diff(it.Value.(history.Entry)) }}
			return intent.Push{Overlay: l.Select(func(it overlay.Item) bool { return it.Disabled == "" })}
		}, nil
	})
}

// diff holds what is loaded against a run of the history.
func (f *Feature) diff(e history.Entry) intent.Intent {
	q, err := f.questionOf(e)
	if err != nil {
		return intent.Failed(err)
	}
	with := f.Response().DiffWith("This run against " + e.Op.Action + " of " +
		e.Started.Local().Format("2 Jan 15:04:05"))
	return dialog.Diff(func(ctx context.Context) (string, []response.DiffLine, error) {
		page, _, err := f.kept(ctx, q, e.ID)
		if err != nil {
			return "", nil, err
		}
		return with(ctx, page)
	})
}
