package run

import (
	"context"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/document"
	"patchbay/client/download"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// fetching is a download under way.
type fetching struct {
	file *download.File
	what string
	// from is how much was there when it began.
	from int64
}

// NoResume says why what is missing of the file shown cannot be fetched; "" when it can.
func (f *Feature) NoResume() string {
	page := f.Response().Page()
	switch {
	case page == nil || page.File == nil:
		return "there is no file here: a download brings one"
	case page.Target.Profile != f.Session().Name:
		return "the file came through the profile " + page.Target.Profile + ": open that first"
	}
	return page.File.NoResume(page.Op)
}

// Resume fetches what is missing of the file shown.
func (f *Feature) Resume() intent.Intent {
	page := f.Response().Page()
	return f.download(page.Question, page.File.File)
}

// download fetches a file, or what is missing of it. What came when it is stopped is kept.
func (f *Feature) download(ask answer.Question, file *download.File) intent.Task {
	ex, now, seen, started := f.Session().Service, f.Now, &dialog.Attempts{}, f.Now()
	under := &fetching{file: file, what: ask.Op.Entity, from: file.Store.Size()}
	f.attempts, f.fetching = seen, under
	return intent.Task{Lane: intent.Running, What: "downloading " + ask.Op.Entity, Awaited: true, Tells: true,
		Stops: "stops and keeps what came", Unwritten: "A download is under way and ends then.",
		Undo: func() { f.ended(under); f.Response().Canceled() },
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			observed := dialog.Observed(ctx, func(e client.Event) { seen.Note(e, now()) })
			env, err := file.Fetch(observed, ex, ask.Target, ask.Op)
			page := document.Downloaded(ctx, ask, file, env, err)
			if page.Err != nil && page.Err.Class == client.ClassCanceled {
				return nil, context.Canceled
			}
			return func() intent.Intent { return f.gotFile(under, page, started) }, nil
		}}
}

// ended forgets a download, unless a newer run took its place.
func (f *Feature) ended(under *fetching) (newest bool) {
	if f.fetching != under {
		return false
	}
	f.fetching = nil
	return true
}

// gotFile shows a file as far as it came.
func (f *Feature) gotFile(under *fetching, page *answer.Page, started time.Time) intent.Intent {
	if !f.ended(under) {
		return intent.Log{Page: page}
	}
	in := f.got(page, false, started)
	if page.File != nil && !page.File.Whole() {
		return intent.All{in, intent.Say{Text: "What came is kept: c fetches the rest"}}
	}
	return in
}

// fileLines are what the response shows while a file comes, w cells wide.
func (f *Feature) fileLines(elapsed time.Duration, w int, s *style.Styles) []text.Safe {
	have, total := f.fetching.file.Progress()
	told := text.Size(have) + " received"
	if total > 0 {
		told += text.Sprintf(" of %s, %d%%", text.Size(total), have*100/total)
	}
	if sec := elapsed.Seconds(); sec > 0.5 && have > f.fetching.from {
		rate := float64(have-f.fetching.from) / sec
		told += ", " + text.Size(int64(rate)) + "/s"
		if total > 0 {
			told += text.Sprintf(", %.0f s left", float64(total-have)/rate)
		}
	}
	lines := []text.Safe{" " + s.Muted.Render(text.Truncate(told, w-2))}
	if room := min(w-2, 60); total > 0 && room > 4 {
		lines = append(lines, " "+progressBar(have, total, room, s))
	}
	return lines
}

// progressBar is a bar of w cells.
func progressBar(have, total int64, w int, s *style.Styles) text.Safe {
	full, empty := text.Safe("█"), text.Safe("░")
	if s.ASCII {
		full, empty = "#", "."
	}
	n := int(min(have*int64(w)/total, int64(w)))
	return s.Accent.Render(text.Repeat(full, n)) + s.Muted.Render(text.Repeat(empty, w-n))
}
