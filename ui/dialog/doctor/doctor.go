// Package doctor is the feature that finds out what does not work: it examines one
// connector or everything, shows the findings as they come, and marks the connectors
// in the tree. What is looked at is client/doctor. Like every feature it imports no
// other one, and not the root.
package doctor

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/session"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/style"
	"patchbay/ui/tree"
)

// Feature is the examination of connectors.
type Feature struct{ dialog.Host }

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{
		{ID: "connector.check", After: "connector.add", In: action.InTree, Keys: []string{"C"}, Label: "check",
			Footer:   5,
			Help:     "Check the connector under the cursor, or everything: network, token, credentials",
			Disabled: f.missing, Do: f.check},
		{ID: "check.all", In: action.InAny, Label: "check all",
			Help:     "Check everything: settings, network, token, every connector",
			Disabled: f.missing, Do: f.checkAll},
	}
}

// missing says why nothing can be checked; "" when something can.
func (f *Feature) missing() string {
	return action.Reason(f.Session().Examine == nil, "this service offers no check")
}

// check examines the connector under the cursor, or everything.
func (f *Feature) check() intent.Intent {
	n := f.Tree().Current()
	if n == nil || n.Connector.Name == "" {
		return f.checkAll()
	}
	c := n.Connector
	return f.examine(&c, "Check: "+c.Name)
}

// checkAll examines everything.
func (f *Feature) checkAll() intent.Intent {
	return f.examine(nil, "Check: settings, network, token, connectors")
}

// Try checks a connector without showing how, marks it in the tree and says what it
// came to.
func (f *Feature) Try(c client.Connector) intent.Intent {
	examine := f.Session().Examine
	return dialog.Ask("trying the credentials of "+c.Name,
		func(ctx context.Context) (func() intent.Intent, error) {
			var last finding
			if examine == nil {
				return nil, nil
			}
			examine(ctx, &c, func(found finding) {
				if found.Step == "connector" {
					last = found
				}
			})
			return func() intent.Intent { return f.tried(c, last) }, nil
		})
}

// tried marks a connector with what a check found, and says it.
func (f *Feature) tried(c client.Connector, found finding) intent.Intent {
	if m := mark(found); m != "" {
		f.Tree().SetHealth(c, m, health(found))
	}
	says := found.Detail
	if found.Status == doctor.Fail && found.Next != "" {
		says = strings.TrimSuffix(says, ".") + ". " + found.Next
	}
	return intent.Say{Text: c.Name + ": " + says, Bad: found.Status == doctor.Fail}
}

// mark is the short mark in the tree of what was found of a connector; empty where
// that says nothing of its health.
func mark(f finding) string {
	switch {
	case f.Status == doctor.OK:
		return "ok"
	case f.Status == doctor.Warn, f.Verdict == client.VerdictNotTried:
		return "?"
	case f.Status != doctor.Fail:
		return ""
	case f.Verdict == client.VerdictPartly:
		return string(f.Verdict)
	case f.HTTPStatus >= 400:
		return strconv.Itoa(f.HTTPStatus)
	case f.Verdict != "":
		return strings.ReplaceAll(string(f.Verdict), "_", " ")
	}
	return "failed"
}

// health is how what was found of a connector ended; of what was not tried nothing is said.
func health(f finding) style.Outcome {
	switch {
	case f.Status == doctor.Warn, f.Verdict == client.VerdictNotTried:
		return style.NoOutcome
	case f.Verdict == client.VerdictPartly, f.Class.Refused():
		return style.Refused
	}
	return style.OutcomeOf(f.Status != doctor.OK, false)
}

// examine runs the doctor and shows its findings as they come.
func (f *Feature) examine(of *client.Connector, title string) intent.Intent {
	x := newExamination(f.Tree(), of, title)
	ctx, cancel := context.WithCancel(context.Background())
	x.live.Stop = intent.Then{F: func() intent.Intent { cancel(); return nil }}
	examine := f.Session().Examine
	return intent.All{intent.Push{Overlay: x.live},
		intent.Task{Lane: intent.Quiet, Do: func(loop context.Context) (func() intent.Intent, error) {
			defer cancel()
			examine(ctx, of, func(found finding) {
				intent.Post(loop, func() intent.Intent { x.add(found); return nil })
			})
			stopped := ctx.Err() != nil
			return func() intent.Intent { return x.end(stopped) }, nil
		}}}
}

type finding = doctor.Finding

// examination is a doctor at work: findings come one by one.
type examination struct {
	tree *tree.Pane
	live *overlay.Live
	// of is the connector examined; nil when everything is.
	of *client.Connector
	// found are the findings, counts how many things they speak of by status.
	found  doctor.Report
	counts map[doctor.Status]int
	// last is the step of the last finding, to head a new one.
	last string
	// differs is how much service and catalog say differently.
	differs int
}

