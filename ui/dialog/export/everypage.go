package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/export"
	"patchbay/client/quantity"
	"patchbay/client/records"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
)

const everyPageDetail = "Pages that are not loaded are fetched. A file that stopped or failed can be continued " +
	"later, also by patchbay execute."

// everyPage are the exports of every page of the run; there are none where all pages
// are loaded, or nothing says how to continue.
func (f *Feature) everyPage() []response.Export {
	first := f.Response().First()
	if f.Response().NoMorePages() != "" || first == nil || first.Entity == nil {
		return nil
	}
	shown, known := f.Response().ExportColumns()
	var out []response.Export
	for _, format := range export.Formats {
		if format.Tabular() && len(shown) == 0 {
			continue
		}
		e := pageExport{ask: first.Question, service: f.Session().BaseURL, format: format, ex: f.Session().Service,
			ledger: f.Response().NewLedger(), columns: shown, known: known}
		out = append(out, response.Export{What: "every page",
			Title: format.Title() + " of every page, fetched to the last",
			File:  first.Entity.Name + export.Extension(format), Detail: everyPageDetail,
			Write: e.stream,
			ToFile: func(path string) intent.Intent {
				to := e
				to.path = path
				return f.look(&to)
			}})
	}
	return out
}

// look asks what becomes of an unfinished file, if there is one, and starts to write.
func (f *Feature) look(e *pageExport) intent.Intent {
	return dialog.Quiet(func() (func() intent.Intent, error) {
		cp, err := e.look()
		return func() intent.Intent {
			if cp == nil && err == nil {
				return f.start(e)
			}
			return f.askUnfinished(e, cp, err)
		}, nil
	})
}

// askUnfinished asks what becomes of an unfinished file: of this call when cp is
// there, else of another one.
func (f *Feature) askUnfinished(e *pageExport, cp *export.Checkpoint, err error) intent.Intent {
	start := intent.Then{F: func() intent.Intent { return f.start(e) }}
	var items []overlay.Item
	if cp != nil {
		e.have = cp.Records
		items = append(items, overlay.Item{Value: start,
			Title:  "Go on after " + quantity.Count(cp.Records, "record", "records") + e.columnsText(cp),
			Detail: "An earlier export of the same call stopped there; the pages behind are fetched."})
	}
	leave := overlay.Item{Title: "Leave it", Detail: "Nothing is written; export to another file instead."}
	if err != nil {
		leave.Detail = "It cannot be continued: " + err.Error() + "."
	}
	items = append(items, leave)
	if conflict := (*export.Conflict)(nil); err == nil || errors.As(err, &conflict) {
		anew := dialog.Quiet(func() (func() intent.Intent, error) {
			return func() intent.Intent { e.have = 0; return f.start(e) }, export.Discard(e.path)
		})
		items = append(items, overlay.Item{Title: "Start over", Detail: e.name() + ".part is removed.", Value: anew})
	}
	return intent.Push{Overlay: &overlay.List{Heading: "An unfinished " + e.name() + " is there",
		Source: overlay.Static(items)}}
}

// start writes every page as a run: it is shown, and stopped, as one.
func (f *Feature) start(e *pageExport) intent.Intent {
	f.unfinished = nil
	started, now := f.Now(), f.Now
	stops, lost := "stops it", e.name()+" is not whole yet and is not written then."
	if e.keeps {
		stops = "stops; it can be continued"
		lost = e.name() + " is not whole yet; a later export of every page to the same file continues it."
	}
	return intent.Task{Lane: intent.Running, What: "writing " + e.name(), Stops: stops, Tells: true, Unwritten: lost,
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			w := *e
			ended := w.write(ctx, now)
			return func() intent.Intent { return f.ended(&w, ended, started) }, nil
		}}
}

// ended says how an export ended, and offers to continue one that stopped.
func (f *Feature) ended(e *pageExport, end exported, started time.Time) intent.Intent {
	notify := intent.Notify{Since: started, Text: "The export of " + e.name() + " has ended"}
	if end.err == nil {
		t := fmt.Sprintf("%s written to %s, %s%s", quantity.Count(end.records, "record", "records"), e.path,
			quantity.Size(end.size), end.note)
		return intent.All{intent.Say{Text: t, Bad: end.note != ""}, notify}
	}
	why := "The export was stopped"
	if !errors.Is(end.err, context.Canceled) {
		why = "The export failed: " + strings.TrimSuffix(dialog.Troubled(end.err), ".")
	}
	e.have = end.kept
	switch {
	case end.kept == 0:
		return intent.All{intent.Say{Text: why + ". " + e.path + " was not written", Bad: true}, notify}
	case end.blocked:
		return intent.All{intent.Say{Text: why + ". " + e.heldText() + ", and is not continued", Bad: true}, notify}
	}
	f.unfinished = e
	return intent.All{intent.Say{Text: why + ". " + e.heldText() + "; E continues it", Bad: true}, notify,
		intent.Offer{Overlay: &overlay.Confirm{Heading: "Go on with the export?", Yes: "Go on", No: "Later",
			Text: []string{why + ".", e.heldText() + ". Later E continues it; after a restart an " +
				"export of every page to the same file does, or patchbay execute."},
			Do: intent.Then{F: func() intent.Intent { return f.start(e) }}}}}
}

