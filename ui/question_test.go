package ui

import (
	"testing"
	"time"
)

// A letter of what was typed ahead sends no write; an answer to the question does.
func TestTypedAheadTextAnswersNothing(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	at := testNow
	p.m.deps.Now, p.m.answerPause = func() time.Time { return at }, answerPause
	wait := func(d time.Duration) { at = at.Add(d) }
	p.open("payments", "customers", "create")
	p.keys("r", "y")
	p.wants("This changes data", "No param is set.")
	p.lacks("No params are documented.")
	for _, letter := range []string{"a", "d", "a", "y"} { // letters come and continue
		wait(200 * time.Millisecond)
		p.keys(letter)
	}
	p.wants("This changes data")
	p.keys("esc")
	p.wants("Not sent: customers create")
	p.keys("r")
	wait(answerPause)
	p.keys("y")
	p.wants("200 · 1 row")
}
