package overlay

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
	"patchbay/ui/style"
)

// Live is a Reader whose text grows while something is under way.
type Live struct {
	Reader
	// Running is shown in the lower edge while it is not empty.
	Running string
	// Stop is performed when the overlay closes.
	Stop intent.Intent

	// left is set once the person scrolled away from the end.
	left bool
}

// Add appends lines. The window follows its end unless the person scrolled away from it.
func (l *Live) Add(lines ...Line) {
	l.Body = append(l.Body, lines...)
	l.width = -1
}

// Wheel implements Overlay.
func (l *Live) Wheel(d int) intent.Intent {
	l.Reader.Wheel(d)
	l.scrolled()
	return nil
}

func (l *Live) scrolled() { l.left = l.scroll.Top+l.scroll.Height < len(l.wrapped) }

// Hints implements Overlay.
func (l *Live) Hints() string {
	if l.Running != "" {
		return l.Running + " · esc stops and closes"
	}
	return l.Reader.Hints()
}

// Want implements Overlay.
func (l *Live) Want(w, h int) (int, int) {
	w, n := l.Reader.Want(w, h)
	return w, min(max(n, 12), h)
}

// Key implements Overlay.
func (l *Live) Key(msg tea.KeyPressMsg) intent.Intent {
	in := l.Reader.Key(msg)
	if _, closes := in.(intent.Close); closes {
		return intent.All{intent.Close{}, l.Stop}
	}
	l.scrolled()
	return in
}

// Draw implements Overlay.
func (l *Live) Draw(w, h int, s *style.Styles) ([]string, *image.Point) {
	if !l.left {
		l.wrap(w)
		l.scroll.Height = h
		l.scroll.Wheel(len(l.wrapped), len(l.wrapped))
	}
	return l.Reader.Draw(w, h, s)
}
