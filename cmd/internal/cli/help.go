package cli

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"patchbay/ui/text"
)

func helpCommand() command {
	return command{name: "help", usage: "[COMMAND]", most: -1, summary: "Explain a command.", setup: func(*flag.FlagSet) runner {
		return func(_ context.Context, a *app, args []string) error { return a.help(args) }
	}}
}

// help explains the command that words name.
func (a *app) help(words []string) error {
	c := rootCommand()
	for _, word := range words {
		if c.subs == nil {
			return usage("%s has no commands of its own", c.path).next("Run: patchbay help %s", c.path)
		}
		i := slices.IndexFunc(c.subs(), func(s command) bool { return s.name == word })
		if i < 0 {
			return unknownCommand(c.path, word, c.subs())
		}
		above := c.path
		c = c.subs()[i]
		c.path = strings.TrimSpace(above + " " + c.name)
	}
	fs := newFlagSet(c.path)
	bindCommon(fs, a)
	switch {
	case c.path == "":
		fs = newFlagSet("")
		bindExplorerFlags(fs, a)
		fs.Bool("version", false, "print the version")
	case c.service:
		bindService(fs, a)
	}
	if c.setup != nil {
		c.setup(fs)
	}
	return a.printHelp(c, fs)
}

// printHelp writes the help of a command to stdout.
func (a *app) printHelp(c command, fs *flag.FlagSet) error {
	var b strings.Builder
	line := strings.TrimSpace("patchbay " + c.path + " " + c.usage)
	if c.subs != nil {
		line = strings.TrimSpace("patchbay "+c.path) + " COMMAND"
	}
	if c.path == "" {
		line = "patchbay [--profile P | --sandbox] [--theme T] [--read-only] [--log FILE]\n       patchbay COMMAND"
	}
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", c.summary, line)
	if c.path == "" {
		b.WriteString("\nWithout a command it opens the explorer.\n")
	}
	if c.help != "" {
		fmt.Fprintf(&b, "\n%s\n", c.help)
	}
	if c.subs != nil {
		b.WriteString("\nCommands:\n")
		writeColumns(&b, commandRows(c.subs()))
	}
	b.WriteString("\nFlags:\n")
	writeColumns(&b, flagRows(fs))
	if c.path == "" {
		b.WriteString(exitCodes)
	}
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

const exitCodes = `
Exit codes: 0 ok; 1 other, upstream, bad response; 2 auth or scope; 3 not found;
4 usage, configuration, invalid input or refused; 5 rate limited; 6 network, TLS,
timeout; 130 canceled; 128 and its number for a signal that ended the explorer.
`

func commandRows(table []command) [][2]string {
	var rows [][2]string
	for _, c := range table {
		left := c.name
		if c.subs != nil {
			left += " " + strings.Join(names(c.subs()), "|")
		}
		rows = append(rows, [2]string{left, c.summary})
	}
	return rows
}

func flagRows(fs *flag.FlagSet) [][2]string {
	var rows [][2]string
	fs.VisitAll(func(f *flag.Flag) {
		value, help := flag.UnquoteUsage(f)
		dash := "--"
		if len(f.Name) == 1 {
			dash = "-"
		}
		left := dash + f.Name
		if value != "" {
			left += " " + strings.ToUpper(value)
			help = strings.Replace(f.Usage, "`"+value+"`", strings.ToUpper(value), 1)
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
			help += " (" + f.DefValue + ")"
		}
		rows = append(rows, [2]string{left, help})
	})
	return rows
}

// writeColumns writes two columns; what is too wide for the first gets a line
// of its own.
func writeColumns(b *strings.Builder, rows [][2]string) {
	const left, right = 24, 70
	for _, row := range rows {
		lines := text.Wrap(row[1], right)
		if text.Width(row[0]) > left-2 {
			fmt.Fprintf(b, "  %s\n", row[0])
		} else if len(lines) > 0 {
			fmt.Fprintf(b, "  %s%s\n", text.Pad(row[0], left), lines[0])
			lines = lines[1:]
		}
		for _, l := range lines {
			fmt.Fprintf(b, "  %s%s\n", text.Spaces(left), l)
		}
	}
}
