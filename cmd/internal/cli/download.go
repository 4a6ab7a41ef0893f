package cli

import (
	"context"
	"errors"
	"io"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/download"
	"patchbay/client/export"
	"patchbay/client/quantity"
)

// download streams a file to where it belongs.
func (x *execution) download(ctx context.Context) error {
	switch {
	case x.out == "" && x.a.onTerminal():
		return client.Failf(client.ClassRefused, "a file does not belong on a terminal").
			Advise("Name one with -o FILE, or send the output to a program.")
	case x.out == "":
		env, err := x.s.Download(ctx, x.target, x.op, x.a.stdout)
		x.record(env, err, 0, true)
		return err
	case !regular(x.out):
		return x.streamTo(ctx)
	}
	return inTheWay(x.out, x.resumeDownload(ctx))
}

// streamTo writes a file to what is none: a pipe, a device.
func (x *execution) streamTo(ctx context.Context) error {
	return export.ToFile(x.out, func(w io.Writer) error {
		env, err := x.s.Download(ctx, x.target, x.op, w)
		x.record(env, err, 0, true)
		x.warn(env)
		return err
	})
}

// resumeDownload writes to a file that a later run of the same command continues, and
// continues that of an earlier one.
func (x *execution) resumeDownload(ctx context.Context) error {
	call := answer.CallID(x.s.ServiceURL(), x.target, x.op)
	part, head, err := export.OpenPartial(x.out, call)
	if err != nil {
		return err
	}
	f := &download.File{Store: part, Head: head, Strict: true}
	if had := part.Size(); had > 0 {
		x.a.say("%s of an earlier run are there.", quantity.Size(had))
	}
	env, err := f.Fetch(ctx, x.s, x.target, x.op)
	x.record(env, err, 0, true)
	x.warn(env)
	for _, note := range f.Notes {
		x.a.say("Note: %s.", note)
	}
	size := part.Size()
	if err == nil {
		if err = part.Finish(); err == nil {
			x.a.say("%s: %d bytes", x.out, size)
		}
		return err
	}
	if size > 0 && head.Validator() == "" && f.Head.Validator() == "" {
		x.a.say("%s came. The server says nothing by which the file could be known again, so that the same command "+
			"begins anew.", quantity.Size(size))
	} else if size > 0 {
		x.a.say("%s are in %s. The same command fetches the rest.", quantity.Size(size), export.Part(x.out))
	}
	return errors.Join(err, part.Stop())
}
