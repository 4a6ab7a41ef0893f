// Package cli is patchbay's command line, in cobra's words: commands, flags,
// arguments. It reads them and the environment, wires the packages together,
// prints, and gives errors their exit code. The words of a command stand in
// commands.yaml. It holds no service logic: that belongs to client/session and its
// siblings. Nothing imports it but main.
package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/history"
	"patchbay/client/kindfile"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/strictyaml"
	"patchbay/client/wirelog"
	"patchbay/themes"
)

// Run runs patchbay with the arguments after the program's name and returns its
// exit code: one of exitCodes.
func Run(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := newApp(environ, stdin, stdout, stderr)
	// Looked for before anything is parsed, so that wrong flags are told as JSON too.
	a.jsonErrors = slices.ContainsFunc(beforeDashes(args), func(arg string) bool {
		return arg == "--json-errors" || arg == "-json-errors" || arg == "--json-errors=true"
	})
	root := a.rootCommand(needed(args))
	root.SetArgs(spelled(root, args))
	c, err := root.ExecuteContextC(ctx)
	err = flagError(c, err)
	for _, end := range slices.Backward(a.closers) {
		if failed := end(); err == nil {
			err = failed
		}
	}
	return a.report(err)
}

// canceled is the error of work that was stopped.
func canceled(doing string) error {
	return &client.Error{Class: client.ClassCanceled, Layer: client.LayerProgram, Doing: doing,
		Message: "stopped before it was finished"}
}

// app is what every command works with: the world as it was handed to Run, and
// what is opened from it when it is first needed.
type app struct {
	// Opener opens sessions; its choice is made by flags.
	*session.Opener
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer

	// flags are those of patchbay without a subcommand that choose no service.
	flags struct {
		// Theme names a theme; empty lets settings and terminal decide.
		Theme string
		// Log is the path of a file that gets a line for every exchange.
		Log string
		// Trace tells every exchange on stderr.
		Trace bool
		// ASCII draws without line-drawing characters, NoMotion without spinners.
		ASCII, NoMotion bool
	}
	jsonErrors bool

	// catalog opens the catalog with the user's own files once; problems are
	// what was wrong in those. Kinds is the same and tells the problems on stderr.
	catalog func() (c *catalog.Catalog, problems strictyaml.Problems)
	// prompts reads answers from stdin, line by line.
	prompts func() *bufio.Reader

	// tell tells what happened beside the work: on stderr, or on the explorer's screen.
	tell func(string)

	log  *os.File
	runs *history.Store
	// recorded is the number in the history of the call that was made last; 0 for none.
	recorded int64
	closers  []func() error
}

func newApp(environ []string, stdin io.Reader, stdout, stderr io.Writer) *app {
	env := make(map[string]string, len(environ)) // the last of a name counts
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok && name != "" {
			env[name] = value
		}
	}
	a := &app{stdin: stdin, stdout: pipeWriter{stdout}, stderr: stderr}
	a.Opener = &session.Opener{Env: env, Now: time.Now, Redactor: &secret.Redactor{}, Version: version(),
		Watch: a.watch, Trace: a.trace}
	a.tell = func(t string) { a.say("%s", t) }
	a.Folders, a.FoldersErr = profile.FoldersFrom(env, runtime.GOOS)
	a.Settings = sync.OnceValues(func() (*profile.Settings, error) {
		if a.FoldersErr != nil {
			return &profile.Settings{}, nil
		}
		return profile.Load(a.Folders.Settings())
	})
	a.World = sync.OnceValue(func() *sandbox.Service {
		return sandbox.New(sandbox.Options{Catalog: a.Kinds(), Strangers: catalog.Strangers(), Now: a.Now,
			Names: string(a.Speaks())})
	})
	a.catalog = sync.OnceValues(func() (*catalog.Catalog, strictyaml.Problems) {
		c := catalog.New()
		if a.FoldersErr != nil {
			return c, nil
		}
		problems := kindfile.Load(c, filepath.Join(a.Folders.Config, "catalog"), a.Folders.Kinds())
		session.Descriptions(a.Folders).Lend(c)
		session.Lessons(a.Folders).Amend(c)
		return c, problems
	})
	a.Kinds = sync.OnceValue(func() *catalog.Catalog {
		c, problems := a.catalog()
		for _, p := range problems {
			a.say("patchbay: %s", p.Error())
		}
		return c
	})
	a.prompts = sync.OnceValue(func() *bufio.Reader { return bufio.NewReader(a.stdin) })
	return a
}

