// Package run is the feature that opens the form of an action, sends what it
// holds, after asking where that writes, and shows what the run does until its
// answer is there. It imports no other feature and not the root.
package run

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/download"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Feature opens and sends.
type Feature struct {
	dialog.Host
	// Leaving is called before another action is opened.
	Leaving func()
	// Save keeps the place and what its form holds.
	Save func() intent.Intent
	// Answered keeps an answer.
	Answered func(*answer.Page) intent.Intent

	// attempts are those of the run under way.
	attempts *dialog.Attempts
	// fetching is the download under way; nil without one.
	fetching *fetching
	// doubted is the call that shows whether a write that was stopped was carried out.
	doubted *client.Look
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{
		{ID: "run", In: action.InAny, Keys: []string{"r"}, Label: "run", Footer: 1,
			Help: "Send the request as it stands in the form", Disabled: f.refused, Do: action.Asks(intent.Run{})},
		{ID: "run.typing", In: action.InAny, Keys: []string{"ctrl+j", "ctrl+enter", "f5"}, Label: "run", Typing: true,
			Help: "Send the request, also while typing", Disabled: f.refused, Do: action.Asks(intent.Run{})},
		{ID: "run.force", In: action.InAny, Keys: []string{"ctrl+r"}, Label: "run anyway",
			Help: "Send the request although checks found something wrong", Disabled: f.Request().Missing,
			Do: action.Asks(intent.Run{Force: true})},
		{ID: "look", In: action.InResponse, Keys: []string{"enter"}, Label: "look", Footer: 1,
			Help:     "Open the call that shows whether a change of unknown outcome was made",
			Disabled: f.nothingUnsure, Do: f.look},
	}
}

// refused says why what the form holds cannot be sent.
func (f *Feature) refused() string {
	r := f.Request()
	if why := r.Missing(); why != "" {
		return why
	}
	c, a, s := r.Connector(), r.Action(), f.Session()
	switch {
	case c.ID == "" && !c.Local:
		return "this connector has no id, so it cannot be called"
	case s.ReadOnly && a.Writes():
		return "profile " + s.Name + " is read-only, so " + a.Name + " is refused"
	case c.Local && a.HostedOnly:
		return a.Name + " exists only in the hosted service; this connector is called directly"
	}
	return ""
}

// Open shows the form of an action and remembers the place before.
func (f *Feature) Open(in intent.OpenAction) intent.Intent {
	if in.Connector.Kind == "" {
		return intent.Say{Bad: true, Text: "The catalog does not know connectors of type " + in.Connector.Type +
			", so there is no form for it"}
	}
	k, e, a, err := f.Catalog().Resolve(in.Connector.Kind, in.Entity, in.Action)
	switch {
	case err != nil:
		return intent.Failed(err)
	case a == nil:
		return intent.Reveal{Connector: in.Connector, Entity: in.Entity}
	}
	c, entity, name := f.Request().Place()
	isOpen := f.Request().HasAction() && c.ID == in.Connector.ID && c.Name == in.Connector.Name &&
		c.Workspace == in.Connector.Workspace && c.Local == in.Connector.Local &&
		entity == in.Entity && name == in.Action
	if in.Params == nil && !in.Run && isOpen {
		return intent.Focus{Pane: intent.Request} // the form and its answer stay
	}
	show := func() intent.Intent {
		f.Leaving()
		f.Forget()
		filled := f.Session().Filled(in.Connector.Target(""))
		problem := f.Request().Open(in.Connector, k, e, a, in.Params, filled)
		f.Response().Clear(k, e, a)
		f.Response().Refused(f.refused())
		all := intent.All{intent.Focus{Pane: intent.Request, Narrow: true}, f.Save()}
		if problem != "" {
			all = append(all, intent.Say{Text: problem, Bad: true})
		}
		if in.Run {
			all = append(all, intent.Run{})
		}
		return all
	}
	return intent.All{intent.Stop{Lane: intent.Running}, intent.Then{F: show}}
}