// pageExport writes every page of a run, those that are not there yet too.
type pageExport struct {
	ask     answer.Question // of the first page
	service string          // the address of the service
	format  export.Format
	ex      client.Executor
	// ledger makes one that holds the pages that are there.
	ledger func() *answer.Run
	// columns are what a table has; known are all that a kept name may mean.
	columns, known []records.Column

	path string
	// keeps is set where the file can be continued, have is how many records an
	// earlier run wrote.
	keeps bool
	have  int
}

func (e *pageExport) name() string { return filepath.Base(e.path) }

// look finds out whether the file can be continued (a pipe or a device
// cannot), and what an earlier run left.
func (e *pageExport) look() (*export.Checkpoint, error) {
	info, err := os.Stat(e.path)
	e.keeps = err != nil || info.Mode().IsRegular()
	if !e.keeps {
		return nil, nil
	}
	return e.file().Unfinished()
}

func (e *pageExport) file() *answer.File {
	return &answer.File{Path: e.path, Format: e.format, Call: answer.CallID(e.service, e.ask.Target, e.ask.Op),
		Options: e.options, Known: e.known}
}

// options are what a new file is written with.
func (e *pageExport) options(*client.Envelope) (export.Options, error) {
	return export.OptionsOf(e.format, e.columns), nil
}

// columnsText says where an unfinished file does not have the columns shown now.
func (e *pageExport) columnsText(cp *export.Checkpoint) string {
	o, _ := e.options(nil) // it has no error to tell
	same := slices.EqualFunc(o.Columns, cp.Columns, func(c records.Column, name string) bool { return c.Name == name })
	switch {
	case same:
		return ""
	case len(cp.Columns) == 0:
		return ", with whole records"
	}
	return ", in its " + quantity.Count(len(cp.Columns), "column", "columns")
}

// heldText says what the unfinished file holds.
func (e *pageExport) heldText() string {
	t := fmt.Sprintf("%s holds %s", filepath.Base(export.Part(e.path)),
		quantity.Count(e.have, "record", "records"))
	if lacks := e.format.Unended(); lacks != "" {
		t += ", " + lacks
	}
	return t
}

// exported is the end of an export of every page.
type exported struct {
	// records are in the file, of all runs; kept are in the unfinished file of one that failed.
	records int
	size    int64
	kept    int
	// blocked is set where the pages do not lead to an end, so that it is not continued.
	blocked bool
	note    string
	err     error
}

// write runs an export to its end.
func (e *pageExport) write(ctx context.Context, now func() time.Time) (out exported) {
	far := dialog.NewPageProgress(ctx, now, 0, e.have)
	ctx = far.Observed(ctx)
	fetch := func(start client.Operation, p *answer.PageWriter) error {
		err := e.pull(ctx, start, p, far.Tell, &out.note)
		out.records, out.blocked = p.Have, p.Blocked != ""
		return err
	}
	if e.keeps {
		out.kept, out.err = e.file().Write(e.ask.Op, fetch)
	} else {
		out.err = export.ToFile(e.path, func(w io.Writer) error {
			return answer.WriteTo(w, e.format, e.options, func(p *answer.PageWriter) error {
				return fetch(e.ask.Op, p)
			})
		})
	}
	if info, err := os.Stat(e.path); err == nil {
		out.size = info.Size()
	}
	return out
}

// stream writes every page to a clipboard or a command.
func (e *pageExport) stream(ctx context.Context, w io.Writer) error {
	var note string
	return answer.WriteTo(w, e.format, e.options, func(p *answer.PageWriter) error {
		return e.pull(ctx, e.ask.Op, p, dialog.NewPageProgress(ctx, time.Now, 0, 0).Tell, &note)
	})
}

// pull writes the pages that are there, unless an earlier run wrote them, and
// fetches the others. far is told how far it came; note gets what is left unsaid.
func (e *pageExport) pull(ctx context.Context, start client.Operation, p *answer.PageWriter, far func(answer.Progress),
	note *string) error {
	ledger := answer.NewRun(e.ask.Entity, e.ask.Action)
	if p.Have == 0 {
		ledger = e.ledger()
		for _, page := range ledger.Pages() {
			if err := p.Page(page, page.Fresh()); err != nil {
				return err
			}
		}
	}
	f := answer.Fetcher{Ask: answer.AskOf(e.ex, e.ask.Target), Run: ledger, Start: start, DropBodies: true,
		OnPage: p.Page, Progress: far}
	out, err := f.Fetch(ctx, answer.Limits{})
	why := strings.TrimSuffix(out.Why, ".")
	switch told := answer.Tell(ledger.Verdicts()); {
	case err != nil:
		return err
	case out.Stop == answer.StopVerdict, out.Stop == answer.StopUnknown && answer.SaysMore(told):
		p.Blocked = answer.NoEnd
		return fmt.Errorf("the pages cannot be followed to their end: %s", why)
	case out.Stop == answer.StopUnknown:
		*note = "; there may be more: " + why
	}
	return nil
}
