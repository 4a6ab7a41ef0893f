// Package undo remembers what something was like before each change, so that changes can
// be taken back and made again. It knows nothing of what it remembers; of patchbay it
// imports nothing.
package undo

// most is how many changes can be taken back.
const most = 100

// Stack remembers the states of one thing. The zero Stack has seen none.
type Stack[T any] struct {
	begun        bool
	now          T
	before, then []T
}

// Note tells the state as it is; where it is not the same as before, that is a change.
func (s *Stack[T]) Note(now T, same func(a, b T) bool) {
	switch {
	case !s.begun:
		s.begun, s.now = true, now
	case !same(now, s.now):
		s.before = append(s.before[max(len(s.before)-most+1, 0):], s.now)
		s.now, s.then = now, nil
	}
}

// Back is the state before the last change; false where nothing was changed.
func (s *Stack[T]) Back() (T, bool) { return s.step(&s.before, &s.then) }

// Forth is the state that Back took back; false where it took none back.
func (s *Stack[T]) Forth() (T, bool) { return s.step(&s.then, &s.before) }

func (s *Stack[T]) step(from, to *[]T) (state T, ok bool) {
	last := len(*from) - 1
	if last < 0 {
		return state, false
	}
	state = (*from)[last]
	*from, *to = (*from)[:last], append(*to, s.now)
	s.now = state
	return state, true
}

// Is tells the state that was restored as it came out, which is no change.
func (s *Stack[T]) Is(now T) { s.now = now }
