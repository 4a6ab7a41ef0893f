package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/export"
	"patchbay/client/quantity"
	"patchbay/client/records"
)

// run is the records of one page or of several on their way to a writer.
type run struct {
	x *execution
	// start is the first operation to send.
	start client.Operation
	to    *answer.PageWriter
	pages *answer.Run
	p     *progress
	// answer is the first page's, for the history.
	answer *client.Envelope
	// unwritten is set when a page came and could not be written.
	unwritten bool
}

// records prints records, of one page or of several.
func (x *execution) records(ctx context.Context) error {
	format, err := export.ParseFormat(strings.Replace(x.format, formatRecords, export.JSON.String(), 1))
	if err != nil {
		return client.Invalid("%v", err)
	}
	x.s.Look(ctx, x.target) // columns and pages are read by what the catalog says of the kind
	encode := func(w io.Writer) error {
		return answer.WriteTo(w, format, x.optionsOf(format), func(p *answer.PageWriter) error {
			return (&run{x: x, start: x.op, to: p}).pull(ctx)
		})
	}
	if x.out == "" {
		return x.a.data(encode)
	}
	if x.paged && regular(x.out) {
		return x.resumable(ctx, format)
	}
	return export.ToFile(x.out, encode)
}

// regular reports whether path is, or can become, an ordinary file: nothing else is continued.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

// longestParams is how much of params is worth a line in a report.
const longestParams = 500

// pull fetches pages and hands their records on.
func (r *run) pull(ctx context.Context) error {
	x, now := r.x, r.x.a.Now()
	r.pages = answer.NewRun(x.entity, x.action)
	r.p = &progress{a: x.a, on: x.paged, place: isTerminal(x.a.stderr), started: now, told: now}
	f := &answer.Fetcher{Ask: r.ask, Run: r.pages, Start: r.start, DropBodies: true, Now: x.a.Now, OnPage: r.page,
		Progress: r.p.tell, Before: r.to.Have}
	limits := answer.Limits{Until: x.condition}
	switch {
	case !x.paged:
		limits.Pages = 1
	case x.max > 0:
		if limits.Rows = x.max - r.to.Have; limits.Rows <= 0 {
			return nil
		}
	}
	before := r.to.Have
	outcome, err := f.Fetch(ctx, limits)
	r.p.end(err)
	x.record(r.answer, err, r.to.Have-before, outcome.Pages > 1)
	x.learnFrom(ctx, r.answer)
	told := answer.Tell(r.pages.Verdicts())
	for _, one := range told { // what is odd about the paging; the error says what stopped it
		if x.paged && (outcome.Stop != answer.StopVerdict || one.Text != outcome.Why) {
			x.a.say("Paging: %s.", strings.TrimSuffix(one.Sentence(), "."))
		}
	}
	if err == nil {
		return r.ended(outcome, answer.SaysMore(told))
	}
	switch next := outcome.Next; { // how the page that failed is asked for, so that a person can continue there
	case !x.paged || r.unwritten || next.State != answer.More:
	case next.Param != "" && len(next.Op.Params) <= longestParams:
		x.a.say(`The page that did not come is asked for with "params": %s.`, next.Op.Params)
	default:
		x.a.say("The page that did not come: %s.", next.Text())
	}
	return err
}

// ask sends one operation.
func (r *run) ask(ctx context.Context, op client.Operation) (*client.Envelope, error) {
	env, err := r.x.s.Execute(ctx, r.x.target, op)
	if r.answer == nil {
		r.answer = env
	}
	if err != nil {
		return nil, err
	}
	r.x.warn(env)
	if r.x.entity == nil && r.x.learn(ctx) {
		r.pages.Describe(r.x.entity, r.x.action)
	}
	return env, nil
}

// page writes the first rows of a page.
func (r *run) page(p answer.Entry, take int) error {
	if r.to.Have == 0 && r.p.pages == 0 && p.Rows == 0 && p.Env.Records.Empty() {
		r.x.a.say("The answer holds no records; --format body shows it as it came.")
	}
	if err := r.to.Page(p, take); err != nil {
		r.unwritten = true
		return err
	}
	r.p.pages++
	r.p.records = r.to.Have
	return nil
}

