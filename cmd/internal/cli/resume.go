package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/pull"
	"patchbay/client/records"
)

// resumable writes to a file that a later run of the same command goes on with,
// or an export of the same call in the explorer.
func (x *execution) resumable(ctx context.Context, format export.Format) error {
	file, err := x.file(format)
	if err != nil {
		return err
	}
	kept, err := file.Write(x.op, func(start client.Operation, p *pull.Pages) error {
		switch {
		case p.Dropped > 0:
			x.a.say("Going on after %s of an earlier run; %s behind them in %s went away.", count(p.Have, "record"), count(int(p.Dropped), "byte"), export.Part(x.out))
		case p.Have > 0:
			x.a.say("Going on after %s of an earlier run.", count(p.Have, "record"))
		}
		r := &run{x: x, start: start, to: p}
		err := r.pull(ctx)
		x.blocked = p.Blocked != ""
		return err
	})
	if kept > 0 {
		x.a.say("%s", x.keptText(format, kept))
	}
	return inTheWay(x.out, err)
}

// file is where the records go. A run that ends at a condition is another one
// than a run to the last page: what is there already may meet it.
func (x *execution) file(format export.Format) (*pull.File, error) {
	file := &pull.File{Path: x.out, Format: format, Call: pull.CallID(x.s.serviceURL(), x.target, x.op), Options: x.optionsOf(format), Known: x.knownColumns(), Max: x.max}
	if x.condition != "" {
		file.Call += " until " + x.condition
	}
	if x.columns == nil {
		return file, nil
	}
	columns, err := x.askedColumns()
	for i := range columns {
		file.Columns = append(file.Columns, columns[i].Name)
	}
	return file, err
}

// knownColumns are those that the catalog tells of.
func (x *execution) knownColumns() []records.Column {
	if x.entity == nil {
		return nil
	}
	return records.Columns(&records.Set{}, records.ColumnOptions{Fields: x.recordFields(), Key: x.entity.Key})
}

// keptText says what is left of a file that is not whole, and how it becomes whole.
func (x *execution) keptText(format export.Format, kept int) string {
	var b strings.Builder
	b.WriteString(export.Part(x.out) + " holds " + count(kept, "record"))
	if format == export.JSON {
		b.WriteString(", an array without its end")
	}
	if !x.blocked {
		b.WriteString("; the same command goes on from there")
	}
	return b.String() + "."
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// inTheWay says how to get rid of an unfinished file that cannot be gone on with.
func inTheWay(path string, err error) error {
	var c *export.Conflict
	switch {
	case errors.Is(err, export.ErrBusy):
		return fail(client.ClassRefused, "%s cannot be written: %v", path, err).next("Wait until it is done, or write to another file.")
	case errors.As(err, &c):
		return fail(client.ClassRefused, "%s cannot be written: %v", path, err).
			next("Remove or rename %s to start anew, or write to another file.", export.Part(path))
	}
	return err
}

// regular tells whether path is, or can become, an ordinary file.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}
