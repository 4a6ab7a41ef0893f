package repaint

// move follows the cursor. A coordinate that a move makes relative to an unknown
// one stays unknown.
func (s *state) move(t token) {
	n, _, _ := t.params.Param(0, 1)
	n = max(n, 1)
	switch t.final {
	case 'H', 'f':
		col, _, _ := t.params.Param(1, 1)
		s.y, s.x = n-1, max(col, 1)-1
	case 'd':
		s.y = n - 1
	case 'G', '`':
		s.x = n - 1
	case 'A':
		s.y = up(s.y, n)
	case 'B':
		s.y = down(s.y, n)
	case 'C':
		s.x = down(s.x, n)
	case 'D':
		s.x = up(s.x, n)
	case 'E':
		s.x, s.y = 0, down(s.y, n)
	case 'F':
		s.x, s.y = 0, up(s.y, n)
	default:
		s.control(t.final)
	}
}

func (s *state) control(c byte) {
	switch c {
	case '\r':
		s.x = 0
	case '\n':
		// Where the terminal also returns the carriage, only the first column
		// is sure to stay.
		s.y = down(s.y, 1)
		if s.x != 0 {
			s.x = unknown
		}
	case '\b':
		s.x = up(s.x, 1)
	default:
		s.x = unknown
	}
}

func up(at, n int) int {
	if at == unknown {
		return unknown
	}
	return max(at-n, 0)
}

func down(at, n int) int {
	if at == unknown {
		return unknown
	}
	return at + n
}
