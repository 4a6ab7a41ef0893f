package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"patchbay/client"
	"patchbay/client/sandbox"
	"patchbay/client/saved"
	"patchbay/ui/text"
)

// helpWidth is how many columns help takes.
const helpWidth = 80

func (a *app) helpCommand() *cobra.Command {
	c := command("help")
	c.RunE = func(c *cobra.Command, words []string) error {
		topic := c.Root()
		for _, word := range words {
			if !topic.HasSubCommands() {
				return client.Invalid("%s has no commands of its own", pathOf(topic)).
					Advise("Run: patchbay help %s", pathOf(topic))
			}
			next, _, err := topic.Find([]string{word})
			if err != nil || next == topic {
				return noSuchCommand(topic, words)
			}
			topic, words = next, words[1:]
		}
		topic.InitDefaultHelpFlag()
		a.printHelp(topic)
		return nil
	}
	c.ValidArgsFunction = func(c *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
		topic, _, _ := c.Root().Find(words)
		return names(topic.Commands()), cobra.ShellCompDirectiveNoFileComp
	}
	return c
}

// filled is a text of commands.yaml with what the program knows filled in.
func (a *app) filled(t string) string {
	if !strings.Contains(t, "{") {
		return t
	}
	c, _ := a.catalog()
	kind, first := c.First()
	return strings.NewReplacer("{kind}", kind, "{entity}", first.Entity, "{folder}", saved.Folder,
		"{faults}", strings.Join(sandbox.FaultNames(), ", ")).Replace(t)
}

// printHelp writes the help of a command to stdout.
func (a *app) printHelp(c *cobra.Command) {
	var b strings.Builder
	line := c.UseLine()
	if c.HasSubCommands() && c.HasParent() {
		line += " COMMAND"
	}
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", c.Short, line)
	if c.Long != "" {
		b.WriteString("\n")
		for paragraph := range strings.SplitSeq(a.filled(c.Long), "\n") {
			lines := text.WrapWords(text.Sanitize(paragraph), helpWidth, len(paragraph))
			fmt.Fprintf(&b, "%s\n", text.Join(lines, "\n"))
		}
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n  %s\n", strings.ReplaceAll(a.filled(c.Example), "\n", "\n  "))
	}
	writeCommands(&b, c)
	fmt.Fprintf(&b, "\nFlags:\n%s", c.Flags().FlagUsagesWrapped(helpWidth))
	if !c.HasParent() {
		b.WriteString(exitCodes)
	}
	fmt.Fprint(a.stdout, b.String())
}

const exitCodes = `
Exit codes: 0 ok; 1 other, upstream, bad response; 2 auth or scope; 3 not found;
4 usage, configuration, invalid input or refused; 5 rate limited; 6 network,
TLS, timeout; 130 canceled; 128 and its number for a signal that ended the
explorer.
`

// writeCommands lists the commands below c, group by group where there are groups.
func writeCommands(b *strings.Builder, c *cobra.Command) {
	if !c.HasSubCommands() {
		return
	}
	groups := c.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	for _, g := range groups {
		fmt.Fprintf(b, "\n%s:\n", g.Title)
		for _, sub := range c.Commands() {
			if sub.GroupID != g.ID || sub.Hidden {
				continue
			}
			const at = 15 // where the second column begins; what is too wide for the first gets a line of its own
			left := text.Sanitize(strings.TrimSpace(sub.Name() + " " + strings.Join(names(sub.Commands()), "|")))
			if text.Width(left) > at-2 {
				fmt.Fprintf(b, "  %s\n", left)
				left = ""
			}
			fmt.Fprintf(b, "  %s%s\n", text.Pad(left, at), sub.Short)
		}
	}
}

func (a *app) completionCommand(c *cobra.Command) {
	c.ValidArgs = []string{"bash", "zsh", "fish"}
	c.RunE = func(c *cobra.Command, args []string) error {
		root := c.Root()
		write, ok := map[string]func(io.Writer) error{
			"bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
			"zsh":  root.GenZshCompletion,
			"fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		}[strings.ToLower(args[0])]
		if !ok {
			return client.Invalid("there is no completion for %q", args[0]).
				Advise("There is one for bash, zsh and fish.")
		}
		return write(a.stdout)
	}
}

// completeFlag offers words as the value of a flag.
func completeFlag(c *cobra.Command, name string, list func() []string) {
	_ = c.RegisterFlagCompletionFunc(name, words(list)) // fails only for a flag that is not declared
}

// words offers words as the first argument of a command, or as a flag's value.
func words(list func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return list(), cobra.ShellCompDirectiveNoFileComp
	}
}

func (a *app) manCommand(c *cobra.Command) {
	c.RunE = func(c *cobra.Command, args []string) error { return a.writeManual(c.Root(), args[0]) }
}

// writeManual writes a page for each command. It makes them itself: what
// cobra/doc needs for it would take half a millisecond of every start.
func (a *app) writeManual(c *cobra.Command, dir string) error {
	if c.Hidden {
		return nil
	}
	c.InitDefaultHelpFlag()
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, manName(c)+".1"), []byte(a.manPage(c)), 0o644)
	}
	if err != nil {
		return client.Misconfigured("the pages cannot be written: %v", err).
			Advise("Name a folder that can be made and written.")
	}
	for _, sub := range c.Commands() {
		if err := a.writeManual(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is a command's help in the language of man.
func (a *app) manPage(c *cobra.Command) string {
	// Text is made harmless for man: no dash is typeset, and no line is a request.
	roff := strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"patchbay %s\"\n", roff(strings.ToUpper(manName(c))), roff(version()))
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, ".SH %s\n%s\n", title, text)
		}
	}
	asIs := func(text string) string { return ".nf\n" + roff(strings.TrimRight(text, "\n")) + "\n.fi" }
	section("NAME", roff(manName(c)+" - "+c.Short))
	section("SYNOPSIS", asIs(c.UseLine()))
	section("DESCRIPTION", strings.ReplaceAll(roff(a.filled(c.Long)), "\n", "\n.PP\n"))
	section("OPTIONS", asIs(c.Flags().FlagUsagesWrapped(helpWidth-8)))
	if c.Example != "" {
		section("EXAMPLES", asIs(a.filled(c.Example)))
	}
	others := texts(names(c.Commands()), func(name string) string { return manName(c) + "-" + name + "(1)" })
	if c.HasParent() {
		others = append([]string{manName(c.Parent()) + "(1)"}, others...)
	}
	section("SEE ALSO", roff(strings.Join(others, ", ")))
	return b.String()
}

func (a *app) printVersion() error {
	_, err := fmt.Fprintf(a.stdout, "patchbay %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	return err
}

// version is what the build knows of itself: the module's version, else the
// commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = "-" + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if revision == "" {
		return "devel"
	}
	return "devel" + revision + dirty
}
