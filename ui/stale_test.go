package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/ui/intent"
)

// outcomes are the messages that commands end with; nobody has handled them yet.
func outcomes(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	batch, many := msg.(tea.BatchMsg)
	if msg != nil && !many {
		return []tea.Msg{msg}
	}
	var all []tea.Msg
	for _, c := range batch {
		all = append(all, outcomes(c)...)
	}
	return all
}

func (p *player) sendAll(msgs []tea.Msg) {
	for _, m := range msgs {
		p.send(m)
	}
}

// A job may end in the moment in which another replaces it.
func TestAJobThatEndedBeforeItWasReplacedIsDropped(t *testing.T) {
	calm := openText(t, customers(20), 120, 36)
	calm.onColumn("balance")
	calm.keys("o", "o")
	p := openText(t, customers(20), 120, 36)
	p.onColumn("balance")
	old := outcomes(p.hold("o"))
	latest := p.hold("o")
	p.wants("balance▼")
	before := p.screen()
	p.sendAll(old)
	if got := p.screen(); got != before {
		t.Errorf("the older sort was taken:\n%s\nwant\n%s", got, before)
	}
	p.run(latest)
	if got, want := p.screen(), calm.screen(); got != want {
		t.Errorf("the newer sort was lost:\n%s\nwant\n%s", got, want)
	}
}

// What belongs to an older run changes nothing of the present one.
func TestWhatAnOlderRunTellsIsDropped(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.open("payments", "customers", "list")
	op, _ := p.m.req.Operation()
	p.m.perform(p.m.run.Send(op, false))
	old := p.m.running().id
	p.m.perform(p.m.run.Send(op, false))
	before := p.screen()
	apply := func() intent.Intent { return intent.Say{Text: "taken", Bad: true} }
	for _, msg := range []tea.Msg{taskMsg{id: old, apply: apply}, taskMsg{id: old, err: errors.New("taken")}, stepMsg{old}, dueMsg{old}} {
		_, cmd := p.m.Update(msg)
		if got := p.screen(); cmd != nil || p.m.running() == nil || got != before {
			t.Errorf("%T of an older run was taken:\n%s", msg, got)
		}
	}
}

// What a service answers after its profile was left is not shown in the next one.
func TestAnswersOfAProfileThatWasLeftAreDropped(t *testing.T) {
	for name, ask := range map[string]func(p *player) tea.Cmd{
		"workspaces":    func(p *player) tea.Cmd { return p.hold("R") },
		"connectors":    func(p *player) tea.Cmd { return p.hold("enter") },
		"a kind":        func(p *player) tea.Cmd { p.keys("enter", "j"); return p.hold("enter") },
		"anything else": func(p *player) tea.Cmd { return p.m.start(saysLate) },
	} {
		t.Run(name, func(t *testing.T) {
			one, next := twoWorkspaces("old", "team_wiki"), twoWorkspaces("new", "payments")
			p := play(t, Deps{Session: one, Profiles: func() []string { return []string{"next"} },
				Open: func(context.Context, string) (Session, error) { return next, nil }}, 120, 36)
			p.keys("1", "g")
			late := outcomes(ask(p))
			if len(late) == 0 {
				t.Fatal("nothing was asked")
			}
			p.keys("p")
			p.typed("next")
			p.keys("enter", "1", "g", "enter", "j", "enter")
			p.wants("new", "customers")
			before := p.screen()
			p.sendAll(late)
			if got := p.screen(); got != before {
				t.Errorf("the answer to the profile before was taken:\n%s\nwant\n%s", got, before)
			}
		})
	}
}

// twoWorkspaces is a service with one connector of a kind, of the same id whatever its name.
func twoWorkspaces(name, kind string) Session {
	s := serviceSession()
	s.Service = &few{Service: s.Service, workspaces: []client.Workspace{{Name: "first"}, {Name: name + " workspace"}},
		connectors: map[string][]client.Connector{"first": {{ID: "1", Name: name, Kind: kind, Workspace: "first"}}}}
	return s
}

var saysLate = intent.Task{Lane: intent.Quiet, Do: func(context.Context) (func() intent.Intent, error) {
	return func() intent.Intent { return intent.Say{Text: "late", Bad: true} }, nil
}}

// laneNames tell the lanes apart in what tests say.
var laneNames = map[intent.Lane]string{intent.Records: "records", intent.Idle: "idle", intent.Writing: "writing",
	intent.Asking: "asking", intent.Running: "running", intent.Typing: "typing", intent.Quiet: "quiet"}

// Questions and what hangs on the profile are dropped with it; what a person waits for is not.
func TestWorkThatOutlivesItsProfile(t *testing.T) {
	for lane, name := range laneNames {
		p, taken := play(t, Deps{}, 120, 36), false
		late := outcomes(p.m.start(intent.Task{Lane: lane, Do: func(context.Context) (func() intent.Intent, error) {
			return func() intent.Intent { taken = true; return nil }, nil
		}}))
		p.m.session++
		p.sendAll(late)
		hangs := lane == intent.Asking || lane == intent.Quiet || lane == intent.Typing
		if taken == hangs || len(p.m.tasks.open) > 0 {
			t.Errorf("%s: taken %v, %d open", name, taken, len(p.m.tasks.open))
		}
	}
}

// A newer task takes the place of an older one, goes on beside it or is refused, as its lane says.
func TestWhichTaskTakesThePlaceOfWhich(t *testing.T) {
	for _, c := range []struct {
		older, newer intent.Lane
		want         string
	}{
		{intent.Records, intent.Records, "undo older, newer"},
		{intent.Idle, intent.Records, "undo older, newer"},
		{intent.Records, intent.Idle, "undo newer, older"},
		{intent.Idle, intent.Idle, "undo newer, older"},
		{intent.Running, intent.Running, "undo older, newer"},
		{intent.Typing, intent.Typing, "undo older, newer"},
		{intent.Writing, intent.Writing, "older"},
		{intent.Writing, intent.Records, "older, newer"},
		{intent.Records, intent.Writing, "older, newer"},
		{intent.Running, intent.Records, "older, newer"},
		{intent.Records, intent.Running, "older, newer"},
		{intent.Asking, intent.Asking, "older, newer"},
		{intent.Quiet, intent.Quiet, "older, newer"},
	} {
		p, told := play(t, Deps{}, 120, 36), []string(nil)
		start := func(lane intent.Lane, word string) []tea.Msg {
			tell := func(word string) { told = append(told, word) }
			return outcomes(p.m.start(intent.Task{Lane: lane, Undo: func() { tell("undo " + word) },
				Do: func(context.Context) (func() intent.Intent, error) {
					return func() intent.Intent { tell(word); return nil }, nil
				}}))
		}
		older := start(c.older, "older")
		newer := start(c.newer, "newer")
		p.sendAll(older)
		p.sendAll(newer)
		if got := strings.Join(told, ", "); got != c.want {
			t.Errorf("%s, then %s: %q, want %q", laneNames[c.older], laneNames[c.newer], got, c.want)
		}
	}
}
