// Package call is the feature that shows a call exactly as it would be sent, copies
// it the way people run it elsewhere, and takes such a text back into the form. How
// calls are written and read is client/payload. It imports no other dialog and not
// the root.
package call

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/payload"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// Feature is the calls as texts.
type Feature struct {
	dialog.Host
	// Listen makes the built-in sandbox reachable for other programs, so that copied
	// calls run unchanged, and returns its address; it may be nil.
	Listen func() (string, error)
	// address is where the sandbox can be reached; "" until it listens.
	address string
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	missing := func() string { return f.Request().Missing() }
	return []action.Row{
		{ID: "preview", After: "cancel", In: action.InAny, Keys: []string{"P"}, Label: "preview",
			Help: "Show the exact request before it is sent", Disabled: missing, Do: f.preview},
		{ID: "copy.call", In: action.InAny, Keys: []string{"Y"}, Label: "copy call", Footer: 6,
			Help: "Copy the call as JSON, curl, CLI, Python or Go", Disabled: missing, Do: f.copyAs},
		{ID: "copy.describe", In: action.InAny, Label: "copy description call", Disabled: f.undescribed,
			Help: "Copy the call that asks what the connector supports", Do: f.describeAs},
	}
}

// shown is a call that can be copied: that of the form, or the one that brought
// the page on the screen.
type shown struct {
	// title and note say which, in full and in short.
	title, note string
	target      client.Target
	op          client.Operation
}

// id tells calls apart.
func (c shown) id() string { return answer.CallID("", c.target, c.op) }

// calls are those that can be copied. The page has its own where its params are
// others than those of the form, as from its second page on.
func (f *Feature) calls() []shown {
	profile := f.Session().Name
	op, _ := f.Request().Operation()
	form := shown{title: "The form", note: "the form", target: f.Request().Connector().Target(profile), op: op}
	p := f.Response().Page()
	if p == nil || p.Document != nil || p.Op.Action == "" || p.Target.Profile != profile {
		return []shown{form}
	}
	n := fmt.Sprintf("page %d", f.Response().PageNumber())
	page := shown{title: "This page, " + n + " of the answer", note: n, target: p.Target, op: p.Op}
	switch {
	case page.id() == form.id():
		return []shown{form}
	case f.Focus() == intent.Request:
		return []shown{form, page}
	}
	return []shown{page, form}
}

// preview shows the exact request of the form.
func (f *Feature) preview() intent.Intent {
	op, problem := f.Request().Operation()
	req, err := f.Session().Service.Preview(f.Request().Connector().Target(f.Session().Name), op)
	if err != nil {
		return intent.Say{Text: client.AsError(err).Error(), Bad: true}
	}
	var body []overlay.Line
	if problem != "" {
		body = append(body, overlay.Line{Text: "Not valid yet: " + problem, Tone: overlay.Warn}, overlay.Line{})
	}
	if first := f.calls()[0]; first.note != "the form" {
		which := "This is the call of the form. That of " + first.note + " is in the view Wire, and Y copies either."
		body = append(body, overlay.Line{Text: which, Tone: overlay.Dim}, overlay.Line{})
	}
	if f.address != "" {
		req.URL = f.reachable(req.URL)
	}
	body = append(body, dialog.RequestLines(req)...)
	if f.opens() && f.address == "" {
		body = append(body, overlay.Line{Tone: overlay.Dim, Text: "The sandbox answers inside this program and " +
			"listens nowhere yet: when a call is copied, a port is opened and its address stands in the copy."})
	}
	return intent.Push{Overlay: &overlay.Reader{Heading: "The exact request", Body: body, CopyWhat: "request",
		Wide: true, KeyHelp: "Y copy as…",
		Keys: map[string]intent.Intent{"Y": intent.All{intent.Close{}, intent.Do{ID: "copy.call"}}}}}
}

// Paste gives pasted text to the form: into the field that is typed into, else as
// the params of a call.
func (f *Feature) Paste(t string) intent.Intent {
	r := f.Request()
	switch {
	case !r.HasAction():
		return intent.Say{Text: "choose an action first, then paste its params", Bad: true}
	case r.Typing():
		r.Paste(t)
		return nil
	}
	read, err := payload.ReadFor(r.Kind(), t)
	if err != nil {
		return intent.Failed(err)
	}
	op := read.Operation
	if read.Create != nil || op.Action == payload.Describe {
		return intent.Say{Text: "the pasted " + read.Format + " is no call of an entity", Bad: true}
	}
	if op.Entity != "" && (op.Entity != r.Entity().Name || op.Action != r.Action().Name) {
		return f.elsewhere(read.Format, op)
	}
	if err := r.SetParams(op.Params); err != nil {
		return intent.Failed(err)
	}
	said := append([]string{"params taken from the pasted " + read.Format}, read.Notes...)
	return intent.Say{Text: strings.Join(said, ". ")}
}

