package ui

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/overlay"
)

var (
	walkSteps = flag.Int("walk", 3000, "steps of the random walk; a third of them over hostile data")
	walkSeed  = flag.Uint64("walkseed", 1, "which random walk it is")
)

// safeLinks are the hyperlinks that the record view makes of safe addresses.
var safeLinks = regexp.MustCompile(`\x1b\]8;;(https?://[!-~]*)?(\a|\x1b\\)`)

// hostileBody has what no sound service sends: control bytes, broken numbers,
// keys twice, deep nesting, long lines, other types in every record.
var hostileBody = `{"data":[` +
	`{"id":"\u001b]8;;http://evil\u0007x","na\u001b[31mme":"a\u202eb\u0000\u009b","b":"tab\tnew\nline"},` +
	`{"id":null,"id":"twice","created":99999999999999999999999999,"balance":-1e400,"email":["a",{"b":[]}]},` +
	`{"id":"` + strings.Repeat("長い👩‍👩‍👧‍👦e\u0301", 300) + `","name":{},"created":"not a time"},` +
	`"no object",null,[],12,` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `,` +
	`{"":"","id":"` + "\xff\xfe" + `","` + strings.Repeat("k", 500) + `":true}` +
	`],"meta":{"has_more":true,"next_cursor":"\u001b[2J"}}`

var pastes = []string{"x", `{"limit":3}`, "\x1b]8;;evil\x07", "a\nb", "日本", `{"entity":"refunds","action":"list","params":{}}`, strings.Repeat("long ", 500)}

// walker does what nobody would do, and looks at every screen.
type walker struct {
	*player
	r    *rand.Rand
	keys []string
}

// leaves tells the keys that hand the terminal to another program.
func leaves(key string) bool { return key == "e" || key == "ctrl+z" }

func (w *walker) step() {
	x, y := w.r.IntN(max(w.m.width, 1)), w.r.IntN(max(w.m.height, 1))
	switch w.r.IntN(24) {
	case 0:
		w.send(tea.WindowSizeMsg{Width: 1 + w.r.IntN(210), Height: 1 + w.r.IntN(65)})
	case 1, 2:
		w.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	case 3:
		w.send(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft})
		w.send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
	case 4:
		w.send(tea.MouseWheelMsg{X: x, Y: y, Button: []tea.MouseButton{tea.MouseWheelDown, tea.MouseWheelUp, tea.MouseWheelLeft, tea.MouseWheelRight}[w.r.IntN(4)]})
	case 5:
		w.send(tea.PasteMsg{Content: pastes[w.r.IntN(len(pastes))]})
	default:
		if k := w.keys[w.r.IntN(len(w.keys))]; !leaves(k) {
			w.player.keys(k)
		}
	}
}

// avoidShell leaves the prompt whose line would go to a shell.
func (w *walker) avoidShell() {
	if p, ok := w.m.stack.Top().(*overlay.Prompt); ok && p.Heading == "Write to the command" {
		w.player.keys("esc")
	}
}

func (w *walker) walk(steps int) {
	w.t.Helper()
	for i := range steps {
		w.step()
		w.avoidShell()
		w.screen()
		if m := w.m; m.lay.mode != modeTiny && m.lay.rect(m.arr.focus).Empty() {
			w.t.Fatalf("step %d: the focus is on a pane that is not shown", i)
		}
		raw := safeLinks.ReplaceAllString(w.m.View().Content, "")
		for _, bad := range []string{"\x1b]", "\u202e", "\x00", "\u009b", "\a", "\x1b[2J"} {
			if strings.Contains(raw, bad) {
				at := strings.Index(raw, bad)
				w.t.Fatalf("step %d: %q reaches the screen: %q", i, bad, raw[max(at-200, 0):min(at+100, len(raw))])
			}
		}
	}
}

func TestRandomWalk(t *testing.T) {
	steps := *walkSteps
	if testing.Short() {
		steps = min(steps, 500)
	}
	for name, start := range map[string]func(t *testing.T) *player{
		"sandbox": func(t *testing.T) *player { return play(t, Deps{Fresh: true}, 120, 36) },
		"hostile": func(t *testing.T) *player {
			p := play(t, Deps{Session: answers(t, "application/json", hostileBody)}, 120, 36)
			p.keys("enter")
			p.open("payments", "customers", "list")
			p.keys("r")
			return p
		},
		"file": func(t *testing.T) *player { return openText(t, hostileBody, 120, 36) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			w := walker{player: start(t), r: rand.New(rand.NewPCG(*walkSeed, 2)), keys: allKeys()}
			if name != "sandbox" {
				w.walk(steps / 3)
				return
			}
			w.walk(steps)
		})
	}
}
