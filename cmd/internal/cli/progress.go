package cli

import (
	"fmt"
	"time"
)

// progress tells on stderr how far a run of pages has come: in place on a
// terminal, else once every few seconds, and at the end.
type progress struct {
	a       *app
	on      bool
	place   bool // the line is written again in place
	pages   int
	records int
	started time.Time
	told    time.Time
}

// progressPause is how long is waited between two lines in a log.
const progressPause = 5 * time.Second

func (a *app) newProgress(on bool) *progress {
	now := a.now()
	return &progress{a: a, on: on, place: isTerminal(a.stderr), started: now, told: now}
}

// page counts a page; records is how many there are by now.
func (p *progress) page(records int) {
	p.pages++
	p.records = records
	now := p.a.now()
	switch {
	case !p.on:
	case p.place:
		fmt.Fprintf(p.a.stderr, "\r%s\x1b[K", p.text())
	case now.Sub(p.told) >= progressPause:
		p.told = now
		p.a.say("%s", p.text())
	}
}

func (p *progress) text() string {
	pages := "1 page"
	if p.pages != 1 {
		pages = fmt.Sprintf("%d pages", p.pages)
	}
	return fmt.Sprintf("%s, %d records", pages, p.records)
}

// end tells the outcome.
func (p *progress) end(err error) {
	if !p.on || p.pages == 0 && err != nil {
		return
	}
	if p.place {
		fmt.Fprint(p.a.stderr, "\r\x1b[K")
	}
	word := ""
	if err != nil {
		word = " until it stopped"
	}
	p.a.say("%s in %s%s", p.text(), p.a.now().Sub(p.started).Round(time.Millisecond), word)
}
