package cli

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"patchbay/client"
	"patchbay/client/session"
	"patchbay/ui/text"
)

func TestFlagsMayFollowPositionals(t *testing.T) {
	for _, c := range []struct {
		args, positional string
		max              int
	}{
		{"a b", "a b", 0},
		{"--max 3 a b", "a b", 3},
		{"a --max 3 b", "a b", 3},
		{"a b --max=3", "a b", 3},
		{"a b -max=3", "a b", 3},
		{"-max 3 a", "a", 3},
		{"a -- --max 3", "a --max 3", 0},
		{"a -- -max 3", "a -max 3", 0},
		{"- --max 3", "-", 3},
		{"-- a", "a", 0},
	} {
		var got []string
		root := &cobra.Command{Use: "x", RunE: func(_ *cobra.Command, args []string) error { got = args; return nil },
			Args: between(0, -1)}
		limit := root.Flags().Int("max", 0, "")
		root.SetArgs(spelled(root, strings.Fields(c.args)))
		if err := root.Execute(); err != nil || strings.Join(got, " ") != c.positional || *limit != c.max {
			t.Errorf("%q: %q, max %d, %v; want %q, max %d", c.args, got, *limit, err, c.positional, c.max)
		}
	}
}

// Flags may stand before the subcommand too.
func TestFlagsBeforeTheSubcommand(t *testing.T) {
	for _, args := range []string{"--sandbox workspaces list", "--profile sandbox workspaces list",
		"-profile=sandbox workspaces --json-errors list", "workspaces list --sandbox"} {
		var out, errs bytes.Buffer
		if code := Run(t.Context(), strings.Fields(args), nil, strings.NewReader(""), &out, &errs); code != 0 ||
			!strings.Contains(out.String(), "demo") {
			t.Errorf("%s: exit code %d, %s%s", args, code, &out, &errs)
		}
	}
}

