package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/pages"
	"patchbay/client/pull"
	"patchbay/client/records"
)

// run is the records of one page or of several on their way to a writer.
type run struct {
	x *execution
	// start is the first operation to send.
	start client.Operation
	to    *pull.Pages
	p     *progress
	// answer is the first page's, for the history.
	answer *client.Envelope
	// unwritten is set when a page came and could not be written.
	unwritten bool
}

// records prints records, of one page or of several.
func (x *execution) records(ctx context.Context) error {
	format, err := export.ParseFormat(strings.Replace(x.format, "records", "json", 1))
	if err != nil {
		return usage("%v", err)
	}
	switch {
	case x.out != "" && x.paged && regular(x.out):
		return x.resumable(ctx, format)
	case x.out != "":
		return export.ToFile(x.out, func(w io.Writer) error { return x.encode(ctx, w, format) })
	}
	w := x.a.dataOut()
	err = x.encode(ctx, w, format)
	return errors.Join(err, flush(w))
}

// encode writes records to w.
func (x *execution) encode(ctx context.Context, w io.Writer, format export.Format) error {
	return pull.To(w, format, x.optionsOf(format), func(p *pull.Pages) error {
		r := &run{x: x, start: x.op, to: p}
		return r.pull(ctx)
	})
}

// pull fetches pages and hands their records on.
func (r *run) pull(ctx context.Context) error {
	x := r.x
	ledger := pages.NewLedger(x.entity, x.action)
	r.p = x.a.newProgress(x.paged)
	f := &pages.Fetcher{Ask: r.ask, Ledger: ledger, Start: r.start, DropBodies: true, Now: x.a.now, OnPage: r.page, Progress: r.p.tell, Before: r.to.Have}
	limits := pages.Limits{Until: x.until}
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
	told := pages.Tell(ledger.Verdicts())
	r.verdicts(told, outcome)
	if err != nil {
		r.unfetched(outcome)
		return err
	}
	return r.ended(outcome, pages.SaysMore(told))
}

// verdicts says what is odd about the paging; the error tells what stopped it.
func (r *run) verdicts(told []pages.Told, o pages.Outcome) {
	for _, one := range told {
		if r.x.paged && (o.Stop != pages.StopVerdict || one.Text != o.Why) {
			r.x.a.say("Paging: %s.", strings.TrimSuffix(one.Sentence(), "."))
		}
	}
}

// longestParams is how much of params is worth a line in a report.
const longestParams = 500

// unfetched says how the page that failed is asked for, so that a person can go on there.
func (r *run) unfetched(o pages.Outcome) {
	switch next := o.Next; {
	case !r.x.paged || r.unwritten || next.State != pages.More:
	case next.Param != "" && len(next.Op.Params) <= longestParams:
		r.x.a.say(`The page that did not come is asked for with "params": %s.`, next.Op.Params)
	default:
		r.x.a.say("The page that did not come: %s.", next.Text())
	}
}

// ask sends one operation.
func (r *run) ask(ctx context.Context, op client.Operation) (*client.Envelope, error) {
	env, err := r.x.exec.Execute(ctx, r.x.target, op)
	if r.answer == nil {
		r.answer = env
	}
	if err != nil {
		return nil, err
	}
	r.x.warn(env)
	return env, nil
}

// page writes the first rows of a page.
func (r *run) page(p pages.Page, take int) error {
	if r.to.Have == 0 && r.p.pages == 0 && p.Rows == 0 && p.Env.Records.Empty() {
		r.x.a.say("The answer holds no records; --format body shows it as it came.")
	}
	if err := r.to.Page(p, take); err != nil {
		r.unwritten = true
		return err
	}
	r.p.page(r.to.Have)
	return nil
}

// ended says what is left unfetched, and why; it fails where what was asked for
// is known to be incomplete.
func (r *run) ended(o pages.Outcome, saysMore bool) error {
	why := strings.TrimSuffix(o.Why, ".")
	switch {
	case o.Stop == pages.StopVerdict, r.x.paged && o.Stop == pages.StopUnknown && saysMore:
		r.to.Blocked = pull.NoEnd
		e := fail(client.ClassBadResponse, "the pages cannot be followed to their end: %s", why).
			next("What came so far is kept. %s", r.remedy())
		e.cause.Layer = client.LayerHosted
		if r.x.target.Local {
			e.cause.Layer = client.LayerThirdParty
		}
		return e
	case o.Stop == pages.StopCondition:
		r.x.a.say("Record %d of page %d meets the condition; %s.", o.Met+1, r.p.pages, o.Next.Text())
	case r.x.until != nil && o.Stop == pages.StopEnd:
		r.x.a.say("No page meets the condition; all of them are here.")
	case r.x.paged && o.Stop == pages.StopUnknown:
		r.x.a.say("There may be more than these %d records: %s.", r.to.Have, why)
	case !r.x.paged && o.Next.State == pages.More:
		r.x.a.say("There are more pages; --all fetches them.")
	}
	return nil
}

// optionsOf says what a new file is written with; csv and markdown take their
// columns from the flag, or from the catalog and the first page.
// remedy is what to do about pages that cannot be followed.
func (r *run) remedy() string {
	a := r.x.action
	switch {
	case r.x.target.Local || a == nil || a.Page == nil || a.Page.Meta != "" || a.Page.Style != "token":
		return "Tell the owner of the service."
	case r.x.entity.Action(catalog.ActionContextStoreSearch) != nil:
		return "The service is known not to pass this value on: ask for less, or use context_store_search."
	}
	return "The service is known not to pass this value on: ask for less."
}

func (x *execution) optionsOf(format export.Format) pull.Options {
	return func(first *client.Envelope) (o export.Options, err error) {
		switch {
		case x.columns != nil:
			o.Columns, err = x.askedColumns()
		case format.Tabular():
			o.Columns, err = x.columnsOf(first)
		}
		return o, err
	}
}

// askedColumns are those of --columns.
func (x *execution) askedColumns() ([]records.Column, error) {
	known := x.knownColumns()
	out := []records.Column{}
	for _, name := range x.columns {
		c, err := records.Named(strings.TrimSpace(name), known)
		if err != nil {
			return nil, usage("--columns: %v", err)
		}
		out = append(out, c)
	}
	return out, nil
}

func (x *execution) columnsOf(first *client.Envelope) ([]records.Column, error) {
	if columns := x.usualColumns(first); len(columns) > 0 {
		return columns, nil
	}
	// Without a single record and with an entity that nobody described, some
	// column is needed to have a header at all.
	c, err := records.FromPath("value")
	return []records.Column{c}, err
}

func (x *execution) usualColumns(first *client.Envelope) []records.Column {
	set := &records.Set{}
	set.AddEnvelope(first)
	known := records.ColumnOptions{}
	if x.entity != nil {
		known.Fields, known.Key = x.recordFields(), x.entity.Key
	}
	return leaves(records.Columns(set, known))
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
