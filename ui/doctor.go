package ui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// findingsWaiting is how many findings may wait for the screen; the doctor
// waits when there are more.
const findingsWaiting = 1024

// examination is a doctor at work: findings come one by one.
type examination struct {
	session  int
	findings chan doctor.Finding
	cancel   context.CancelFunc
	live     *overlay.Live
	// of is the connector examined; nil when everything is.
	of *client.Connector
	// counts are the findings by status.
	counts map[doctor.Status]int
	// last is the step of the last finding, to head a new one.
	last string
	// failed are told again at the end, where many findings went by.
	failed []doctor.Finding
}

// manyFindings is from how many on the failed ones are told again.
const manyFindings = 15

// noExamine says why nothing can be checked.
func (m *Model) noExamine() string {
	n := m.tree.Current()
	if n != nil && n.Connector.Local {
		return reason(m.deps.Session.CheckLocal == nil, "local connectors cannot be checked here")
	}
	return reason(m.deps.Session.Examine == nil && m.platform() == nil, "this service offers no check")
}

// openCheck examines the connector under the cursor, or everything.
func (m *Model) openCheck() tea.Cmd {
	n := m.tree.Current()
	if n == nil || n.Connector.Name == "" {
		return m.openCheckAll()
	}
	c := n.Connector
	if c.Local || m.deps.Session.Examine == nil {
		return tea.Batch(m.say("trying the credentials of "+c.Name+"…", false), m.checkOne(c))
	}
	return m.examine(&c, "Check: "+text.Sanitize(c.Name))
}

// openCheckAll examines everything.
func (m *Model) openCheckAll() tea.Cmd {
	if m.deps.Session.Examine == nil {
		return m.say("put the cursor on a connector first: this service offers no other check", true)
	}
	return m.examine(nil, "Check: settings, network, token, connectors")
}

// examine runs the doctor and shows its findings as they come.
func (m *Model) examine(of *client.Connector, title string) tea.Cmd {
	ctx, cancel := context.WithCancel(context.Background())
	x := &examination{session: m.session, findings: make(chan doctor.Finding, findingsWaiting), cancel: cancel, of: of, counts: map[doctor.Status]int{}}
	x.live = &overlay.Live{Reader: overlay.Reader{Heading: title, CopyWhat: "findings", Wide: true}, Running: "looking…"}
	x.live.Stop = then(func() tea.Cmd { cancel(); return nil })
	examine := m.deps.Session.Examine
	run := func() tea.Msg {
		defer close(x.findings)
		examine(ctx, of, func(f doctor.Finding) {
			select {
			case x.findings <- f:
			case <-ctx.Done():
			}
		})
		return nil
	}
	return tea.Batch(m.push(x.live), run, x.next())
}

// next waits for a finding and takes those that wait already with it.
func (x *examination) next() tea.Cmd {
	return func() tea.Msg {
		f, ok := <-x.findings
		if !ok {
			return appliedMsg{x.session, x.end}
		}
		list := []doctor.Finding{f}
		for len(list) < findingsWaiting {
			select {
			case more, open := <-x.findings:
				if open {
					list = append(list, more)
					continue
				}
			default:
			}
			break
		}
		return appliedMsg{x.session, func(m *Model) tea.Cmd { return x.got(m, list) }}
	}
}

func (x *examination) got(m *Model, list []doctor.Finding) tea.Cmd {
	for _, f := range list {
		x.counts[f.Status]++
		x.live.Add(x.lines(f)...)
		if f.Status == doctor.Fail {
			x.failed = append(x.failed, f)
		}
		if f.Step == "connector" {
			x.mark(m, f)
		}
	}
	x.live.Running = "looking… " + x.summary()
	return x.next()
}

// mark shows the health of a connector in the tree.
func (x *examination) mark(m *Model, f doctor.Finding) {
	word := ""
	switch f.Status {
	case doctor.OK:
		word = "ok"
	case doctor.Fail:
		word = healthMark("failed", f.HTTPStatus)
	case doctor.Warn:
		word = healthMark("?", f.HTTPStatus)
	}
	if word == "" {
		return
	}
	if x.of != nil {
		m.tree.SetHealth(*x.of, word)
		return
	}
	for _, c := range m.tree.Connectors() {
		if c.Name == f.Subject {
			m.tree.SetHealth(c, word)
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

func (x *examination) end(m *Model) tea.Cmd {
	x.cancel()
	x.live.Running = ""
	if x.counts[doctor.Fail]+x.counts[doctor.Warn]+x.counts[doctor.OK] == 0 {
		x.live.Add(overlay.Line{Text: "There was nothing to look at.", Tone: overlay.Dim})
	}
	bad := x.counts[doctor.Fail] > 0
	if bad && len(x.live.Body) > manyFindings {
		x.live.Add(overlay.Line{}, overlay.Line{Text: "What failed", Tone: overlay.Heading})
		for _, f := range x.failed {
			x.last = f.Step
			x.live.Add(x.lines(f)...)
		}
	}
	x.live.Add(overlay.Line{}, overlay.Line{Text: "Done: " + x.summary() + ".", Tone: map[bool]overlay.Tone{true: overlay.Warn, false: overlay.Good}[bad]})
	return m.say("check done: "+x.summary(), bad)
}

var findingTones = map[doctor.Status]overlay.Tone{doctor.OK: overlay.Good, doctor.Warn: overlay.Warn, doctor.Fail: overlay.Bad, doctor.Info: overlay.Plain, doctor.Skip: overlay.Dim}

// lines writes a finding: a status word, what was looked at, what was found,
// and below it what to do.
func (x *examination) lines(f doctor.Finding) []overlay.Line {
	var out []overlay.Line
	if f.Step != x.last && f.Step != "entity" && !(x.last == "entity" && f.Step == "connector") {
		if x.last != "" {
			out = append(out, overlay.Line{})
		}
		out = append(out, overlay.Line{Text: strings.ToUpper(f.Step[:min(1, len(f.Step))]) + f.Step[min(1, len(f.Step)):], Tone: overlay.Heading})
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
	out = append(out, overlay.Line{Label: string(f.Status), LabelWidth: 8, Indent: indent, Text: text.Sanitize(t), Tone: findingTones[f.Status]})
	if f.Next != "" {
		out = append(out, overlay.Line{Label: "", LabelWidth: 8, Indent: indent + 10, Text: "next: " + text.Sanitize(f.Next), Tone: overlay.Plain})
	}
	return out
}