// Every command can be explained within 80 columns and has a summary that reads as a sentence.
func TestCommandTable(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if !strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: the summary %q is no sentence", c.CommandPath(), c.Short)
		}
		var out bytes.Buffer
		if code := Run(t.Context(), append([]string{"help"}, strings.Fields(pathOf(c))...), nil, strings.NewReader(""),
			&out, &out); code != 0 {
			t.Errorf("help %s: exit code %d: %s", c.CommandPath(), code, out.String())
		}
		if !strings.Contains(out.String(), "Usage: "+c.CommandPath()) {
			t.Errorf("help %s: %s", c.CommandPath(), out.String())
		}
		for line := range strings.Lines(out.String()) {
			if text.Width(text.Sanitize(strings.TrimRight(line, "\n"))) > helpWidth {
				t.Errorf("help %s: too wide: %s", c.CommandPath(), line)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	root := newApp(nil, strings.NewReader(""), io.Discard, io.Discard).rootCommand(builders)
	for i, c := range root.Commands() {
		if c.Name() != builders[i].name {
			t.Errorf("%s is added as %s", c.Name(), builders[i].name)
		}
	}
	root.InitDefaultHelpCmd()
	walk(root)
}

// The values of flags may be secrets typed into the wrong place.
func TestFlagErrorsDoNotQuoteValues(t *testing.T) {
	for _, args := range [][]string{{"execute", "--max", typed}, {"catalog", "--format", typed},
		{"execute", "--all=" + typed}, {"--unknown=" + typed}, {"run", "x", "--var", typed}} {
		var out bytes.Buffer
		if code := Run(t.Context(), args, nil, strings.NewReader(""), &out, &out); code != 4 {
			t.Errorf("%q: exit code %d", args[0], code)
		}
		if strings.Contains(out.String(), typed) {
			t.Errorf("%q: %s", args[:len(args)-1], out.String())
		}
	}
}

func TestTableIsAlignedAndHarmless(t *testing.T) {
	var b bytes.Buffer
	err := writeTable(&b, []string{"NAME", "ID"}, [][]string{{"日本", "1"}, {"a\x1b[31mb\nc", "2"}, {"", "3"}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	if len(lines) != 4 || strings.Contains(b.String(), "\x1b") {
		t.Fatalf("%q", b.String())
	}
	if !strings.HasPrefix(lines[3], " ") || !strings.HasSuffix(lines[3], "3") {
		t.Errorf("an empty cell: %q", lines[3])
	}
}

func TestTerminalWriterShowsControlBytes(t *testing.T) {
	var b bytes.Buffer
	w := &terminalWriter{w: &b}
	for _, piece := range []string{"{\"a\":\"\x1b", "]0;x\x07\"}\nline \xe2\x80", "\xae end"} {
		if _, err := w.Write([]byte(piece)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if strings.ContainsAny(got, "\x1b\x07\u202e") || strings.Count(got, "\n") != 1 || !strings.Contains(got, "end") {
		t.Errorf("%q", got)
	}
}

func FuzzTerminalWriter(f *testing.F) {
	f.Add([]byte("a\x1b[0mb\r\nc"), 3)
	f.Add([]byte("\xe2\x80\xae\xff\x00"), 1)
	f.Fuzz(func(t *testing.T, data []byte, step int) {
		var b bytes.Buffer
		w := &terminalWriter{w: &b}
		step = max(1, min(step, 1<<10))
		for from := 0; from < len(data); from += step {
			if n, err := w.Write(data[from:min(from+step, len(data))]); err != nil || n == 0 {
				t.Fatalf("write: %d, %v", n, err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		if !utf8.ValidString(out) {
			t.Errorf("not UTF-8: %q", out)
		}
		for _, r := range out {
			if r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e {
				t.Errorf("%q lets %U through", data, r)
			}
		}
	})
}

func TestParseRequest(t *testing.T) {
	r, err := parseRequest([]byte(` {"workspace_name":"w","connector_id":"i","entity":"e","action":"a",`+
		`"params":{"b":1.10,"a":null},"select_fields":["x"]} `), true, executeFields)
	if err != nil {
		t.Fatal(err)
	}
	want := request{Ref: session.Ref{Workspace: "w", ID: "i"}, Operation: client.Operation{Entity: "e", Action: "a",
		Params: []byte(`{"b":1.10,"a":null}`), SelectFields: []string{"x"}}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, want %+v", r, want)
	}
}

func FuzzParseRequest(f *testing.F) {
	for _, seed := range []string{`{}`, `{"params":{}}`, `{"name":"x","params":null}`, `{"name":1}`, `[1]`, `{"a`,
		"\xef\xbb\xbf{}", `{"select_fields":["a"]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := parseRequest(raw, true, executeFields)
		if err != nil {
			if code := client.ExitCode(err); code != 4 {
				t.Errorf("exit code %d: %v", code, err)
			}
			return
		}
		if p := r.Operation.Params; len(p) > 0 && p[0] != '{' {
			t.Errorf("params %q", p)
		}
	})
}

func TestChoiceTakesOnlyItsWords(t *testing.T) {
	got := choose(&cobra.Command{}, "format", "table", "", "table", "json")
	if *got != "table" {
		t.Errorf("default %q", *got)
	}
	c := choice{got, []string{"table", "json"}}
	if c.Set("JSON") != nil || *got != "json" || c.Set("xml") == nil || *got != "json" {
		t.Errorf("%q", *got)
	}
}

func TestOnlyNeededCommandsAreMade(t *testing.T) {
	for line, want := range map[string]int{
		"": 0, "--sandbox": 0, "version": 1, "--sandbox connectors list": 1, "nonsense": len(builders),
		"help version": len(builders), "--help": len(builders), "__complete ver": len(builders),
	} {
		if got := len(needed(strings.Fields(line))); got != want {
			t.Errorf("%q needs %d commands, want %d", line, got, want)
		}
	}
}
