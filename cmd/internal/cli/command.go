package cli

import (
	"cmp"
	"context"
	_ "embed" // for commandsFile
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"patchbay/client"
	"patchbay/client/session"
	"patchbay/client/strictyaml"
)

//go:embed commands.yaml
var commandsFile string

// wording is what commands.yaml says of a command.
type wording struct {
	Use     string `yaml:"use"`
	Short   string `yaml:"short"`
	Long    string `yaml:"long"`
	Example string `yaml:"example"`
	Group   string `yaml:"group"`
	Hidden  bool   `yaml:"hidden"`
	Args    []int  `yaml:"args"`
}

// wordingOf reads the lines of one command alone: all of them would take a noticeable
// part of a start. A command of another without lines has those of its own name.
func wordingOf(path string) (w wording) {
	_, lines, found := strings.Cut(commandsFile, "\n"+path+":\n")
	if _, name, nested := strings.Cut(path, " "); !found && nested {
		return wordingOf(name)
	}
	for i := range len(lines) - 1 {
		if next := lines[i+1]; lines[i] == '\n' && next != ' ' && next != '\n' {
			lines = lines[:i+1]
			break
		}
	}
	f := strictyaml.Read("commands.yaml", []byte(lines))
	if f.Decode(&w); f.Err() != nil {
		panic(f.Err()) // it is part of the program
	}
	return w
}

// command begins a command by the names that lead to it.
func command(path string) *cobra.Command {
	w := wordingOf(path)
	c := &cobra.Command{Use: cmp.Or(w.Use, path[strings.LastIndex(path, " ")+1:]), Short: w.Short, Long: w.Long,
		Example: w.Example, GroupID: w.Group, Hidden: w.Hidden}
	if len(w.Args) == 2 {
		c.Args = between(w.Args[0], w.Args[1])
	}
	return c
}

// below begins a command below another.
func below(c *cobra.Command, name string) *cobra.Command {
	sub := command(c.Name() + " " + name)
	sub.GroupID = ""
	c.AddCommand(sub)
	return sub
}

// builder makes a subcommand of what its words make.
type builder struct {
	name  string
	build func(a *app, c *cobra.Command)
}

// builders make the subcommands, in the order of help.
var builders = []builder{
	{"agent", (*app).agentCommand}, {"catalog", (*app).catalogCommand}, {"check", (*app).checkCommand},
	{"completion", (*app).completionCommand},
	{"connectors", (*app).connectorsCommand}, {"doctor", (*app).doctorCommand}, {"execute", (*app).executeCommand},
	{"history", (*app).historyCommand}, {"keys", (*app).keysCommand}, {"login", (*app).loginCommand},
	{"logout", (*app).logoutCommand}, {"man", (*app).manCommand},
	{"mcp", (*app).mcpCommand}, {"open", (*app).openCommand},
	{"organizations", (*app).organizationsCommand}, {"workspaces", (*app).workspacesCommand},
	{"payload", (*app).payloadCommand}, {"profiles", (*app).profilesCommand}, {"run", (*app).runCommand},
	{"sandbox", (*app).sandboxCommand}, {"themes", (*app).themesCommand}, {"token", (*app).tokenCommand},
	{"version", (*app).versionCommand},
}

// needed are the builders that a command line needs: those it names, none for
// the explorer, and all where it is about commands. Making all of them takes a
// noticeable part of a start.
func needed(args []string) []builder {
	named := slices.DeleteFunc(slices.Clone(builders), func(b builder) bool { return !slices.Contains(args, b.name) })
	flags := !slices.ContainsFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	about := []string{"help", "-h", "-help", "--help", "man", "completion", cobra.ShellCompRequestCmd,
		cobra.ShellCompNoDescRequestCmd}
	if slices.ContainsFunc(about, func(word string) bool { return slices.Contains(args, word) }) ||
		len(named) == 0 && !flags { // to say which of them is near
		return builders
	}
	return named
}

func init() {
	cobra.EnableCommandSorting = false // help keeps the order of builders
	cobra.MousetrapHelpText = ""       // the explorer may be opened by a double click
}

// rootCommand is patchbay with the commands that builders make.
func (a *app) rootCommand(builders []builder) *cobra.Command {
	root := &cobra.Command{
		Use:              "patchbay [flags]\n       patchbay COMMAND",
		Short:            "Explore the connectors of an agent connector service.",
		Long:             "Without a command it opens the explorer.",
		Example:          "patchbay --sandbox\npatchbay --profile work --read-only",
		TraverseChildren: true, SilenceErrors: true, SilenceUsage: true, Args: noSuchCommand,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		// A subcommand is canceled when the system asks for its end; the explorer ends by itself.
		PersistentPreRun: func(c *cobra.Command, _ []string) {
			if c.HasParent() {
				ctx, stop := a.untilSignal(c.Context())
				c.SetContext(client.WithObserver(ctx, a.tellWait))
				a.closers = append(a.closers, stop)
			}
		},
	}
	a.bindService(root)
	a.bindScreen(root)
	showVersion := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *showVersion {
			return a.printVersion()
		}
		return a.explore(c.Context())
	}
	root.AddGroup(&cobra.Group{ID: "calls", Title: "Calls and data"},
		&cobra.Group{ID: "service", Title: "The service"}, &cobra.Group{ID: "program", Title: "The program"})
	for _, b := range builders {
		c := command(b.name)
		b.build(a, c)
		root.AddCommand(c)
	}
	if len(builders) > 0 {
		root.SetHelpCommand(a.helpCommand())
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.printHelp(c) })
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	a.complete(root)
	return root
}

