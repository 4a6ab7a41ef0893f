package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/document"
	"patchbay/client/download"
	"patchbay/client/profile"
	"patchbay/client/quantity"
	"patchbay/client/saved"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/wholefile"
	"patchbay/themes"
	"patchbay/ui"
	"patchbay/ui/pasted"
	"patchbay/ui/repaint"
	"patchbay/ui/text"
)

// explore opens the explorer.
func (a *app) explore(ctx context.Context) error {
	if !a.onTerminal() || !isTerminal(a.stdin) {
		return client.Misconfigured("the explorer needs a terminal").
			Advise("Run patchbay help to see what works without one.")
	}
	s, err := a.Start(ctx)
	if err != nil {
		return err
	}
	deps, err := a.explorerDeps(s)
	if err != nil {
		return err
	}
	deps.Fresh = s.Sandbox != nil
	return a.runExplorer(ctx, deps)
}

// explorerDeps gathers what the explorer gets from outside: what any screen
// gets, the session, and what may be changed.
func (a *app) explorerDeps(s *session.Session) (ui.Deps, error) {
	deps, err := a.deps()
	deps.Session, deps.Listen = a.uiSession(s), s.Listener()
	_, problems := a.catalog()
	deps.Notices = append(problems.Lines(), deps.Notices...)
	if store := a.openHistory(); store != nil {
		deps.History = store
	}
	deps.Saved = ui.SavedCalls{Load: a.savedCalls, Save: func(c *saved.Call, team bool) (string, error) {
		folder := saved.Folder
		if !team {
			folder = filepath.Join(a.Folders.Config, saved.Folder)
		}
		if !team && a.FoldersErr != nil {
			return "", a.FoldersErr
		}
		path, err := saved.Save(folder, c, false)
		if written, wrong := saved.Read(path); err == nil && team && wrong == nil && a.doubt(written) != "" {
			err = a.trust().Add(written) // the person wrote it just now
		}
		return path, err
	}, Doubt: a.doubt, Trust: func(c *saved.Call) error { return a.trust().Add(c) }}
	if a.FoldersErr == nil {
		deps.Accounts = ui.Accounts{
			Try: a.Try, Browse: a.browse, Keep: a.KeepLogin, Forget: a.ForgetProfile, Presets: profile.Presets(),
			FindImport: a.FindImport, KeepOrganization: a.KeepOrganization, KeepConnector: a.KeepConnector,
			KeepLocal: a.Opener.KeepLocal, ForgetLocal: a.ForgetLocal,
		}
	}
	return deps, err
}

// deps is what any screen gets.
func (a *app) deps() (ui.Deps, error) {
	c, _ := a.catalog()
	deps := ui.Deps{
		Catalog: c, Now: a.Now, Version: a.Version, Redactor: a.Redactor, Profiles: a.Names, OpenFile: fileOpener(),
		Editor: strings.Fields(cmp.Or(strings.TrimSpace(a.Env["VISUAL"]), a.Env["EDITOR"])),
		Pager:  pagerOf(a.Env, onPath),
		Open: func(ctx context.Context, name string) (ui.Session, error) {
			s, err := a.Open(ctx, name)
			if err != nil {
				return ui.Session{}, err
			}
			return a.uiSession(s), nil
		},
		// The font of the text console of Linux has no rounded corners and no triangles.
		ASCII: a.flags.ASCII || a.Env["TERM"] == "linux",
		Still: a.flags.NoMotion || a.Env["PATCHBAY_NO_MOTION"] != "", NoColor: a.Env["NO_COLOR"] != "",
		Notification: notification(a.Env), NoSuspend: noSuspend, Images: drawsImages(a.Env),
	}
	deps.Clipboard, deps.ClipboardName = nativeClipboard(a.Env, !clipboard.Unsupported, hasTmux(a.Env))
	a.remember(&deps)
	if a.flags.Theme != "" {
		if _, err := themes.Load(a.flags.Theme, deps.ThemeDir); err != nil {
			return deps, client.Invalid("%v", err).Advise("patchbay themes lists them.")
		}
		deps.Theme = a.flags.Theme
	}
	return deps, nil
}

// remember reads what earlier runs kept, and keeps what this one will.
func (a *app) remember(deps *ui.Deps) {
	if a.FoldersErr != nil {
		deps.Notices = append(deps.Notices, "nothing is kept between starts: "+a.FoldersErr.Error())
		return
	}
	deps.ThemeDir = a.themeDir()
	deps.Keys, deps.Notices = a.readKeys()
	state, settings, err := profile.OpenState(a.Folders.UIState())
	if deps.Settings = settings; err != nil {
		deps.Notices = append(deps.Notices, err.Error())
	}
	deps.SaveReport = func(report string) (string, error) {
		path := filepath.Join(a.Folders.State, "reports", a.Now().Format("2006-01-02T15-04-05")+".txt")
		return path, wholefile.Write(path, []byte(report))
	}
	var mu sync.Mutex
	deps.SaveSettings = func(next profile.State) error {
		mu.Lock()
		defer mu.Unlock()
		return state.Save(a.withoutSecrets(next))
	}
}