// manyFindings is from how many on the failed ones are told again.
const manyFindings = 15

func newExamination(t *tree.Pane, of *client.Connector, title string) *examination {
	return &examination{tree: t, of: of, counts: map[doctor.Status]int{},
		live: &overlay.Live{Reader: overlay.Reader{Heading: title, CopyWhat: "findings", Wide: true},
			Running: "looking…"}}
}

// add takes a finding and writes all of them anew: one may stand for many.
func (x *examination) add(f finding) {
	x.found.Add(f)
	if f.Step == "connector" {
		x.mark(f)
	}
	if f.Step == session.StepDescription && x.of != nil {
		x.differs++
		x.tree.SetDiffers(*x.of, x.differs)
	}
	x.live.Set(x.written(x.found.Lines()))
	x.live.Running = "looking… " + x.summary()
}

// written are findings in lines, each step with a heading. It counts them.
func (x *examination) written(all []finding) []overlay.Line {
	var out []overlay.Line
	x.last = ""
	clear(x.counts)
	for _, f := range all {
		x.counts[f.Status] += f.Count
		out = append(out, x.lines(f)...)
	}
	return out
}

// mark shows the health of a connector in the tree.
func (x *examination) mark(f finding) {
	word := mark(f)
	if word == "" {
		return
	}
	if x.of != nil {
		x.tree.SetHealth(*x.of, word, health(f))
		return
	}
	for _, c := range x.tree.Connectors() {
		if c.Name == f.Subject {
			x.tree.SetHealth(c, word, health(f))
		}
	}
}

func (x *examination) summary() string {
	var parts []string
	for _, s := range []doctor.Status{doctor.Fail, doctor.Warn, doctor.OK} {
		if n := x.counts[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	return strings.Join(parts, ", ")
}

// end closes the list of findings and says how many there are.
func (x *examination) end(stopped bool) intent.Intent {
	x.live.Running = ""
	all := x.found.Lines()
	body := x.written(all)
	if x.summary() == "" {
		body = append(body, overlay.Line{Text: "There was nothing to look at.", Tone: overlay.Dim})
	}
	bad := x.counts[doctor.Fail] > 0
	if bad && len(body) > manyFindings {
		body = append(body, overlay.Line{}, overlay.Line{Text: "What failed", Tone: overlay.Heading})
		for _, f := range all {
			if f.Status == doctor.Fail {
				x.last = f.Step
				body = append(body, x.lines(f)...)
			}
		}
	}
	tone := overlay.Good
	if bad {
		tone = overlay.Warn
	}
	word := "done"
	if stopped {
		word = "stopped"
	}
	x.live.Set(append(body, overlay.Line{}, overlay.Line{Text: "Done: " + x.summary() + ".", Tone: tone}))
	return intent.Say{Text: strings.TrimSuffix("check "+word+": "+x.summary(), ": "), Bad: bad}
}

var tones = map[doctor.Status]overlay.Tone{doctor.OK: overlay.Good, doctor.Warn: overlay.Warn, doctor.Fail: overlay.Bad,
	doctor.Info: overlay.Plain, doctor.Skip: overlay.Dim}

// lines writes a finding: a status word, what was looked at, what was found,
// and below it what to do.
func (x *examination) lines(f finding) []overlay.Line {
	var out []overlay.Line
	if f.Step != x.last && f.Step != "entity" && !(x.last == "entity" && f.Step == "connector") {
		if x.last != "" {
			out = append(out, overlay.Line{})
		}
		initial := min(1, len(f.Step))
		out = append(out, overlay.Line{Text: strings.ToUpper(f.Step[:initial]) + f.Step[initial:],
			Tone: overlay.Heading})
	}
	x.last = f.Step
	indent := 2
	if f.Step == "entity" {
		indent = 4
	}
	t := f.Detail
	if f.Subject != "" {
		t = f.Subject + ": " + t
	}
	if f.HTTPStatus != 0 && !strings.Contains(t, fmt.Sprint(f.HTTPStatus)) {
		t += fmt.Sprintf(" (HTTP %d)", f.HTTPStatus)
	}
	out = append(out, overlay.Line{Label: string(f.Status), LabelWidth: 8, Indent: indent, Text: t,
		Tone: tones[f.Status]})
	if f.Next != "" {
		out = append(out, overlay.Line{LabelWidth: 8, Indent: indent + 10, Text: "next: " + f.Next,
			Tone: overlay.Plain})
	}
	return out
}
