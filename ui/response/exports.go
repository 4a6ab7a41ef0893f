package response

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"patchbay/client/answer"
	"patchbay/client/export"
	"patchbay/client/quantity"
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
	out := append(p.current().exports(p.Input), p.recordExports()...)
	page := p.Page()
	switch {
	case page.File != nil:
		return append(out, fileExport(page.File))
	case page.Size() == 0:
		return out
	}
	return append(out, Export{Title: "Body as received, " + quantity.Size(int64(page.Size())), What: "body",
		File: "body.json", Write: func(ctx context.Context, w io.Writer) error {
			_, err := rawjson.WriteRange(contextWriter{ctx, w}, page.Env.Body, 0, page.Size())
			return cmp.Or(err, answer.SourceErr(page.Env.Body))
		}})
}

// Wirelog sets how exchanges are written: which secrets are left out, and by whom.
func (p *Pane) Wirelog(o wirelog.Options) { p.wirelog = o }

// recordExports writes marked rows, the rows shown, and the rows of all pages.
func (p *Pane) recordExports() []Export {
	v := p.tableView()
	if !v.fits(p.Input) {
		return nil
	}
	v.load(p.Input)
	columns := v.shownColumns()
	name := "records"
	if p.entity != nil {
		name = p.entity.Name
	}
	var out []Export
	pages := slices.Clone(p.pages)
	put := func(which string, set *records.Set, rows []int32) {
		for _, f := range export.Formats {
			o := export.OptionsOf(f, columns)
			out = append(out, Export{Title: f.Title() + " of " + which, What: which, File: name + export.Extension(f),
				Write: func(ctx context.Context, w io.Writer) error {
					_, err := export.Write(ctx, w, f, set, rows, o, intent.Report(ctx))
					for _, page := range pages { // what is not what it was any more is not to be taken for it
						if err == nil && page.Env != nil {
							err = answer.SourceErr(page.Env.Body)
						}
					}
					return err
				}})
		}
	}
	if n := p.markCount(); n > 0 {
		set, rows := p.markedRows()
		put(quantity.Count(n, "marked row", "marked rows"), set, rows)
	}
	put("the "+answer.Rows(v.count())+" shown", v.set, v.rows)
	if len(p.pages) > 1 && !p.together {
		set := answer.SetOf(p.pages)
		put(fmt.Sprintf("all %d pages, %s", len(p.pages), answer.Rows(set.Len())), set, nil)
	}
	return out
}

// ExportColumns are the columns shown, and all that a name may mean.
func (p *Pane) ExportColumns() (shown, known []records.Column) {
	v := p.tableView()
	if !v.fits(p.Input) {
		return nil, nil
	}
	v.load(p.Input)
	return v.shownColumns(), v.known()
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

// CopyOption is something that can be copied.
type CopyOption struct {
	Title, What string
	// Text makes the text; it runs beside the update loop.
	Text func(context.Context) (string, error)
}

func fixed(title, what, t string) CopyOption {
	return CopyOption{Title: title, What: what, Text: func(context.Context) (string, error) { return t, nil }}
}

// Copies lists what can be copied in the view.
func (p *Pane) Copies() []CopyOption {
	if !p.HasAnswer() {
		return nil
	}
	v := p.current()
	var out []CopyOption
	for _, e := range v.exports(p.Input) {
		out = append(out, CopyOption{Title: e.Title, What: e.What, Text: func(ctx context.Context) (string, error) {
			var b strings.Builder
			err := e.Write(ctx, &b)
			return b.String(), err
		}})
	}
	return append(out, v.copies(p.Input)...)
}

// copyLimit is the largest body that is put on a clipboard.
const copyLimit = 8 << 20

func bodyCopies(in Input) []CopyOption {
	page := in.Page()
	if page.Size() == 0 {
		return nil
	}
	return []CopyOption{{Title: "Body as received", What: "body", Text: func(context.Context) (string, error) {
		if page.Size() > copyLimit {
			return "",
				fmt.Errorf("the body is %s, too much for a clipboard: patchbay execute -o FILE writes it to a file",
					quantity.Size(int64(page.Size())))
		}
		return string(page.Env.Body.Slice(0, page.Size())), nil
	}}}
}

func (v *tableView) copies(in Input) []CopyOption {
	var out []CopyOption
	if c, ok := v.cell(); ok {
		out = c.copies()
	}
	if n := in.markCount(); n > 0 {
		set, rows := in.markedRows()
		which := quantity.Count(n, "marked row", "marked rows")
		for _, f := range export.Formats {
			o := export.OptionsOf(f, v.shownColumns())
			out = append(out, CopyOption{Title: which + " as " + f.Title(), What: "marked rows",
				Text: func(ctx context.Context) (string, error) {
					var b clipping
					_, err := export.Write(ctx, &b, f, set, rows, o, nil)
					return b.String(), err
				}})
		}
	}
	set, shown := v.set, v.rows
	if shown == nil {
		shown = records.AllRows(set.Len())
	}
	out = append(out, CopyOption{Title: "All rows shown as NDJSON", What: "rows",
		Text: func(context.Context) (string, error) { return ndjson(set, shown) }})
	return append(out, recordCopies(in)...)
}

// clipping is text for a clipboard: it takes no more than fits there.
type clipping struct{ strings.Builder }

func (c *clipping) Write(b []byte) (int, error) {
	if c.Len()+len(b) > copyLimit {
		return 0, errTooMuch
	}
	return c.Builder.Write(b)
}

var errTooMuch = fmt.Errorf("these rows are more than %s, too much for a clipboard: E writes them to a file",
	quantity.Size(int64(copyLimit)))

func ndjson(set *records.Set, rows []int32) (string, error) {
	var b []byte
	for _, r := range rows {
		rec := set.Record(int(r))
		if rec.Cut() {
			return "", fmt.Errorf("record %d is cut off, so it cannot be copied whole", r+1)
		}
		b, _ = rec.AppendCompact(b, 0)
		b = append(b, '\n')
		if len(b) > copyLimit {
			return "", errTooMuch
		}
	}
	return string(b), nil
}
