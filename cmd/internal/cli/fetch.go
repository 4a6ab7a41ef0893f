package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/pages"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// recordWriter takes records one after another.
type recordWriter interface {
	Record(n rawjson.Node, names client.Names) error
}

// fetched is one page with what follows it.
type fetched struct {
	env  *client.Envelope
	recs *rawjson.Index
	next pages.Next
}

// fetch asks for one page.
func (x *execution) fetch(ctx context.Context, op client.Operation) (*fetched, error) {
	env, err := x.exec.Execute(ctx, x.target, op)
	if err != nil {
		return nil, err
	}
	x.warn(env)
	f := &fetched{env: env, recs: records.IndexEnvelope(env)}
	f.next = pages.Following(x.action, op, env, f.recs)
	return f, nil
}

// records prints records, of one page or of several.
func (x *execution) records(ctx context.Context) error {
	format, err := export.ParseFormat(strings.Replace(x.format, "records", "json", 1))
	if err != nil {
		return usage("%v", err)
	}
	if x.paged && x.out != "" && (format == export.NDJSON || format == export.CSV) && regular(x.out) {
		return x.resumable(ctx, format)
	}
	first, err := x.fetch(ctx, x.op)
	if err != nil {
		return err
	}
	if first.recs.Len() == 0 && first.env.Records.Empty() {
		x.a.say("The answer holds no records; --format body shows it as it came.")
	}
	o, err := x.options(format, first, nil)
	if err != nil {
		return err
	}
	if x.out != "" {
		return x.toFile(ctx, format, o, first)
	}
	w := x.a.dataOut()
	err = x.encode(ctx, w, format, o, first)
	return errors.Join(err, flush(w))
}

// toFile writes the records to a file that appears when all is well, or when
// the person stopped it: what came is kept then.
func (x *execution) toFile(ctx context.Context, format export.Format, o export.Options, first *fetched) error {
	var stopped error
	err := export.ToFile(x.out, func(w io.Writer) error {
		err := x.encode(ctx, w, format, o, first)
		if err != nil && client.AsError(err).Class == client.ClassCanceled {
			stopped, err = err, nil
		}
		return err
	})
	return errors.Join(err, stopped)
}

// encode writes records to w. What it began is ended in order even when a page
// in the middle fails, so that what came can be read.
func (x *execution) encode(ctx context.Context, w io.Writer, format export.Format, o export.Options, first *fetched) error {
	enc, err := export.NewEncoder(w, format, o)
	if err != nil {
		return err
	}
	p := x.a.newProgress(x.paged)
	err = x.follow(ctx, first, enc, 0, p, func(json.RawMessage) error { return enc.Flush() })
	if closed := enc.Close(); err == nil {
		err = closed
	}
	p.end(err)
	return err
}

// resumable writes to a file that a later run of the same command goes on with.
func (x *execution) resumable(ctx context.Context, format export.Format) error {
	op, columns, err := x.checkpoint()
	if err != nil {
		return err
	}
	first, err := x.fetch(ctx, op)
	if err != nil {
		return err
	}
	o, err := x.options(format, first, columns)
	if err != nil {
		return err
	}
	r, err := export.Resume(x.out, format, x.callID(), o)
	if err != nil {
		return resumeError(x.out, err)
	}
	if n := r.Start().Records; n > 0 {
		x.a.say("Going on after %d records of an earlier run.", n)
	}
	p := x.a.newProgress(true)
	err = x.follow(ctx, first, r, r.Start().Records, p, r.Save)
	p.end(err)
	if err != nil {
		x.a.say("What came is in %s.part; the same command goes on from there.", x.out)
		return errors.Join(err, r.Stop())
	}
	return r.Finish()
}

