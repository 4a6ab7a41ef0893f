package cli

import (
	"context"
	"errors"
	"os"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/pull"
)

// resumable writes to a file that a later run of the same command goes on with.
func (x *execution) resumable(ctx context.Context, format export.Format) error {
	file := pull.File{Path: x.out, Format: format, Call: pull.CallID(x.target, x.op, x.format, x.columns), Options: x.optionsOf(format)}
	kept, err := file.Write(x.op, func(start client.Operation, p *pull.Pages) error {
		if p.Have > 0 {
			x.a.say("Going on after %d records of an earlier run.", p.Have)
		}
		r := &run{x: x, start: start, to: p}
		return r.pull(ctx)
	})
	if kept {
		x.a.say("What came is in %s.part; the same command goes on from there.", x.out)
	}
	return resumeError(x.out, err)
}

// resumeError says how to get rid of an unfinished file that is in the way.
func resumeError(path string, err error) error {
	if !errors.Is(err, export.ErrOtherCall) {
		return err
	}
	return fail(client.ClassRefused, "%s cannot be written: %v", path, err).
		next("Remove %s.part and %s.part.json to start anew, or write to another file.", path, path)
}

// regular tells whether path is, or can become, an ordinary file.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}
