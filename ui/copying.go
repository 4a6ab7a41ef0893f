package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/payload"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

func requestLines(req *client.Request) []overlay.Line {
	url := req.URL
	for i, q := range req.Query {
		sep := "&"
		if i == 0 && !strings.Contains(url, "?") {
			sep = "?"
		}
		url += sep + q.Name + "=" + q.Value
	}
	out := []overlay.Line{{Text: text.Sanitize(req.Method + " " + url), Tone: overlay.Accent}}
	for _, h := range req.Headers {
		out = append(out, overlay.Line{Label: text.Sanitize(h.Name) + ":", Text: text.Sanitize(h.Value)})
	}
	if req.Basic != nil {
		out = append(out, overlay.Line{Label: "Authorization:", Text: "Basic " + req.Basic.User + ":" + req.Basic.Password + " (base64)"})
	}
	out = append(out, overlay.Line{})
	for _, l := range text.Lines(prettyBody(req.Body)) {
		out = append(out, overlay.Line{Text: l, Tone: overlay.JSON})
	}
	for _, n := range req.Notes {
		out = append(out, overlay.Line{Text: text.Sanitize(n), Tone: overlay.Dim})
	}
	for _, v := range req.Env {
		out = append(out, overlay.Line{Text: "$" + v.Name + " holds " + text.Sanitize(v.Meaning), Tone: overlay.Dim})
	}
	return out
}

func prettyBody(body []byte) string {
	var v json.RawMessage
	if json.Unmarshal(body, &v) != nil {
		return string(body)
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return string(body)
	}
	return string(b)
}

// openCopy lists what can be copied from the focused pane.
func (m *Model) openCopy() tea.Cmd {
	var opts []result.CopyOption
	switch m.arr.focus {
	case paneResponse:
		opts = m.res.Copies()
	case paneRequest:
		if m.req.HasAction() {
			t := m.req.Text()
			opts = []result.CopyOption{{Title: "Params as JSON", What: "params", Text: func(context.Context) (string, error) { return t, nil }}}
		}
	case paneTree:
		opts = m.treeCopies()
	}
	if len(opts) == 0 {
		return m.say("there is nothing to copy here yet", true)
	}
	items := make([]overlay.Item, len(opts))
	for i, o := range opts {
		items[i] = overlay.Item{Title: text.Sanitize(o.Title), Value: i}
	}
	return m.push(&overlay.List{Heading: "Copy", Source: overlay.Static(items), Choose: func(it overlay.Item) intent.Intent {
		o := opts[it.Value.(int)]
		return intent.Work{What: "copying", Do: func(ctx context.Context) (func() intent.Intent, error) {
			t, err := o.Text(ctx)
			return func() intent.Intent { return intent.Copy{Text: t, What: o.What} }, err
		}}
	}})
}

func (m *Model) treeCopies() []result.CopyOption {
	n := m.tree.Current()
	if n == nil {
		return nil
	}
	plain := func(title, what, t string) result.CopyOption {
		return result.CopyOption{Title: title, What: what, Text: func(context.Context) (string, error) { return t, nil }}
	}
	var out []result.CopyOption
	if n.Action != "" {
		out = append(out, plain("Name of the action", "name", n.Action))
	}
	if n.Entity != "" {
		out = append(out, plain("Name of the entity", "name", n.Entity))
	}
	if n.Connector.ID != "" {
		out = append(out, plain("Id of the connector", "connector id", n.Connector.ID), plain("Name of the connector", "name", n.Connector.Name))
	}
	return append(out, plain("Name of the workspace", "name", n.Workspace))
}

// pastedElsewhere asks what to do with a pasted call of another action of the
// same connector; nil when the text is none.
func (m *Model) pastedElsewhere(t string) overlay.Overlay {
	if !m.req.HasAction() || m.req.Editing() {
		return nil
	}
	parsed, err := payload.Parse(t)
	if err != nil {
		return nil
	}
	op := payload.Exact(parsed.Operation, m.req.Kind())
	if op.Entity == "" || (op.Entity == m.req.Entity().Name && op.Action == m.req.Action().Name) {
		return nil
	}
	e := m.req.Kind().Entity(op.Entity)
	if e == nil || e.Action(op.Action) == nil {
		return nil
	}
	return &overlay.Confirm{Heading: "A call of another action", Yes: "Go there", No: "Stay",
		Text: []string{"The pasted text calls " + op.Entity + " " + op.Action + ". Open its form, filled from the text? The form here stays as it is until then."},
		Do:   intent.OpenAction{Connector: m.req.Connector(), Entity: op.Entity, Action: op.Action, Params: op.Params}}
}

// pastedParams is the text when it is a JSON object that names no call; nil for
// every other text.
func pastedParams(t string) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(t), &members) != nil || members == nil {
		return nil
	}
	_, action := members["action"]
	_, params := members["params"]
	if _, entity := members["entity"]; params || action && entity {
		return nil
	}
	return json.RawMessage(strings.TrimSpace(t))
}

// readPasted understands a pasted call, or a JSON object that holds the params.
func (m *Model) readPasted(t string) (json.RawMessage, string, error) {
	if params := pastedParams(t); params != nil {
		return params, "params taken from the pasted JSON object", nil
	}
	parsed, err := payload.Parse(t)
	if err != nil {
		return nil, "", err
	}
	op := parsed.Operation
	if m.req.HasAction() {
		op = payload.Exact(op, m.req.Kind())
	}
	if op.Entity != "" && m.req.HasAction() && (op.Entity != m.req.Entity().Name || op.Action != m.req.Action().Name) {
		return nil, "", fmt.Errorf("the pasted %s calls %s %s, which this connector does not have", parsed.Format, op.Entity, op.Action)
	}
	return op.Params, text.Sanitize("params taken from the pasted " + parsed.Format), nil
}