// checkpoint returns the operation to go on with, and the columns of the
// unfinished file.
func (x *execution) checkpoint() (client.Operation, []string, error) {
	cp, err := export.ReadCheckpoint(x.out)
	if err != nil || cp == nil || cp.Call != x.callID() || len(cp.Next) == 0 {
		return x.op, nil, err
	}
	var op client.Operation
	if err := json.Unmarshal(cp.Next, &op); err != nil {
		return x.op, nil, resumeError(x.out, err)
	}
	return op, cp.Columns, nil
}

func resumeError(path string, err error) error {
	return fail(client.ClassRefused, "%s cannot be gone on with: %v", path, err).
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

// follow hands the records of a page and of those after it to w; have is how
// many there are already. save is told after each page what comes next.
func (x *execution) follow(ctx context.Context, f *fetched, w recordWriter, have int, p *progress, save func(json.RawMessage) error) error {
	seen := map[string]bool{string(x.op.Params) + x.op.NextURL: true}
	for {
		n, err := x.page(f, w, have)
		if have += n; err != nil {
			return err
		}
		p.page(have)
		if !x.paged || f.next.State != pages.More || x.max > 0 && have >= x.max {
			x.ended(f, have)
			return nil
		}
		next, err := json.Marshal(f.next.Op)
		if err == nil {
			err = save(next)
		}
		if err != nil {
			return err
		}
		key := string(f.next.Op.Params) + f.next.Op.NextURL
		if seen[key] {
			return loop(f)
		}
		seen[key] = true
		if f, err = x.fetch(ctx, f.next.Op); err != nil {
			return err
		}
	}
}

// page writes the records of one page, no more than are wanted.
func (x *execution) page(f *fetched, w recordWriter, have int) (int, error) {
	n := f.recs.Len()
	if x.max > 0 {
		n = min(n, x.max-have)
	}
	for i := range n {
		if err := w.Record(f.recs.Record(i), f.env.Names); err != nil {
			return i, err
		}
	}
	return n, nil
}

// ended says what is left unfetched, and why.
func (x *execution) ended(f *fetched, have int) {
	switch {
	case x.paged && f.next.State == pages.Unknown:
		x.a.say("There may be more than these %d records: %s.", have, strings.TrimSuffix(f.next.Why, "."))
	case !x.paged && f.next.State == pages.More:
		x.a.say("There are more pages; --all fetches them.")
	}
}

// loop is the error of a server whose pages never end.
func loop(f *fetched) error {
	e := fail(client.ClassBadResponse, "the paging goes round in circles: %s", f.next.Text()).
		next("What came so far is kept. Tell the owner of the service.")
	e.cause.Layer = client.LayerHosted
	return e
}

// options says what is written; csv and markdown take their columns from the
// flag, an unfinished file, or the catalog and the first page.
func (x *execution) options(format export.Format, first *fetched, columns []string) (export.Options, error) {
	if x.columns != nil {
		columns = x.columns
	}
	var o export.Options
	for _, path := range columns {
		c, err := records.FromPath(strings.TrimSpace(path))
		if err != nil {
			return o, usage("--columns: %v", err)
		}
		o.Columns = append(o.Columns, c)
	}
	if columns != nil || !format.Tabular() {
		return o, nil
	}
	set := &records.Set{}
	set.AddEnvelope(first.env)
	known := records.ColumnOptions{}
	if x.entity != nil {
		known.Fields, known.Key = x.recordFields(), x.entity.Key
	}
	o.Columns = leaves(records.Columns(set, known))
	if len(o.Columns) == 0 {
		c, err := records.FromPath("value")
		o.Columns = []records.Column{c}
		return o, err
	}
	return o, nil
}

func (x *execution) recordFields() []catalog.Field { return x.entity.RecordOf(x.action) }

// leaves are columns without the objects whose members have columns of their own.
func leaves(columns []records.Column) []records.Column {
	var out []records.Column
	for _, c := range columns {
		inside := func(other records.Column) bool { return strings.HasPrefix(other.Name, c.Name+".") }
		if !slices.ContainsFunc(columns, inside) {
			out = append(out, c)
		}
	}
	return out
}
