package ui

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

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/pages"
	"patchbay/client/pull"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// pageExport writes every page of a run, those that are not there yet too.
type pageExport struct {
	ask     result.Question // of the first page
	service string          // the address of the service
	format  export.Format
	ex      client.Executor
	// ledger makes one that holds the pages that are there.
	ledger func() *pages.Ledger
	// columns are what a table has; known are all that a kept name may mean.
	columns, known []records.Column

	path string
	// keeps is set where the file can be gone on with, have is how many records an
	// earlier run wrote.
	keeps bool
	have  int
}

const everyPageDetail = "Pages that are not loaded are fetched. A file that stopped or failed is gone on with later, also by patchbay execute."

// everyPageExports write every page of the run; there are none where all pages
// are loaded, or nothing tells how to go on.
func (m *Model) everyPageExports() []result.Export {
	first := m.res.First()
	if m.noMorePages() != "" || first == nil || first.Entity == nil {
		return nil
	}
	shown, known := m.res.ExportColumns()
	var out []result.Export
	for _, f := range export.Formats {
		if f.Tabular() && len(shown) == 0 {
			continue
		}
		e := pageExport{ask: first.Question, service: m.deps.Session.BaseURL, format: f, ex: m.deps.Session.Service, ledger: m.res.NewLedger(), columns: shown, known: known}
		out = append(out, result.Export{Title: result.FormatTitle(f) + " of every page, fetched to the last", What: "every page", File: first.Entity.Name + f.Extension(), Detail: everyPageDetail,
			Write:  func(ctx context.Context, w io.Writer) error { return e.stream(ctx, w) },
			ToFile: func(path string) intent.Intent { return then(func() tea.Cmd { return m.exportPages(e.to(path)) }) }})
	}
	return out
}

// unfinishedExport goes on with the export that stopped last.
func (m *Model) unfinishedExport() []result.Export {
	e := m.unfinished
	if e == nil {
		return nil
	}
	return []result.Export{{Title: fmt.Sprintf("Go on with %s after %s", e.name(), text.Count(e.have, "record", "records")), What: "every page", File: e.path,
		Detail: "The export was stopped or failed; it goes on where it was.",
		ToFile: func(string) intent.Intent { return then(func() tea.Cmd { return m.startExport(e) }) }}}
}

func (e pageExport) to(path string) *pageExport {
	e.path = path
	return &e
}

func (e *pageExport) name() string { return text.Sanitize(filepath.Base(e.path)) }

func (e *pageExport) stopText() string {
	if e.keeps {
		return "stops; it can be gone on with"
	}
	return "stops it"
}

// look finds out whether the file can be gone on with (a pipe or a device
// cannot), and what an earlier run left.
func (e *pageExport) look() (*export.Checkpoint, error) {
	info, err := os.Stat(e.path)
	e.keeps = err != nil || info.Mode().IsRegular()
	if !e.keeps {
		return nil, nil
	}
	return e.file().Unfinished()
}

func (e *pageExport) file() *pull.File {
	return &pull.File{Path: e.path, Format: e.format, Call: pull.CallID(e.service, e.ask.Target, e.ask.Op), Options: e.options, Known: e.known}
}

// options are what a new file is written with.
func (e *pageExport) options(*client.Envelope) (export.Options, error) {
	o := export.Options{SafeFormulas: true}
	if e.format.Tabular() {
		o.Columns = e.columns
	}
	return o, nil
}

// columnsText tells where an unfinished file does not have the columns shown now.
func (e *pageExport) columnsText(cp *export.Checkpoint) string {
	o, _ := e.options(nil) // it has no error to tell
	same := slices.EqualFunc(o.Columns, cp.Columns, func(c records.Column, name string) bool { return c.Name == name })
	switch {
	case same:
		return ""
	case len(cp.Columns) == 0:
		return ", with whole records"
	}
	return ", in its " + text.Count(len(cp.Columns), "column", "columns")
}