// onTerminal reports whether stdout is a terminal.
func (a *app) onTerminal() bool { return isTerminal(a.stdout) }

func isTerminal(stream any) bool {
	f := fileOf(stream)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// fileOf is the file that a stream is; nil for none.
func fileOf(stream any) *os.File {
	if p, ok := stream.(pipeWriter); ok {
		stream = p.w
	}
	f, _ := stream.(*os.File)
	return f
}

// bindService declares the flags of commands that call a service.
func (a *app) bindService(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&a.Profile, "profile", "", "the `PROFILE` to use")
	fs.BoolVar(&a.Sandbox, "sandbox", false, "use the built-in service with generated data")
	names := []string{sandbox.NamesNeutral, sandbox.NamesWire}
	fs.Var(choice{(*string)(&a.SandboxNames), names}, "names", "the names that the built-in service speaks: "+
		strings.Join(names, ", "))
	completeFlag(c, "names", func() []string { return names })
	fs.BoolVar(&a.ReadOnly, "read-only", false, "refuse everything that is not known to only read")
	fs.BoolVar(&a.Insecure, "insecure", false, "let credentials go to other machines over plain http")
	fs.StringVar(&a.flags.Log, "log", "", "append a line for every exchange to `FILE`")
	completeFlag(c, "profile", a.Names)
}

// bindCommand declares the flags of subcommands that call a service.
func (a *app) bindCommand(c *cobra.Command) {
	a.bindService(c)
	c.Flags().BoolVar(&a.flags.Trace, "trace", false, "tell every exchange on stderr, as curl -v does, without secrets")
}

// bindScreen declares the flags that say how the screen is drawn.
func (a *app) bindScreen(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&a.flags.Theme, "theme", "", "the `THEME`; patchbay themes lists them")
	fs.BoolVar(&a.flags.ASCII, "ascii", false, "draw with ASCII characters only")
	fs.BoolVar(&a.flags.NoMotion, "no-motion", false, "nothing on the screen moves by itself")
	completeFlag(c, "theme", func() []string { return themes.All(a.themeDir()) })
}

// report tells an error on stderr and returns the exit code.
func (a *app) report(err error) int {
	if err == nil || errors.Is(err, errPipeClosed) {
		return 0
	}
	if ended, ok := errors.AsType[signaled](err); ok {
		return 128 + int(ended) // as a shell counts it
	}
	e := client.AsError(err)
	if unknown, ok := errors.AsType[*catalog.UnknownError](err); ok {
		e = client.Failf(client.ClassNotFound, "%s", unknown.Error())
	}
	if a.jsonErrors {
		a.reportJSON(e)
	} else {
		a.reportText(e)
	}
	return client.ExitCode(e)
}

func (a *app) reportText(e *client.Error) {
	fmt.Fprintf(a.stderr, "patchbay: %s\n", shown(e.Error()))
	var facts []string
	add := func(known bool, format string, fact any) {
		if known {
			facts = append(facts, fmt.Sprintf(format, fact))
		}
	}
	add(e.Status != 0, "status %d", e.Status)
	add(e.Layer != "" && e.Layer != client.LayerProgram, "from: %s", e.Layer)
	add(e.RequestID != "", "request id %s", shown(e.RequestID))
	add(e.RetryAfter > 0, "retry after %s", e.RetryAfter.Round(time.Second))
	calls := client.Calls(e.Attempts)
	add(calls > 1, "%d attempts", calls)
	for _, line := range []string{strings.Join(facts, ", "), shown(a.next(e))} {
		if line != "" {
			fmt.Fprintf(a.stderr, "  %s\n", line)
		}
	}
}

