package ui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/pages"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// fetchedPage is a page that a run of many brought, and how far the run is.
type fetchedPage struct {
	page *result.Page
	far  pages.Progress
}

// fetchedPageMsg is a page of a run of many; the run goes on.
type fetchedPageMsg struct {
	call int
	fetchedPage
}

// fetchDoneMsg is the end of a run of many pages.
type fetchDoneMsg struct {
	call int
	out  pages.Outcome
	err  error
}

// fetchAhead is how many pages may wait for the screen.
const fetchAhead = 64

// openFetch asks how many pages are to be fetched.
func (m *Model) openFetch() tea.Cmd {
	item := func(title, detail string, do func() tea.Cmd) overlay.Item {
		return overlay.Item{Title: title, Detail: detail, Value: do}
	}
	limits := func(l pages.Limits) func() tea.Cmd { return func() tea.Cmd { return m.fetch(l) } }
	items := []overlay.Item{
		item("5 more pages", "Fetch five pages and show all pages as one table.", limits(pages.Limits{Pages: 5})),
		item("All pages", "Fetch to the last page. ctrl+c stops it and keeps what came.", limits(pages.Limits{})),
		item("So many pages…", "Type how many pages to fetch.", func() tea.Cmd { return m.askCount("pages") }),
		item("So many rows…", "Type how many more rows are wanted; whole pages are fetched.", func() tea.Cmd { return m.askCount("rows") }),
		item("Until a row holds…", "Fetch until a page holds a row with a text, or one that meets a condition.", m.askUntil),
	}
	return m.push(&overlay.List{Heading: "Fetch more pages", Source: overlay.Static(items), Choose: func(it overlay.Item) intent.Intent {
		return then(it.Value.(func() tea.Cmd))
	}})
}

func (m *Model) askCount(what string) tea.Cmd {
	p := overlay.NewPrompt("How many "+what, "A whole number. ctrl+c stops and keeps what came.", "10", func(v string) intent.Intent {
		n, _ := strconv.Atoi(strings.TrimSpace(v)) // checked below
		l := pages.Limits{Pages: n}
		if what == "rows" {
			l = pages.Limits{Rows: n}
		}
		return then(func() tea.Cmd { return m.fetch(l) })
	})
	p.Check = func(v string) string {
		n, err := strconv.Atoi(strings.TrimSpace(v))
		return reason(err != nil || n < 1, "type a whole number from 1")
	}
	return m.push(p)
}

func (m *Model) askUntil() tea.Cmd {
	p := overlay.NewPrompt("Until a row holds", "A text in any value, or a condition that begins with a dot, such as .balance > 1000; the fetching ends with the page that has it.", "", func(v string) intent.Intent {
		until, err := pages.Until(v)
		if err != nil {
			return intent.Say{Text: err.Error(), Bad: true}
		}
		return then(func() tea.Cmd { return m.fetch(pages.Limits{Until: until}) })
	})
	p.Check = func(v string) string {
		if v == "" {
			return "type a text, or esc to leave"
		}
		if _, err := pages.Until(v); err != nil {
			return text.Sanitize(err.Error())
		}
		return ""
	}
	return m.push(p)
}

// fetch goes on with the run, page after page, beside the update loop. What
// came before stays, so a run that stopped goes on where it was.
func (m *Model) fetch(limits pages.Limits) tea.Cmd {
	if why := m.noMorePages(); why != "" {
		return m.say(why, true)
	}
	last := m.res.Last()
	ask, ledger := last.Question, m.res.NewLedger()
	c, ctx := m.begin()
	c.intoPages, c.many = true, make(chan fetchedPage, fetchAhead)
	m.arr.focus = paneResponse
	show := m.perform(m.res.Together(true))
	return tea.Batch(show, fetchPages(ctx, m.deps.Session.Service, c, ask, ledger, limits, m.deps.Now), nextFetched(c), listen(c), m.startTicking(), m.relayout())
}

func (m *Model) noMorePages() string {
	if why := m.noAnswer(); why != "" {
		return why
	}
	last := m.res.Last()
	switch {
	case last.Document != nil:
		return "this is a file: all of it is here"
	case last.Err != nil:
		return "the call failed, so there is no next page"
	case last.Next.State != pages.More:
		return last.Next.Text()
	}
	return ""
}

