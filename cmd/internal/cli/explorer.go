package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"patchbay/client"
	"patchbay/client/payload"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/themes"
	"patchbay/ui"
	"patchbay/ui/repaint"
	"patchbay/ui/text"
)

// explore opens the explorer.
func explore(ctx context.Context, a *app, flags explorerFlags) error {
	if !a.onTerminal() || !isTerminal(a.stdin) {
		return config("the explorer needs a terminal").next("Run patchbay help to see what works without one.")
	}
	s, fresh, err := a.openStart(ctx)
	if err != nil {
		return err
	}
	deps, err := a.explorerDeps(s, flags)
	if err != nil {
		return err
	}
	deps.Fresh = fresh
	return a.runExplorer(ctx, deps)
}

// explorerDeps gathers what the explorer gets from outside.
func (a *app) explorerDeps(s *session, flags explorerFlags) (ui.Deps, error) {
	c, problems := a.catalog()
	deps := ui.Deps{
		Catalog: c, Session: a.uiSession(s), Now: a.now, Version: version(), Redactor: a.redactor,
		Profiles: a.profileNames, Editor: editor(a.env), Listen: sandboxListener(s),
		Open: func(ctx context.Context, name string) (ui.Session, error) {
			next, err := a.openSession(ctx, name)
			if err != nil {
				return ui.Session{}, err
			}
			return a.uiSession(next), nil
		},
	}
	for _, p := range problems {
		deps.Notices = append(deps.Notices, p.Error())
	}
	a.onScreen(&deps, flags)
	a.remember(&deps)
	a.equip(&deps)
	if flags.Theme != "" {
		if _, err := themes.Load(flags.Theme, deps.ThemeDir); err != nil {
			return deps, usage("%v", err).next("patchbay themes lists them.")
		}
		deps.Settings.Theme = flags.Theme
	}
	return deps, nil
}

// remember reads what earlier runs kept, and keeps what this one will.
func (a *app) remember(deps *ui.Deps) {
	if a.foldersErr != nil {
		deps.Notices = append(deps.Notices, "nothing is kept between starts: "+a.foldersErr.Error())
		return
	}
	deps.ThemeDir = a.folders.Themes()
	keys, problems := a.readKeys()
	deps.Keys, deps.Notices = keys, append(deps.Notices, problems...)
	state, err := profile.LoadState(a.folders.UIState())
	if err != nil {
		deps.Notices = append(deps.Notices, err.Error())
	}
	deps.Settings = state
	var mu sync.Mutex
	deps.SaveSettings = func(next profile.State) error {
		mu.Lock()
		defer mu.Unlock()
		a.withoutSecrets(next.Places)
		return profile.SaveState(a.folders.UIState(), next)
	}
}

// withoutSecrets leaves the params of places out that hold what looks like a secret.
func (a *app) withoutSecrets(places map[string]profile.Place) {
	for name, p := range places {
		if len(p.Params) > 0 && !bytes.Equal(a.redactor.Body("application/json", p.Params), p.Params) {
			p.Params = nil
			places[name] = p
		}
	}
}

func (a *app) uiSession(s *session) ui.Session {
	preset := payload.Neutral()
	if presetOf(s.profile.BaseURL) != nil {
		preset = payload.Public()
	}
	return ui.Session{Name: s.name, BaseURL: s.hosted.BaseURL(), Organization: s.profile.OrganizationID, Sandbox: s.sandbox != nil,
		ReadOnly: s.readOnly, Service: s, Preset: preset, Local: s.localConnectors(),
		Platform: s.hosted, Examine: a.examine(s), CheckLocal: s.checkLocal, NoHistory: !s.profile.KeepsHistory()}
}

// editor is the person's editor and its arguments; nil when none is set.
func editor(env map[string]string) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(env[name]); len(words) > 0 {
			return words
		}
	}
	return nil
}

// sandboxListener makes the built-in service reachable for other programs, on
// a loopback port that is opened when first asked for; nil for other services.
func sandboxListener(s *session) func() (string, error) {
	if s.sandbox == nil {
		return nil
	}
	return sync.OnceValues(func() (string, error) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		server := &http.Server{Handler: s.sandbox, ReadHeaderTimeout: listenHeaderTimeout}
		go func() { _ = server.Serve(l) }() // it serves until the program ends
		return strings.Replace(sandbox.BaseURL, baseHost(sandbox.BaseURL), l.Addr().String(), 1), nil
	})
}

// listenHeaderTimeout bounds how long a caller of the listener may take to ask.
const listenHeaderTimeout = 10 * time.Second

func baseHost(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// startFast lets the heap grow while the first screens are made: collecting
// garbage in those milliseconds costs a third of the start and frees nothing
// that lasts. What it returns, or the end of the start, takes it back.
func (a *app) startFast() (end func()) {
	if a.env["GOGC"] != "" {
		return func() {}
	}
	before := debug.SetGCPercent(startGCPercent)
	t := time.AfterFunc(startTime, func() { debug.SetGCPercent(before) })
	return func() { t.Stop() }
}

const (
	startGCPercent = 400
	startTime      = time.Second
)

// runExplorer runs the program until it quits, and ends it in order when the
// system asks.
func (a *app) runExplorer(ctx context.Context, deps ui.Deps) error {
	defer a.startFast()()
	text.MeasureBy(ansi.WcWidth) // until the terminal says that it knows better
	p := tea.NewProgram(ui.New(deps), tea.WithContext(ctx), tea.WithInput(a.stdin), tea.WithOutput(repaint.New(a.screen())),
		tea.WithFilter(ui.Filter(a.now)), tea.WithoutSignalHandler())
	ended := endOnSignal(func() { p.Send(ui.Interrupt()) })
	_, err := p.Run()
	_, _ = io.WriteString(a.screen(), ui.StopFollowing) // a terminal that is gone needs none
	by := ended()
	switch {
	case errors.Is(err, tea.ErrProgramPanic):
		return fail(client.ClassOther, "the explorer stopped because of a defect in it").next("Please report the lines above with what you did.")
	case err != nil && !errors.Is(err, tea.ErrInterrupted):
		return err
	case by != 0:
		return signaled(by)
	}
	return nil
}

// screen is stdout as the terminal it is.
func (a *app) screen() *os.File {
	var w any = a.stdout
	if p, ok := w.(pipeWriter); ok {
		w = p.w
	}
	f, _ := w.(*os.File)
	return f
}