// ended says what is left unfetched, and why; it fails where what was asked for
// is known to be incomplete.
func (r *run) ended(o answer.Outcome, saysMore bool) error {
	why := strings.TrimSuffix(o.Why, ".")
	switch {
	case o.Stop == answer.StopVerdict, r.x.paged && o.Stop == answer.StopUnknown && saysMore:
		r.to.Blocked = answer.NoEnd
		remedy, a := "Tell the owner of the service.", r.x.action
		if r.x.target.Local {
			remedy = "Compare it with the third party's documentation."
		} else if a != nil && a.Page != nil && a.Page.Meta == "" && a.Page.Style == "token" {
			remedy = "The service is known not to pass this value on: ask for less."
			if r.x.entity.Action(catalog.ActionContextStoreSearch) != nil {
				remedy = "The service is known not to pass this value on: ask for less, or use context_store_search."
			}
		}
		e := client.Failf(client.ClassBadResponse, "the pages cannot be followed to their end: %s", why).
			Advise("What came so far is kept. %s", remedy)
		e.Layer = client.LayerHosted
		if r.x.target.Local {
			e.Layer = client.LayerThirdParty
		}
		return e
	case o.Stop == answer.StopCondition:
		r.x.a.say("Record %d of page %d meets the condition; %s.", o.Met+1, r.p.pages, o.Next.Text())
	case r.x.until != "" && o.Stop == answer.StopEnd:
		r.x.a.say("No page meets the condition; all of them are here.")
	case r.x.paged && o.Stop == answer.StopUnknown:
		r.x.a.say("There may be more than these %d records: %s.", r.to.Have, why)
	case !r.x.paged && o.Next.State == answer.More:
		r.x.a.say("There are more pages; --all fetches them.")
	}
	return nil
}

// optionsOf says what a new file is written with; csv and markdown take their
// columns from the flag, or from the catalog and the first page.
func (x *execution) optionsOf(format export.Format) answer.OptionsOf {
	return func(first *client.Envelope) (o export.Options, err error) {
		switch {
		case x.columns != "":
			o.Columns, err = x.askedColumns()
		case format.Tabular():
			set := &records.Set{}
			set.AddEnvelope(first)
			all := records.Columns(set, x.described())
			// Objects whose members have columns of their own get none.
			o.Columns = slices.DeleteFunc(slices.Clone(all), func(c records.Column) bool {
				inside := func(in records.Column) bool { return strings.HasPrefix(in.Name, c.Name+".") }
				return slices.ContainsFunc(all, inside)
			})
			if len(o.Columns) > 0 {
				break
			}
			// Without a single record and with an entity that nobody described, some
			// column is needed to have a header at all.
			var c records.Column
			c, err = records.FromPath("value")
			o.Columns = []records.Column{c}
		}
		return o, err
	}
}

// askedColumns are those of --columns.
func (x *execution) askedColumns() ([]records.Column, error) {
	known := records.Columns(&records.Set{}, x.described())
	out := []records.Column{}
	for _, name := range strings.Split(x.columns, ",") {
		c, err := records.Named(strings.TrimSpace(name), known)
		if err != nil {
			return nil, client.Invalid("--columns: %v", err)
		}
		out = append(out, c)
	}
	return out, nil
}

// described is what the catalog tells of the columns.
func (x *execution) described() records.ColumnOptions {
	if x.entity == nil {
		return records.ColumnOptions{}
	}
	return records.ColumnOptions{Fields: x.entity.RecordOf(x.action), Key: x.entity.Key}
}

// resumable writes to a file that a later run of the same command continues,
// or an export of the same call in the explorer.
func (x *execution) resumable(ctx context.Context, format export.Format) error {
	file := &answer.File{Path: x.out, Format: format, Call: answer.CallID(x.s.ServiceURL(), x.target, x.op),
		Options: x.optionsOf(format), Known: records.Columns(&records.Set{}, x.described()), Max: x.max}
	if x.until != "" {
		// It is another run than one to the last page: what is there already may meet the condition.
		file.Call += " until " + x.until
	}
	if x.columns != "" {
		columns, err := x.askedColumns()
		if err != nil {
			return err
		}
		file.Columns = texts(columns, func(c records.Column) string { return c.Name })
	}
	blocked := false // the pages turned out not to lead to an end
	kept, err := file.Write(x.op, func(start client.Operation, p *answer.PageWriter) error {
		switch {
		case p.Dropped > 0:
			x.a.say("Continuing after %s of an earlier run; %s behind them in %s went away.",
				quantity.Plain(p.Have, "record"), quantity.Plain(int(p.Dropped), "byte"), export.Part(x.out))
		case p.Have > 0:
			x.a.say("Continuing after %s of an earlier run.", quantity.Plain(p.Have, "record"))
		}
		err := (&run{x: x, start: start, to: p}).pull(ctx)
		blocked = p.Blocked != ""
		return err
	})
	part := export.Part(x.out)
	if kept > 0 { // what is left of a file that is not whole, and how it becomes whole
		said := part + " holds " + quantity.Plain(kept, "record")
		if lacks := format.Unended(); lacks != "" {
			said += ", " + lacks
		}
		if !blocked {
			said += "; the same command continues from there"
		}
		x.a.say("%s.", said)
	}
	return inTheWay(x.out, err)
}

// inTheWay says how to get rid of an unfinished file that cannot be continued.
func inTheWay(path string, err error) error {
	var conflict *export.Conflict
	switch {
	case errors.Is(err, export.ErrBusy):
		return client.Failf(client.ClassRefused, "%s cannot be written: %v", path, err).
			Advise("Wait until it is done, or write to another file.")
	case errors.As(err, &conflict):
		return client.Failf(client.ClassRefused, "%s cannot be written: %v", path, err).
			Advise("Remove or rename %s to start anew, or write to another file.", export.Part(path))
	}
	return err
}
