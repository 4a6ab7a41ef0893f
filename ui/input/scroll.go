package input

// Scroll is a cursor in a list that is taller than its window.
type Scroll struct {
	Cursor int
	Top    int
	// Height of the window, as Fit was told; pages move by it.
	Height int
}

// Move moves the cursor by d rows within n rows.
func (s *Scroll) Move(d, n int) {
	s.Cursor = min(max(s.Cursor+d, 0), max(n-1, 0))
}

// Page moves by d windows.
func (s *Scroll) Page(d, n int) { s.Move(d*max(s.Height-1, 1), n) }

// Half moves by d half windows.
func (s *Scroll) Half(d, n int) { s.Move(d*max(s.Height/2, 1), n) }

// Window fits the window of h rows around the cursor and returns the visible range.
func (s *Scroll) Window(n, h int) (from, to int) {
	top := s.at(n, h)
	return top, min(top+h, n)
}

// Fit stores the window that Window computed; drawing itself changes nothing.
func (s *Scroll) Fit(n, h int) {
	s.Height = h
	s.Cursor = min(max(s.Cursor, 0), max(n-1, 0))
	s.Top = s.at(n, h)
}

func (s *Scroll) at(n, h int) int {
	if h <= 0 {
		return 0
	}
	cursor := min(max(s.Cursor, 0), max(n-1, 0))
	top := s.Top
	if cursor < top {
		top = cursor
	}
	if cursor >= top+h {
		top = cursor - h + 1
	}
	return max(min(top, n-h), 0)
}

// Wheel scrolls the window by d rows and keeps the cursor inside it.
func (s *Scroll) Wheel(d, n int) {
	s.Top = max(min(s.Top+d, n-s.Height), 0)
	if s.Height > 0 {
		s.Cursor = min(max(s.Cursor, s.Top), min(s.Top+s.Height, n)-1)
	}
	s.Cursor = max(s.Cursor, 0)
}