// Forget forgets the write whose outcome is unknown: another place is shown.
func (f *Feature) Forget() { f.doubted = nil }

// Run sends what the form holds, after asking when it writes; force sends it
// although checks failed.
func (f *Feature) Run(force bool) intent.Intent {
	if why := f.refused(); why != "" {
		return intent.Say{Text: why, Bad: true}
	}
	r := f.Request()
	r.EndTyping()
	op, problem := r.Operation()
	op.Unchecked = force
	if problem != "" && !force {
		return intent.All{intent.Focus{Pane: intent.Request},
			intent.Say{Text: problem + "  (ctrl+r sends it anyway)", Bad: true}}
	}
	if catalog.Writes(op.Action, r.Action()) {
		return intent.All{intent.Unsay{}, intent.Push{Overlay: f.confirm(op)}}
	}
	return intent.All{intent.Unsay{}, f.Send(op, false)}
}

// nothingDocumented is what the documentation says of actions without params.
const nothingDocumented = "No params are documented."

// confirm asks before a write.
func (f *Feature) confirm(op client.Operation) overlay.Overlay {
	a, c := f.Request().Action(), f.Request().Connector()
	where := "the hosted service"
	switch {
	case c.Local:
		where = "the third-party API"
	case f.Session().Sandbox:
		where = "the sandbox (generated data)"
	}
	verb := strings.ToUpper(op.Action[:1]) + op.Action[1:]
	lines := []string{verb + " " + op.Entity + " on " + c.Name + " through " + where + "."}
	if len(op.Params) > 0 {
		lines = append(lines, "params "+text.Short(string(op.Params), 400))
	} else {
		lines = append(lines, "No param is set.")
	}
	if a.Destructive {
		lines = append(lines, "This may lose data for good.")
	}
	for _, note := range a.Notes {
		if note.Text != nothingDocumented { // that is of the documentation, not of this call
			lines = append(lines, note.Text)
		}
	}
	if f.shows() != nil {
		lines = append(lines, "Of the one before "+unsure+".")
	}
	lines = append(lines, "It is sent once and never repeated by itself.")
	return &overlay.Confirm{Heading: "This changes data", Text: lines, Yes: "Yes, send it", No: "No", Danger: true,
		Strict: a.Destructive,
		Not:    intent.Say{Text: "Not sent: " + op.Entity + " " + op.Action + ". The params are still in the form"},
		Do:     intent.Then{F: func() intent.Intent { return f.Send(op, false) }}}
}

// Send sends an operation; its answer is a page more of the run where more is set.
func (f *Feature) Send(op client.Operation, more bool) intent.Intent {
	ask := dialog.Question(f, op)
	if !more {
		f.Response().Start(ask)
	}
	f.fetching, f.doubted = nil, nil
	if op.Action == catalog.ActionDownload && !catalog.Windowed(op.Params) {
		return intent.All{intent.Focus{Pane: intent.Response}, f.Save(), f.download(ask, download.Spooled())}
	}
	ex, now, seen, started := f.Session().Service, f.Now, &dialog.Attempts{}, f.Now()
	f.attempts = seen
	send := answer.AskOf(ex, ask.Target)
	if more {
		send = f.Response().Shelf().Of(send)
	}
	what := "asked " + op.Entity + " " + op.Action + " on " + f.Request().Connector().Name
	task := intent.Task{Lane: intent.Running, What: what, Awaited: !more,
		Undo:    f.Response().Canceled,
		Stopped: func() intent.Intent { return f.stopped(ask) },
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			observed := dialog.Observed(ctx, func(e client.Event) { seen.Note(e, now()) })
			env, err := send(observed, ask.Op)
			page := answer.NewPage(ctx, ask, env, err)
			return func() intent.Intent { return f.got(page, more, started) }, nil
		}}
	return intent.All{intent.Focus{Pane: intent.Response}, f.Save(), task}
}