// withoutSecrets is what may be kept of a state.
func (a *app) withoutSecrets(s profile.State) profile.State {
	return s.Without(a.tellsSecret, func(params []byte) bool {
		return !bytes.Equal(a.Redactor.Body("application/json", params), params)
	})
}

// tellsSecret reports whether a typed line holds a known secret, or a value behind a
// name that holds secrets.
func (a *app) tellsSecret(line string) bool {
	if a.Redactor.Text(line) != line || !bytes.Equal(a.Redactor.Body("", []byte(line)), []byte(line)) {
		return true
	}
	for _, named := range assignment.FindAllStringSubmatch(line, -1) {
		if secret.SensitiveName(named[1]) {
			return true
		}
	}
	return false
}

// assignment is a value given to a name, and the name.
var assignment = regexp.MustCompile(`([\w-]+)"?\s*[:=]+\s*["']?[\w+/]`)

func (a *app) uiSession(s *session.Session) ui.Session {
	return ui.Session{Name: s.Name, BaseURL: s.Hosted.BaseURL(), Organization: s.Profile.OrganizationID,
		Sandbox: s.Sandbox != nil, First: s.First(), ReadOnly: s.ReadOnly, Service: s,
		Preset: presetOf(s.Profile), Known: known(s.Sandbox != nil),
		Local: append(s.LocalConnectors(), s.EnvironmentConnectors()...), Platform: s.Hosted, Examine: s.Examine,
		NoHistory: !s.Profile.KeepsHistory()}
}

const (
	startGCPercent = 400
	startTime      = time.Second
)

// runExplorer runs the program until it quits, and ends it in order when the
// system asks.
func (a *app) runExplorer(ctx context.Context, deps ui.Deps) error {
	if a.Env["GOGC"] == "" {
		// The heap may grow while the first screens are made: collecting garbage in
		// those milliseconds costs a third of the start and frees nothing that lasts.
		before := debug.SetGCPercent(startGCPercent)
		defer time.AfterFunc(startTime, func() { debug.SetGCPercent(before) }).Stop()
	}
	defer func() { _ = download.RemoveTemporary() }() // the system clears what is left
	text.MeasureBy(ansi.WcWidth)                      // until the terminal says that it knows better
	p := tea.NewProgram(ui.Guarded(ui.New(deps)), tea.WithContext(ctx),
		tea.WithInput(pasted.New(fileOf(a.stdin))), tea.WithOutput(repaint.New(fileOf(a.stdout))),
		tea.WithFilter(ui.Filter(a.Now)), tea.WithoutSignalHandler())
	a.tell = func(t string) { p.Send(ui.Told(t)) } // stderr is the screen now
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	var came atomic.Int64
	go func() {
		if s, ok := (<-signals).(syscall.Signal); ok {
			signal.Stop(signals) // a second one is left to the system, which ends a program that hangs
			came.Store(int64(s))
			p.Send(ui.Interrupt())
		}
	}()
	_, err := p.Run()
	_, _ = io.WriteString(fileOf(a.stdout), ui.StopFollowing) // a terminal that is gone needs none
	signal.Stop(signals)
	close(signals)
	switch by := came.Load(); {
	case errors.Is(err, tea.ErrProgramPanic):
		return client.Failf(client.ClassOther, "the explorer stopped because of a defect in it").
			Advise("Please report the lines above with what you did.")
	case err != nil && !errors.Is(err, tea.ErrInterrupted):
		return err
	case by != 0:
		return signaled(by)
	}
	return nil
}

// nativeClipboard writes to a clipboard beside the terminal's own, and names it;
// nil when there is none. Over SSH the clipboard of this machine is not the one
// in front of the person. tmux passes the terminal's way on only when it is told
// to, but takes a text over its own.
func nativeClipboard(env map[string]string, has, tmux bool) (write func(string) error, name string) {
	remote := env["SSH_TTY"] != "" || env["SSH_CONNECTION"] != ""
	switch {
	case has && !remote:
		return clipboard.WriteAll, "the clipboard"
	case tmux:
		return loadBuffer, "tmux's buffer and through it to the clipboard"
	}
	return nil, ""
}

func hasTmux(env map[string]string) bool {
	if env["TMUX"] == "" {
		return false
	}
	_, err := exec.LookPath("tmux")
	return err == nil
}

// tmuxTimeout bounds how long tmux may take for a text.
const tmuxTimeout = 5 * time.Second

