package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/quantity"
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

// table is the listing of a list; as makes what JSON shows of one, and its cells.
func table[T, V any](head []string, list []T, empty string, as func(T) (V, []string)) listing {
	l, values := listing{head: head, empty: empty}, []V{}
	for _, one := range list {
		value, cells := as(one)
		values, l.rows = append(values, value), append(l.rows, cells)
	}
	l.value = values
	return l
}

// texts takes a text of each.
func texts[T any](list []T, of func(T) string) (out []string) {
	for _, one := range list {
		out = append(out, of(one))
	}
	return out
}

// listFormat declares --format of listings.
func listFormat(c *cobra.Command) *string {
	return choose(c, "format", "", "how to print (a table on a terminal, else json)", "table", "json")
}

// print writes a listing in a format; empty means a table on a terminal and
// JSON otherwise.
func (a *app) print(l listing, format string) error {
	if len(l.rows) == 0 && l.empty != "" {
		a.say("%s", l.empty)
	}
	if format == "json" || format == "" && !a.onTerminal() {
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
	all := append([][]string{head}, rows...)
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], text.Width(text.Sanitize(cell)))
		}
	}
	for _, row := range all {
		var line text.Safe
		for i, cell := range row {
			line += text.Pad(text.Sanitize(cell), widths[i]) + "  "
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(string(line), " ")); err != nil {
			return err
		}
	}
	return nil
}

// say prints a line of words to stderr; control characters in it are shown.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.stderr, shown(a.Redactor.Text(fmt.Sprintf(format, args...))))
}

// tellWait says why a command takes longer: something is asked for once more.
func (a *app) tellWait(e client.Event) {
	if e.Kind == client.EventRetry {
		what := map[bool]string{true: " to get a token"}[e.Purpose == client.PurposeToken]
		a.say("Waiting %s to try again%s: %s.", e.Wait.Round(10*time.Millisecond), what,
			strings.TrimSuffix(e.Reason, "."))
	}
}

// shown makes text from outside safe for a terminal; line breaks stay.
func shown(s string) string { return string(text.Join(text.Lines(s), "\n")) }

// data puts out what write writes: as it is, but harmless on a terminal.
func (a *app) data(write func(io.Writer) error) error {
	if !a.onTerminal() {
		return write(a.stdout)
	}
	t := &terminalWriter{w: a.stdout}
	return errors.Join(write(t), t.Flush())
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

// progress tells on stderr how far a run of pages has come: in place on a
// terminal, whose own progress report it sets too, else once every few seconds;
// and at the end.
type progress struct {
	a       *app
	on      bool
	place   bool // the line is written again in place
	pages   int
	records int
	started time.Time
	told    time.Time
	// report is what the terminal's own progress report was set to.
	report string
}

// progressPause is how long is waited between two lines in a log.
const progressPause = 5 * time.Second

// The terminal's own progress report: a share, one that is not known, none.
const (
	barShare   = "\x1b]9;4;1;%d\x07"
	barUnknown = "\x1b]9;4;3\x07"
	barNone    = "\x1b]9;4;0\x07"
)

// tell says how far the run is, after a page was counted.
func (p *progress) tell(far answer.Progress) {
	now := p.a.Now()
	switch {
	case !p.on:
	case p.place:
		report, set := barUnknown, ""
		if share, known := far.Share(); known {
			report = fmt.Sprintf(barShare, int(share*100))
		}
		if report != p.report {
			p.report, set = report, report
		}
		fmt.Fprintf(p.a.stderr, "\r%s%s\x1b[K", set, p.far(far))
	case now.Sub(p.told) >= progressPause:
		p.told = now
		p.a.say("%s", p.far(far))
	}
}

func (p *progress) text() string {
	return quantity.Plain(p.pages, "page") + ", " + quantity.Plain(p.records, "record")
}

// far is text with the rate, and with the whole and the rest where they are known.
func (p *progress) far(far answer.Progress) string {
	parts := []string{p.text()}
	if far.Total > 0 {
		parts[0] += fmt.Sprintf(" of %d", far.Total)
	}
	if far.RowsPerSecond > 0 {
		parts = append(parts, fmt.Sprintf("%.0f records/s", far.RowsPerSecond))
	}
	if far.Left > 0 {
		parts = append(parts, "about "+far.Left.Round(time.Second).String()+" left")
	}
	return strings.Join(parts, ", ")
}

// end tells the outcome.
func (p *progress) end(err error) {
	if p.report != "" {
		fmt.Fprint(p.a.stderr, barNone)
	}
	if !p.on || p.pages == 0 && err != nil {
		return
	}
	if p.place {
		fmt.Fprint(p.a.stderr, "\r\x1b[K")
	}
	word := ""
	if err != nil {
		word = " until it stopped"
	}
	p.a.say("%s in %s%s", p.text(), p.a.Now().Sub(p.started).Round(time.Millisecond), word)
}
