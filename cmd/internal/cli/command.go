package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// runner does the work of a command once its flags are parsed.
type runner func(ctx context.Context, a *app, args []string) error

// command is one row of the table of subcommands.
type command struct {
	name string
	// usage is what follows the name: "ENTITY [--flag VALUE]".
	usage string
	// summary is one line for lists; help what "help COMMAND" adds, may be empty.
	summary, help string
	// setup declares the flags and returns what runs. Nil for groups.
	setup func(fs *flag.FlagSet) runner
	// subs are the commands of a group.
	subs func() []command
	// service gives the command the flags that choose a profile.
	service bool
	// least and most bound the positional arguments; most -1 is any number.
	least, most int
	// path is the name with those of the groups above it.
	path string
}

// rootCommand stands for patchbay without a subcommand.
func rootCommand() command {
	return command{name: "patchbay", subs: commands, summary: "Explore the connectors of an agent connector service."}
}

// commands is the table of subcommands, in the order in which help shows them.
func commands() []command {
	return []command{
		loginCommand(), logoutCommand(), tokenCommand(), doctorCommand(), profilesCommand(), organizationsCommand(), workspacesCommand(),
		connectorsCommand(), executeCommand("execute"), savedCommand(), payloadCommand(), openCommand(), historyCommand(), catalogCommand(), sandboxCommand(),
		keysCommand(), themesCommand(), completionCommand(), helpCommand(),
		versionCommand(),
	}
}

func names(table []command) []string {
	out := make([]string, len(table))
	for i, c := range table {
		out[i] = c.name
	}
	return out
}

func newFlagSet(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parseLeading parses the flags before the first positional argument.
func parseLeading(fs *flag.FlagSet, args []string) error { return fs.Parse(args) }

// parseAll parses flags wherever they stand; what follows "--" is positional.
func parseAll(fs *flag.FlagSet, args []string) (positional []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		rest := fs.Args()
		if read := len(args) - len(rest); read > 0 && args[read-1] == "--" {
			return append(positional, rest...), nil
		}
		if len(rest) == 0 {
			return positional, nil
		}
		positional = append(positional, rest[0])
		args = rest[1:]
	}
}

// flagError turns what the flag package says into help or a usage error.
func (a *app) flagError(err error, c command, fs *flag.FlagSet) error {
	if errors.Is(err, flag.ErrHelp) {
		return a.printHelp(c, fs)
	}
	where := c.path
	if where == "" {
		where = "patchbay"
	}
	text := err.Error()
	if name, found := strings.CutPrefix(text, "flag provided but not defined: -"); found {
		name, _, _ = strings.Cut(name, "=")
		name = strings.TrimLeft(name, "-")
		return usage("%s has no flag --%s%s", where, name, didYouMean(name, flagNames(fs), "--")).
			next("Run: patchbay help %s", c.path)
	}
	return usage("%s: %s", where, flagWords(text)).next("Run: patchbay help %s", c.path)
}

// flagWords writes the flag package's errors the way flags are written here,
// without the value: it may be a secret typed into the wrong place.
func flagWords(text string) string {
	if name, found := strings.CutPrefix(text, "flag needs an argument: -"); found {
		return "--" + name + " needs a value"
	}
	if strings.HasPrefix(text, "invalid ") {
		if _, rest, ok := strings.Cut(text, " for flag -"); ok {
			name, reason, _ := strings.Cut(rest, ":")
			return "--" + name + " does not take this value:" + reason
		}
		if _, rest, ok := strings.Cut(text, " for -"); ok {
			name, reason, _ := strings.Cut(rest, ":")
			return "--" + name + " does not take this value:" + reason
		}
	}
	return text
}

func flagNames(fs *flag.FlagSet) []string {
	var out []string
	fs.VisitAll(func(f *flag.Flag) { out = append(out, f.Name) })
	return out
}

func unknownCommand(above, name string, table []command) error {
	what := "patchbay has no command"
	if above != "" {
		what = above + " has no command"
	}
	return usage("%s %q%s", what, name, didYouMean(name, names(table), "")).
		next("Run: %s", strings.TrimSpace("patchbay help "+above))
}

func wrongCount(c command, got []string) error {
	if len(got) < c.least {
		return usage("%s needs more than it was given: patchbay %s %s", c.path, c.path, c.usage).next("Run: patchbay help %s", c.path)
	}
	return usage("%s does not know what to do with %q", c.path, got[c.most]).next("Usage: patchbay %s %s", c.path, c.usage)
}

// choice is a flag value out of a fixed set.
type choice struct {
	value *string
	of    []string
}

// choose declares a flag that takes one of several words.
func choose(fs *flag.FlagSet, name, value, help string, of ...string) *string {
	v := value
	fs.Var(choice{&v, of}, name, help+": "+strings.Join(of, ", "))
	return &v
}

// String implements flag.Value.
func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

// Set implements flag.Value.
func (c choice) Set(s string) error {
	for _, o := range c.of {
		if strings.EqualFold(o, s) {
			*c.value = o
			return nil
		}
	}
	return fmt.Errorf("it is one of %s", strings.Join(c.of, ", "))
}
