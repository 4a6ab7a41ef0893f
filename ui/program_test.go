package ui

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/transport"
)

// terminal runs the whole program in a virtual terminal on a fake clock.
type terminal struct {
	t       *testing.T
	mu      sync.Mutex
	em      *vt.Emulator
	program *tea.Program
	done    chan error
	written int
}

// Write is the program's output. A screen that is erased at once would be kept by the
// emulator for scrolling back, so it is erased in two parts.
func (v *terminal) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.written += len(p)
	_, err := v.em.Write(bytes.ReplaceAll(p, []byte("\x1b[2J"), []byte("\x1b[1J\x1b[J")))
	return len(p), err
}

// slowService answers execute calls after a time; the rest comes at once.
func slowService(wait time.Duration) Session {
	box := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now})
	rt := roundTrip(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/execute") {
			select {
			case <-time.After(wait):
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}
		return box.RoundTripper().RoundTrip(r)
	})
	c := hosted.New(hosted.Config{Profile: "sandbox", BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID,
		Names: client.Neutral, Catalog: testCatalog, Transport: transport.New(transport.Options{Base: rt})})
	return Session{Name: "sandbox", BaseURL: sandbox.BaseURL, Sandbox: true, First: session.SandboxCall(testCatalog), Service: c}
}

func startTerminal(t *testing.T, deps Deps, w, h int) *terminal {
	t.Helper()
	v := &terminal{t: t, em: vt.NewEmulator(w, h), done: make(chan error, 1)}
	if _, err := v.em.WriteString("\x1b[20h"); err != nil {
		t.Fatal(err)
	}
	deps.Catalog = testCatalog
	v.program = tea.NewProgram(New(deps), tea.WithInput(v.em), tea.WithOutput(v), tea.WithWindowSize(w, h),
		tea.WithoutSignalHandler(), tea.WithColorProfile(colorprofile.TrueColor), tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithContext(context.Background()))
	go func() {
		_, err := v.program.Run()
		v.done <- err
	}()
	v.idle(time.Second)
	return v
}

// idle lets time pass until nothing happens any more.
func (v *terminal) idle(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (v *terminal) keys(names ...string) {
	for _, n := range names {
		v.program.Send(keyMsg(n))
		v.idle(50 * time.Millisecond)
	}
}

func (v *terminal) screen() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return ansi.Strip(v.em.Render())
}

func (v *terminal) wants(parts ...string) {
	v.t.Helper()
	s := v.screen()
	for _, p := range parts {
		if !strings.Contains(s, p) {
			v.t.Fatalf("the terminal lacks %q:\n%s", p, s)
		}
	}
}

// quit ends the program and checks that the terminal is as it was.
func (v *terminal) quit() {
	v.t.Helper()
	v.keys("ctrl+c", "ctrl+c")
	v.idle(time.Second)
	select {
	case err := <-v.done:
		if err != nil {
			v.t.Errorf("the program ended with %v", err)
		}
	default:
		v.t.Fatal("the program did not quit")
	}
	if c, ok := v.em.InputPipe().(interface{ Close() error }); ok {
		_ = c.Close()
	}
	if strings.Contains(v.screen(), "Connectors") {
		v.t.Error("the screen was not restored")
	}
	v.idle(time.Minute) // timers of messages that nobody reads any more
}

func TestProgramRunsPagesAndQuits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := startTerminal(t, Deps{Session: slowService(200 * time.Millisecond), Fresh: true}, 120, 36)
		v.idle(time.Second)
		v.wants("20 rows", "page 1, more", "SANDBOX")
		v.keys("esc", ".")
		v.idle(time.Second)
		v.wants("page 2, more")
		v.keys(",")
		v.wants("page 1, more")
		v.quit()
	})
}

func TestProgramShowsTimeAndCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := startTerminal(t, Deps{Session: slowService(time.Hour), Fresh: true}, 120, 36)
		v.idle(2 * time.Second)
		v.wants("waiting for the answer", "2.9 s", "ctrl+c")
		v.keys("ctrl+c")
		v.wants("cancelled before its answer came")
		v.keys("2")
		v.wants("limit")
		v.quit()
	})
}

func TestProgramFollowsTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := startTerminal(t, Deps{Session: slowService(0), Fresh: true}, 120, 36)
		for _, size := range [][2]int{{80, 24}, {30, 8}, {200, 60}, {120, 36}} {
			v.mu.Lock()
			v.em.Resize(size[0], size[1])
			v.mu.Unlock()
			v.program.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			v.idle(100 * time.Millisecond)
			if size[0] < tinyWidth {
				v.wants("patchbay needs")
			} else {
				v.wants("3 Response")
			}
		}
		v.quit()
	})
}

func TestNewRunReplacesTheOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := startTerminal(t, Deps{Session: slowService(3 * time.Second), Fresh: true}, 120, 36)
		v.keys("2", "enter")
		for range 2 {
			v.keys("backspace")
		}
		v.keys("3", "enter", "r")
		v.idle(10 * time.Second)
		v.wants("3 rows")
		v.quit()
	})
}

func TestIdleWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := startTerminal(t, Deps{Session: slowService(0), Fresh: true}, 120, 36)
		v.keys("esc")
		v.idle(10 * time.Second)
		v.mu.Lock()
		before := v.written
		v.mu.Unlock()
		v.idle(time.Minute)
		v.mu.Lock()
		after := v.written
		v.mu.Unlock()
		if after != before {
			t.Errorf("an idle minute wrote %d bytes", after-before)
		}
		v.quit()
	})
}

func TestProgramEndsOnInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := startTerminal(t, Deps{Session: slowService(0), Fresh: true}, 80, 24)
		v.program.Send(Interrupt())
		v.idle(time.Second)
		select {
		case err := <-v.done:
			if err != nil {
				t.Error(err)
			}
		default:
			t.Error("the program goes on after the system asked it to end")
		}
		if c, ok := v.em.InputPipe().(interface{ Close() error }); ok {
			_ = c.Close()
		}
		v.idle(time.Minute)
	})
}

// BenchmarkMove is a cursor move and the drawing of its screen.
func BenchmarkMove(b *testing.B) {
	p := &player{m: New(Deps{Catalog: testCatalog, Session: sandboxSession(sandbox.Options{}), Now: now, Fresh: true})}
	p.m.later = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	p.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	p.run(p.m.Init())
	for i := range b.N {
		p.m.Update(keyMsg([]string{"j", "k"}[i%2]))
		if len(p.m.View().Content) == 0 {
			b.Fatal("nothing is drawn")
		}
	}
}

// BenchmarkPaletteKey is one typed letter in the palette over the whole catalog.
func BenchmarkPaletteKey(b *testing.B) {
	m := New(Deps{Catalog: testCatalog, Session: sandboxSession(sandbox.Options{}), Now: now})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	m.Update(keyMsg("ctrl+p"))
	for i := range b.N {
		m.Update(keyMsg([]string{"c", "backspace"}[i%2]))
		if len(m.View().Content) == 0 {
			b.Fatal("nothing is drawn")
		}
	}
}
