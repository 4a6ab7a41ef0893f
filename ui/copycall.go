package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/payload"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// oneCall is a call that can be copied: that of the form, or the one that
// brought the page on the screen.
type oneCall struct {
	// title and note say which, in full and in short.
	title, note string
	target      client.Target
	op          client.Operation
}

// callsHere are the calls that can be copied. The page has its own where its
// params are others than those of the form, as from its second page on.
func (m *Model) callsHere() []oneCall {
	op, _ := m.req.Operation()
	form := oneCall{title: "The form", note: "the form", target: m.target(), op: op}
	p := m.res.Page()
	if p == nil || p.Document != nil || p.Op.Action == "" || p.Target.Profile != m.deps.Session.Name {
		return []oneCall{form}
	}
	n := fmt.Sprintf("page %d", m.res.PageNumber())
	page := oneCall{title: "This page, " + n + " of the answer", note: n, target: p.Target, op: p.Op}
	if page.same(form) {
		return []oneCall{form}
	}
	if m.arr.focus == paneRequest {
		return []oneCall{form, page}
	}
	return []oneCall{page, form}
}

// same tells whether both ask the same of the same connector.
func (c oneCall) same(o oneCall) bool {
	return c.target == o.target && c.op.Entity == o.op.Entity && c.op.Action == o.op.Action && c.op.NextURL == o.op.NextURL &&
		slices.Equal(c.op.SelectFields, o.op.SelectFields) && slices.Equal(c.op.ExcludeFields, o.op.ExcludeFields) &&
		bytes.Equal(compact(c.op.Params), compact(o.op.Params))
}

// compact is JSON without blanks; no params and empty ones are the same.
func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil || b.String() == "{}" {
		return nil
	}
	return b.Bytes()
}

// openPreview shows the exact request of the form.
func (m *Model) openPreview() tea.Cmd {
	op, problem := m.req.Operation()
	req, err := m.deps.Session.Service.Preview(m.target(), op)
	if err != nil {
		return m.say(client.AsError(err).Error(), true)
	}
	var body []overlay.Line
	if problem != "" {
		body = append(body, overlay.Line{Text: "Not valid yet: " + problem, Tone: overlay.Warn}, overlay.Line{})
	}
	if calls := m.callsHere(); len(calls) > 1 && calls[0].note != "the form" {
		body = append(body, overlay.Line{Text: "This is the call of the form. That of " + calls[0].note + " is in the view Wire, and Y copies either.", Tone: overlay.Dim}, overlay.Line{})
	}
	if m.listens != "" {
		req.URL = m.reachable(req.URL)
	}
	body = append(body, requestLines(req)...)
	if m.willListen() {
		body = append(body, overlay.Line{Text: "The sandbox answers inside this program and listens nowhere yet: when a call is copied, a port is opened and its address stands in the copy.", Tone: overlay.Dim})
	}
	return m.push(&overlay.Reader{Heading: "The exact request", Body: body, CopyWhat: "request", Wide: true,
		Keys: map[string]intent.Intent{"Y": intent.All{intent.Close{}, intent.Do{ID: "copy.call"}}}, KeyHelp: "Y copy as…"})
}

// willListen tells whether the sandbox opens a port when a call is copied.
func (m *Model) willListen() bool {
	return m.deps.Session.Sandbox && m.deps.Listen != nil && m.listens == ""
}

// reachable puts the address at which the sandbox listens into a text; until it
// does, a word stands for the port.
func (m *Model) reachable(t string) string {
	base := m.deps.Session.BaseURL
	u, err := url.Parse(base)
	switch {
	case !m.deps.Session.Sandbox || m.deps.Listen == nil || err != nil:
		return t
	case m.listens != "":
		return strings.ReplaceAll(t, base, m.listens)
	}
	return strings.ReplaceAll(t, u.Host, u.Hostname()+":PORT")
}

// copiedCall is a call and the format to copy it in.
type copiedCall struct {
	call   oneCall
	format payload.Format
}

// openCopyCall lists the formats that a call can be copied in.
func (m *Model) openCopyCall() tea.Cmd {
	calls := m.callsHere()
	var items []overlay.Item
	for _, c := range calls {
		for _, f := range curlFirst(slices.Clone(payload.Formats())) {
			it := overlay.Item{Title: f.Title, Value: copiedCall{c, f}}
			if len(calls) > 1 {
				it.Group, it.Note = c.title, c.note
			}
			if t, err := m.renderCall(c, f); err != nil {
				it.Disabled = err.Error()
			} else {
				t = m.reachable(t)
				it.Detail = text.Sanitize(strings.Join(strings.Fields(strings.ReplaceAll(t[:min(len(t), 1000)], "\\\n", " ")), " "))
			}
			items = append(items, it)
		}
	}
	return m.push(&overlay.List{Heading: "Copy the call as", Prompt: "curl, json, …", Source: overlay.Static(items),
		Choose: func(it overlay.Item) intent.Intent {
			return then(func() tea.Cmd { return m.copyCall(it.Value.(copiedCall)) })
		}})
}

// curlFirst puts the format that most people want at the top.
func curlFirst(list []payload.Format) []payload.Format {
	slices.SortStableFunc(list, func(a, b payload.Format) int {
		return map[bool]int{true: -1}[a.Name == "curl"] - map[bool]int{true: -1}[b.Name == "curl"]
	})
	return list
}

func (m *Model) renderCall(c oneCall, f payload.Format) (string, error) {
	req, err := m.deps.Session.Service.Preview(c.target, c.op)
	if err != nil {
		return "", err
	}
	return f.Render(payload.Input{Operation: c.op, Target: c.target, OrganizationID: m.deps.Session.Organization, Request: req, Preset: m.deps.Session.Preset})
}

func (m *Model) copyCall(c copiedCall) tea.Cmd {
	t, err := m.renderCall(c.call, c.format)
	if err != nil {
		return m.say(err.Error(), true)
	}
	if m.deps.Session.Sandbox && m.deps.Listen != nil {
		return listenThenCopy(m.deps.Listen, c.format.Title, t, m.deps.Session.BaseURL)
	}
	return m.copy(t, c.format.Title)
}
