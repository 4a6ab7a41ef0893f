package result

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"patchbay/client/export"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/client/wirelog"
	"patchbay/ui/intent"
)

// Export is something that can be written to a file, the clipboard or a command.
type Export struct {
	Title, What string
	// File is the name offered for it.
	File string
	// Write streams it to w, beside the update loop.
	Write func(ctx context.Context, w io.Writer) error
	// Detail says more of it while it is chosen.
	Detail string
	// ToFile, where it is set, writes it to a file in a way of its own.
	ToFile func(path string) intent.Intent
}

// Exports lists what the view shown can write.
func (p *Pane) Exports() []Export {
	if !p.HasAnswer() {
		return nil
	}
	var out []Export
	switch v := p.current().(type) {
	case *schemaView:
		out = v.exports(p)
	case *wireView:
		out = wireExports(p)
	}
	return append(append(out, p.recordExports()...), p.bodyExport()...)
}

func (v *schemaView) exports(p *Pane) []Export {
	r := v.current(p)
	if r == nil {
		return nil
	}
	return []Export{
		{Title: "Findings as Markdown", What: "findings", File: "findings.md", Write: func(_ context.Context, w io.Writer) error { return r.WriteMarkdown(w) }},
		{Title: "Findings as JSON", What: "findings", File: "findings.json", Write: func(_ context.Context, w io.Writer) error { return r.WriteJSON(w) }},
	}
}

// Wirelog sets how exchanges are written: which secrets are left out, and by whom.
func (p *Pane) Wirelog(o wirelog.Options) { p.wirelog = o }

// wireExports write the exchange shown, and those of all pages of the run.
func wireExports(p *Pane) []Export {
	out := wireExport("", p.wirelog, p.page())
	if len(p.pages) > 1 {
		out = append(out, wireExport(fmt.Sprintf(" of all %d pages", len(p.pages)), p.wirelog, p.pages...)...)
	}
	return out
}

func wireExport(of string, o wirelog.Options, list ...*Page) []Export {
	whole := make([]wirelog.Call, len(list))
	bare := make([]wirelog.Call, len(list))
	for i, page := range list {
		whole[i] = wirelog.Call{Attempts: page.Attempts(), Envelope: page.Env}
		bare[i] = wirelog.Call{Attempts: page.Attempts()}
	}
	return []Export{
		{Title: "HTTP archive (HAR)" + of, What: "archive", Detail: "Secrets are left out, bodies over 1 MiB are cut.", File: "patchbay.har",
			Write: func(ctx context.Context, w io.Writer) error { return wirelog.HAR(contextWriter{ctx, w}, whole, o) }},
		{Title: "Text like curl -v" + of, What: "exchange", Detail: "Secrets are left out, and so are the bodies of answers.", File: "patchbay.txt",
			Write: func(ctx context.Context, w io.Writer) error { return wirelog.Text(contextWriter{ctx, w}, bare, o) }},
	}
}

var formatTitles = map[export.Format]string{export.JSON: "JSON array", export.NDJSON: "NDJSON", export.CSV: "CSV", export.Markdown: "Markdown table"}

// recordExports writes marked rows, the rows shown, and the rows of all pages.
func (p *Pane) recordExports() []Export {
	v := p.tableView()
	if v == nil || !v.fits(p) {
		return nil
	}
	v.load(p)
	columns := v.shownColumns()
	name := "records"
	if p.entity != nil {
		name = p.entity.Name
	}
	var out []Export
	pages := slices.Clone(p.pages)
	put := func(which string, set *records.Set, rows []int32) {
		for _, f := range export.Formats {
			o := export.Options{SafeFormulas: true}
			if f.Tabular() {
				o.Columns = columns
			}
			out = append(out, Export{Title: formatTitles[f] + " of " + which, What: which, File: name + f.Extension(), Write: func(ctx context.Context, w io.Writer) error {
				_, err := export.Write(ctx, w, f, set, rows, o, intent.Report(ctx))
				return cmp.Or(err, changed(pages))
			}})
		}
	}
	if n := p.markCount(); n > 0 {
		set, rows := p.markedRows()
		put(markedRowsText(n), set, rows)
	}
	put("the "+rowsText(v.count())+" shown", v.set, v.rows)
	if len(p.pages) > 1 && !p.together {
		set := p.LoadedSet()
		put(fmt.Sprintf("all %d pages, %s", len(p.pages), rowsText(set.Len())), set, nil)
	}
	return out
}

func (v *tableView) shownColumns() []records.Column {
	columns := make([]records.Column, len(v.columns))
	for i, c := range v.columns {
		columns[i] = c.Column
	}
	return columns
}

// ExportColumns are the columns shown, and all that a name may mean.
func (p *Pane) ExportColumns() (shown, known []records.Column) {
	v := p.tableView()
	if v == nil || !v.fits(p) {
		return nil, nil
	}
	v.load(p)
	return v.shownColumns(), v.known()
}

// FormatTitle names a format for people.
func FormatTitle(f export.Format) string { return formatTitles[f] }

// changed is why a page is not what it was any more: what is written of it is not
// to be taken for it.
func changed(pages []*Page) error {
	for _, page := range pages {
		if page.Env == nil {
			continue
		}
		if err := sourceErr(page.Env.Body); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pane) bodyExport() []Export {
	page := p.page()
	if page.Size() == 0 {
		return nil
	}
	return []Export{{Title: "Body as received, " + sizeText(page.Size()), What: "body", File: "body.json", Write: func(ctx context.Context, w io.Writer) error {
		_, err := rawjson.WriteRange(contextWriter{ctx, w}, page.Env.Body, 0, page.Size())
		return cmp.Or(err, sourceErr(page.Env.Body))
	}}}
}

// contextWriter stops writing when its context ends.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c contextWriter) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(b)
}