// heldText says what the unfinished file holds.
func (e *pageExport) heldText() string {
	t := fmt.Sprintf("%s holds %s", text.Sanitize(filepath.Base(export.Part(e.path))), text.Count(e.have, "record", "records"))
	if e.format == export.JSON {
		t += ", an array without its end"
	}
	return t
}

// exportPages asks what becomes of an unfinished file, if there is one, and
// starts to write.
func (m *Model) exportPages(e *pageExport) tea.Cmd {
	return m.async(fileTimeout, func(context.Context) func(*Model) tea.Cmd {
		cp, err := e.look()
		return func(m *Model) tea.Cmd {
			if cp == nil && err == nil {
				return m.startExport(e)
			}
			return m.askUnfinished(e, cp, err)
		}
	})
}

// fileTimeout bounds a look at a file.
const fileTimeout = 10 * time.Second

// askUnfinished asks what becomes of an unfinished file: of this call when cp is
// there, else of another one.
func (m *Model) askUnfinished(e *pageExport, cp *export.Checkpoint, err error) tea.Cmd {
	var items []overlay.Item
	if cp != nil {
		e.have = cp.Records
		items = append(items, overlay.Item{Title: "Go on after " + text.Count(cp.Records, "record", "records") + e.columnsText(cp), Detail: "An earlier export of the same call stopped there; the pages behind are fetched.",
			Value: func() tea.Cmd { return m.startExport(e) }})
	}
	leave := overlay.Item{Title: "Leave it", Detail: "Nothing is written; export to another file instead.", Value: func() tea.Cmd { return nil }}
	if err != nil {
		leave.Detail = "It cannot be gone on with: " + text.Sanitize(err.Error()) + "."
	}
	items = append(items, leave)
	if conflict := (*export.Conflict)(nil); err == nil || errors.As(err, &conflict) {
		items = append(items, overlay.Item{Title: "Start over", Detail: e.name() + ".part is removed.", Value: func() tea.Cmd { return m.exportAnew(e) }})
	}
	return m.push(&overlay.List{Heading: "An unfinished " + e.name() + " is there", Source: overlay.Static(items), Choose: func(it overlay.Item) intent.Intent {
		return then(it.Value.(func() tea.Cmd))
	}})
}

// exportAnew removes what an earlier export left and starts over.
func (m *Model) exportAnew(e *pageExport) tea.Cmd {
	return m.async(fileTimeout, func(context.Context) func(*Model) tea.Cmd {
		err := export.Discard(e.path)
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.say(err.Error(), true)
			}
			e.have = 0
			return m.startExport(e)
		}
	})
}

// startExport writes every page as a call: it is shown, and stopped, as one.
func (m *Model) startExport(e *pageExport) tea.Cmd {
	c, ctx := m.begin()
	c.intoPages, c.export, c.many = true, e, make(chan fetchedPage, fetchAhead)
	m.unfinished = nil
	return tea.Batch(writePages(ctx, c, *e), nextFetched(c), listen(c), m.startTicking(), m.relayout())
}

// exportedMsg is the end of an export of every page.
type exportedMsg struct {
	call   int
	export *pageExport
	// records are in the file, of all runs; kept are in the unfinished file of one that failed.
	records int
	size    int64
	kept    int
	// blocked tells that the pages do not lead to an end, so that it is not gone on with.
	blocked bool
	note    string
	err     error
}

// writePages runs an export to its end.
func writePages(ctx context.Context, c *call, e pageExport) tea.Cmd {
	return func() tea.Msg {
		defer close(c.events)
		defer close(c.many)
		msg := exportedMsg{call: c.id, export: &e}
		fetch := func(start client.Operation, p *pull.Pages) error {
			err := e.pull(ctx, start, p, c.many, &msg.note)
			msg.records, msg.blocked = p.Have, p.Blocked != ""
			return err
		}
		if e.keeps {
			msg.kept, msg.err = e.file().Write(e.ask.Op, fetch)
		} else {
			msg.err = export.ToFile(e.path, func(w io.Writer) error {
				return pull.To(w, e.format, e.options, func(p *pull.Pages) error { return fetch(e.ask.Op, p) })
			})
		}
		if info, err := os.Stat(e.path); err == nil {
			msg.size = info.Size()
		}
		return msg
	}
}

