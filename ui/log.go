package ui

import (
	"time"

	"patchbay/ui/result"
)

// logKind tells the lines of the log apart.
type logKind string

const (
	logCall    logKind = "call"
	logNote    logKind = "note"
	logProblem logKind = "problem"
)

// logKept is how many lines the log keeps.
const logKept = 500

// entry is one line of the log; page reopens the answer of a call.
type entry struct {
	at   time.Time
	kind logKind
	text string
	page *result.Page
}

// log is what the program did, oldest first.
type log struct{ entries []entry }

func (l *log) add(at time.Time, k logKind, t string, p *result.Page) {
	l.entries = append(l.entries, entry{at, k, t, p})
	if n := len(l.entries); n > logKept {
		l.entries = append(l.entries[:0], l.entries[n-logKept:]...)
	}
}
