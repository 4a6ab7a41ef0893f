package cli

import (
	"bufio"
	"errors"
	"flag"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"patchbay/catalog"
	"patchbay/client/history"
	"patchbay/client/profile"
	"patchbay/client/secret"
)

// app is what every command works with: the world as it was handed to Run, and
// what is opened from it when it is first needed.
type app struct {
	args   []string
	env    map[string]string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	now    func() time.Time

	// flags are those that may stand before a subcommand too.
	flags      explorerFlags
	jsonErrors bool

	// folders are where files are kept; foldersErr tells why there are none.
	folders    profile.Folders
	foldersErr error
	// settings reads the settings file once.
	settings func() (*profile.Settings, error)
	// catalog opens the catalog with the user's own files once; problems are
	// what was wrong in those.
	catalog func() (c *catalog.Catalog, problems []catalog.Problem)
	// redactor knows every secret that was read.
	redactor *secret.Redactor
	// prompts reads answers from stdin, line by line.
	prompts func() *bufio.Reader

	log     *logFile
	runs    *history.Store
	closers []func() error
}

// explorerFlags are the flags of patchbay without a subcommand.
type explorerFlags struct {
	// Profile names the profile to open; Sandbox opens the built-in service instead.
	Profile string
	Sandbox bool
	// Theme names a theme; empty lets settings and terminal decide.
	Theme string
	// ReadOnly refuses everything that changes data.
	ReadOnly bool
	// Log is the path of a file that gets a line for every exchange.
	Log string
	// ASCII draws without line-drawing characters, NoMotion without spinners.
	ASCII, NoMotion bool
}

func newApp(args, environ []string, stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{args: args, env: environment(environ), stdin: stdin, stdout: pipeWriter{stdout}, stderr: stderr, now: time.Now, redactor: &secret.Redactor{}}
	a.folders, a.foldersErr = profile.FoldersFrom(a.env, runtime.GOOS)
	a.settings = sync.OnceValues(a.loadSettings)
	a.catalog = sync.OnceValues(a.loadCatalog)
	a.prompts = sync.OnceValue(func() *bufio.Reader { return bufio.NewReader(a.stdin) })
	return a
}

// environment makes a map of NAME=VALUE texts; the last of a name counts.
func environment(environ []string) map[string]string {
	env := make(map[string]string, len(environ))
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok && name != "" {
			env[name] = value
		}
	}
	return env
}

func (a *app) loadSettings() (*profile.Settings, error) {
	if a.foldersErr != nil {
		return &profile.Settings{}, nil
	}
	return profile.Load(a.folders.Settings())
}

func (a *app) loadCatalog() (*catalog.Catalog, []catalog.Problem) {
	c := catalog.New()
	if a.foldersErr != nil {
		return c, nil
	}
	return c, c.Load(a.folders.Catalog())
}

// kinds is the catalog; what is wrong in the user's files is told on stderr.
func (a *app) kinds() *catalog.Catalog {
	c, problems := a.catalog()
	for _, p := range problems {
		a.say("patchbay: %s", p.Error())
	}
	return c
}

// store is where secrets are kept: the OS keyring, else a file that only its
// owner reads. PATCHBAY_NO_KEYRING leaves the keyring out.
func (a *app) store() secret.Store {
	file := &secret.File{Path: a.folders.Secrets()}
	if a.env["PATCHBAY_NO_KEYRING"] != "" {
		return file
	}
	return secret.Fallback{secret.Keyring{}, file}
}

// sources resolves references to secrets.
func (a *app) sources() secret.Sources {
	s := secret.Sources{Env: a.env, File: &secret.File{Path: a.folders.Secrets()}}
	if a.env["PATCHBAY_NO_KEYRING"] == "" {
		s.Keyring = secret.Keyring{}
	}
	return s
}

// close closes what was opened, last first.
func (a *app) close() error {
	var errs []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		errs = append(errs, a.closers[i]())
	}
	a.closers = nil
	return errors.Join(errs...)
}

// onTerminal tells whether stdout is a terminal.
func (a *app) onTerminal() bool { return isTerminal(a.stdout) }

func isTerminal(stream any) bool {
	if p, ok := stream.(pipeWriter); ok {
		stream = p.w
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// bindCommon declares the flags of every command.
func bindCommon(fs *flag.FlagSet, a *app) {
	fs.BoolVar(&a.jsonErrors, "json-errors", a.jsonErrors, "tell errors as JSON on stderr")
}

// bindService declares the flags of commands that call a service.
func bindService(fs *flag.FlagSet, a *app) {
	fs.StringVar(&a.flags.Profile, "profile", a.flags.Profile, "the `profile` to use")
	fs.BoolVar(&a.flags.Sandbox, "sandbox", a.flags.Sandbox, "use the built-in service with generated data")
	fs.BoolVar(&a.flags.ReadOnly, "read-only", a.flags.ReadOnly, "refuse everything that changes data")
	fs.StringVar(&a.flags.Log, "log", a.flags.Log, "append a line for every exchange to `file`")
}

// bindExplorerFlags declares the flags of the explorer.
func bindExplorerFlags(fs *flag.FlagSet, a *app) *explorerFlags {
	bindCommon(fs, a)
	bindService(fs, a)
	bindScreen(fs, a)
	return &a.flags
}

// bindScreen declares the flags that say how the screen is drawn.
func bindScreen(fs *flag.FlagSet, a *app) {
	fs.StringVar(&a.flags.Theme, "theme", a.flags.Theme, "the `theme`; patchbay themes lists them")
	fs.BoolVar(&a.flags.ASCII, "ascii", a.flags.ASCII, "draw with ASCII characters only")
	fs.BoolVar(&a.flags.NoMotion, "no-motion", a.flags.NoMotion, "nothing on the screen moves by itself")
}
