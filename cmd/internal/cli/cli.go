// Package cli is patchbay's command line: it reads arguments and environment,
// wires the packages together and runs the explorer or one subcommand.
package cli

import (
	"context"
	"io"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"patchbay/client"
)

// Run runs patchbay with the arguments after the program's name and returns its
// exit code: 0 ok; 1 other, upstream, bad response; 2 auth or scope; 3 not
// found; 4 usage, configuration, invalid input or refused; 5 rate limited;
// 6 network, TLS, timeout; 130 canceled; 128 and its number for a signal that
// ended the explorer.
func Run(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := newApp(args, environ, stdin, stdout, stderr)
	err := a.run(ctx, args)
	if cerr := a.close(); err == nil {
		err = cerr
	}
	return a.report(err)
}

// run reads the flags before the subcommand and goes on with it, or with the
// explorer where there is none.
func (a *app) run(ctx context.Context, args []string) error {
	a.jsonErrors = asksForJSONErrors(args)
	top := rootCommand()
	fs := newFlagSet(top.name)
	flags := bindExplorerFlags(fs, a)
	showVersion := fs.Bool("version", false, "print the version")
	if err := parseLeading(fs, args); err != nil {
		return a.flagError(err, top, fs)
	}
	switch {
	case *showVersion:
		return printVersion(a)
	case fs.NArg() > 0:
		return a.subcommand(ctx, top.subs(), fs.Args(), "")
	}
	return explore(ctx, a, *flags)
}

// subcommand finds the command that args name and runs it.
func (a *app) subcommand(ctx context.Context, table []command, args []string, above string) error {
	name := args[0]
	i := slices.IndexFunc(table, func(c command) bool { return c.name == name })
	if i < 0 {
		return unknownCommand(above, name, table)
	}
	c := table[i]
	c.path = strings.TrimSpace(above + " " + c.name)
	if c.subs != nil {
		return a.group(ctx, c, args[1:])
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return a.runCommand(ctx, c, args[1:])
}

// group runs a command that only holds others.
func (a *app) group(ctx context.Context, c command, args []string) error {
	fs := newFlagSet(c.path)
	bindCommon(fs, a)
	if err := parseLeading(fs, args); err != nil {
		return a.flagError(err, c, fs)
	}
	if fs.NArg() == 0 {
		return usage("%s needs to know what to do: %s", c.path, strings.Join(names(c.subs()), ", ")).
			next("Run: patchbay help %s", c.path)
	}
	return a.subcommand(ctx, c.subs(), fs.Args(), c.path)
}

// runCommand parses the command's own flags, which may stand before and after
// its positional arguments, and runs it.
func (a *app) runCommand(ctx context.Context, c command, args []string) error {
	fs := newFlagSet(c.path)
	bindCommon(fs, a)
	if c.service {
		bindService(fs, a)
	}
	run := c.setup(fs)
	positional, err := parseAll(fs, args)
	if err != nil {
		return a.flagError(err, c, fs)
	}
	if len(positional) < c.least || c.most >= 0 && len(positional) > c.most {
		return wrongCount(c, positional)
	}
	return run(ctx, a, positional)
}

// asksForJSONErrors looks for --json-errors before anything is parsed, so that
// wrong flags are told as JSON too.
func asksForJSONErrors(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "--json-errors", "-json-errors", "--json-errors=true":
			return true
		}
	}
	return false
}

// canceled is the error of work that was stopped.
func canceled(doing string) error {
	return &client.Error{Class: client.ClassCanceled, Layer: client.LayerProgram, Doing: doing, Message: "stopped before it was finished"}
}