// fetchPages runs a fetch to its end.
func fetchPages(ctx context.Context, ex client.Executor, c *call, ask result.Question, ledger func() *pages.Ledger, limits pages.Limits, now func() time.Time) tea.Cmd {
	return func() tea.Msg {
		defer close(c.events)
		defer close(c.many)
		var far pages.Progress
		var due *result.Page
		hand := func() error {
			if due == nil {
				return nil
			}
			select {
			case c.many <- fetchedPage{due, far}:
				due = nil
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		f := pages.Fetcher{Ask: pages.AskOf(ex, ask.Target), Ledger: ledger(), Now: now,
			OnPage:   func(p pages.Page, _ int) error { due = result.Fetched(ask, p); return nil },
			Progress: func(p pages.Progress) { far = p; _ = hand() }, // a cancelled run ends at the next question
		}
		c.out, c.err = f.Fetch(ctx, limits)
		return nil // the end is told behind the last page
	}
}

// nextFetched waits for the next page of a run of many, or its end.
func nextFetched(c *call) tea.Cmd {
	return func() tea.Msg {
		p, ok := <-c.many
		if !ok {
			return fetchDoneMsg{c.id, c.out, c.err}
		}
		return fetchedPageMsg{c.id, p}
	}
}

func (m *Model) gotFetchedPage(msg fetchedPageMsg) tea.Cmd {
	if m.call == nil || msg.call != m.call.id {
		return nil
	}
	m.call.far = msg.far
	m.call.retries = 0
	if m.call.export != nil {
		return nextFetched(m.call)
	}
	return tea.Batch(m.perform(m.res.Append(msg.page)), nextFetched(m.call))
}

func (m *Model) gotFetchDone(msg fetchDoneMsg) tea.Cmd {
	if m.call == nil || msg.call != m.call.id || m.call.export != nil {
		return nil // an export tells its own end
	}
	since := m.call.started
	m.end()
	t := fmt.Sprintf("%s came, %s", text.Count(msg.out.Pages, "page", "pages"), text.Count(msg.out.Rows, "row", "rows"))
	switch {
	case msg.out.Pages == 0 && msg.out.Stop == pages.StopVerdict:
		t = "nothing was fetched, as it would lead nowhere; . asks all the same: " + msg.out.Why
	case errors.Is(msg.err, context.Canceled):
		t += ", then it was stopped; m goes on"
	case msg.err != nil:
		t += "; then it failed: " + client.AsError(msg.err).Error() + ". m goes on where it stopped"
	case msg.out.Complete():
		t += "; that was the last page"
	default:
		t += "; " + msg.out.Why
	}
	if msg.err != nil {
		m.res.Stopped(t)
	}
	if msg.out.Stop == pages.StopCondition {
		m.res.ShowRow(msg.out.Met)
	}
	return tea.Batch(m.notify(since, t), m.say(t, msg.err != nil || msg.out.Stop == pages.StopVerdict), m.relayout())
}

// fetchText is the progress of a run of many pages: rate and rest only where they are known.
func (m *Model) fetchText() string {
	f := m.call.far.At(m.deps.Now().Sub(m.call.started))
	what, pages, have, keeps := "fetching pages", max(f.Pages, m.res.PageCount()), f.Rows, "stops and keeps them"
	if e := m.call.export; e != nil {
		what, pages, have, keeps = "writing "+e.name(), f.Pages, f.Rows+e.have, e.stopText()
	}
	t := fmt.Sprintf("%s: %s, %s", what, text.Count(pages, "page", "pages"), text.Count(have, "row", "rows"))
	if f.Total > 0 {
		t += " of " + text.Digits(f.Total)
	}
	if f.RowsPerSecond > 0 {
		t += fmt.Sprintf(", %.0f rows/s", f.RowsPerSecond)
	}
	if f.Left > 0 {
		t += fmt.Sprintf(", about %s left", f.Left.Round(time.Second))
	}
	if m.call.retries > 0 && !m.call.until.IsZero() {
		t += ", waiting to try again: " + text.Sanitize(m.call.reason)
	}
	return t + " · ctrl+c " + keeps
}