// loadBuffer gives a text to tmux, and asks it to pass it on to the clipboard.
func loadBuffer(t string) error {
	ctx, cancel := context.WithTimeout(context.Background(), tmuxTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", "load-buffer", "-w", "-")
	cmd.Stdin = strings.NewReader(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tmux load-buffer: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// notification is how the terminal shows a message on the desktop: OSC 9 in
// most, OSC 777 in those that know only that. tmux, screen and the text console
// pass on nothing but the bell. nil where the terminal has none of it.
func notification(env map[string]string) func(text string) string {
	term := env["TERM"]
	switch {
	case term == "dumb" || term == "":
		return nil
	case env["TMUX"] != "" || env["STY"] != "" || term == "linux":
		return func(string) string { return "\a" }
	case strings.HasPrefix(term, "foot") || strings.HasPrefix(term, "rxvt") || env["VTE_VERSION"] != "":
		return func(t string) string { return "\x1b]777;notify;patchbay;" + t + "\x1b\\" }
	}
	return func(t string) string { return "\x1b]9;patchbay: " + t + "\a" }
}

// drawsImages reports whether the terminal is known to draw images at placeholders,
// which is more than to speak kitty's graphics protocol. KITTY_WINDOW_ID alone says
// little: a terminal that was started from kitty has it as well.
func drawsImages(env map[string]string) bool {
	term, program := env["TERM"], strings.ToLower(env["TERM_PROGRAM"])
	switch {
	case env["TMUX"] != "" || env["STY"] != "" || strings.HasPrefix(term, "tmux") || strings.HasPrefix(term, "screen"):
		return false
	case term == "xterm-kitty" || term == "xterm-ghostty":
		return true
	case program != "":
		return program == "kitty" || program == "ghostty"
	}
	others := []string{"VTE_VERSION", "KONSOLE_VERSION", "WEZTERM_PANE", "ALACRITTY_WINDOW_ID", "WT_SESSION",
		"XTERM_VERSION", "ZED_TERM", "TERMINAL_EMULATOR", "INSIDE_EMACS", "VIM_TERMINAL", "NVIM"}
	return env["KITTY_WINDOW_ID"] != "" && strings.HasPrefix(term, "xterm") &&
		!slices.ContainsFunc(others, func(name string) bool { return env[name] != "" })
}

// signaled is the end that a signal of the system asked for. It is no failure
// to tell of: only the exit code says it, as a shell counts it.
type signaled syscall.Signal

// Error implements error.
func (s signaled) Error() string { return "ended by the signal " + syscall.Signal(s).String() }

func (a *app) openCommand(c *cobra.Command) {
	as := c.Flags().String("as", "", "the records are those of `KIND/ENTITY[/ACTION]` of the catalog")
	size := c.Flags().String("max-size", "", "keep up to `SIZE` of a stream in memory, such as 4GB (500MB)")
	a.bindScreen(c)
	completeFlag(c, "as", func() (paths []string) {
		c, _ := a.catalog()
		for _, name := range a.kindNames() {
			if k, err := c.Kind(name); err == nil {
				paths = append(paths, texts(k.EntityNames(), func(e string) string { return name + "/" + e })...)
			}
		}
		return paths
	})
	c.RunE = runs(func(ctx context.Context, args []string) error {
		most := int64(0)
		if *size != "" {
			var err error
			if most, err = quantity.ParseSize(*size); err != nil {
				return client.Invalid("--max-size: %v", err)
			}
		}
		return a.exploreFile(ctx, args[0], *as, most)
	})
}

// exploreFile opens the explorer on a saved response, an export, any JSON or NDJSON;
// "-" is stdin. as says what its records are, most how much of a stream is kept.
func (a *app) exploreFile(ctx context.Context, name, as string, most int64) error {
	if !a.onTerminal() {
		return client.Misconfigured("the explorer needs a terminal").
			Advise("patchbay execute prints answers without one; patchbay help lists the rest.")
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // a signal ends the screen in order
	defer cancel()
	var records answer.Question
	var doc *answer.Document
	var err error
	if as != "" {
		c, _ := a.catalog()
		records, err = document.As(c, as)
	}
	switch {
	case err != nil:
	case name != "-":
		var closed func() error
		if doc, closed, err = document.Open(ctx, name, records, most); err == nil {
			a.closers = append(a.closers, closed)
		}
	case isTerminal(a.stdin):
		err = client.Invalid("- reads stdin, which is the terminal").
			Advise("Pipe data into it: ... | patchbay open -")
	default:
		doc = document.Stream(ctx, a.stdin, answer.Reading{Name: "stdin", As: records}, most)
	}
	if err != nil {
		return err
	}
	defer func() {
		cancel()
		doc.End()
	}()
	if !isTerminal(a.stdin) {
		// The data comes through stdin, so the keys must come from the terminal itself.
		in, _, err := tea.OpenTTY()
		if err != nil {
			return client.Misconfigured("there is no terminal to read keys from: %v", err).
				Advise("Save the data to a file and open that.")
		}
		defer in.Close()
		a.stdin = in
	}
	deps, err := a.deps()
	if err != nil {
		return err
	}
	deps.Document, deps.Session = doc, ui.Session{Name: "file"} // no service, no profile
	return a.runExplorer(ctx, deps)
}
