package request

// Kept is a form as it stood, with its cursor, its folds and what can be undone.
type Kept struct{ pane Pane }

// Keep returns the form as it stands; what is being typed counts as typed.
func (r *Pane) Keep() *Kept {
	r.EndTyping()
	r.note()
	return &Kept{*r}
}

// Restore shows a form as it was kept.
func (r *Pane) Restore(k *Kept) {
	off, height, width := r.off, r.scroll.Height, r.width
	*r = k.pane
	r.off, r.scroll.Height, r.width = off, height, width
}
