package cli

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"syscall"

	"patchbay/ui/text"
)

// errPipeClosed says that the reader of stdout has seen enough.
var errPipeClosed = errors.New("the reader of the output went away")

// pipeWriter tells a closed pipe apart from other failures.
type pipeWriter struct{ w io.Writer }

// Write implements io.Writer.
func (p pipeWriter) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		err = errPipeClosed
	}
	return n, err
}

// listing is a set of rows that is printed as a table or as JSON.
type listing struct {
	// head names the columns of the table.
	head []string
	rows [][]string
	// value is what JSON shows.
	value any
	// empty is said on stderr when there is no row.
	empty string
}

// listFormat declares --format of listings.
func listFormat(fs *flag.FlagSet) *string {
	return choose(fs, "format", "", "how to print (a table on a terminal, else json)", "table", "json")
}

// print writes a listing in a format; empty means a table on a terminal and
// JSON otherwise.
func (a *app) print(l listing, format string) error {
	if format == "" {
		format = "json"
		if a.onTerminal() {
			format = "table"
		}
	}
	if len(l.rows) == 0 && l.empty != "" {
		a.say("%s", l.empty)
	}
	if format == "json" {
		return a.printJSON(l.value)
	}
	return writeTable(a.stdout, l.head, l.rows)
}

// printJSON writes a value as indented JSON.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// writeTable aligns columns. Cells are untrusted and come out harmless.
func writeTable(w io.Writer, head []string, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	widths := make([]int, len(head))
	clean := [][]string{head}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = text.Sanitize(cell)
		}
		clean = append(clean, cells)
	}
	for _, row := range clean {
		for i, cell := range row {
			widths[i] = max(widths[i], text.Width(cell))
		}
	}
	for _, row := range clean {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(text.Spaces(widths[i] - text.Width(cell) + 2))
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// say prints a line of words to stderr; control characters in it are shown.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.stderr, shown(a.redactor.Text(fmt.Sprintf(format, args...))))
}

// shown makes text from outside safe for a terminal; line breaks stay.
func shown(s string) string { return strings.Join(text.Lines(s), "\n") }

// dataOut is where data goes: as it is, but harmless on a terminal.
func (a *app) dataOut() io.Writer {
	if a.onTerminal() {
		return &terminalWriter{w: a.stdout}
	}
	return a.stdout
}

// terminalWriter shows control characters of what is printed to a terminal. It
// holds back a line until it is whole, so that no sequence is cut in two.
type terminalWriter struct {
	w    io.Writer
	line []byte
}

// Write implements io.Writer.
func (t *terminalWriter) Write(p []byte) (int, error) {
	for i, c := range p {
		t.line = append(t.line, c)
		if c == '\n' || len(t.line) >= 1<<16 && (i+1 == len(p) || p[i+1]&0xc0 != 0x80) {
			if err := t.Flush(); err != nil {
				return i, err
			}
		}
	}
	return len(p), nil
}

// Flush prints what is held back.
func (t *terminalWriter) Flush() error {
	line := string(t.line)
	t.line = t.line[:0]
	if line == "" {
		return nil
	}
	_, err := io.WriteString(t.w, shown(line))
	return err
}

// flush ends what dataOut began.
func flush(w io.Writer) error {
	if t, ok := w.(*terminalWriter); ok {
		return t.Flush()
	}
	return nil
}
