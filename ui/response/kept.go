package response

import (
	"fmt"

	"patchbay/client/answer"
)

// Kept is what the pane showed: the pages, the view, its filter and its cursor.
type Kept struct{ pane Pane }

// Keep returns what is shown, as it is. A line being typed is left out.
func (p *Pane) Keep() *Kept {
	k := &Kept{*p}
	k.pane.line = nil
	return k
}

// Restore shows what was kept.
func (p *Pane) Restore(k *Kept) {
	height, width := p.height, p.width
	*p = k.pane
	p.height, p.width = height, width
}

// HasAnswer reports whether an answer is kept.
func (k *Kept) HasAnswer() bool { return k.pane.HasAnswer() }

// Told says in words what answer is kept; "" without one.
func (k *Kept) Told() string {
	page := k.pane.Page()
	switch {
	case page == nil:
		return ""
	case page.Err != nil:
		return page.Err.Error()
	case page.File != nil:
		return page.FileFacts()
	}
	return fmt.Sprintf("%d, %s", page.Status(), answer.Rows(page.Len()))
}

// Size is how many bytes of bodies are kept.
func (k *Kept) Size() int {
	n := size(k.pane.pages) + size(k.pane.before)
	for _, u := range k.pane.under {
		n += size(u.pages)
	}
	return n
}

func size(pages []*answer.Page) int {
	n := 0
	for _, page := range pages {
		if page.Env != nil && page.Env.Body != nil {
			n += page.Env.Body.Len()
		}
	}
	return n
}