// complete gives a command and those below it what all of them have.
func (a *app) complete(c *cobra.Command) {
	c.DisableFlagsInUseLine = true
	c.Flags().BoolVar(&a.jsonErrors, "json-errors", a.jsonErrors, "tell errors as JSON on stderr")
	switch {
	case c.Args != nil:
	case c.HasSubCommands():
		c.Args = noSuchCommand
		c.RunE = func(*cobra.Command, []string) error {
			known := strings.Join(names(c.Commands()), ", ")
			return client.Invalid("%s needs to know what to do: %s", pathOf(c), known).
				Advise("Run: patchbay help %s", pathOf(c))
		}
	default:
		c.Args = between(0, 0)
	}
	for _, sub := range c.Commands() {
		a.complete(sub)
	}
}

// runs makes what cobra runs of a function that only needs the arguments.
func runs(do func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error { return do(c.Context(), args) }
}

// serves makes c a command that calls a service, which it opens first.
func (a *app) serves(c *cobra.Command, do func(context.Context, *session.Session, []string) error) {
	a.bindCommand(c)
	c.RunE = runs(func(ctx context.Context, args []string) error {
		s, err := a.Service(ctx)
		if err != nil {
			return err
		}
		return do(ctx, s, args)
	})
}

// pathOf is the name of a command with those of the groups above it.
func pathOf(c *cobra.Command) string {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	return path
}

func names(list []*cobra.Command) []string {
	list = slices.DeleteFunc(slices.Clone(list), func(c *cobra.Command) bool { return c.Hidden })
	return texts(list, (*cobra.Command).Name)
}

func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return client.Invalid("%s has no command %q%s", cmp.Or(pathOf(c), "patchbay"), args[0],
		strictyaml.DidYouMean(args[0], names(c.Commands()))).
		Advise("Run: %s", strings.TrimSpace("patchbay help "+pathOf(c)))
}

// between bounds the positional arguments; most -1 is any number.
func between(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return client.Invalid("%s needs more than it was given: %s", pathOf(c), c.UseLine()).
				Advise("Run: patchbay help %s", pathOf(c))
		case most >= 0 && len(args) > most:
			return client.Invalid("%s does not know what to do with %q", pathOf(c), args[most]).
				Advise("Usage: %s", c.UseLine())
		}
		return nil
	}
}

// spelled writes long flags with two dashes: they may come with one.
func spelled(root *cobra.Command, args []string) []string {
	known := map[string]bool{"help": true}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		for _, sub := range c.Commands() {
			look(sub)
		}
	}
	look(root)
	out := append([]string{}, args...) // nil would be the arguments of the process
	for i, arg := range beforeDashes(out) {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && known[name] {
			out[i] = "-" + arg
		}
	}
	return out
}

// beforeDashes are the arguments up to "--", which ends the flags.
func beforeDashes(args []string) []string {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i]
	}
	return args
}

// flagError writes what pflag finds wrong the way errors are written here,
// without the value: it may be a secret typed into the wrong place.
func flagError(c *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		empty   *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
		number  *strconv.NumError
	)
	dashed := func(name string) string { return strings.Repeat("-", min(2, len(name))) + name } // -x, --name
	said := ""
	switch {
	case errors.As(err, &unknown):
		name := cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName())
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		said = " has no flag " + dashed(unknown.GetSpecifiedName()) + strictyaml.DidYouMean("--"+name, known)
	case errors.As(err, &empty):
		said = ": " + dashed(empty.GetSpecifiedName()) + " needs a value"
	case errors.As(err, &invalid):
		cause := invalid.Unwrap()
		if errors.As(cause, &number) {
			cause = number.Err
		}
		said = fmt.Sprintf(": --%s does not take this value: %v", invalid.GetFlag().Name, cause)
	case errors.As(err, &syntax):
		said = ": a flag is written as --name or --name=value"
	default:
		return err
	}
	return client.Invalid("%s%s", cmp.Or(pathOf(c), "patchbay"), said).Advise("Run: patchbay help %s", pathOf(c))
}

// choice is a flag value out of a fixed set.
type choice struct {
	value *string
	of    []string
}

// choose declares a flag that takes one of several words.
func choose(c *cobra.Command, name, value, help string, of ...string) *string {
	v := value
	c.Flags().Var(choice{&v, of}, name, help+": "+strings.Join(of, ", "))
	completeFlag(c, name, func() []string { return of })
	return &v
}

// String implements pflag.Value.
func (c choice) String() string { return *c.value }

// Type implements pflag.Value.
func (c choice) Type() string { return "WORD" }

// Set implements pflag.Value.
func (c choice) Set(s string) error {
	i := slices.IndexFunc(c.of, func(o string) bool { return strings.EqualFold(o, s) })
	if i < 0 {
		return fmt.Errorf("it is one of %s", strings.Join(c.of, ", "))
	}
	*c.value = c.of[i]
	return nil
}
