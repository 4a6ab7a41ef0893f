// Package fetch is the feature that fetches several pages of a run, all of them, or
// until a row holds something. How pages are followed is client/answer. It imports
// no other dialog and not the root.
package fetch

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
)

// Feature is fetching pages.
type Feature struct{ dialog.Host }

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "page.fetch", After: "page.previous", In: action.InResponse, Keys: []string{"m"},
		Label: "more pages", Help: "Fetch several pages, all of them, or until a row holds a text", Footer: 7,
		Disabled: func() string { return f.Response().NoMorePages() }, Do: f.open}}
}

// open asks how many pages are to be fetched.
func (f *Feature) open() intent.Intent {
	item := func(title, detail string, do func() intent.Intent) overlay.Item {
		return overlay.Item{Title: title, Detail: detail, Value: intent.Then{F: do}}
	}
	to := func(l answer.Limits) func() intent.Intent { return func() intent.Intent { return f.fetch(l) } }
	items := []overlay.Item{
		item("5 more pages", "Fetch five pages and show all pages as one table.", to(answer.Limits{Pages: 5})),
		item("All pages", "Fetch to the last page. ctrl+c stops it and keeps what came.", to(answer.Limits{})),
		item("So many pages…", "Type how many pages to fetch.", func() intent.Intent {
			return f.askCount("pages", func(n int) answer.Limits { return answer.Limits{Pages: n} })
		}),
		item("So many rows…", "Type how many more rows are wanted; whole pages are fetched.", func() intent.Intent {
			return f.askCount("rows", func(n int) answer.Limits { return answer.Limits{Rows: n} })
		}),
		item("Until a row holds…", "Fetch until a page holds a row with a text, or one that meets a condition.",
			f.askUntil),
	}
	if why := f.Response().LeadsNowhere(); why != "" {
		items = append([]overlay.Item{item("The next page, all the same", why, func() intent.Intent {
			return intent.NextPage{Op: f.Response().Last().Next.Op}
		})}, items...)
	}
	l := &overlay.List{Heading: "Fetch more pages", Source: overlay.Static(items)}
	return intent.Push{Overlay: l}
}

func (f *Feature) askCount(what string, limits func(int) answer.Limits) intent.Intent {
	count := func(v string) (int, error) { return strconv.Atoi(strings.TrimSpace(v)) }
	p := overlay.NewPrompt("How many "+what, "A whole number. ctrl+c stops and keeps what came.", "10",
		func(v string) intent.Intent {
			n, _ := count(v) // checked below
			return f.fetch(limits(n))
		})
	p.Check = func(v string) string {
		n, err := count(v)
		return action.Reason(err != nil || n < 1, "type a whole number from 1")
	}
	return intent.Push{Overlay: p}
}

func (f *Feature) askUntil() intent.Intent {
	const about = "A text in any value, or a condition that begins with a dot, such as .balance > 1000; " +
		"the fetching ends with the page that has it."
	p := overlay.NewPrompt("Until a row holds", about, "", func(v string) intent.Intent {
		until, err := answer.Until(v)
		if err != nil {
			return intent.Failed(err)
		}
		return f.fetch(answer.Limits{Until: until})
	})
	p.Check = func(v string) string {
		if v == "" {
			return "type a text, or esc to leave"
		}
		if _, err := answer.Until(v); err != nil {
			return err.Error()
		}
		return ""
	}
	return intent.Push{Overlay: p}
}

// fetch continues the run, page after page, beside the update loop. What came
// before stays, so a run that stopped continues where it was.
func (f *Feature) fetch(limits answer.Limits) intent.Intent {
	if why := f.Response().NoMorePages(); why != "" {
		return intent.Say{Text: why, Bad: true}
	}
	task := f.task(limits)
	return intent.All{intent.Focus{Pane: intent.Response}, f.Response().Together(true), task}
}

// task fetches pages and hands each to the response as it comes.
func (f *Feature) task(limits answer.Limits) intent.Task {
	res, ex, now := f.Response(), f.Session().Service, f.Now
	ask, ledger, shown, started := res.Last().Question, res.NewLedger(), res.PageCount(), now()
	shelf, last := res.Shelf(), res.Last()
	return intent.Task{Lane: intent.Running, What: "fetching pages", Stops: "stops and keeps them",
		Stopped: func() intent.Intent {
			t := "Stopped: " + quantity.Count(res.PageCount(), "page is", "pages are") + " kept, m goes on"
			res.Stopped(t)
			return intent.Say{Text: t}
		},
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			var due *answer.Page
			far := dialog.NewPageProgress(ctx, now, shown, 0)
			run := answer.Fetcher{Ask: shelf.Of(answer.AskOf(ex, ask.Target)), Run: ledger(), Now: now,
				OnPage: func(p answer.Entry, _ int) error {
					last = p.Of(ask).PrepareBehind(last)
					due = last
					return nil
				},
				Progress: func(at answer.Progress) {
					far.Tell(at)
					if page := due; page != nil {
						due = nil
						intent.Post(ctx, func() intent.Intent { return res.Append(page) })
					}
				}}
			out, err := run.Fetch(far.Observed(ctx), limits)
			return func() intent.Intent { return f.ended(out, err, started) }, nil
		}}
}

// ended says how a run of many pages ended.
func (f *Feature) ended(out answer.Outcome, err error, since time.Time) intent.Intent {
	t := fmt.Sprintf("%s came, %s", quantity.Count(out.Pages, "page", "pages"), quantity.Count(out.Rows, "row", "rows"))
	switch {
	case out.Pages == 0 && out.Stop == answer.StopVerdict:
		t = "nothing was fetched, as it would lead nowhere; " + response.Insists + ": " + out.Why
	case err != nil:
		t += "; then it failed: " + client.AsError(err).Error() + ". m goes on where it stopped"
	case out.Complete():
		t += "; that was the last page"
	default:
		t += "; " + out.Why
	}
	if err != nil {
		f.Response().Stopped(t)
	}
	if out.Stop == answer.StopCondition {
		f.Response().ShowRow(out.Met)
	}
	bad := err != nil || out.Stop == answer.StopVerdict
	return intent.All{intent.Notify{Since: since, Text: t}, intent.Say{Text: t, Bad: bad}}
}
