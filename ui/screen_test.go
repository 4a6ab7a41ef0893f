package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/profile"
	"patchbay/ui/intent"
)

// How the screen is drawn can be found and changed in the program, and is kept.
func TestScreenSwitchesAreKept(t *testing.T) {
	var kept profile.State
	deps := Deps{Fresh: true, SaveSettings: func(s profile.State) error { kept = s; return nil }, Notification: func(t string) string { return t }}
	p := play(t, deps, 120, 36)
	for _, id := range []string{"screen.ascii", "screen.motion", "screen.notify"} {
		p.run(p.m.do(p.m.actions.ByID(id)))
	}
	if !kept.ASCII || !kept.Still || !kept.Quiet {
		t.Fatalf("kept %+v", kept)
	}
	again := play(t, Deps{Fresh: true, Settings: kept}, 120, 36)
	if s := again.screen(); strings.ContainsAny(s, "─│╭▸") || !strings.Contains(s, "+- ") {
		t.Errorf("the next start draws:\n%s", s)
	}
	p.run(p.m.do(p.m.actions.ByID("screen.ascii")))
	p.wants("╭─", "Drawn with lines")
}

// rawTexts are what commands write to the terminal past the renderer.
func rawTexts(cmd tea.Cmd) []string {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.RawMsg:
		return []string{msg.Msg.(string)}
	case tea.BatchMsg:
		var all []string
		for _, c := range msg {
			all = append(all, rawTexts(c)...)
		}
		return all
	}
	return nil
}

// Only a long run that ends while the person looks elsewhere is told on the desktop.
func TestLongRunsAreToldOnTheDesktop(t *testing.T) {
	for _, c := range []struct {
		name           string
		took           time.Duration
		focused, quiet bool
		told           bool
	}{
		{"long, elsewhere", 6 * time.Second, false, false, true},
		{"short, elsewhere", time.Second, false, false, false},
		{"long, looking", 6 * time.Second, true, false, false},
		{"long, elsewhere, quiet", 6 * time.Second, false, true, false},
	} {
		p := play(t, Deps{Fresh: true, Settings: profile.State{Quiet: c.quiet}, Notification: func(t string) string { return "told " + t }}, 120, 36)
		p.m.hasFocus = c.focused
		page := p.m.res.Page()
		p.m.deps.Now = func() time.Time { return testNow.Add(c.took) }
		cmd := p.m.perform(intent.Notify{Since: testNow, Text: page.Headline()})
		told := slices.ContainsFunc(rawTexts(cmd), func(t string) bool { return strings.HasPrefix(t, "told customers list on payments") })
		if told != c.told {
			t.Errorf("%s: told %v", c.name, told)
		}
	}
}

// Large texts are beyond what many terminals take.
func TestCopyWarnsOfLargeTexts(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 200, 36)
	p.run(p.m.copy(intent.Copy{Text: "x", What: "value"}))
	p.wants("value copied to the clipboard, and over the terminal (OSC 52), 1 B")
	p.m.deps.Clipboard = nil
	p.run(p.m.copy(intent.Copy{Text: strings.Repeat("x", 100_000), What: "body"}))
	p.wants("body sent to the terminal's clipboard (OSC 52), 100.0 KB; many terminals take no more than 74.0 KB, E writes a file")
}
