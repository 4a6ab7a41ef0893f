package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"

	"patchbay/client"
	"patchbay/client/export"
)

// resumable writes to a file that a later run of the same command goes on with.
func (x *execution) resumable(ctx context.Context, format export.Format) error {
	cp, start, err := x.checkpoint()
	if err != nil {
		return err
	}
	var file *export.Resumable
	r := &run{x: x, start: start, have: cp.Records, save: func(next json.RawMessage) error { return file.Save(next) }}
	r.open = func(first *client.Envelope) (recordWriter, error) {
		o, err := x.options(format, first, cp.Columns)
		if err == nil {
			file, err = export.Resume(x.out, format, x.callID(), o)
		}
		return file, resumeError(x.out, err)
	}
	if cp.Records > 0 {
		x.a.say("Going on after %d records of an earlier run.", cp.Records)
		if r.w, err = r.open(nil); err != nil {
			return err
		}
	}
	err = r.pull(ctx)
	switch {
	case file == nil:
		return err
	case err != nil:
		x.a.say("What came is in %s.part; the same command goes on from there.", x.out)
		return errors.Join(err, file.Stop())
	}
	return file.Finish()
}

// checkpoint returns how far an earlier run of this call came, and the
// operation to go on with.
func (x *execution) checkpoint() (export.Checkpoint, client.Operation, error) {
	cp, err := export.ReadCheckpoint(x.out)
	if err != nil {
		return export.Checkpoint{}, x.op, resumeError(x.out, err)
	}
	if cp == nil || cp.Call != x.callID() || len(cp.Next) == 0 || cp.Records == 0 {
		return export.Checkpoint{}, x.op, nil
	}
	op := x.op
	op.Params = nil
	if err := json.Unmarshal(cp.Next, &op); err != nil {
		return *cp, x.op, resumeError(x.out, err)
	}
	return *cp, op, nil
}

// resumeError says how to get rid of an unfinished file that is in the way.
func resumeError(path string, err error) error {
	if err == nil {
		return nil
	}
	if !errors.Is(err, export.ErrOtherCall) {
		return err
	}
	return fail(client.ClassRefused, "%s cannot be written: %v", path, err).
		next("Remove %s.part and %s.part.json to start anew, or write to another file.", path, path)
}

// callID tells calls apart without telling what they hold.
func (x *execution) callID() string {
	text, err := json.Marshal([]any{x.target, x.op, x.format, x.columns})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// regular tells whether path is, or can become, an ordinary file.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}
