package cli

import (
	"context"
	"flag"
	"fmt"
	"strings"
)

func completionCommand() command {
	return command{
		name: "completion", usage: "bash|zsh|fish", least: 1, most: 1, summary: "Print a completion script for a shell.",
		help: "bash: source <(patchbay completion bash)\nzsh:  patchbay completion zsh > \"${fpath[1]}/_patchbay\"\nfish: patchbay completion fish | source",
		setup: func(*flag.FlagSet) runner {
			return func(_ context.Context, a *app, args []string) error {
				write, ok := map[string]func([]completed) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[strings.ToLower(args[0])]
				if !ok {
					return usage("there is no completion for %q", args[0]).next("There is one for bash, zsh and fish.")
				}
				_, err := fmt.Fprint(a.stdout, write(a.completions()))
				return err
			}
		},
	}
}

// completed is what can follow the words of a command.
type completed struct {
	path, summary string
	words         []command
	flags         []string
}

// completions walks the table of commands.
func (a *app) completions() []completed {
	root := rootCommand()
	fs := newFlagSet("")
	bindExplorerFlags(fs, a)
	out := []completed{{words: root.subs(), flags: dashed(fs)}}
	for _, c := range root.subs() {
		out = append(out, a.completionsOf(c, "")...)
	}
	return out
}

func (a *app) completionsOf(c command, above string) []completed {
	path := strings.TrimSpace(above + " " + c.name)
	fs := newFlagSet(path)
	bindCommon(fs, a)
	if c.subs != nil {
		out := []completed{{path: path, summary: c.summary, words: c.subs(), flags: dashed(fs)}}
		for _, sub := range c.subs() {
			out = append(out, a.completionsOf(sub, path)...)
		}
		return out
	}
	if c.service {
		bindService(fs, a)
	}
	c.setup(fs)
	return []completed{{path: path, summary: c.summary, flags: dashed(fs)}}
}

func dashed(fs *flag.FlagSet) []string {
	out := flagNames(fs)
	for i, name := range out {
		out[i] = "--" + name
		if len(name) == 1 {
			out[i] = "-" + name
		}
	}
	return out
}

// bashCompletion offers commands and flags by the words before the cursor; a
// flag's value and other words are completed as file names.
func bashCompletion(all []completed) string {
	var b strings.Builder
	b.WriteString("# completion of patchbay for bash\n_patchbay() {\n  local cur=${COMP_WORDS[COMP_CWORD]} path= word i\n")
	b.WriteString("  for ((i = 1; i < COMP_CWORD; i++)); do\n    word=${COMP_WORDS[i]}\n    case \"$path/$word\" in\n")
	for _, c := range all[1:] {
		above, name := cutLast(c.path)
		fmt.Fprintf(&b, "      '%s/%s') path='%s' ;;\n", above, name, c.path)
	}
	b.WriteString("    esac\n  done\n  case $path in\n")
	for _, c := range all {
		fmt.Fprintf(&b, "    '%s') COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", c.path, strings.Join(append(names(c.words), c.flags...), " "))
	}
	b.WriteString("  esac\n}\ncomplete -o default -F _patchbay patchbay\n")
	return b.String()
}

func cutLast(path string) (above, name string) {
	if i := strings.LastIndexByte(path, ' '); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

func zshCompletion(all []completed) string {
	var b strings.Builder
	b.WriteString("#compdef patchbay\n# completion of patchbay for zsh\n_patchbay() {\n  local where= word\n")
	b.WriteString("  for word in ${words[2,CURRENT-1]}; do\n    case \"$where/$word\" in\n")
	for _, c := range all[1:] {
		above, name := cutLast(c.path)
		fmt.Fprintf(&b, "      '%s/%s') where='%s' ;;\n", above, name, c.path)
	}
	b.WriteString("    esac\n  done\n  local -a offered\n  case $where in\n")
	for _, c := range all {
		fmt.Fprintf(&b, "    '%s') offered=(", c.path)
		for _, w := range c.words {
			fmt.Fprintf(&b, " '%s:%s'", w.name, singleQuoted(w.summary))
		}
		for _, f := range c.flags {
			fmt.Fprintf(&b, " '%s'", f)
		}
		b.WriteString(" ) ;;\n")
	}
	b.WriteString("  esac\n  _describe 'patchbay' offered || _files\n}\nif [ \"$funcstack[1]\" = _patchbay ]; then _patchbay \"$@\"; else compdef _patchbay patchbay; fi\n")
	return b.String()
}

func fishCompletion(all []completed) string {
	var b strings.Builder
	b.WriteString("# completion of patchbay for fish\ncomplete -c patchbay -n __fish_use_subcommand -f\n")
	for _, c := range all {
		condition := fishCondition(c)
		for _, w := range c.words {
			fmt.Fprintf(&b, "complete -c patchbay -n '%s' -f -a %s -d '%s'\n", condition, w.name, singleQuoted(w.summary))
		}
		for _, f := range c.flags {
			kind := "-l " + strings.TrimPrefix(f, "--")
			if !strings.HasPrefix(f, "--") {
				kind = "-s " + f[1:]
			}
			fmt.Fprintf(&b, "complete -c patchbay -n '%s' %s\n", condition, kind)
		}
	}
	return b.String()
}

// fishCondition holds while the words so far lead to the command.
func fishCondition(c completed) string {
	if c.path == "" {
		return "__fish_use_subcommand"
	}
	var parts []string
	for word := range strings.FieldsSeq(c.path) {
		parts = append(parts, "__fish_seen_subcommand_from "+word)
	}
	if len(c.words) > 0 {
		parts = append(parts, "not __fish_seen_subcommand_from "+strings.Join(names(c.words), " "))
	}
	return strings.Join(parts, "; and ")
}

// singleQuoted makes text fit between single quotes.
func singleQuoted(s string) string { return strings.ReplaceAll(s, "'", "’") }