// got shows the answer of the run; the params stay in the form whatever came.
func (f *Feature) got(page *answer.Page, more bool, started time.Time) intent.Intent {
	f.attempts = nil
	done := intent.All{f.Response().Add(page, more), intent.Log{Page: page},
		intent.Notify{Since: started, Text: page.Headline()}, f.Answered(page)}
	if e := page.Err; e != nil && !more && e.Class == client.ClassInvalid && e.Layer != client.LayerProgram {
		words := fmt.Sprintf("the %s refused it with %d: %s", e.Layer, e.Status, cmp.Or(e.Server, e.Message))
		if f.Request().Refuse(e.Field, words+"  (3 shows the whole answer)") {
			done = append(done, intent.Focus{Pane: intent.Request})
		}
	}
	if page.Env != nil && page.Env.HoldsSecret {
		done = append(done, intent.Say{Text: client.SecretSeen, Bad: true})
	}
	return done
}

// Facts tell of a run that began at a time, in the frame of the response.
func (f *Feature) Facts(started time.Time) string {
	t := fmt.Sprintf("running %.1f s", f.Now().Sub(started).Seconds())
	if n := f.attempts.Seen().Retries; n > 0 {
		t += fmt.Sprintf(", attempt %d", n+1)
	}
	return t
}

// Received is how much of the answer came, of how much; total is 0 while that is
// not known.
func (f *Feature) Received() (got, total int64) {
	if f.fetching != nil {
		return f.fetching.file.Progress()
	}
	last := f.attempts.Seen().Last
	return last.Bytes, last.Total
}

// Lines are what the response shows while an answer is awaited, w cells wide.
func (f *Feature) Lines(started time.Time, w int, s *style.Styles, o style.Options) []text.Safe {
	seen, now := f.attempts.Seen(), f.Now()
	elapsed := now.Sub(started)
	what, stops := text.Safe(" waiting for the answer"), text.Safe("ctrl+c cancels")
	if f.fetching != nil {
		what, stops = text.Sanitize(" downloading "+f.fetching.what), "ctrl+c stops and keeps what came"
	}
	lines := []text.Safe{"", " " + s.Accent.Render(spinner(elapsed, o)+what) +
		s.Muted.Render(text.Sprintf("  %.1f s", elapsed.Seconds()))}
	switch {
	case seen.Waits():
		told := text.Sprintf("%s; trying again in %.0f s", seen.Failed(),
			max(seen.Until.Sub(now), 0).Seconds())
		lines = append(lines, " "+s.Warning.Render(text.Truncate(told, w-2)))
	case f.fetching != nil:
		lines = append(lines, f.fileLines(elapsed, w, s)...)
	case seen.Last.Kind == "progress" && seen.Last.Bytes > 0:
		lines = append(lines, " "+s.Muted.Render(received(seen.Last.Bytes, seen.Last.Total, elapsed)))
	}
	return append(lines, "", " "+s.Muted.Render(stops))
}

func received(got, total int64, elapsed time.Duration) text.Safe {
	t := text.Size(got) + " received"
	if total > 0 {
		t += text.Sprintf(" of %s, %d%%", text.Size(total), got*100/total)
	}
	if sec := elapsed.Seconds(); sec > 0.5 {
		t += ", " + text.Size(int64(float64(got)/sec)) + "/s"
	}
	return t
}

var spinnerFrames = [...]text.Safe{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// spinTime is how long a picture of the spinner stands.
const spinTime = 100 * time.Millisecond

func spinner(elapsed time.Duration, o style.Options) text.Safe {
	if o.Still {
		return "…"
	}
	n := int(elapsed / spinTime)
	if o.ASCII {
		return [...]text.Safe{"|", "/", "-", `\`}[n%4]
	}
	return spinnerFrames[n%len(spinnerFrames)]
}

// Note takes an event of the run under way.
func (f *Feature) Note(e client.Event) { f.attempts.Note(e, f.Now()) }
