package ui

import (
	"cmp"
	"flag"
	"fmt"
	"image/color"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"patchbay/client/sandbox"
	"patchbay/ui/input/bound"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

var (
	walkSteps = flag.Int("walk", 1500, "inputs of the random walk, over all its worlds")
	walkSeed  = flag.Uint64("walkseed", 1, "which random walk it is")
)

// longWalk is how many inputs are sure to reach every action.
const longWalk = 100_000

// comparedLooks is how often it is looked whether drawing changed anything: once in so many.
const comparedLooks = 8

// walker does what nobody would do, on a fake clock, and looks at every screen.
type walker struct {
	t     *testing.T
	m     *Model
	r     *rand.Rand
	keys  []string
	steps int
	looks int
	// flood lets wheel events through as the program does.
	flood func(tea.Model, tea.Msg) tea.Msg

	mu      sync.Mutex
	came    []outcome
	started int

	trail  []string
	seen   *tally
	widths map[string]int // of the lines that were drawn lately
}

// outcome is what a command returned; they are taken in the order of their start.
type outcome struct {
	n   int
	msg tea.Msg
}

// tally counts what a walk went through.
type tally struct {
	performed, refused, overlays, places, inputs map[string]int
}

func newTally() *tally {
	return &tally{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}}
}

func newWalker(t *testing.T, deps Deps, seen *tally) *walker {
	deps.Now = time.Now
	w := &walker{t: t, r: rand.New(rand.NewPCG(*walkSeed, 2)), flood: Filter(time.Now), seen: seen}
	w.m = New(deps)
	w.m.answerPause = 0 // or no question would ever be answered
	for i := range w.m.actions.Rows {
		a := &w.m.actions.Rows[i]
		do, disabled := a.Do, a.Disabled
		a.Do = func() intent.Intent { w.seen.performed[a.ID]++; return do() }
		if disabled != nil {
			a.Disabled = func() string {
				why := disabled()
				if why != "" {
					w.seen.refused[a.ID]++
				}
				return why
			}
		}
		w.keys = append(w.keys, a.Keys...)
	}
	for _, l := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;/?-[]{}<>|~'!*\"\\$" {
		w.keys = append(w.keys, string(l))
	}
	for _, k := range specialKeys {
		w.keys = append(w.keys, k, k)
		for _, mod := range []string{"ctrl+", "alt+", "shift+", "alt+shift+"} {
			w.keys = append(w.keys, mod+k)
		}
	}
	w.keys = append(w.keys, bound.Keys()...)
	slices.Sort(w.keys)
	return w
}

// specialKeys are keys without a letter.
var specialKeys = []string{"enter", "esc", "tab", "space", "up", "down", "left", "right", "home", "end", "pgup", "pgdown",
	"backspace", "delete", "insert", "f5", "f12"}

// send gives the model a message and lets everything come that needs no time.
func (w *walker) send(msg tea.Msg) {
	w.trail = append(w.trail, fmt.Sprintf("%.80q", fmt.Sprint(msg)))
	w.trail = w.trail[max(len(w.trail)-30, 0):]
	w.update(msg)
	w.settle()
}

func (w *walker) update(msg tea.Msg) {
	_, cmd := w.m.Update(msg)
	w.start(cmd)
}

func (w *walker) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	w.started++
	n := w.started
	go func() {
		msg := cmd()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.came = append(w.came, outcome{n, msg})
	}()
}

// settle hands over what commands return, until all of them wait for time.
func (w *walker) settle() {
	for range 10_000 {
		synctest.Wait()
		w.mu.Lock()
		came := w.came
		w.came = nil
		w.mu.Unlock()
		if len(came) == 0 {
			return
		}
		slices.SortFunc(came, func(a, b outcome) int { return cmp.Compare(a.n, b.n) })
		for _, c := range came {
			switch msg := c.msg.(type) {
			case nil:
			case tea.BatchMsg:
				for _, one := range msg {
					w.start(one)
				}
			case tea.QuitMsg:
				w.seen.inputs["quits"]++
			default:
				w.update(msg)
			}
		}
	}
	w.fail("commands start commands without an end")
}

func (w *walker) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("input %d of seed %d: %s\nafter %s\n%s", w.steps, *walkSeed, fmt.Sprintf(format, args...), strings.Join(w.trail, " "), ansi.Strip(w.m.View().Content))
}