// errorJSON is what --json-errors prints, one line on stderr. Type says the
// same as Class, for programs that know errors of the service's own CLI.
type errorJSON struct {
	Type       string `json:"type"`
	Class      string `json:"class"`
	Message    string `json:"message"`
	StatusCode int    `json:"status_code,omitempty"`
	Layer      string `json:"layer,omitempty"`
	Field      string `json:"field,omitempty"`
	Server     string `json:"server,omitempty"`
	Next       string `json:"next,omitempty"`
	Outcome    string `json:"outcome,omitempty"`
	Retryable  bool   `json:"retryable"`
	RetryAfter int    `json:"retry_after_seconds,omitempty"`
	RequestID  string `json:"request_id,omitempty"`
	Attempts   int    `json:"attempts,omitempty"`
	ExitCode   int    `json:"exit_code"`
}

func (a *app) reportJSON(e *client.Error) {
	data, err := json.Marshal(errorJSON{Type: string(e.Class), Class: string(e.Class), Message: e.Error(),
		StatusCode: e.Status, Layer: string(e.Layer), Field: e.Field, Server: e.Server, Next: a.next(e),
		Outcome: string(e.Fate), Retryable: e.Retryable(), RetryAfter: int(e.RetryAfter.Seconds()),
		RequestID: e.RequestID, Attempts: client.Calls(e.Attempts), ExitCode: client.ExitCode(e)})
	if err != nil {
		data = []byte("patchbay: " + shown(e.Error()))
	}
	fmt.Fprintf(a.stderr, "%s\n", data)
}

// watch appends a line for every exchange to the file of --log, where that is asked for.
func (a *app) watch(base http.RoundTripper) (http.RoundTripper, error) {
	if a.flags.Log == "" {
		return base, nil
	}
	if a.log == nil {
		f, err := os.OpenFile(a.flags.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, client.Misconfigured("the log cannot be written: %v", err).
				Advise("Give --log a file in a folder that exists and can be written.")
		}
		a.log, a.closers = f, append(a.closers, f.Close)
	}
	// A log that is lost is told once, and stops no call.
	return logged{base, a, sync.OnceFunc(func() { a.tell("The log cannot be written: lines of it are missing.") })}, nil
}

// trace tells an exchange on stderr, where that is asked for: in one write, so that
// several may come at once.
func (a *app) trace(at client.Attempt, body client.Body) {
	if !a.flags.Trace {
		return
	}
	call := wirelog.Call{Attempts: []client.Attempt{at}}
	if body != nil {
		call.Envelope = &client.Envelope{Body: body}
		for _, h := range at.ResponseHeaders {
			if strings.EqualFold(h.Name, "Content-Type") {
				call.Envelope.ContentType = h.Value
			}
		}
	}
	var b bytes.Buffer
	_ = wirelog.Text(&b, []wirelog.Call{call}, wirelog.Options{Redactor: a.Redactor, MaxBody: 4 << 10})
	_, _ = a.stderr.Write(append(b.Bytes(), '\n'))
}

// logged writes a line for each exchange of a RoundTripper: no header and no
// body, so no secret. A line is one write, so that several may come at once.
type logged struct {
	base http.RoundTripper
	a    *app
	lost func()
}

// RoundTrip implements http.RoundTripper.
func (l logged) RoundTrip(r *http.Request) (*http.Response, error) {
	started := l.a.Now()
	resp, err := l.base.RoundTrip(r)
	ended := l.a.Now()
	line := r.Method + " " + l.a.Redactor.URL(r.URL.String())
	if err != nil {
		line += fmt.Sprintf(" failed after %s: %v", ended.Sub(started), err)
	} else {
		line += fmt.Sprintf(" -> %d after %s", resp.StatusCode, ended.Sub(started))
	}
	if _, err := fmt.Fprintf(l.a.log, "%s %s\n", ended.UTC().Format(time.RFC3339Nano),
		shown(l.a.Redactor.Text(line))); err != nil {
		l.lost()
	}
	return resp, err
}