// stream writes every page to a clipboard or a command.
func (e *pageExport) stream(ctx context.Context, w io.Writer) error {
	var note string
	return pull.To(w, e.format, e.options, func(p *pull.Pages) error { return e.pull(ctx, e.ask.Op, p, nil, &note) })
}

// pull writes the pages that are there, unless an earlier run wrote them, and
// fetches the others. far is told how far it came; note gets what is left unsaid.
func (e *pageExport) pull(ctx context.Context, start client.Operation, p *pull.Pages, far chan<- fetchedPage, note *string) error {
	ledger := pages.NewLedger(e.ask.Entity, e.ask.Action)
	if p.Have == 0 {
		ledger = e.ledger()
		for _, page := range ledger.Pages() {
			if err := p.Page(page, page.Rows); err != nil {
				return err
			}
		}
	}
	report, words := intent.Report(ctx), intent.Words(ctx)
	f := pages.Fetcher{Ask: pages.AskOf(e.ex, e.ask.Target), Ledger: ledger, Start: start, DropBodies: true, OnPage: p.Page, Progress: func(at pages.Progress) {
		select {
		case far <- fetchedPage{far: at}:
		default: // a screen that lags behind misses steps of progress, nothing else
		}
		words(text.Count(at.Pages, "page", "pages") + ", " + text.Count(at.Rows, "row", "rows"))
		if at.Total > 0 {
			report(at.Rows, at.Total)
		}
	}}
	out, err := f.Fetch(ctx, pages.Limits{})
	why := strings.TrimSuffix(out.Why, ".")
	switch told := pages.Tell(ledger.Verdicts()); {
	case err != nil:
		return err
	case out.Stop == pages.StopVerdict, out.Stop == pages.StopUnknown && pages.SaysMore(told):
		p.Blocked = pull.NoEnd
		return fmt.Errorf("the pages cannot be followed to their end: %s", why)
	case out.Stop == pages.StopUnknown:
		*note = "; there may be more: " + why
	}
	return nil
}

// gotExported tells how an export ended, and offers to go on with one that stopped.
func (m *Model) gotExported(msg exportedMsg) tea.Cmd {
	e, current := msg.export, m.call != nil && m.call.id == msg.call
	var notify tea.Cmd
	if current {
		notify = m.notify(m.call.started, "The export of "+e.name()+" has ended")
		m.end()
	}
	if msg.err == nil {
		t := fmt.Sprintf("%s written to %s, %s%s", text.Count(msg.records, "record", "records"), e.path, text.Size(msg.size), msg.note)
		return tea.Batch(m.say(t, msg.note != ""), notify, m.relayout())
	}
	why := "The export was stopped"
	if !errors.Is(msg.err, context.Canceled) {
		why = "The export failed: " + strings.TrimSuffix(troubled(msg.err), ".")
	}
	if msg.kept == 0 {
		return tea.Batch(m.say(why+". "+e.path+" was not written", true), notify, m.relayout())
	}
	e.have = msg.kept
	if msg.blocked {
		return tea.Batch(m.say(why+". "+e.heldText()+", and is not gone on with", true), notify, m.relayout())
	}
	m.unfinished = e
	told := m.say(why+". "+e.heldText()+"; E goes on with it", true)
	if !current || m.stack.Top() != nil {
		return tea.Batch(told, notify, m.relayout())
	}
	return tea.Batch(told, notify, m.relayout(), m.push(&overlay.Confirm{Heading: "Go on with the export?", Yes: "Go on", No: "Later",
		Text: []string{text.Sanitize(why) + ".", e.heldText() + ". Later E goes on with it; after a restart an export of every page to the same file does, or patchbay execute."},
		Do:   then(func() tea.Cmd { return m.startExport(e) })}))
}