// input is one message, after which the screen is looked at.
func (w *walker) input(msg tea.Msg) {
	w.steps++
	w.seen.inputs[fmt.Sprintf("%T", msg)]++
	w.send(msg)
	w.keepOut()
	w.look()
}

func (w *walker) press(names ...string) {
	for _, n := range names {
		for _, k := range strings.Fields(n) {
			w.input(keyMsg(k))
		}
	}
}

func (w *walker) typed(s string) {
	for _, r := range s {
		w.input(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// pass lets time pass, in which answers come and messages go.
func (w *walker) pass(d time.Duration) {
	time.Sleep(d)
	w.settle()
	w.look()
}

// keepOut leaves what would reach out of the test: prompts whose line goes to
// a shell or names a file elsewhere.
func (w *walker) keepOut() {
	if reachesOut(w.m) {
		w.send(keyMsg("esc"))
	}
}

func reachesOut(m *Model) bool {
	p, ok := m.stack.Top().(*overlay.Prompt)
	return ok && (p.Heading == "Write to the command" || p.Heading == "Write to the file" && !filepath.IsLocal(p.Field.Value()))
}

// safeLinks are the hyperlinks that the record view makes of safe addresses.
var safeLinks = regexp.MustCompile(`\x1b\]8;;(https?://[!-~]*)?(\a|\x1b\\)`)

// harmful is what must not reach a terminal.
var harmful = []string{"\x1b]", "\x1b[2J", "\x1bP", "\x1b_", "\x1bc", "\u202e", "\u2066", "\x00", "\u009b", "\u0090", "\a", "\b", "\r", sandbox.Token, sandbox.ClientSecret, typedSecret}

// look holds what is true of every screen.
func (w *walker) look() {
	m := w.m
	var before reached
	if w.looks++; w.looks%comparedLooks == 0 {
		before = stateOf(m)
	}
	view := m.View()
	if before != nil {
		if after := stateOf(m); !maps.Equal(before, after) {
			w.fail("drawing changed %s", difference(before, after))
		}
	}
	if wrong := unsound(m, view, w.width); wrong != "" {
		w.fail("%s", wrong)
	}
	w.seen.places[fmt.Sprintf("%s, mode %d", m.scopes()[0], m.lay.mode)]++
	if top := m.stack.Top(); top != nil {
		w.seen.overlays[top.Title()]++
	}
}

// unsound says what is wrong with a screen; empty when it is as all screens are.
func unsound(m *Model, view tea.View, width func(line string) int) string {
	raw := safeLinks.ReplaceAllString(view.Content, "")
	for _, bad := range harmful {
		if at := strings.Index(raw, bad); at >= 0 {
			return fmt.Sprintf("%q reaches the screen: %q", bad, raw[max(at-200, 0):min(at+100, len(raw))])
		}
	}
	lines := strings.Split(raw, "\n")
	if len(lines) > m.height {
		return fmt.Sprintf("the screen of %dx%d has %d lines", m.width, m.height, len(lines))
	}
	for i, l := range lines {
		if n := width(l); n > m.width {
			return fmt.Sprintf("line %d of %dx%d has %d cells: %q", i, m.width, m.height, n, l)
		}
	}
	if c := view.Cursor; c != nil && (c.X < 0 || c.Y < 0 || c.X >= m.width || c.Y >= m.height) {
		return fmt.Sprintf("the cursor is at %d,%d of %dx%d", c.X, c.Y, m.width, m.height)
	}
	if m.lay.mode != modeTiny && m.lay.rect(m.arr.focus).Empty() {
		return "the focus is on a pane that is not shown"
	}
	if strings.ContainsAny(view.WindowTitle, "\x1b\a\x00\n") {
		return fmt.Sprintf("the title of the window is %q", view.WindowTitle)
	}
	return ""
}

// width measures a line, most of which were drawn before.
func (w *walker) width(line string) int {
	n, ok := w.widths[line]
	if !ok {
		if len(w.widths) > 5000 || w.widths == nil {
			w.widths = map[string]int{}
		}
		n = ansi.StringWidth(line)
		w.widths[line] = n
	}
	return n
}

// step is one idea of what to do.
func (w *walker) step() {
	at := func() (int, int) { return w.r.IntN(max(w.m.width, 1)), w.r.IntN(max(w.m.height, 1)) }
	x, y := at()
	button := []tea.MouseButton{tea.MouseLeft, tea.MouseLeft, tea.MouseLeft, tea.MouseRight, tea.MouseMiddle}[w.r.IntN(5)]
	switch w.r.IntN(40) {
	case 0, 1:
		w.resize()
	case 2, 3, 4:
		w.input(tea.MouseClickMsg{X: x, Y: y, Button: button})
		w.input(tea.MouseReleaseMsg{X: x, Y: y, Button: button})
	case 5:
		w.input(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		w.input(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
		w.input(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	case 6:
		w.input(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		for range w.r.IntN(6) {
			x, y = at()
			w.input(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft})
		}
		w.input(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
	case 7:
		w.wheel(x, y)
	case 8, 9:
		w.input(tea.PasteMsg{Content: pastes[w.r.IntN(len(pastes))]})
	case 10:
		w.fact()
	case 11:
		w.pass(time.Duration(w.r.IntN(5)) * 700 * time.Millisecond)
	case 12:
		w.pass(20 * time.Millisecond)
	case 13:
		w.command()
	case 14:
		w.search()
	case 15:
		w.typed(typings[w.r.IntN(len(typings))])
	case 16:
		w.press("esc", "esc")
	case 17:
		w.run()
	case 18, 19:
		w.edit()
	case 20:
		w.errand()
	default:
		w.press(w.key())
	}
}

// key is any key, or one that does something here.
func (w *walker) key() string {
	if w.r.IntN(2) == 0 {
		in := w.m.scopes()
		a := &w.m.actions.Rows[w.r.IntN(len(w.m.actions.Rows))]
		if slices.Contains(in, a.In) && len(a.Keys) > 0 {
			return a.Keys[w.r.IntN(len(a.Keys))]
		}
	}
	return w.keys[w.r.IntN(len(w.keys))]
}

// edit presses what the library binds anywhere in a text, where one is written.
func (w *walker) edit() {
	if !w.m.takesText() {
		return
	}
	w.typed(typings[w.r.IntN(len(typings))])
	for range w.r.IntN(4) {
		w.press([]string{"left", "left", "alt+b", "home", "right"}[w.r.IntN(5)])
	}
	names := bound.Keys()
	for range 1 + w.r.IntN(3) {
		w.press(names[w.r.IntN(len(names))])
	}
}

func (w *walker) resize() {
	width, height := 1+w.r.IntN(210), 1+w.r.IntN(65)
	if w.r.IntN(4) == 0 {
		width, height = 1, 1
	}
	w.input(tea.WindowSizeMsg{Width: width, Height: height})
	if width < tinyWidth || height < tinyHeight {
		w.press(w.key())
		s := sizes[w.r.IntN(len(sizes))]
		w.input(tea.WindowSizeMsg{Width: s.w, Height: s.h})
	}
}

// wheel turns the wheel, at times very fast.
func (w *walker) wheel(x, y int) {
	way := []tea.MouseButton{tea.MouseWheelDown, tea.MouseWheelUp, tea.MouseWheelLeft, tea.MouseWheelRight}[w.r.IntN(4)]
	for range []int{1, 3, 50}[w.r.IntN(3)] {
		msg := tea.MouseWheelMsg{X: x, Y: y, Button: way, Mod: []tea.KeyMod{0, tea.ModShift}[w.r.IntN(2)]}
		if kept := w.flood(w.m, msg); kept != nil {
			w.input(kept)
		}
	}
}

// fact is what the terminal tells of itself.
func (w *walker) fact() {
	profiles := []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI, colorprofile.ASCII}
	msgs := []tea.Msg{tea.FocusMsg{}, tea.BlurMsg{}, tea.ResumeMsg{}, tea.BackgroundColorMsg{Color: color.White}, tea.BackgroundColorMsg{Color: color.Black},
		tea.ColorProfileMsg{Profile: profiles[w.r.IntN(len(profiles))]}, tea.KeyReleaseMsg{Code: 'a', Text: "a"}, editedMsg{text: pastes[w.r.IntN(len(pastes))]}}
	w.input(msgs[w.r.IntN(len(msgs))])
}

// command runs any action by its name, as one can who knows it.
func (w *walker) command() { w.perform(w.m.actions.Rows[w.r.IntN(len(w.m.actions.Rows))].ID) }

func (w *walker) perform(id string) {
	w.press("esc", "esc", ":")
	if p, ok := w.m.stack.Top().(*overlay.Prompt); !ok || p.Heading != "Command" {
		return
	}
	w.input(tea.PasteMsg{Content: id})
	w.press("enter")
}

// search goes to any action of the catalog.
func (w *walker) search() {
	kinds := testCatalog.Kinds()
	k, err := testCatalog.Kind(kinds[w.r.IntN(len(kinds))].Name)
	if err != nil {
		w.t.Fatal(err)
	}
	e := k.Entities[w.r.IntN(len(k.Entities))]
	a := e.Actions[w.r.IntN(len(e.Actions))].Name
	if often := []string{"list", "list", "context_store_search", a}[w.r.IntN(4)]; e.Action(often) != nil {
		a = often
	}
	w.press("esc", "esc", "ctrl+p")
	w.input(tea.PasteMsg{Content: k.Name + " " + e.Name + " " + a})
	w.press("enter")
	w.run()
}

// run sends the request, whatever is in it.
func (w *walker) run() {
	w.press("ctrl+r")
	if w.r.IntN(2) == 0 {
		w.press("y", "enter")
	}
	w.pass(time.Duration(w.r.IntN(6)) * time.Second)
}

// errand does what chance rarely brings together: a call of which there are answers of
// another sort, and an action that is for these.
func (w *walker) errand() {
	e := errands[w.r.IntN(len(errands))]
	w.press("esc", "esc", "ctrl+p")
	w.input(tea.PasteMsg{Content: e.place})
	w.press("enter", "J")
	w.input(tea.PasteMsg{Content: e.params})
	w.run()
	w.pass(6 * time.Second)
	for _, id := range e.then {
		w.perform(id)
		if w.m.stack.Top() != nil || id == "response.search" {
			w.typed("a")
			w.press("enter")
		}
		w.pass(4 * time.Second)
	}
}

func (w *walker) walk(inputs int) {
	defer func() {
		if r := recover(); r != nil {
			w.t.Errorf("input %d of seed %d, after %s", w.steps, *walkSeed, strings.Join(w.trail, " "))
			panic(r)
		}
	}()
	for w.steps < inputs {
		w.step()
	}
}

// report says what the walk went through, and the actions it never came to.
func (s *tally) report(t *testing.T) (never []string) {
	table := New(Deps{}).actions.Rows
	for i := range table {
		if id := table[i].ID; s.performed[id] == 0 {
			never = append(never, fmt.Sprintf("%s (refused %d times)", id, s.refused[id]))
		}
	}
	t.Logf("%d of %d actions performed, %d overlays, %d places; inputs: %v", len(table)-len(never), len(table), len(s.overlays), len(s.places), s.inputs)
	return never
}

// Walks begin after the present day, each after the one before: the highlighter's
// clock for patterns that take too long belongs to the process, and would wait
// in a fake time for a later one.
var walks int

// missable is how many actions a long walk may miss by chance: which ones it
// finds open changes with every change of the program.
const missable = 6

const between = 1000 * time.Hour

func TestRandomWalk(t *testing.T) {
	// What packs the history is made once for the program, and must not belong to the fake time of one walk.
	first, _ := withHistory(t)
	first.call("payments", "customers", "list", `{"limit":7}`)
	first.keys("ctrl+y", "enter")
	inputs := *walkSteps
	if testing.Short() {
		inputs = min(inputs, 500)
	}
	seen := newTally()
	for _, world := range []struct {
		name    string
		percent int
		deps    func(t *testing.T) Deps
	}{{"sandbox", 45, sandboxWorld}, {"hostile", 40, hostileWorld}, {"file", 15, fileWorld}} {
		t.Run(world.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			t.Setenv("TMPDIR", dir)
			t.Setenv("HOME", dir)
			began := time.Now()
			walks++
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(began) + time.Duration(walks)*between)
				defer time.Sleep(time.Hour) // what still waits ends
				w := newWalker(t, world.deps(t), seen)
				w.send(tea.WindowSizeMsg{Width: 120, Height: 36})
				w.start(w.m.Init())
				w.pass(5 * time.Second)
				w.walk(inputs * world.percent / 100)
			})
		})
	}
	never := seen.report(t)
	if len(never) > 0 {
		t.Logf("never performed: %s", strings.Join(never, ", "))
	}
	if len(never) > missable && inputs >= longWalk {
		t.Errorf("%d actions were never performed", len(never))
	}
}