// elsewhere asks what to do with a pasted call of another action.
func (f *Feature) elsewhere(format string, op client.Operation) intent.Intent {
	r := f.Request()
	if e := r.Kind().Entity(op.Entity); e == nil || e.Action(op.Action) == nil {
		t := fmt.Sprintf("the pasted %s calls %s %s, which this connector does not have", format, op.Entity, op.Action)
		return intent.Say{Text: t, Bad: true}
	}
	return intent.Push{Overlay: &overlay.Confirm{Heading: "A call of another action", Yes: "Go there", No: "Stay",
		Text: []string{"The pasted text calls " + op.Entity + " " + op.Action +
			". Open its form, filled from the text? The form here stays as it is until then."},
		Do: intent.OpenAction{Connector: r.Connector(), Entity: op.Entity, Action: op.Action, Params: op.Params}}}
}

// copyAs lists the formats that a call can be copied in.
func (f *Feature) copyAs() intent.Intent {
	return f.list("Copy the call as", f.calls())
}

// describeAs lists the formats of the call that asks what the connector supports.
func (f *Feature) describeAs() intent.Intent {
	c := f.connector()
	return f.list("Copy the description call of "+c.Name+" as",
		[]shown{{target: c.Target(f.Session().Name), op: client.Operation{Action: payload.Describe}}})
}

// connector is the hosted one under the cursor of the tree, else that of the form.
func (f *Feature) connector() client.Connector {
	if n := f.Tree().Current(); f.Focus() == intent.Tree && n != nil && n.Connector.ID != "" {
		return n.Connector
	}
	return f.Request().Connector()
}

// undescribed says why no description can be copied; "" when one can.
func (f *Feature) undescribed() string {
	if c := f.connector(); c.ID == "" || c.Local {
		return "only connectors of a service describe themselves"
	}
	return ""
}

// text is what a call is written from.
func (f *Feature) text(c shown, req *client.Request) payload.Input {
	in := f.Session().Text()
	in.Operation, in.Target, in.Request = c.op, c.target, req
	in.Kind, _ = f.Catalog().Kind(c.target.Kind)
	list := f.Tree().Connectors()
	for _, known := range list {
		if known.ID == c.target.ConnectorID && !known.Local {
			in.ConnectorType, in.Twin = known.Type, payload.HasTwin(list, known)
		}
	}
	return in
}

// list lists the formats that calls can be copied in. What is seen there names
// variables; what is copied has the credentials that everybody knows.
func (f *Feature) list(heading string, calls []shown) intent.Intent {
	s := f.Session()
	curl, _ := payload.ByName("curl") // what most people want stands at the top
	formats := append([]payload.Format{curl}, slices.DeleteFunc(payload.Formats(),
		func(o payload.Format) bool { return o.Name == curl.Name })...)
	var items []overlay.Item
	for _, c := range calls {
		req, refused := s.Service.Preview(c.target, c.op)
		in := f.text(c, req)
		for _, format := range formats {
			it := overlay.Item{Title: format.Title}
			if len(calls) > 1 {
				it.Group, it.Note = c.title, c.note
			}
			if refused != nil {
				it.Disabled = refused.Error()
			} else if seen, copied, err := dialog.Written(format, in); err != nil {
				it.Disabled = err.Error()
			} else {
				it.Detail, it.Value = f.reachable(seen), f.Copy(copied, format.Title)
			}
			items = append(items, it)
		}
	}
	return intent.Push{Overlay: &overlay.List{Heading: heading, Prompt: "curl, json, …", Wide: true, Preview: true,
		Help: "enter copies what stands below · esc closes", Source: overlay.Static(items)}}
}

// opens reports whether a port is opened for what is copied.
func (f *Feature) opens() bool { return f.Session().Sandbox && f.Listen != nil }

// reachable puts the address at which the sandbox listens into a text; until it
// does, a word stands for the port.
func (f *Feature) reachable(t string) string {
	base := f.Session().BaseURL
	u, err := url.Parse(base)
	switch {
	case !f.opens() || err != nil:
		return t
	case f.address != "":
		return strings.ReplaceAll(t, base, f.address)
	}
	return strings.ReplaceAll(t, u.Host, u.Hostname()+":PORT")
}

// Copy copies a call, with the address at which it is answered.
func (f *Feature) Copy(t, what string) intent.Intent {
	if !f.opens() {
		return intent.Copy{Text: t, What: what}
	}
	base := f.Session().BaseURL
	return dialog.Quiet(func() (func() intent.Intent, error) {
		address, err := f.Listen()
		if err != nil {
			return nil, fmt.Errorf("the sandbox could not listen on a loopback port: %w", err)
		}
		return func() intent.Intent {
			f.address = address
			return intent.All{intent.Log{Text: "the sandbox now listens on " + address + " so that copied calls run"},
				intent.Copy{Text: strings.ReplaceAll(t, base, address), What: what,
					Note: "; while patchbay runs, the sandbox listens on " + address}}
		}, nil
	})
}
