package response

import (
	"cmp"
	"context"
	"io"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/wirelog"
	"patchbay/ui/action"
)

// Unpaged says why there is no text to read in a pager; "" when there is one.
func (p *Pane) Unpaged() string {
	if why := p.NoAnswer(); why != "" {
		return why
	}
	page := p.Page()
	if f := page.File; f != nil && page.Document == nil {
		return action.Reason(len(f.Content.Lines) == 0, "this file is no text")
	}
	if _, wire := p.view.(*wireView); wire {
		return ""
	}
	return action.Reason(page.Size() == 0, "the answer has no body; Wire shows the exchange")
}

// Paged writes what the view shows as a text: the record, the exchange without
// secrets, the bytes as received, or the body laid out. What names it.
func (p *Pane) Paged() (what string, write func(context.Context, io.Writer) error) {
	page, options := p.Page(), p.wirelog
	switch v := p.current().(type) {
	case *wireView:
		return "exchange", func(ctx context.Context, w io.Writer) error {
			return wirelog.Text(contextWriter{ctx, w}, []wirelog.Call{{Attempts: page.Attempts()}}, options)
		}
	case *recordView:
		return "record", func(ctx context.Context, w io.Writer) error {
			return writeLaidOut(contextWriter{ctx, w}, v.tree.root)
		}
	case *rawView:
	default:
		if (&jsonView{}).fits(p.Input) {
			return "body", laidOutBody(page)
		}
	}
	return "body", func(ctx context.Context, w io.Writer) error {
		_, err := rawjson.WriteRange(contextWriter{ctx, w}, page.Env.Body, 0, page.Size())
		return err
	}
}

// laidOutBody writes a body of JSON laid out, as far as it came by now: of one that
// holds a value a line, its records one below the other.
func laidOutBody(page *answer.Page) func(context.Context, io.Writer) error {
	root, _, _ := page.Layout()
	n := page.Len()
	return func(ctx context.Context, to io.Writer) error {
		w := contextWriter{ctx, to}
		if root.Exists() {
			return cmp.Or(writeLaidOut(w, root), answer.SourceErr(page.Env.Body))
		}
		for i := range n {
			if err := writeLaidOut(w, page.Record(i)); err != nil {
				return err
			}
		}
		return answer.SourceErr(page.Env.Body)
	}
}

func writeLaidOut(w io.Writer, n rawjson.Node) error {
	if err := n.WriteIndent(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
