package cli

import (
	"fmt"
	"strings"
	"time"

	"patchbay/client/pages"
)

// progress tells on stderr how far a run of pages has come: in place on a
// terminal, whose own progress report it sets too, else once every few seconds;
// and at the end.
type progress struct {
	a       *app
	on      bool
	place   bool // the line is written again in place
	pages   int
	records int
	started time.Time
	told    time.Time
	// report is what the terminal's own progress report was set to.
	report string
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
}

// tell says how far the run is, after a page was counted.
func (p *progress) tell(far pages.Progress) {
	now := p.a.now()
	switch {
	case !p.on:
	case p.place:
		fmt.Fprintf(p.a.stderr, "\r%s%s\x1b[K", p.bar(far), p.far(far))
	case now.Sub(p.told) >= progressPause:
		p.told = now
		p.a.say("%s", p.far(far))
	}
}

// The terminal's own progress report: a share, one that is not known, none.
const (
	barShare   = "\x1b]9;4;1;%d\x07"
	barUnknown = "\x1b]9;4;3\x07"
	barNone    = "\x1b]9;4;0\x07"
)

// bar is what sets the terminal's own progress report; nothing where it is set.
func (p *progress) bar(far pages.Progress) string {
	report := barUnknown
	if share, known := far.Share(); known {
		report = fmt.Sprintf(barShare, int(share*100))
	}
	if report == p.report {
		return ""
	}
	p.report = report
	return report
}

func (p *progress) text() string {
	pages := "1 page"
	if p.pages != 1 {
		pages = fmt.Sprintf("%d pages", p.pages)
	}
	return fmt.Sprintf("%s, %d records", pages, p.records)
}

// far is text with the rate, and with the whole and the rest where they are known.
func (p *progress) far(far pages.Progress) string {
	parts := []string{p.text()}
	if far.Total > 0 {
		parts[0] += fmt.Sprintf(" of %d", far.Total)
	}
	if far.RowsPerSecond > 0 {
		parts = append(parts, fmt.Sprintf("%.0f records/s", far.RowsPerSecond))
	}
	if far.Left > 0 {
		parts = append(parts, "about "+far.Left.Round(time.Second).String()+" left")
	}
	return strings.Join(parts, ", ")
}

// end tells the outcome.
func (p *progress) end(err error) {
	if p.report != "" {
		fmt.Fprint(p.a.stderr, barNone)
	}
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
