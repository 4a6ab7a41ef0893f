package request

import (
	"slices"

	"patchbay/client/form"
	"patchbay/client/search"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// refused is what a service said of one of the fields; until something is changed.
type refused struct {
	words string
	path  form.Path    // of a form
	node  *search.Node // of a search
	sent  draft
}

// Refuse marks the field that a service names, unfolds the form there and puts its words
// below it; false where the form has no such field.
func (r *Pane) Refuse(field, words string) bool {
	r.refused = refused{}
	if r.ed == nil || field == "" || words == "" {
		return false
	}
	no := refused{words: words}
	switch e := r.ed.(type) {
	case *formEditor:
		at, ok := e.f.Locate(field)
		if !ok {
			return false
		}
		e.f.Reveal(at)
		no.path = at
	case *searchEditor:
		e.q.Filter.Walk(func(_ []int, n *search.Node) bool {
			if n.Op == search.Condition && n.Field == field && no.node == nil {
				no.node = n
			}
			return true
		})
		if no.node == nil {
			return false
		}
	}
	r.json = nil
	no.sent = r.draft()
	r.refused = no
	r.scroll.Cursor, r.cell = max(r.refusedRow(), 0), 0
	return true
}

// refusedRow is the row that a service refused; -1 without one.
func (r *Pane) refusedRow() int {
	if r.refused.words == "" {
		return -1
	}
	switch e := r.ed.(type) {
	case *formEditor:
		return e.find(r.refused.path, -1)
	case *searchEditor:
		return slices.IndexFunc(e.rows(), func(row searchRow) bool {
			return row.kind == rowNode && row.node == r.refused.node
		})
	}
	return -1
}

// forgive forgets the refusal once something else would be sent.
func (r *Pane) forgive() {
	if r.refused.words != "" && !r.draft().same(r.refused.sent) {
		r.refused = refused{}
	}
}

// words are what the service said, below the row that it is about.
func (r *Pane) words(w int, s *style.Styles) []text.Safe {
	var out []text.Safe
	if r.refusedRow() < 0 {
		return nil
	}
	for _, l := range text.Wrap(text.Sanitize(r.refused.words), max(w-6, 8)) {
		out = append(out, "     "+s.Error.Render(l))
	}
	return out
}
