package result

import (
	"context"
	"fmt"

	"patchbay/ui/intent"
	"patchbay/ui/style"
)

// view is one way to look at the answer. Views keep their own scrolling; the
// record under the cursor is shared through the pane.
type view interface {
	name() string
	// tab is the name with news: "Pages 3".
	tab(p *Pane) string
	// scope is where the keys of the view are looked up.
	scope() string
	// fits tells whether the view has something to show.
	fits(p *Pane) bool
	// reset is called when another page is shown, enter when the view is.
	reset(p *Pane)
	enter(p *Pane)
	lines(p *Pane, w, h int, s *style.Styles, focused bool) []string
	move(p *Pane, dx, dy int)
	click(p *Pane, x, y int, double bool) intent.Intent
	// where says in the status line where the cursor is.
	where(p *Pane) string
	// copies lists what can be copied here.
	copies(p *Pane) []CopyOption
}

// Views are all views in the order of their tabs.
func Views() []view {
	return []view{&errorView{}, &tableView{}, &recordView{}, &jsonView{}, &rawView{}, &pagesView{}, &schemaView{}, &wireView{}}
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

// NextHit goes to the next or previous hit.
func (p *Pane) NextHit(d int) intent.Intent {
	switch v := p.current().(type) {
	case *tableView:
		v.move(p, 0, d)
		return nil
	case seeker:
		if p.find.text != "" {
			return p.nextHit(v, d)
		}
	}
	return intent.Say{Text: "nothing is searched: / starts", Bad: true}
}

// Searching tells whether the rows shown are those of a filter, or the view
// shows the hits of a search.
func (p *Pane) Searching() bool {
	if !p.HasAnswer() {
		return false
	}
	switch v := p.current().(type) {
	case *tableView:
		return v.filtered()
	case seeker:
		return p.find.text != ""
	}
	return false
}

// Copies lists what can be copied in the view.
func (p *Pane) Copies() []CopyOption {
	if !p.HasAnswer() {
		return nil
	}
	return p.current().copies(p)
}

// base gives views that need less the empty answers.
type base struct{}

func (base) reset(*Pane)                               {}
func (base) enter(*Pane)                               {}
func (base) click(*Pane, int, int, bool) intent.Intent { return nil }
func (base) where(*Pane) string                        { return "" }
func (base) copies(p *Pane) []CopyOption               { return bodyCopies(p) }

// copyLimit is the largest body that is put on a clipboard.
const copyLimit = 8 << 20

func bodyCopies(p *Pane) []CopyOption {
	page := p.page()
	if page == nil || page.Size() == 0 {
		return nil
	}
	return []CopyOption{{Title: "Body as received", What: "body", Text: func(context.Context) (string, error) {
		if page.Size() > copyLimit {
			return "", fmt.Errorf("the body is %s, too much for a clipboard: patchbay execute -o FILE writes it to a file", sizeText(page.Size()))
		}
		return string(page.Env.Body.Slice(0, page.Size())), nil
	}}}
}
